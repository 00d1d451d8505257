"""The processor time of each test, and which of them the quick part of the tests leaves out for it.

`--costs` measures a run and writes the file anew: its own process, those that it started and waited for, and services
that it ended. Time by the clock would say what else the machine does."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import warm

COSTLY = Path(__file__).with_name("costly.txt")
COSTLY_S, ONE_OF_A_FILE_S = 0.1, 0.3
"""Processor time of all cases of a test from which on it is costly, and that of the cheapest of its file."""
SLOW_TO_READ = Path(__file__).with_name("integrations")
"""Its tests read frameworks, which takes longer than they do: the quick part does not look into it."""
JOURNEYS = frozenset(
    (
        "tests/cli/test_commands.py::test_a_fact_is_remembered_recalled_with_its_reasons_and_listed",
        "tests/mcp/test_bridge.py::test_what_was_said_before_the_service_ended_is_recalled_after_it",
        "tests/journeys/test_service_journey.py::test_a_conversation_becomes_a_fact_that_is_promoted_audited_and_taken_back",
        "tests/journeys/test_window_journey.py::test_a_person_promotes_a_fact_sees_it_in_the_timeline_and_takes_it_back",
    )
)
"""One through each face; they are run also where they are costly."""
_COST = "cost"


def _function(test: str) -> str:
    return test.partition("[")[0]


def leave_out_costly(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect every costly test that is no journey. Costs of new tests are not known yet: they are run."""
    out = set(COSTLY.read_text(encoding="utf-8").split()) - JOURNEYS
    config.hook.pytest_deselected(items=[each for each in items if _function(each.nodeid) in out])
    items[:] = [each for each in items if _function(each.nodeid) not in out]


class Measuring:
    """Plugin that adds up what tests cost, in the run and in its workers, and writes the costly ones down."""

    def __init__(self) -> None:
        self._spent: Counter[str] = Counter()
        self._before = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._before = _used()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.when == "teardown":
            item.user_properties.append((_COST, _used() - self._before))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self._spent[_function(report.nodeid)] += dict(report.user_properties).get(_COST, 0.0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            COSTLY.write_text("".join(f"{test}\n" for test in costly(self._spent)), encoding="utf-8")


def costly(spent: Mapping[str, float]) -> list[str]:
    """Return the costly ones of tests with their processor time, sorted."""
    cheapest: dict[str, str] = {}
    for test in sorted(spent, key=spent.__getitem__, reverse=True):
        cheapest[test.partition("::")[0]] = test
    most = {test: ONE_OF_A_FILE_S if test in cheapest.values() else COSTLY_S for test in spent}
    return sorted(test for test in spent if spent[test] >= most[test])


def _used() -> float:
    return sum(os.times()[:4]) + warm.spent_s()
