"""Runtimes and projects: their rows and columns, the contexts given today, the live test of a runtime, its skills."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from memdesk.api import context, memory, procedures, upkeep
from memdesk.client.client import Client
from memdesk.client.plugs.installing import PlugState, RuntimeState, runtime_states, token_file
from memdesk.client.plugs.skills import SkillsPlan, plan_skills
from memdesk.client.wire import agent_token
from memdesk.files.places import Desk
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import error_in_language
from memdesk.gui.widgets import Column, Option
from memdesk.model.agent import CHANNEL_SCOPE, GLOBAL_SCOPE, AgentInfo, agent_key
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import MemDeskError
from memdesk.model.project import ProjectInfo
from memdesk.model.prompt import AskContext, PromptContext, SeenCount, SeenList, SeenRow
from memdesk.model.status import Nothing
from memdesk.model.strategy import ListStrategies, StrategyRow

STATES = {
    PlugState.INSTALLED: (marked("Installed"), "ok"),
    PlugState.READY: (marked("Not installed"), "t2"),
    PlugState.ABSENT: (marked("Not on this machine"), "t3"),
    PlugState.MOVED: (marked("Moved program"), "warn"),
    PlugState.UNREAD: (marked("Settings not understood"), "bad"),
}
"""Label of each state and its tone."""
ORDER = {PlugState.READY: 1, PlugState.ABSENT: 2}
LAST_DAYS = 7
"""Days before a token's end from which it is a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Runtime with its state. last: the last context it was given, None if that is not among the latest.
    today: how often it was given a context today. agent: the agent of its name, with token and grants."""

    plug: RuntimeState
    last: SeenRow | None
    today: SeenCount | None = None
    agent: AgentInfo | None = None

    @property
    def name(self) -> str:
        return self.plug.name


def connections(
    states: Iterable[RuntimeState], latest: SeenList, today: SeenList, agents: Iterable[AgentInfo]
) -> list[Connection]:
    """Return the runtimes with what the desk knows of their agents, which have their names: connected ones first, those
    that are not on this machine last."""
    last: dict[str, SeenRow] = {}
    for each in latest.rows:
        last.setdefault(_agent_of(each.author), each)
    counts = {_agent_of(each.author): each for each in today.counts}
    known = {agent_key(each.agent): each for each in agents}
    return [
        Connection(plug=each, last=last.get(key), today=counts.get(key), agent=known.get(key))
        for each in sorted(states, key=lambda each: ORDER.get(each.state, 0))
        for key in (agent_key(each.name),)
    ]


def _agent_of(author: str) -> str:
    return agent_key(author.partition(":")[2])


def last_words(row: Connection) -> str:
    """Return when a runtime asked last, and how much it was given; of one without hooks, when it worked last."""
    if row.last is not None:
        when = formatting.ago(row.last.at)
        if not row.last.memories:
            return tr("asked {when}, was told nothing", when=when)
        memories = tr("%Ln memories", "", row.last.memories)
        return tr("asked {when}, was told {what}", when=when, what=memories)
    if row.agent is not None and row.agent.seen_at is not None:
        return tr("used its tools {when}", when=formatting.ago(row.agent.seen_at))
    return ""


def today_words(row: Connection) -> str:
    """Return how often a runtime was given a context today, and what that took on average."""
    if row.today is None:
        return tr("nothing today") if row.plug.state == PlugState.INSTALLED else ""
    ms = f"{row.today.took_ms:.0f}"
    return tr("{count} today, {ms} ms on average", count=formatting.count(row.today.count), ms=ms)


def token_since(row: Connection) -> str:
    """Return the day on which a runtime's token was made."""
    since = None if row.agent is None else row.agent.token_since
    return tr("since {when}", when=formatting.date_of(since)) if since else ""


def state_words(row: Connection) -> str:
    """Return when an installed runtime asked last, the state of any other."""
    asked = last_words(row) if row.plug.state == PlugState.INSTALLED else ""
    return asked[:1].upper() + asked[1:] if asked else tr(STATES[row.plug.state][0])


def scope_words(row: Connection) -> str:
    """Return the channels that a runtime's agent uses; "" for one that the desk does not know."""
    if row.agent is None:
        return ""
    limits = [each.name for each in row.agent.grants if each.scope == CHANNEL_SCOPE]
    return ", ".join(limits) or tr("every channel")


def global_words(row: Connection) -> str:
    """Return how a runtime's agent writes into `_global`."""
    if row.agent is None:
        return ""
    is_free = any(each.scope == GLOBAL_SCOPE for each in row.agent.grants)
    return tr("writes {channel}", channel=GLOBAL) if is_free else tr("{channel} by proposal", channel=GLOBAL)


def token_words(agent: AgentInfo | None, *, now: datetime | None = None) -> str:
    """Return how long an agent's token still opens the desk."""
    if agent is None or agent.token_since is None:
        return tr("no token") if agent is not None else ""
    left = days_left(agent, now=now)
    if left is None:
        return tr("no end")
    return tr("%Ln day(s) left", "", left) if left else tr("ended")


def token_terms() -> list[Option]:
    """Return how many days a new token can have."""
    return [Option(0, tr("no end")), *(Option(days, tr("%Ln day(s)", "", days)) for days in (30, 90, 365))]


def days_left(agent: AgentInfo, *, now: datetime | None = None) -> int | None:
    """Return the days until an agent's token ends, counting a begun one, 0 once it has ended, None without an end."""
    if agent.token_ends is None:
        return None
    left = agent.token_ends - (now or datetime.now().astimezone())
    return max(0, math.ceil(left / timedelta(days=1)))


def token_tone(agent: AgentInfo | None) -> str:
    """Return the tone of a token's words: a warning in its last week, red once it has ended."""
    left = None if agent is None else days_left(agent)
    if left is None or left > LAST_DAYS:
        return "t2"
    return "warn" if left else "bad"


def runtime_columns() -> tuple[Column[Connection], ...]:
    """Return the columns of the runtimes, on two lines: name and kind, state and calls of today, scope, token."""
    return (
        Column(
            tr("Runtime"),
            lambda row: row.plug.runtime.title,
            below=lambda row: formatting.short_path(str(row.plug.runtime.file())),
            width=190,
            token="t1",
            weight=600,
        ),
        Column(
            tr("State"),
            state_words,
            below=today_words,
            icon=lambda row: ("dot", STATES[row.plug.state][1]),
            token=lambda row: "t3" if row.plug.state == PlugState.ABSENT else "t1",
            tip=lambda row: row.plug.says,
        ),
        Column(tr("Scope"), scope_words, below=global_words, width=150, hidden_below=520),
        Column(
            tr("Token"),
            lambda row: token_words(row.agent),
            below=token_since,
            width=110,
            token=lambda row: token_tone(row.agent),
            hidden_below=620,
        ),
    )


def project_columns(channel_number: Callable[[str], int]) -> tuple[Column[ProjectInfo], ...]:
    """Return the columns of the projects: channel, name, folder."""
    return (
        Column(tr("Channel"), attrgetter("channel"), width=140, channel=channel_number),
        Column(tr("Project"), attrgetter("name"), width=130, token="t1"),
        Column(
            tr("Folder"),
            project_folder,
            token=lambda row: "t2" if Path(row.root).is_dir() else "warn",
            tip=attrgetter("identity"),
        ),
    )


def project_folder(row: ProjectInfo) -> str:
    """Return the folder of a project, and that it is gone if it is."""
    folder = formatting.short_path(row.root)
    return folder if Path(row.root).is_dir() else tr("{folder} (gone)", folder=folder)


def seen_columns() -> tuple[Column[SeenRow], ...]:
    """Return the columns of contexts given today: time, agent, question, memories, milliseconds."""
    return (
        Column(tr("Time"), lambda row: formatting.clock(row.at), width=72, token="t3"),
        Column(tr("Agent"), lambda row: row.author.partition(":")[2], width=120, token="t1"),
        Column(tr("Question"), question_of, token="t2"),
        Column(tr("Memories"), lambda row: f"{row.memories:,}", width=80, numeric=True),
        Column(
            tr("Took"),
            lambda row: tr("{ms} ms", ms=f"{row.took_ms:.0f}"),
            width=70,
            numeric=True,
            token="t3",
            hidden_below=480,
        ),
    )


def question_of(row: SeenRow) -> str:
    """Return the question that an agent was given a context for; at the start of a session there is no question."""
    return f"“{' '.join(row.query.split())}”" if row.query else tr("start of a session")


Answer = TypeVar("Answer")
SETTINGS_READ, TOKEN_OPENS = marked("Its settings call this desk"), marked("Its token opens the desk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Step of a live test. says: the findings."""

    says: str
    passed: bool
    ms: float

    @property
    def line(self) -> str:
        return tr(
            "{mark} {says} · {ms} ms", mark="✓" if self.passed else "✗", says=self.says, ms=f"{self.ms:.0f}"
        )


async def live_test(session: Session, desk: Desk, row: Connection, question: str) -> tuple[Check, ...]:
    """Ask as a runtime would, step by step up to the first that fails. Nothing is stored or reinforced."""
    states, ms = await _timed(asyncio.to_thread(runtime_states, desk))
    state = next(each.state for each in states if each.name == row.name)
    passed = state == PlugState.INSTALLED
    checks = [Check(says=tr(SETTINGS_READ) if passed else tr(STATES[state][0]), passed=passed, ms=ms)]
    if passed:
        checks.append(await _opened(desk, row))
    if checks[-1].passed:
        channel = GLOBAL if row.last is None else row.last.channel
        ask = AskContext(text=question, channel=channel, agent_id=row.name)
        given, ms = await _timed(session.call(context.PREVIEW, ask))
        checks.append(Check(says=context_size(given), passed=True, ms=ms))
    return tuple(checks)


async def _opened(desk: Desk, row: Connection) -> Check:
    """Call the service with the runtime's own token."""
    file = token_file(row.plug.runtime)
    began = time.perf_counter()
    try:
        async with Client(desk, agent=row.name, token=agent_token(str(file))) as agent:
            await agent.call(upkeep.STATUS, Nothing())
        says, passed = tr(TOKEN_OPENS), True
    except MemDeskError as wrong:
        says, passed = error_in_language(wrong).says, False
    return Check(says=says, passed=passed, ms=(time.perf_counter() - began) * 1e3)


def context_size(given: PromptContext) -> str:
    """Return how much a context has, and how much of its budget that is."""
    memories = tr("%Ln memories", "", sum(len(each.ids) for each in given.pieces))
    return tr(
        "Would be told {memories}, {tokens} of {budget} tokens",
        memories=memories,
        tokens=f"{given.tokens:,}",
        budget=f"{given.budget_tokens:,}",
    )


async def _timed(work: Awaitable[Answer]) -> tuple[Answer, float]:
    began = time.perf_counter()
    answer = await work
    return answer, (time.perf_counter() - began) * 1e3


async def skills_for(session: Session, runtime: str, folder: Path) -> SkillsPlan:
    """Return the change by which a runtime has what is pinned in _global as skills and instructions."""
    strategies: list[StrategyRow] = []
    after: str | None = ""
    while after is not None:
        page = await session.call(procedures.STRATEGIES, ListStrategies(channels=(GLOBAL,), after=after))
        strategies += page.rows
        after = page.next
    facts: list[FactRow] = []
    total = 1
    while len(facts) < total:
        found = await session.call(memory.FACTS, ListFacts(channels=(GLOBAL,), first=len(facts)))
        facts += found.rows
        total = found.total if found.rows else 0
    return await asyncio.to_thread(plan_skills, folder, runtime, strategies, facts)
