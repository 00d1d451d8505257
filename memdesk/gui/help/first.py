"""First steps on a desk: the offers on an empty desk, the tour, and their actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from memdesk.gui.frame.keys import Key
from memdesk.gui.frame.memo import Memo
from memdesk.gui.help.sheet import Help
from memdesk.gui.help.tour import Tour
from memdesk.gui.help.welcome import Welcome, show_sample
from memdesk.gui.language import tr
from memdesk.gui.session import Session


class FirstSteps(QObject):
    """Offers and tour, shown if the memo has not recorded them. parts: widgets that the tour can frame, by
    name."""

    def __init__(
        self,
        session: Session,
        memo: Memo,
        help: Help,
        parts: Mapping[str, QWidget],
        open_panel: Callable[[str], object],
    ) -> None:
        window = help.window()
        super().__init__(window)
        self.tour, self.welcome = Tour(window, memo, parts, open_panel), Welcome(window, memo, parts["stage"])
        session.status_changed.connect(self.welcome.offer)
        session.status_changed.connect(lambda _: self.tour.take_up())
        self.welcome.sample_asked.connect(show_sample)
        self.welcome.import_asked.connect(lambda: open_panel("transfer"))
        self.welcome.connect_asked.connect(lambda: help.open("connect"))

    def commands(self) -> Iterator[Key]:
        """Yield the commands for the search."""
        yield Key(says=tr("Tour of the window"), act=self.tour.begin)
        yield Key(says=tr("First steps"), act=self.welcome.open)

    def step_back(self) -> bool:
        """Handle Esc; returns False while neither is shown."""
        return self.welcome.step_back() or self.tour.step_back()
