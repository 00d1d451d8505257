"""Fields of a source that no column can store: kept in the record's JSON column if it has one, else in its
change."""

from __future__ import annotations

import json
from typing import Any

from memdesk.engine.memory.properties import PROPERTIES_CHARACTERS

BESIDE = "beside"
"""Key of these fields, in the record's metadata or properties and in the details of the change that created
it."""


def within(text: str, told: dict[str, Any]) -> str | None:
    """Return a JSON object with these fields added, None if it would exceed the permitted length."""
    whole = json.dumps(json.loads(text) | {BESIDE: told}, ensure_ascii=False)
    return whole if len(whole) < PROPERTIES_CHARACTERS else None
