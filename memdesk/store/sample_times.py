"""Preparation of the sample desk's database: it is shipped with fixed times, which move when it is opened.

Columns of times are known by their names, dates in texts by their form, and the folder of the desk by a
placeholder. What is computed from those follows: names of versions, the audit log's days, digests of rows,
the hash chain and the index of words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from itertools import groupby
from pathlib import Path

from memdesk.model.fact import FACT, claim_hash
from memdesk.model.instant import DAY
from memdesk.model.kind import is_time
from memdesk.store import audit_log, chain, counters, document_versions, fading
from memdesk.store.connection import Connection, Row
from memdesk.store.indexing import scope_of, scope_token, text_at, text_hash
from memdesk.store.words import segment

PLACEHOLDER = "{desk}"
AUDIT = "shipped_audit"
"""Table with the audit rows of all days, in a shipped database only."""
_DATE = re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b")
_FOLDER = re.compile(re.escape(PLACEHOLDER) + r"((?:/[\w.-]+)*)")
_TIME_IN_JSON = re.compile(r'(?<=":)1\d{15}(?=[,}])')
"""UTC microseconds, from the year 2001 to 2033."""
_VERSION = re.compile(r"\b[0-9a-f]{32}\b")
_DATED = "*20[0-9][0-9]-[01][0-9]-[0-3][0-9]*"
_JSON = frozenset(("before", "after", "details"))
_NAMED_OTHERWISE = frozenset(("at", "timestamp", "last_accessed"))
Shift = Callable[[int], int]


def latest(path: Path) -> int:
    """Return the time of the last event of a shipped database."""
    with closing(Connection(path, writer=True)) as db:
        return int(db.value("SELECT max(at) FROM events"))


def move_times(path: Path, shift: Shift, days: int, folder: Path) -> None:
    """Move every time by `shift` and every date in a text by `days`. folder: the desk's, named in paths."""
    with closing(Connection(path, writer=True)) as db:
        for pragma in ("synchronous=OFF", "foreign_keys=OFF"):
            db.run(f"PRAGMA {pragma}")
        with db.transaction():
            _move_columns(
                db, shift, lambda text, inside_json: _moved_text(text, shift, days, folder, inside_json)
            )
            _rename_versions(db, days)
            _split_audit(db)
            _recompute(db)


def _moved_text(text: str, shift: Shift, days: int, folder: Path, inside_json: bool) -> str:
    def path(found: re.Match[str]) -> str:
        native = str(folder.joinpath(*found[1].split("/")[1:]))
        return json.dumps(native)[1:-1] if inside_json else native

    text = _FOLDER.sub(path, _moved_dates(text, days))
    return _TIME_IN_JSON.sub(lambda found: str(shift(int(found[0]))), text) if inside_json else text


def _moved_dates(text: str, days: int) -> str:
    return _DATE.sub(
        lambda found: date.fromordinal(date.fromisoformat(found[0]).toordinal() + days).isoformat(), text
    )


def _move_columns(db: Connection, shift: Shift, text: Callable[[str, bool], str]) -> None:
    db.raw.create_function("moved_time", 1, shift, deterministic=True)
    db.raw.create_function("moved_text", 2, text, deterministic=True)
    # While dates move, one file's path may be that of another's which has not moved yet.
    db.run("UPDATE documents SET path = id || ':' || path")
    for table, columns in _columns(db):
        sets, where = [], []
        for name, type in columns:
            # The table of audit rows was made by a query, and SQLite then writes the type as INT.
            if type in ("INTEGER", "INT") and (is_time(name) or name in _NAMED_OTHERWISE):
                sets.append(f"{name} = iif({name} IS NULL, NULL, moved_time({name}))")
                where.append("1")
            elif type == "TEXT":
                test = f"{name} GLOB '{_DATED}' OR instr({name}, '{PLACEHOLDER}')"
                test = f"{name} IS NOT NULL" if name in _JSON else test
                sets.append(f"{name} = iif({test}, moved_text({name}, {int(name in _JSON)}), {name})")
                where.append(test)
        if sets:
            db.run(f"UPDATE {table} SET {', '.join(sets)} WHERE {' OR '.join(where)}")
    db.run("UPDATE documents SET path = substr(path, length(id) + 2)")


def _columns(db: Connection) -> Iterator[tuple[str, list[Row]]]:
    """Yield the name of every table of rows, with the name and type of each column."""
    tables = db.rows(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB '*sqlite_*'"
    )
    for (table,) in tables:
        yield table, db.rows("SELECT name, type FROM pragma_table_info(?)", (table,))


def _rename_versions(db: Connection, days: int) -> None:
    """Move the dates in the stored texts of files, and rename them where they are named."""
    texts = {name: document_versions.text_of(db, name) for (name,) in db.rows("SELECT hash FROM versions")}
    db.run("DELETE FROM versions")
    names = {name: document_versions.keep(db, _moved_dates(text, days)) for name, text in texts.items()}
    db.raw.create_function(
        "renamed", 1, lambda text: _VERSION.sub(lambda found: names.get(found[0], found[0]), text)
    )
    db.run("UPDATE documents SET content_hash = renamed(content_hash)")
    for table, column in (("edits", "before"), ("edits", "after"), ("relations", "properties")):
        # In the journal the properties of a relation are JSON within JSON, whose quotes are escaped.
        test = f"instr({column}, 'content_hash') OR instr({column}, 'version')"
        db.run(f"UPDATE {table} SET {column} = renamed({column}) WHERE {test}")


def _split_audit(db: Connection) -> None:
    """Give each day of the audit log its own table."""
    columns = ", ".join(audit_log.COLUMNS)
    rows = db.rows(f"SELECT {columns} FROM {AUDIT} ORDER BY timestamp, id")
    for day, of_day in groupby(rows, key=lambda row: row[0] // DAY):
        audit_log.lay_out(db, day)
        first = audit_log.next_id(db, day)
        db.run_many(audit_log.insert_into(day), ((n, *row, None) for n, row in enumerate(of_day, first)))
    db.run(f"DROP TABLE {AUDIT}")


def _recompute(db: Connection) -> None:
    """Recompute what follows from times and texts. Row digests are computed at the next start."""
    # Dates are part of what a claim is about, so that its keys are read again when the desk opens.
    db.run("UPDATE upkeep SET beliefs_reader = ''")
    if "fading" in db.tables():
        fading.forget(db)
    for seq, kind, was, user_id, channel in db.rows(
        "SELECT seq, kind, text_hash, user_id, channel FROM searchable"
    ):
        text = text_at(db, seq, kind)
        if (now := text_hash(text)) != was:
            # A vector of the same text with another date stays: it differs from a new one by one word. The
            # byte more keeps it apart from a text that has had this date before and has not moved yet.
            db.run("UPDATE embeddings SET hash = ? WHERE hash = ?", (now + b"\0", was))
            db.run("UPDATE searchable SET text_hash = ? WHERE seq = ?", (now, seq))
            db.run("DELETE FROM words WHERE rowid = ?", (seq,))
            token = scope_token(scope_of(user_id, channel, kind))
            db.run("INSERT INTO words (rowid, body, scope) VALUES (?,?,?)", (seq, segment(text), token))
            if kind == FACT.name:
                db.run("UPDATE searchable SET claim_hash = ? WHERE seq = ?", (claim_hash(text), seq))
    db.run("UPDATE embeddings SET hash = substr(hash, 1, 16) WHERE length(hash) > 16")
    for id, body in db.rows("SELECT id, body FROM prompt_texts"):
        db.run("UPDATE prompt_texts SET hash = ? WHERE id = ?", (text_hash(body), id))
    chain.derive(db)
    counters.recount_events(db)
    db.run("DELETE FROM digested")
