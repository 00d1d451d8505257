"""Rates of agents: as many calls as the limit at once, then one at a time, and never locked out by a clock."""

from __future__ import annotations

import pytest

from memdesk.model.errors import TooMany
from memdesk.model.instant import SECOND
from memdesk.service.admission import AGENTS_KEPT, Rates


def test_a_minute_has_as_many_calls_as_its_limit_and_each_kind_and_agent_its_own() -> None:
    now = [1_000 * SECOND]
    rates = Rates(lambda: now[0])

    def call(agent: str = "iris", *, reads: bool = False, name: str = "memory.learn_fact") -> int:
        try:
            rates.admit(agent, name, reads=reads, per_minute=6)
        except TooMany as refused:
            return int(refused.details["retry_after_s"])
        return 0

    assert [call() for _ in range(8)] == [0] * 6 + [10, 10]
    assert (call("Iris "), call("juno"), call(reads=True), call(name="hooks.event")) == (10, 0, 0, 0)
    now[0] += 9 * SECOND
    assert call() == 1
    now[0] += SECOND
    assert [call(), call()] == [0, 10]
    now[0] -= 900 * SECOND
    assert call() == 10
    now[0] += 60 * SECOND
    assert [call() for _ in range(7)] == [0] * 6 + [10]


def test_no_limit_counts_nothing_and_quiet_agents_are_forgotten() -> None:
    now = [SECOND]
    rates = Rates(lambda: now[0])
    rates.admit("iris", "memory.learn_fact", reads=False, per_minute=0)
    assert not rates._free_at
    for number in range(AGENTS_KEPT + 1):
        rates.admit(f"guest {number}", "memory.learn_fact", reads=False, per_minute=60)
        now[0] += 2 * SECOND
    assert len(rates._free_at) < 3


def test_a_limit_that_was_lowered_holds_at_once() -> None:
    rates = Rates(lambda: SECOND)
    for _ in range(30):
        rates.admit("iris", "memory.learn_fact", reads=False, per_minute=60)
    with pytest.raises(TooMany, match="as often as it may"):
        for _ in range(2):
            rates.admit("iris", "memory.learn_fact", reads=False, per_minute=2)
