"""Every part of the faults, with as little of it as shows that it measures what it says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests import postgres
from tests.faults import endurance, engines, kills, surroundings
from tests.faults.figures import Figures

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def unheard(line: str) -> None:
    """Nobody reads how far it is."""


def test_nothing_acknowledged_is_lost_by_a_kill(short_folder: Path) -> None:
    figures = kills.measure(10, short_folder, random.Random(1), unheard)
    assert figures.broken == []
    assert {name for name, *_ in figures.rows} >= {"import", "erase", "migration of an old desk"}


def test_a_service_bears_that_another_one_of_its_database_is_killed_or_frozen(short_folder: Path) -> None:
    postgres.server()
    figures = engines.measure(2, short_folder, random.Random(1), unheard)
    assert figures.broken == [] and [row[0] for row in figures.rows[:2]] == ["kill -9", "SIGSTOP"]


@pytest.mark.parametrize("check", surroundings.CHECKS, ids=lambda check: check.__name__)
def test_a_desk_bears_its_surroundings(short_folder: Path, check: surroundings.Check) -> None:
    assert check(short_folder)


def test_a_service_that_works_for_long_is_read_at_each_tenth(short_folder: Path) -> None:
    figures = endurance.measure(1000, short_folder, random.Random(1), unheard)
    assert [row[0] for row in figures.rows[:3]] == [0, 100, 200]


def test_a_table_has_columns_of_one_width_and_names_what_is_broken() -> None:
    figures = Figures("kills: 3", ("what", "lost"), [("import", 1200), ("erase", 0)], ["import: one is gone"])
    assert figures.lines() == [
        "kills: 3",
        "what    lost",
        "import  1,200",
        "erase       0",
        "BROKEN  import: one is gone",
    ]
