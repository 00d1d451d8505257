"""Loading of a question: its evidence is fetched and shown, and the effect of the answer under the pointer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from memdesk.api import curation, history, jobs, memory, review, workspace
from memdesk.gui import formatting
from memdesk.gui.inspectors.links import Links
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.review import review_words
from memdesk.gui.panels.review.review_question import ClashView, Evidence, QuestionView
from memdesk.gui.panels.review.review_queue import Reading, View
from memdesk.gui.panels.review.review_words import CONFLICT, NAMED, Answer
from memdesk.gui.session import Session
from memdesk.gui.terms import word
from memdesk.gui.widgets import delayed
from memdesk.model.browse import Inspect, Inspection, PromotionPreview
from memdesk.model.curation import PreviewPromotion
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.history import AskHistory, EventRow
from memdesk.model.message import verbatim
from memdesk.model.review import (
    QUARANTINE,
    AskReview,
    CountReview,
    Decide,
    DecisionPreview,
    Question,
    ReviewCount,
    ReviewPage,
)
from memdesk.model.status import Nothing
from memdesk.model.workspace import AskConflict, ListFiles

OF_EACH, PAGE = 50, 100
"""Limits of questions per type in the full queue, and per page of one type."""
INSPECTED = ("fact", "entity")
ASKING = ("promote", "consolidate")
"""Jobs that add questions to the queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Questions of the queue. later: the postponed ones. next: where the next page of one type begins, None
    after the last."""

    counts: ReviewCount
    questions: tuple[Question, ...]
    later: tuple[Question, ...] = ()
    next: int | None = None

    def lacks(self, id: str) -> bool:
        """Return True if a question is no longer open."""
        return all(each.id != id for each in (*self.questions, *self.later))

    def has_closed(self, question: Question) -> bool:
        """Return True if a question is known to be open no more: all of its type are listed, and it is not."""
        listed = sum(each.type == question.type for each in self.questions)
        return self.lacks(question.id) and listed >= self.counts.by_type.get(question.type, 0)

    def as_now(self, shown: Iterable[Question]) -> tuple[Question, ...]:
        """Return the questions that are shown, but for those put off since, as they are now."""
        fresh, later = {each.id: each for each in self.questions}, {each.id for each in self.later}
        return tuple(fresh.get(each.id, each) for each in shown if each.id not in later)


async def queue(session: Session, type: str) -> Found:
    """Return the newest questions of every type, or a page of one type if `type` is given."""
    counts = await session.call(review.COUNT, CountReview(channels=session.channels))
    ask = AskReview(state="later", types=(type,) if type else (), channels=session.channels, limit=PAGE)
    later = (await session.call(review.LIST, ask)).rows
    if type:
        page = await listed(session, type)
        return Found(counts=counts, questions=page.rows, later=later, next=page.next)
    asked = [each for each in NAMED if counts.by_type.get(each)]
    pages = await asyncio.gather(*(listed(session, each, limit=OF_EACH) for each in asked))
    return Found(counts=counts, questions=tuple(row for page in pages for row in page.rows), later=later)


async def listed(session: Session, type: str, *, after: int | None = None, limit: int = PAGE) -> ReviewPage:
    """Return a page of one type, newest first."""
    ask = AskReview(types=(type,), channels=session.channels, after=after, limit=limit)
    return await session.call(review.LIST, ask)


async def alike(session: Session, question: Question, most: int) -> list[Question]:
    """Return the open questions of the same type in the same channel, the newest first, `most` at most."""
    found: list[Question] = []
    after: int | None = None
    while len(found) < most:
        ask = AskReview(types=(question.type,), channels=(question.channel,), after=after, limit=200)
        page = await session.call(review.LIST, ask)
        found += page.rows
        after = page.next
        if after is None:
            break
    return found[:most]


async def evidence(session: Session, question: Question) -> Evidence:
    """Return the details of both memories and of a promotion. Memories that cannot be read are left out."""
    sides = [each for each in (question.subject, question.other) if each is not None]
    inspected = [each.id for each in sides if each.kind in INSPECTED]
    found = await asyncio.gather(*(_inspected(session, id) for id in inspected))
    promotion = None
    if question.type == "promotion":
        ask = PreviewPromotion(fact_id=question.subject.id)
        promotion = await session.call(curation.PREVIEW_PROMOTION, ask)
    return Evidence(seen={each.id: each for each in found if each is not None}, promotion=promotion)


async def _inspected(session: Session, id: str) -> Inspection | None:
    try:
        ask = Inspect(id=id, utc_offset_minutes=formatting.offset_minutes())
        return await session.call(memory.INSPECT, ask)
    except ServiceAway:
        raise
    except MemDeskError:
        return None


async def answered_by(session: Session, id: str) -> EventRow | None:
    """Return the latest event that changed a question, or None."""
    page = await session.call(history.PAGE, AskHistory(record=id, limit=1))
    return page.rows[0] if page.rows else None


async def sources(session: Session, question: Question) -> list[tuple[str, str, str]]:
    """Return the sources of a question as (kind, source, name): its agent, its channel, the workspace of its
    file."""
    found = []
    fact = question.subject.fact
    agent = question.agent_id or (fact.agent_id if fact else None)
    if agent:
        found.append(("agent", agent, agent))
    if question.channel:
        found.append(("channel", question.channel, question.channel))
    if document := question.subject.provenance.document_id:
        files = (await session.call(workspace.FILES, ListFiles())).rows
        found += [
            ("workspace", each.workspace_id, each.workspace) for each in files if each.document_id == document
        ]
    return found


async def next_run(session: Session) -> str:
    """Return a sentence about the next run of a job that asks questions; empty if none is due."""
    found = await session.call_if_allowed(jobs.LIST, Nothing())
    rows = () if found is None else found.rows
    due = [(row.next_due, row.name) for row in rows if row.next_due and row.name in ASKING]
    if not due:
        return ""
    at, name = min(due)
    return tr("The next run of {job} is at {time}.", job=word(name), time=formatting.clock(at))


WRITE_FIRST = marked("Write the claim first; then its effect shows here.")
TYPED_MS = 250
"""Delay between the last typed letter of a claim and the request for its effect."""


class QuestionLoader(QObject):
    """Controller that shows one question at a time. question: the one fully shown, None while another is
    loading.

    suggested: the decision of the suggested answer, empty for none."""

    def __init__(self, session: Session, reading: Reading, links: Links, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._reading, self._links = session, reading, links
        self._previews: dict[Decide, DecisionPreview] = {}
        self._task: asyncio.Task[None] | None = None
        self._wanted: Question | None = None
        self._pointed: Decide | None = None
        self._kept: Callable[[], object] | None = None
        self._follows_answer = False
        self.question: Question | None = None
        self.suggested, self._why = "", ""
        self._typed = delayed(self._look_up, self)
        reading.decisions.pointed.connect(self.preview)
        reading.failure.retried.connect(self._again)
        session.able.connect(self._show_whether_able)

    def read(self, question: Question | None, *, again: bool = False, picked: bool = False) -> None:
        """Show a question with its evidence, or none. again: even if it is already shown. picked: a person chose it."""
        if question is None or self._wanted is None or question.id != self._wanted.id:
            self._kept = None
        if question is None:
            self._wanted = self.question = None
            self._reading.show_nothing()
            return
        if picked:
            self._follows_answer = False
        same = self.question is not None and question.id == self.question.id
        settled = self._reading.closed.isHidden() and not again
        if same and (self._reading.form is not None or settled):
            return
        self._wanted, self.question, self._pointed = question, None, None
        self._previews.clear()
        self._reading.wait()
        self._again()

    def leave(self) -> None:
        """Stop answers to the shown question, which was answered; a key pressed meanwhile is not for it."""
        self._wanted = self.question = self._kept = None
        self._follows_answer = True

    def keep(self, act: Callable[[], object]) -> bool:
        """Keep an act until the question that is loading is shown; returns False if there is none to keep it for.

        Nothing is kept for a question that came after an answer: a key pressed twice would answer it unseen."""
        if self._wanted is None or self.question is not None or self._follows_answer:
            return False
        self._kept = act
        return True

    def _again(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._wanted is not None:
            self._task = self._session.spawn(self._show(self._wanted), failed=self._fail)

    def _fail(self, wrong: MemDeskError) -> None:
        self._kept = None
        self._reading.show_failure(wrong)

    async def _show(self, question: Question) -> None:
        view, promotion = await self._view(question)
        if self._wanted is not question:
            view.deleteLater()
            return
        self.question = question
        answers = review_words.answers(question)
        self.suggested, self._why = review_words.suggestion(question, promotion)
        is_file = question.type == CONFLICT
        self._reading.decisions.show_answers(answers, self.suggested)
        sides = 0 if is_file else len(review_words.sides(question))
        self._reading.decisions.offer(
            alike=not is_file, sides=sides, quarantine=QUARANTINE in question.decisions
        )
        self._reading.show_view(view)
        self._show_whether_able()
        self.preview(next((each for each in answers if each.decision == self.suggested), answers[0]))
        kept, self._kept, self._follows_answer = self._kept, None, False
        if kept is not None:
            kept()

    async def _view(self, question: Question) -> tuple[View, PromotionPreview | None]:
        if question.type == CONFLICT:
            ask = AskConflict(conflict_id=question.id)
            return ClashView(self._session, await self._session.call(workspace.CONFLICT, ask)), None
        found = await evidence(self._session, question)
        return QuestionView(self._session, question, found, self._links), found.promotion

    def _show_whether_able(self) -> None:
        """Disable the answers while nothing can be changed."""
        self._reading.decisions.set_enabled(not self._session.why_not, self._session.why_not)

    # What an answer would do.

    def preview(self, answer: Answer) -> None:
        """Show the effect of an answer without giving it."""
        view = self._reading.view
        if self.question is None:
            return
        if isinstance(view, ClashView):
            view.show_answer(answer)
        elif answer.writes and isinstance(view, QuestionView):
            self._pointed = None
            view.show_preview(
                answer, DecisionPreview(decision=answer.decision, why_not=verbatim(tr(WRITE_FIRST))), ""
            )
        else:
            self._pointed = Decide(id=self.question.id, decision=answer.decision)
            self._look_up()

    def preview_typed(self, ask: Decide) -> None:
        """Show the effect of an answer with the text that is being typed."""
        self._pointed = ask
        self._typed.start(TYPED_MS)

    def _look_up(self) -> None:
        ask = self._pointed
        if ask is None:
            return
        if ask in self._previews:
            self._show_preview(ask)
        else:
            self._session.spawn(self._fetch(ask))

    async def _fetch(self, ask: Decide) -> None:
        self._previews[ask] = await self._session.call(review.PREVIEW, ask)
        self._show_preview(ask)

    def _show_preview(self, ask: Decide) -> None:
        """Show a fetched preview, unless another answer is being previewed by now."""
        view, question = self._reading.view, self.question
        if ask != self._pointed or question is None or not isinstance(view, QuestionView):
            return
        answer = review_words.answer(question, ask.decision)
        if answer is not None:
            why = self._why if self.suggested == ask.decision else ""
            view.show_preview(answer, self._previews[ask], why)
