"""An agent's loop on its desk: told before a turn, kept after it, compacted with its hooks called first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from memdesk.client.client import Client
from memdesk.client.context import AgentContext, HookMatcher
from memdesk.model.errors import BadAsk
from tests.conftest import Service
from tests.engine.talks import talk


def test_a_loop_is_told_and_kept_short_and_its_hooks_are_called_first(running_service: Service) -> None:
    called: list[int] = []

    async def counted(told: dict[str, Any], runtime: object) -> None:
        assert told["hook_event_name"] == "PreCompact" and runtime == "loop"
        called.append(told["current_count"])

    async def never(*_: object) -> None:
        raise AssertionError("its matcher is for another trigger")

    async def lived() -> None:
        async with Client(running_service.desk, agent="forge") as client:
            held = AgentContext(
                client=client,
                session_id="s-1",
                channel="harbour",
                policy="agenticx",
                pre_compact=[
                    HookMatcher(hooks=[counted], timeout=0),
                    HookMatcher(matcher="manual", hooks=[never]),
                ],
                runtime="loop",
            )
            assert not (await held.start()).resumed
            messages: list[dict[str, Any]] = []
            for message in talk(60, tools=True):
                messages = [*messages, message]
                if message["role"] == "user":
                    told = await held.before(messages)
                    assert told.tokens <= told.budget_tokens
                messages = list(await held.after(messages))
                assert len(messages) <= 20
            assert called and set(called) == {21}
            state = await held.start()
            assert state.resumed and state.turns == 60 and state.compactions == len(called)
            assert (await held.reset()).turns == 0

    asyncio.run(lived())


def test_a_hook_that_refuses_leaves_the_list_as_it_was(running_service: Service) -> None:
    async def refuse(*_: object) -> None:
        raise BadAsk("Not now.")

    async def lived() -> None:
        async with Client(running_service.desk, agent="forge") as client:
            held = AgentContext(client=client, session_id="s-1", policy="agenticx", pre_compact=[refuse])
            await held.start()
            with pytest.raises(BadAsk):
                await held.after(talk(21))
            assert (await held.start()).turns == 0
            held.pre_compact.clear()
            assert len(await held.after(talk(21))) == 9

    asyncio.run(lived())
