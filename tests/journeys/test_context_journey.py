"""A long conversation through every policy, with faults on the way, and a fact that outlives its session.

The conversation is made up; where the variable MEMDESK_LOCOMO names a file, 600 messages of it go the same way.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from memdesk.api import context, curation, upkeep
from memdesk.client.client import Client
from memdesk.engine.context import compactor, history
from memdesk.engine.context.messages import answers_a_call
from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.context import AskArchive, Compact, Compacted, ListCompactions, Message, RestoreArchive
from memdesk.model.curation import Undo
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.prompt import AskContext, AskSeen, ListSeen
from memdesk.model.session import NamedSession, NewSession
from memdesk.model.status import Nothing
from tests.conftest import Service
from tests.engine.talks import talk
from tests.model_server import Asked, Drop, ModelServer, Raw, Refusal, Reply, Status, Text
from tests.store.agreement import assert_agreement

LOCOMO = "MEMDESK_LOCOMO"
MESSAGES = 600
RETAIN = {"agenticx": 8, "agentix": 10, "openlegion": 4, "custom": 8}


def conversation(name: str) -> list[Message]:
    """The messages of the longest conversation of a LoCoMo file, or made-up ones with tools among them."""
    if name == "made up":
        return talk(100, tools=True)
    if LOCOMO not in os.environ:
        pytest.skip(f"{LOCOMO} names no file")
    talks = [
        each["conversation"] for each in json.loads(Path(os.environ[LOCOMO]).read_text(encoding="utf-8"))
    ]
    longest = max(talks, key=lambda one: sum(len(part) for part in one.values() if isinstance(part, list)))
    parts = (longest.get(f"session_{n}", []) for n in range(1, 100))
    return [
        {
            "role": "user" if said["speaker"] == longest["speaker_a"] else "assistant",
            "content": said["text"],
            "name": said["speaker"],
        }
        for said in itertools.chain.from_iterable(parts)
    ][:MESSAGES]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A desk whose policies act every few dozen messages."""
    desk = Desk(tmp_path / "desk")
    opened = open_engine(desk)
    often = {"agentix_tokens": 1_200, "context_window": 1_700, "custom_compact": 0.6, "custom_flush": 0.45}
    opened.use(replace(opened.settings, **often))
    yield opened
    opened.close()
    assert_agreement(desk.database)


def unreliable(asked: Asked) -> Reply:
    """A model that answers well, badly or not at all, by the length of the question."""
    must = asked.prompt.partition("Copy these word for word:\n")[2].partition("\n\n")[0]
    who = asked.prompt.rpartition("\n\nName ")[2].partition(".")[0] if "\n\nName " in asked.prompt else ""
    good = Text(f"It was about {who}. {must}\n" + asked.prompt[-400:])
    faults: tuple[Reply, ...] = (
        good,
        good,
        Status(500),
        Text("Short."),
        Raw(b"{half"),
        Refusal(),
        Drop(half=True),
    )
    return faults[len(asked.prompt) % len(faults)]


class Disk:
    """Every so many writes one fails, as on a full disk."""

    def __init__(self, engine: Engine, every: int) -> None:
        self.engine, self.every, self.writes, self.failed = engine, every, 0, 0
        self.submit = engine.store.submit

    def write(self, work: Callable[..., Any]) -> Any:
        self.writes += 1
        if self.writes % self.every == 0:
            self.failed += 1
            raise StorageFailed("The desk could not be written: database or disk is full.")
        return self.submit(work)


@pytest.mark.parametrize("said", ["made up", "locomo"])
@pytest.mark.parametrize("model", [False, True], ids=["without a model", "with an unreliable model"])
@pytest.mark.parametrize("policy", RETAIN)
def test_nothing_of_a_long_conversation_is_lost_whatever_fails(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, policy: str, model: bool, said: str
) -> None:
    messages = conversation(said)
    disk = Disk(engine, every=13)
    monkeypatch.setattr(engine.store, "submit", disk.write)
    with ModelServer(unreliable) as server:
        if model:
            named = {"model_url": server.url, "model_name": "small", "model_seconds": 2}
            engine.use(replace(engine.settings, **named))
        held, done = lived(engine, messages, policy)
        assert bool(server.asked) is model
    monkeypatch.undo()
    assert disk.failed and len(done) >= 2
    compactions = history.compactions(engine, ListCompactions(limit=500)).rows
    assert len(compactions) == len(done)
    archive = AskArchive(compaction_id=compactions[0].id, whole=True, limit=1000)
    gone = [row.message for row in history.archive(engine, archive).rows]
    assert [*gone, *held[len(gone) - len(messages) :]] == messages
    if not model:
        assert {row.by for row in compactions} == {"offline"}
    for each in done:
        obeys(each, policy)


def lived(engine: Engine, messages: list[Message], policy: str) -> tuple[list[Message], list[Compacted]]:
    """A runtime that sends its list after every third message, and sends it again when the desk fails."""
    held: list[Message] = []
    done = []
    for at in range(0, len(messages), 3):
        ask = Compact(
            messages=(*held, *messages[at : at + 3]), conversation_id="talk", channel="x", policy=policy
        )
        while True:
            try:
                answer = compactor.compact(engine, ask, author="agent:forge")
                break
            except MemDeskError as failed:
                assert isinstance(failed, StorageFailed), failed
        held = list(answer.messages)
        if answer.action == "compacted":
            done.append(answer)
    return held, done


def obeys(done: Compacted, policy: str) -> None:
    stays = done.messages[1:]
    bridged = (
        policy == "openlegion" and stays[0].get("content") == "Understood, continuing from the summary above."
    )
    stays = stays[1:] if bridged else stays
    assert RETAIN[policy] <= len(stays) <= RETAIN[policy] + 2 and not answers_a_call(stays[0])
    assert done.after.messages < done.before.messages
    assert not any(done.after.tokens >= mark.at for mark in done.after.marks if mark.of == "tokens")
    assert policy != "agenticx" or done.after.messages <= 8 + 1 + 2


def test_a_fact_of_one_session_is_told_in_the_next_after_a_reset_and_a_restart(
    running_service: Service,
) -> None:
    asyncio.run(first_session(running_service.desk))
    running_service.kill()
    running_service.start()
    asyncio.run(second_session(running_service.desk))
    over_http(running_service.desk)


async def first_session(desk: Desk) -> None:
    async with Client(desk, agent="iris") as agent:
        session = await agent.call(
            context.CREATE_SESSION, NewSession(session_id="s-1", channel="home", policy="agenticx")
        )
        said = (
            "My cat's name is Whiskerino.",
            "What a name!",
            *("Tell me a story.", "Once upon a time.") * 10,
        )
        messages = tuple(
            {"role": ("user", "assistant")[n % 2], "content": line} for n, line in enumerate(said)
        )
        done = await agent.call(context.COMPACT, Compact(messages=messages, session_id="s-1"))
        assert done.action == "compacted" and done.facts and done.conversation_id == session.conversation_id
        fresh = await agent.call(context.RESET_SESSION, NamedSession(session_id="s-1"))
        assert fresh.conversation_id != session.conversation_id


async def second_session(desk: Desk) -> None:
    async with Client(desk, agent="iris") as agent, Client(desk) as owner:
        await agent.call(context.CREATE_SESSION, NewSession(session_id="s-2", channel="home"))
        question = ({"role": "user", "content": "What is my cat's name?"},)
        told = await agent.call(
            context.PROMPT, AskContext(messages=question, session_id="s-2", channel="home")
        )
        assert "Whiskerino" in told.text
        assert (await agent.call(context.RESUME_SESSION, NamedSession(session_id="s-1"))).turns == 0
        saw = (await owner.call(context.PROMPTS, ListSeen(session_id="s-2"))).rows
        while not saw:  # It is written down behind the answer.
            saw = (await owner.call(context.PROMPTS, ListSeen(session_id="s-2"))).rows
        whole = await owner.call(context.SEEN, AskSeen(id=saw[0].id))
        assert [piece.text for piece in whole.pieces] == [piece.text for piece in told.pieces]
        (row,) = (await owner.call(context.COMPACTIONS, ListCompactions(session_id="s-1"))).rows
        back = await owner.call(context.RESTORE, RestoreArchive(compaction_id=row.id))
        assert back.messages[0] == {"role": "user", "content": "My cat's name is Whiskerino."}
        await owner.call(curation.UNDO, Undo(change=back.change))
        assert (await owner.call(upkeep.STATUS, Nothing())).turns == 22


def over_http(desk: Desk) -> None:
    transport = httpx.HTTPTransport(uds=str(desk.socket))
    with httpx.Client(
        transport=transport, base_url="http://desk", headers={"X-MemDesk-Agent": "iris"}
    ) as plain:
        asked = {"channel": "home", "messages": [{"role": "user", "content": "what is my cat called?"}]}
        said = plain.post("/v1/context/prompt", json=asked)
        assert said.status_code == 200 and "Whiskerino" in said.json()["text"]
        wrong = plain.post("/v1/context/compact", json={"messages": [{"content": "nobody said this"}]})
        assert wrong.status_code == 422 and "role" in wrong.json()["says"]
        refused = plain.get("/v1/context/prompts")
        assert refused.status_code == 403
