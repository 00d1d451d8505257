"""Subtitle next to the panel's title: the centre, its kind and the day it was first seen."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.graph.telling import kind_word
from memdesk.gui.language import tr
from memdesk.gui.widgets import Text, span
from memdesk.gui.widgets.tips import plain
from memdesk.model.graph import GraphNode

TITLE_LETTERS = 48
PLAIN_BELOW_PX = 860
"""Width of the panel in px below which the heading has one tone: only plain text ends in an ellipsis."""


def say_heading(said: Text, node: GraphNode, wide_px: int) -> None:
    """Show the centre of the graph in the heading, to fit a panel of this width."""
    whole = heading_plain(node)
    if wide_px < PLAIN_BELOW_PX:
        said.setText(whole)
    else:
        said.set_markup(lambda: heading(node), whole)
    said.setToolTip(plain(whole))


def heading(node: GraphNode) -> str:
    """Return the heading as rich text: “around PostgreSQL · technology”."""
    title = node.title if len(node.title) <= TITLE_LETTERS else node.title[: TITLE_LETTERS - 1].rstrip() + "…"
    before, _, after = tr("around {title}").partition("{title}")
    return span(before, "t2") + span(title, "t1", weight=500) + span(f"{after} · {kind_word(node)}", "t3")


def heading_plain(node: GraphNode) -> str:
    """Return the heading for a screen reader and the tool tip, uncut, and with the day it was first seen."""
    around = tr("around {title}", title=node.title)
    seen = tr("first seen {day}", day=times.day(node.created_at))
    return f"{around} · {kind_word(node)} · {seen}"
