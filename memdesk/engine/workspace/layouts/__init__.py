"""Folder layouts of agent systems: one small file per system, and the recognition of folders."""

from __future__ import annotations

from memdesk.engine.workspace.layouts.layout import (
    DAY,
    INSTRUCTIONS,
    LEARNINGS,
    NOTES,
    RULES,
    STATEMENTS,
    WORLD,
    Days,
    Layout,
    Part,
    name_in,
    named_after,
    slug,
)
from memdesk.engine.workspace.layouts.places import (
    KNOWN_HIDDEN,
    MARKDOWN,
    Place,
    budget_of,
    day_of,
    empty_homes,
    holds_facts,
    home_of,
    is_memory,
    layer_of,
    manner_of,
    places_of,
    unread_reason,
    why_of,
)
from memdesk.engine.workspace.layouts.systems import LAYOUTS, layout_named
