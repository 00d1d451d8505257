"""One desk with its real service for a file's tests, and an agent's folder on it."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.__main__ import Program
from memdesk.api import memory
from memdesk.cli.program import main
from memdesk.client.client import Client
from memdesk.client.find import stop_service
from memdesk.files.places import Desk
from memdesk.model.remember import NewTurn
from tests.mcp.runtimes import OPENCLAW, SAID


async def store(desk: Desk, turn: NewTurn) -> None:
    async with Client(desk) as owner:
        await owner.call(memory.STORE_TURN, turn)


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    for name, text in OPENCLAW.items():
        (folder / "iris" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "iris" / name).write_text(text)
    desk = Desk(folder / "desk")
    brought = ("import", str(folder / "iris"), "--agent", "iris", "--desk", str(desk.folder))
    assert main(brought, Program()) == 0
    asyncio.run(store(desk, NewTurn(conversation_id="friday", role="user", content=SAID)))
    yield desk
    asyncio.run(stop_service(desk))
    shutil.rmtree(folder, ignore_errors=True)
