"""Erasing: everything of one user, and texts that no record may keep, such as secrets.

Of a user it takes rows, words, vectors, recalls, audit rows, and all text in the journal. Only numbers stay: stubs of
changes and recalls that keep the sequence and the hash chain, and hourly counts. Unlike any other write it is no Change
of records, because a journal of the erased data would not be an erasure.

A text is replaced wherever the database has it: in rows, words, vectors, journal, audit log and versions of files.
Changes of the journal that had it keep their place in the hash chain, and can no longer be undone."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from memdesk.model.channel import GLOBAL
from memdesk.model.document import DOCUMENT
from memdesk.model.kind import Kind, R
from memdesk.model.kinds import KINDS
from memdesk.store import audit_log, contexts, document_versions, events, timeline_query
from memdesk.store.connection import Connection, marks
from memdesk.store.document_versions import COMMITS
from memdesk.store.guarding import guarded_text
from memdesk.store.indexing import ORPHANED, Index
from memdesk.store.records import columns_of, read_all

_DOOMED = "(SELECT id FROM doomed WHERE id IS NOT NULL)"
_SEQS = "(SELECT seq FROM doomed WHERE seq IS NOT NULL)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """Result of an erasure: counts by table, and one digest of the hashes of the changes that became stubs."""

    counts: dict[str, int]
    digest: str

    @property
    def anything(self) -> bool:
        return any(self.counts.values())


def erase(db: Connection, index: Index, user_id: str, *, by: int) -> Erased:
    """Erase a user in the current transaction. by: the number of the change that will record it.

    Records of other users that require a record of this one, such as a relation or a tag, are erased with it;
    those that only name one as an optional source lose that reference."""
    with secure_delete(db), _collected_for_erasure(db, user_id):
        names = _own_channels(db, user_id)
        counts = _records_of(db, user_id)
        versions = _versions_of(db)
        _clear_references(db)
        _take_out_of_the_index(db, index, user_id)
        _delete_records(db)
        counts["recalls"] = _blank_recalls(db, user_id, names)
        counts["changes"], digest = _blank_changes(db, user_id, names, by)
        counts["versions"] = _delete_unused(db, versions)
        counts["working"] = db.run("DELETE FROM working WHERE user_id = ?", (user_id,))
        db.run("DELETE FROM holders WHERE user_id = ?", (user_id,))
        counts["prompts"] = contexts.forget(db, user_id=user_id)
        counts["audit_rows"] = audit_log.forget(db, user_id)
        # A failed run's sentence may name the memory it failed at.
        db.run("UPDATE job_runs SET says = 'Failed.' WHERE state = 'failed'")
        _anonymise_counts(db, user_id, names)
        timeline_query.clear(db, events.newest(db))
        db.run("UPDATE upkeep SET file_behind = 1")
    return Erased(counts=counts, digest=digest)


def compact(db: Connection) -> bool:
    """Rewrite the database without the deleted data. Run it alone, outside any transaction.

    Returns False if a reader still used the old state; the store retries at its next start."""
    with secure_delete(db):
        if not db.rewrite():
            return False
    db.run("UPDATE upkeep SET file_behind = 0")
    return True


@contextmanager
def secure_delete(db: Connection) -> Iterator[None]:
    """Overwrite data that is deleted within the block with zeros."""
    db.overwrite_deleted(True)
    try:
        yield
    finally:
        db.overwrite_deleted(False)


@contextmanager
def _collected_for_erasure(db: Connection, user_id: str) -> Iterator[None]:
    """Collect the search numbers and ids of all records to erase in a temporary table, including ids of
    earlier records."""
    # An error takes the table back with the transaction.
    db.run("CREATE TEMP TABLE doomed (id TEXT UNIQUE, seq INTEGER)")
    for kind in KINDS:
        db.run(f"INSERT INTO doomed SELECT id, seq FROM {kind.table} WHERE user_id = ?", (user_id,))
    while any(_add_dependents(db, kind, column) for kind, column in _references(db, optional=False)):
        pass
    db.run(f"INSERT INTO doomed SELECT NULL, seq FROM passages WHERE document_id IN {_DOOMED}")
    db.run(
        "INSERT INTO doomed SELECT DISTINCT record, CAST(NULL AS INTEGER) FROM edits "
        "WHERE ifnull(after, before) ->> 'user_id' = ? ON CONFLICT DO NOTHING",
        (user_id,),
    )
    yield
    db.run("DROP TABLE doomed")


def _add_dependents(db: Connection, kind: Kind[Any], column: str) -> int:
    return db.run(
        f"INSERT INTO doomed SELECT id, seq FROM {kind.table} WHERE {column} IN {_DOOMED} ON CONFLICT DO NOTHING"
    )


def _references(db: Connection, *, optional: bool) -> list[tuple[Kind[Any], str]]:
    """Return (kind, column) of the optional or the required references between records."""
    found = []
    for kind in KINDS:
        columns = db.columns(kind.table)
        found += [(kind, column) for column, _ in kind.references if columns[column][1] is not optional]
    return found


def _clear_references(db: Connection) -> None:
    for kind, column in _references(db, optional=True):
        db.run(f"UPDATE {kind.table} SET {column} = NULL WHERE {column} IN {_DOOMED} AND seq NOT IN {_SEQS}")


def _own_channels(db: Connection, user_id: str) -> list[str]:
    """Return the names of channels that only this user ever had: the names are the user's text too."""
    places = " UNION ".join(
        f"SELECT {column} FROM {table} WHERE user_id {{0}} ?"
        for table, column in (("channels", "name"), ("changes", "channel"), ("recalls", "channel"))
    )
    sql = f"SELECT * FROM ({places.format('=')}) EXCEPT SELECT * FROM ({places.format('!=')}) EXCEPT SELECT ?"
    return [row[0] for row in db.rows(sql, (*(user_id,) * 6, GLOBAL))]


def _records_of(db: Connection, user_id: str) -> dict[str, int]:
    return {
        kind.table: int(db.value(f"SELECT count(*) FROM {kind.table} WHERE user_id = ?", (user_id,)))
        for kind in KINDS
    }


_COMMITTED = (
    "SELECT commits.value ->> 0 FROM edits JOIN changes ON changes.id = edits.change "
    f"CROSS JOIN json_each(changes.details, '$.{COMMITS}') AS commits WHERE edits.kind = ?"
)
"""Query of the versions that files had in a Git repository before they were imported."""


def _versions_of(db: Connection) -> list[str]:
    """Return all versions, present and past, of the files to erase."""
    rows = db.rows(
        f"SELECT content_hash FROM documents WHERE id IN {_DOOMED} UNION SELECT before ->> 'content_hash' FROM edits "
        f"WHERE kind = ? AND record IN {_DOOMED} UNION SELECT after ->> 'content_hash' FROM edits "
        f"WHERE kind = ? AND record IN {_DOOMED} UNION {_COMMITTED} AND record IN {_DOOMED}",
        (DOCUMENT.name, DOCUMENT.name, DOCUMENT.name),
    )
    return [row[0] for row in rows if row[0] is not None]


def _take_out_of_the_index(db: Connection, index: Index, user_id: str) -> None:
    for (seq,) in db.rows(f"SELECT seq FROM searchable WHERE seq IN {_SEQS}"):
        index.take_out(seq)
    db.run(f"DELETE FROM belief_keys WHERE seq IN {_SEQS}")
    for table in ("searchable", "past_claims", "passages", "usage", "recalled", "fading"):
        db.run(f"DELETE FROM {table} WHERE seq IN {_SEQS}")
    for table in {"categories", "tool_stats", "scopes", "places"}.intersection(db.tables()):
        db.run(f"DELETE FROM {table} WHERE user_id = ?", (user_id,))
    # Vectors of texts that nothing current has can be made again; whose they were nobody knows any more.
    db.run(f"DELETE FROM embeddings WHERE {ORPHANED}")


def _delete_records(db: Connection) -> None:
    for kind in _from_the_leaves():
        db.run(f"DELETE FROM {kind.table} WHERE seq IN {_SEQS}")
        db.run(f"DELETE FROM records WHERE kind = ? AND seq IN {_SEQS}", (kind.name,))


def _from_the_leaves() -> list[Kind[Any]]:
    """Return all kinds, each before those it refers to; kinds that may refer to any record come first."""
    backwards = list(reversed(KINDS))
    backwards.sort(key=lambda kind: all(other != "record" for _, other in kind.references))
    return backwards


def _blank_recalls(db: Connection, user_id: str, names: list[str]) -> int:
    db.run("DELETE FROM recalled WHERE recall IN (SELECT id FROM recalls WHERE user_id = ?)", (user_id,))
    return db.run(
        "UPDATE recalls SET title = '', query = '', conversation_id = NULL, user_id = '', "
        f"channel = iif(channel IN ({marks(names)}), '', channel) WHERE user_id = ?",
        (*names, user_id),
    )


def _blank_changes(db: Connection, user_id: str, names: list[str], by: int) -> tuple[int, str]:
    """Turn the user's changes into stubs; return how many, and the digest of their hashes."""
    rows = db.rows(
        f"SELECT id, hash FROM changes WHERE erased_by IS NULL AND (user_id = ? OR id IN "
        f"(SELECT change FROM edits WHERE record IN {_DOOMED})) ORDER BY id",
        (user_id,),
    )
    db.run(f"DELETE FROM edits WHERE record IN {_DOOMED}")
    db.run_many(
        "UPDATE changes SET title = '', key = NULL, details = '{}', erased_by = ?, "
        f"user_id = iif(user_id = ?, '', user_id), channel = iif(channel IN ({marks(names)}), '', channel) "
        "WHERE id = ?",
        [(by, user_id, *names, number) for number, _ in rows],
    )
    digest = hashlib.blake2b(b"".join(hash for _, hash in rows), digest_size=16).hexdigest()
    return len(rows), digest


def _delete_unused(db: Connection, versions: list[str]) -> int:
    """Delete those of these versions that no remaining file has or had; return how many."""
    used = {
        row[0]
        for row in db.rows(
            "SELECT content_hash FROM documents UNION SELECT before ->> 'content_hash' FROM edits WHERE kind = ? "
            f"UNION SELECT after ->> 'content_hash' FROM edits WHERE kind = ? UNION {_COMMITTED}",
            (DOCUMENT.name, DOCUMENT.name, DOCUMENT.name),
        )
    }
    unused = [(version,) for version in versions if version not in used]
    db.run_many("DELETE FROM versions WHERE hash = ?", unused)
    return len(unused)


def _anonymise_counts(db: Connection, user_id: str, names: list[str]) -> None:
    """Move the counts of the user's events to no user, and to no channel if the channel's name was the
    user's."""
    inside = marks(names)
    ours = f"FROM rollup WHERE user_id = ? OR channel IN ({inside})"
    folded = db.rows(
        f"SELECT stretch, hour, op, layer, author, iif(channel IN ({inside}), '', channel), "
        f"iif(user_id = ?, '', user_id), n {ours}",
        (*names, user_id, user_id, *names),
    )
    db.run(f"DELETE {ours}", (user_id, *names))
    db.run_many(
        "INSERT INTO rollup VALUES (?,?,?,?,?,?,?,?) "
        "ON CONFLICT (stretch, hour, op, layer, author, channel, user_id) DO UPDATE SET n = rollup.n + excluded.n",
        folded,
    )


Swap = Callable[[str], str]
"""Function that returns a text without what must not be in it."""
_APART = ("versions", "words", "vectors", "titles", "postings")
_SHADOWS = ("words_", "vectors_", "titles_", "sqlite_")
"""Tables that are, or belong to, an index of others: in a file of FTS5 and sqlite-vec."""


def texts(db: Connection) -> Iterator[tuple[str, str, str]]:
    """Yield (table, id of the record or "", text) of everything that the database has as text."""
    kinds = {kind.table for kind in KINDS}
    for table, columns in _text_columns(db):
        id = "id" if table in kinds else "''"
        for column in columns:
            yield from (
                (table, record, text)
                for record, text in db.each(f"SELECT {id}, {column} FROM {table} WHERE length({column}) > 5")
            )
    for hash, body in db.each("SELECT hash, body FROM versions"):
        yield "versions", hash, _text(body)


def count(db: Connection, needles: Sequence[str], swap: Swap) -> dict[str, int]:
    """Return how many texts of each table the swap would change; needles: what such a text has."""
    found: Counter[str] = Counter()
    for table, columns in _text_columns(db):
        for column in columns:
            found[table] += len(_swapped_values(db, table, column, needles, swap))
    for (body,) in db.each("SELECT body FROM versions"):
        found["versions"] += swap(text := _text(body)) != text
    return {table: n for table, n in found.items() if n}


def swap_everywhere(
    db: Connection, index: Index, needles: Sequence[str], swap: Swap, *, by: int
) -> dict[str, int]:
    """Change texts everywhere, in the current transaction; return the texts changed by table.

    needles: what a text has that is to be changed. by: the number of the change that will record it."""
    counts: Counter[str] = Counter()
    with secure_delete(db):
        counts.update(_swap_all(db, index, needles, swap, by=by))
        moved = _moved_versions(db, swap)
        if moved:
            counts["versions"] = len(moved)
            names = re.compile("|".join(moved))
            _swap_all(db, index, tuple(moved), lambda text: names.sub(lambda old: moved[old[0]], text), by=by)
            db.run_many("DELETE FROM versions WHERE hash = ?", [(name,) for name in moved])
        db.run(f"DELETE FROM embeddings WHERE {ORPHANED}")
        timeline_query.clear(db, events.newest(db))
        db.run("UPDATE upkeep SET file_behind = 1")
    return {table: n for table, n in counts.items() if n}


def _swap_all(db: Connection, index: Index, needles: Sequence[str], swap: Swap, *, by: int) -> Counter[str]:
    """Change the texts of all tables; changes of the journal that had one become links of the chain alone."""
    counts: Counter[str] = Counter()
    own = {kind.table for kind in KINDS}
    for kind in KINDS:
        counts[kind.table] += _swap_records(db, index, kind, needles, swap)
    for table, columns in _text_columns(db):
        for column in columns if table not in own else ():
            for was, now in _swapped_values(db, table, column, needles, swap):
                if table in ("changes", "edits"):
                    number = "id" if table == "changes" else "change"
                    db.run(
                        f"UPDATE changes SET erased_by = ? WHERE id IN "
                        f"(SELECT {number} FROM {table} WHERE {column} = ?)",
                        (by, was),
                    )
                counts[table] += db.run(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (now, was))
    return counts


def _swapped_values(
    db: Connection, table: str, column: str, needles: Sequence[str], swap: Swap
) -> list[tuple[str, str]]:
    """Return (text, changed text) of the different texts of a column that the swap changes."""
    found = {}
    for needle in needles:
        for form in _forms(needle):
            rows = db.rows(f"SELECT DISTINCT {column} FROM {table} WHERE instr({column}, ?) > 0", (form,))
            found.update({text: swapped for (text,) in rows if (swapped := _swapped(text, swap)) != text})
    return list(found.items())


def _swapped(text: str, swap: Swap) -> str:
    return guarded_text(lambda each, _record, _author: swap(each), text)


def records_with(db: Connection, kind: Kind[R], columns: Sequence[str], text: str) -> list[R]:
    """Return the records of a kind with a text in one of these columns."""
    if not columns:
        return []
    where = " OR ".join(f"instr({column}, ?1) > 0" for column in columns)
    rows = db.rows(f"SELECT {columns_of(kind)} FROM {kind.table} WHERE {where}", (text,))
    return read_all(db, kind, rows)


def _forms(text: str) -> tuple[str, ...]:
    """Return a text as it is, and as JSON has it."""
    forms = (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1])
    return tuple(dict.fromkeys(forms))


def _text_columns(db: Connection) -> list[tuple[str, list[str]]]:
    """Return (table, its columns of text) of every table of the desk that is no index of another."""
    found = []
    for table in sorted(db.tables()):
        columns = [
            name
            for name, (type, *_) in db.columns(table).items()
            if type == "TEXT" and name not in ("id", "hash", "digest")
        ]
        if columns and table not in _APART and not table.startswith(_SHADOWS):
            found.append((table, columns))
    return found


def _moved_versions(db: Connection, swap: Swap) -> dict[str, str]:
    """Store the versions of files that the swap changes as they are then; return their new names by the old."""
    moved = {}
    for hash, body in db.rows("SELECT hash, body FROM versions"):
        was = _text(body)
        if (swapped := swap(was)) != was:
            moved[hash] = document_versions.keep(db, swapped)
    return moved


def _swap_records(db: Connection, index: Index, kind: Kind[Any], needles: Sequence[str], swap: Swap) -> int:
    """Change the texts of the records of a kind, and follow them in the index."""
    columns = ", ".join(kind.columns)
    forms = [form for needle in needles for form in _forms(needle)]
    where = " OR ".join(f"instr(CAST({column} AS TEXT), ?1) > 0" for column in kind.columns)
    seqs = {
        row[0] for form in forms for row in db.rows(f"SELECT seq FROM {kind.table} WHERE {where}", (form,))
    }
    swapped = 0
    for seq in sorted(seqs):
        row = db.row(f"SELECT {columns} FROM {kind.table} WHERE seq = ?", (seq,))
        was = dict(zip(kind.columns, row or (), strict=True))
        moved = {
            name: told
            for name, value in was.items()
            if isinstance(value, str) and name != "id" and (told := _swapped(value, swap)) != value
        }
        if moved:
            swapped += 1
            db.run(
                f"UPDATE {kind.table} SET {', '.join(f'{name} = ?' for name in moved)} WHERE seq = ?",
                (*moved.values(), seq),
            )
            index.follow(kind, was, was | moved)
    return swapped


def _text(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
