"""Fields of one line, of several lines, or for a number on a scale; and forms of them, which are saved or cancelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.layout import Ground, Item, Scroll, Section, column, row
from memdesk.gui.widgets.paint import (
    CAP_HEIGHT_PX,
    box,
    cap_width,
    draw_text,
    key_cap,
    ring_on_focus,
    show_ring,
    text_width,
)
from memdesk.gui.widgets.text import tip_text

HEIGHT_PX = 28
WIDE_PX = 180
"""Room for about twenty letters."""
PAD_PX = 9
CLEAR = Qt.GlobalColor.transparent


def text_palette(widget: QWidget) -> QPalette:
    """Return a palette for typing: clear base over the painted frame, the tokens' text and selection."""
    made = QPalette(widget.palette())
    made.setColor(QPalette.ColorRole.Base, CLEAR)
    made.setColor(QPalette.ColorRole.Text, c("t1"))
    made.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, look.mix(c("t3"), c("ctl"), 0.6))
    made.setColor(QPalette.ColorRole.PlaceholderText, c("t3"))
    made.setColor(QPalette.ColorRole.Highlight, c("accfill"))
    made.setColor(QPalette.ColorRole.HighlightedText, c("onfill"))
    return made


def paint_frame(painter: QPainter, rect: QRectF, *, ground: str, focused: bool, wrong: bool) -> None:
    """Paint the frame of a field: control edge, or red when wrong; under the focus ring it has no edge."""
    rim = c("bad") if wrong else None if focused else c("line2")
    box(painter, rect, 5, c(ground), rim)


class Field(QLineEdit):
    """Input field of one line, 28 px high. icon: leads it. keys: key cap at the right while it is empty and
    unfocused.

    quiet: on the panel's own ground, as filters are. The signals are QLineEdit's."""

    def __init__(
        self,
        text: str = "",
        *,
        placeholder: str = "",
        name: str = "",
        icon: str = "",
        keys: str = "",
        quiet: bool = False,
        width: int = 0,
    ) -> None:
        super().__init__(text)
        self._icon, self._keys, self._error = icon, keys, ""
        self._wide = width or WIDE_PX
        self._ground = "stage" if quiet else "ctl"
        self.setFrame(False)
        self.setFont(look.font(13))
        self.setFixedHeight(HEIGHT_PX)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name or placeholder)
        if width:
            self.setFixedWidth(width)
        self._margins()
        look.keep_palette(self, self._retheme)

    def set_error(self, sentence: str = "") -> None:
        """Show the error in a few words at the right of the text, as “0 to 1”; empty if the text is valid."""
        self._error = sentence
        self.setAccessibleDescription(sentence)
        self.setToolTip(tip_text(sentence))
        self._margins()
        self.update()

    def error(self) -> str:
        """Return the error shown now, or an empty text."""
        return self._error

    def _margins(self) -> None:
        left = PAD_PX + (24 if self._icon else 0) - 2
        right = text_width(self._error, look.font(11)) + 16 if self._error else PAD_PX - 2
        right = max(right, cap_width(self._keys) + 12) if self._keys else right
        # QLineEdit adds 2 px of its own at each side.
        self.setTextMargins(left, 0, right, 1)

    def _retheme(self) -> None:
        self.setPalette(text_palette(self))

    def sizeHint(self) -> QSize:
        return QSize(self._wide, HEIGHT_PX)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring for every reason of focus."""
        super().focusInEvent(event)
        show_ring(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame, the line edit's own text, then icon, key cap or error."""
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.6)
        rect = QRectF(self.rect())
        paint_frame(painter, rect, ground=self._ground, focused=self.hasFocus(), wrong=bool(self._error))
        if self._icon:
            icons.paint(painter, self._icon, QPointF(PAD_PX, 6), "t3")
        if self._error:
            self._paint_error(painter, rect)
        elif self._keys and not self.text() and not self.hasFocus():
            at = QPointF(rect.right() - 7 - cap_width(self._keys), (HEIGHT_PX - CAP_HEIGHT_PX) / 2)
            key_cap(painter, at, self._keys)
        painter.end()
        super().paintEvent(event)

    def _paint_error(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the error right behind the text, or at the right edge if the text is long."""
        face = look.font(11)
        typed = PAD_PX + (24 if self._icon else 0) + text_width(self.text(), self.font()) + 9
        x = min(typed, rect.right() - PAD_PX - text_width(self._error, face))
        draw_text(painter, QRectF(x, 0, rect.right() - x, rect.height()), self._error, face, c("bad"))


class Area(QWidget):
    """Input field of several lines. lines: height in lines; it scrolls beyond that.

    `editor` is the QPlainTextEdit; the signal `changed` carries the text."""

    changed = Signal(str)

    def __init__(
        self,
        text: str = "",
        *,
        placeholder: str = "",
        name: str = "",
        lines: int = 3,
        mono: bool = False,
        tab_moves_on: bool = True,
    ) -> None:
        super().__init__()
        self._error = ""
        self.editor = QPlainTextEdit(text)
        self.editor.setFrameShape(QFrame.Shape.NoFrame)
        self.editor.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.editor.setFont(look.font(12, mono=True) if mono else look.font(13))
        self.editor.setPlaceholderText(placeholder)
        self.editor.setTabChangesFocus(tab_moves_on)
        self.editor.setAccessibleName(name or placeholder)
        self.editor.document().setDocumentMargin(0)
        self.editor.textChanged.connect(lambda: self.changed.emit(self.editor.toPlainText()))
        self.editor.installEventFilter(self)
        self.setFocusProxy(self.editor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(lines * self.editor.fontMetrics().lineSpacing() + 16)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(PAD_PX + 1, 8, 3, 8)
        inside.addWidget(self.editor)
        look.keep_palette(self.editor, self._retheme)

    def text(self) -> str:
        return self.editor.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace the text; the undo history starts empty."""
        self.editor.setPlainText(text)

    def set_error(self, sentence: str = "") -> None:
        """Mark the text as wrong, with the reason in the tool tip; empty if the text is valid."""
        self._error = sentence
        self.editor.setAccessibleDescription(sentence)
        self.setToolTip(tip_text(sentence))
        self.update()

    def _retheme(self) -> None:
        self.editor.setPalette(text_palette(self.editor))
        self.editor.viewport().setAutoFillBackground(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ring the frame while the editor has the focus."""
        if event.type() == QEvent.Type.FocusIn:
            show_ring(self, focus=self.editor)
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        focused = self.editor.hasFocus()
        wrong = bool(self._error)
        paint_frame(QPainter(self), QRectF(self.rect()), ground="ctl", focused=focused, wrong=wrong)


STEPS = 20
WIDTH_PX = 76
KNOB_PX = 10


class Slider(QSlider):
    """Slider with QSlider's signals and steps; `share` is its value from 0 to 1.

    lit: the lit side of the knob: `above` for values that pass a threshold, `below` for an amount."""

    def __init__(self, name: str, share: float = 0.0, *, lit: Literal["above", "below"] = "below") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        # The style sheet fills the groove on this side of the knob.
        self.setProperty("lit", lit)
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 4)
        self.setFixedSize(WIDTH_PX, 20)
        self.setAccessibleName(name)
        self.set_share(share)

    @property
    def share(self) -> float:
        """Present value, 0 to 1."""
        return self.value() / STEPS

    def set_share(self, share: float) -> None:
        """Move the knob to the nearest step."""
        self.setValue(round(share * STEPS))

    def _go_to(self, x: float) -> None:
        self.set_share((x - KNOB_PX / 2) / (self.width() - KNOB_PX))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the pointer."""
        self._go_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        self._go_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Do nothing, so that the value stays as it was set."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason())


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
