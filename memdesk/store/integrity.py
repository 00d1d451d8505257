"""Verification of a desk: its pages, its rows by their digests, and every index against its rows.

`parts` names the parts to check, in order; `read_on` checks one of them a batch at a time, so that neither
writers nor the WAL wait for it, and an interrupted check can continue."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.store import beliefs, binding, chain, counters, digests, document_versions, fading, indexing
from memdesk.store.connection import Connection, Row
from memdesk.store.migrations import missing_parts
from memdesk.store.search import Scope, Sought
from memdesk.store.words import segment

STRETCH = 500
Key = tuple[Any, ...]
_LAST = 2**62
_SEARCHED = tuple(kind for kind in KINDS if kind.text)
_TOLD_AT_MOST = 100
_category = unicodedata.ucd_3_2_0.category


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """Problem found by verification.

    what: page (SQLite's own words in `detail`), schema (a part of a table is missing, named in `detail`), row
    (altered), gone (in `records`, but missing in its table), stray (in its table, but missing in `records`),
    text (does not match its hash), search (the entry differs from the record), words, vector or claim (the index
    differs from the entry), count (a wrong counter), undone (a change that is marked as undone and is not, or the
    reverse). table, key: the row; id: of the memory concerned, "" for none."""

    what: str
    table: str = ""
    key: Key = ()
    id: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """Part of a verification. name: stored between two batches. read: given a key, returns flaws after it and
    the last key read."""

    name: str
    read: Callable[[Connection, Key | None, int], tuple[list[Flaw], Key | None]]
    rows: Callable[[Connection], int]


def check_pages(db: Connection, *, quick: bool = False) -> list[Flaw]:
    """Return SQLite's findings about pages, and about its indexes compared with their tables. quick: without
    the indexes."""
    try:
        found = db.rows(f"PRAGMA {'quick' if quick else 'integrity'}_check({_TOLD_AT_MOST})")
    except binding.sqlite.DatabaseError as error:
        return [Flaw(what="page", detail=str(error))]
    return [Flaw(what="page", detail=line) for (line,) in found if line != "ok"]


def check_schema(db: Connection) -> list[Flaw]:
    """Compare tables, columns and indexes with those of a new desk."""
    return [
        Flaw(what="schema", table=table, detail=missing) for table, missing in missing_parts(Database(db.raw))
    ]


def is_digested(db: Connection) -> bool:
    """Return True if the rows of a database have digests, which opening a desk with a recent MemDesk adds."""
    return "digested" in db.tables() and db.value("SELECT 1 FROM digested LIMIT 1") is not None


def check_rows(db: Connection) -> list[Flaw]:
    """Check every row against its digest or hash, and `records` against the tables of its kinds. Reads the
    complete desk."""
    return [flaw for part in parts(db) if not part.startswith("index ") for flaw in check(db, part)]


def check_indexes(db: Connection, reader: beliefs.Reader) -> list[Flaw]:
    """Check words, vectors, keys of claims and counters against the rows they are made of. Reads the complete
    desk."""
    return [
        flaw for part in parts(db, reader) if part.startswith("index ") for flaw in check(db, part, reader)
    ]


def check(db: Connection, part: str, reader: beliefs.Reader | None = None) -> Iterator[Flaw]:
    """Check a part to its end and yield its flaws."""
    last: Key | None = None
    while True:
        flaws, last = read_on(db, part, last, reader=reader)
        yield from flaws
        if last is None:
            return


def parts(db: Connection, reader: beliefs.Reader | None = None) -> list[str]:
    """Return the names of all parts, in order. reader: of claims; without it, their keys are no part."""
    return [part.name for part in _parts(db, reader)]


def size(db: Connection, part: str) -> int:
    """Count the rows of a part."""
    found = _part(db, part, None)
    return found.rows(db) if found else 0


def read_on(
    db: Connection, part: str, after: Key | None, reader: beliefs.Reader | None = None
) -> tuple[list[Flaw], Key | None]:
    """Return the flaws of the next rows of a part after a key, and the last key read; None at its end.

    A part that no longer exists has ended."""
    found = _part(db, part, reader)
    if found is None:
        return [], None
    try:
        return found.read(db, after, STRETCH)
    except binding.sqlite.DatabaseError as error:
        # A server's errors are of the connection rather than of a page.
        if not db.virtual_tables:
            raise
        return [Flaw(what="page", table=part.partition(" ")[2], detail=str(error))], None


def _parts(db: Connection, reader: beliefs.Reader | None) -> list[_Part]:
    return [*(_digested(table) for table in digests.tables(db)), *_others(reader)]


def _part(db: Connection, name: str, reader: beliefs.Reader | None) -> _Part | None:
    """Return one part by its name, without reading the schema of every table as `_parts` does."""
    tables = digests.tables(db, name.removeprefix("rows ")) if name.startswith("rows ") else []
    return next((each for each in (*map(_digested, tables), *_others(reader)) if each.name == name), None)


def _digested(table: digests.Table) -> _Part:
    return _Part(f"rows {table.name}", _rows_of(table), _counted(table.name))


def _others(reader: beliefs.Reader | None) -> list[_Part]:
    """Return the parts that are not digested rows."""
    claims = [] if reader is None else [_Part("index belief_keys", _claims(reader), lambda _: 0)]
    return [
        _Part("rows versions", _versions, _counted("versions")),
        _Part("rows prompt_texts", _hashed("prompt_texts", "body"), _counted("prompt_texts")),
        _Part("rows audit_configs", _hashed("audit_configs", "snapshot"), _counted("audit_configs")),
        _Part("rows records", _records, _counted("records")),
        _Part("index searchable", _searchable, _counted("searchable")),
        _Part("index vectors", _chunks, lambda _: 0),
        *claims,
        _Part("index counters", _counters, lambda _: 1),
        _Part("index rollup", _events, _counted("rollup")),
        _Part("index undone", _undone, _counted("changes")),
    ]


def _counted(table: str) -> Callable[[Connection], int]:
    return lambda db: int(db.value(f"SELECT count(*) FROM {table}"))


def _rows_of(table: digests.Table) -> Callable[[Connection, Key | None, int], tuple[list[Flaw], Key | None]]:
    kinds = {kind.table for kind in KINDS}

    def read(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
        rows = digests.rows(db, table, after, limit)
        flaws = [
            Flaw(what="row", table=table.name, key=key, id=_id_of(db, key[0]) if table.name in kinds else "")
            for key, holds in rows
            if not holds
        ]
        return flaws, rows[-1][0] if len(rows) == limit else None

    return read


def _id_of(db: Connection, seq: int) -> str:
    return str(db.value("SELECT id FROM records WHERE seq = ?", (seq,)) or "")


def _versions(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
    rows = db.rows(
        "SELECT hash, body FROM versions WHERE hash > ? ORDER BY hash LIMIT ?", (*(after or ("",)), limit)
    )
    flaws = [
        Flaw(what="text", table="versions", key=(name,))
        for name, body in rows
        if not document_versions.matches_hash(name, body)
    ]
    return flaws, rows[-1][:1] if len(rows) == limit else None


def _hashed(
    table: str, column: str
) -> Callable[[Connection, Key | None, int], tuple[list[Flaw], Key | None]]:
    """Return a reader that checks texts against the hash they are stored under."""

    def read(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
        rows = db.rows(
            f"SELECT id, hash, CAST({column} AS BLOB) FROM {table} WHERE id > ? ORDER BY id LIMIT ?",
            (*(after or (-1,)), limit),
        )
        flaws = []
        for id, name, text in rows:
            found = hashlib.blake2b(text, digest_size=16)
            if name not in (found.digest(), found.hexdigest()):
                flaws.append(Flaw(what="text", table=table, key=(id,)))
        return flaws, rows[-1][:1] if len(rows) == limit else None

    return read


def _stretch_of(db: Connection, table: str, after: Key | None, limit: int) -> tuple[int, int, Key | None]:
    """Return (first, last) search number of the next batch of a table, and the key to continue from."""
    first = after[0] + 1 if after else 0
    last = db.value(
        f"SELECT seq FROM {table} WHERE seq >= ? ORDER BY seq LIMIT 1 OFFSET ?", (first, limit - 1)
    )
    return (first, _LAST, None) if last is None else (first, last, (last,))


def _records(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
    """Check that `records` lists exactly the rows of the tables."""
    first, last, on = _stretch_of(db, "records", after, limit)
    named = {
        seq: (id, kind)
        for seq, id, kind in db.rows(
            "SELECT seq, id, kind FROM records WHERE seq BETWEEN ? AND ?", (first, last)
        )
    }
    held: dict[int, tuple[str, str]] = {}
    for kind in KINDS:
        rows = db.rows(f"SELECT seq, id FROM {kind.table} WHERE seq BETWEEN ? AND ?", (first, last))
        held |= {seq: (id, kind.name) for seq, id in rows}
    flaws = [
        Flaw(what="gone", table=BY_NAME[kind].table if kind in BY_NAME else "records", key=(seq,), id=id)
        for seq, (id, kind) in named.items()
        if held.get(seq) != (id, kind)
    ]
    flaws += [
        Flaw(what="stray", table=BY_NAME[kind].table, key=(seq,), id=id)
        for seq, (id, kind) in held.items()
        if seq not in named
    ]
    return flaws, on


def _searchable(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
    """Check that searchable entries match the records: their texts and scopes, words, and vectors."""
    first, last, on = _stretch_of(db, "searchable", after, limit)
    expected = dict(_expected(db, first, last))
    model = db.value("SELECT model FROM embedder") or ""
    flaws: list[Flaw] = []
    for seq, kind, user_id, channel, name, embedding, hash, of_model, vector in db.rows(
        "SELECT seq, kind, user_id, channel, text_hash, embedding, embeddings.hash, model, vector FROM searchable "
        "LEFT JOIN embeddings ON embeddings.id = embedding WHERE seq BETWEEN ? AND ?",
        (first, last),
    ):
        id, *place, body = expected.pop(seq, ("", None, None, None, ""))
        same_text = indexing.text_hash(str(body)) == name
        same_vector = embedding is None or (hash == name and of_model == model)
        if place != [kind, user_id, channel] or not same_text or not same_vector:
            flaws.append(Flaw(what="search", table="searchable", key=(seq,), id=str(id)))
        else:
            scope = Scope(user_id=user_id, channels=(channel,), kinds=(kind,), seqs=(seq, seq))
            flaws += _found_by_words(db, seq, str(id), str(body), scope)
            flaws += _found_by_vector(db, seq, str(id), vector, scope.parts[0])
    flaws += [
        Flaw(what="search", table="searchable", key=(seq,), id=str(id)) for seq, (id, *_) in expected.items()
    ]
    return flaws, on


def _expected(db: Connection, first: int, last: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield (search number, (id, kind, user, channel, text)) of all searchable memories; damaged records are
    skipped."""
    for kind in _SEARCHED:
        table = digests.table_named(db, kind.table)
        for row in _sound(db, table, "seq BETWEEN ? AND ?", (first, last)):
            fields = dict(zip(kind.columns, row, strict=True))
            body = indexing.body_of(kind, fields)
            if body is not None:
                yield fields["seq"], (fields["id"], kind.name, fields["user_id"], fields["channel"], body)
    for seq, id, user_id, channel, text in db.rows(
        "SELECT passages.seq, document_id, user_id, channel, text FROM passages "
        "JOIN documents ON documents.id = document_id WHERE passages.seq BETWEEN ? AND ?",
        (first, last),
    ):
        yield seq, (id, "passage", user_id, channel, text)


def _sound(db: Connection, table: digests.Table, where: str, params: Sequence[Any]) -> Iterator[Row]:
    columns = ", ".join(table.columns)
    for *values, digest in db.rows(f"SELECT {columns}, digest FROM {table.name} WHERE {where}", params):
        if digests.holds(db, table.name, values, digest):
            yield tuple(values)


def _found_by_words(db: Connection, seq: int, id: str, body: str, scope: Scope) -> Iterator[Flaw]:
    """Yield a flaw if a memory is not found by the words of its text."""
    # Letters that the tokeniser, of an older Unicode than Python's, does not know are no words.
    held = (word for word in segment(body).split() if any(_category(each)[0] in "LN" for each in word))
    words = list(dict.fromkeys(held))[:_TOLD_AT_MOST]
    if db.find_words is not None:
        found = all(db.find_words([Sought(terms=(word,), most=1) for word in words], scope))
    else:
        asked = " ".join(f'body : "{word.replace(chr(34), " ")}"' for word in words)
        found = db.value(
            "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?",
            (f"scope : {indexing.scope_token(scope.parts[0])} {asked}", seq),
        )
    if not found:
        yield Flaw(what="words", table="words", key=(seq,), id=id)


def _found_by_vector(db: Connection, seq: int, id: str, vector: bytes | None, scope: str) -> Iterator[Flaw]:
    """Yield a flaw if the indexed sign bits are not those of the stored vector."""
    if not db.vectors or db.value("SELECT vectors_behind FROM upkeep"):
        return
    if vector is not None and len(vector) % indexing.HALF:
        # What it was cannot be told; it is named with the rows.
        return
    kept = db.row("SELECT scope, bits FROM vectors WHERE seq = ?", (seq,))
    if kept != (None if vector is None else (scope, indexing.sign_bits(vector))):
        yield Flaw(what="vector", table="vectors", key=(seq,), id=id)


def _chunks(db: Connection, after: Key | None, _limit: int) -> tuple[list[Flaw], Key | None]:
    """Check sqlite-vec's own lists of the rows in its chunks, which its searches rely on without checking
    them."""
    chunk = None
    if db.vectors and db.virtual_tables:
        chunk = db.row(
            "SELECT chunk_id, partition00, validity, rowids FROM vectors_chunks WHERE chunk_id > ? "
            "ORDER BY chunk_id LIMIT 1",
            after or (-1,),
        )
    if chunk is None:
        return [], None
    id, scope, validity, rowids = chunk
    held: dict[int, int] = dict(
        db.rows("SELECT chunk_offset, rowid FROM vectors_rowids WHERE chunk_id = ?", (id,))
    )
    valid = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")
    numbers = np.frombuffer(rowids, np.int64)
    wrong = {
        held.get(int(offset), 0)
        for offset in {*held, *np.flatnonzero(valid).tolist()}
        if offset not in held or not valid[offset] or numbers[offset] != held[offset]
    }
    place = db.row("SELECT scope FROM vectors WHERE seq = ?", (min(held.values()),)) if held else None
    if place is not None and place[0] != scope:
        wrong.update(held.values())
    return [Flaw(what="vector", table="vectors", key=(seq,), id=_id_of(db, seq)) for seq in sorted(wrong)], (
        id,
    )


def _claims(reader: beliefs.Reader) -> Callable[[Connection, Key | None, int], tuple[list[Flaw], Key | None]]:
    """Return a check that each fact has the keys that its claim is found by, and that no other row is left."""

    def read(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
        if not beliefs.is_read_by(db, reader):
            return [], None
        # A place that an earlier version noted has no count; it begins again.
        from_facts, *place = after if after is not None and len(after) == 3 else (True, 0, 0)
        if from_facts:
            wrong, reached = beliefs.missing_after(db, reader, (place[0], place[1]), limit)
            follows: Key | None = (True, *reached)
            if reached[0] == place[0]:
                # Each row of the index is read with its claim only if there are more than the claims have.
                follows = None if beliefs.count(db) == reached[1] else (False, beliefs.LOWEST, 0)
        else:
            wrong, last = beliefs.stray_after(db, reader, (place[0], place[1]), limit)
            follows = None if last is None else (False, *last)
        flaws = [Flaw(what="claim", table="belief_keys", key=(seq,), id=_id_of(db, seq)) for seq in wrong]
        return flaws, follows

    return read


def _counters(db: Connection, _after: Key | None, _limit: int) -> tuple[list[Flaw], Key | None]:
    """Compare stored counters and ranks with those that the rows give."""
    expected = " UNION ALL ".join(fading.expected(kind) for kind in fading.KINDS)
    checks = {
        "tool_stats": (
            "SELECT user_id, channel, tool_name, task_type, usage_count, success_count, failure_count, latency_ms, "
            "latency_count FROM tool_stats",
            "SELECT user_id, channel, tool_name, task_type, count(*), count(iif(success = 1, 1, NULL)), "
            "count(iif(success = 0, 1, NULL)), sum(ifnull(latency_ms, 0)), count(latency_ms) FROM tool_calls "
            "WHERE retired_at IS NULL GROUP BY 1, 2, 3, 4",
        ),
        "working_size": (
            "SELECT keys, bytes FROM working_size",
            "SELECT count(*), ifnull(sum(bytes), 0) FROM working WHERE NOT lasting",
        ),
        "scopes": (
            "SELECT user_id, channel, kind FROM searchable",
            "SELECT user_id, channel, kind FROM scopes",
        ),
        # Another computer's logarithm may differ in its last digit.
        "fading": (
            "SELECT seq, user_id, kind, channel, round(full_at / 1e9) FROM fading",
            f"SELECT seq, user_id, kind, channel, round(full_at / 1e9) FROM ({expected})",
        ),
    }
    fading.provide_functions(db)
    flaws = []
    for table, (kept, counted) in checks.items():
        wrong = f"SELECT 1 FROM ({kept} EXCEPT {counted})"
        if table != "scopes":
            wrong += f" UNION SELECT 1 FROM ({counted} EXCEPT {kept})"
        if db.value(f"{wrong} LIMIT 1") is not None:
            flaws.append(Flaw(what="count", table=table))
    return flaws, None


def _events(db: Connection, after: Key | None, _limit: int) -> tuple[list[Flaw], Key | None]:
    """Compare the counts of one stretch of events with the events."""
    stretch = after[0] + 1 if after else 0
    first = stretch * counters.STRETCH
    kept = db.rows(
        "SELECT hour, op, layer, author, channel, user_id, n FROM rollup WHERE stretch = ?", (stretch,)
    )
    counted = db.rows(
        f"SELECT at / {counters.HOUR_US}, op, layer, author, channel, user_id, count(*) FROM events "
        "WHERE id BETWEEN ? AND ? GROUP BY 1, 2, 3, 4, 5, 6",
        (first, first + counters.STRETCH - 1),
    )
    flaws = [] if set(kept) == set(counted) else [Flaw(what="count", table="rollup", key=(stretch,))]
    last = db.value(
        "SELECT max(ifnull(max(id), 0) / ?, (SELECT ifnull(max(stretch), 0) FROM rollup)) FROM events",
        (counters.STRETCH,),
    )
    return flaws, (stretch,) if stretch < last else None


def _undone(db: Connection, after: Key | None, limit: int) -> tuple[list[Flaw], Key | None]:
    """Check which changes are marked as undone, by the changes that undo them."""
    first = after[0] if after else 0
    last = db.value("SELECT id FROM changes WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?", (first, limit - 1))
    wrong = chain.wrongly_undone(db, first, _LAST if last is None else last)
    flaws = [Flaw(what="undone", table="changes", key=(number,)) for number in wrong]
    return flaws, None if last is None else (last,)
