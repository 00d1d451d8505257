"""Replacement of texts wherever the database has them: rows, words, vectors, journal, audit log and versions of files.

Used to take a secret out of a desk that stored it before it was known as one. Changes of the journal that had it keep
their place in the hash chain, as those of an erased user do, and can no longer be undone."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from memdesk.model.kind import Kind, R
from memdesk.model.kinds import KINDS
from memdesk.store import document_versions, timeline, timeline_query
from memdesk.store.connection import Connection
from memdesk.store.erasing import secure_delete
from memdesk.store.indexing import Index
from memdesk.store.records import columns_of, read_all

Swap = tuple[str, str]
"""Text, and the one that takes its place."""
_APART = ("versions", "words", "vectors", "titles")
_SHADOWS = ("words_", "vectors_", "titles_", "sqlite_")


def texts(db: Connection) -> Iterator[tuple[str, str, str]]:
    """Yield (table, id of the record or "", text) of everything that the database has as text."""
    for table, columns in _text_columns(db):
        id = "id" if "id" in columns else "''"
        for column in columns:
            if column != "id":
                for where, text in db.each(f"SELECT {id}, {column} FROM {table} WHERE length({column}) > 5"):
                    yield table, str(where), text
    for hash, body in db.each("SELECT hash, body FROM versions"):
        yield "versions", hash, _text(body)


def count(db: Connection, needles: Sequence[str]) -> dict[str, int]:
    """Return how many rows of each table have one of these texts."""
    found: Counter[str] = Counter()
    for table, columns in _text_columns(db):
        for needle in {form for each in needles for form in _forms(each)}:
            where = " OR ".join(f"instr({column}, ?1) > 0" for column in columns)
            found[table] += int(db.value(f"SELECT count(*) FROM {table} WHERE {where}", (needle,)))
    for (body,) in db.each("SELECT body FROM versions"):
        found["versions"] += any(needle in _text(body) for needle in needles)
    return {table: n for table, n in found.items() if n}


def swap_everywhere(db: Connection, index: Index, swaps: Sequence[Swap], *, by: int) -> dict[str, int]:
    """Replace texts everywhere, in the current transaction; return the rows changed by table.

    by: the number of the change that will record it."""
    counts: Counter[str] = Counter()
    with secure_delete(db):
        forms = [(form, told) for text, told in swaps for form in _forms(text)]
        forms += [(old, new) for old, new in _moved_versions(db, swaps) if old != new]
        touched = _changes_with(db, [form for form, _ in forms])
        for kind in KINDS:
            counts[kind.table] += _swap_records(db, index, kind, forms)
        own = {kind.table for kind in KINDS}
        for table, columns in _text_columns(db):
            if table not in own:
                counts[table] += _swap_rows(db, table, columns, forms)
        db.run_many("UPDATE changes SET erased_by = ? WHERE id = ?", [(by, number) for number in touched])
        old = [(form,) for form, _ in forms if len(form) == 32]
        db.run_many("DELETE FROM versions WHERE hash = ?", old)
        db.run(
            "DELETE FROM embeddings WHERE id NOT IN (SELECT embedding FROM searchable WHERE embedding IS NOT NULL)"
        )
        timeline_query.clear(db, timeline.newest(db))
        db.run("UPDATE upkeep SET file_behind = 1")
    return {table: n for table, n in counts.items() if n}


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
    names = db.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
    )

    found = []
    for (name,) in names:
        if name in _APART or name.startswith(_SHADOWS):
            continue
        columns = [
            row[0] for row in db.rows("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'", (name,))
        ]
        if columns:
            found.append((name, columns))
    return found


def _moved_versions(db: Connection, swaps: Sequence[Swap]) -> list[Swap]:
    """Store the versions of files that have one of the texts without it; return (old, new) names."""
    moved = []
    for hash, body in db.rows("SELECT hash, body FROM versions"):
        was = told = _text(body)
        for text, placed in swaps:
            told = told.replace(text, placed)
        if told != was:
            moved.append((hash, document_versions.keep(db, told)))
    return moved


def _changes_with(db: Connection, needles: Sequence[str]) -> set[int]:
    found: set[int] = set()
    for needle in needles:
        rows = db.rows(
            "SELECT id FROM changes WHERE instr(title, ?1) OR instr(details, ?1) OR instr(ifnull(key, ''), ?1) "
            "UNION SELECT change FROM edits WHERE instr(ifnull(before, ''), ?1) OR instr(ifnull(after, ''), ?1)",
            (needle,),
        )
        found.update(row[0] for row in rows)
    return found


def _swap_records(db: Connection, index: Index, kind: Kind[Any], forms: Sequence[Swap]) -> int:
    """Replace the texts in the records of a kind, and follow them in the index."""
    columns = ", ".join(kind.columns)
    where = " OR ".join(f"instr({column}, ?)" for column in kind.columns)
    seqs: set[int] = set()
    for form, _ in forms:
        rows = db.rows(f"SELECT seq FROM {kind.table} WHERE {where}", [form] * len(kind.columns))
        seqs.update(row[0] for row in rows)
    for seq in sorted(seqs):
        row = db.row(f"SELECT {columns} FROM {kind.table} WHERE seq = ?", (seq,))
        was = dict(zip(kind.columns, row or (), strict=True))
        now = {
            name: _swapped(value, forms) if isinstance(value, str) else value for name, value in was.items()
        }
        moved = {name: value for name, value in now.items() if value != was[name]}
        db.run(
            f"UPDATE {kind.table} SET {', '.join(f'{name} = ?' for name in moved)} WHERE seq = ?",
            (*moved.values(), seq),
        )
        index.follow(kind, was, now)
    return len(seqs)


def _swap_rows(db: Connection, table: str, columns: Sequence[str], forms: Sequence[Swap]) -> int:
    return sum(
        db.run(f"UPDATE {table} SET {column} = replace({column}, ?1, ?2) WHERE instr({column}, ?1) > 0", form)
        for column in columns
        for form in forms
    )


def _swapped(text: str, forms: Sequence[Swap]) -> str:
    for form, told in forms:
        text = text.replace(form, told)
    return text


def _text(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
