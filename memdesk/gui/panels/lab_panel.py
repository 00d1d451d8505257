"""Recall lab: ask as an agent would, and see the reasons. Recalls made here are not reinforced or recorded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.api import context, history, recall, review, upkeep
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.inspectors.links import OPENABLE
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, sentences, tr
from memdesk.gui.panels.lab import lab_hits, lab_question
from memdesk.gui.panels.lab.lab_hits import GAP_PX, CutRow, HitRow, Hits, Legend
from memdesk.gui.panels.lab.lab_question import TECHNIQUE_WORDS, RecallControls, Trial
from memdesk.gui.panels.lab.lab_why import Why
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import (
    Control,
    Drop,
    Empty,
    Failure,
    Ground,
    Option,
    Skeleton,
    Splitter,
    Strip,
    Text,
    column,
    delayed,
    laid_out,
    pages,
    row,
    span,
)
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paper import Paper
from memdesk.model.document import DOCUMENT
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.history import AskHistory, FeedEvent
from memdesk.model.kind import SEARCHED
from memdesk.model.prompt import AskContext, PromptContext
from memdesk.model.questions import QuestionRow
from memdesk.model.recall import Bundle
from memdesk.model.review import AskContradictions
from memdesk.model.status import ChangeSettings, Nothing

FORMATS = (("neutral", marked("Neutral")), ("agenticx", "AgenticX"), ("openlegion", "OpenLegion"))
LEAST_PX = 120


def _said(bundle: Bundle) -> str:
    """Return why a recall has no answer, unless the empty page says it, then its notices."""
    listed = bundle.hits or bundle.cut
    return sentences(bundle.reason if listed else "", *bundle.notices)


class ContextText(Ground):
    """View of the context text. The signal `formatted` reports that another format was chosen."""

    formatted = Signal()

    def __init__(self) -> None:
        self.format = Drop(
            [Option(value=value, text=tr(text)) for value, text in FORMATS],
            lead=tr("as"),
            name=tr("Format"),
            small=True,
        )
        self._cost, self._note = Text("", 11, "t3"), Text("", 11, "warn", elide=True)
        explain_terms(self._cost, "tokens")
        self.paper = Paper(tr("As told"), token="t1")
        self.paper.setReadOnly(True)
        self.paper.setViewportMargins(20, 2, 8, 6)
        head = row(
            Text(tr("As told before a turn"), 12, "t2", weight=600),
            self.format,
            self._note,
            self._cost,
            gap=10,
            stretch=self._note,
        )
        top = laid_out(row(head, margins=(20, 7, 20, 3)))
        super().__init__("panel", "top", column(top, self.paper, gap=0))
        self.setMinimumHeight(LEAST_PX)
        self.format.chosen.connect(lambda _: self.formatted.emit())

    def show_context(self, given: PromptContext, *, differs: bool) -> None:
        """Show a text. differs: the settings tried are not saved yet, but the text follows the saved ones."""
        self.paper.set_text(given.text or tr("Nothing would be told."))
        self._bring(next((piece.text for piece in given.pieces if piece.name == "recall"), ""))
        cost = tr(
            "{tokens} of {budget} tokens",
            tokens=formatting.count(given.tokens),
            budget=formatting.count(given.budget_tokens),
        )
        left = ", ".join(given.left)
        self._cost.setText(tr("{cost}, no room for {left}", cost=cost, left=left) if left else cost)
        note = tr("by the settings as saved, not as tried") if differs else sentences(*given.notices)
        self._note.setText(note)

    def _bring(self, text: str) -> None:
        """Scroll to the recalled part, because the other parts do not depend on the question."""
        shown = self.paper.text()
        # Counted in lines, because Qt counts an emoji as two characters.
        block = self.paper.document().findBlockByNumber(shown.count("\n", 0, max(0, shown.find(text))))
        top = self.paper.document().documentLayout().blockBoundingRect(block).top()
        self.paper.verticalScrollBar().setValue(round(top))

    def clear(self) -> None:
        self.paper.set_text("")
        self._cost.setText("")
        self._note.setText("")


LINE_PX = 34


class Outcome(QWidget):
    """Summary of an answer, hidden until the first answer."""

    def __init__(self) -> None:
        super().__init__()
        self.line, self.legend = Text("", 12, "t2"), Legend()
        self.ways = Text("", 12, "t3")
        self.notice = Strip("", flush=True)
        self._stale = Text("", 11, "warn")
        line = row(self.line, self.ways, self._stale, None, self.legend, gap=12, margins=(20, 0, 20, 0))
        ground = Ground("stage", "bottom", line, height=LINE_PX)
        self.setLayout(column(ground, self.notice, gap=0))
        self.notice.hide()
        self.hide()

    def show_bundle(self, bundle: Bundle) -> None:
        count = tr("%Ln hit(s)", "", len(bundle.hits))
        took = " " + tr("in {took} ms", took=f"{bundle.took_ms:.0f}")
        ways = (
            f"{tr(TECHNIQUE_WORDS.get(each.name, (each.name, ''))[0]).lower()} +{each.added:,}"
            for each in bundle.techniques
        )
        self.ways.setText(" · ".join(ways))
        self.line.set_markup(lambda: span(count, "t1", weight=600) + span(took, "t2"), f"{count}{took}")
        self._stale.setText("")
        self.legend.show_names(lab_hits.positive_parts(bundle.hits))
        said = _said(bundle)
        self.notice.setVisible(bool(said))
        self.notice.set_sentence(said)
        self.show()
        self._fit()

    def _fit(self) -> None:
        """Hide the yields of the techniques if space is short. The legend stays, and each chip shows its
        yield as well."""
        room = self.width() - 40 - self.line.sizeHint().width() - self.legend.sizeHint().width() - 3 * GAP_PX
        self.ways.setVisible(self.ways.sizeHint().width() < room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def say_stale(self) -> None:
        """Report that memory has changed since the question."""
        self._stale.setText(tr("memory has changed since; Enter asks again"))

    def clear(self) -> None:
        """Hide the summary."""
        self.hide()


ASK = marked("Ask a question to see what an agent would recall.")
TURNED_MS = 220
"""Delay after the last change of a control before memory is asked again."""
WHY_BESIDE_FROM_PX = 1020
RECENT, RECENT_LOOKED_AT = 3, 60
ASKED = re.compile(r"^“(.*[^…])” → ")
MEMORY = frozenset((*SEARCHED, DOCUMENT.name))


class LabPanel(Panel):
    """Question at the top, results with their scores below, the explanation at the right."""

    name = "lab"
    filter_asks = True

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._running: asyncio.Task[None] | None = None
        self._asked: Trial | None = None
        self._wants_why: bool | None = None
        self.asking, self.outcome, self.hits = RecallControls(session), Outcome(), Hits(session)
        self.context_text, self.why = ContextText(), Why(session)
        self.save = Control("primary", tr("Save settings"))
        self.back = Control("button", tr("As saved"), tip=tr("Turn everything back"))
        self.tests = lab_question.KeptTests(session)
        self.why_shown = Control("button", tr("Why not"), "lab", keys="Alt W")
        self._turned = delayed(self.recall, self)
        self._lay_out()
        self._wire()
        self._show_changed()

    def _lay_out(self) -> None:
        self.why_shown.setCheckable(True)
        self._nothing = Empty(tr(ASK), "")
        self.failure = Failure()
        self._wait = Skeleton(rows=6, pitch=48, shares=(0.02, 0.4, 0.3, 0.05))
        self._recent = [Control("link", "") for _ in range(RECENT)]
        start = QWidget()
        self._nothing.setContentsMargins(5, 0, 5, 0)
        self._nothing.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        links = (row(each, None, margins=(20, 0, 20, 0)) for each in self._recent)
        start.setLayout(column(self._nothing, *links, None, gap=5, margins=(0, 8, 0, 0)))
        self._shown = pages(start, self._wait, self.failure, self.hits)
        self._start = start
        body = Splitter(self._shown, self.context_text, vertical=True)
        body.setStretchFactor(0, 1)
        body.setStretchFactor(1, 0)
        body.setSizes([440, 190])
        left = laid_out(column(self.asking, self.outcome, body, gap=0, stretch=body))
        content = laid_out(row(left, self.why, gap=0, stretch=left))
        actions = (self.tests, self.why_shown, self.back, self.save)
        self.furnish(content, actions=actions, filter_field=self.asking.text)
        self.say(tr("ask as the agent would; nothing is recorded"))
        self.setFocusProxy(self.asking.text)

    def _wire(self) -> None:
        self.asking.asked.connect(self.recall)
        self.tests.asked.connect(self._ask_kept)
        self.asking.turned.connect(self._turn)
        self.hits.picked.connect(self._explain)
        self.hits.opened.connect(lambda row: self._open(row.id))
        self.context_text.formatted.connect(self.recall)
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
        on_key("W", self.why_shown.click, self.hits, inside=True)
        # In the question, where the keyboard begins, a letter types.
        on_key("Alt+W", self._ask_why, self, inside=True)
        self.session.changed.connect(self._hear)

    # Loading.

    async def load(self) -> None:
        """Load the saved settings, and the agents' latest questions. Results stay until the next question."""
        self.asking.follow_scope()
        settings = await self.session.call_if_allowed(upkeep.SETTINGS, Nothing())
        self.asking.show_saved(lab_question.saved(settings) if settings else {})
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

    def _ask_kept(self, kept: QuestionRow) -> None:
        self.asking.take(kept)
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
        facts = tuple(hit.id for hit in bundle.hits if hit.kind == "fact")
        asked = await self.session.call(review.CONTRADICTIONS, AskContradictions(ids=facts))
        if tried is not self._asked:
            return
        self._show(bundle, asked.questions)
        self.why.use(tried)
        message = {"role": "user", "content": tried.text}
        ask = AskContext(
            messages=(message,),
            channel=tried.channel,
            user_id=tried.user_id,
            agent_id=tried.agent_id,
            format=str(self.context_text.format.value()),
        )
        given = await self.session.call(context.PREVIEW, ask)
        if tried is self._asked:
            self.context_text.show_context(
                given, differs=bool(lab_question.changed(tried.values, self.asking.kept))
            )

    def _show(self, bundle: Bundle, questions: Mapping[str, str]) -> None:
        self.outcome.show_bundle(bundle)
        self.asking.show_techniques(bundle.techniques)
        self.hits.show_bundle(bundle, questions)
        self._shown.setCurrentWidget(self.hits if bundle.hits or bundle.cut else self._start)
        if not bundle.hits and not bundle.cut:
            self._nothing.set_words(
                str(bundle.reason) or tr("Nothing comes back for this."),
                tr("Ask in other words, or find the memory that you miss under Why not."),
            )
            for link in self._recent:
                link.hide()

    def _fail(self, wrong: MemDeskError) -> None:
        """Show the failure; while the service is away, earlier results stay."""
        if isinstance(wrong, ServiceAway) and self.hits.rows.rowCount():
            return
        self.outcome.clear()
        self.context_text.clear()
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

    def _explain(self, row: HitRow | CutRow) -> None:
        channel = row.hit.channel if isinstance(row, HitRow) else ""
        if isinstance(row, CutRow) and not self.why_shown.isChecked():
            self.why_shown.click()
        if self._asked is not None:
            self.why.explain(row.id, channel, self._asked)
        if self.inspector.isVisible():
            self._open(row.id)

    def _open(self, id: str) -> None:
        """Show a memory in the inspector, or a passage in its file."""
        record = self.hits.record()
        place = record.hit.provenance if isinstance(record, HitRow) and record.id == id else None
        if place is not None and place.document_id and place.path and "#L" in id:
            self.inspector.links.file(place.document_id, place.path)
        elif not isinstance(record, HitRow) or record.id != id or record.hit.kind in OPENABLE:
            self.inspector.show_memory(id)

    def _ask_why(self) -> None:
        """Go to the search for a memory that did not come back; hide the explanation if the keyboard is there."""
        if self.why.field.hasFocus() or not self.why_shown.isChecked():
            self.why_shown.click()
        if self.why_shown.isChecked():
            self.why.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.take_focus()

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
        said = lab_question.changes_text(self.asking.values(), kept) if kept else ""
        self.save.set_enabled(
            bool(said) and not self.session.is_away, tr("Nothing is tried otherwise than it is saved.")
        )
        if said:
            self.save.set_tip(tr("From now on for every agent: {said}", said=said))
        self.back.setVisible(bool(said))

    def save_settings(self) -> None:
        """Save the tried settings, for every agent's recall."""
        values = lab_question.changed(self.asking.values(), self.asking.kept)
        if values:
            self.session.spawn(self._save(values))

    async def _save(self, values: dict[str, lab_question.Value]) -> None:
        before = {name: self.asking.kept[name] for name in values}
        says = tr("Saved %Ln setting(s) of recall", "", len(values))
        await self.session.set_settings(ChangeSettings(values=values), ChangeSettings(values=before), says)
        # In the question, Ctrl+Z would take back what was typed there.
        self.hits.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reload()
        self.recall()
