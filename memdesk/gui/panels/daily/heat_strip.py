"""Thirteen weeks as a heat strip: one cell per day, Monday at the top, stronger colour for more entries; with months,
weekdays and the scale of its colours."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from memdesk.gui import look
from memdesk.gui.formatting import PATTERN, date_of, dated, long_date, month
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Control, ring_on_focus
from memdesk.gui.widgets.columns import ROOT, Index
from memdesk.gui.widgets.paint import box, draw_text

WEEK = timedelta(days=7)
A_MONDAY = date(2024, 1, 1)


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def short(day: date, today: date) -> str:
    """Return “18 Nov”, with the year if it is not this year."""
    return date_of(day, today=today)


def full(day: date, today: date) -> str:
    """Return “Wednesday 18 November”, with the year if it is not this year."""
    same = day.year == today.year
    return dated(day, tr("dddd d MMMM", PATTERN)) if same else long_date(day)


def brief(day: date, today: date) -> str:
    """Return “Wed 18 Nov”, for narrow bars, with the year if it is not this year."""
    same = day.year == today.year
    return dated(day, tr("ddd d MMM", PATTERN) if same else tr("ddd d MMM yyyy", PATTERN))


def weekday_name(number: int) -> str:
    """Return “Mon” for 0."""
    return dated(A_MONDAY + timedelta(days=number), "ddd")


WEEKS, SHOWN_WEEKDAYS = 13, 7
PITCH_X, PITCH_Y = 30, 18
CELL_X, CELL_Y = 27, 15
FAINTEST = 0.12
"""Value of a single entry on the scale, so that it differs visibly from none."""
USUAL, DWARFS = 0.95, 3
"""Percentile of usual days, and the factor above it at which the busiest day no longer sets the scale."""
STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Left: -7,
    Qt.Key.Key_Right: 7,
    Qt.Key.Key_PageUp: -7 * WEEKS,
    Qt.Key.Key_PageDown: 7 * WEEKS,
}
"""Days that a key moves by."""


def share(entries: int, most: int) -> float:
    """Return the place of a day on the sequential scale, 0 to 1."""
    return FAINTEST + (1 - FAINTEST) * min(1.0, entries / most) if entries and most else 0.0


class Days(QAbstractTableModel):
    """Weeks from left to right, weekdays from top to bottom. Qt.UserRole gives a cell's date."""

    def __init__(self) -> None:
        super().__init__()
        self.today = date.today()
        self.entries: Mapping[date, int] = {}
        self.first = monday(self.today) - (WEEKS - 1) * WEEK

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else SHOWN_WEEKDAYS

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the thirteen weeks."""
        return 0 if parent.isValid() else WEEKS

    def day(self, index: Index) -> date:
        return self.first + timedelta(days=index.column() * 7 + index.row())

    def place(self, day: date) -> QModelIndex:
        """Return the cell of a date, invalid if it is not in view."""
        passed = (day - self.first).days
        return self.index(passed % 7, passed // 7) if 0 <= passed < 7 * WEEKS else QModelIndex()

    @property
    def most(self) -> int:
        """Number of entries for the strongest colour: that of the busiest day, or the 95th percentile if the
        busiest day has more than three times as many."""
        counts = sorted(self.entries.values())
        if not counts:
            return 0
        usual = counts[round(USUAL * (len(counts) - 1))]
        return usual if counts[-1] > DWARFS * usual else counts[-1]

    @property
    def oldest(self) -> date:
        """First day that has entries; today if there is none."""
        return min(self.entries, default=self.today)

    @property
    def latest(self) -> date:
        """Last day that can be chosen."""
        return max(max(self.entries, default=self.today), self.today)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return “18 Nov, 11 entries”."""
        if not index.isValid():
            return None
        day = self.day(index)
        if role == Qt.ItemDataRole.UserRole:
            return day
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            entries = self.entries.get(day, 0)
            said = tr("%Ln entr(y|ies)", "", entries) if entries else tr("no entries")
            return f"{short(day, self.today)}, {said}"
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return weekdays and weeks, for screen readers."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return weekday_name(section)
        return tr("week of {day}", day=short(self.first + section * WEEK, self.today))


class CellPainter(QStyledItemDelegate):
    """Painter of a day: its heat, today's outline, the ring of the chosen day."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        days = index.model()
        assert isinstance(days, Days)
        day = days.day(index)
        rect = QRectF(option.rect)
        cell = QRectF(rect.x() + 1.5, rect.y() + 1.5, CELL_X, CELL_Y)
        painter.save()
        entries = days.entries.get(day, 0)
        inside = days.oldest <= day <= days.latest
        if entries:
            box(painter, cell, 3, look.sequential(share(entries, days.most)))
        else:
            box(painter, cell, 3, look.sequential(0) if inside else None, c("line2" if inside else "line"))
        if day == days.today:
            _outline(painter, cell, "t1", 1)
        if day == self._chosen():
            _outline(painter, cell.adjusted(-1, -1, 1, 1), "acc", 2)
        painter.restore()

    def _chosen(self) -> date:
        strip = self.parent()
        assert isinstance(strip, HeatStrip)
        return strip.day


def _outline(painter: QPainter, cell: QRectF, token: str, px: int) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(c(token), px))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = px / 2
    painter.drawRoundedRect(cell.adjusted(half, half, -half, -half), 3, 3)


class HeatStrip(QTableView):
    """Heat strip. `picked` carries the day a person chose; `moved` follows every change of the weeks in view.

    The arrows move by a day and by a week, Page Up and Page Down by thirteen weeks, Home and End to the ends.
    """

    picked = Signal(object)
    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.days = Days()
        self.day = self.days.today
        self.setModel(self.days)
        self.setItemDelegate(CellPainter(self))
        self.setAccessibleName(tr("Days"))
        self._shape()
        self.clicked.connect(lambda index: self._pick(self.days.day(index)))

    def _shape(self) -> None:
        for header, px in ((self.horizontalHeader(), PITCH_X), (self.verticalHeader(), PITCH_Y)):
            header.hide()
            header.setMinimumSectionSize(px)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setDefaultSectionSize(px)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(WEEKS * PITCH_X, SHOWN_WEEKDAYS * PITCH_Y)

    def show_days(self, entries: Mapping[date, int], day: date) -> None:
        """Show the number of entries per day, and the open day."""
        self.days.today = date.today()
        self.days.entries = entries
        self.day = day
        self._bring_into_view(day)
        self._mark()

    def page(self, weeks: int) -> None:
        """Show other weeks; the open day stays."""
        last = monday(self.days.latest) - (WEEKS - 1) * WEEK
        first = min(monday(self.days.oldest), last)
        self.days.first = min(last, max(first, self.days.first + weeks * WEEK))
        self._mark()

    def reaches(self) -> tuple[bool, bool]:
        """Return two booleans: True if there are earlier weeks to show, and True if there are later ones."""
        end = self.days.first + WEEKS * WEEK
        return self.days.oldest < self.days.first, self.days.latest >= end

    def _bring_into_view(self, day: date) -> None:
        newest = monday(self.days.latest) - (WEEKS - 1) * WEEK
        if not self.days.place(day).isValid():
            self.days.first = min(newest, monday(day) - (WEEKS // 2) * WEEK)
            if day >= newest:
                self.days.first = newest

    def _mark(self) -> None:
        index = self.days.place(self.day)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flags)
        self.viewport().update()
        self.moved.emit()

    def _pick(self, day: date) -> None:
        day = min(self.days.latest, max(min(self.days.oldest, self.days.first), day))
        if day != self.day:
            self.day = day
            self._bring_into_view(day)
            self._mark()
            self.picked.emit(day)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by days and weeks."""
        step = STEPS.get(Qt.Key(event.key()), 0)
        if step:
            self._pick(self.day + timedelta(days=step))
        elif event.key() == Qt.Key.Key_Home:
            self._pick(self.days.oldest)
        elif event.key() == Qt.Key.Key_End:
            self._pick(self.days.latest)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are commands, not a search."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if turned:
            self.page(-1 if turned > 0 else 1)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the strip when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), outset=5)


STRIP_HIGH_PX = 176
LEFT_PX, TOP_PX = 56, 40
NAMED_WEEKDAYS = (0, 2, 4)
"""Weekdays that are labelled: every second, from Monday to Friday."""
SWATCHES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class StripWithNames(QWidget):
    """Strip with months above it, weekdays at its left, and buttons to earlier and later weeks."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = HeatStrip()
        self.strip.setParent(self)
        self.strip.move(LEFT_PX, TOP_PX)
        self.earlier = Control("ghost", icon="left", small=True, tip=tr("Earlier weeks"))
        self.later = Control("ghost", icon="right", small=True, tip=tr("Later weeks"))
        for button, weeks in ((self.earlier, -WEEKS), (self.later, WEEKS)):
            button.setParent(self)
            button.clicked.connect(lambda _, weeks=weeks: self.strip.page(weeks))
        self.setFixedSize(LEFT_PX + WEEKS * PITCH_X + 12, STRIP_HIGH_PX)
        right = LEFT_PX + WEEKS * PITCH_X
        self.earlier.move(QPoint(right - 48, 11))
        self.later.move(QPoint(right - 24, 11))
        self.strip.moved.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        earlier, later = self.strip.reaches()
        for button, there in ((self.earlier, earlier), (self.later, later)):
            button.setVisible(earlier or later)
            button.set_enabled(there, tr("No entries beyond these weeks."))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for weekday in NAMED_WEEKDAYS:
            place = QRectF(20, TOP_PX + weekday * PITCH_Y, LEFT_PX - 20, PITCH_Y)
            draw_text(painter, place, weekday_name(weekday), look.font(11), c("t3"))
        room = self.width() - 60 if self.earlier.isVisible() else self.width()
        for week, name in self._months():
            x = LEFT_PX + week * PITCH_X + 1
            if x + 24 < room:
                draw_text(painter, QRectF(x, TOP_PX - 22, 60, 18), name, look.font(11), c("t3"))

    def _months(self) -> list[tuple[int, str]]:
        """Return the months by the week in which they begin; the first week is labelled with its own month."""
        first = self.strip.days.first
        begins = [
            (week, month(end))
            for week in range(WEEKS)
            if (end := first + week * WEEK + timedelta(days=6)).day <= 7
        ]
        if not begins or begins[0][0] > 0:
            begins.insert(0, (0, month(first)))
        return begins


class Scale(QWidget):
    """Legend of the colours, from no entries to the busiest day."""

    def __init__(self) -> None:
        super().__init__()
        self._most = 0
        self.setFixedSize(len(SWATCHES) * 15, 16)

    def show_most(self, most: int) -> None:
        """Set the number of entries of the strongest colour."""
        self._most = most
        says = tr("Entries per day, 0 to {most}", most=f"{most:,}")
        self.setAccessibleName(says)
        self.setToolTip(says)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, value in enumerate(SWATCHES):
            cell = QRectF(place * 15, 3, 14, 10)
            at = share(round(value * max(self._most, 5)), max(self._most, 5))
            box(painter, cell, 1, look.sequential(at), None if value else c("line2"))
