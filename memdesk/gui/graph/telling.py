"""A node in words: for the tool tip, for a screen reader, for the panel's header."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.graph.kinds import kind_said
from memdesk.gui.graph.rows_painter import category
from memdesk.gui.language import tr
from memdesk.gui.widgets import span
from memdesk.gui.widgets.tips import TIP_CHARACTERS, shortened
from memdesk.model.graph import GraphNode

TITLE_LETTERS = 48


def kind_word(node: GraphNode) -> str:
    """What kind of memory it is: a fact's category, an entity's type."""
    return kind_said(node.category)


def said(node: GraphNode) -> str:
    """“Every migration needs a down step, constraint in _global”, with “, past” where it is."""
    parts = {"title": node.title, "kind": kind_word(node), "channel": node.channel}
    if node.past:
        return tr("{title}, {kind} in {channel}, past", **parts)
    return tr("{title}, {kind} in {channel}", **parts)


def spoken(node: GraphNode, hidden: int = 0) -> str:
    """“Every migration needs a down step, constraint in _global, confidence 0.95, salience 0.66”.

    hidden: how many of an open row's neighbours are left out."""
    words = f"{said(node)}, {_strengths(node)}"
    if not hidden:
        return words
    left_out = tr("%Ln connection(s) not shown", "", hidden)
    return f"{words}, {left_out}"


def _strengths(node: GraphNode) -> str:
    salience = tr("salience {value}", value=f"{node.salience:.2f}")
    if category(node) == "entity":
        return salience
    confidence = tr("confidence {value}", value=f"{node.confidence:.2f}")
    return f"{confidence}, {salience}"


def no_news(hidden: int) -> str:
    """Why opening a row has brought nothing new. hidden: how many of its neighbours are left out."""
    if not hidden:
        return tr("All that it is connected to is shown.")
    strongest = tr("The strongest that it is connected to are shown already.")
    others = tr("%Ln more are not: press + again.", "", hidden)
    return f"{strongest} {others}"


def tip(node: GraphNode) -> str:
    """The tool tip: the whole title, then channel, kind, confidence, salience and when it was first seen."""
    where = " · ".join((node.channel, kind_word(node), *((tr("past"),) if node.past else ())))
    seen = tr("seen {day}", day=times.day(node.created_at))
    when = f"{_strengths(node)} · {seen}"
    return "<br>".join(
        (span(shortened(node.title, TIP_CHARACTERS), "t1", weight=500), span(where, "t2"), span(when, "t2"))
    )


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
