"""Everything that a desk holds, so that two moments of it can be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.model.kinds import KINDS
from memdesk.store.connection import Connection
from tests.engine.conftest import embed_all

_PASSAGE = "seq, document_id, heading, first_line, last_line, text"
_BESIDE = ("tool_stats", "categories", "records", "working", "standing_decisions")


def whole_desk(engine: Engine, *folders: Path) -> dict[str, Any]:
    """Rows, words, vectors, counters, and the bytes of the files in these folders.

    A passage is named by its text: each time its file comes back it is cut anew, under another number.
    """
    embed_all(engine)
    found: dict[str, Any] = {}
    with engine.store.reading() as db:
        for table in (*(kind.table for kind in KINDS), *_BESIDE):
            found[table] = set(db.rows(f"SELECT * FROM {table}"))
        passages = {row[0]: row[1:] for row in db.rows(f"SELECT {_PASSAGE} FROM passages")}
        found["passages"] = sorted(passages.values())
        for table in ("searchable", "vectors"):
            columns = "seq, scope, hex(bits)" if table == "vectors" else "*"
            rows = db.rows(f"SELECT {columns} FROM {table}")
            found[table] = {(passages.get(row[0], row[0]), *row[1:]) for row in rows}
        numbers = {**{row[0]: row[0] for row in db.rows("SELECT seq FROM records")}, **passages}
    found["words"] = {
        (term, numbers[seq], *place) for term, seq, *place in engine.store.submit(_words).result()
    }
    for folder in folders:
        found[str(folder)] = {
            path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
    return found


def differences(before: dict[str, Any], after: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """By table or folder, what is only in `before` and what is only in `after`."""
    return {
        name: (_less(before[name], after[name]), _less(after[name], before[name]))
        for name in before
        if before[name] != after[name]
    }


def _less(some: Any, others: Any) -> Any:
    rows = some.items() if isinstance(some, dict) else some
    rest = others.items() if isinstance(others, dict) else others
    return [row for row in rows if row not in rest]


def _words(db: Connection) -> list[tuple[Any, ...]]:
    if not db.virtual_tables:
        return [(*row, *places) for *row, places in db.rows("SELECT term, seq, scope, places FROM postings")]
    db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.seen USING fts5vocab('main', 'words', 'instance')")
    return db.rows("SELECT term, doc, col, offset FROM temp.seen")
