"""The strips under the top bar: the service is away, closing would lose something, something went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.frame.notice import Notice
from memdesk.gui.language import tr
from memdesk.gui.widgets import Strip, column


class Strips(QWidget):
    """Each is hidden until there is something to say."""

    def __init__(self) -> None:
        super().__init__()
        self.away = Strip("", tr("Reconnect"), flush=True)
        self.closing = Strip("", tr("Close anyway"), flush=True)
        self.notice = Notice()
        for strip in (self.away, self.closing):
            strip.hide()
        self.setLayout(column(self.away, self.closing, self.notice, gap=0))

    def say_away(self, heard: datetime | None) -> None:
        """The service does not answer; what is shown is as old as its last answer."""
        state = tr("Showing the state of {time}, read only.", time=times.clock(heard)) if heard else ""
        self.away.set_sentence(" ".join((tr("The service is not answering."), state)).strip())
        self.away.show()

    def say_back(self) -> None:
        """It answers again, and whatever went wrong for want of it is over."""
        self.away.hide()
        self.notice.hide()

    def ask_closing(self, unsaved: Sequence[str]) -> None:
        """Closing now would lose these."""
        what, more = unsaved[0], len(unsaved) - 1
        named = tr("{what} and %Ln more", "", more, what=what) if more else what
        self.closing.set_sentence(tr("Closing now loses what you wrote: {what}.", what=named))
        self.closing.show()

    def dismiss(self) -> bool:
        """Hide the strip a person can dismiss, if one is there; says whether it was."""
        strip = next((each for each in (self.closing, self.notice) if each.isVisible()), None)
        if strip is not None:
            strip.hide()
        return strip is not None
