"""Recall lab: ask as an agent would, and see the reasons. Recalls made here are not reinforced or recorded."""

from __future__ import annotations

import asyncio
import re

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from memdesk.contract import context, history, recall, upkeep
from memdesk.gui.inspector import Inspector
from memdesk.gui.inspectors.links import OPENABLE
from memdesk.gui.lab import trial
from memdesk.gui.lab.asking import Asking
from memdesk.gui.lab.hits import Came, Hits, Left
from memdesk.gui.lab.outcome import Outcome
from memdesk.gui.lab.told import Told
from memdesk.gui.lab.trial import Trial
from memdesk.gui.lab.why import Why
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, Failure, Skeleton, Splitter, column, row
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.history import AskHistory, FeedEvent
from memdesk.model.prompt import AskContext
from memdesk.model.recall import Bundle
from memdesk.model.status import ChangeSettings, Nothing

ASK = marked("Ask a question to see what an agent would recall.")
TURNED_MS = 220
"""Delay after the last change of a control before memory is asked again."""
WHY_BESIDE_FROM_PX = 1020
RECENT, RECENT_LOOKED_AT = 3, 60
ASKED = re.compile(r"^“(.*[^…])” → ")
MEMORY = frozenset(("fact", "entity", "turn", "document", "strategy", "goal"))


class LabPanel(Panel):
    """Question at the top, results with their scores below, the explanation at the right."""

    name, title, icon = "lab", marked("Recall lab"), "lab"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._running: asyncio.Task[None] | None = None
        self._asked: Trial | None = None
        self._wants_why: bool | None = None
        self.asking, self.outcome, self.hits = Asking(session), Outcome(), Hits(session)
        self.told, self.why = Told(), Why(session)
        self.save = Control("primary", tr("Save settings"))
        self.back = Control("button", tr("As saved"), tip=tr("Turn everything back"))
        self.why_shown = Control("button", tr("Why not"), "lab", keys="W")
        self._turned = QTimer(self)
        self._turned.setSingleShot(True)
        self._turned.timeout.connect(self.recall)
        self._lay_out()
        self._wire()
        self._show_changed()

    def _lay_out(self) -> None:
        self.why_shown.setCheckable(True)
        self._nothing = Empty(tr(ASK), "")
        self.failure = Failure("")
        self._wait = Skeleton(rows=6, pitch=48, shares=(0.02, 0.4, 0.3, 0.05))
        self._recent = [Control("link", "") for _ in range(RECENT)]
        start = QWidget()
        self._nothing.setContentsMargins(5, 0, 5, 0)
        self._nothing.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        links = (row(each, None, margins=(20, 0, 20, 0)) for each in self._recent)
        start.setLayout(column(self._nothing, *links, None, gap=5, margins=(0, 8, 0, 0)))
        self._shown = QStackedWidget()
        for part in (start, self._wait, self.failure, self.hits):
            self._shown.addWidget(part)
        self._start = start
        body = Splitter(self._shown, self.told, vertical=True)
        body.setStretchFactor(0, 1)
        body.setStretchFactor(1, 0)
        body.setSizes([440, 190])
        left = QWidget()
        parts = column(self.asking, self.outcome, body, gap=0)
        parts.setStretchFactor(body, 1)
        left.setLayout(parts)
        content = QWidget()
        line = row(left, self.why, gap=0)
        line.setStretchFactor(left, 1)
        content.setLayout(line)
        self.furnish(content, actions=(self.why_shown, self.back, self.save), filter_field=self.asking.text)
        self.say(tr("ask as the agent would; nothing is recorded"))
        self.setFocusProxy(self.asking.text)

    def _wire(self) -> None:
        self.asking.asked.connect(self.recall)
        self.asking.turned.connect(self._turn)
        self.hits.picked.connect(self._explain)
        self.hits.opened.connect(lambda row: self._open(row.id))
        self.told.formatted.connect(self.recall)
        self.why.tried.connect(self.asking.try_out)
        self.why.opened.connect(self._open)
        self.why.closed.connect(lambda: self.why_shown.setChecked(False))
        self.why_shown.clicked.connect(self._keep_why)
        self.why_shown.toggled.connect(self.why.setVisible)
        self.save.clicked.connect(self.save_settings)
        self.back.clicked.connect(self.asking.reset)
        self.failure.retried.connect(self.recall)
        for each in self._recent:
            each.clicked.connect(lambda _=False, each=each: self.search(each.text()))
        key = QShortcut(QKeySequence("W"), self.hits, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        key.activated.connect(self.why_shown.click)
        self.session.changed.connect(self._hear)

    # Loading.

    async def load(self) -> None:
        """Load the saved settings, and the agents' latest questions. Results stay until the next question."""
        self.asking.show_saved(trial.saved(await self.session.call(upkeep.SETTINGS, Nothing())))
        self._show_changed()
        if self._asked is None:
            await self._show_recent()
        self.show_content()

    async def _show_recent(self) -> None:
        page = await self.session.call(
            history.PAGE, AskHistory(operations=("recall",), limit=RECENT_LOOKED_AT)
        )
        asked = [
            found[1]
            for row in page.rows
            if row.author.startswith("agent:") and (found := ASKED.match(row.title))
        ]
        shown = list(dict.fromkeys(asked))[:RECENT]
        self._nothing.set_words(tr(ASK), tr("Agents asked lately:") if shown else "")
        for place, link in enumerate(self._recent):
            link.setVisible(place < len(shown))
            link.setText(shown[place] if place < len(shown) else "")
        self._shown.setCurrentWidget(self._start)

    def search(self, text: str) -> None:
        """Ask a question that comes from the window's search."""
        self.asking.text.setText(text)
        self.recall()

    # Asking.

    def _turn(self) -> None:
        """Handle a changed control: ask again after a short delay, if a question was asked."""
        self._show_changed()
        if self._asked is not None:
            self._turned.start(TURNED_MS)

    def recall(self) -> None:
        """Ask now; a running request is cancelled."""
        self._turned.stop()
        tried = self.asking.trial()
        if not tried.text:
            return
        if self._running is not None:
            self._running.cancel()
        first = self._asked is None or self._shown.currentWidget() is self.failure
        self._asked = tried
        if first:
            self._shown.setCurrentWidget(self._wait)
        self._running = self.session.spawn(self._recall(tried), failed=self._fail)

    async def _recall(self, tried: Trial) -> None:
        bundle = await self.session.call(recall.PREVIEW, tried.query())
        if tried is not self._asked:
            return
        self._show(bundle)
        self.why.use(tried)
        message = {"role": "user", "content": tried.text}
        ask = AskContext(
            messages=(message,), channel=tried.channel, user_id=tried.user_id, agent_id=tried.agent_id,
            format=str(self.told.format.value()),
        )  # fmt: skip
        told = await self.session.call(context.PREVIEW, ask)
        if tried is self._asked:
            self.told.show_told(told, differs=bool(trial.changed(tried.values, self.asking.kept)))

    def _show(self, bundle: Bundle) -> None:
        self.outcome.show_bundle(bundle)
        self.asking.show_techniques(bundle.techniques)
        self.hits.show_bundle(bundle)
        self._shown.setCurrentWidget(self.hits if bundle.hits or bundle.cut else self._start)
        if not bundle.hits and not bundle.cut:
            self._nothing.set_words(tr("Nothing comes back for this."), " ".join(bundle.notices))
            for link in self._recent:
                link.hide()

    def _fail(self, wrong: MemDeskError) -> None:
        """Show the failure; while the service is away, earlier results stay."""
        if isinstance(wrong, ServiceAway) and self.hits.rows.rowCount():
            return
        self.outcome.clear()
        self.told.clear()
        self.failure.set_words(wrong.says, wrong.next)
        self._shown.setCurrentWidget(self.failure)

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Keep the results, and mark them as out of date if memory has changed."""
        super()._hear(events)
        if self._asked is not None and any(
            event.op != "recall" and MEMORY & set(event.kinds) for event in events
        ):
            self.outcome.say_stale()

    # Why.

    def _explain(self, row: Came | Left) -> None:
        channel = row.hit.channel if isinstance(row, Came) else ""
        if isinstance(row, Left) and not self.why_shown.isChecked():
            self.why_shown.click()
        if self._asked is not None:
            self.why.explain(row.id, channel, self._asked)
        if self.inspector.isVisible():
            self._open(row.id)

    def _open(self, id: str) -> None:
        """Show a memory in the inspector, or a passage in its file."""
        record = self.hits.record()
        place = record.hit.provenance if isinstance(record, Came) and record.id == id else None
        if place is not None and place.document_id and place.path and "#L" in id:
            self.inspector.links.file(place.document_id, place.path)
        elif not isinstance(record, Came) or record.id != id or record.hit.kind in OPENABLE:
            self.inspector.show_memory(id)

    def _keep_why(self, shown: bool) -> None:
        self._wants_why = shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the explanation if there is no space, unless the person asked for it."""
        super().resizeEvent(event)
        fits = self.width() >= WHY_BESIDE_FROM_PX
        wanted = fits if self._wants_why is None else self._wants_why
        self.why_shown.setChecked(wanted)
        self.why.setVisible(wanted)

    # Saving.

    def _show_changed(self) -> None:
        kept = self.asking.kept
        said = trial.said(self.asking.values(), kept) if kept else ""
        self.save.set_enabled(
            bool(said) and not self.session.is_away, tr("Nothing is tried otherwise than it is saved.")
        )
        if said:
            self.save.set_tip(tr("From now on for every agent: {said}", said=said))
        self.back.setVisible(bool(said))

    def save_settings(self) -> None:
        """Save the tried settings, for every agent's recall."""
        values = trial.changed(self.asking.values(), self.asking.kept)
        if values:
            self.session.spawn(self._save(values))

    async def _save(self, values: dict[str, trial.Value]) -> None:
        before = {name: self.asking.kept[name] for name in values}
        says = tr("Saved %Ln setting(s) of recall", "", len(values))
        await self.session.set_settings(ChangeSettings(values=values), ChangeSettings(values=before), says)
        self.reload()
        self.recall()
