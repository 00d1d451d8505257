"""Requests of the inbox: the queue by type, the evidence of one question, and the event that answered it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from memdesk.contract import curation, history, jobs, memory, review, workspace
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.review.answers import TYPES
from memdesk.gui.review.question_view import Evidence
from memdesk.gui.session import Session
from memdesk.model.browse import Inspect, Inspection
from memdesk.model.curation import PreviewPromotion
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.history import AskHistory, EventRow
from memdesk.model.review import AskReview, CountReview, Question, ReviewCount, ReviewPage
from memdesk.model.status import Nothing
from memdesk.model.workspace import ListFiles

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


async def queue(session: Session, type: str) -> Found:
    """Return the newest questions of every type, or a page of one type if `type` is given."""
    counts = await session.call(review.COUNT, CountReview(channels=session.channels))
    ask = AskReview(state="later", types=(type,) if type else (), channels=session.channels, limit=PAGE)
    later = (await session.call(review.LIST, ask)).rows
    if type:
        page = await listed(session, type)
        return Found(counts=counts, questions=page.rows, later=later, next=page.next)
    asked = [each for each in TYPES if counts.by_type.get(each)]
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
        ask = Inspect(id=id, utc_offset_minutes=times.offset_minutes())
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
    rows = (await session.call(jobs.LIST, Nothing())).rows
    due = [(row.next_due, row.name) for row in rows if row.next_due and row.name in ASKING]
    if not due:
        return ""
    at, name = min(due)
    return tr("The next run of {job} is at {time}.", job=name, time=times.clock(at))
