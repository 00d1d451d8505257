"""Text of the contents that frameworks keep: a text, or parts of one, calls of tools and their results."""

from __future__ import annotations

import json
from typing import Any


def words(value: Any) -> str:
    """Return what a content says, as a person reads it: itself, or the texts of its parts."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(words, value)))
    if isinstance(value, dict):
        own = next((value[name] for name in ("text", "refusal", "transcript") if value.get(name)), None)
        if isinstance(own, str):
            return own
        if "type" in value:
            return f"({value['type']})"
    return json.dumps(value, ensure_ascii=False)
