"""Finding the service, starting it, ending it: one service, however many ask for it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from memdesk.api.upkeep import CONSOLIDATE, STATUS
from memdesk.client import find
from memdesk.client.client import Client
from memdesk.client.direct import answers
from memdesk.client.find import ensure_service, find_or_start, stop_service
from memdesk.files.local_socket import is_locked
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, NotAllowed, ServiceAway
from memdesk.model.status import Nothing
from memdesk.service.sockets import held
from tests.conftest import PATIENCE_S, until
from tests.warm import Begun

RACERS = 10
START = find._Start
"""As a client starts the service; elsewhere in the tests it is forked."""


@pytest.fixture
def desk(short_folder: Path) -> Desk:
    return Desk(short_folder / "desk")


@pytest.fixture(autouse=True)
def really(private_world: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start services as processes of their own, with modules of their own."""
    monkeypatch.setattr(find, "_Start", START)


async def pid_of(desk: Desk) -> int:
    async with await find_or_start(desk) as client:
        return (await client.call(STATUS, Nothing())).pid


def test_ten_racing_clients_start_one_service(desk: Desk) -> None:
    async def race() -> set[int]:
        return set(await asyncio.gather(*(pid_of(desk) for _ in range(RACERS))))

    try:
        assert len(asyncio.run(race())) == 1
    finally:
        asyncio.run(stop_service(desk))


@pytest.mark.slow
def test_ten_racing_programs_start_one_service(desk: Desk) -> None:
    ask = (sys.executable, "-m", "memdesk", "status", "--json", "--desk", str(desk.folder))

    async def race() -> set[bytes]:
        programs = [
            await asyncio.create_subprocess_exec(*ask, stdout=asyncio.subprocess.PIPE) for _ in range(RACERS)
        ]
        said = [(await program.communicate())[0] for program in programs]
        assert [program.returncode for program in programs] == [0] * RACERS
        return {line for each in said for line in each.splitlines() if b'"pid"' in line}

    try:
        assert len(asyncio.run(race())) == 1
    finally:
        asyncio.run(stop_service(desk))


def test_a_service_outlives_the_client_that_started_it_and_is_found_again(desk: Desk) -> None:
    try:
        assert asyncio.run(pid_of(desk)) == asyncio.run(pid_of(desk)) != os.getpid()
    finally:
        assert asyncio.run(stop_service(desk)) is not None


def test_stopping_lets_go_of_the_desk_so_that_it_can_be_started_at_once(desk: Desk) -> None:
    async def again() -> tuple[int, int]:
        first = await pid_of(desk)
        assert await stop_service(desk) == first
        assert not answers(desk)
        assert not desk.socket.exists()
        return first, await pid_of(desk)

    try:
        first, second = asyncio.run(again())
        assert first != second
    finally:
        asyncio.run(stop_service(desk))


def test_stopping_where_nothing_runs_is_no_error(desk: Desk) -> None:
    assert asyncio.run(stop_service(desk)) is None


def test_a_service_that_is_still_starting_is_stopped_as_soon_as_it_answers(desk: Desk) -> None:
    service = Begun(["serve", "--desk", str(desk.folder)])
    until(lambda: is_locked(desk.lock), "the start of the service")

    assert asyncio.run(stop_service(desk)) == service.pid
    assert service.wait(PATIENCE_S) == 0


def test_stopping_what_never_answers_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "START_SECONDS", 0)

    with held(desk), pytest.raises(ServiceAway, match="does not answer") as refused:
        asyncio.run(stop_service(desk))

    assert str(desk.lock) in refused.value.next


def test_a_start_that_fails_raises_the_reason_in_its_own_class(desk: Desk) -> None:
    desk.folder.mkdir()
    desk.settings.write_text("recall_limit = 9000\n")
    with pytest.raises(BadAsk, match="recall_limit"):
        asyncio.run(ensure_service(desk))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_start_on_another_users_folder_is_refused(desk: Desk) -> None:
    desk.folder.mkdir()
    os.chown(desk.folder, 65534, 65534)
    with pytest.raises(NotAllowed, match="another user"):
        asyncio.run(ensure_service(desk))


def test_a_client_without_a_service_says_so(desk: Desk) -> None:
    async def ask() -> None:
        async with Client(desk) as client:
            await client.call(STATUS, Nothing())

    with pytest.raises(ServiceAway, match="No service answers"):
        asyncio.run(ask())


def test_a_client_that_cannot_read_the_token_comes_as_an_agent(desk: Desk) -> None:
    async def ask() -> None:
        await ensure_service(desk)
        token = desk.owner_token.read_bytes()
        desk.owner_token.unlink()
        try:
            async with Client(desk) as client:
                await client.call(STATUS, Nothing())
                with pytest.raises(NotAllowed):
                    await client.call(CONSOLIDATE, Nothing())
        finally:
            desk.owner_token.write_bytes(token)
            await stop_service(desk)

    asyncio.run(ask())
