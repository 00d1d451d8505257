"""The schema as a list of migrations. A migration is frozen: it never imports the present model records. Those of many
statements have them in a file of `steps/`, named like the migration."""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Any

import numpy as np
from sqlite_utils import Database, Migrations

from memdesk.store import binding  # chosen before sqlite_utils looks for one

migrations = Migrations("memdesk")


def missing_parts(here: Database) -> Iterator[tuple[str, str]]:
    """Yield (table, missing part) of a database that lacks tables, columns or indexes of a new desk.

    Virtual tables are left out, since their modules may be away."""
    present = set(here.table_names())
    for name, (columns, indexes) in _parts_of_new_desk().items():
        if name not in present:
            yield name, "the table is missing"
            continue
        found = here.table(name)
        for column in sorted(columns - found.columns_dict.keys()):
            yield name, f"no column {column}"
        for index in sorted(indexes - {each.name for each in found.indexes}):
            yield name, f"no index {index}"


@functools.cache
def _parts_of_new_desk() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return the columns and indexes of every table of a new desk, by the table's name."""
    fresh = Database(memory=True)
    migrations.apply(fresh)
    tables = [fresh.table(name) for name in fresh.table_names()]
    return {
        table.name: (frozenset(table.columns_dict), frozenset(each.name for each in table.indexes))
        for table in tables
        if not table.schema.startswith("CREATE VIRTUAL")
    }


def _script(name: str) -> str:
    """Return the statements of a step from its file in `steps/`, without the comment above them."""
    text = (resources.files(__package__) / "steps" / f"{name}.sql").read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("--")) + "\n"


def _by_file(name: str) -> None:
    """Add a step that is the statements of its file."""
    migrations(name=name)(lambda db: _each(db, _script(name)))


def _each(db: Database, statements: str) -> None:
    statement = ""
    for piece in statements.split(";"):
        statement += f"{piece};"
        # A semicolon in a literal or in a trigger ends none.
        if binding.sqlite.complete_statement(statement):
            db.execute(statement)
            statement = ""


_by_file("first_desk")
_by_file("what_the_next_start_must_know")
_by_file("what_is_counted_is_indexed")


@migrations()
def every_memory_type(db: Database) -> None:
    _each(db, _script("every_memory_type"))
    for seq, claim in db.execute(
        "SELECT seq, claim FROM searchable JOIN facts USING (seq) WHERE searchable.kind = 'fact'"
    ).fetchall():
        told = " ".join(unicodedata.normalize("NFKC", claim).casefold().split()).rstrip(".。!")
        known = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        db.execute("UPDATE searchable SET claim_hash = ? WHERE seq = ?", (known, seq))
    # What is summed beside the vectors is filled anew at the next start.
    db.execute("UPDATE upkeep SET vectors_behind = 1")
    _chain_anew(db)


_by_file("models_and_what_they_cost")


def _chain_anew(db: Database) -> None:
    """Rehash every change with a separate payload digest, so that it can be erased and the chain still be
    verified."""
    chain = b""
    for row in db.execute(
        "SELECT id, at, op, layer, author, run, undoes, took_us, title, channel, user_id, key, details "
        "FROM changes ORDER BY id"
    ).fetchall():
        payload = hashlib.blake2b(_framed(row[8:]), digest_size=16)
        for edit in db.execute(
            "SELECT n, kind, record, before, after FROM edits WHERE change = ? ORDER BY n", row[:1]
        ):
            payload.update(_framed(edit))
        chain = hashlib.blake2b(chain + _framed(row[:8]) + payload.digest(), digest_size=16).digest()
        db.execute("UPDATE changes SET payload = ?, hash = ? WHERE id = ?", (payload.digest(), chain, row[0]))


def _framed(parts: Iterable[Any]) -> bytes:
    """Return the parts, each with its length before it."""
    texts = (None if part is None else str(part).encode() for part in parts)
    return b"".join(b"-" if text is None else b"%d:" % len(text) + text for text in texts)


_by_file("the_context_window")
_by_file("what_is_strong_is_indexed")
_by_file("scopes_have_versions")
_by_file("what_review_decides_for_good")
_by_file("what_a_table_is_narrowed_by_is_indexed")


@migrations()
def the_timeline_by_number_and_by_word(db: Database) -> None:
    _each(db, _script("the_timeline_by_number_and_by_word"))
    (newest,) = db.execute("SELECT titles_low FROM upkeep").fetchone()
    # A stretch at a time: sorting ten million events at once took twice as long, and room on the disk.
    for first in range(0, newest, 65_536):
        db.execute(
            "INSERT INTO rollup SELECT id / 4096, at / 3600000000, op, layer, author, channel, user_id, count(*) "
            "FROM events WHERE id >= ? AND id < ? GROUP BY 1, 2, 3, 4, 5, 6, 7",
            (first, first + 65_536),
        )


_TERMS = "CREATE VIRTUAL TABLE titles_terms USING fts5vocab (titles, instance)"
"""Words of titles in order, so that all words with one beginning can be listed."""


@migrations()
def words_of_titles_are_listed(db: Database) -> None:
    _each(db, _TERMS)


@migrations()
def claims_out_of_recall_are_found_by_their_hash(db: Database) -> None:
    _each(db, _script("claims_out_of_recall_are_found_by_their_hash"))
    for seq, claim in db.execute(
        "SELECT seq, claim FROM facts WHERE retired_at IS NOT NULL OR superseded_by IS NOT NULL"
    ).fetchall():
        told = " ".join(unicodedata.normalize("NFKC", claim).casefold().split()).rstrip(".。!")
        known = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        db.execute("INSERT INTO past_claims VALUES (?, ?)", (seq, known))


_by_file("pages_are_read_in_the_order_of_an_index")


_DIGESTED = """channels conversations turns facts entities aliases relations goals strategies outcomes tool_calls traits
proposals standing_decisions tags workspaces documents sessions compactions passages embeddings usage recalls recalled
prompts prompt_pieces working job_runs spending audit_checkpoints"""


@migrations()
def rows_have_digests(db: Database) -> None:
    """Add a digest column to every table. The digests are computed at the next start."""
    db.execute("CREATE TABLE digested (name TEXT PRIMARY KEY, columns TEXT NOT NULL) STRICT")
    days = [name for name in db.table_names() if name.startswith("audit_2")]
    for name in (*_DIGESTED.split(), *days):
        db.execute(f"ALTER TABLE {name} ADD COLUMN digest BLOB")


_by_file("claims_are_found_by_subject_and_slot")
_by_file("projects_have_identities")
_by_file("agents_have_grants")


_TRUSTED = (
    *("turns", "facts", "entities", "relations", "goals"),
    *("tool_calls", "strategies", "traits", "documents"),
)


@migrations()
def memories_have_an_origin_and_a_trust(db: Database) -> None:
    for name in _TRUSTED:
        db.execute(f"ALTER TABLE {name} ADD COLUMN origin TEXT NOT NULL DEFAULT ''")
        db.execute(f"ALTER TABLE {name} ADD COLUMN trust REAL NOT NULL DEFAULT 0.7")
        # A row with the defaults keeps its digest.
        db.execute("UPDATE digested SET columns = columns || ',origin,trust' WHERE name = ?", (name,))


@migrations()
def upkeep_and_holders_have_digests(db: Database) -> None:
    for name in ("upkeep", "holders"):
        db.execute(f"ALTER TABLE {name} ADD COLUMN digest BLOB")


_by_file("some_working_memory_lasts")


@migrations()
def sessions_have_metadata(db: Database) -> None:
    db.execute("ALTER TABLE sessions ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}'")


_QUESTIONS = """
CREATE TABLE questions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  text TEXT NOT NULL, expects TEXT NOT NULL, passes INTEGER, passes_at INTEGER, created_at INTEGER NOT NULL,
  retired_at INTEGER, digest BLOB) STRICT
"""


@migrations()
def questions_are_kept_as_tests(db: Database) -> None:
    _each(db, _QUESTIONS)


@migrations()
def vectors_have_half_the_bytes(db: Database) -> None:
    """Store the numbers of vectors as float16 instead of float32. Their rows are digested at the next start; a vector
    of damaged length is made again."""
    db.conn.create_function("halved", 1, _halved, deterministic=True)
    torn = "SELECT id FROM embeddings WHERE length(vector) % 4 OR typeof(vector) != 'blob'"
    db.execute(f"UPDATE searchable SET embedding = NULL WHERE embedding IN ({torn})")
    db.execute(f"DELETE FROM embeddings WHERE id IN ({torn})")
    db.execute("UPDATE embeddings SET vector = halved(vector)")
    db.execute("DELETE FROM digested WHERE name = 'embeddings'")
    db.execute("UPDATE upkeep SET vectors_behind = 1")


@migrations()
def files_are_read_again_by_newer_rules(db: Database) -> None:
    """Keep the name of the rules by which the lines of all files were last read; none have been named yet."""
    _each(db, "ALTER TABLE upkeep ADD COLUMN lines_reader TEXT NOT NULL DEFAULT ''")


@migrations()
def entities_are_lifted_by_recalled_facts(db: Database) -> None:
    """Note the last recall that lifted none of the entities its facts are about; later ones do."""
    _each(db, "ALTER TABLE upkeep ADD COLUMN lifts_from INTEGER NOT NULL DEFAULT 0")
    db.execute("UPDATE upkeep SET lifts_from = ifnull((SELECT max(at) FROM recalls), 0)")


_RANKED = """
CREATE TABLE fading (
  seq INTEGER PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, channel TEXT NOT NULL, full_at REAL NOT NULL)
  STRICT;
CREATE INDEX fading_order ON fading (user_id, full_at, channel, kind);
ALTER TABLE upkeep ADD COLUMN ranked_decay REAL
"""


@migrations()
def what_fades_is_ranked(db: Database) -> None:
    _each(db, _RANKED)


@migrations()
def rows_of_a_database_have_digests(db: Database) -> None:
    """Change nothing in a file. In PostgreSQL digests are installed after the last step, and older programs, whose rows
    would have none, open the desk no longer."""


@migrations()
def a_checkup_goes_on_where_it_stopped(db: Database) -> None:
    """Keep the search number up to which a checkup has looked at every fact; none has been kept yet."""
    _each(db, "ALTER TABLE upkeep ADD COLUMN checked_seq INTEGER NOT NULL DEFAULT 0")


@migrations()
def agents_are_found_by_an_index(db: Database) -> None:
    _each(db, "CREATE INDEX facts_agent ON facts (agent_id, seq)")


def _halved(vector: bytes) -> bytes:
    with np.errstate(over="ignore"):
        return np.frombuffer(vector, np.float32).astype(np.float16).tobytes()
