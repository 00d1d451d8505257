"""Detail view next to a list: the selected record, its related records, and the actions for it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout

from memdesk.gui.language import tr
from memdesk.gui.panels.conversations.conversation_aside import AsideLine, Beside, Item
from memdesk.gui.session import Session
from memdesk.gui.widgets import ActionBar, Empty, FormStack, Ground, column

CONVERSATION = "conversation:"
"""Prefix of a conversation id in the `opens` of a line."""


class RecordAside(Ground):
    """Base of detail views. Subclasses provide the head and the actions, and return from `shown_acts` those
    available now.

    Signals: led carries the target of a line; talked, the id of a conversation. `acts` has the signal of the
    actions."""

    led = Signal(str)
    talked = Signal(str)

    def __init__(
        self, session: Session, head: QLayout, acts: ActionBar, *, name: str, nothing: Empty
    ) -> None:
        """Create the view. name: of the details, for a screen reader. nothing: shown while no record is
        selected."""
        self._session, self._nothing = session, nothing
        self.details, self.acts = Beside(), acts
        super().__init__("panel")
        self.details.setAccessibleName(name)
        layout = column(head, self.details, self.acts, gap=0)
        layout.setStretchFactor(self.details, 1)
        self._told = Ground("panel", layout=layout)
        self.stack = FormStack(nothing, self._told)
        self.setLayout(column(self.stack, gap=0))
        self.details.opened.connect(self._open)
        session.away.connect(lambda _: self._show_acts())
        session.back.connect(self._show_acts)

    def show_nothing(self) -> None:
        """Show that no record is selected."""
        self.acts.show_acts((), lambda _: "")
        self.stack.show_page(self._nothing)

    def show_details(self, lines: Sequence[AsideLine]) -> None:
        """Show the details of a record whose head is already set. An open form stays on top."""
        self.details.show_lines(lines)
        self._show_acts()
        self.stack.show_page(self._told)
        self.acts.arrived()

    def shown_acts(self) -> tuple[str, ...]:
        """Return the actions available for the record shown; none if there is no record."""
        raise NotImplementedError

    def _show_acts(self) -> None:
        why_not = tr("The service is away; nothing can be changed.") if self._session.is_away else ""
        self.acts.show_acts(self.shown_acts(), lambda _: why_not)

    def _open(self, line: AsideLine) -> None:
        opens = line.opens if isinstance(line, Item) else ""
        if opens.startswith(CONVERSATION):
            self.talked.emit(opens.removeprefix(CONVERSATION))
        elif opens:
            self._lead(opens)

    def _lead(self, opens: str) -> None:
        self.led.emit(opens)
