"""Common parts of the exports: the current records, times in ISO form, and the extra fields of imported
records."""

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
    """Return a time as ISO 8601 in UTC, to the microsecond; None for None."""
    return None if at is None else to_datetime(at).isoformat()


def every(wanted: Wanted, kind: Kind) -> Iterator[Any]:
    """Yield the chosen records of a kind that are not retired, including superseded facts."""
    found = archiving.every(wanted.db, kind, wanted.chosen)
    for number, record in enumerate(found):
        if number % STEP_ROWS == 0:
            wanted.progress(0, 0, kind.label)
        if record.retired_at is None:
            yield record


def told(json_text: str) -> dict[str, Any]:
    """Return properties or metadata without the extra fields of the source."""
    return {name: value for name, value in json.loads(json_text).items() if name != BESIDE}


def every_told(wanted: Wanted, kind: Kind) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the same records, each with the extra fields of its source that no column can store."""
    records = every(wanted, kind)
    while batch := list(islice(records, BATCH)):
        apart = archiving.beside(wanted.db, [record.id for record in batch])
        for record in batch:
            yield record, apart.get(record.id) or _within(record)


def _within(record: Any) -> dict[str, Any]:
    text = getattr(record, "metadata", None) or getattr(record, "properties", None)
    return dict(json.loads(text).get(BESIDE, {})) if text else {}
