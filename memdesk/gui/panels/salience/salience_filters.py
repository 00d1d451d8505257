"""Filters of the salience panel: kinds and order in its header, chips with counts and the legend in its bar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Drop, Option, Segments, row
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paint import draw_text, text_width
from memdesk.model.graph import AskSalience, Heatmap

HEIGHT_PX = 24
SWATCH_PX = 10
STEP_PX = 11
STEPS = 10
APART_PX = 22
MEASURED, FORECAST = 0.7, 0.45
"""Salience values shown as examples."""

Piece = tuple[float, Callable[[QPainter, float], None]]
"""Width of a piece, and the function that paints it from an x on."""


class Legend(QWidget):
    """Painted legend, aligned to the right of its area; pieces without room are left out, the scale last."""

    def __init__(self) -> None:
        super().__init__()
        self._fades = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT_PX)
        explain_terms(self, "salience", "fades")
        look.themed.changed.connect(self.update)

    def show_threshold(self, fade_below: float) -> None:
        """Show the salience below which a memory has faded."""
        self._fades = tr("fades below {value}", value=f"{fade_below:.2f}")
        self.setAccessibleName(tr("Salience from 0 to 1, measured and forecast, {fades}", fades=self._fades))
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Allow the legend to be left out completely."""
        return QSize(0, HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as many pieces as there is room for."""
        pieces = self._pieces()
        while pieces and _width(pieces) > self.width():
            pieces.pop()
        order = [pieces[place] for place in (0, 2, 1) if place < len(pieces)]
        painter = QPainter(self)
        x = self.width() - _width(pieces)
        for wide, paint in order:
            paint(painter, x)
            x += wide + APART_PX

    def _pieces(self) -> list[Piece]:
        """Return scale, fading line and example cells, the most important first."""
        words = text_width(tr("measured, forecast"), look.font(11))
        return [
            (STEPS * STEP_PX + 32, _paint_scale),
            (24 + text_width(self._fades, look.font(11)), self._paint_line),
            (46 + words, _paint_examples),
        ]

    def _paint_line(self, painter: QPainter, x: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c("bad"), 1.5, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawPolyline(
            QPolygonF([QPointF(x, 7), QPointF(x + 9, 7), QPointF(x + 9, 17), QPointF(x + 18, 17)])
        )
        _words(painter, x + 24, self._fades)


def _width(pieces: list[Piece]) -> float:
    return sum(wide for wide, _ in pieces) + APART_PX * max(0, len(pieces) - 1)


def _paint_scale(painter: QPainter, x: float) -> None:
    _words(painter, x, "0")
    for step in range(STEPS):
        place = QRectF(x + 13 + step * STEP_PX, (HEIGHT_PX - SWATCH_PX) / 2, STEP_PX - 1, SWATCH_PX)
        painter.fillRect(place, look.sequential(step / (STEPS - 1)))
    _words(painter, x + 13 + STEPS * STEP_PX + 8, "1")


def _paint_examples(painter: QPainter, x: float) -> None:
    for place in (0, 7):
        painter.fillRect(QRectF(x + place, 4, 6, 16), look.sequential(MEASURED))
    for place in (20, 27, 34):
        painter.fillRect(QRectF(x + place, 8, 4, 8), look.sequential(FORECAST))
    _words(painter, x + 46, tr("measured, forecast"))


def _words(painter: QPainter, x: float, text: str) -> None:
    face = look.font(11)
    draw_text(painter, QRectF(x, 0, text_width(text, face), HEIGHT_PX), text, face, c("t2"))


SORTS = {
    "fades": (marked("Fades soonest"), marked("fades soonest first")),
    "salience": (marked("Strongest"), marked("strongest first")),
    "recalled": (marked("Most recalled"), marked("most recalled first")),
    "newest": (marked("Newest"), marked("newest first")),
    "name": (marked("Name"), marked("by name")),
    "channel": (marked("Channel"), marked("by channel")),
    "alike": (marked("Alike"), marked("like courses together")),
}
"""Orders: the text of the choice, and the text above the rows."""
CHIPS = {
    "": (marked("All"), "all"),
    "recalled": (marked("Recalled 5 times or more"), "recalled"),
    "below": (marked("Below 0.30"), "below"),
    "fading": (marked("Fades in 7 days"), "fading"),
    "ahead": (marked("Fades in {days} days"), "ahead"),
    "pinned": (marked("Pinned"), "pinned"),
}
"""Filters: the text of the chip, and the name of its count."""
EMPTY = {
    "": (
        marked("No such memory."),
        marked("Facts and entities fade; in these channels there are none of this kind."),
    ),
    "recalled": (
        marked("Nothing was recalled 5 times yet."),
        marked("Every recall that returns a memory lifts it."),
    ),
    "below": (
        marked("Nothing is below 0.30."),
        marked("Every memory here was learned or recalled not long ago."),
    ),
    "fading": (marked("Nothing fades within 7 days."), marked("What fades later stands in the whole list.")),
    "ahead": (
        marked("Nothing fades in the days ahead."),
        marked("Under the settings of now, all of it stays above the threshold."),
    ),
    "pinned": (
        marked("Nothing is pinned."),
        marked("Choose a row and press I: a pinned memory does not fade."),
    ),
}
"""Sentences shown if a filter leaves no rows."""
KINDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("entity", "fact"), marked("Entities and facts")),
    (("entity",), marked("Entities")),
    (("fact",), marked("Facts")),
)
AHEAD = ((30, marked("30 days")), (90, marked("90 days")))
"""Numbers of days for which salience is forecast."""
FIRST = "recalled"
"""Filter chosen at first: a desk has hundreds of memories that were never needed again."""


class Filters(QObject):
    """Filter controls: `kinds` and `sort` are for the panel's header, `bar` is its filter bar. `changed` is
    emitted when a person chooses."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._was_chosen = False
        self.kinds = Segments([(kinds, tr(words)) for kinds, words in KINDS], name=tr("Kinds"))
        self.ahead = Segments([(days, tr(words)) for days, words in AHEAD], name=tr("Forecast"))
        sorts = [Option(value=name, text=tr(words)) for name, (words, _) in SORTS.items()]
        self.sort = Drop(sorts, lead=tr("Sort"), name=tr("Sort by"))
        self.legend = Legend()
        chips = [(name, tr(words, days=AHEAD[0][0])) for name, (words, _) in CHIPS.items()]
        self.chips = Segments(chips, FIRST, name=tr("Which"), kind="chip")
        self.bar = row(self.chips, self.legend, gap=8, margins=(20, 0, 20, 0), stretch=self.legend)
        self.chips.chosen.connect(lambda _: self._announce())
        self.kinds.chosen.connect(lambda _: self._announce())
        self.sort.chosen.connect(lambda _: self._announce())
        self.ahead.chosen.connect(lambda _: self.changed.emit())

    def _announce(self) -> None:
        self._was_chosen = True
        self.changed.emit()

    def ask(self) -> AskSalience:
        """Return the request made from these filters."""
        kinds = next(each for each, _ in KINDS if each == self.kinds.value())
        return AskSalience(
            kinds=kinds, sort=str(self.sort.value()), only=self._only(), days_ahead=self._days_ahead()
        )

    def _days_ahead(self) -> int:
        return next(days for days, _ in AHEAD if days == self.ahead.value())

    def _only(self) -> str:
        return str(self.chips.value())

    def show_answer(self, shown: Heatmap) -> None:
        """Show on every chip the number of rows it would leave."""
        for name, (_, counted) in CHIPS.items():
            self.chips.set_count(name, f"{shown.counts[counted]:,}")
        self.chips.set_text("ahead", tr(CHIPS["ahead"][0], days=shown.days_ahead))
        self.legend.show_threshold(shown.fade_below)

    def fall_back(self, shown: Heatmap) -> bool:
        """Show all rows if the default filter would leave none and no person chose it. Returns True if it
        did."""
        if self._was_chosen or shown.total or not shown.counts["all"]:
            return False
        self.chips.set_value("")
        return True

    def show_all(self, *, quietly: bool = False) -> None:
        """Remove the filters. quietly: without a signal."""
        self.chips.set_value("")
        self.kinds.set_value(KINDS[0][0])
        self._was_chosen = True
        if not quietly:
            self.changed.emit()
