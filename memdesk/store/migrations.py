"""The schema as a list of migrations. A migration is frozen: it never imports the present model records."""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from memdesk.store import binding  # noqa: F401  (chosen before sqlite_utils looks for one)
from memdesk.store.first_schema import FIRST_SCHEMA

# isort: split
from sqlite_utils import Database, Migrations

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


@migrations()
def first_desk(db: Database) -> None:
    _each(db, FIRST_SCHEMA)


_UPKEEP = """
CREATE TABLE upkeep (next_seq INTEGER NOT NULL, vectors_behind INTEGER NOT NULL) STRICT;
INSERT INTO upkeep SELECT 1 + max(
  ifnull((SELECT max(seq) FROM records), 0), ifnull((SELECT max(seq) FROM passages), 0),
  ifnull((SELECT max(seq) FROM recalled), 0),
  ifnull((SELECT max(max(ifnull(before ->> 'seq', 0), ifnull(after ->> 'seq', 0))) FROM edits), 0)), 1
"""


_COUNTED = """
CREATE INDEX turns_current ON turns (channel) WHERE retired_at IS NULL;
CREATE INDEX facts_current ON facts (user_id, channel, category)
  WHERE retired_at IS NULL AND superseded_by IS NULL
"""
"""Indexes for the counts of status and the list of facts, so that neither reads the rows."""


@migrations()
def what_the_next_start_must_know(db: Database) -> None:
    _each(db, _UPKEEP)


@migrations()
def what_is_counted_is_indexed(db: Database) -> None:
    _each(db, _COUNTED)


_WHOLE = """
ALTER TABLE channels ADD COLUMN moved_to TEXT;
ALTER TABLE conversations ADD COLUMN consolidated_at INTEGER;
ALTER TABLE conversations ADD COLUMN patterns_at INTEGER;
ALTER TABLE conversations ADD COLUMN archived_at INTEGER;
CREATE INDEX conversations_time ON conversations (user_id, started_at);
CREATE INDEX turns_time ON turns (user_id, created_at);
CREATE INDEX turns_channel ON turns (user_id, channel, created_at);
ALTER TABLE facts ADD COLUMN key TEXT;
ALTER TABLE facts ADD COLUMN value TEXT;
ALTER TABLE facts ADD COLUMN valid_from INTEGER;
ALTER TABLE facts ADD COLUMN valid_to INTEGER;
CREATE INDEX facts_key ON facts (user_id, channel, key) WHERE key IS NOT NULL;
CREATE INDEX facts_time ON facts (user_id, created_at);
CREATE INDEX entities_time ON entities (user_id, created_at);
ALTER TABLE relations ADD COLUMN properties TEXT NOT NULL DEFAULT '{}';

CREATE TABLE goals (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  description TEXT NOT NULL, status TEXT NOT NULL, priority INTEGER NOT NULL, parent_id TEXT REFERENCES goals (id),
  conversation_id TEXT REFERENCES conversations (id), deadline INTEGER, completed_at INTEGER, result TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX goals_status ON goals (user_id, status, channel);
CREATE INDEX goals_parent ON goals (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX goals_conversation ON goals (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE strategies (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  description TEXT NOT NULL, context_pattern TEXT NOT NULL, tool_sequence TEXT NOT NULL, pinned INTEGER NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX strategies_channel ON strategies (user_id, channel);

CREATE TABLE outcomes (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  strategy_id TEXT NOT NULL REFERENCES strategies (id), conversation_id TEXT REFERENCES conversations (id),
  success INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX outcomes_strategy ON outcomes (strategy_id, success);
CREATE INDEX outcomes_conversation ON outcomes (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE tool_calls (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  conversation_id TEXT REFERENCES conversations (id), turn_id TEXT REFERENCES turns (id), tool_name TEXT NOT NULL,
  task_type TEXT NOT NULL, tool_input TEXT NOT NULL, tool_output TEXT, success INTEGER, latency_ms INTEGER,
  error_message TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX tool_calls_conversation ON tool_calls (conversation_id, seq) WHERE conversation_id IS NOT NULL;
CREATE INDEX tool_calls_turn ON tool_calls (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX tool_calls_name ON tool_calls (user_id, tool_name, created_at);
CREATE INDEX tool_calls_time ON tool_calls (user_id, created_at);
CREATE INDEX tool_calls_channel ON tool_calls (user_id, channel, created_at);
CREATE TABLE tool_stats (
  user_id TEXT NOT NULL, channel TEXT NOT NULL, tool_name TEXT NOT NULL, task_type TEXT NOT NULL,
  usage_count INTEGER NOT NULL, success_count INTEGER NOT NULL, failure_count INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL, latency_count INTEGER NOT NULL, PRIMARY KEY (user_id, channel, tool_name, task_type))
  STRICT, WITHOUT ROWID;

CREATE TABLE traits (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, aspect TEXT NOT NULL, name TEXT NOT NULL,
  value TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, retired_at INTEGER,
  UNIQUE (user_id, aspect, name)) STRICT;

CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  type TEXT NOT NULL, subject_id TEXT NOT NULL REFERENCES records (id), other_id TEXT REFERENCES records (id),
  reason TEXT NOT NULL, details TEXT NOT NULL, status TEXT NOT NULL, decision TEXT NOT NULL, decided_at INTEGER,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX proposals_subject ON proposals (subject_id, type);
CREATE INDEX proposals_other ON proposals (other_id, type) WHERE other_id IS NOT NULL;
CREATE INDEX proposals_status ON proposals (user_id, status, seq);

CREATE TABLE tags (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  record_id TEXT NOT NULL REFERENCES records (id), name TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER,
  UNIQUE (record_id, name)) STRICT;
CREATE INDEX tags_name ON tags (user_id, name);

CREATE TABLE working (
  key TEXT PRIMARY KEY, user_id TEXT NOT NULL, channel TEXT NOT NULL, conversation_id TEXT, session_id TEXT,
  value TEXT NOT NULL, bytes INTEGER NOT NULL, created_at INTEGER NOT NULL, touched_at INTEGER NOT NULL,
  expires_at INTEGER) STRICT;
CREATE INDEX working_expiry ON working (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX working_touched ON working (touched_at);
CREATE TABLE working_size (
  keys INTEGER NOT NULL, bytes INTEGER NOT NULL, expired INTEGER NOT NULL, evicted INTEGER NOT NULL) STRICT;
INSERT INTO working_size VALUES (0, 0, 0, 0);
CREATE TRIGGER working_born AFTER INSERT ON working BEGIN
  UPDATE working_size SET keys = keys + 1, bytes = bytes + new.bytes; END;
CREATE TRIGGER working_moved AFTER UPDATE OF bytes ON working WHEN new.bytes != old.bytes BEGIN
  UPDATE working_size SET bytes = bytes + new.bytes - old.bytes; END;
CREATE TRIGGER working_gone AFTER DELETE ON working BEGIN
  UPDATE working_size SET keys = keys - 1, bytes = bytes - old.bytes; END;

CREATE TABLE job_runs (
  id TEXT PRIMARY KEY, job TEXT NOT NULL, author TEXT NOT NULL, dry INTEGER NOT NULL, started_at INTEGER NOT NULL,
  finished_at INTEGER, state TEXT NOT NULL, says TEXT NOT NULL, result TEXT NOT NULL) STRICT;
CREATE INDEX job_runs_job ON job_runs (job, started_at);
CREATE TABLE paused_jobs (job TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;

CREATE TABLE audit_configs (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, snapshot TEXT NOT NULL) STRICT;
CREATE TABLE audit_checkpoints (
  segment TEXT PRIMARY KEY, rows INTEGER NOT NULL, last_change INTEGER NOT NULL, hash BLOB NOT NULL,
  closed_at INTEGER NOT NULL, dropped_at INTEGER) STRICT;
DROP INDEX changes_key;
CREATE UNIQUE INDEX changes_key ON changes (user_id, author, key) WHERE key IS NOT NULL;
ALTER TABLE changes ADD COLUMN erased_by INTEGER;
ALTER TABLE changes ADD COLUMN payload BLOB NOT NULL DEFAULT x'';
ALTER TABLE recalls ADD COLUMN crossed INTEGER NOT NULL DEFAULT 0;

ALTER TABLE upkeep ADD COLUMN words_behind INTEGER NOT NULL DEFAULT 1;
ALTER TABLE upkeep ADD COLUMN file_behind INTEGER NOT NULL DEFAULT 0;
ALTER TABLE searchable ADD COLUMN claim_hash TEXT;
CREATE INDEX searchable_claim ON searchable (claim_hash) WHERE claim_hash IS NOT NULL;
DROP INDEX facts_claim;
CREATE TABLE categories (
  user_id TEXT NOT NULL, channel TEXT NOT NULL, category TEXT NOT NULL, facts INTEGER NOT NULL, total BLOB NOT NULL,
  PRIMARY KEY (user_id, channel, category)) STRICT, WITHOUT ROWID
"""
"""Goals, procedures, profiles, tags, the review queue, working memory, runs of jobs, and tables of the audit
log.

`categories` stores the sum of the vectors of each category's facts, so that centroids need no scan.
`working_size` follows working memory by triggers, so that its limit is checked without summing at every
write."""


@migrations()
def every_memory_type(db: Database) -> None:
    _each(db, _WHOLE)
    for seq, claim in db.execute(
        "SELECT seq, claim FROM searchable JOIN facts USING (seq) WHERE searchable.kind = 'fact'"
    ).fetchall():
        told = " ".join(unicodedata.normalize("NFKC", claim).casefold().split()).rstrip(".。!")
        known = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        db.execute("UPDATE searchable SET claim_hash = ? WHERE seq = ?", (known, seq))
    # What is summed beside the vectors is filled anew at the next start.
    db.execute("UPDATE upkeep SET vectors_behind = 1")
    _chain_anew(db)


_MODELS = """
ALTER TABLE embedder ADD COLUMN dimension INTEGER NOT NULL DEFAULT 0;
UPDATE embedder SET dimension = 256;
CREATE TABLE spending (
  day TEXT NOT NULL, role TEXT NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL, calls INTEGER NOT NULL,
  failures INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, guessed INTEGER NOT NULL,
  PRIMARY KEY (day, role, model, purpose)) STRICT, WITHOUT ROWID
"""
"""Dimension of the vectors in use, until now that of the bundled embedder, and the ledger of tokens."""


@migrations()
def models_and_what_they_cost(db: Database) -> None:
    _each(db, _MODELS)


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


def _each(db: Database, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            db.execute(statement)


_CONTEXT = """
CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  title TEXT NOT NULL, conversation_id TEXT NOT NULL, policy TEXT, window_tokens INTEGER, created_at INTEGER NOT NULL,
  retired_at INTEGER) STRICT;
CREATE INDEX sessions_user ON sessions (user_id, created_at);

CREATE TABLE compactions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id), session_id TEXT, policy TEXT NOT NULL,
  previous_id TEXT REFERENCES compactions (id), first_index INTEGER NOT NULL, last_index INTEGER NOT NULL,
  summary TEXT NOT NULL, message TEXT NOT NULL, sentences TEXT NOT NULL, by TEXT NOT NULL, note TEXT NOT NULL,
  kept TEXT NOT NULL, lost TEXT NOT NULL, messages_before INTEGER NOT NULL, messages_after INTEGER NOT NULL,
  characters_before INTEGER NOT NULL, characters_after INTEGER NOT NULL, tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL, took_us INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX compactions_conversation ON compactions (conversation_id, seq);
CREATE INDEX compactions_previous ON compactions (previous_id) WHERE previous_id IS NOT NULL;
CREATE INDEX compactions_user ON compactions (user_id, seq);

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, author TEXT NOT NULL, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  agent_id TEXT, session_id TEXT, conversation_id TEXT, turn_index INTEGER, query TEXT NOT NULL,
  budget_tokens INTEGER NOT NULL, tokens INTEGER NOT NULL, format TEXT NOT NULL, took_us INTEGER NOT NULL) STRICT;
CREATE INDEX prompts_time ON prompts (at);
CREATE INDEX prompts_conversation ON prompts (conversation_id, id) WHERE conversation_id IS NOT NULL;
CREATE INDEX prompts_session ON prompts (session_id, id) WHERE session_id IS NOT NULL;
CREATE TABLE prompt_pieces (
  prompt INTEGER NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL, tokens INTEGER NOT NULL,
  cut INTEGER NOT NULL, ids TEXT NOT NULL, text INTEGER NOT NULL, PRIMARY KEY (prompt, n)) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_pieces_text ON prompt_pieces (text);
CREATE TABLE prompt_texts (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body TEXT NOT NULL) STRICT
"""
"""Sessions and compactions, and the log of contexts given to agents: each text is stored once, even if it was
given often."""


@migrations()
def the_context_window(db: Database) -> None:
    _each(db, _CONTEXT)


_STRONG = """
CREATE INDEX usage_counted ON usage (access_count, seq);
CREATE INDEX usage_latest ON usage (last_accessed, seq);
CREATE INDEX facts_set ON facts (user_id, channel, salience_at, seq)
  WHERE retired_at IS NULL AND superseded_by IS NULL;
CREATE INDEX facts_pinned ON facts (user_id, channel)
  WHERE pinned AND retired_at IS NULL AND superseded_by IS NULL;
CREATE INDEX entities_set ON entities (user_id, channel, salience_at, seq) WHERE retired_at IS NULL;
CREATE INDEX entities_pinned ON entities (user_id, channel) WHERE pinned AND retired_at IS NULL
"""
"""Indexes by use and by time for memory that is recalled without a query, so that no prompt waits for a scan
of all facts."""


@migrations()
def what_is_strong_is_indexed(db: Database) -> None:
    _each(db, _STRONG)


_SCOPES = """
CREATE TABLE scopes (
  user_id TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel, kind)) STRICT, WITHOUT ROWID;
INSERT INTO scopes SELECT user_id, channel, kind, random() FROM searchable GROUP BY user_id, channel, kind
"""
"""Versions of searchable scopes: kinds in channels. Cached data of a scope is valid until its version
changes."""


@migrations()
def scopes_have_versions(db: Database) -> None:
    _each(db, _SCOPES)


_REVIEW = """
ALTER TABLE proposals ADD COLUMN later_until INTEGER;
CREATE INDEX proposals_quarantine ON proposals (subject_id) WHERE type = 'quarantine' AND status = 'open';
CREATE TABLE standing_decisions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, type TEXT NOT NULL,
  source_kind TEXT NOT NULL, source TEXT NOT NULL, decision TEXT NOT NULL, says TEXT NOT NULL, author TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT
"""
"""Columns and tables for putting questions off, for quarantine, and for standing decisions."""


@migrations()
def what_review_decides_for_good(db: Database) -> None:
    _each(db, _REVIEW)


_NARROWED = """
CREATE INDEX facts_category ON facts (user_id, category);
CREATE INDEX facts_source ON facts (user_id, source);
CREATE INDEX entities_type ON entities (user_id, type)
"""
"""Indexes for counting a table's filter values without reading every record."""


@migrations()
def what_a_table_is_narrowed_by_is_indexed(db: Database) -> None:
    _each(db, _NARROWED)


_TIMELINE = """
CREATE INDEX recalls_conversation ON recalls (conversation_id, id) WHERE conversation_id IS NOT NULL;
CREATE VIRTUAL TABLE titles USING fts5 (words, content='', columnsize=0, detail=none, tokenize='ascii');
ALTER TABLE upkeep ADD COLUMN titles_low INTEGER NOT NULL DEFAULT 1;
ALTER TABLE upkeep ADD COLUMN titles_high INTEGER NOT NULL DEFAULT 1;
UPDATE upkeep SET titles_low = 1 + max(
  ifnull((SELECT max(id) FROM changes), 0), ifnull((SELECT max(id) FROM recalls), 0));
UPDATE upkeep SET titles_high = titles_low;
DROP TABLE rollup;
CREATE TABLE rollup (
  stretch INTEGER NOT NULL, hour INTEGER NOT NULL, op TEXT NOT NULL, layer TEXT NOT NULL, author TEXT NOT NULL,
  channel TEXT NOT NULL, user_id TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (stretch, hour, op, layer, author, channel, user_id)) STRICT, WITHOUT ROWID
"""
"""Word index of event titles, for numbers from `titles_low` to before `titles_high`. Events are counted by
blocks of 4,096 numbers, and by user; recalls are indexed by their conversation."""


@migrations()
def the_timeline_by_number_and_by_word(db: Database) -> None:
    _each(db, _TIMELINE)
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


_PAST_CLAIMS = """
CREATE TABLE past_claims (seq INTEGER PRIMARY KEY, claim_hash TEXT NOT NULL) STRICT;
CREATE INDEX past_claims_hash ON past_claims (claim_hash)
"""
"""Claim hashes of facts outside recall; `searchable` has those of the others. Every writer looks up a newly
learned claim among the quarantined ones."""


@migrations()
def claims_out_of_recall_are_found_by_their_hash(db: Database) -> None:
    _each(db, _PAST_CLAIMS)
    for seq, claim in db.execute(
        "SELECT seq, claim FROM facts WHERE retired_at IS NOT NULL OR superseded_by IS NOT NULL"
    ).fetchall():
        told = " ".join(unicodedata.normalize("NFKC", claim).casefold().split()).rstrip(".。!")
        known = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        db.execute("INSERT INTO past_claims VALUES (?, ?)", (seq, known))


_LISTED = """
CREATE INDEX facts_listed ON facts (user_id, channel, retired_at, superseded_by);
CREATE INDEX goals_time ON goals (user_id, created_at);
CREATE INDEX strategies_time ON strategies (user_id, created_at);
DROP INDEX facts_pinned;
CREATE INDEX facts_pinned ON facts (user_id, channel, salience_at, seq)
  WHERE pinned AND retired_at IS NULL AND superseded_by IS NULL;
DROP INDEX entities_pinned;
CREATE INDEX entities_pinned ON entities (user_id, channel, salience_at, seq) WHERE pinned AND retired_at IS NULL
"""
"""Indexes that return pages of facts, of the timeline and of pinned memory in order up to their limit,
instead of sorting all memory of a user or a channel. `facts_listed` ends with the search number, as every
index does, and counts a channel's current facts without reading any."""


@migrations()
def pages_are_read_in_the_order_of_an_index(db: Database) -> None:
    _each(db, _LISTED)


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


_BELIEFS = """
CREATE TABLE belief_keys (key INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (key, seq)) STRICT, WITHOUT ROWID;
ALTER TABLE upkeep ADD COLUMN beliefs_reader TEXT NOT NULL DEFAULT '';
ALTER TABLE upkeep ADD COLUMN beliefs_unread INTEGER NOT NULL DEFAULT 0;
CREATE INDEX proposals_contradiction ON proposals (subject_id) WHERE type = 'contradiction' AND status = 'open'
"""
"""Facts by the subject and slot of their claims, and open contradictions by the newer of their facts.

Facts up to number `beliefs_unread` wait for the reader."""


@migrations()
def claims_are_found_by_subject_and_slot(db: Database) -> None:
    _each(db, _BELIEFS)


_PROJECTS = """
CREATE TABLE projects (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, name TEXT NOT NULL,
  identity TEXT NOT NULL, root TEXT NOT NULL, first_commit TEXT NOT NULL, mark TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER, digest BLOB, UNIQUE (user_id, identity)) STRICT
"""


@migrations()
def projects_have_identities(db: Database) -> None:
    _each(db, _PROJECTS)


_AGENTS = """
CREATE TABLE grants (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, agent TEXT NOT NULL, scope TEXT NOT NULL,
  name TEXT NOT NULL, says TEXT NOT NULL, author TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER,
  digest BLOB) STRICT;
CREATE INDEX grants_given ON grants (scope, name) WHERE retired_at IS NULL;
CREATE TABLE holders (
  place TEXT PRIMARY KEY, user_id TEXT NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
ALTER TABLE upkeep ADD COLUMN grants_behind INTEGER NOT NULL DEFAULT 1
"""
"""Grants of agents, and the agents that first used a scratchpad. While `grants_behind`, agents have not been given yet
what they did before there were grants."""


@migrations()
def agents_have_grants(db: Database) -> None:
    _each(db, _AGENTS)


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


_LASTING = """
ALTER TABLE working ADD COLUMN lasting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX working_evicted ON working (touched_at) WHERE NOT lasting;
CREATE UNIQUE INDEX working_brief ON working (key) WHERE NOT lasting;
DROP TRIGGER working_born;
DROP TRIGGER working_moved;
DROP TRIGGER working_gone;
CREATE TRIGGER working_born AFTER INSERT ON working WHEN NOT new.lasting BEGIN
  UPDATE working_size SET keys = keys + 1, bytes = bytes + new.bytes; END;
CREATE TRIGGER working_moved AFTER UPDATE OF bytes ON working WHEN new.bytes != old.bytes AND NOT new.lasting BEGIN
  UPDATE working_size SET bytes = bytes + new.bytes - old.bytes; END;
CREATE TRIGGER working_gone AFTER DELETE ON working WHEN NOT old.lasting BEGIN
  UPDATE working_size SET keys = keys - 1, bytes = bytes - old.bytes; END
"""
"""Working memory that is never evicted, such as the checkpoints of a thread, is not part of its limited size."""


@migrations()
def some_working_memory_lasts(db: Database) -> None:
    _each(db, _LASTING)


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


def _halved(vector: bytes) -> bytes:
    with np.errstate(over="ignore"):
        return np.frombuffer(vector, np.float32).astype(np.float16).tobytes()
