"""Secrets: those that were found, each masked; reveal one, erase it for good, or say that it is none."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from operator import attrgetter
from typing import Any

from memdesk.api import secrets
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, marked_words, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import Column, Control, Ground, RowsModel, Table, Text, column, laid_out, row
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FeedEvent
from memdesk.model.secret import AllowSecret, AskSecrets, RevealSecret, SecretRow, SweepSecrets
from memdesk.model.status import JobState

FOOTER_PX = 56
GENERIC = marked_words("API key, private key, password, token, webhook, authorization, service token")
"""Kinds without the name of a maker."""
STATES = {"kept": marked("Masked"), "allowed": marked("Not a secret"), "erased": marked("Erased")}


class SecretsPanel(RecordPanel):
    """Table of secrets without their values; the line below it reveals the chosen one, and what was done."""

    name = "secrets"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._asks, self._said = False, ""
        self.model: RowsModel[SecretRow] = RowsModel(columns())
        self.table = Table(self.model, name=tr("Secrets"), id_of=attrgetter("id"))
        self.look_for = Control("button", tr("Search the desk"), "lab")
        self.says = Text("", 12, "t2", wrap=True)
        self.reveal = Control("button", tr("Reveal"), "lab")
        self.allow = Control("button", tr("Not a secret"))
        self.erase = Control("button", tr("Erase for good…"), "retire")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        self.confirm = Control("primary", tr("Erase this one"), "retire")
        buttons = (self.reveal, self.allow, self.erase, self.cancel, self.confirm)
        footer = row(column(None, self.says, None), *buttons, gap=12, margins=(20, 0, 20, 0))
        footer.setStretch(0, 1)
        content = laid_out(
            column(self.table, Ground("panel", "top", footer, height=FOOTER_PX), gap=0, stretch=self.table)
        )
        self.lay_out(content, focus=self.table, actions=(self.look_for,))
        for button, work in (
            (self.look_for, self._find),
            (self.reveal, self._reveal),
            (self.allow, self._allow),
            (self.confirm, self._erase),
        ):
            button.clicked.connect(partial(self._start, work))
        self.erase.clicked.connect(lambda: self._ask(True))
        self.cancel.clicked.connect(self.step_back)
        self.table.picked.connect(lambda _: self._say(""))
        self.table.opened.connect(lambda _: self.reveal.click())
        self.session.status_changed.connect(lambda _: self._show_foot())

    def show_away(self, why_not: str) -> None:
        self._show_foot()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for every event: any write may bring a secret."""
        return event.op != "recall"

    def step_back(self) -> bool:
        """Hide a revealed secret, or the question below the table; returns False if there was neither."""
        had = self._asks or bool(self._said)
        self._say("")
        return had

    async def load(self) -> None:
        """Load the secrets; the chosen one stays chosen."""
        found = await self.session.call(secrets.LIST, AskSecrets())
        self.table.replace_rows(found.rows)
        self.say(tr("%Ln masked", "", found.kept))
        if found.rows:
            self.show_content()
        else:
            self.show_empty(
                tr("No secret was found."),
                tr("Keys and passwords are masked before they are stored; a search looks at what is there."),
                step=tr("Search the desk"),
                take=self.look_for.click,
            )
        self._show_foot()

    # What the foot says.

    def _say(self, text: str) -> None:
        self._said, self._asks = text, False
        self._show_foot()

    def _ask(self, asks: bool) -> None:
        self._asks = asks
        self._show_foot()
        self.cancel.setFocus()

    def _show_foot(self) -> None:
        chosen: SecretRow | None = self.table.record()
        away = self.session.why_not
        gone = tr("Its value was erased.") if chosen is None or chosen.state == "erased" else ""
        for button in (self.reveal, self.allow, self.erase):
            button.setVisible(not self._asks)
            button.set_enabled(not (away or gone), away or gone)
        if chosen is not None and chosen.state == "allowed":
            self.allow.set_enabled(False, tr("It is none already."))
        for button in (self.cancel, self.confirm):
            button.setVisible(self._asks)
        self.confirm.set_enabled(not away, away)
        self.look_for.set_enabled(not away, away)
        self.says.setText(
            tr("Nobody can bring it back.") if self._asks else self._said or self._files(chosen)
        )

    def _files(self, chosen: SecretRow | None) -> str:
        if chosen is None or not chosen.files:
            return ""
        return tr("In clear in {files}", files=", ".join(chosen.files))

    # What is done.

    def _start(self, work: Callable[[], Coroutine[Any, Any, None]], *_: object) -> None:
        self.session.spawn(work(), failed=self._fail)

    async def _reveal(self) -> None:
        if (chosen := self.table.record()) is not None:
            found = await self.session.call(secrets.REVEAL, RevealSecret(id=chosen.id))
            self._say(found.value)

    async def _allow(self) -> None:
        if (chosen := self.table.record()) is not None:
            await self.session.call(secrets.ALLOW, AllowSecret(id=chosen.id))
            self.reload()

    async def _erase(self) -> None:
        if (chosen := self.table.record()) is not None:
            await self._sweep(SweepSecrets(ids=(chosen.id,), erase=True))

    async def _find(self) -> None:
        await self._sweep(SweepSecrets())

    async def _sweep(self, ask: SweepSecrets) -> None:
        self._say(tr("Searching…"))
        started = await self.session.call(secrets.SWEEP, ask)
        ended = await self.session.finish(started, self._show_progress)
        self.reload()
        self._say(ended.says)

    def _show_progress(self, job: JobState) -> None:
        self.says.setText(job.says)

    def _fail(self, wrong: MemDeskError) -> None:
        self._say(wrong.sentence)


def columns() -> tuple[Column[SecretRow], ...]:
    return (
        Column(
            tr("Kind"), lambda row: tr(row.kind) if row.kind in GENERIC else row.kind, width=170, token="t1"
        ),
        Column(tr("Id"), lambda row: row.id, width=110),
        Column(tr("State"), lambda row: tr(STATES[row.state]), width=120),
        Column(tr("Came with"), lambda row: row.came, width=130),
        Column(tr("Memory"), lambda row: row.title or ", ".join(row.files)),
        Column(tr("Age"), lambda row: formatting.ago(row.found_at), width=100, align="right"),
    )
