"""Status line: state of the service, record counts, the running job, and the last change with Undo. And the strips
under the top bar: what a person must know or answer now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.api import questions
from memdesk.gui import formatting
from memdesk.gui.done_action import DoneAction, change_sentence
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import subject_of, word
from memdesk.gui.widgets import Control, Dot, Ground, Icon, KeyCap, Meter, Strip, Text, column, row, span
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paint import RIGHT
from memdesk.gui.widgets.text import tip_text
from memdesk.model.errors import Conflict, MemDeskError
from memdesk.model.history import EventRow, FeedEvent
from memdesk.model.message import verbatim
from memdesk.model.questions import AskQuestions
from memdesk.model.status import JobState, StandingNotice, Status, WaitingAct

HEIGHT_PX = 26
JOB_PX = 72
AGO_EVERY_MS = 20_000
ALL_FROM_PX = 1320
"""Least window width that always shows all counts; in a narrower one a running job replaces some."""
PAST = {
    "recall": marked("Recalled “{title}”"),
    "store": marked("Stored “{title}”"),
    "learn": marked("Learned “{title}”"),
    "update": marked("Updated “{title}”"),
    "promote": marked("Promoted “{title}”"),
    "retire": marked("Retired “{title}”"),
    "undo": marked("Undone: “{title}”"),
    "redo": marked("Done again: “{title}”"),
    "import": marked("Imported “{title}”"),
}


def _count(text: Text, number: int, said: str) -> None:
    """Show a count, with the figure in bold."""
    what = said.removeprefix(formatting.count(number)).strip()
    text.set_markup(lambda: f"{span(formatting.count(number), 't1', weight=600)} {span(what, 't2')}", said)


def separator() -> Ground:
    """Return a short vertical hairline between two parts."""
    line = Ground("line", width=1)
    line.setFixedHeight(14)
    return line


class JobLine(QWidget):
    """A running job: name, progress and message."""

    def __init__(self) -> None:
        super().__init__()
        self._name = Text("", 11, "t1", weight=500)
        self._bar = Meter(0, width=JOB_PX, warn_at=2, name=tr("Progress"))
        self._says = Text("", 11, "t3")
        self.setLayout(row(separator(), 4, self._name, self._bar, self._says, gap=8))
        self.hide()

    def show_job(self, job: JobState | None) -> None:
        """Show a job; hide for None."""
        self.setVisible(job is not None)
        if job is not None:
            self._name.setText(word(job.name))
            self._bar.setVisible(job.total > 0)
            self._bar.set_value(job.done / job.total if job.total else 0)
            self._says.setText(job.says)


ASKED_AGAIN = "job:questions"
"""Author of the changes that record what asking the kept questions again has found."""


class StatusLine(Ground):
    """Line of 26 px at the foot of the window. The signal `undo_asked` carries the change to undo when Undo
    is pressed; after an undo, Redo takes its place and sends `redo_asked`."""

    undo_asked = Signal(int)
    redo_asked = Signal()

    def __init__(self, session: Session) -> None:
        self._session = session
        self._dot = Dot("t3")
        self._service = Text(tr("Looking for the service"), 11, "t2")
        self._embedder, self._facts, self._entities, self._turns = (Text("", 11, "t2") for _ in range(4))
        self._facts_line, self._entities_line, self._turns_line = separator(), separator(), separator()
        self._holds, self._job = QWidget(), JobLine()
        explain_terms(self._holds, "held")
        explain_terms(self._embedder, "embedder")
        self._said = Text("", 11, "t1", elide=True)
        self._said.setAlignment(RIGHT)
        self._ago = Text("", 11, "t3")
        self.undo = Control("link", tr("Undo"), small=True)
        self.redo = Control("link", tr("Redo"), small=True)
        self._undo_cap, self._redo_cap = KeyCap("Ctrl Z"), KeyCap("Ctrl Shift Z")
        super().__init__("win", "top", self._line(), height=HEIGHT_PX)
        self.setAccessibleName(tr("Status"))
        self._change: int | None = None
        self._at: datetime | None = None
        self._show_change("", None)
        self._wire()

    def _line(self) -> QHBoxLayout:
        holds = row(
            separator(),
            self._embedder,
            self._facts_line,
            self._facts,
            self._entities_line,
            self._entities,
            self._turns_line,
            self._turns,
            gap=12,
        )
        self._holds.setLayout(holds)
        self._holds.hide()
        return row(
            row(self._dot, self._service, gap=7),
            self._holds,
            self._job,
            self._said,
            self._ago,
            self.undo,
            self._undo_cap,
            self.redo,
            self._redo_cap,
            gap=12,
            margins=(12, 1, 12, 0),
            stretch=self._said,
        )

    def _wire(self) -> None:
        self._session.status_changed.connect(self._show_status)
        self._session.able.connect(self._show_service)
        self._session.did.connect(self._show_deed)
        self._session.changed.connect(self._hear)
        self.undo.clicked.connect(self._ask_undo)
        self.redo.clicked.connect(self.redo_asked)
        clock = QTimer(self)
        clock.timeout.connect(self._show_ago)
        clock.start(AGO_EVERY_MS)

    # The service and what the desk holds.

    def _show_service(self) -> None:
        away = self._session.is_away
        self._dot.set_token("warn" if away else "ok")
        self._service.setText(tr("Service away") if away else tr("Service running"))
        for button in (self.undo, self.redo):
            button.set_enabled(not self._session.why_not, self._session.why_not)

    def _show_status(self, status: Status) -> None:
        self._show_service()
        self._holds.show()
        self._service.setToolTip(
            "\n".join(
                (
                    tr("Desk {folder}", folder=status.desk),
                    tr("Encrypted at rest") if status.encrypted else tr("In clear at rest"),
                    f"SQLite {status.sqlite}",
                    *status.notices,
                )
            )
        )
        self._dot.set_token("warn" if status.notices else "ok")
        self._embedder.set_markup(
            lambda: " ".join((span(tr("Embedder"), "t3"), span(status.embedder, "t2"))),
            tr("Embedder {name}", name=status.embedder),
        )
        _count(self._facts, status.facts, tr("%Ln fact(s)", "", status.facts))
        _count(self._entities, status.entities, tr("%Ln entit(y|ies)", "", status.entities))
        _count(self._turns, status.turns, tr("%Ln turn(s)", "", status.turns))
        self._job.show_job(next((job for job in status.jobs if job.state == "running"), None))
        if self._session.deed is None and status.last_change is not None:
            self._show_last(status.last_change)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the least needed counts if there is no space."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= ALL_FROM_PX
        for part in (self._turns, self._turns_line, self._entities, self._entities_line):
            part.setVisible(wide or self._job.isHidden())

    # Kept questions.

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Say which kept questions a change gained or lost the answer of."""
        asked = [event for event in events if event.author == ASKED_AGAIN]
        if asked:
            self._session.spawn(self._say_lost(asked[-1].title))

    async def _say_lost(self, title: str) -> None:
        """Report the questions without an answer as a notice; otherwise what was gained, beside the last act."""
        lost = (await self._session.call(questions.LIST, AskQuestions(lost=True))).rows
        if not lost:
            self._said.setText(" · ".join(filter(None, (self._said.text(), title))))
            return
        says = tr(
            "A kept question lost its answer: “{question}” no longer tells “{answer}”.",
            question=lost[0].text,
            answer=lost[0].expects,
        )
        after = tr("Take the change back with Ctrl+Z, or forget the question in the recall lab.")
        self._session.failed.emit(Conflict(verbatim(says), next=verbatim(after)))

    # The last change.

    def _show_deed(self, deed: DoneAction) -> None:
        self._show_change(deed.sentence, deed.at, deed.change, deed.op)

    def _show_last(self, last: EventRow) -> None:
        """Show the last change before this window was opened; Undo is offered only for the person's own
        change."""
        mine = last.author == f"person:{self._session.person}"
        past = PAST.get(last.op, marked("Changed “{title}”"))
        title = subject_of(last.title)
        is_sentence = bool(last.title.id) or title.startswith(past.partition(" ")[0])
        sentence = title if is_sentence else change_sentence(past, title)
        if last.run is not None:
            sentence = tr("{change}, with the rest of its run", change=sentence)
        self._show_change(sentence, last.at, last.id if mine and last.undoable else None, last.op)

    def _show_change(
        self, sentence: str, at: datetime | None, change: int | None = None, op: str = ""
    ) -> None:
        self._change, self._at = change, at
        self._said.setText(sentence)
        for part in (self.undo, self._undo_cap):
            part.setVisible(change is not None and op != "undo")
        for part in (self.redo, self._redo_cap):
            part.setVisible(change is not None and op == "undo")
        self._show_ago()

    def _show_ago(self) -> None:
        self._ago.setText(formatting.ago(self._at) if self._at else "")
        self._ago.setToolTip(formatting.full(self._at) if self._at else "")

    def _ask_undo(self) -> None:
        if self._change is not None:
            self.undo_asked.emit(self._change)


STRIP_HEIGHT_PX = 34


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
        super().__init__("badbg", layout=layout, height=STRIP_HEIGHT_PX)
        self.hide()

    def show_wrong(self, wrong: MemDeskError) -> None:
        """Show the error and the next step."""
        icon, tone = ("conflict", "warn") if isinstance(wrong, Conflict) else ("warning", "bad")
        self._icon.set_icon(icon, tone)
        self.set_token(f"{tone}bg")
        plain = wrong.sentence
        self.sentence.set_markup(lambda: f"{span(wrong.says, 't1')}&nbsp; {span(wrong.next, 't2')}", plain)
        self.sentence.setToolTip(tip_text(plain))
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
            self.asking.sentence.setToolTip(tip_text(said))
        self.asking.setVisible(self.asks is not None)
        return self.asks is not None and (before is None or before.id != self.asks.id)

    def say_what_stands(self, notices: Sequence[StandingNotice]) -> None:
        """Show the first notice about lost or damaged memory that has no answer yet; the others follow one by
        one."""
        self.stands = notices[0] if notices else None
        if self.stands is not None:
            self.standing.set_sentence(self.stands.says)
            self.standing.sentence.setToolTip(tip_text(self.stands.says))
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
