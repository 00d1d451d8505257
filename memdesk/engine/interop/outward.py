"""What every export needs: the current records, their times as other programs read them, and what was told beside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from memdesk.engine.interop.beside import BESIDE
from memdesk.engine.interop.exporting import Wanted
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.store import archiving
from memdesk.store.records import BATCH

STEP_ROWS = 1_000


def iso(at: int | None) -> str | None:
    """A moment as ISO 8601 in UTC, to the microsecond."""
    return None if at is None else to_datetime(at).isoformat()


def every(wanted: Wanted, kind: Kind) -> Iterator[Any]:
    """The current records of a kind, of what was chosen; facts that were superseded too."""
    found = archiving.every(wanted.db, kind, wanted.chosen)
    for number, record in enumerate(found):
        if number % STEP_ROWS == 0:
            wanted.progress(0, 0, kind.label)
        if record.retired_at is None:
            yield record


def told(json_text: str) -> dict[str, Any]:
    """Properties or metadata without what a source told beside."""
    return {name: value for name, value in json.loads(json_text).items() if name != BESIDE}


def every_told(wanted: Wanted, kind: Kind) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The same, each with what the source of an imported record told of it that no column holds."""
    records = every(wanted, kind)
    while batch := list(islice(records, BATCH)):
        apart = archiving.beside(wanted.db, [record.id for record in batch])
        for record in batch:
            yield record, apart.get(record.id) or _within(record)


def _within(record: Any) -> dict[str, Any]:
    text = getattr(record, "metadata", None) or getattr(record, "properties", None)
    return dict(json.loads(text).get(BESIDE, {})) if text else {}
