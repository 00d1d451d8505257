"""Map of a high drawing, and the legend of its shapes and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c, mix
from memdesk.gui.panels.graph.graph_data import LEGEND
from memdesk.gui.panels.graph.graph_edges import arrowhead, color, pen, stroke
from memdesk.gui.panels.graph.graph_layout import Arrangement
from memdesk.gui.terms import relation_words, term
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paint import LEFT, box, draw_text, text_width

WIDE_PX, HIGH_PX = 104, 120
MAP_FROM_VIEWS = 1.25
"""Height of the drawing, in heights of the view, from which the map is shown."""
MAP_PAD_PX = 4
TINT_SHARE = 0.22
SEEN_OPACITY = 0.16


class MiniMap(QWidget):
    """Regions in their channels' tones. The signal `moved` carries the height in the drawing to scroll to."""

    moved = Signal(float)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(WIDE_PX, HIGH_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("The whole graph in small"))
        self.setToolTip(tr("Press or drag to look elsewhere"))
        self._arrangement: Arrangement | None = None
        self._numbers: Mapping[str, int] = {}
        self._view = (0.0, 0.0)
        self._kept: QPixmap | None = None
        look.themed.changed.connect(self._forget)
        self.hide()

    def show_arrangement(
        self, arrangement: Arrangement, numbers: Mapping[str, int], view: tuple[float, float]
    ) -> None:
        """Show a drawing. numbers: colour numbers of its channels. view: top and foot of its visible part."""
        if arrangement is not self._arrangement:
            self._kept = None
        self._arrangement, self._numbers, self._view = arrangement, numbers, view
        self.update()

    def _forget(self) -> None:
        self._kept = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scroll to the pointer."""
        self._look(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue to scroll to the pointer while the left button is pressed."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)

    def _look(self, event: QMouseEvent) -> None:
        if self._arrangement is not None:
            share = (event.position().y() - MAP_PAD_PX) / (HIGH_PX - 2 * MAP_PAD_PX)
            self.moved.emit(max(0.0, min(1.0, share)) * self._arrangement.height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cached regions, and the visible part over them."""
        painter, arrangement = QPainter(self), self._arrangement
        if arrangement is None:
            return
        if self._kept is None:
            self._kept = self._painted(arrangement)
        painter.drawPixmap(0, 0, self._kept)
        scale = (HIGH_PX - 2 * MAP_PAD_PX) / arrangement.height
        top, bottom = self._view
        seen = QRectF(1, MAP_PAD_PX + top * scale, WIDE_PX - 2, max(4.0, (bottom - top) * scale))
        painter.setOpacity(SEEN_OPACITY)
        painter.fillRect(seen, c("acc"))
        painter.setOpacity(1.0)
        painter.setPen(c("acc"))
        painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5))

    def _painted(self, arrangement: Arrangement) -> QPixmap:
        dpr = self.devicePixelRatioF()
        made = QPixmap(round(WIDE_PX * dpr), round(HIGH_PX * dpr))
        made.setDevicePixelRatio(dpr)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        box(painter, QRectF(0, 0, WIDE_PX, HIGH_PX), 5, c("panel"), c("line2"))
        across = (WIDE_PX - 2 * MAP_PAD_PX) / arrangement.width
        down = (HIGH_PX - 2 * MAP_PAD_PX) / arrangement.height
        for region in arrangement.regions:
            tone, _ = look.channel_color(self._numbers.get(region.channel, 0))
            area = QRectF(
                MAP_PAD_PX + region.box.x() * across,
                MAP_PAD_PX + region.box.y() * down,
                region.box.width() * across,
                max(1.0, region.box.height() * down),
            )
            painter.fillRect(area, mix(tone, c("panel"), TINT_SHARE))
            painter.fillRect(QRectF(area.x(), area.y(), 2, area.height()), tone)
        painter.end()
        return made


PAD_PX = 20
LINE_PX = 22
EDGE_PX = 6
GAP_PX = 16
SAMPLE_PX = 24
SHAPE_PX = 10

Paint = Callable[[QPainter, QRectF], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A sample and its meaning. wide: width of the sample in px."""

    text: str
    wide: float
    paint: Paint

    @property
    def width(self) -> float:
        """Width of sample and words together, in px."""
        return self.wide + 6 + text_width(self.text, look.font(11))


def _kind(name: str) -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        icons.kind_shape(painter, _square(area.x(), area.center().y(), SHAPE_PX), name, c("t2"))

    return Entry(text=term(name).capitalize(), wide=SHAPE_PX, paint=paint)


def _relation(type: str) -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        y = round(area.center().y()) + 0.5
        path = QPainterPath(QPointF(area.x(), y))
        path.lineTo(QPointF(area.x() + SAMPLE_PX, y))
        drawn = stroke(type)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(drawn))
        painter.drawPath(path)
        if drawn.arrow:
            arrowhead(painter, path, color(drawn), at_start=False)

    return Entry(text=relation_words(type), wide=SAMPLE_PX, paint=paint)


def _size() -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        icons.kind_shape(painter, _square(area.x(), area.center().y(), 7), "entity", c("t2"))
        icons.kind_shape(painter, _square(area.x() + 11, area.center().y(), 13), "entity", c("t2"))

    return Entry(text=tr("Size: salience"), wide=26, paint=paint)


def _fill() -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        for place, share in enumerate((0.0, 0.5, 1.0)):
            at = _square(area.x() + 14 * place, area.center().y(), 11)
            icons.kind_shape(painter, at, "fact", c("t2"), share)

    return Entry(text=tr("Fill: confidence"), wide=41, paint=paint)


def _square(x: float, middle: float, size: float) -> QRectF:
    return QRectF(x, middle - size / 2, size, size)


class Legend(QWidget):
    """Kinds, then relations, then the meaning of size and fill; in as many lines as the width needs."""

    def __init__(self) -> None:
        super().__init__()
        self._groups = (
            tuple(_kind(name) for name in icons.KINDS),
            tuple(_relation(type) for type in LEGEND),
            (_size(), _fill()),
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        explain_terms(self, "salience", "confidence")
        said = ", ".join((*map(term, icons.KINDS), *(relation_words(type) for type in LEGEND)))
        self.setAccessibleName(tr("Legend: {said}; size is salience, fill is confidence", said=said))
        self.setFixedHeight(2 * LINE_PX + 2 * EDGE_PX)

    def _lines(self) -> list[list[Entry]]:
        """Break the entries into lines that fit the width."""
        lines: list[list[Entry]] = [[]]
        for entry in self._in_order():
            wide = sum(each.width + GAP_PX for each in lines[-1]) + entry.width
            if lines[-1] and wide > self.width() - 2 * PAD_PX:
                lines.append([])
            lines[-1].append(entry)
        return lines

    def _in_order(self) -> Iterator[Entry]:
        for group in self._groups:
            yield from group

    def _fits_beside(self, first: Sequence[Entry], second: Sequence[Entry]) -> bool:
        wide = sum(entry.width + GAP_PX for entry in (*first, *second))
        return wide + GAP_PX <= self.width() - 2 * PAD_PX

    def _places(self) -> Iterator[tuple[Entry, QPointF]]:
        """Yield entries with their points: in two lines with size and fill at the right, or in one flow in a
        narrow panel."""
        kinds, relations, measures = self._groups
        if not (self._fits_beside(kinds, measures) and self._fits_beside(relations, ())):
            for number, line in enumerate(self._lines()):
                yield from self._placed(line, PAD_PX, number)
            return
        right = self.width() - PAD_PX - sum(entry.width for entry in measures) - GAP_PX * (len(measures) - 1)
        yield from self._placed(kinds, PAD_PX, 0)
        yield from self._placed(measures, right, 0)
        yield from self._placed(relations, PAD_PX, 1)

    def _placed(self, line: Sequence[Entry], x: float, number: int) -> Iterator[tuple[Entry, QPointF]]:
        for entry in line:
            yield entry, QPointF(x, EDGE_PX + number * LINE_PX)
            x += entry.width + GAP_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the height that the lines need."""
        super().resizeEvent(event)
        lowest = max(at.y() for _, at in self._places())
        self.setFixedHeight(round(lowest) + LINE_PX + EDGE_PX)

    def minimumSizeHint(self) -> QSize:
        """Allow any width; a narrow legend is higher."""
        return QSize(0, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a hairline, then every entry."""
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, c("line"))
        for entry, at in self._places():
            area = QRectF(at.x(), at.y(), entry.width + 2, LINE_PX)
            entry.paint(painter, area)
            text = area.adjusted(entry.wide + 6, 0, 0, 0)
            draw_text(painter, text, entry.text, look.font(11), c("t2"), LEFT)
