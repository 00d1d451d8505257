"""Connections: the runtimes of this machine, plugged in and out after the change was shown, and the projects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QWidget

from memdesk.api import agents, channels, context, projects
from memdesk.client.plugs.installing import Plan, PlugState, RuntimeState, change_for, runtime_states
from memdesk.files.atomic import create
from memdesk.files.places import Desk
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import (
    Column,
    Control,
    Field,
    Ground,
    RowsModel,
    Splitter,
    Table,
    Text,
    column,
    row,
)
from memdesk.gui.widgets.paper import Paper
from memdesk.model.agent import NamedAgent, agent_key
from memdesk.model.channel import MergeChannels
from memdesk.model.errors import MemDeskError, NotFound
from memdesk.model.history import FeedEvent
from memdesk.model.project import BindProject, ListProjects, ProjectInfo, SplitProject
from memdesk.model.prompt import ListSeen, SeenRow
from memdesk.model.status import Nothing

SIDE_PX, STACKS_BELOW_PX = 400, 720
SEEN_AT_MOST = 50
STATES = {
    PlugState.INSTALLED: (marked("Installed"), "ok"),
    PlugState.READY: (marked("Not installed"), "t2"),
    PlugState.ABSENT: (marked("Not on this machine"), "t3"),
    PlugState.MOVED: (marked("Moved program"), "warn"),
    PlugState.UNREAD: (marked("Settings not understood"), "bad"),
}
"""Label of each state and its tone."""
NO_PROJECT = marked("No project yet; the first session of a runtime in a folder makes one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Runtime with its state, and what it was told last; None if that is not among the latest."""

    plug: RuntimeState
    last: SeenRow | None

    @property
    def name(self) -> str:
        return self.plug.name


def last_words(last: SeenRow | None) -> str:
    """Return when a runtime was told something last, and how much."""
    if last is None:
        return ""
    told = tr("%Ln memories", "", len(last.pieces)) if last.pieces else tr("nothing")
    return tr("{when}, was given {what}", when=formatting.ago(last.at), what=told)


def short_path(path: Path) -> str:
    """Return a path with ~ for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def runtime_columns() -> tuple[Column[Connection], ...]:
    """Return the columns of the runtimes: name, state, last call."""
    return (
        Column(
            title=tr("Runtime"), text=lambda row: row.plug.runtime.title, width=130, token="t1", weight=600
        ),
        Column(
            title=tr("State"),
            text=lambda row: tr(STATES[row.plug.state][0]),
            width=160,
            token=lambda row: STATES[row.plug.state][1],
            tip=lambda row: row.plug.says,
        ),
        Column(title=tr("Last asked"), text=lambda row: last_words(row.last), token="t2"),
    )


def project_columns(channel_number: Callable[[str], int]) -> tuple[Column[ProjectInfo], ...]:
    """Return the columns of the projects: channel, name, folder."""
    return (
        Column(title=tr("Channel"), text=attrgetter("channel"), width=140, channel=channel_number),
        Column(title=tr("Project"), text=attrgetter("name"), width=130, token="t1"),
        Column(title=tr("Folder"), text=attrgetter("root"), token="t2", tip=attrgetter("identity")),
    )


class Difference(Paper):
    """Text of a change, line by line, on red and green."""

    def __init__(self) -> None:
        super().__init__(tr("The change"))
        self.setReadOnly(True)

    def band(self, block: QTextBlock) -> str:
        """Return the ground of a line that goes or comes."""
        return {"+": "okbg", "-": "badbg"}.get(block.text()[:1], "")


class ConnectionsPanel(RecordPanel):
    """Runtimes above, projects below; at the right the change to a runtime's files, or the acts on a project."""

    name = "connections"
    kinds = ("project",)

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._planned: Plan | None = None
        self._of_runtime, self._uninstalls = True, False
        self._shown = ("", "")
        self.model: RowsModel[Connection] = RowsModel(runtime_columns())
        self.table = Table(self.model, name=tr("Runtimes"), id_of=attrgetter("name"))
        self.known: RowsModel[ProjectInfo] = RowsModel(project_columns(session.channel_number))
        self.projects = Table(self.known, name=tr("Projects"), id_of=attrgetter("id"))
        self.who = Text("", 15, "t1", weight=600, elide=True)
        self.about = Text("", 12, "t2", wrap=True)
        self.change = Difference()
        self.install = Control("primary", tr("Install…"), "plus")
        self.plugin = Control("button", tr("As a plugin…"), "plus")
        self.uninstall = Control("button", tr("Uninstall…"), "retire")
        self.apply = Control("primary", tr("Make this change"), "check")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        self.channel = Field(placeholder=tr("Channel"), width=150)
        self.bind = Control("button", tr("Bind"), "link")
        self.split = Control("button", tr("Split off"), "divide")
        self.merge = Control("button", tr("Merge into"), "merge")
        self.says = Text("", 12, "bad", wrap=True)
        heading = Text(tr("Projects"), 12, "t2", weight=600)
        below = QWidget()
        self._nothing = Text(tr(NO_PROJECT), 12, "t3", wrap=True)
        head = column(heading, self._nothing, gap=6, margins=(20, 12, 20, 4))
        below.setLayout(column(head, self.projects, gap=0))
        lists = Splitter(self.table, below, vertical=True)
        body = Splitter(lists, self._side(), stacks_below=STACKS_BELOW_PX)
        body.setStretchFactor(0, 1)
        body.setStretchFactor(1, 0)
        self.lay_out(body, focus=self.table)
        self.table.picked.connect(lambda _: self._show(self.table))
        self.projects.picked.connect(lambda _: self._show(self.projects))
        for button, work in (
            (self.install, partial(self._plan, plugin=False)),
            (self.plugin, partial(self._plan, plugin=True)),
            (self.uninstall, partial(self._plan, uninstall=True)),
            (self.apply, self._apply),
            (self.bind, self._bind),
            (self.split, self._split),
            (self.merge, self._merge),
        ):
            button.clicked.connect(partial(self._start, work))
        self.cancel.clicked.connect(self.step_back)
        self.channel.textChanged.connect(lambda _: self._enable())

    def _side(self) -> QWidget:
        parts = column(
            self.who,
            self.about,
            row(self.install, self.plugin, self.uninstall, None, gap=8),
            row(self.channel, self.bind, self.split, self.merge, None, gap=8),
            self.change,
            row(self.apply, self.cancel, None, gap=8),
            self.says,
            None,
            gap=10,
            margins=(18, 16, 18, 16),
        )
        # The change takes the room that it is given, the space below the rest of it.
        parts.setStretchFactor(self.change, 20)
        side = Ground("panel", "left", parts)
        side.setMinimumWidth(SIDE_PX)
        return side

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for projects, and for what a runtime asks."""
        return super().concerned(event) or event.author.startswith("agent:")

    def show_away(self, why_not: str) -> None:
        self._enable()

    def step_back(self) -> bool:
        """Put away the change that is shown; return False if there was none."""
        had, self._planned = self._planned is not None, None
        self._enable()
        return had

    # Loading.

    async def load(self) -> None:
        """Look at the runtimes' files, and read the projects; what is chosen stays chosen."""
        desk = self._desk()
        states = () if desk is None else await asyncio.to_thread(runtime_states, desk)
        seen = (await self.session.call(context.PROMPTS, ListSeen(limit=SEEN_AT_MOST))).rows
        found = (await self.session.call(projects.LIST, ListProjects())).rows
        last: dict[str, SeenRow] = {}
        for each in seen:
            last.setdefault(agent_key(each.author.partition(":")[2]), each)
        rows = [Connection(plug=each, last=last.get(agent_key(each.name))) for each in states]
        self.table.replace_rows(rows, "")
        self.projects.replace_rows(found, "")
        connected = sum(each.state in (PlugState.INSTALLED, PlugState.MOVED) for each in states)
        of_both = (tr("%Ln runtime(s) connected", "", connected), tr("%Ln project(s)", "", len(found)))
        self.say(" · ".join(of_both))
        self.show_content()
        self._nothing.setVisible(not found)
        # What a person reads or types stays while agents work.
        if self._planned is None:
            self._show(self.table if self._of_runtime else self.projects)

    def select(self, id: str) -> None:
        """Choose a runtime by its name, or a project by its id."""
        if not self.table.choose_id(id):
            self.projects.choose_id(id)

    def _desk(self) -> Desk | None:
        status = self.session.status
        return None if status is None else Desk(Path(status.desk))

    # The side.

    def _show(self, table: Table) -> None:
        """Show the row that was chosen in one of the tables."""
        self._planned = None
        self._of_runtime = table is self.table
        self.says.setText("")
        chosen: Any = table.record()
        if isinstance(chosen, Connection):
            runtime, state = chosen.plug.runtime, chosen.plug.state
            self.who.setText(runtime.title)
            words = [
                tr(STATES[state][0]),
                chosen.plug.says,
                last_words(chosen.last),
                short_path(runtime.file()),
            ]
            self.about.setText("\n".join(filter(None, words)))
        elif isinstance(chosen, ProjectInfo):
            self.who.setText(chosen.name)
            words = [
                chosen.root,
                chosen.identity,
                tr("Known since {when}", when=formatting.day(chosen.created_at)),
            ]
            self.about.setText("\n".join(words))
            if self._shown != (chosen.id, chosen.channel):
                self._shown = (chosen.id, chosen.channel)
                self.channel.setText(chosen.channel)
        self._enable()

    def _enable(self) -> None:
        away = self.session.why_not
        chosen: Connection | None = self.table.record() if self._of_runtime else None
        project: ProjectInfo | None = None if self._of_runtime else self.projects.record()
        state = None if chosen is None else chosen.plug.state
        shows = self._planned is not None
        plugged = state in (PlugState.INSTALLED, PlugState.MOVED)
        for button, is_shown in (
            (self.install, state not in (None, PlugState.UNREAD) and not shows),
            (self.plugin, bool(chosen and chosen.plug.runtime.has_plugin) and not shows),
            (self.uninstall, plugged and not shows),
            (self.change, shows),
            (self.apply, shows),
            (self.cancel, shows),
            (self.channel, project is not None),
            (self.bind, project is not None),
            (self.split, project is not None),
            (self.merge, project is not None),
        ):
            button.setVisible(is_shown)
        for button in (self.install, self.plugin, self.uninstall, self.apply, self.split):
            button.set_enabled(not away, away)
        same = project is not None and self.channel.text().strip() in ("", project.channel)
        why = away or (tr("Name another channel.") if same else "")
        self.bind.set_enabled(not why, why)
        self.merge.set_enabled(not why, why)

    # What is done.

    def _start(self, work: Callable[[], Coroutine[Any, Any, None]], *_: object) -> None:
        self.session.spawn(work(), failed=self._fail)

    def _fail(self, wrong: MemDeskError) -> None:
        self.says.setText(f"{wrong.says} {wrong.next}".strip())

    async def _plan(self, *, plugin: bool = False, uninstall: bool = False) -> None:
        """Show the change to the files of the chosen runtime; nothing is changed yet."""
        chosen: Connection | None = self.table.record()
        desk = self._desk()
        if chosen is None or desk is None:
            return
        planned = await asyncio.to_thread(
            change_for, chosen.plug.runtime, desk, plugin=plugin, uninstall=uninstall
        )
        self.says.setText("" if planned.changes else tr("Nothing has to be changed."))
        self._planned = planned if planned.changes else None
        self.change.set_text(planned.diff.rstrip("\n"))
        self._uninstalls = uninstall
        self._enable()

    async def _apply(self) -> None:
        """Make the change that is shown, with the agent's token."""
        planned = self._planned
        if planned is None:
            return
        backups = await asyncio.to_thread(planned.carry_out)
        if self._uninstalls:
            await self._give_up_token(planned)
        else:
            await self._give_token(planned)
        self._planned = None
        await self.load()
        kept = tr("What was there is kept in {file}.", file=", ".join(backups)) if backups else ""
        after = "" if self._uninstalls else tr(planned.runtime.afterwards)
        self.about.setText("\n".join(filter(None, (tr("The change is made."), kept, after, planned.also))))

    async def _give_token(self, planned: Plan) -> None:
        rows = (await self.session.call(agents.LIST, Nothing())).rows
        name, file = planned.program.agent, planned.token_file
        if file.exists() and any(row.token_since and agent_key(row.agent) == agent_key(name) for row in rows):
            return
        made = await self.session.call(agents.ADD, NamedAgent(agent=name))
        file.unlink(missing_ok=True)
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        create(file, made.token.encode() + b"\n")

    async def _give_up_token(self, planned: Plan) -> None:
        if planned.token_file.exists():
            with suppress(NotFound):
                await self.session.call(agents.REVOKE, NamedAgent(agent=planned.program.agent))
            planned.token_file.unlink()

    async def _bind(self) -> None:
        project: ProjectInfo = self.projects.record()
        ask = BindProject(folder=project.root, channel=self.channel.text().strip())
        await self.session.do(projects.BIND, ask)
        await self.load()

    async def _split(self) -> None:
        project: ProjectInfo = self.projects.record()
        name = self.channel.text().strip()
        ask = SplitProject(folder=project.root, channel="" if name == project.channel else name)
        await self.session.do(projects.SPLIT, ask)
        await self.load()

    async def _merge(self) -> None:
        """Move the memory of a project's channel into another, which the project has from then on."""
        project: ProjectInfo = self.projects.record()
        ask = MergeChannels(channel=project.channel, into=self.channel.text().strip())
        done = await self.session.finish(await self.session.call(channels.MERGE, ask))
        if change := done.result.get("change"):
            self.session.did_run(int(change), done.says, "merge")
        await self.load()
