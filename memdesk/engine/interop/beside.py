"""What a source told of a record and no column holds: kept within the record where that has JSON, else its change."""

from __future__ import annotations

import json
from typing import Any

from memdesk.engine.memory.properties import PROPERTIES_CHARACTERS

BESIDE = "beside"
"""Its name, in the record's metadata or properties as in the details of the change that bore it."""


def within(text: str, told: dict[str, Any]) -> str | None:
    """A JSON object with this in it too, None where it would grow longer than one may be."""
    whole = json.dumps(json.loads(text) | {BESIDE: told}, ensure_ascii=False)
    return whole if len(whole) < PROPERTIES_CHARACTERS else None
