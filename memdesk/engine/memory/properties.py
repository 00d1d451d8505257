"""Properties of entities and relations: a JSON object kept as text, set one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memdesk.model.errors import BadAsk

PROPERTIES_CHARACTERS = 20_000
"""Of one record, as JSON: they are read with every look at it, so what is longer belongs into a turn or a file."""


def merged(kept: str, wanted: Mapping[str, Any]) -> str:
    """The kept properties with the wanted ones set; None takes one away. Raises BadAsk when they grow too long."""
    both = {name: value for name, value in (json.loads(kept) | wanted).items() if value is not None}
    text = json.dumps(both, ensure_ascii=False)
    if len(text) > PROPERTIES_CHARACTERS:
        raise BadAsk(
            f"The properties have {len(text):,} characters as JSON; {PROPERTIES_CHARACTERS:,} at most.",
            next="Keep long texts in a turn or a file, and name that.",
        )
    return text
