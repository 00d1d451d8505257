"""Layouts: rows, columns, flat surfaces, sections and scroll areas; forms that are saved or cancelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.explaining import explain
from memdesk.gui.widgets.field import Area, Field
from memdesk.gui.widgets.paint import box
from memdesk.gui.widgets.text import Text


class Flow(QLayout):
    """Layout that places items side by side, each in the middle of its line, and wraps them to the width. gap: px
    between items and between lines."""

    def __init__(self, *items: QWidget, gap: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)
        for item in items:
            self.addWidget(item)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return the item at an index, None if out of range."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove and return an item, None if out of range."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        """Return True: the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        return self._laid(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._laid(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the height of the highest item; an item wider than the layout is cut."""
        margins = self.contentsMargins()
        high = max((item.minimumSize().height() for item in self._items), default=0)
        return QSize(0, high + margins.top() + margins.bottom())

    def _laid(self, rect: QRect, *, move: bool) -> int:
        lines: list[list[tuple[QLayoutItem, QRect]]] = [[]]
        margins = self.contentsMargins()
        rect = rect.marginsRemoved(margins)
        x, y, high = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            size = QSize(min(hint.width(), rect.width()), hint.height())
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, high = rect.x(), y + high + self._gap, 0
                lines.append([])
            lines[-1].append((item, QRect(QPoint(x, y), size)))
            x += size.width() + self._gap
            high = max(high, size.height())
        for line in lines if move else ():
            tall = max((place.height() for _, place in line), default=0)
            for item, place in line:
                item.setGeometry(place.translated(0, (tall - place.height()) // 2))
        return y + high - rect.y() + margins.top() + margins.bottom()


Item = QWidget | QLayout | int | None
"""Argument of row() and column(): a widget, a layout, px of space, or None for the stretch that takes the
rest."""

Margins = tuple[int, int, int, int]
NONE: Margins = (0, 0, 0, 0)


def _fill(
    layout: QBoxLayout, items: tuple[Item, ...], gap: int, margins: Margins, stretch: QWidget | QLayout | None
) -> None:
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item, int(item is stretch))
        else:
            layout.addWidget(item, int(item is stretch))


def row(
    *items: Item, gap: int = 8, margins: Margins = NONE, stretch: QWidget | QLayout | None = None
) -> QHBoxLayout:
    """Return a layout of items side by side. gap in px; margins left, top, right, bottom. stretch: the item that takes
    the rest."""
    layout = QHBoxLayout()
    _fill(layout, items, gap, margins, stretch)
    return layout


def column(
    *items: Item, gap: int = 8, margins: Margins = NONE, stretch: QWidget | QLayout | None = None
) -> QVBoxLayout:
    """Return a layout of items from top to bottom. gap in px; margins left, top, right, bottom. stretch: the item that
    takes the rest."""
    layout = QVBoxLayout()
    _fill(layout, items, gap, margins, stretch)
    return layout


def laid_out(layout: QLayout) -> QWidget:
    """Return a widget that has only a layout."""
    made = QWidget()
    made.setLayout(layout)
    return made


def pages(*widgets: QWidget) -> QStackedWidget:
    """Return a stack of widgets that shows the first."""
    made = QStackedWidget()
    for each in widgets:
        made.addWidget(each)
    return made


def delayed(then: Callable[[], object], parent: QObject | None = None) -> QTimer:
    """Return a timer that calls a function once, after the delay it is started with."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.timeout.connect(then)
    return timer


class Ground(QWidget):
    """A flat surface in a token's colour with hairlines on the edges asked for, named as in "bottom right".

    radius: of a card's corners, px. rim: token of the line around a card, if any. opacity: of a cover of what is
    below, from 0 to 1."""

    def __init__(
        self,
        token: str = "stage",
        edges: str = "",
        layout: QLayout | None = None,
        *,
        height: int = 0,
        width: int = 0,
        radius: int = 0,
        rim: str = "",
        opacity: float = 1.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._token, self._radius, self._rim, self._opacity = token, radius, rim, opacity
        self.set_edges(edges)
        if layout is not None:
            self.setLayout(layout)
        if height:
            self.setFixedHeight(height)
        if width:
            self.setFixedWidth(width)

    def set_token(self, token: str) -> None:
        """Change the ground's colour."""
        self._token = token
        self.update()

    def set_edges(self, edges: str) -> None:
        """Draw the hairlines at other edges."""
        self._edges = frozenset(edges.split())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the surface, then draw the hairlines."""
        painter = QPainter(self)
        painter.setOpacity(self._opacity)
        if self._radius:
            box(
                painter,
                QRectF(self.rect()),
                self._radius,
                c(self._token),
                c(self._rim) if self._rim else None,
            )
            return
        painter.fillRect(self.rect(), c(self._token))
        wide, high = self.width(), self.height()
        lines = {
            "top": QRect(0, 0, wide, 1),
            "bottom": QRect(0, high - 1, wide, 1),
            "left": QRect(0, 0, 1, high),
            "right": QRect(wide - 1, 0, 1, high),
        }
        for edge in self._edges:
            painter.fillRect(lines[edge], c("line"))


def rule(vertical: bool = False) -> Ground:
    """Return a hairline between two parts."""
    return Ground("line", width=1) if vertical else Ground("line", height=1)


class Section(Ground):
    """A part of the inspector: a heading, a note or link at the right, its content, a hairline below.

    The content is the `body` layout; `heading` and `note` are Texts."""

    def __init__(
        self,
        heading: str = "",
        note: QWidget | str = "",
        *items: Item,
        token: str = "panel",
        edges: str = "bottom",
        gap: int = 6,
        margins: Margins = (16, 12, 16, 14),
    ) -> None:
        self.heading = Text(heading, 12, "t2", weight=600)
        self.note = Text(note, 11, "t3") if isinstance(note, str) else note
        self.body = column(*items, gap=gap)
        head = row(self.heading, None, self.note)
        parts: tuple[Item, ...] = (head, self.body) if heading else (self.body,)
        super().__init__(token, edges, column(*parts, gap=8, margins=margins))
        self.setAccessibleName(heading)
        explain(self.heading, heading)
        explain(self, heading, with_tip=False)


class Scroll(QScrollArea):
    """Content taller than its area, with a thin bar. Its width follows the area's; it never scrolls sideways."""

    def __init__(self, content: QWidget, token: str = "stage") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setViewport(Ground(token))
        self.setWidget(content)
        content.setAutoFillBackground(False)
        content.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep at least the content's minimum width."""
        if isinstance(watched, QWidget) and event.type() == QEvent.Type.LayoutRequest:
            self.setMinimumWidth(watched.minimumSizeHint().width())
        return super().eventFilter(watched, event)


class Form(Section):
    """Heading, fields and two buttons. Signals: saved carries the request made from the fields; cancelled.

    first: the field that is filled in first; without one, Cancel gets the keyboard. needs: fields that need words;
    lacks: the error of each, in the same order, if it is another than “It needs words.” icon, keys, edges: of the
    save button and the section."""

    saved = Signal(object)
    cancelled = Signal()

    def __init__(
        self,
        heading: str,
        save: str,
        *items: Item,
        first: QWidget | None = None,
        needs: Sequence[Field | Area] = (),
        lacks: Sequence[str] = (),
        icon: str = "",
        keys: str = "Ctrl S",
        edges: str = "bottom",
    ) -> None:
        self._first = first
        self._needs = dict(zip(needs, lacks or [tr("It needs words.")] * len(needs), strict=True))
        self.save = Control("primary", save, icon, keys=keys)
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        super().__init__(heading, "", *items, row(self.save, self.cancel, None), edges=edges, gap=10)
        self.setProperty("form", True)
        self._blank = self._typed()
        self.save.clicked.connect(self.submit)
        self.cancel.clicked.connect(lambda: self.cancelled.emit())
        for field in self._needs:
            typed = field.changed if isinstance(field, Area) else field.textChanged
            typed.connect(lambda _, field=field: field.set_error())

    def begin(self) -> None:
        """Put the cursor at the end of the field that is filled in first."""
        first = self._first or self.cancel
        first.setFocus()
        if isinstance(first, Area):
            first.editor.moveCursor(QTextCursor.MoveOperation.End)

    def asked(self) -> object | None:
        """Return the request made from the fields; None if nothing would change."""
        raise NotImplementedError

    @property
    def begun(self) -> bool:
        """True if the form contains input that closing the window would lose: by default, other text than at first."""
        return self._typed() != self._blank

    def _typed(self) -> list[str]:
        lines = [each.text() for each in self.findChildren(QLineEdit)]
        return lines + [each.toPlainText() for each in self.findChildren(QPlainTextEdit)]

    def check(self) -> bool:
        """Return True if the input is valid; otherwise show each error at its field."""
        empty = [field for field in self._needs if not field.text().strip()]
        for field, wrong in self._needs.items():
            field.set_error(wrong if field in empty else "")
        return not empty

    def submit(self) -> None:
        """Emit `saved` with the request if the input is valid, or `cancelled` if nothing would change."""
        if not self.check():
            return
        asked = self.asked()
        if asked is None:
            self.cancelled.emit()
        else:
            self.saved.emit(asked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save with Ctrl+S; the window handles Esc."""
        if event.matches(QKeySequence.StandardKey.Save):
            self.submit()
        else:
            super().keyPressEvent(event)


def changed_fields(was: object, **now: Any) -> dict[str, Any]:
    """Return the values that differ from the fields of a record, by name."""
    return {name: value for name, value in now.items() if value != getattr(was, name)}


class FormStack(QStackedWidget):
    """Stack of pages, or a form over them. The signal `closed` is emitted before a form that had the keyboard
    focus is removed."""

    closed = Signal()

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self.form: Form | None = None
        for page in pages:
            self.addWidget(page)
        self._page = pages[0]

    def show_page(self, page: QWidget) -> None:
        """Show a page, at once or after the open form is closed."""
        self._page = page
        if self.form is None:
            self.setCurrentWidget(page)

    def open_form(self, form: Form, saved: Callable[[Any], object]) -> None:
        """Put a form over the page, closing any other form. saved: called with the form's request."""
        self.close_form()
        self.form = form
        form.saved.connect(saved)
        form.cancelled.connect(self.close_form)
        over = Scroll(Ground("panel", layout=column(form, None, gap=0)), "panel")
        self.addWidget(over)
        self.setCurrentWidget(over)
        form.begin()

    def close_form(self) -> bool:
        """Close the form; returns True if there was one."""
        over = self.currentWidget()
        if self.form is None or over is None:
            return False
        self.form = None
        focus = QApplication.focusWidget()
        had_focus = focus is not None and over.isAncestorOf(focus)
        if focus is not None and had_focus:
            # Or Qt hands the keyboard to the window's first button, which a screen reader then reads out.
            focus.clearFocus()
        self.setCurrentWidget(self._page)
        if had_focus:
            self.closed.emit()
        self.removeWidget(over)
        over.deleteLater()
        return True
