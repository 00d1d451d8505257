"""Form of a job: its inputs, a preview of it, and a foot with the progress and the result."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QStackedWidget, QWidget

from memdesk.api import upkeep
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.widgets import Bar, Control, Empty, Failure, Ground, Icon, Skeleton, Text, column, pages, row
from memdesk.model.errors import MemDeskError
from memdesk.model.status import AskJob, JobState

HEIGHT_PX = 48
MARGINS = (20, 0, 20, 0)


def show_progress(job: JobState, bar: Bar, words: Text) -> None:
    bar.set_value(job.done / job.total if job.total else 0.0, token="acc")
    of = tr("{done:,} of {total:,}", done=job.done, total=job.total) if job.total else ""
    words.setText(f"{of} · {job.says}" if of else job.says)


class JobFooter(Ground):
    """Foot of a job form. Signals: started reports the button that starts; more and again, the buttons of the
    result."""

    started = Signal()
    more = Signal()
    again = Signal()

    def __init__(
        self, session: Session, *, verb: str, icon: str, more: str, again: str, more_icon: str
    ) -> None:
        self._session = session
        self.job: JobState | None = None
        self.says = Text("", 12, "t2", elide=True)
        self.begin = Control("primary", verb, icon)
        self.bar = Bar(width=160)
        self.progress = Text("", 12, "t2", elide=True)
        self.cancel = Control("button", tr("Cancel"), "close")
        self.mark, self.ended = Icon("check", "ok"), Text("", 12, "t1", elide=True)
        self.more_button = Control("button", more, more_icon)
        self.again_button = Control("button", again)
        self._pages = QStackedWidget()
        super().__init__("panel", "top", row(self._pages, gap=0, margins=(0, 1, 0, 0)), height=HEIGHT_PX)
        for parts, stretched in (
            ((self.says, self.begin), self.says),
            ((self.bar, self.progress, self.cancel), self.progress),
            ((self.mark, self.ended, self.more_button, self.again_button), self.ended),
        ):
            layout = row(*parts, gap=12, margins=MARGINS, stretch=stretched)
            self._pages.addWidget(Ground("panel", layout=layout))
        self.begin.clicked.connect(lambda: self.started.emit())
        self.more_button.clicked.connect(lambda: self.more.emit())
        self.again_button.clicked.connect(lambda: self.again.emit())
        self.cancel.clicked.connect(lambda: session.spawn(self._cancel()))

    @property
    def is_busy(self) -> bool:
        return self.job is not None and self.job.open

    def offer(self, says: str, *, why_not: str = "") -> None:
        """Show what the job would do, and enable its start; why_not: why it cannot start."""
        self._pages.setCurrentIndex(0)
        self.says.setText(says)
        self.begin.set_enabled(not why_not, why_not)

    async def follow(self, job: JobState) -> JobState:
        """Show the progress of a job until it ends, and return its last state. Raises Refused with its
        message if it failed."""
        self._pages.setCurrentIndex(1)
        self.cancel.set_enabled(True)
        self._show(job)
        return await self._session.finish(job, self._show)

    def press(self) -> None:
        """Start the job if possible, as Enter in a field does."""
        if self._pages.currentIndex() == 0 and self.begin.isEnabled():
            self.begin.click()

    def show_result(self, says: str, *, icon: str = "check", token: str = "ok", more: bool = True) -> None:
        """Show the result. more: True if the first button has an action."""
        self.job = None
        self._pages.setCurrentIndex(2)
        self.mark.set_icon(icon, token)
        self.ended.setText(says)
        self.more_button.setVisible(more)
        if self.more_button.hasFocus():
            # The button that had the focus is gone, and what takes everything back is not to be pressed by chance.
            self.again_button.setFocus()

    def fail(self, wrong: MemDeskError, *, more: bool = False) -> None:
        """Show the error, its reason and the next step."""
        self.show_result(wrong.sentence, icon="warning", token="bad", more=more)

    def _show(self, job: JobState) -> None:
        self.job = job
        show_progress(job, self.bar, self.progress)

    async def _cancel(self) -> None:
        if self.job is not None:
            self.cancel.set_enabled(False, tr("It stops at its next step."))
            await self._session.call(upkeep.CANCEL_JOB, AskJob(id=self.job.id))


class JobForm(QWidget):
    """Form of a job. Subclasses call lay_out(), and load_preview() with each request that is to be previewed.

    missing: the sentence shown while there is no preview."""

    def __init__(self, session: Session, footer: JobFooter, *, missing: str) -> None:
        super().__init__()
        self.setProperty("form", True)
        self.session, self.footer, self._missing = session, footer, missing
        self._task = Newest(session)
        self._run = ""
        self.failure, self.wait, self.nothing = Failure(), Skeleton(rows=12), Empty("", "")

    def lay_out(self, asked: QLayout, *previews: QWidget, focus: QWidget) -> None:
        """Build the layout: the inputs, one of the previews or of the states, and the foot."""
        self.views = pages(self.nothing, self.wait, self.failure, *previews)
        for words in (self.nothing, self.failure):
            words.setContentsMargins(5, 0, 5, 0)
        head = Ground("stage", "bottom", asked)
        layout = column(head, self.views, self.footer, gap=0, stretch=self.views)
        self.setLayout(column(Ground("stage", layout=layout), gap=0))
        self.setFocusProxy(focus)

    def load_preview(self, preview: Coroutine[Any, Any, None], *, waits: bool = True) -> None:
        """Load a preview; an earlier one is cancelled. waits: shows that it is loading."""
        self._task.cancel()
        if waits:
            self.views.setCurrentWidget(self.wait)
        self._task.start(preview, failed=self._refuse)

    def outdate(self) -> None:
        """Discard the preview, because the inputs have changed."""
        if self.footer.is_busy:
            return
        self._task.cancel()
        self.views.setCurrentWidget(self.nothing)
        self.footer.offer("", why_not=self._missing)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work; if it fails, the foot says why, and offers what a run that has begun can be followed by."""
        self.session.spawn(work, failed=lambda wrong: self.footer.fail(wrong, more=bool(self._run)))

    def _refuse(self, wrong: MemDeskError) -> None:
        self.failure.set_words(wrong.says, wrong.next)
        self.views.setCurrentWidget(self.failure)
