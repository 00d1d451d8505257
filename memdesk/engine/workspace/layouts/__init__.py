"""Folder layouts of agent systems: one small file per system, and the recognition of folders."""

from __future__ import annotations

from memdesk.engine.workspace.layouts.layout import WORLD, Days, Layout, Part, name_in, named_after, slug
from memdesk.engine.workspace.layouts.places import (
    KNOWN_HIDDEN,
    MARKDOWN,
    Place,
    budget_of,
    day_of,
    holds_facts,
    home_of,
    is_memory,
    layer_of,
    places_of,
    why_of,
)
from memdesk.engine.workspace.layouts.systems import LAYOUTS, layout_named

__all__ = [
    "KNOWN_HIDDEN",
    "LAYOUTS",
    "MARKDOWN",
    "WORLD",
    "Days",
    "Layout",
    "Part",
    "Place",
    "budget_of",
    "day_of",
    "holds_facts",
    "home_of",
    "is_memory",
    "layer_of",
    "layout_named",
    "name_in",
    "named_after",
    "places_of",
    "slug",
    "why_of",
]
