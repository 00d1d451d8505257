"""Agents: each with its token or as a guest, and what it may do; grants are given and withdrawn."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from memdesk.api import agents
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.runtimes import token_terms, token_tone, token_words
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import (
    AgentMark,
    Column,
    Control,
    Drop,
    Field,
    Ground,
    Option,
    RowsModel,
    Splitter,
    Table,
    Text,
    column,
    row,
)
from memdesk.model.agent import (
    AGENT_SCOPE,
    CHANNEL_SCOPE,
    GLOBAL_SCOPE,
    NAMELESS,
    PERSON_SCOPE,
    USER_SCOPE,
    AgentInfo,
    AgentToken,
    GrantRow,
    NamedAgent,
    NamedGrant,
    NewGrant,
    NewToken,
)
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FeedEvent
from memdesk.model.status import Nothing

SIDE_PX, STACKS_BELOW_PX = 400, 720
SCOPES = {
    CHANNEL_SCOPE: marked("Only the channel"),
    USER_SCOPE: marked("Memory of the user"),
    AGENT_SCOPE: marked("Things of the agent"),
    GLOBAL_SCOPE: marked("Write into _global"),
    PERSON_SCOPE: marked("Your goals and profile"),
}
"""Labels of the scopes of a grant."""
WITHOUT_GRANTS = marked(
    "Without a grant, an agent reads every channel of yours and writes into them; a claim for _global waits in review. "
    "It leaves alone what you or another agent wrote."
)
GUEST = marked("A guest: anyone who gives this name signs as it. With a token, nobody else does.")


def columns() -> tuple[Column[AgentInfo], ...]:
    """Return the columns of the agents: name, token or guest, grants, last seen and number of events."""
    return (
        Column(tr("Agent"), attrgetter("agent"), token="t1"),
        Column(
            tr("Signs with"),
            lambda row: tr("a token, {term}", term=token_words(row)) if row.token_since else tr("its name"),
            width=160,
            token=lambda row: token_tone(row) if row.token_since else "t3",
        ),
        Column(tr("Grants"), lambda row: str(len(row.grants) or ""), width=64, numeric=True),
        Column(
            tr("Last seen"),
            lambda row: formatting.ago(row.seen_at) if row.seen_at else "",
            width=110,
            token="t3",
            tip=lambda row: formatting.full(row.seen_at) if row.seen_at else "",
        ),
        Column(tr("Events"), lambda row: formatting.count(row.changes), width=72, numeric=True),
    )


def grant_words(given: GrantRow) -> str:
    label = tr(SCOPES[given.scope])
    return f"{label} {given.name}" if given.name else label


def grant_columns() -> tuple[Column[GrantRow], ...]:
    """Return the columns of an agent's grants: what it may do, and who gave it."""
    return (
        Column(tr("May"), grant_words, token="t1"),
        Column(tr("Given by"), lambda row: row.author.partition(":")[2], width=100, token="t3"),
    )


class AgentsPanel(RecordPanel):
    """Table of agents at the left; the chosen one's token and grants at the right."""

    name = "agents"
    kinds = ("grant",)

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.model: RowsModel[AgentInfo] = RowsModel(columns())
        self.table = Table(self.model, name=tr("Agents"), id_of=attrgetter("agent"))
        self.mark, self.who = AgentMark("?", 0), Text("", 15, "t1", weight=600, elide=True)
        self.signs, self.may = Text("", 12, "t2", wrap=True), Text("", 12, "t3", wrap=True)
        self.token = Text("", 12, "t1", mono=True, selectable=True, wrap=True)
        self.copy = Control("button", tr("Copy"), "copy")
        self.make = Control("button", tr("New token"), "plus", tip=tr("It is shown once"))
        self.days = Drop(token_terms(), name=tr("How long the token opens the desk"))
        self.revoke = Control("button", tr("Revoke"), "retire")
        self.given: RowsModel[GrantRow] = RowsModel(grant_columns())
        self.grants = Table(self.given, name=tr("Grants"), token="panel")
        self.withdraw = Control("button", tr("Withdraw"), "undo")
        self.scope = Drop(
            [Option(scope, tr(label)) for scope, label in SCOPES.items()], name=tr("What to grant")
        )
        self.object = Field(placeholder=tr("Name"), width=120)
        self.give = Control("primary", tr("Grant"), "plus")
        self.says = Text("", 12, "bad", wrap=True)
        body = Splitter(self.table, self._side(), grows=0, stacks_below=STACKS_BELOW_PX)
        self.lay_out(body, focus=self.table)
        self.table.picked.connect(self._show)
        self.make.clicked.connect(lambda: self.session.spawn(self._make(), failed=self._fail))
        self.revoke.clicked.connect(lambda: self.session.spawn(self._revoke(), failed=self._fail))
        self.give.clicked.connect(lambda: self.session.spawn(self._give(), failed=self._fail))
        self.withdraw.clicked.connect(lambda: self.session.spawn(self._withdraw(), failed=self._fail))
        self.object.returnPressed.connect(self.give.click)
        self.scope.chosen.connect(lambda _: self._offer_name())
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.token.text()))
        self.grants.picked.connect(lambda _: self._enable())

    def _side(self) -> QWidget:
        side = Ground(
            "panel",
            "left",
            column(
                row(self.mark, self.who, gap=8),
                self.signs,
                row(self.make, self.days, self.revoke, None, gap=8),
                row(self.token, self.copy, gap=8),
                self.may,
                self.grants,
                row(self.withdraw, None),
                row(self.scope, self.object, self.give, None, gap=8),
                self.says,
                None,
                gap=10,
                margins=(18, 16, 18, 16),
            ),
        )
        side.setMinimumWidth(SIDE_PX)
        return side

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for grants, for tokens, which have no record, and for what an agent did."""
        return super().concerned(event) or not event.kinds or event.author.startswith("agent:")

    # Loading.

    async def load(self) -> None:
        """Load the agents; the chosen one stays chosen."""
        rows = (await self.session.call(agents.LIST, Nothing())).rows
        chosen = self.table.replace_rows(rows)
        tokens = sum(each.token_since is not None for each in rows)
        known, signed = tr("%Ln agent(s)", "", len(rows)), tr("%Ln with a token", "", tokens)
        self.say(f"{known} · {signed}" if rows else "")
        if rows:
            self._show(chosen)
            self.show_content()
        else:
            self.show_empty(
                tr("No agent has called this desk yet."),
                tr("Connect one: memdesk install claude-code --apply"),
                step=tr("Runtimes"),
                take=lambda: self.inspector.navigated.emit("connections", ""),
            )

    def _show(self, chosen: AgentInfo | None) -> None:
        """Show the chosen agent. A token that was just made stays visible until another agent is chosen."""
        if chosen is None:
            return
        name, shape, who = self.session.mark(f"agent:{chosen.agent}")
        self.mark.set_agent(name, shape, who=who)
        if self.who.text() != chosen.agent:
            self._show_token("")
        self.who.setText(chosen.agent)
        since = chosen.token_since
        self.signs.setText(
            tr(
                "Signs with a token since {when}: {term}.",
                when=formatting.minute(since),
                term=token_words(chosen),
            )
            if since
            else tr(GUEST)
        )
        self.may.setText(tr(WITHOUT_GRANTS))
        self.grants.replace_rows(chosen.grants, "")
        self.grants.setVisible(bool(chosen.grants))
        self.says.setText("")
        self._offer_name()
        self._enable()

    def _show_token(self, token: str) -> None:
        self.token.show_text(token)
        self.copy.setVisible(bool(token))

    def _offer_name(self) -> None:
        self.object.setVisible(self.scope.value() not in NAMELESS)

    def _enable(self) -> None:
        chosen: AgentInfo | None = self.table.record()
        away = self.session.why_not
        none = "" if chosen else tr("No agent is chosen.")
        self.make.set_enabled(not (away or none), away or none)
        has_token = chosen is not None and chosen.token_since is not None
        self.revoke.setVisible(has_token)
        self.revoke.set_enabled(not away, away)
        self.give.set_enabled(not (away or none), away or none)
        self.withdraw.setVisible(bool(chosen and chosen.grants))
        self.withdraw.set_enabled(
            not away and self.grants.record() is not None, away or tr("Choose a grant.")
        )

    def show_away(self, why_not: str) -> None:
        self._enable()

    # Acting.

    async def _make(self) -> None:
        made: AgentToken = await self.session.call(
            agents.ADD, NewToken(agent=self.who.text(), days=int(str(self.days.value())))
        )
        self._show_token(made.token)
        self.reload()

    async def _revoke(self) -> None:
        await self.session.call(agents.REVOKE, NamedAgent(agent=self.who.text()))
        self._show_token("")
        self.reload()

    async def _give(self) -> None:
        scope = str(self.scope.value())
        name = "" if scope in NAMELESS else self.object.text().strip()
        ask = NewGrant(agent=self.who.text(), scope=scope, name=name)
        label = tr(SCOPES[scope])
        says = tr("Granted {agent}: {what}", agent=ask.agent, what=f"{label} {name}".strip())
        await self.session.do(agents.GRANT, ask, says)
        self.object.clear()
        self.reload()

    async def _withdraw(self) -> None:
        chosen: GrantRow | None = self.grants.record()
        if chosen is not None:
            says = tr("Withdrawn from {agent}: {what}", agent=self.who.text(), what=grant_words(chosen))
            await self.session.do(agents.WITHDRAW, NamedGrant(id=chosen.id), says)
            self.reload()

    def _fail(self, wrong: MemDeskError) -> None:
        self.says.setText(wrong.sentence)
