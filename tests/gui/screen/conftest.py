"""A screen for a file's tests, a desk that is served, and the program on both."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.screen.program import Program, Start
from tests.gui.screen.screen import Screen, missing, screen

CLAIMS = {
    "Every migration needs a down step": "tidepool",
    "Tides are logged hourly": "tidepool",
    "The NAS runs Postgres 16": "homelab",
    "Backups are kept for thirty days": "homelab",
}


@pytest.fixture(scope="session")
def large_screen() -> Iterator[Screen]:
    """One screen for all tests of a run; every test leaves it empty."""
    if missing():
        pytest.skip(f"{missing()}; as root, `packaging/run.py test` installs what is missing")
    with screen() as made:
        yield made


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A desk with a few facts, and its real service."""
    with tempfile.TemporaryDirectory(prefix="md-") as folder:
        service = Service(Desk(Path(folder) / "desk"))
        service.start()
        asyncio.run(furnish(service.desk))
        yield service
        service.stop()


async def furnish(desk: Desk) -> None:
    async with Client(desk, agent="Forge") as agent:
        for claim, channel in CLAIMS.items():
            await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel))


@pytest.fixture
def start(large_screen: Screen, served: Service) -> Iterator[Start]:
    """start() shows the desk's window as nobody left it; start(anew=False) as it was left. All end with the test."""
    begun: list[Program] = []

    def shown(*, anew: bool = True, on: Screen = large_screen, **more: str) -> Program:
        if anew:
            (served.desk.folder / "window.ini").unlink(missing_ok=True)
        begun.append(Program(on, served.desk, **more))
        return begun[-1]

    yield shown
    for program in begun:
        program.end()
