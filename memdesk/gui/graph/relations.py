"""Strokes and words of relation types, used by the drawing, the legend and the edge filter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.model.entity import ABOUT, ENTITY_RELATIONS, PROMOTED_FROM, SUPERSEDES

QUIET_SHARE = 0.6
LINE_PX = 1.2
TONE_PX = 1.6
PATH_PX = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """Style of an edge. dash: lengths in px, () for solid. tone: a token; empty for the quiet line.

    arrow: the end of the relation that has an arrowhead, "source" or "target"."""

    dash: tuple[float, ...] = ()
    tone: str = ""
    arrow: str = ""


SOLID = Stroke()
DASHED = Stroke(dash=(5.0, 4.0))
STROKES: dict[str, Stroke] = {
    PROMOTED_FROM: Stroke(tone="acc", arrow="source"),
    SUPERSEDES: Stroke(tone="warn", arrow="target"),
    "PART_OF": Stroke(dash=(1.5, 3.5)),
    ABOUT: SOLID,
}
"""Types with a stroke of their own, the most important first; all others are dashed as RELATED_TO is.

A promotion points at the copy in `_global`, the way the claim went; a supersession points at the past claim.
"""

LINEAGE = (PROMOTED_FROM, SUPERSEDES)
"""Relations of a claim's lineage, which are always drawn."""

LEGEND = (ABOUT, "RELATED_TO", "PART_OF", PROMOTED_FROM, SUPERSEDES)
"""Types explained in the legend, in its order."""

WORDS = {
    ABOUT: marked("about"),
    PROMOTED_FROM: marked("promoted from"),
    SUPERSEDES: marked("supersedes"),
    "RELATED_TO": marked("related to"),
    "PART_OF": marked("part of"),
    "LOCATED_IN": marked("located in"),
    "WORKS_FOR": marked("works for"),
    "KNOWS": marked("knows"),
    "CREATED_BY": marked("created by"),
    "REFERENCES": marked("references"),
}
"""Types with words of the application; an agent's own types are shown as they are written."""

OFFERED = (ABOUT, *ENTITY_RELATIONS, PROMOTED_FROM, SUPERSEDES)
"""Types that the edge filter offers even if the graph has none of them."""


def stroke(type: str) -> Stroke:
    """Return the stroke of a relation type."""
    return STROKES.get(type, DASHED)


def words(type: str) -> str:
    """Return a relation's type as a person reads it: “part of”."""
    return tr(WORDS[type]) if type in WORDS else type.replace("_", " ").lower()


def rank(type: str) -> int:
    """Return the rank of a relation type: of several relations between the same two records, the lowest rank
    is drawn."""
    order = tuple(STROKES)
    return order.index(type) if type in order and type != ABOUT else len(order) + (type == ABOUT)


def pen(stroke: Stroke, *, on_path: bool = False, quiet: bool = False) -> QPen:
    """Return the pen of a stroke, shared and so never changed. on_path: it leads from the selected row to the
    centre. quiet: neither end is selected or hovered, and there may be many of its kind."""
    return _pen(stroke, on_path, color(stroke, on_path=on_path, quiet=quiet).rgb())


@lru_cache(maxsize=64)
def _pen(stroke: Stroke, on_path: bool, rgb: int) -> QPen:
    made = QPen(QColor(rgb), PATH_PX if on_path else TONE_PX if stroke.tone else LINE_PX)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if stroke.dash:
        # Qt counts dashes in pen widths.
        made.setDashPattern([length / made.widthF() for length in stroke.dash])
    return made


def color(stroke: Stroke, *, on_path: bool = False, quiet: bool = False) -> QColor:
    """Return the colour of a stroke."""
    if on_path:
        return c("acc")
    if stroke.tone:
        return c(stroke.tone)
    return c("line2") if quiet else _half(look.token("t3"), look.token("stage"))


@lru_cache(maxsize=8)
def _half(over: str, ground: str) -> QColor:
    """Return the colour of a line without a tone: quieter than any text."""
    return look.mix(QColor(over), QColor(ground), QUIET_SHARE)
