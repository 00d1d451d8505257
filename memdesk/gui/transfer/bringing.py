"""Import form: a source is chosen, previewed and imported, and one button undoes the run."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.contract import curation, history, workspace
from memdesk.gui.deed import stayed
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.transfer import sizes
from memdesk.gui.transfer.doing import Doing
from memdesk.gui.transfer.places import Dropping, PathField
from memdesk.gui.transfer.preview import Preview
from memdesk.gui.widgets import (
    Control,
    Drop,
    Empty,
    Failure,
    Field,
    Ground,
    Option,
    Skeleton,
    Text,
    column,
    row,
)
from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import UndoRun
from memdesk.model.errors import MemDeskError, Refused
from memdesk.model.history import AskHistory
from memdesk.model.status import JobState
from memdesk.model.workspace import AskImport, ImportPreview

FIELD_PX, USER_PX = 140, 100


class Bringing(QWidget):
    """Form of an import with its preview and foot. Signals: shown_more leads to the imported memory; settled
    reports an end.

    folders_only: it adds an agent's folder, and accepts no other source."""

    shown_more = Signal()
    settled = Signal()

    def __init__(self, session: Session, *, folders_only: bool = False) -> None:
        super().__init__()
        self.session, self._folders_only = session, folders_only
        self.preview_found: ImportPreview | None = None
        self._asked: AskImport | None = None
        self._task: asyncio.Task[None] | None = None
        self._run = ""
        what = (
            tr("A folder, by its whole path") if folders_only else tr("A folder or file, by its whole path")
        )
        self.source = PathField(name=tr("Source"), placeholder=what, folders=True, files=not folders_only)
        self.look = Control("button", tr("Look"), "recall", tip=tr("See what would come in; nothing changes"))
        self.channel = Field(name=tr("Channel"), placeholder=tr("as it says"), width=FIELD_PX)
        self.agent = Field(name=tr("Agent"), placeholder=tr("as it says"), width=FIELD_PX)
        self.user = Field(name=tr("User"), placeholder=LOCAL_USER, width=USER_PX)
        self.layouts = Drop(
            [Option(value=None, text=tr("as recognised"))], name=tr("Layout"), lead=tr("Layout")
        )
        self.copy = Control("chip", tr("Copy onto the desk"), "check",
                            tip=tr("Else a folder stays where it is, and is watched there"))  # fmt: skip
        self.preview = Preview()
        self.failure = Failure("")
        self.wait = Skeleton(rows=12)
        self.nothing = Empty("", "")
        self.foot = Doing(
            session, verb=tr("Add this folder") if folders_only else tr("Bring it in"), icon="plus",
            more=tr("Take it back"), more_icon="undo", again=tr("Done"),
        )  # fmt: skip
        self._views = QStackedWidget()
        self._furnish()
        self._wire()
        self.begin_anew()

    def _furnish(self) -> None:
        asked = row(self.source, self.look, gap=8, margins=(20, 10, 20, 4))
        asked.setStretchFactor(self.source, 1)
        options = row(
            Text(tr("Channel"), 12, "t3"), self.channel, Text(tr("Agent"), 12, "t3"), self.agent,
            Text(tr("User"), 12, "t3"), self.user, self.layouts, self.copy, None, gap=8, margins=(20, 4, 20, 10),
        )  # fmt: skip
        head = Ground("stage", "bottom", column(asked, options, gap=0))
        for view in (self.nothing, self.wait, self.failure, self.preview):
            self._views.addWidget(view)
        layout = column(head, self._views, self.foot, gap=0)
        layout.setStretchFactor(self._views, 1)
        self.setLayout(column(Ground("stage", layout=layout), gap=0))
        for words in (self.nothing, self.failure):
            words.setContentsMargins(5, 0, 5, 0)
        self.setFocusProxy(self.source)

    def _wire(self) -> None:
        self.dropping = Dropping(self)
        self.dropping.dropped.connect(self.look_at)
        self.source.chosen.connect(self.look_at)
        self.look.clicked.connect(lambda: self.look_at(self.source.path))
        self.source.field.textEdited.connect(lambda _: self._outdate())
        for field in (self.channel, self.agent, self.user):
            field.returnPressed.connect(lambda: self.look_at(self.source.path))
            field.textEdited.connect(lambda _: self._outdate())
        self.layouts.chosen.connect(lambda _: self._look_again())
        self.copy.toggled.connect(lambda _: self._look_again())
        self.failure.retried.connect(lambda: self.look_at(self.source.path))
        self.wait.cancelled.connect(self._give_up)
        self.foot.started.connect(lambda: self.session.spawn(self._bring_in(), failed=self._failed))
        self.foot.more.connect(lambda: self.session.spawn(self._take_back(), failed=self._failed))
        self.foot.again.connect(self._done)

    # Looking.

    def offer_layouts(self, names: tuple[str, ...]) -> None:
        """Offer the layouts that a person can choose."""
        options = [Option(value=None, text=tr("as recognised"))]
        self.layouts.set_options([*options, *(Option(value=name, text=name) for name in names)])

    def begin_anew(self) -> None:
        """Reset the form."""
        self.source.set_path("")
        self.channel.clear()
        self.agent.clear()
        self.user.clear()
        self.layouts.set_value(None)
        self.copy.setChecked(False)
        self._outdate()
        if self._folders_only:
            self.nothing.set_words(
                tr("Name the folder that an agent keeps its memory in, or drop it here."),
                tr("You see what it was recognised as and what would be indexed before anything happens. "
                   "Its files stay where they are."),
            )  # fmt: skip
        else:
            self.nothing.set_words(
                tr("Name a folder or a file that holds memory, or drop it here."),
                tr("Folders of AgenticX, OpenLegion, OpenClaw, agnx, Agentix, Claude Code and plain markdown; "
                   "transcripts of conversations; exports of AgentX, mem0, Letta, Hindsight, the MCP memory server "
                   "and ChatGPT; tables of facts; and archives of MemDesk."),
            )  # fmt: skip

    def look_at(self, path: str) -> None:
        """Load the preview of importing this path. Only one preview is loaded at a time."""
        if not path or self.foot.is_busy:
            return
        self.source.set_path(path)
        self._outdate()
        self._views.setCurrentWidget(self.wait)
        self._task = self.session.spawn(self._look(self._ask(path)), failed=self._refused)

    def _ask(self, path: str) -> AskImport:
        layout = self.layouts.value()
        return AskImport(
            path=path, channel=self.channel.text().strip() or None, agent_id=self.agent.text().strip() or None,
            user_id=self.user.text().strip() or LOCAL_USER,
            layout=layout if isinstance(layout, str) else None, copy=self.copy.isChecked(),
        )  # fmt: skip

    async def _look(self, ask: AskImport) -> None:
        found = await self.session.call(workspace.PREVIEW_IMPORT, ask)
        self.preview_found, self._asked = found, ask
        self.preview.show_preview(found)
        self._views.setCurrentWidget(self.preview)
        self.channel.setPlaceholderText(found.channel or tr("as it says"))
        self.agent.setPlaceholderText(found.agent_id or tr("none"))
        counts = sizes.came_in(found.counts)
        says = (
            tr("{counts} would come in.", counts=counts) if found.items else tr("All of it is here already.")
        )
        self.foot.offer(says, why_not="" if found.items else tr("There is nothing new to bring in."))

    def _outdate(self) -> None:
        """Discard the preview, because the inputs have changed."""
        if self.foot.is_busy:
            return
        if self._task is not None:
            self._task.cancel()
        self._task = self._asked = self.preview_found = None
        self._views.setCurrentWidget(self.nothing)
        self.foot.offer("", why_not=tr("Look first at what would come in."))

    def _look_again(self) -> None:
        if self.source.path:
            self.look_at(self.source.path)

    def _refused(self, wrong: MemDeskError) -> None:
        self.failure.set_words(wrong.says, wrong.next)
        self._views.setCurrentWidget(self.failure)

    def _give_up(self) -> None:
        """Stop waiting for the preview; the service continues, but its answer is ignored."""
        self._outdate()

    # Bringing in.

    async def _bring_in(self) -> None:
        ask, found = self._asked, self.preview_found
        if ask is None or found is None:
            return
        self._lock(True)
        try:
            job = await self.session.call(workspace.IMPORT, ask)
            self._run = str(job.result.get("run", ""))
            self.session.refresh_status()
            await self._tell(await self.foot.follow(job), found)
        finally:
            self._lock(False)
            self.session.refresh_status()
            self.settled.emit()

    async def _tell(self, job: JobState, found: ImportPreview) -> None:
        """Show the result of the import, and offer to undo it."""
        name = found.path.rstrip("/").rpartition("/")[2]
        if job.state == "cancelled":
            ask = AskHistory(run=self._run, limit=1, count=False)
            came = bool((await self.session.call(history.PAGE, ask)).rows)
            says = (
                tr("Stopped; what had come in stays, and a later import goes on with the rest.")
                if came
                else tr("Stopped before anything came in.")
            )
            self.foot.tell(says, icon="minus", token="warn", more=came)
            return
        counts = sizes.came_in(job.result)
        says = tr("Brought in from {name}: {counts}.", name=name, counts=counts or tr("nothing new"))
        change = job.result.get("change")
        self.foot.tell(says, more=isinstance(change, int))
        if isinstance(change, int):
            self.session.did_run(change, says, "import")

    async def _take_back(self) -> None:
        """Undo the run of the import, including the facts extracted from it."""
        self._lock(True)
        try:
            job = await self.session.call(curation.UNDO_RUN, UndoRun(run=self._run))
            ended = await self.foot.follow(job)
        finally:
            self._lock(False)
        undone, left = int(ended.result.get("undone", 0)), ended.result.get("left") or {}
        newest = ended.result.get("change")
        if not isinstance(newest, int):
            raise Refused(tr("Nothing of it could be taken back."), next=next(iter(left.values()), ""))
        says = tr("The import was taken back: %Ln change(s).", "", undone)
        says += stayed(left).removeprefix(".")
        self.foot.tell(says, icon="undo", token="t2", more=False)
        self.session.did_run(newest, says, "undo")
        self.settled.emit()

    def _failed(self, wrong: MemDeskError) -> None:
        self.foot.fail(wrong, more=bool(self._run))

    def _lock(self, busy: bool) -> None:
        for part in (self.source, self.look, self.channel, self.agent, self.user, self.layouts, self.copy):
            part.setEnabled(not busy)

    def _done(self) -> None:
        self.begin_anew()
        self.shown_more.emit()
