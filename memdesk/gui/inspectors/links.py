"""Link targets of the inspector's parts, and the marks they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.gui import icons, look
from memdesk.gui.inspectors import fields
from memdesk.gui.inspectors.fields import short_id
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised
from memdesk.gui.widgets import AgentMark, Control, Ground, Icon, Text, row
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.paint import LEFT, box, channel_square, draw_text, text_width
from memdesk.gui.widgets.text import tip_text
from memdesk.model.browse import Inspection
from memdesk.model.history import EventRow, RecordRef

OPENABLE = ("fact", "entity", "turn", "document")
DAY_FILE = re.compile(r"\d{4}-\d{2}-\d{2}[^/]*$")
LEAD_PX = 90
"""Width for “20 Nov 08:42” before a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Actions of links: open a memory, a change, a record in another panel, or a file."""

    memory: Callable[[str], object]
    event: Callable[[int], object]
    panel: Callable[[str, str], object]

    def file(self, document_id: str, path: str) -> None:
        """Open a file in its panel: a day file in the daily panel, any other in the identity panel."""
        self.panel("daily" if DAY_FILE.search(path) else "identity", document_id)

    def record(self, record: RecordRef) -> None:
        """Open a record returned by `opens`."""
        if record.kind == "document":
            self.file(record.id, record.title)
        else:
            self.memory(record.id)


def first_openable(records: Sequence[RecordRef]) -> RecordRef | None:
    """Return the first record that has its own view, None if there is none."""
    return next((record for record in records if record.kind in OPENABLE), None)


class KindBadge(QWidget):
    """Shape of a memory's kind in its channel's colour, 16 px."""

    def __init__(self) -> None:
        super().__init__()
        self._category, self._number = "fact", 0
        self.setFixedSize(16, 16)

    def show_kind(self, category: str, number: int) -> None:
        """Show a kind. number: of its channel."""
        self._category, self._number = category, number
        self.setAccessibleName(category)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shape."""
        color, _ = look.channel_color(self._number)
        icons.kind_shape(QPainter(self), QRectF(2, 2, 12, 12), self._category, color)


class LinkLine(Pressable):
    """A memory or a change as a one-line link: a mark, text that is cut if too long, a note at the right."""

    def __init__(
        self,
        text: str,
        note: str = "",
        *,
        lead: str = "",
        channel: int | None = None,
        kind: str = "",
        tip: str = "",
    ) -> None:
        super().__init__()
        self._text, self._note, self._lead, self._channel, self._kind = text, note, lead, channel, kind
        self.setFixedHeight(22)
        self.setToolTip(tip_text(tip or text))
        self.setAccessibleName(" ".join(part for part in (lead, text, note) if part))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the hover state at once."""
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint background, mark and text."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.underMouse():
            box(painter, area.adjusted(-6, 0, 6, 0), 3, c("hover"))
        x = self._paint_mark(painter)
        if self._lead:
            wide = max(LEAD_PX, text_width(self._lead, look.font(12)) + 12)
            draw_text(painter, QRectF(x, 0, wide, 22), self._lead, look.font(12), c("t3"), LEFT)
            x += wide
        note = text_width(self._note, look.font(11)) + 8 if self._note else 0
        draw_text(painter, area.adjusted(x, 0, -note, 0), self._text, look.font(12), c("t1"), LEFT)
        if self._note:
            draw_text(
                painter, area.adjusted(area.width() - note + 8, 0, 0, 0), self._note, look.font(11), c("t3")
            )

    def _paint_mark(self, painter: QPainter) -> float:
        if self._kind:
            color, _ = look.channel_color(self._channel or 0)
            icons.kind_shape(painter, QRectF(0, 6, 10, 10), self._kind, color)
            return 18
        if self._channel is not None:
            channel_square(painter, QRectF(0, 7, 8, 8).topLeft(), self._channel)
            return 16
        return 0


def author_mark(session: Session, author: str) -> AgentMark:
    name, shape, who = session.mark(author)
    return AgentMark(name, shape, who=who)


def secondary_text(text: str) -> Text:
    return Text(text, 12, "t2", wrap=True)


HEIGHT_PX = 40


class InspectorHead(Ground):
    """Header bar. Signals: went_back, went_forward, closed. A press on the id copies the full id."""

    went_back = Signal()
    went_forward = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("panel", "bottom", height=HEIGHT_PX)
        self._id = ""
        self._icon, self._badge = Icon("info", "t3"), KindBadge()
        self._label = Text(tr("Inspector"), 12, "t1", weight=600)
        self._number = Control("ghost", "", small=True)
        self.back = Control("ghost", "", "left", small=True, tip=tr("Back") + "  Alt+Left")
        self.forward = Control("ghost", "", "right", small=True, tip=tr("Forward") + "  Alt+Right")
        close = Control("ghost", "", "close", small=True, tip=tr("Close") + "  Ctrl+I")
        layout = row(
            self._icon,
            self._badge,
            self._label,
            self._number,
            None,
            self.back,
            self.forward,
            close,
            gap=6,
            margins=(16, 0, 8, 1),
        )
        self.setLayout(layout)
        self._number.clicked.connect(lambda: QApplication.clipboard().setText(self._id))
        self.back.clicked.connect(lambda: self.went_back.emit())
        self.forward.clicked.connect(lambda: self.went_forward.emit())
        close.clicked.connect(lambda: self.closed.emit())
        self.show_nothing()

    def show_memory(self, seen: Inspection, number: int) -> None:
        """Show a memory's kind and id. number: of its channel, for the colour of its shape."""
        is_fact = seen.kind == "fact"
        self._badge.show_kind(seen.category if is_fact else seen.kind, number)
        label = capitalised(seen.category or seen.label) if is_fact else capitalised(seen.label)
        self._show(label, short_id(seen.id), seen.id, is_memory=True)

    def show_event(self, event: EventRow) -> None:
        """Show a change's operation and number."""
        self._icon.set_icon(*fields.picture(event.op))
        self._show(fields.word(event.op), f"#{event.id}", str(event.id))

    def show_nothing(self) -> None:
        """Show the plain title, for an empty inspector."""
        self._icon.set_icon("info", "t3")
        self._show(tr("Inspector"), "", "")

    def show_way(self, *, back: bool, forward: bool) -> None:
        """Enable or disable the back and forward buttons."""
        self.back.set_enabled(back, tr("Nothing was shown before."))
        self.forward.set_enabled(forward, tr("Nothing was shown after."))

    def _show(self, label: str, number: str, id: str, *, is_memory: bool = False) -> None:
        self._id = id
        self._badge.setVisible(is_memory)
        self._icon.setVisible(not is_memory)
        self._label.setText(label)
        self._number.setText(number)
        self._number.setVisible(bool(number))
        self._number.setToolTip("\n".join((id, tr("Click to copy"))))
