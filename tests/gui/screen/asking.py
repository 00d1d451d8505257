"""What the desk's service says of what a hand did on the screen."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from memdesk.api import memory
from memdesk.api.endpoint import Endpoint
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.model.browse import ListFacts

Ask, Answer = TypeVar("Ask"), TypeVar("Answer")


def told(desk: Desk, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
    """What the service answers to the desk's owner."""

    async def call() -> Answer:
        async with Client(desk) as owner:
            return await owner.call(endpoint, ask)

    return asyncio.run(call())


def claims(desk: Desk, channel: str) -> list[str]:
    """The claims of a channel that hold, newest first."""
    return [row.claim for row in told(desk, memory.FACTS, ListFacts(channels=(channel,))).rows]
