"""Folder layouts of agent systems: one small file per system, and the recognition of folders."""

from __future__ import annotations

from memdesk.engine.workspace.layouts.known import LAYOUTS, layout_named
from memdesk.engine.workspace.layouts.layers import (
    MARKDOWN,
    budget_of,
    day_of,
    holds_facts,
    is_memory,
    layer_of,
)
from memdesk.engine.workspace.layouts.layout import WORLD, Days, Layout, Part
from memdesk.engine.workspace.layouts.naming import name_in, named_after, slug
from memdesk.engine.workspace.layouts.places import KNOWN_HIDDEN, Place, home_of, places_of, why_of

__all__ = [
    "KNOWN_HIDDEN", "LAYOUTS", "MARKDOWN", "WORLD", "Days", "Layout", "Part", "Place", "budget_of", "day_of",
    "holds_facts", "home_of", "is_memory", "layer_of", "layout_named", "name_in", "named_after", "places_of", "slug",
    "why_of",
]  # fmt: skip
