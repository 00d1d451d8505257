"""Beside a list: the chosen record whole, what it hangs together with, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout

from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.talks.aside import AsideLine, Beside, Item
from memdesk.gui.widgets import Acts, Empty, FormStack, Ground, column

CONVERSATION = "conversation:"
"""Before the id of a conversation, in what a line opens."""


class RecordAside(Ground):
    """Subclasses bring the head and the acts, and say by `shown_acts` which of them make sense now.

    Signals: led carries what a line leads to; talked, the id of a conversation. The acts' own signal is in `acts`."""

    led = Signal(str)
    talked = Signal(str)

    def __init__(self, session: Session, head: QLayout, acts: Acts, *, name: str, nothing: Empty) -> None:
        """name: of the details, for a screen reader. nothing: shown while no record is chosen."""
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
        """No record is chosen."""
        self.acts.show_acts((), lambda _: "")
        self.stack.show_page(self._nothing)

    def show_details(self, lines: Sequence[AsideLine]) -> None:
        """One record, the head of which is written already. A form that is open stays over it."""
        self.details.show_lines(lines)
        self._show_acts()
        self.stack.show_page(self._told)
        self.acts.arrived()

    def shown_acts(self) -> tuple[str, ...]:
        """The acts that make sense for the record that is shown; none where there is none."""
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
