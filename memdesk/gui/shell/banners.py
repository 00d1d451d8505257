"""Closing the window: into the tray, for good, or at once; asks first if text that a person wrote would be
lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import sentences, tr
from memdesk.gui.shell.stage import Stage
from memdesk.gui.shell.tray import Tray
from memdesk.gui.widgets import Control, Ground, Icon, Strip, Text, column, row, span
from memdesk.gui.widgets.text import tip_text as as_tip
from memdesk.model.errors import Conflict, MemDeskError
from memdesk.model.status import StandingNotice, WaitingAct

HEIGHT_PX = 34


class Notice(Ground):
    """A failure as a sentence. A conflict is not a failure, so it is shown as a warning."""

    def __init__(self) -> None:
        self._icon = Icon("warning", "bad")
        self.sentence = Text("", 12, "t1", elide=True)
        self._close = Control("ghost", "", "close", small=True, tip=tr("Dismiss") + "  Esc")
        self._close.clicked.connect(self.hide)
        layout = row(
            self._icon, self.sentence, self._close, gap=7, margins=(11, 0, 8, 0), stretch=self.sentence
        )
        super().__init__("badbg", layout=layout, height=HEIGHT_PX)
        self.hide()

    def show_wrong(self, wrong: MemDeskError) -> None:
        """Show the error and the next step."""
        icon, tone = ("conflict", "warn") if isinstance(wrong, Conflict) else ("warning", "bad")
        self._icon.set_icon(icon, tone)
        self.set_token(f"{tone}bg")
        plain = wrong.sentence
        self.sentence.set_markup(lambda: f"{span(wrong.says, 't1')}&nbsp; {span(wrong.next, 't2')}", plain)
        self.sentence.setToolTip(as_tip(plain))
        self.setAccessibleName(plain)
        self.show()


class Strips(QWidget):
    """Column of strips; each is hidden until it has a message."""

    def __init__(self) -> None:
        super().__init__()
        self.away = Strip("", tr("Reconnect"), flush=True)
        self.closing = Strip("", tr("Close anyway"), flush=True)
        self.notice = Notice()
        self.standing = Strip("", tr("It is dealt with"), flush=True, examine=tr("What can be done…"))
        self.asking = Strip("", tr("Allow"), flush=True, examine=tr("Refuse"))
        for strip in (self.away, self.closing, self.standing, self.asking):
            strip.hide()
        self.setLayout(column(self.away, self.closing, self.asking, self.standing, self.notice, gap=0))
        self.stands: StandingNotice | None = None
        self.asks: WaitingAct | None = None

    def say_what_is_asked(self, acts: Sequence[WaitingAct]) -> bool:
        """Show the oldest dangerous act that waits for a click. Returns True if it was not shown before."""
        before, self.asks = self.asks, acts[0] if acts else None
        if self.asks is not None:
            said = tr("{who} asks for your click: {what}.", who=self.asks.who, what=self.asks.says)
            self.asking.set_sentence(said)
            self.asking.sentence.setToolTip(as_tip(said))
        self.asking.setVisible(self.asks is not None)
        return self.asks is not None and (before is None or before.id != self.asks.id)

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
        state = tr("Showing the state of {time}, read only.", time=formatting.clock(heard)) if heard else ""
        self.away.set_sentence(sentences(tr("The service is not answering."), state))
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


class Closing(QObject):
    """Closes a window whose closeEvent asks `allowed`. reopens: True if it closed in order to be recreated."""

    def __init__(
        self, window: QWidget, *, stage: Stage, inspector: Inspector, strips: Strips, tray: Tray
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._inspector = window, stage, inspector
        self._strips, self._tray = strips, tray
        self._for_good = self._at_once = self._comes_back = False
        self.reopens = False
        strips.closing.pressed.connect(self.at_once)

    def for_good(self) -> bool:
        """Close even if the program would stay in the tray, but ask first if there is unsaved text. Returns
        True if it closed."""
        self._for_good = True
        return self._window.close()

    def at_once(self) -> None:
        """Close without asking; unsaved text is lost."""
        self._at_once = True
        self._window.close()

    def come_back(self) -> None:
        """Close in order to be recreated; with unsaved text ask first."""
        self._comes_back = True
        self.for_good()
        self._comes_back = False

    def allowed(self) -> bool:
        """Return True if the window may close now; otherwise hide it in the tray, or ask."""
        if self._at_once:
            return True
        # “Close anyway” answers the latest question, so it reopens the window if that was asked for.
        self.reopens = self._comes_back
        if self._tray.keeps and not self._for_good:
            self._window.hide()
            return False
        unsaved = (*self._stage.unsaved(), *self._inspector.unsaved())
        if unsaved:
            self._for_good = False
            come_forward(self._window)
            self._strips.ask_closing(unsaved)
        return not unsaved


def come_forward(window: QWidget) -> None:
    """Bring a window to the front, as far as the desktop allows."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
