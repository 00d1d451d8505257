"""Header of the inspector: title and id of the shown record, and the back and forward buttons."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication

from memdesk.gui.frame.terms import titled
from memdesk.gui.inspectors import operations
from memdesk.gui.inspectors.fields import short_id
from memdesk.gui.inspectors.links import KindBadge
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Ground, Icon, Text, row
from memdesk.model.browse import Inspection
from memdesk.model.history import EventRow

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
            self._icon, self._badge, self._label, self._number, None, self.back, self.forward, close,
            gap=6, margins=(16, 0, 8, 1),
        )  # fmt: skip
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
        label = titled(seen.category or seen.label) if is_fact else titled(seen.label)
        self._show(label, short_id(seen.id), seen.id, is_memory=True)

    def show_event(self, event: EventRow) -> None:
        """Show a change's operation and number."""
        self._icon.set_icon(*operations.picture(event.op))
        self._show(operations.word(event.op), f"#{event.id}", str(event.id))

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
