"""Models of a running service: an embedder that is changed in use, a server that hangs while the service ends."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from memdesk.api import models, recall, upkeep
from memdesk.client import AgentMemory, SyncClient
from memdesk.model.recall import Query
from memdesk.model.status import AskSpending, ChangeSettings, Nothing
from tests.conftest import Service
from tests.model_server import Hang, ModelServer, Status, Text

FACT = "Ingest writes go through PgBouncer"
SECONDS = 20


def set_to(client: SyncClient, **values: Any) -> None:
    client.call(upkeep.CHANGE_SETTINGS, ChangeSettings(values=values))


def wait_for_vectors(client: SyncClient, embedder: str) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        found = client.call(upkeep.STATUS, Nothing())
        if embedder in found.embedder and not found.unembedded:
            return
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def test_an_embedder_is_changed_while_agents_recall_and_nothing_is_mixed(running_service: Service) -> None:
    with SyncClient(running_service.desk) as client, ModelServer(dimension=40) as server:
        memory = AgentMemory(client=client, channel="tidepool")
        memory.learn_fact(FACT)
        wait_for_vectors(client, "static-256")
        set_to(client, embedder_url=server.url, embedder_name="words", embedder="server")
        wait_for_vectors(client, "words@")
        assert memory.remember("PgBouncer").hits[0].text == FACT
        memory.learn_fact("Mara likes tea")
        wait_for_vectors(client, "words@")
        server.answer(Status(404))
        bundle = memory.remember("What goes through PgBouncer now?")
        assert bundle.hits[0].text == FACT and any("404" in notice for notice in bundle.notices)
        set_to(client, embedder="static")
        wait_for_vectors(client, "static-256")
        assert not memory.remember("What goes through it?").notices


def test_a_service_that_ends_does_not_wait_for_a_model_that_hangs(running_service: Service) -> None:
    with (
        SyncClient(running_service.desk) as client,
        ModelServer(Hang()) as server,
        ThreadPoolExecutor(1) as pool,
    ):
        AgentMemory(client=client).learn_fact(FACT)
        set_to(client, model_url=server.url, model_name="small", model_seconds=60)
        asked = pool.submit(
            client.call, recall.SEARCH, Query(text="Where do writes go?", techniques=("hyde",))
        )
        while not server.asked:
            time.sleep(0.01)
        started = time.monotonic()
        assert running_service.stop() == 0
        assert time.monotonic() - started < 8
        assert any("not in use any more" in each.note for each in asked.result(timeout=20).techniques)


def test_what_models_cost_is_the_owners_to_see(running_service: Service) -> None:
    with SyncClient(running_service.desk) as client, ModelServer(Text("hello", 20, 1)) as server:
        set_to(client, model_url=server.url, model_name="small")
        assert client.call(models.CHECK, Nothing()).rows[0].says == "Answered with 5 characters."
        deadline = time.monotonic() + SECONDS
        while not (rows := client.call(models.SPENDING, AskSpending(days=1)).rows):
            assert time.monotonic() < deadline
        assert [(row.purpose, row.tokens_in, row.tokens_out) for row in rows] == [("check", 20, 1)]
        assert client.call(models.LIST, Nothing()).rows[0].spent_today == 21
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(running_service.desk.socket))) as agent:
        for name in ("list", "spending"):
            assert agent.get(f"http://desk/v1/models/{name}").status_code == 403
