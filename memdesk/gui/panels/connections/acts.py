"""Acts of the connections that are more than one call: the live test of a runtime, and its skills."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memdesk.api import context, memory, procedures, upkeep
from memdesk.client.client import Client
from memdesk.client.plugs.installing import PlugState, runtime_states, token_file
from memdesk.client.plugs.skills import SkillsPlan, plan_skills
from memdesk.client.wire import agent_token
from memdesk.files.places import Desk
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.connections.rows import STATES, Connection
from memdesk.gui.session import Session
from memdesk.gui.terms import error_in_language
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import MemDeskError
from memdesk.model.procedures import ListStrategies, StrategyRow
from memdesk.model.prompt import AskContext, PromptContext
from memdesk.model.status import Nothing

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
