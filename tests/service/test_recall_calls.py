"""Recall over the real socket: an agent recalls and starts with what is strong, and only the owner asks why."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from memdesk.api import memory, recall
from memdesk.client.client import Client
from memdesk.model.errors import BadAsk, NotAllowed
from memdesk.model.recall import AskSalient, Explain, Query
from memdesk.model.remember import NewFact

CHANNEL = "tidepool"


def test_an_agent_recalls_with_every_rule_and_the_owner_asks_why(running_service: Any) -> None:
    async def journey() -> None:
        async with (
            Client(running_service.desk) as owner,
            Client(running_service.desk, agent="Forge") as agent,
        ):
            fact = NewFact(claim="The pool size is 25 per node", channel=CHANNEL, category="decision")
            id = (await agent.call(memory.LEARN_FACT, fact)).id
            query = Query(
                text="how large is the pool",
                channel=CHANNEL,
                categories=("decision",),
                min_confidence=0.5,
                techniques=("hybrid", "entities", "expansion", "hyde", "self_query", "rerank"),
                weights={"facts": 0.5},
                floor=0.0,
                per_conversation=2,
                recent_turns=2,
                time_window_hours=24,
                session_id="s-1",
            )
            bundle = await agent.call(recall.SEARCH, query)
            assert [hit.id for hit in bundle.hits] == [id] and bundle.hits[0].ranks["words"] == 1
            assert [each.name for each in bundle.techniques] == list(query.techniques or ())
            told = await owner.call(recall.EXPLAIN, Explain(query=query, id=id))
            assert told.place == 1 and told.stages[0].name == "scope"
            strong = await agent.call(recall.SALIENT, AskSalient(channel=CHANNEL))
            assert [row.id for row in strong.rows] == [id]
            with pytest.raises(BadAsk):
                await agent.call(recall.SEARCH, Query(text="pool", techniques=("magic",)))
            with pytest.raises(BadAsk):
                await agent.call(recall.SALIENT, AskSalient(by="luck"))

    asyncio.run(journey())
    transport = httpx.HTTPTransport(uds=str(running_service.desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk") as stranger:
        said = stranger.post(recall.EXPLAIN.path, json={"query": {"text": "pool"}, "id": "f_1"})
        assert said.json()["code"] == NotAllowed.code
