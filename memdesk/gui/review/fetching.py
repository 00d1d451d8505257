"""What the inbox asks of memory: the queue by type, the evidence of one question, and who answered it meanwhile."""

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
"""Questions of each type that stand in the whole queue, and in a page of one type."""
INSPECTED = ("fact", "entity")
ASKING = ("promote", "consolidate")
"""Jobs that put questions into the queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The queue as it stands. later: what was put off. next: where the next page of one type begins, None where all

    are here."""

    counts: ReviewCount
    questions: tuple[Question, ...]
    later: tuple[Question, ...] = ()
    next: int | None = None

    def lacks(self, id: str) -> bool:
        """Whether a question is open no more."""
        return all(each.id != id for each in (*self.questions, *self.later))


async def queue(session: Session, type: str) -> Found:
    """The newest questions of every type, or with `type` a page of one."""
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
    """A page of one type, newest first."""
    ask = AskReview(types=(type,), channels=session.channels, after=after, limit=limit)
    return await session.call(review.LIST, ask)


async def alike(session: Session, question: Question, most: int) -> list[Question]:
    """Every open question of the same type in the same channel, the newest first, `most` at most."""
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
    """Both memories whole. What cannot be had is left out: deciding stays possible."""
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
    """The latest event that touched a question."""
    page = await session.call(history.PAGE, AskHistory(record=id, limit=1))
    return page.rows[0] if page.rows else None


async def sources(session: Session, question: Question) -> list[tuple[str, str, str]]:
    """Where a question comes from, as (kind, source, name): its agent, its channel, the workspace of its file."""
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
    """When a job that asks runs next, as a sentence; empty where none is due."""
    rows = (await session.call(jobs.LIST, Nothing())).rows
    due = [(row.next_due, row.name) for row in rows if row.next_due and row.name in ASKING]
    if not due:
        return ""
    at, name = min(due)
    return tr("The next run of {job} is at {time}.", job=name, time=times.clock(at))
