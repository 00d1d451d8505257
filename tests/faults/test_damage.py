"""No random damage is silent, and none is served as memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.damage import rounds


@pytest.mark.parametrize(("count", "facts"), [(8, 160), pytest.param(200, 400, marks=pytest.mark.slow)])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_random_damage_is_refused_or_told_and_the_doctor_names_what_it_cannot_give_back(
    tmp_path: Path, count: int, facts: int
) -> None:
    assert [each for each in rounds(count, 1, tmp_path, facts) if each.is_broken] == []
