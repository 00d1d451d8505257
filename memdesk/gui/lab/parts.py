"""Parts of a score: their names and fixed order, their colours on the sequential scale, and the bar of a hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.model.recall import Hit, ScorePart

NAMES = {
    "meaning": marked("Meaning"), "words": marked("Words"), "entities": marked("Graph"), "hyde": marked("HyDE"),
    "expansion": marked("Expansion"), "speaker": marked("Speaker"), "time": marked("Time named"),
    "recency": marked("Recency"), "here": marked("This channel"), "answer": marked("Holds an answer"),
    "temporal": marked("Holds now"), "kind": marked("Kind"), "boost": marked("Use"), "rerank": marked("Reranker"),
    "question": marked("Only asks"), "confidence": marked("Doubt"), "salience": marked("Fading"),
}  # fmt: skip
"""Labels of the parts, in their order in every bar."""
STRENGTHS = {
    "meaning": 1.0, "words": 0.8, "entities": 0.64, "hyde": 0.58, "expansion": 0.54, "speaker": 0.5, "time": 0.46,
    "recency": 0.42, "here": 0.34, "answer": 0.3, "temporal": 0.24,
}  # fmt: skip
"""Position of each part on the sequential colour scale; parts that often occur together are far apart."""
WEAKEST = 0.2
TAKEN = {"temporal": marked("No longer so"), "kind": marked("Kind")}
"""Labels of parts with a negative value."""
BAR_PX = 12
LEAST = 0.0005
"""Smallest value shown; smaller ones would appear as 0.000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Part of a hit's score, as shown."""

    name: str
    value: float

    @property
    def says(self) -> str:
        """Return the part's label."""
        return tr(TAKEN[self.name]) if self.value < 0 and self.name in TAKEN else named(self.name)


def named(part: str) -> str:
    """Return the label of a part; an unknown name is only formatted."""
    return tr(NAMES[part]) if part in NAMES else part.replace("_", " ").capitalize()


def ordered(parts: Iterable[ScorePart]) -> list[Part]:
    """Return the parts in the fixed order, summed by name; unknown names come last."""
    places = list(NAMES)
    summed: dict[str, float] = {}
    for part in parts:
        summed[part.name] = summed.get(part.name, 0.0) + part.value
    made = [Part(name=name, value=value) for name, value in summed.items() if abs(value) >= LEAST]
    return sorted(made, key=lambda part: places.index(part.name) if part.name in places else len(places))


def color(name: str) -> QColor:
    """Return the colour of a part, the same in every bar."""
    return look.sequential(STRENGTHS.get(name, WEAKEST))


def height(hit: Hit) -> float:
    """Return the sum of a hit's positive parts."""
    return sum(part.value for part in ordered(hit.parts) if part.value > 0)


def met(hits: Sequence[Hit]) -> list[str]:
    """Return the names of the parts that add to any of these hits, in order."""
    found = {part.name for hit in hits for part in ordered(hit.parts) if part.value > 0}
    return [name for name in (*NAMES, *sorted(found - set(NAMES))) if name in found]


def paint_bar(painter: QPainter, area: QRectF, hit: Hit, most: float) -> None:
    """Paint the positive parts in order; the section between score and sum, lost to doubt and fading, is pale
    and dashed."""
    if most <= 0:
        return
    top = round(area.center().y() - BAR_PX / 2)
    x = area.x()
    for part in ordered(hit.parts):
        wide = area.width() * part.value / most
        if part.value > 0:
            painter.fillRect(QRectF(x, top, max(0.0, wide - 1), BAR_PX), color(part.name))
            x += wide
    end = area.x() + area.width() * max(0.0, hit.score) / most
    if x - end > 1:
        lost = QRectF(end, top, x - end, BAR_PX)
        wash = QColor(c("stage"))
        wash.setAlphaF(0.72)
        painter.fillRect(lost, wash)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(c("t3"), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(lost.adjusted(0.5, 0.5, -1.5, -1.5))


def note(part: Part, hit: Hit) -> str:
    """Return the origin of a part in a few words."""
    ranks = {
        "words": "words",
        "meaning": "vectors",
        "entities": "entities",
        "hyde": "hyde",
        "expansion": "expansion",
    }
    way = ranks.get(part.name)
    if way is not None and way in hit.ranks:
        return tr("rank {rank}", rank=f"{hit.ranks[way]:,}")
    if part.name == "confidence" and hit.confidence is not None:
        return tr("{confidence} sure", confidence=f"{hit.confidence:.2f}")
    if part.name == "salience" and hit.salience is not None:
        return tr("{salience} now", salience=f"{hit.salience:.2f}")
    if part.name == "recency" and hit.at is not None:
        return times.ago(hit.at)
    return ""
