"""Properties of entities and relations: a JSON object stored as text, set one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memdesk.model.errors import BadAsk

PROPERTIES_CHARACTERS = 20_000
"""Most characters of one record's properties as JSON: they are read with every view of it, so longer texts
belong in a turn or a file."""


def merged(kept: str, wanted: Mapping[str, Any]) -> str:
    """Return the stored properties with the given ones set; None removes one. Raises BadAsk if they are too
    long."""
    both = {name: value for name, value in (json.loads(kept) | wanted).items() if value is not None}
    text = json.dumps(both, ensure_ascii=False)
    if len(text) > PROPERTIES_CHARACTERS:
        raise BadAsk(
            f"The properties have {len(text):,} characters as JSON; {PROPERTIES_CHARACTERS:,} at most.",
            next="Keep long texts in a turn or a file, and name that.",
        )
    return text
