"""A node in words: for the tool tip, for a screen reader, for the panel's header."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.graph.rows_painter import category
from memdesk.gui.widgets import span
from memdesk.gui.widgets.tips import TIP_CHARACTERS, shortened
from memdesk.model.graph import GraphNode

TITLE_LETTERS = 48


def kind_word(node: GraphNode) -> str:
    """What kind of memory it is: a fact's category, an entity's type."""
    return node.category.lower()


def spoken(node: GraphNode) -> str:
    """“Every migration needs a down step, constraint in _global, confidence 0.95, salience 0.66”."""
    past = ", past" if node.past else ""
    return f"{node.title}, {kind_word(node)} in {node.channel}{past}, {_strengths(node)}"


def _strengths(node: GraphNode) -> str:
    sure = f"confidence {node.confidence:.2f}, " if category(node) != "entity" else ""
    return f"{sure}salience {node.salience:.2f}"


def tip(node: GraphNode) -> str:
    """The tool tip: the whole title, then channel, kind, confidence, salience and when it was first seen."""
    past = " · past" if node.past else ""
    where = f"{node.channel} · {kind_word(node)}{past}"
    when = f"{_strengths(node)} · seen {times.day(node.created_at)}"
    return "<br>".join(
        (span(shortened(node.title, TIP_CHARACTERS), "t1", weight=500), span(where, "t2"), span(when, "t2"))
    )


def heading(node: GraphNode) -> str:
    """Beside the panel's title: “around PostgreSQL · technology · first seen 22 Aug”, as rich text."""
    title = node.title if len(node.title) <= TITLE_LETTERS else node.title[: TITLE_LETTERS - 1].rstrip() + "…"
    rest = f" · {kind_word(node)} · first seen {times.day(node.created_at)}"
    return span("around ", "t2") + span(title, "t1", weight=500) + span(rest, "t3")


def heading_plain(node: GraphNode) -> str:
    """The same for a screen reader and the tool tip, uncut."""
    return f"around {node.title} · {kind_word(node)} · first seen {times.day(node.created_at)}"
