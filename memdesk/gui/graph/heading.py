"""What stands beside the panel's title: the centre, its kind and since when it is known."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.graph.telling import kind_word
from memdesk.gui.language import tr
from memdesk.gui.widgets import Text, span
from memdesk.gui.widgets.tips import plain
from memdesk.model.graph import GraphNode

TITLE_LETTERS = 48
PLAIN_BELOW_PX = 860
"""In a narrower panel the heading is one tone: only plain text ends in an ellipsis."""


def say_heading(said: Text, node: GraphNode, wide_px: int) -> None:
    """Say what the graph is around, so that it fits a panel of this width."""
    whole = heading_plain(node)
    if wide_px < PLAIN_BELOW_PX:
        said.setText(whole)
    else:
        said.set_markup(lambda: heading(node), whole)
    said.setToolTip(plain(whole))


def heading(node: GraphNode) -> str:
    """Beside the panel's title: “around PostgreSQL · technology”, as rich text."""
    title = node.title if len(node.title) <= TITLE_LETTERS else node.title[: TITLE_LETTERS - 1].rstrip() + "…"
    before, _, after = tr("around {title}").partition("{title}")
    return span(before, "t2") + span(title, "t1", weight=500) + span(f"{after} · {kind_word(node)}", "t3")


def heading_plain(node: GraphNode) -> str:
    """The same for a screen reader and the tool tip, uncut, and since when it is known."""
    around = tr("around {title}", title=node.title)
    seen = tr("first seen {day}", day=times.day(node.created_at))
    return f"{around} · {kind_word(node)} · {seen}"
