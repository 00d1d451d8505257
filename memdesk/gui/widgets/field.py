"""Text input fields: a single line, or several lines."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QSizePolicy, QSlider, QVBoxLayout, QWidget

from memdesk.gui import icons, look
from memdesk.gui.look import c
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
