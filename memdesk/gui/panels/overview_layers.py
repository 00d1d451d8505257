"""Six layers as rows: the content of each, the amount written, its health, and its new changes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.api import context, history, jobs, memory, review, upkeep, workspace
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowState
from memdesk.gui.widgets.text import tip_text
from memdesk.model.context import Meter
from memdesk.model.errors import MemDeskError, NotAllowed, ServiceAway
from memdesk.model.graph import AskSalience, Heatmap
from memdesk.model.history import OPERATIONS, AskHistogram, AskHistory, Histogram, HistoryPage
from memdesk.model.job import JobsList
from memdesk.model.review import CountReview, ReviewCount
from memdesk.model.session import ListSessions, NamedSession, SessionState
from memdesk.model.status import Metrics, Nothing, Status
from memdesk.model.timeline import AskTable, TablePage
from memdesk.model.workspace import AskConflicts, FileConflicts, FileList, FileRow, ListFiles

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
    "core": ("core",),
    "working": ("working",),
    "episodic": ("episodic",),
    "semantic": ("semantic",),
    "long-term": ("long-term", "procedural"),
    "workspace": ("workspace", "learnings", "day", "notes"),
}
"""Six layers, with the layer names used in their events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewData:
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
    open: dict[str, OpenContext]


def counts(seen: OverviewData, layer: str = "") -> dict[str, int]:
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
class OpenContext:
    """Context that an agent has open: its session, and its fill level."""

    session: SessionState
    meter: Meter


async def open_contexts(session: Session, status: Part[Status]) -> dict[str, OpenContext]:
    """Return the open contexts of the agents at work, by agent; agents without a known session are left out."""
    if isinstance(status, MemDeskError):
        return {}
    now = datetime.now(UTC)
    live = [each.name for each in status.agents if each.last_seen and now - each.last_seen < LIVE][
        :AT_WORK_SHOWN
    ]
    found = await asyncio.gather(*(_open(session, name) for name in live))
    return {name: each for name, each in zip(live, found, strict=True) if each is not None}


async def _open(session: Session, agent: str) -> OpenContext | None:
    try:
        held = (await session.call(context.SESSIONS, ListSessions(agent_id=agent, limit=1))).rows
        if not held:
            return None
        meter = await session.call(context.FULLNESS, NamedSession(session_id=held[0].session_id))
    except MemDeskError:
        return None
    return OpenContext(session=held[0], meter=meter)


async def fetch_overview(session: Session, since: datetime) -> OverviewData:
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
            history.PAGE,
            AskHistory(since=since, operations=CHANGES, channels=channels, limit=CHANGES_SHOWN, by_run=True),
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
                bins=DAYS,
                since=midnight - timedelta(days=DAYS - 1),
                until=midnight + timedelta(days=1),
                layers=words,
                channels=channels,
            ),
        )
        for words in LAYERS.values()
    ]
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
    return OverviewData(
        since=since,
        writes=dict(zip(LAYERS, rest, strict=False)),
        new=dict(zip(LAYERS, rest[len(LAYERS) :], strict=True)),
        **dict(zip(named, own, strict=True)),
        open=await open_contexts(session, answers[list(named).index("status")]),
    )


NAMES = {
    "core": (marked("Core"), marked("Who each agent is"), "identity"),
    "working": (marked("Working"), marked("Scratchpads and active goals"), "retire"),
    "episodic": (marked("Episodic"), marked("What was said and done"), "conversations"),
    "semantic": (marked("Semantic"), marked("Facts and entities"), "facts"),
    "long-term": (marked("Long-term"), marked("Curated notes and strategies"), "learnings"),
    "workspace": (marked("Workspace"), marked("Standing files and daily logs"), "file"),
}
"""Name, description and icon."""
FULL_FROM = 0.85
BORN = ("learn", "store", "import", "promote", "redo")
GONE = ("retire", "delete")
SPARK_PX, SPARK_FROM_PX, NAME_PX = 150, 780, 212
HEALTHS = {"ok": "check", "warn": "warning", "bad": "warning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Health of a layer: a tone of ok, warn or bad, and a few words."""

    tone: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRow:
    """Row of a layer. writes: per day, oldest first. leads: the panel that shows more."""

    name: str
    holds: str
    writes: tuple[int, ...]
    health: Health
    new: str
    leads: str


def rows(seen: OverviewData) -> list[LayerRow]:
    """Return the layers that this role reads, in their order; one that could not be read shows the error in its row."""
    holds: dict[str, Callable[[OverviewData], tuple[str, Health]]] = {
        "core": _core,
        "working": _working,
        "episodic": _episodic,
        "semantic": _semantic,
        "long-term": _long_term,
        "workspace": _workspace,
    }
    leads = {
        "core": "identity",
        "working": "facts",
        "episodic": "conversations",
        "semantic": "facts",
        "long-term": "identity",
        "workspace": "daily",
    }
    made = []
    for name in LAYERS:
        try:
            held, health = holds[name](seen)
        except NotAllowed:
            continue
        except MemDeskError as wrong:
            held, health = "", Health(tone="bad", says=wrong.says)
        made.append(
            LayerRow(
                name=name,
                holds=held,
                writes=_written(seen.writes[name]),
                health=health,
                new=_new(seen, name),
                leads=leads[name],
            )
        )
    return made


def _answer_of(part: Part[Answer]) -> Answer:
    """Return a part's answer. Raises the error of a part that failed."""
    if isinstance(part, MemDeskError):
        raise part
    return part


def _core(seen: OverviewData) -> tuple[str, Health]:
    files = [each for each in _files(seen) if each.layer == "core"]
    agents = {each.agent_id for each in files if each.agent_id}
    held = (tr("%Ln file(s)", "", len(files)), tr("%Ln agent(s)", "", len(agents)))
    return " · ".join(held), _fullest(files)


def _working(seen: OverviewData) -> tuple[str, Health]:
    held, goals = _answer_of(seen.metrics).memory, _answer_of(seen.goals)
    lost = held.working_evicted
    live = tr("{size} KB live", size=f"{held.working_bytes / 1024:,.1f}")
    health = Health(tone="ok", says=live if held.working_keys else tr("Nothing live now"))
    if lost:
        health = Health(tone="warn", says=tr("%Ln value(s) gave way to newer ones", "", lost))
    says = (tr("%Ln key(s)", "", held.working_keys), tr("%Ln open goal(s)", "", goals.total))
    return " · ".join(says), health


def _episodic(seen: OverviewData) -> tuple[str, Health]:
    status = _answer_of(seen.status)
    waits = status.unconsolidated
    says = tr("%Ln not consolidated yet", "", waits) if waits else tr("All read")
    held = (tr("%Ln conversation(s)", "", status.conversations), tr("%Ln turn(s)", "", status.turns))
    return " · ".join(held), Health(tone="warn" if waits else "ok", says=says)


def _semantic(seen: OverviewData) -> tuple[str, Health]:
    status, fading = _answer_of(seen.status), _answer_of(seen.fading).counts["fading"]
    says = (
        tr("%Ln (fades|fade) out within 7 days", "", fading) if fading else tr("Nothing fades within 7 days")
    )
    held = (tr("%Ln fact(s)", "", status.facts), tr("%Ln entit(y|ies)", "", status.entities))
    return " · ".join(held), Health(tone="warn" if fading else "ok", says=says)


def _long_term(seen: OverviewData) -> tuple[str, Health]:
    files = [each for each in _files(seen) if each.layer == "long-term"]
    held = (
        tr("%Ln file(s)", "", len(files)),
        tr("%Ln strateg(y|ies)", "", _answer_of(seen.strategies).total),
    )
    return " · ".join(held), _fullest(files)


def _workspace(seen: OverviewData) -> tuple[str, Health]:
    status = _answer_of(seen.status)
    held = tr("%Ln file(s)", "", status.documents)
    clashes, waits = len(_answer_of(seen.clashes).rows), status.unembedded
    if clashes:
        return held, Health(tone="bad", says=tr("%Ln text(s) clashed with a file", "", clashes))
    if waits:
        return held, Health(tone="warn", says=tr("%Ln text(s) not indexed yet", "", waits))
    return held, Health(tone="ok", says=tr("Index current"))


def _files(seen: OverviewData) -> tuple[FileRow, ...]:
    return _answer_of(seen.files).rows


def _fullest(files: list[FileRow]) -> Health:
    """Return the health of files by the size of the fullest one as a share of its budget."""
    bounded = [(each.size / each.budget, each) for each in files if each.budget]
    if not bounded:
        return Health(tone="ok", says=tr("No budget set") if files else tr("Nothing yet"))
    share, fullest = max(bounded, key=lambda each: each[0])
    file = fullest.path
    if fullest.agent_id:
        file = tr("{file} of {agent}", file=file, agent=fullest.agent_id)
    tone = "bad" if share > 1 else "warn" if share >= FULL_FROM else "ok"
    return Health(tone=tone, says=tr("{file} {share} % full", file=file, share=f"{100 * share:.0f}"))


def _written(part: Part[Histogram]) -> tuple[int, ...]:
    if isinstance(part, MemDeskError):
        return ()
    recalled = part.operations.index("recall")
    return tuple(sum(counts) - counts[recalled] for counts in part.counts)


def _new(seen: OverviewData, layer: str) -> str:
    try:
        found = counts(seen, layer)
    except MemDeskError:
        return ""
    born, gone, edits = (sum(found.get(op, 0) for op in ops) for ops in (BORN, GONE, ("update",)))
    words = [f"+{born:,}" if born else "", f"−{gone:,}" if gone else ""]
    if not born and not gone and edits:
        words = [tr("%Ln edit(s)", "", edits)]
    return " ".join(word for word in words if word)


def columns() -> tuple[Column[LayerRow], ...]:
    """Return the columns: layer, content, writes per day, health, new."""
    return (
        Column(
            tr("Layer"),
            lambda row: tr(NAMES[row.name][0]),
            below=lambda row: tr(NAMES[row.name][1]),
            icon=lambda row: (NAMES[row.name][2], "t2"),
            width=NAME_PX,
            px=13,
            weight=500,
            token="t1",
        ),
        Column(tr("Holds"), lambda row: row.holds, token="t1", tip=lambda row: tip_text(row.holds)),
        Column(
            tr("Writes per day, {days} days", days=DAYS),
            lambda row: tr("%Ln write(s)", "", sum(row.writes)),
            width=SPARK_PX + 16,
            hidden_below=SPARK_FROM_PX,
            paint=_paint_spark,
            tip=_writes_tip,
        ),
        Column(
            tr("Health"),
            lambda row: row.health.says,
            width=240,
            token="t1",
            icon=lambda row: (HEALTHS[row.health.tone], row.health.tone),
            tip=lambda row: tip_text(row.health.says),
        ),
        Column(tr("New"), lambda row: row.new, width=84, numeric=True, token="t1"),
    )


def _writes_tip(row: LayerRow) -> str:
    today = row.writes[-1] if row.writes else 0
    return tr(
        "{all} in {days} days, {today} today", all=f"{sum(row.writes):,}", days=DAYS, today=f"{today:,}"
    )


def _paint_spark(painter: QPainter, area: QRectF, row: LayerRow, state: RowState) -> None:
    """Paint a bar per day, today in the accent colour. Heights follow the square root, so that one import
    does not flatten the rest."""
    most = max(row.writes, default=0)
    if not most:
        return
    footer, high = round(area.bottom() - 11), area.height() - 22
    for day, number in enumerate(row.writes):
        tall = max(1, round(high * (number / most) ** 0.5)) if number else 0
        today = day == len(row.writes) - 1
        painter.fillRect(
            QRectF(round(area.x() + day * 3), footer - tall, 2, tall), c("acc" if today else "t3")
        )
    painter.fillRect(QRectF(area.x(), footer, SPARK_PX, 1), c("line"))
