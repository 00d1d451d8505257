"""Time brush: bars for the days when the memories around the centre were created, and the range that is
shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c, mix
from memdesk.gui.widgets import Control, ring_on_focus
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, box, draw_text

BINS_AT_MOST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Counts per bin of `step` days from `first` on. There is at least one bin, and the last one contains
    today."""

    first: date
    step: int
    counts: tuple[int, ...]

    @property
    def bins(self) -> int:
        return len(self.counts)

    def day(self, bin: int) -> date:
        return self.first + timedelta(days=bin * self.step)

    def moment(self, bin: int) -> datetime:
        """Return the first moment of a bin, in this machine's zone."""
        return datetime.combine(self.day(bin), datetime.min.time()).astimezone()

    def bin(self, when: datetime) -> int:
        """Return the bin of a moment, clamped to the existing bins."""
        passed = (formatting.local(when).date() - self.first).days // self.step
        return max(0, min(self.bins - 1, passed))

    def said(self, bin: int) -> str:
        """Return the first day of a bin as “3 Sep”; “today” for the end of the axis."""
        return tr("today") if bin >= self.bins else formatting.day(self.moment(bin))

    def labels(self, at_most: int) -> Iterator[tuple[int, str]]:
        """Yield bins and their labels, evenly spread: the first day, first days of months or the 15th, never
        too close."""
        yield 0, formatting.day(self.moment(0))
        apart = -(-self.bins // max(1, at_most))
        last = 0
        for bin in range(1, self.bins):
            if bin - last >= apart and self.bins - bin >= apart and self._is_round(bin):
                yield bin, formatting.day(self.moment(bin))
                last = bin

    def _is_round(self, bin: int) -> bool:
        """Return True if a bin contains the 1st or the 15th of a month; with fewer than 14 bins always."""
        days = (self.day(bin) + timedelta(days=more) for more in range(self.step))
        return self.bins < 14 or any(day.day in (1, 15) for day in days)


def count_days(born: Sequence[datetime], today: date) -> Days:
    """Count creation times per day, or per few days if there are more than 120 days."""
    days = [min(today, formatting.local(when).date()) for when in born]
    first = min(days, default=today)
    span = (today - first).days + 1
    step = -(-span // BINS_AT_MOST)
    counts = [0] * -(-span // step)
    for day in days:
        counts[(day - first).days // step] += 1
    return Days(first=first, step=step, counts=tuple(counts))


WIDTH_PX = 9
KNOB_PX = 14
WEEK = 7


class Handle(QWidget):
    """Handle at one end of the range. Drag it or move it with the arrows; `moved` carries px, `stepped` bins,
    None for the end of the axis."""

    moved = Signal(float)
    stepped = Signal(object)

    def __init__(self, name: str, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = name
        self.setFixedSize(WIDTH_PX, height)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.say("")

    def say(self, day: str) -> None:
        """Set its day, for a screen reader and the tool tip."""
        self.setAccessibleName(f"{self._name} {day}".strip())
        self.setToolTip(self.accessibleName())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.moved.emit(self.x() + event.position().x())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept the press, so that the handle can be dragged."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by a bin with the arrows, with Shift by seven bins; Home and End move to the end of the axis
        on this handle's side."""
        key, far = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match key:
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                by = WEEK if far else 1
                self.stepped.emit(by if key == Qt.Key.Key_Right else -by)
            case Qt.Key.Key_Home | Qt.Key.Key_End:
                self.stepped.emit(None)
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), radius=3)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a line and the knob on it."""
        painter = QPainter(self)
        middle = self.width() // 2
        painter.fillRect(QRectF(middle - 0.5, 0, 2, self.height()), c("acc"))
        box(painter, QRectF(0, (self.height() - KNOB_PX) / 2, self.width(), KNOB_PX), 3, c("acc"))


HEIGHT_PX = 80
PAD_PX = 20
TOP_PX = 14
BARS_PX = 32
PLAY_PX = 28
START_PX = PAD_PX + PLAY_PX + 16
SAID_PX = 92
HANDLE_OVER_PX = 3
"""Height by which a handle extends above and below the bars."""
LABEL_APART_PX = 90
BARS_SHARE = 0.45
BAR_AT_MOST_PX = 24.0
"""Greatest width of a bar, for a new desk with few days."""
STEP_MS = 450
STEPS = 24
"""Number of steps in which the full axis is played, about eleven seconds."""

PLAY, PAUSE = marked("Play: let the time run"), marked("Pause: let the time stand")


class Brush(QWidget):
    """Bars per day with two handles. The signal `changed` carries (since, until), None for an open end."""

    changed = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._days = count_days((), date.today())
        self._range: tuple[int, int] | None = None
        self._drag: tuple[float, int, int] | None = None
        self._held: int | None = None
        self.play = Control("button", "", "play", tip=tr(PLAY), parent=self)
        self.play.clicked.connect(lambda: self._toggle_play())
        high = BARS_PX + 2 * HANDLE_OVER_PX
        self.start, self.end = Handle(tr("From"), high, self), Handle(tr("Until"), high, self)
        for place, handle in enumerate((self.start, self.end)):
            handle.moved.connect(lambda x, place=place: self._move_to(place, self._bin_edge(x)))
            handle.stepped.connect(lambda by, place=place: self._step(place, by))
        self._clock = QTimer(self)
        self._clock.setInterval(STEP_MS)
        self._clock.timeout.connect(self._play_on)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT_PX)
        self.setAccessibleName(tr("When memories were first seen"))

    # What is shown.

    def show_births(self, born: Sequence[datetime], today: date) -> None:
        """Show the creation times of memories; the chosen range keeps its days."""
        since, until = self.since, self.until
        self._days = count_days(born, today)
        first = 0 if since is None else self._days.bin(since)
        last = self._days.bins if until is None else max(first + 1, self._days.bin(until))
        self._range = None if since is None and until is None else (first, last)
        self._settle()

    def reset(self) -> None:
        """Show the full time axis again, without a signal."""
        self._stop()
        self._range = None
        self._settle()

    @property
    def bounds(self) -> tuple[int, int]:
        """Chosen range as edges between bins."""
        return self._range or (0, self._days.bins)

    @property
    def since(self) -> datetime | None:
        """First moment shown, None if the range begins at the start of the axis."""
        first = self.bounds[0]
        return self._days.moment(first) if first > 0 else None

    @property
    def until(self) -> datetime | None:
        """First moment after the range, None if the range ends now."""
        last = self.bounds[1]
        return self._days.moment(last) if last < self._days.bins else None

    def _settle(self) -> None:
        first, last = self.bounds
        self.start.say(self._days.said(first))
        self.end.say(self._days.said(last))
        for handle, edge in ((self.start, first), (self.end, last)):
            handle.move(round(self._x(edge) - handle.width() / 2), TOP_PX - HANDLE_OVER_PX)
        self.update()

    # Changing the range.

    def _set(self, first: int, last: int) -> None:
        most = self._days.bins
        first = max(0, min(most - 1, first))
        last = max(first + 1, min(most, last))
        if (first, last) != self.bounds:
            self._range = None if (first, last) == (0, most) else (first, last)
            self._settle()
            self.changed.emit(self.since, self.until)

    def _move_to(self, place: int, edge: int) -> None:
        """Move one handle to an edge; it stops before the other."""
        self._stop()
        first, last = self.bounds
        if place == 0:
            self._set(min(edge, last - 1), last)
        else:
            self._set(first, max(edge, first + 1))

    def _step(self, place: int, by: int | None) -> None:
        edge = (0, self._days.bins)[place] if by is None else self.bounds[place] + by
        self._move_to(place, edge)

    # Playing.

    def _show_play(self, icon: str, tip: str) -> None:
        self.play.set_icon(icon)
        self.play.set_tip(tip)

    def _toggle_play(self) -> None:
        if self._clock.isActive():
            self._stop()
            return
        first, last = self.bounds
        if last == self._days.bins:
            self._set(first, first + self._pace())
        self._show_play("pause", tr(PAUSE))
        self._clock.start()

    def _pace(self) -> int:
        return max(1, round(self._days.bins / STEPS))

    def _play_on(self) -> None:
        first, last = self.bounds
        self._set(first, last + self._pace())
        if self.bounds[1] == self._days.bins:
            self._stop()

    def _stop(self) -> None:
        self._clock.stop()
        self._show_play("play", tr(PLAY))

    # Pointer on the bars.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to drag the range, or move the nearer handle here."""
        self._stop()
        edge = self._bin_edge(event.position().x())
        first, last = self.bounds
        if first < edge < last and (first, last) != (0, self._days.bins):
            self._drag = (event.position().x(), first, last)
        else:
            self._held = 0 if abs(edge - first) <= abs(edge - last) else 1
            self._move_to(self._held, edge)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the full range, or the handle that was moved to the pointer."""
        if self._held is not None:
            self._move_to(self._held, self._bin_edge(event.position().x()))
        if self._drag is None:
            return
        x, first, last = self._drag
        by = round((event.position().x() - x) / self._bin_px())
        by = max(-first, min(self._days.bins - last, by))
        self._set(first + by, last + by)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the full time axis again."""
        self._set(0, self._days.bins)

    # Places and painting.

    def _axis(self) -> QRectF:
        return QRectF(START_PX, TOP_PX, max(40, self.width() - START_PX - PAD_PX - SAID_PX), BARS_PX)

    def _bin_px(self) -> float:
        return self._axis().width() / self._days.bins

    def _x(self, edge: int) -> float:
        return self._axis().x() + edge * self._bin_px()

    def _bin_edge(self, x: float) -> int:
        return round((x - self._axis().x()) / self._bin_px())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the handles for the new width."""
        super().resizeEvent(event)
        self.play.setGeometry(PAD_PX, TOP_PX + (BARS_PX - PLAY_PX) // 2, PLAY_PX, PLAY_PX)
        self._settle()

    def sizeHint(self) -> QSize:
        """Return the design's height."""
        return QSize(400, HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the hairline, the range's tint, bars, axis, and the range in words."""
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, c("line"))
        axis, (first, last) = self._axis(), self.bounds
        painter.fillRect(
            QRectF(self._x(first), axis.y(), self._x(last) - self._x(first), BARS_PX), c("accbg")
        )
        painter.fillRect(QRectF(axis.x(), axis.bottom(), axis.width(), 1), c("line2"))
        self._paint_bars(painter, first, last)
        self._paint_labels(painter, axis)
        self._paint_said(painter, axis)

    def _paint_bars(self, painter: QPainter, first: int, last: int) -> None:
        most, wide = max(self._days.counts, default=0), self._bin_px()
        inside, outside = mix(c("t3"), c("stage"), BARS_SHARE + 0.25), mix(c("t3"), c("stage"), 0.25)
        gap = 1 if wide >= 4 else 0
        for bin, count in enumerate(self._days.counts):
            if count:
                high = max(2, round((count / most) ** 0.5 * (BARS_PX - 4)))
                thick = max(1.0, min(BAR_AT_MOST_PX, wide - 2 * gap))
                bar = QRectF(self._x(bin) + (wide - thick) / 2, TOP_PX + BARS_PX - high, thick, high)
                painter.fillRect(bar, inside if first <= bin < last else outside)

    def _paint_labels(self, painter: QPainter, axis: QRectF) -> None:
        y = axis.bottom() + 4
        for bin, text in self._days.labels(int(axis.width() // LABEL_APART_PX)):
            at = QRectF(self._x(bin) if bin == 0 else self._x(bin) - 40, y, 80, 16)
            draw_text(painter, at, text, look.font(11), c("t3"), LEFT if bin == 0 else CENTER)
        end = QRectF(QPointF(axis.right() - 80, y), QPointF(axis.right(), y + 16))
        draw_text(painter, end, tr("Today"), look.font(11), c("t1"), RIGHT)

    def _paint_said(self, painter: QPainter, axis: QRectF) -> None:
        """Paint the range in words: “From 3 Sep”, “Before 12 Oct”, or both ends."""
        right = self.width() - PAD_PX
        lines = self._said()
        for place, (text, token) in enumerate(lines):
            y = axis.y() + 1 + 16 * place
            area = QRectF(right - SAID_PX + 14, y, SAID_PX - 14, 16)
            draw_text(painter, area, text, look.font(11), c(token), RIGHT)

    def _said(self) -> tuple[tuple[str, str], ...]:
        first, last = self.bounds
        if self._range is None:
            return ((tr("All of"), "t3"), (tr("the time"), "t1"))
        if last == self._days.bins:
            return ((tr("From"), "t3"), (self._days.said(first), "t1"))
        if first == 0:
            return ((tr("Before"), "t3"), (self._days.said(last), "t1"))
        return ((tr("{day} to", day=self._days.said(first)), "t3"), (self._days.said(last), "t1"))
