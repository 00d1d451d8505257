"""Requests of the overview, independent of each other: a failed part shows its error in its own section, and
the rest is shown."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeVar

from memdesk.contract import context, history, jobs, memory, review, upkeep, workspace
from memdesk.gui.session import Session
from memdesk.model.context import Meter
from memdesk.model.errors import MemDeskError, ServiceAway
from memdesk.model.heatmap import AskSalience, Heatmap
from memdesk.model.history import OPERATIONS, AskHistogram, AskHistory, Histogram, HistoryPage
from memdesk.model.job import JobsList
from memdesk.model.metrics import Metrics
from memdesk.model.review import CountReview, ReviewCount
from memdesk.model.sessions import ListSessions, NamedSession, SessionState
from memdesk.model.status import Nothing, Status
from memdesk.model.table import AskTable, TablePage
from memdesk.model.workspace import AskConflicts, FileConflicts, FileList, ListFiles

Answer = TypeVar("Answer")
Part: TypeAlias = Answer | MemDeskError
DAYS = 50
CHANGES = tuple(op for op in OPERATIONS if op not in ("recall", "store"))
"""Operations shown as changes; turns and recalls are left out, as agents make them all the time."""
CHANGES_SHOWN = 200
FADING_SHOWN = 3
LIVE = timedelta(hours=1)
"""Time without news of an agent after which its context is not shown."""
AT_WORK_SHOWN = 6
LAYERS = {
    "core": ("core",), "working": ("working",), "episodic": ("episodic",), "semantic": ("semantic",),
    "long-term": ("long-term", "procedural"), "workspace": ("workspace", "learnings", "day", "notes"),
}  # fmt: skip
"""Six layers, with the layer names used in their events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """All answers; a part that failed is the error. since: time from which a change counts as new."""

    since: datetime
    status: Part[Status]
    metrics: Part[Metrics]
    files: Part[FileList]
    clashes: Part[FileConflicts]
    goals: Part[TablePage]
    strategies: Part[TablePage]
    fading: Part[Heatmap]
    review: Part[ReviewCount]
    jobs: Part[JobsList]
    changes: Part[HistoryPage]
    stored: Part[HistoryPage]
    counted: Part[Histogram]
    writes: dict[str, Part[Histogram]]
    new: dict[str, Part[Histogram]]
    open: dict[str, Open]


def counts(seen: Seen, layer: str = "") -> dict[str, int]:
    """Return the number of changes per operation since `seen.since`, in one layer or in all of them.

    The changes are counted exactly if there are few; if there are many, the histogram, which counts full
    hours, is used. Raises the error of a part that failed."""
    changes, stored = seen.changes, seen.stored
    for part in (changes, stored):
        if isinstance(part, MemDeskError):
            raise part
    assert not isinstance(changes, MemDeskError) and not isinstance(stored, MemDeskError)
    if changes.total > len(changes.rows):
        whole = seen.new[layer] if layer else seen.counted
        if isinstance(whole, MemDeskError):
            raise whole
        return whole.by_operation
    words = LAYERS.get(layer)
    found = Counter(row.op for row in changes.rows if words is None or row.layer in words)
    if layer in ("", "episodic"):
        found["store"] += stored.total
    return dict(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Context that an agent has open: its session, and its fill level."""

    session: SessionState
    meter: Meter


async def contexts(session: Session, status: Part[Status]) -> dict[str, Open]:
    """Return the open contexts of the agents at work, by agent; agents without a known session are left out."""
    if isinstance(status, MemDeskError):
        return {}
    now = datetime.now(UTC)
    live = [each.name for each in status.agents if each.last_seen and now - each.last_seen < LIVE][
        :AT_WORK_SHOWN
    ]
    found = await asyncio.gather(*(_open(session, name) for name in live))
    return {name: each for name, each in zip(live, found, strict=True) if each is not None}


async def _open(session: Session, agent: str) -> Open | None:
    try:
        held = (await session.call(context.SESSIONS, ListSessions(agent_id=agent, limit=1))).rows
        if not held:
            return None
        meter = await session.call(context.FULLNESS, NamedSession(session_id=held[0].session_id))
    except MemDeskError:
        return None
    return Open(session=held[0], meter=meter)


async def ask(session: Session, since: datetime) -> Seen:
    """Send all requests at the same time. Raises ServiceAway if all parts fail with it."""
    channels, midnight = (
        session.channels,
        datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0),
    )
    now = datetime.now(UTC)
    call = session.call
    named: dict[str, Coroutine[Any, Any, Any]] = {
        "status": call(upkeep.STATUS, Nothing()),
        "metrics": call(upkeep.METRICS, Nothing()),
        "files": call(workspace.FILES, ListFiles()),
        "clashes": call(workspace.CONFLICTS, AskConflicts()),
        "goals": call(memory.TABLE, AskTable(kind="goal", channels=channels, limit=1)),
        "strategies": call(memory.TABLE, AskTable(kind="strategy", channels=channels, limit=1)),
        "fading": call(
            memory.SALIENCE,
            AskSalience(channels=channels, only="fading", days_back=1, days_ahead=0, limit=FADING_SHOWN),
        ),
        "review": call(review.COUNT, CountReview()),
        "jobs": call(jobs.LIST, Nothing()),
        "changes": call(
            history.PAGE, AskHistory(since=since, operations=CHANGES, channels=channels, limit=CHANGES_SHOWN)
        ),
        "stored": call(
            history.PAGE, AskHistory(since=since, operations=("store",), channels=channels, limit=1)
        ),
        "counted": call(history.HISTOGRAM, AskHistogram(bins=1, since=since, until=now, channels=channels)),
    }
    writes = [
        call(
            history.HISTOGRAM,
            AskHistogram(
                bins=DAYS, since=midnight - timedelta(days=DAYS - 1), until=midnight + timedelta(days=1), layers=words,
                channels=channels,
            ),
        )
        for words in LAYERS.values()
    ]  # fmt: skip
    new = [
        call(history.HISTOGRAM, AskHistogram(bins=1, since=since, until=now, layers=words, channels=channels))
        for words in LAYERS.values()
    ]
    answers: list[Any] = await asyncio.gather(*named.values(), *writes, *new, return_exceptions=True)
    for each in answers:
        if isinstance(each, BaseException) and not isinstance(each, MemDeskError):
            raise each
    if all(isinstance(each, ServiceAway) for each in answers):
        raise answers[0]
    own, rest = answers[: len(named)], answers[len(named) :]
    return Seen(
        since=since, writes=dict(zip(LAYERS, rest, strict=False)),
        new=dict(zip(LAYERS, rest[len(LAYERS) :], strict=True)), **dict(zip(named, own, strict=True)),
        open=await contexts(session, answers[list(named).index("status")]),
    )  # fmt: skip
