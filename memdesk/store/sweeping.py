"""Replacement of texts wherever the database has them: rows, words, vectors, journal, audit log and versions of files.

Used to take a secret out of a desk that stored it before it was known as one. Changes of the journal that had it keep
their place in the hash chain, as those of an erased user do, and can no longer be undone."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from memdesk.model.kind import Kind, R
from memdesk.model.kinds import KINDS
from memdesk.store import document_versions, timeline, timeline_query
from memdesk.store.connection import Connection
from memdesk.store.erasing import secure_delete
from memdesk.store.guarding import guarded_text
from memdesk.store.indexing import ORPHANED, Index
from memdesk.store.records import columns_of, read_all

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
        timeline_query.clear(db, timeline.newest(db))
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
