"""Connections: the runtimes of this machine, plugged in and out after the change was shown, and the projects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QWidget

from memdesk.api import agents, channels, context, projects
from memdesk.client.plugs.installing import Plan, PlugState, change_for, runtime_states, token_file
from memdesk.client.plugs.skills import INSTRUCTIONS, SkillsPlan
from memdesk.files.atomic import create
from memdesk.files.places import Desk
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.runtimes import (
    STATES,
    Connection,
    connections,
    global_words,
    last_words,
    live_test,
    project_columns,
    question_of,
    runtime_columns,
    scope_words,
    seen_columns,
    skills_for,
    token_terms,
    token_words,
)
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import Control, Drop, Field, Ground, RowsModel, Splitter, Table, Text, column, row
from memdesk.gui.widgets.paper import Paper
from memdesk.model.agent import NamedAgent, NewToken, agent_key
from memdesk.model.channel import MergeChannels
from memdesk.model.errors import MemDeskError, NotFound
from memdesk.model.history import FeedEvent
from memdesk.model.project import BindProject, ForgetProject, ListProjects, ProjectInfo, SplitProject
from memdesk.model.prompt import AskSeen, ListSeen, SeenRow
from memdesk.model.status import Nothing

SIDE_PX, STACKS_BELOW_PX = 400, 720
LISTS_PX = (416, 130, 214)
"""Heights of runtimes, projects and contexts given today, until a person divides them otherwise."""
LIST_LEAST_PX = 96
"""Least height of each list: its title, its columns' titles and a row."""
RUNTIME_ROW_PX = 48
SEEN_AT_MOST, TODAY_AT_MOST = 50, 100
NO_PROJECT = marked("No project yet; the first session of a runtime in a folder makes one.")
NONE_TODAY = marked("No agent was told anything today.")


def _titled(title: str, nothing: Text, table: Table) -> QWidget:
    """Return a table under its title. nothing: the words that represent its rows."""
    part = QWidget()
    head = column(Text(title, 12, "t2", weight=600), nothing, gap=6, margins=(20, 12, 20, 4))
    part.setLayout(column(head, table, gap=0))
    return part


class Difference(Paper):
    """Text of a change, line by line, on red and green."""

    def __init__(self) -> None:
        super().__init__(tr("The change"))
        self.setReadOnly(True)

    def band(self, block: QTextBlock) -> str:
        """Return the ground of a line that goes or comes."""
        return {"+": "okbg", "-": "badbg"}.get(block.text()[:1], "")


class ConnectionsPanel(RecordPanel):
    """Runtimes, projects and contexts given today; at the right the change to a runtime's files and its live test, the
    acts on a project, or the text that an agent was given."""

    name = "connections"
    kinds = ("project",)

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._planned: Plan | SkillsPlan | None = None
        self._uninstalls = False
        self._shown = ("", "")
        self.model: RowsModel[Connection] = RowsModel(runtime_columns())
        self.table = Table(self.model, name=tr("Runtimes"), id_of=attrgetter("name"), row_px=RUNTIME_ROW_PX)
        self.known: RowsModel[ProjectInfo] = RowsModel(project_columns(session.channel_number))
        self.projects = Table(self.known, name=tr("Projects"), id_of=attrgetter("id"))
        self.contexts: RowsModel[SeenRow] = RowsModel(seen_columns())
        self.today = Table(self.contexts, name=tr("Told today"), id_of=lambda row: str(row.id))
        self._in_view = self.table
        self.who = Text("", 15, "t1", weight=600, elide=True)
        self.about = Text("", 12, "t2", wrap=True)
        self.change = Difference()
        self.text = Paper(tr("The text that was told"))
        self.text.setReadOnly(True)
        self.install = Control("primary", tr("Install…"), "plus")
        self.plugin = Control("button", tr("As a plugin…"), "plus")
        self.uninstall = Control("button", tr("Uninstall…"), "retire")
        self.skills = Control(
            "button",
            tr("Skills…"),
            "pin",
            tip=tr("Write the pinned strategies and facts of _global into its skills and instructions."),
        )
        self.days = Drop(token_terms(), name=tr("How long the token opens the desk"))
        self.renew = Control("button", tr("Renew token"), "lock", tip=tr("The token it has ends at once."))
        self.question = Field(placeholder=tr("Ask as this runtime would"), keys="Enter")
        self.test = Control("button", tr("Live test"), "play")
        self.tested = Text("", 12, "t2", wrap=True)
        self.apply = Control("primary", tr("Make this change"), "check")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        self.channel = Field(placeholder=tr("Channel"), width=150)
        self.bind = Control("button", tr("Bind"), "link")
        self.split = Control("button", tr("Split off"), "divide")
        self.merge = Control("button", tr("Merge into"), "merge")
        self.forget = Control("button", tr("Forget"), "retire")
        self.says = Text("", 12, "bad", wrap=True)
        self._nothing = Text(tr(NO_PROJECT), 12, "t3", wrap=True)
        self._silent = Text(tr(NONE_TODAY), 12, "t3", wrap=True)
        lists = Splitter(
            self.table,
            _titled(tr("Projects"), self._nothing, self.projects),
            _titled(tr("Told today"), self._silent, self.today),
            vertical=True,
            minimum=LIST_LEAST_PX,
        )
        lists.setSizes(LISTS_PX)
        body = Splitter(lists, self._side(), stacks_below=STACKS_BELOW_PX)
        body.setStretchFactor(0, 1)
        body.setStretchFactor(1, 0)
        self.lay_out(body, focus=self.table)
        for table in (self.table, self.projects, self.today):
            table.picked.connect(lambda _, table=table: self._show(table))
            table.clicked.connect(lambda _, table=table: self._come_back(table))
        for button, work in (
            (self.install, partial(self._plan, plugin=False)),
            (self.plugin, partial(self._plan, plugin=True)),
            (self.uninstall, partial(self._plan, uninstall=True)),
            (self.skills, self._plan_skills),
            (self.renew, self._renew),
            (self.test, self._test),
            (self.apply, self._apply),
            (self.bind, self._bind),
            (self.split, self._split),
            (self.merge, self._merge),
            (self.forget, self._forget),
        ):
            button.clicked.connect(partial(self._start, work))
        self.cancel.clicked.connect(self.step_back)
        self.question.returnPressed.connect(self.test.click)
        self.channel.textChanged.connect(lambda _: self._enable())

    def _side(self) -> QWidget:
        parts = column(
            self.who,
            self.about,
            row(self.install, self.plugin, self.uninstall, self.skills, None, gap=8),
            row(self.days, self.renew, None, gap=8),
            row(self.question, self.test, gap=8),
            self.tested,
            row(self.channel, self.bind, None, gap=8),
            row(self.split, self.merge, self.forget, None, gap=8),
            self.change,
            self.text,
            row(self.apply, self.cancel, None, gap=8),
            self.says,
            None,
            gap=10,
            margins=(18, 16, 18, 16),
        )
        # The change takes the room that it is given, the space below the rest of it.
        parts.setStretchFactor(self.change, 20)
        parts.setStretchFactor(self.text, 20)
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
        if had:
            self.table.setFocus()
        return had

    # Loading.

    async def load(self) -> None:
        """Look at the runtimes' files, and read the projects; what is chosen stays chosen."""
        desk = self._desk()
        states = () if desk is None else await asyncio.to_thread(runtime_states, desk)
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        latest = await self.session.call(context.PROMPTS, ListSeen(limit=SEEN_AT_MOST))
        today = await self.session.call(context.PROMPTS, ListSeen(since=midnight, limit=TODAY_AT_MOST))
        found = (await self.session.call(projects.LIST, ListProjects())).rows
        known = (await self.session.call(agents.LIST, Nothing())).rows
        rows = connections(states, latest, today, known)
        self.table.replace_rows(rows, "")
        self.projects.replace_rows(found, "")
        self.today.replace_rows(today.rows, "")
        connected = sum(each.state in (PlugState.INSTALLED, PlugState.MOVED) for each in states)
        parts = (
            tr("%Ln runtime(s) connected", "", connected),
            tr("%Ln project(s)", "", len(found)),
            tr("told %Ln time(s) today", "", sum(each.count for each in today.counts)),
        )
        self.say(" · ".join(parts))
        self.show_content()
        self._nothing.setVisible(not found)
        self.projects.setVisible(bool(found))
        self._silent.setVisible(not today.rows)
        self.today.setVisible(bool(today.rows))
        # What a person reads or types stays while agents work.
        if self._planned is None:
            self._show(self._in_view, again=True)

    def select(self, id: str) -> None:
        """Choose a runtime by its name, a project by its id, or a context by its number."""
        for table in (self.table, self.projects, self.today):
            if table.choose_id(id):
                self._come_back(table)
                return

    def _desk(self) -> Desk | None:
        status = self.session.status
        return None if status is None else Desk(Path(status.desk))

    # The side.

    def _show(self, table: Table, *, again: bool = False) -> None:
        """Show the row that was chosen in one of the tables. again: it is shown already, and its test stays."""
        self._planned, self._in_view = None, table
        self.says.setText("")
        if not again:
            self.tested.setText("")
        chosen: Any = table.record()
        if isinstance(chosen, Connection):
            runtime, state = chosen.plug.runtime, chosen.plug.state
            self.who.setText(runtime.title)
            words = [
                tr(STATES[state][0]),
                chosen.plug.says,
                last_words(chosen),
                self._rights(chosen),
                formatting.short_path(str(runtime.file())),
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
        elif isinstance(chosen, SeenRow):
            self.who.setText(chosen.author.partition(":")[2])
            cost = tr(
                "{tokens} of {budget} tokens", tokens=f"{chosen.tokens:,}", budget=f"{chosen.budget_tokens:,}"
            )
            words = [formatting.second(chosen.at), question_of(chosen), chosen.channel, cost]
            self.about.setText("\n".join(words))
            if not again:
                self._start(partial(self._read, chosen.id))
        self._enable()

    def _come_back(self, table: Table) -> None:
        """Show the row that a table had chosen all along, once another table's was in view."""
        if table is not self._in_view:
            self._show(table)

    @staticmethod
    def _rights(chosen: Connection) -> str:
        """Return the channels that a runtime uses, and its token, as one line."""
        if chosen.agent is None:
            return ""
        token = tr("Token: {words}", words=token_words(chosen.agent))
        scope = tr("Scope: {channels}, {shared}", channels=scope_words(chosen), shared=global_words(chosen))
        return f"{scope} · {token}"

    async def _read(self, id: int) -> None:
        """Show exactly the text that an agent was given."""
        seen = await self.session.call(context.SEEN, AskSeen(id=id))
        self.text.set_text("\n\n".join(each.text for each in seen.pieces))

    def _enable(self) -> None:
        away = self.session.why_not
        chosen: Connection | None = self.table.record() if self._in_view is self.table else None
        project: ProjectInfo | None = self.projects.record() if self._in_view is self.projects else None
        state = None if chosen is None else chosen.plug.state
        shows = self._planned is not None
        plugged = state in (PlugState.INSTALLED, PlugState.MOVED)
        for button, is_shown in (
            (self.install, state not in (None, PlugState.UNREAD) and not shows),
            (self.plugin, bool(chosen and chosen.plug.runtime.has_plugin) and not shows),
            (self.uninstall, plugged and not shows),
            (self.skills, plugged and bool(chosen and chosen.name in INSTRUCTIONS) and not shows),
            (self.days, plugged and not shows),
            (self.renew, plugged and not shows),
            (self.question, plugged and not shows),
            (self.test, plugged and not shows),
            (self.tested, plugged and not shows and bool(self.tested.text())),
            (self.text, self._in_view is self.today),
            (self.change, shows),
            (self.apply, shows),
            (self.cancel, shows),
            (self.channel, project is not None),
            (self.bind, project is not None),
            (self.split, project is not None),
            (self.merge, project is not None),
            (self.forget, project is not None),
        ):
            button.setVisible(is_shown)
        always = (self.install, self.plugin, self.uninstall, self.skills, self.renew, self.test, self.apply)
        for button in (*always, self.split, self.forget):
            button.set_enabled(not away, away)
        same = project is not None and self.channel.text().strip() in ("", project.channel)
        why = away or (tr("Name another channel.") if same else "")
        self.bind.set_enabled(not why, why)
        self.merge.set_enabled(not why, why)

    # What is done.

    def _start(self, work: Callable[[], Coroutine[Any, Any, None]], *_: object) -> None:
        self.session.spawn(work(), failed=self._fail)

    def _fail(self, wrong: MemDeskError) -> None:
        self.says.setText(wrong.sentence)

    async def _plan(self, *, plugin: bool = False, uninstall: bool = False) -> None:
        """Show the change to the files of the chosen runtime; nothing is changed yet."""
        chosen: Connection | None = self.table.record()
        desk = self._desk()
        if chosen is None or desk is None:
            return
        planned = await asyncio.to_thread(
            change_for, chosen.plug.runtime, desk, plugin=plugin, uninstall=uninstall
        )
        self._uninstalls = uninstall
        self._propose(planned)

    async def _plan_skills(self) -> None:
        """Show the change to a runtime's skills and instructions."""
        chosen: Connection | None = self.table.record()
        if chosen is not None:
            self._propose(await skills_for(self.session, chosen.name, chosen.plug.runtime.file().parent))

    def _propose(self, planned: Plan | SkillsPlan) -> None:
        self.says.setText("" if planned.changes else tr("Nothing has to be changed."))
        self._planned = planned if planned.changes else None
        self.change.set_text(planned.diff.rstrip("\n"))
        self._enable()
        (self.apply if self._planned else self.table).setFocus()

    async def _apply(self) -> None:
        """Make the change that is shown; that to a runtime's settings with the agent's token."""
        planned = self._planned
        if planned is None:
            return
        if isinstance(planned, SkillsPlan):
            await self._write_skills(planned)
            return
        backups = await asyncio.to_thread(planned.carry_out)
        if self._uninstalls:
            await self._give_up_token(planned)
        else:
            await self._give_token(planned)
        self.step_back()
        await self.reloaded()
        kept = tr("What was there is kept in {file}.", file=", ".join(backups)) if backups else ""
        after = "" if self._uninstalls else tr(planned.runtime.afterwards)
        self.about.setText("\n".join(filter(None, (tr("The change is made."), kept, after, planned.also))))

    async def _write_skills(self, planned: SkillsPlan) -> None:
        """Write skills and instructions; undo writes what was there."""

        async def written(plan: SkillsPlan) -> int:
            await asyncio.to_thread(plan.carry_out)
            return 0

        says = tr("Wrote %Ln file(s) of skills and instructions", "", len(planned.changes))
        await self.session.do_turn(partial(written, planned), partial(written, planned.reversed()), says)
        self.step_back()
        await self.reloaded()
        self.about.setText(says)

    async def _test(self) -> None:
        """Ask as the chosen runtime would, and show each step."""
        chosen: Connection | None = self.table.record()
        desk = self._desk()
        if chosen is None or desk is None:
            return
        question = self.question.text().strip() or (chosen.last.query if chosen.last else "")
        checks = await live_test(self.session, desk, chosen, question)
        self.tested.setText("\n".join(check.line for check in checks))
        self._enable()

    async def _give_token(self, planned: Plan) -> None:
        rows = (await self.session.call(agents.LIST, Nothing())).rows
        name, file = planned.program.agent, planned.token_file
        if file.exists() and any(row.token_since and agent_key(row.agent) == agent_key(name) for row in rows):
            return
        await self._write_token(name, file)

    async def _renew(self) -> None:
        """End the chosen runtime's tokens, and write it a new one for the days that were chosen."""
        chosen: Connection | None = self.table.record()
        if chosen is None:
            return
        if chosen.agent is not None and chosen.agent.token_since is not None:
            await self.session.call(agents.REVOKE, NamedAgent(agent=chosen.name))
        await self._write_token(
            chosen.name, token_file(chosen.plug.runtime), days=int(str(self.days.value()))
        )
        self.reload()

    async def _write_token(self, name: str, file: Path, *, days: int = 0) -> None:
        made = await self.session.call(agents.ADD, NewToken(agent=name, days=days))
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
        self.reload()

    async def _split(self) -> None:
        project: ProjectInfo = self.projects.record()
        name = self.channel.text().strip()
        ask = SplitProject(folder=project.root, channel="" if name == project.channel else name)
        await self.session.do(projects.SPLIT, ask)
        self.reload()

    async def _merge(self) -> None:
        """Move the memory of a project's channel into another, which the project has from then on."""
        project: ProjectInfo = self.projects.record()
        ask = MergeChannels(channel=project.channel, into=self.channel.text().strip())
        done = await self.session.finish(await self.session.call(channels.MERGE, ask))
        if change := done.result.get("change"):
            self.session.did_run(int(change), done.says, "merge")
        self.reload()

    async def _forget(self) -> None:
        """Take a project off the list; its channel keeps its memory."""
        project: ProjectInfo = self.projects.record()
        says = tr("Took project {name} off the list", name=project.name)
        await self.session.do(projects.FORGET, ForgetProject(folder=project.root), says)
        self.reload()
