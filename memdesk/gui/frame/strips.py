"""Strips under the top bar: the service is away, closing would lose text, memory was lost, an action failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.frame.notice import Notice
from memdesk.gui.language import tr
from memdesk.gui.widgets import Strip, column
from memdesk.gui.widgets.tips import plain as as_tip
from memdesk.model.status import StandingNotice


class Strips(QWidget):
    """Column of strips; each is hidden until it has a message."""

    def __init__(self) -> None:
        super().__init__()
        self.away = Strip("", tr("Reconnect"), flush=True)
        self.closing = Strip("", tr("Close anyway"), flush=True)
        self.notice = Notice()
        self.standing = Strip("", tr("It is dealt with"), flush=True, examine=tr("What can be done…"))
        for strip in (self.away, self.closing, self.standing):
            strip.hide()
        self.setLayout(column(self.away, self.closing, self.standing, self.notice, gap=0))
        self.stands: StandingNotice | None = None

    def say_what_stands(self, notices: Sequence[StandingNotice]) -> None:
        """Show the first notice about lost or damaged memory that has no answer yet; the others follow one by
        one."""
        self.stands = notices[0] if notices else None
        if self.stands is not None:
            self.standing.set_sentence(self.stands.says)
            self.standing.sentence.setToolTip(as_tip(self.stands.says))
        self.standing.setVisible(self.stands is not None)

    def say_away(self, heard: datetime | None) -> None:
        """Report that the service does not answer. heard: time of its last answer, which is the state shown."""
        state = tr("Showing the state of {time}, read only.", time=times.clock(heard)) if heard else ""
        self.away.set_sentence(" ".join((tr("The service is not answering."), state)).strip())
        self.away.show()

    def say_back(self) -> None:
        """Hide the strip about the service, and the notice: the service answers again."""
        self.away.hide()
        self.notice.hide()

    def ask_closing(self, unsaved: Sequence[str]) -> None:
        """Ask before closing, naming the texts that would be lost."""
        what, more = unsaved[0], len(unsaved) - 1
        named = tr("{what} and %Ln more", "", more, what=what) if more else what
        self.closing.set_sentence(tr("Closing now loses what you wrote: {what}.", what=named))
        self.closing.show()

    def dismiss(self) -> bool:
        """Hide the visible strip that a person can dismiss. Returns True if there was one."""
        strip = next((each for each in (self.closing, self.notice) if each.isVisible()), None)
        if strip is not None:
            strip.hide()
        return strip is not None
