"""LoCoMo's turns through the engine's own recall, over the real socket of a desk of its own.

For a turn-retrieval benchmark that asks for `index(items)` and `search(query, k)`: name it as `locomo_adapter.py:Desk`.
Each LoCoMo conversation becomes a channel, each of its sessions a conversation.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from memdesk.api import memory, recall, upkeep
from memdesk.client.client import Client
from memdesk.client.find import find_or_start, stop_service
from memdesk.files.places import Desk as Place
from memdesk.model.recall import Query
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.status import Nothing

T = TypeVar("T")


class Desk:
    """A service on a throwaway desk, and a client that asks it as an agent would."""

    name = "memdesk"

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._folder = Path(tempfile.mkdtemp(prefix="memdesk-bench-"))
        self._place = Place(self._folder)
        self._client: Client = self._run(find_or_start(self._place, agent="bench"))
        self._numbers = itertools.count(1)
        self._channel = ""

    def index(self, items: list[dict[str, Any]]) -> None:
        """Store every turn of one conversation and wait until each has its vector."""
        self._channel = f"talk-{next(self._numbers)}"
        for _, session in itertools.groupby(items, key=lambda item: item["session"]):
            turns = tuple(self._turn(item) for item in session)
            self._run(self._client.call(memory.STORE_TURNS, NewTurns(turns=turns)))
        while self._run(self._client.call(upkeep.STATUS, Nothing())).unembedded:
            self._run(asyncio.sleep(0.02))

    def search(self, query: str, k: int) -> list[str]:
        """Ids of the best k turns, best first."""
        ask = Query(text=query, channel=self._channel, kinds=("turn",), limit=k)
        bundle = self._run(self._client.call(recall.SEARCH, ask))
        return [hit.id.removeprefix(f"{self._channel}:") for hit in bundle.hits]

    def close(self) -> None:
        self._run(self._client.close())
        self._run(stop_service(self._place))
        self._loop.close()
        shutil.rmtree(self._folder)

    def _turn(self, item: dict[str, Any]) -> NewTurn:
        return NewTurn(
            content=item["text"],
            speaker=item["speaker"],
            channel=self._channel,
            conversation_id=f"{self._channel}:session-{item['session']}",
            turn_id=f"{self._channel}:{item['id']}",
            created_at=datetime.fromisoformat(item["ts"]).replace(tzinfo=UTC) if item["ts"] else None,
        )

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)
