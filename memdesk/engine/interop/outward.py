"""What every export needs of a record: its times as other programs read them, and what its source told beside."""

from __future__ import annotations

import json
from typing import Any

from memdesk.engine.interop.beside import BESIDE
from memdesk.model.instant import to_datetime
from memdesk.store import archiving
from memdesk.store.connection import Connection


def iso(at: int | None) -> str | None:
    """A moment as ISO 8601 in UTC, to the microsecond."""
    return None if at is None else to_datetime(at).isoformat()


def told(json_text: str) -> dict[str, Any]:
    """Properties or metadata without what a source told beside."""
    return {name: value for name, value in json.loads(json_text).items() if name != BESIDE}


def kept_beside(db: Connection, record: Any) -> dict[str, Any]:
    """What the source of an imported record told of it that no column holds."""
    text = getattr(record, "metadata", None) or getattr(record, "properties", None)
    within = json.loads(text).get(BESIDE, {}) if text else {}
    return dict(within) if within else archiving.beside(db, [record.id]).get(record.id, {})
