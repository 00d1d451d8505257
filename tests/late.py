"""Answers that come late: `--late SEED` delays each call and event of a window at random, the same for a seed and test.

A window's races show so far more often than on a crowded machine."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memdesk.client.client import Client
from memdesk.gui import session
from memdesk.model.history import FeedEvent, WorkingMoved

MOST_S = 0.15
"""Longest delay of a request, and of its answer."""


class LateClient:
    """Client of a window whose requests, answers and events are delayed."""

    def __init__(self, client: Client, chance: random.Random) -> None:
        self._client, self._chance = client, chance

    async def _wait(self) -> None:
        await asyncio.sleep(self._chance.uniform(0, MOST_S))

    async def call(self, endpoint: Any, ask: Any) -> Any:
        await self._wait()
        try:
            return await self._client.call(endpoint, ask)
        finally:
            await self._wait()

    async def follow(self, after: int | None = None) -> AsyncIterator[FeedEvent | WorkingMoved]:
        async for event in self._client.follow(after):
            await self._wait()
            yield event

    async def close(self) -> None:
        await self._client.close()


class Lateness:
    """Plugin that makes the windows of each test late. seed: another one, other delays."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    @pytest.fixture(autouse=True)
    def late_answers(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
        chance = random.Random(f"{self._seed} {request.node.nodeid}")
        begin = session.Session.__init__

        def begin_late(self: session.Session, client: Client, **more: Any) -> None:
            begin(self, LateClient(client, chance), **more)

        monkeypatch.setattr(session.Session, "__init__", begin_late)
