"""A real engine in a temporary folder, with a clock that a test can turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.instant import DAY

START = 1_750_000_000_000_000


class Clock:
    """Time that stands still until it is turned; every reading is a microsecond later, so order stays."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        self.at += 1
        return self.at

    def pass_days(self, days: float) -> None:
        self.at += round(days * DAY)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(tmp_path: Path, clock: Clock) -> Iterator[Engine]:
    opened = open_engine(Desk(tmp_path / "desk"), clock=clock)
    yield opened
    opened.close()


def embed_all(engine: Engine) -> None:
    while embed_pending(engine):
        pass
