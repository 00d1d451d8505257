"""Brush over the timeline's bars, to choose a range by pointer and keyboard."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.inspectors import fields
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import ring_on_focus
from memdesk.gui.widgets.paint import CENTER, LEFT, box, draw_text, text_width
from memdesk.model.history import Histogram

PAD_PX = 20
TOP_PX = 4
PLOT_PX = 84
LABEL_PX = 20
OUTSIDE = 0.42
BAR_AT_MOST_PX = 24
"""Greatest width of a bar. OUTSIDE is the share of its colour that a bar outside the range keeps."""

Range = tuple[datetime | None, datetime | None]
"""Start and end; None means from the beginning, or until now."""
EVERYTHING: Range = (None, None)


class Bars(QWidget):
    """Chart of a Histogram with a range. Brush adds changing the range."""

    def __init__(self) -> None:
        super().__init__()
        self._histogram: Histogram | None = None
        self._hidden: Collection[str] = ()
        self._range: Range = EVERYTHING
        self.setFixedHeight(TOP_PX + PLOT_PX + LABEL_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Changes over time"))

    # What it shows.

    def show_histogram(self, histogram: Histogram, hidden: Collection[str] = ()) -> None:
        """Show other counts; the range stays. hidden: operations to leave out."""
        self._histogram, self._hidden = histogram, hidden
        self._describe()
        self.update()

    def range(self) -> Range:
        return self._range

    def set_range(self, chosen: Range) -> None:
        """Set the range without a signal."""
        self._range = chosen
        self._describe()
        self.update()

    def words(self) -> str:
        """Return the range as “6 Nov to 20 Nov”; empty for the full range."""
        if self._range == EVERYTHING or self._histogram is None:
            return ""
        first, end = self._edges()
        last = self._time(end) - timedelta(seconds=1)
        until = formatting.day(min(last, datetime.now(UTC)))
        return tr("{first} to {last}", first=formatting.day(self._time(first)), last=until)

    def _describe(self) -> None:
        words = self.words()
        self.setAccessibleDescription(tr("Showing {what}", what=words) if words else tr("Showing everything"))

    # Buckets and places.

    def _count(self) -> int:
        return len(self._histogram.counts) if self._histogram else 0

    def _time(self, bucket: int) -> datetime:
        assert self._histogram is not None
        return self._histogram.start + timedelta(seconds=bucket * self._histogram.step_s)

    def _bucket_of(self, when: datetime) -> int:
        assert self._histogram is not None
        return round((when - self._histogram.start).total_seconds() / self._histogram.step_s)

    def _edges(self) -> tuple[int, int]:
        """Return the range as bucket numbers: the first, and one past the last."""
        after, before = self._range
        first = 0 if after is None else max(0, min(self._count() - 1, self._bucket_of(after)))
        end = self._count() if before is None else min(self._count(), self._bucket_of(before))
        return first, max(first + 1, end)

    def _plot(self) -> QRectF:
        return QRectF(PAD_PX, TOP_PX, self.width() - 2 * PAD_PX, PLOT_PX)

    def _x(self, bucket: int) -> float:
        plot = self._plot()
        return plot.x() + bucket * plot.width() / max(1, self._count())

    def _bucket_at(self, x: float) -> int:
        """Return the bucket edge nearest to an x position."""
        plot = self._plot()
        return max(0, min(self._count(), round((x - plot.x()) / plot.width() * self._count())))

    def event(self, event: QEvent) -> bool:
        """Show the counts of the bucket under the pointer in a tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._count():
            QToolTip.showText(event.globalPos(), self._said(event.pos().x()), self)
            return True
        return bool(super().event(event))

    def _said(self, x: float) -> str:
        plot = self._plot()
        bucket = int((x - plot.x()) / plot.width() * self._count())
        if self._histogram is None or not 0 <= bucket < self._count():
            return ""
        counts = zip(self._histogram.operations, self._histogram.counts[bucket], strict=True)
        lines = [
            f"{fields.word(op)} {number:,}" for op, number in counts if number and op not in self._hidden
        ]
        since = tr("From {time}", time=formatting.minute(self._time(bucket)))
        return "\n".join((since, *(lines or [tr("Nothing")])))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background of the range, the bars, the handles, and the days below."""
        painter = QPainter(self)
        if self._histogram is None or not self._count():
            return
        plot = self._plot()
        first, end = self._edges()
        chosen = self._range != EVERYTHING
        if chosen:
            painter.fillRect(
                QRectF(self._x(first), 0, self._x(end) - self._x(first), plot.bottom()), c("accbg")
            )
        self._paint_bars(painter, plot, first, end)
        painter.fillRect(QRectF(plot.x(), plot.bottom(), plot.width(), 1), c("line2"))
        self._paint_days(painter, first, end, chosen=chosen)
        if chosen:
            self._paint_handle(painter, self._x(first))
            self._paint_handle(painter, self._x(end))

    def _shown(self) -> list[tuple[int, str]]:
        assert self._histogram is not None
        return [(place, op) for place, op in enumerate(self._histogram.operations) if op not in self._hidden]

    def _paint_bars(self, painter: QPainter, plot: QRectF, first: int, end: int) -> None:
        assert self._histogram is not None
        shown = self._shown()
        counts = self._histogram.counts
        totals = [sum(bucket[place] for place, _ in shown) for bucket in counts]
        most = max(totals, default=0) or 1
        tones = {op: fields.fill(op) for _, op in shown}
        faint = {op: look.mix(tone, c("stage"), OUTSIDE) for op, tone in tones.items()}
        for bucket, numbers in enumerate(counts):
            left, right = self._bar(bucket)
            bottom = plot.bottom()
            fills = tones if first <= bucket < end else faint
            # By the square root, or one import would flatten all other days.
            whole = (totals[bucket] / most) ** 0.5 * (plot.height() - 2)
            for place, op in shown:
                high = numbers[place] / (totals[bucket] or 1) * whole
                # What happened at all is seen, however rare it is beside the rest.
                high = max(1.5, high) if numbers[place] else 0
                painter.fillRect(QRectF(left, bottom - high, max(1, right - left), high), fills[op])
                bottom -= high

    def _bar(self, bucket: int) -> tuple[int, int]:
        """Return the left and right edge of a bucket's bar, in px. The width is limited, for a new desk with
        few buckets."""
        left, right = round(self._x(bucket)), round(self._x(bucket + 1)) - 1
        spare = max(0, right - left - BAR_AT_MOST_PX) // 2
        return left + spare, right - spare

    def _paint_handle(self, painter: QPainter, x: float) -> None:
        plot = self._plot()
        painter.fillRect(QRectF(round(x) - 1, 0, 2, plot.bottom()), c("acc"))
        box(painter, QRectF(round(x) - 4, plot.center().y() - 8, 7, 18), 2, c("acc"))

    def _paint_days(self, painter: QPainter, first: int, end: int, *, chosen: bool) -> None:
        face, bold = look.font(11), look.font(11, 600)
        top = self._plot().bottom() + 4
        taken: tuple[float, float] | None = None
        if chosen:
            words = self.words()
            wide = text_width(words, bold) + 8
            middle = (self._x(first) + self._x(end)) / 2
            left = max(PAD_PX, min(middle - wide / 2, self.width() - PAD_PX - wide))
            draw_text(painter, QRectF(left, top, wide, 16), words, bold, c("acc"), CENTER)
            taken = (left, left + wide)
        for x, words in self._labels():
            wide = text_width(words, face)
            if taken is None or x + wide < taken[0] or x > taken[1]:
                draw_text(painter, QRectF(x, top, wide + 2, 16), words, face, c("t3"), LEFT)

    def _labels(self) -> Iterator[tuple[float, str]]:
        """Yield the position and text of the day labels: the first day, then the first of each month, or
        single days if the time shown is at most 45 days."""
        months = self._count() * (self._histogram.step_s if self._histogram else 0) > 45 * formatting.DAY
        right = -100.0
        last: datetime | None = None
        for bucket in range(self._count()):
            day = formatting.local(self._time(bucket))
            starts = last is not None and (day.month != last.month if months else day.date() != last.date())
            x = self._x(bucket)
            words = formatting.day(day)
            fits = x > right + 28 and x + 48 < self.width() - PAD_PX + 20
            if (last is None or starts) and fits:
                yield x, words
                right = x + text_width(words, look.font(11))
            last = day


GRAB_PX = 6
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Backspace)

DragTarget = Literal["new", "from", "to", "both"]
"""Target of a drag: a new range, the start or end handle, or the entire range."""


class Brush(Bars):
    """Bars with a range that a person can change: drag to choose a range, drag its handles or its middle to
    change it, double click for the full range.

    By keyboard: Left and Right move the range by a bucket, with Shift its end, with Alt its beginning;
    Backspace chooses the full range. The signal `ranged` carries the range when a person has changed it."""

    ranged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._hold: DragTarget | None = None
        self._held_at = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _choose(self, first: int, end: int) -> None:
        """Set the range to the buckets from `first` to before `end`; a range at an outer edge stays open
        there, to include new events."""
        first, end = max(0, first), min(self._count(), max(first + 1, end))
        after = None if first <= 0 else self._time(first)
        self.set_range((after, None if end >= self._count() else self._time(end)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging a handle, the range, or a new range."""
        if not self._count() or event.button() != Qt.MouseButton.LeftButton:
            return
        self._hold = self._what_is_at(event.position().x())
        self._held_at = self._bucket_at(event.position().x())
        self._began = self._edges()

    def _what_is_at(self, x: float) -> DragTarget:
        first, end = self._edges()
        if self._range == EVERYTHING:
            return "new"
        if abs(x - self._x(first)) <= GRAB_PX:
            return "from"
        if abs(x - self._x(end)) <= GRAB_PX:
            return "to"
        return "both" if self._x(first) < x < self._x(end) else "new"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue a drag; otherwise show by the cursor what a drag would change."""
        if not self._count():
            return
        x = event.position().x()
        if self._hold is None:
            self._show_cursor(self._what_is_at(x))
            return
        here = self._bucket_at(x)
        first, end = self._began
        match self._hold:
            case "new":
                self._choose(min(here, self._held_at), max(here, self._held_at))
            case "from":
                self._choose(min(here, end - 1), end)
            case "to":
                self._choose(first, max(here, first + 1))
            case "both":
                by = max(-first, min(self._count() - end, here - self._held_at))
                self._choose(first + by, end + by)

    def _show_cursor(self, hold: DragTarget) -> None:
        cursors = {"new": Qt.CursorShape.CrossCursor, "both": Qt.CursorShape.OpenHandCursor}
        self.setCursor(cursors.get(hold, Qt.CursorShape.SizeHorCursor))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag and send the range; a click without a drag sends nothing."""
        moved = self._hold is not None and self._bucket_at(event.position().x()) != self._held_at
        self._hold = None
        if moved:
            self.ranged.emit(self._range)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Choose the full range."""
        self._hold = None
        self.clear()

    def clear(self) -> None:
        """Choose the full range and send it."""
        if self._range != EVERYTHING:
            self.set_range(EVERYTHING)
            self.ranged.emit(self._range)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the range or one of its ends."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if event.key() == Qt.Key.Key_Backspace:
            self.clear()
        elif step and self._count():
            self._step(step, event.modifiers())
            self.ranged.emit(self._range)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim these keys while the brush has the focus, before the window's shortcuts."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)

    def _step(self, step: int, modifiers: Qt.KeyboardModifier) -> None:
        first, end = self._edges()
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._choose(first, max(first + 1, end + step))
        elif modifiers & Qt.KeyboardModifier.AltModifier:
            self._choose(min(end - 1, first + step), end)
        elif first + step >= 0 and end + step <= self._count():
            self._choose(first + step, end + step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring if the focus came by keyboard."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), outset=-1)
