"""Common part of all exporters: their protocol, the selection of memory, and its records in order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from memdesk.engine.engine import Engine
from memdesk.engine.interop.batches import BESIDE
from memdesk.engine.progress import Progress
from memdesk.model.channel import LOCAL_USER
from memdesk.model.instant import to_datetime
from memdesk.model.interop import ExportFormat
from memdesk.model.kind import Kind
from memdesk.model.message import term
from memdesk.store import archiving
from memdesk.store.archiving import Selection
from memdesk.store.connection import Connection
from memdesk.store.records import BATCH

MARKDOWN_LAYERS = ("core", "workspace", "day")
"""Layers of files that are copied into a folder of markdown; MEMORY.md is generated from facts instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSelection:
    """Selection of memory to export, from one state of the desk."""

    engine: Engine
    db: Connection
    chosen: Selection
    history: bool
    at: int
    progress: Progress

    @property
    def user(self) -> str:
        """User to export, for a format with only one user."""
        return self.chosen.user_id or LOCAL_USER


class Exporter(Protocol):
    """Export format."""

    @property
    def about(self) -> ExportFormat: ...

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        """Fill the file or empty folder at `target`; return the number of records written, by table."""
        ...


STEP_ROWS = 1_000


def iso(at: int | None) -> str | None:
    """Return a time as ISO 8601 in UTC, to the microsecond; None for None."""
    return None if at is None else to_datetime(at).isoformat()


def current_records(wanted: ExportSelection, kind: Kind[Any]) -> Iterator[Any]:
    """Yield the chosen records of a kind that are not retired, including superseded facts."""
    found = archiving.all_records(wanted.db, kind, wanted.chosen)
    for number, record in enumerate(found):
        if number % STEP_ROWS == 0:
            wanted.progress(0, 0, term(kind.label))
        if record.retired_at is None:
            yield record


def own_fields(json_text: str) -> dict[str, Any]:
    """Return properties or metadata without the extra fields of the source."""
    return {name: value for name, value in json.loads(json_text).items() if name != BESIDE}


def records_with_extra_fields(
    wanted: ExportSelection, kind: Kind[Any]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the same records, each with the extra fields of its source that no column can store."""
    records = current_records(wanted, kind)
    while batch := list(islice(records, BATCH)):
        apart = archiving.extra_data(wanted.db, [record.id for record in batch])
        for record in batch:
            yield record, apart.get(record.id) or _within(record)


def _within(record: Any) -> dict[str, Any]:
    text = getattr(record, "metadata", None) or getattr(record, "properties", None)
    return dict(json.loads(text).get(BESIDE, {})) if text else {}
