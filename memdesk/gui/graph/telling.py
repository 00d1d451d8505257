"""Node in words: for the tool tip, for a screen reader, for the panel's header."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.frame.terms import term
from memdesk.gui.graph.rows_painter import category
from memdesk.gui.graph.signs import NOTHING, Hidden
from memdesk.gui.graph.wish import SHOWN_AT_MOST
from memdesk.gui.language import tr
from memdesk.gui.widgets import span
from memdesk.gui.widgets.tips import TIP_CHARACTERS, shortened
from memdesk.model.graph import GraphNode


def kind_word(node: GraphNode) -> str:
    """Return the kind of memory in a word: a fact's category, an entity's type."""
    return term(node.category)


def said(node: GraphNode) -> str:
    """Return “Every migration needs a down step, constraint in _global”, with “, past” for a past fact."""
    parts = {"title": node.title, "kind": kind_word(node), "channel": node.channel}
    if node.past:
        return tr("{title}, {kind} in {channel}, past", **parts)
    return tr("{title}, {kind} in {channel}", **parts)


def spoken(node: GraphNode, hidden: Hidden = NOTHING) -> str:
    """Return “Every migration needs a down step, constraint in _global, confidence 0.95, salience 0.66”.

    hidden: the neighbours that an open row leaves out."""
    words = f"{said(node)}, {_strengths(node)}"
    return f"{words}, {hidden.said}" if hidden else words


def _strengths(node: GraphNode) -> str:
    salience = tr("salience {value}", value=f"{node.salience:.2f}")
    if category(node) == "entity":
        return salience
    confidence = tr("confidence {value}", value=f"{node.confidence:.2f}")
    return f"{confidence}, {salience}"


def no_more() -> str:
    """Return the reason why a drawing does not become any larger."""
    return tr(
        "No more than %Ln row(s) are asked for at once. Find any other memory by its words.",
        "",
        SHOWN_AT_MOST,
    )


def no_news(hidden: Hidden, wanted: int) -> str:
    """Return the reason why opening a row has added no new rows. hidden: the neighbours it leaves out.
    wanted: number of neighbours asked for."""
    if not hidden:
        return tr("All that it is connected to is shown.")
    if wanted >= SHOWN_AT_MOST:
        return no_more()
    strongest = tr("The strongest that it is connected to are shown already; press + again for more.")
    return f"{strongest} ({hidden.short})"


def tip(node: GraphNode) -> str:
    """Return the tool tip: the title, then channel, kind, confidence, salience and the day it was first seen."""
    where = " · ".join((node.channel, kind_word(node), *((tr("past"),) if node.past else ())))
    seen = tr("seen {day}", day=times.day(node.created_at))
    when = f"{_strengths(node)} · {seen}"
    return "<br>".join(
        (span(shortened(node.title, TIP_CHARACTERS), "t1", weight=500), span(where, "t2"), span(when, "t2"))
    )
