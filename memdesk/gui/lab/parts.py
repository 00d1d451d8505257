"""The parts of a score: their names and fixed order, their colours along the sequential scale, and the bar of a hit."""

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
"""In this order they stand in every bar."""
STRENGTHS = {
    "meaning": 1.0, "words": 0.8, "entities": 0.64, "hyde": 0.58, "expansion": 0.54, "speaker": 0.5, "time": 0.46,
    "recency": 0.42, "here": 0.34, "answer": 0.3, "temporal": 0.24,
}  # fmt: skip
"""Where each stands on the sequential scale, those that meet most often far from each other."""
WEAKEST = 0.2
TAKEN = {"temporal": marked("No longer so"), "kind": marked("Kind")}
"""What a part is called where it takes away."""
BAR_PX = 12
LEAST = 0.0005
"""What would be shown as 0.000 is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a hit's score, as shown."""

    name: str
    value: float

    @property
    def says(self) -> str:
        """Its name in words."""
        return tr(TAKEN[self.name]) if self.value < 0 and self.name in TAKEN else named(self.name)


def named(part: str) -> str:
    """The name of a part in words; one that nobody knows is said as it is."""
    return tr(NAMES[part]) if part in NAMES else part.replace("_", " ").capitalize()


def ordered(parts: Iterable[ScorePart]) -> list[Part]:
    """Parts in the fixed order, those of one name together; names nobody knows stand at the end."""
    places = list(NAMES)
    summed: dict[str, float] = {}
    for part in parts:
        summed[part.name] = summed.get(part.name, 0.0) + part.value
    made = [Part(name=name, value=value) for name, value in summed.items() if abs(value) >= LEAST]
    return sorted(made, key=lambda part: places.index(part.name) if part.name in places else len(places))


def color(name: str) -> QColor:
    """The colour of a part, the same in every bar."""
    return look.sequential(STRENGTHS.get(name, WEAKEST))


def height(hit: Hit) -> float:
    """What a hit's parts add up to before anything is taken away."""
    return sum(part.value for part in ordered(hit.parts) if part.value > 0)


def met(hits: Sequence[Hit]) -> list[str]:
    """The parts that add to any of these hits, in order."""
    found = {part.name for hit in hits for part in ordered(hit.parts) if part.value > 0}
    return [name for name in (*NAMES, *sorted(found - set(NAMES))) if name in found]


def paint_bar(painter: QPainter, area: QRectF, hit: Hit, most: float) -> None:
    """What adds, part by part, ends at the score; what doubt and fading take away again is washed out and dashed."""
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
    """Where a part comes from, in a few words."""
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
