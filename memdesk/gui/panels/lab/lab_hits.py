"""List of hits, best first, with the parts of each score and their legend, followed by the memories that were narrowly
cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import term
from memdesk.gui.widgets import RowState, paint_tag, tag_width
from memdesk.gui.widgets.badges import Tone
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import LEFT, RIGHT, channel, draw_text, text_width
from memdesk.gui.widgets.paper import plain_line
from memdesk.model.recall import Bundle, Cut, Hit, ScorePart

NAMES = {
    "meaning": marked("Meaning"),
    "words": marked("Words"),
    "coverage": marked("Terms held"),
    "session": marked("Conversation"),
    "reply": marked("Reply"),
    "entities": marked("Graph"),
    "hyde": marked("HyDE"),
    "expansion": marked("Expansion"),
    "speaker": marked("Speaker"),
    "time": marked("Time named"),
    "recency": marked("Recency"),
    "here": marked("This channel"),
    "answer": marked("Holds an answer"),
    "detail": marked("Names, numbers"),
    "temporal": marked("Holds now"),
    "kind": marked("Kind"),
    "boost": marked("Use"),
    "rerank": marked("Reranker"),
    "newer": marked("Newer"),
    "question": marked("Only asks"),
    "source": marked("Its turn"),
    "confidence": marked("Doubt"),
    "salience": marked("Fading"),
}
"""Labels of the parts, in their order in every bar."""
STRENGTHS = {
    "meaning": 1.0,
    "words": 0.8,
    "coverage": 0.72,
    "session": 0.9,
    "reply": 0.38,
    "entities": 0.64,
    "hyde": 0.58,
    "expansion": 0.54,
    "speaker": 0.5,
    "time": 0.46,
    "recency": 0.42,
    "here": 0.34,
    "answer": 0.3,
    "detail": 0.27,
    "temporal": 0.24,
}
"""Position of each part on the sequential colour scale; parts that often occur together are far apart."""
WEAKEST = 0.2
NEGATIVE_NAMES = {"temporal": marked("No longer so"), "kind": marked("Kind")}
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
        return (
            tr(NEGATIVE_NAMES[self.name])
            if self.value < 0 and self.name in NEGATIVE_NAMES
            else named(self.name)
        )


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


def positive_parts(hits: Sequence[Hit]) -> list[str]:
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
        return formatting.ago(hit.at)
    return ""


ROW_PX, OPEN_PX, CUT_PX, HEADING_PX = 48, 108, 32, 30
BAR_SHARE = 0.42
SCORE_PX = 58
PLACE_PX, SHAPE_PX = 26, 24
TEXT_CHARACTERS = 400
BY = {
    "floor": marked("too little to do with it"),
    "duplicate": marked("said already"),
    "diversity": marked("crowded out"),
    "limit": marked("past the limit"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRow:
    """Hit at its place. most: the length of the longest bar.

    behind: it follows a hit with a lower score, because its conversation had reached its limit of turns
    before it. question: the open question about what contradicts it."""

    place: int
    hit: Hit
    most: float
    behind: bool = False
    question: str = ""

    @property
    def id(self) -> str:
        return self.hit.id


@dataclass(frozen=True, slots=True, kw_only=True)
class CutRow:
    """Memory that was narrowly cut."""

    cut: Cut

    @property
    def id(self) -> str:
        return self.cut.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading above the memories that were narrowly cut."""

    title: str
    id: str = ""


Row = HitRow | CutRow | Heading


def rows_of(bundle: Bundle, questions: Mapping[str, str]) -> list[Row]:
    """Return the rows of an answer. questions: about what contradicts a hit, by the hit's id."""
    most = max((height(hit) for hit in bundle.hits), default=0.0)
    lowest = list(accumulate((hit.score for hit in bundle.hits), min, initial=inf))
    rows: list[Row] = [
        HitRow(
            place=place,
            hit=hit,
            most=most,
            behind=hit.score > lowest[place - 1],
            question=questions.get(hit.id, ""),
        )
        for place, hit in enumerate(bundle.hits, 1)
    ]
    if bundle.cut:
        rows.append(Heading(title=tr("Nearly")))
        rows += [CutRow(cut=cut) for cut in bundle.cut]
    return rows


class Hits(Grouped):
    """List of hits. `picked` carries Came or Left. The selected hit is taller, with the exact parts of its
    score."""

    def __init__(self, session: Session) -> None:
        self._session = session
        super().__init__(
            accessible_text,
            self._paint,
            self._high,
            name=tr("Hits"),
            headings=Heading,
            pad=20,
            hairlines=True,
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentRowChanged.connect(lambda *_: self.fit_rows())

    def show_bundle(self, bundle: Bundle, questions: Mapping[str, str]) -> None:
        """Show an answer; the selected memory stays selected if it is in the answer. questions: see rows_of."""
        chosen = self.record()
        with QSignalBlocker(self):
            self.set_rows([])
            rows = rows_of(bundle, questions)
            self.set_rows(rows)
            place = next((n for n, row in enumerate(rows) if chosen is not None and row.id == chosen.id), -1)
            if place >= 0:
                self.choose(place)
            else:
                self.scrollToTop()

    def _high(self, row: Row, _wide: int) -> int:
        if isinstance(row, Heading):
            return HEADING_PX
        if isinstance(row, CutRow):
            return CUT_PX
        chosen = self.record()
        return OPEN_PX if isinstance(chosen, HitRow) and chosen.id == row.id else ROW_PX

    def _paint(self, painter: QPainter, area: QRectF, row: Row, state: RowState) -> None:
        match row:
            case Heading():
                draw_text(painter, area.adjusted(0, 4, 0, 0), row.title, look.font(12, 600), c("t2"), LEFT)
            case CutRow():
                self._paint_left(painter, area, row.cut)
            case HitRow():
                self._paint_came(painter, area, row, is_open=state.selected)

    def _paint_left(self, painter: QPainter, area: QRectF, cut: Cut) -> None:
        text = area.adjusted(PLACE_PX + SHAPE_PX, 0, -area.width() * BAR_SHARE, 0)
        shape = QRectF(area.x() + PLACE_PX + 2, area.center().y() - 5, 10, 10)
        icons.kind_shape(painter, shape, cut.kind, c("t3"))
        draw_text(painter, text, _flat(cut.text), look.font(12), c("t2"), LEFT)
        why = area.adjusted(area.width() * (1 - BAR_SHARE) + 12, 0, -SCORE_PX, 0)
        draw_text(painter, why, tr(BY[cut.by]) if cut.by in BY else cut.by, look.font(11), c("t3"), LEFT)
        score = area.adjusted(area.width() - SCORE_PX, 0, 0, 0)
        draw_text(painter, score, f"{cut.score:.3f}", look.font(12, tabular=True), c("t3"), RIGHT)

    def _paint_came(self, painter: QPainter, area: QRectF, row: HitRow, *, is_open: bool) -> None:
        hit = row.hit
        line = QRectF(area.x(), area.y(), area.width(), ROW_PX - 1)
        place = QRectF(line.x(), line.y() + 6, PLACE_PX - 6, 18)
        draw_text(painter, place, str(row.place), look.font(12, tabular=True), c("t3"), LEFT)
        number = self._session.channel_number(hit.channel)
        ink, _ = look.channel_color(number)
        shape = QRectF(line.x() + PLACE_PX + 1, line.y() + 10, 11, 11)
        category = hit.category if hit.kind == "fact" else hit.kind
        icons.kind_shape(painter, shape, category, ink, hit.confidence or 1.0)
        wide = line.width() * (1 - BAR_SHARE) - PLACE_PX - SHAPE_PX - 16
        text = QRectF(line.x() + PLACE_PX + SHAPE_PX, line.y() + 6, wide, 18)
        draw_text(painter, text, _flat(hit.text), look.font(13), c("t1"), LEFT)
        low = QRectF(text.x(), line.y() + 25, wide, 16)
        taken = channel(painter, low, hit.channel, number, c("t2")) + 9
        for word, tone in _tags(row):
            room = tag_width(word)
            paint_tag(painter, QRectF(low.x() + taken, low.y(), room, 17), word, tone)
            taken += room + 8
        source = _source(hit)
        draw_text(painter, low.adjusted(taken, 0, 0, 0), source, look.font(11), c("t3"), LEFT)
        bar = QRectF(line.x() + line.width() * (1 - BAR_SHARE), line.y(), 0, line.height())
        bar.setRight(line.right() - SCORE_PX - 8)
        paint_bar(painter, bar, hit, row.most)
        score = line.adjusted(line.width() - SCORE_PX, 0, 0, -14 if row.behind else 0)
        draw_text(painter, score, f"{hit.score:.3f}", look.font(13, 500, tabular=True), c("t1"), RIGHT)
        if row.behind:
            note = line.adjusted(line.width() - SCORE_PX - 20, 24, 0, -6)
            draw_text(painter, note, tr("steps back"), look.font(11), c("t3"), RIGHT)
        if is_open:
            self._paint_parts(painter, area, hit)

    def _paint_parts(self, painter: QPainter, area: QRectF, hit: Hit) -> None:
        """Paint the exact parts in columns."""
        shown = ordered(hit.parts)
        left = area.x() + PLACE_PX + SHAPE_PX
        wide = min(132.0, (area.right() - left) / max(1, len(shown)))
        for place, part in enumerate(shown):
            x, y = left + place * wide, area.y() + ROW_PX + 2
            swatch = QRectF(x, y + 4, 8, 8)
            if part.value > 0:
                painter.fillRect(swatch, color(part.name))
            else:
                painter.setPen(c("t3"))
                painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5))
            room = QRectF(x + 13, y, wide - 18, 16)
            draw_text(painter, room, part.says, look.font(11), c("t2"), LEFT)
            value = QRectF(x, y + 17, wide - 6, 18)
            figure = f"{part.value:+.3f}" if part.value < 0 else f"{part.value:.3f}"
            draw_text(painter, value, figure, look.font(12, 500, tabular=True), c("t1"), LEFT)
            draw_text(painter, QRectF(x, y + 34, wide - 6, 16), note(part, hit), look.font(11), c("t3"), LEFT)


def _tags(row: HitRow) -> Iterator[tuple[str, Tone]]:
    """Yield the tags of a hit: its kind if it is no fact, and whether it is contradicted."""
    if row.hit.kind != "fact":
        yield term(row.hit.kind), "plain"
    if row.question:
        yield tr("contradicted"), "warn"


def _flat(text: str) -> str:
    return plain_line(text[:TEXT_CHARACTERS])


def _source(hit: Hit) -> str:
    """Return the source of a hit: its path, or its speaker and conversation."""
    place = hit.provenance
    if place.path:
        return place.path
    who = f"{place.speaker}, " if place.speaker else ""
    return f"{who}{place.conversation_title}" if place.conversation_title else ""


def accessible_text(row: Row) -> str:
    """Return a row as text for a screen reader."""
    match row:
        case Heading():
            return row.title
        case CutRow():
            return tr("{text}, left out: {because}", text=row.cut.text, because=row.cut.because)
    shown = ", ".join(f"{part.says} {part.value:.3f}" for part in ordered(row.hit.parts))
    back = ", " + tr("steps back: its conversation has its turns already") if row.behind else ""
    asked = ", " + tr("contradicted") if row.question else ""
    return f"{row.place}, {row.hit.text}, {row.hit.channel}, {row.hit.score:.3f}{asked}{back}: {shown}"


GAP_PX = 14


class Legend(QWidget):
    """Legend with the colour of each part that adds to any hit. What has no room is counted, and named in the tip."""

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self.setFixedHeight(16)
        explain_terms(self, "score", "meaning", "words", "expansion", "recency", "holds_now")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_names(self, names: list[str]) -> None:
        self._names = names
        self.setAccessibleName(tr("Parts of a score: {parts}", parts=", ".join(self._words())))
        self.setToolTip(self.accessibleName())
        self.updateGeometry()
        self.update()

    def _words(self) -> list[str]:
        return [named(name) for name in self._names]

    def sizeHint(self) -> QSize:
        return QSize(sum(self._wide(word) for word in self._words()), 16)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, because the legend may be cut off."""
        return QSize(0, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint squares and names, aligned right; the names that have no room as a number."""
        painter, face = QPainter(self), look.font(11)
        shown, left = self.fitting()
        x = float(self.width() - sum(self._wide(word) for word in shown) + GAP_PX)
        if left:
            count = f"+{left}"
            x -= self._wide(count)
            draw_text(painter, QRectF(x, 0, self._wide(count), 16), count, face, c("t3"), LEFT)
            x += self._wide(count)
        for name, word in zip(self._names, shown, strict=False):
            painter.fillRect(QRectF(x, 4, 8, 8), color(name))
            draw_text(painter, QRectF(x + 13, 0, self._wide(word), 16), word, face, c("t2"), LEFT)
            x += self._wide(word)

    def fitting(self) -> tuple[list[str], int]:
        """Return the names that have room in full, and the number of the others."""
        words = self._words()
        for count in range(len(words), 0, -1):
            left = len(words) - count
            wide = sum(self._wide(word) for word in words[:count]) + (self._wide(f"+{left}") if left else 0)
            if wide - GAP_PX <= self.width():
                return words[:count], left
        return [], len(words)

    @staticmethod
    def _wide(word: str) -> int:
        """Return the width of a name with its square and the gap after it."""
        return 13 + text_width(word, look.font(11)) + GAP_PX
