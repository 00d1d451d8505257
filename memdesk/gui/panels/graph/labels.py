"""Words about nodes: for tool tips, screen readers and the panel's heading."""

from __future__ import annotations

from memdesk.gui import formatting
from memdesk.gui.language import tr
from memdesk.gui.panels.graph.graph_data import NOTHING, SHOWN_AT_MOST, Hidden
from memdesk.gui.panels.graph.graph_rows import category
from memdesk.gui.terms import term
from memdesk.gui.widgets import Text, span
from memdesk.gui.widgets.text import TIP_CHARACTERS, shorten, tip_text
from memdesk.model.graph import GraphNode


def kind_word(node: GraphNode) -> str:
    """Return the kind of memory in a word: a fact's category, an entity's type."""
    return term(node.category)


def short_description(node: GraphNode) -> str:
    """Return “Every migration needs a down step, constraint in _global”, with “, past” for a past fact."""
    parts = {"title": node.title, "kind": kind_word(node), "channel": node.channel}
    if node.past:
        return tr("{title}, {kind} in {channel}, past", **parts)
    if node.question:
        return tr("{title}, {kind} in {channel}, contradicted", **parts)
    return tr("{title}, {kind} in {channel}", **parts)


def full_description(node: GraphNode, hidden: Hidden = NOTHING) -> str:
    """Return “Every migration needs a down step, constraint in _global, confidence 0.95, salience 0.66”.

    hidden: the neighbours that an open row leaves out."""
    words = f"{short_description(node)}, {_strengths(node)}"
    return f"{words}, {hidden.said}" if hidden else words


def _strengths(node: GraphNode) -> str:
    salience = tr("salience {value}", value=f"{node.salience:.2f}")
    if category(node) == "entity":
        return salience
    confidence = tr("confidence {value}", value=f"{node.confidence:.2f}")
    return f"{confidence}, {salience}"


def limit_reason() -> str:
    """Return the reason why a drawing does not become any larger."""
    return tr(
        "No more than %Ln row(s) are asked for at once. Find any other memory by its words.",
        "",
        SHOWN_AT_MOST,
    )


def nothing_new_reason(hidden: Hidden, wanted: int) -> str:
    """Return the reason why opening a row has added no new rows. hidden: the neighbours it leaves out.
    wanted: number of neighbours asked for."""
    if not hidden:
        return tr("All that it is connected to is shown.")
    if wanted >= SHOWN_AT_MOST:
        return limit_reason()
    strongest = tr("The strongest that it is connected to are shown already; press + again for more.")
    return f"{strongest} ({hidden.short})"


def tip(node: GraphNode) -> str:
    """Return the tool tip: the title, then channel, kind, confidence, salience and the day it was first seen."""
    states = [tr("past")] * node.past + [tr("contradicted")] * bool(node.question)
    where = " · ".join((node.channel, kind_word(node), *states))
    seen = tr("seen {day}", day=formatting.day(node.created_at))
    when = f"{_strengths(node)} · {seen}"
    return "<br>".join(
        (span(shorten(node.title, TIP_CHARACTERS), "t1", weight=500), span(where, "t2"), span(when, "t2"))
    )


TITLE_LETTERS = 48
PLAIN_BELOW_PX = 860
"""Width of the panel in px below which the heading has one tone: only plain text ends in an ellipsis."""


def show_heading(said: Text, node: GraphNode, wide_px: int) -> None:
    """Show the centre of the graph in the heading, to fit a panel of this width."""
    whole = heading_plain(node)
    if wide_px < PLAIN_BELOW_PX:
        said.setText(whole)
    else:
        said.set_markup(lambda: heading(node), whole)
    said.setToolTip(tip_text(whole))


def heading(node: GraphNode) -> str:
    """Return the heading as rich text: “around PostgreSQL · technology”."""
    title = node.title if len(node.title) <= TITLE_LETTERS else node.title[: TITLE_LETTERS - 1].rstrip() + "…"
    before, _, after = tr("around {title}").partition("{title}")
    return span(before, "t2") + span(title, "t1", weight=500) + span(f"{after} · {kind_word(node)}", "t3")


def heading_plain(node: GraphNode) -> str:
    """Return the heading for a screen reader and the tool tip, uncut, and with the day it was first seen."""
    around = tr("around {title}", title=node.title)
    seen = tr("first seen {day}", day=formatting.day(node.created_at))
    return f"{around} · {kind_word(node)} · {seen}"
