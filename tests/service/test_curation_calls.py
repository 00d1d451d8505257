"""Channels, tags, the review queue and tidying over the real socket: each call once, with who may make it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from memdesk.api import channels, curation, memory, recall, review, upkeep
from memdesk.client.client import Client
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.channel import (
    ArchiveChannel,
    ListChannels,
    MergeChannels,
    NewChannel,
    RenameChannel,
    RestoreChannel,
)
from memdesk.model.curation import (
    Demote,
    Forget,
    Link,
    ListTags,
    Merge,
    Move,
    PreviewMerge,
    Promote,
    RenameTag,
    Restore,
    Retire,
    Tagging,
    UndoRun,
    Unlink,
)
from memdesk.model.errors import BadAsk, Conflict, NotAllowed
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn, NewTurns
from memdesk.model.review import AskDuplicates, AskReview, CountReview, Decide, Propose
from memdesk.model.status import AskJob, JobState

Journey = Callable[[Client, Client], Coroutine[Any, Any, None]]
OWNERS = (
    channels.CREATE,
    channels.RENAME,
    channels.MERGE,
    channels.ARCHIVE,
    channels.RESTORE,
    curation.DEMOTE,
    curation.RESTORE,
    curation.FORGET,
    curation.MOVE,
    curation.LINK,
    curation.UNLINK,
    curation.PREVIEW_MERGE,
    curation.MERGE,
    curation.UNTAG,
    curation.RENAME_TAG,
    review.LIST,
    review.COUNT,
    review.DECIDE,
    review.DUPLICATES,
    review.PROPOSE_DUPLICATES,
)


def walked(service: Any, journey: Journey) -> None:
    """Let the desk's owner and an agent go through a journey together."""

    async def go() -> None:
        async with Client(service.desk) as owner, Client(service.desk, agent="Forge") as agent:
            await journey(owner, agent)

    asyncio.run(go())


async def learn(agent: Client, claim: str, channel: str = "harbour", **more: Any) -> str:
    return (await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel, **more))).id


async def entity(agent: Client, name: str) -> str:
    return (await agent.call(memory.UPSERT_ENTITY, NewEntity(name=name, channel="harbour"))).id


async def ended(owner: Client, job: JobState) -> JobState:
    while job.state in ("waiting", "running"):
        await asyncio.sleep(0.02)
        job = await owner.call(upkeep.JOB, AskJob(id=job.id))
    return job


def test_a_channel_is_renamed_merged_archived_and_all_of_it_is_taken_back(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        await agent.call(memory.STORE_TURN, NewTurn(content="The ferry leaves at nine.", channel="harbour"))
        await learn(agent, "The ferry leaves at nine")
        await owner.call(channels.CREATE, NewChannel(name="island"))
        job = await ended(
            owner, await owner.call(channels.RENAME, RenameChannel(channel="harbour", name="port"))
        )
        assert (job.state, job.says, job.result["turns"]) == ("done", "Channel harbour renamed to port.", 1)
        await learn(agent, "The ferry takes bicycles", "harbour")
        bundle = await agent.call(recall.SEARCH, Query(text="bicycles on the ferry", channel="port"))
        assert {hit.channel for hit in bundle.hits} == {"port"}
        job = await ended(
            owner, await owner.call(channels.MERGE, MergeChannels(channel="port", into="island"))
        )
        rows = {row.name: row for row in (await agent.call(channels.LIST, ListChannels())).rows}
        assert rows["island"].facts == 2 and "port" not in rows
        undone = await ended(owner, await owner.call(curation.UNDO_RUN, UndoRun(change=job.result["change"])))
        assert undone.result["left"] == {}
        await owner.call(channels.ARCHIVE, ArchiveChannel(channel="port", reason="winter"))
        assert "port" not in {row.name for row in (await agent.call(channels.LIST, ListChannels())).rows}
        await owner.call(channels.RESTORE, RestoreChannel(channel="port"))
        assert (await owner.call(memory.FACTS, ListFacts(channels=("port",)))).total == 2

    walked(running_service, journey)


def test_a_rename_that_a_kill_stopped_is_finished_after_the_restart(running_service: Any) -> None:
    ask = RenameChannel(channel="harbour", name="port")

    async def begin(owner: Client, agent: Client) -> None:
        for talk in range(6):
            turns = (
                NewTurn(content=f"{n} gulls", channel="harbour", conversation_id=f"c{talk}")
                for n in range(400)
            )
            await agent.call(memory.STORE_TURNS, NewTurns(turns=tuple(turns)))
        job = await owner.call(channels.RENAME, ask)
        while job.state in ("waiting", "running") and job.done <= 250:
            job = await owner.call(upkeep.JOB, AskJob(id=job.id))
        assert job.state == "running"

    async def finish(owner: Client, agent: Client) -> None:
        late = NewTurn(content="And one more.", channel="harbour", conversation_id="c0")
        assert (await agent.call(memory.STORE_TURN, late)).turn_index == 400
        rows = (await owner.call(channels.LIST, ListChannels())).rows
        while len(rows) > 1:
            await asyncio.sleep(0.02)
            rows = (await owner.call(channels.LIST, ListChannels())).rows
        assert (rows[0].name, rows[0].turns, rows[0].conversations) == ("port", 2401, 6)

    walked(running_service, begin)
    running_service.kill()
    running_service.start()
    walked(running_service, finish)


def test_a_refused_rename_ends_as_a_failed_job_with_its_sentence(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        await learn(owner, "Everybody drinks tea", "_global")
        job = await ended(
            owner, await owner.call(channels.RENAME, RenameChannel(channel="_global", name="all"))
        )
        assert (job.state, job.result["code"]) == ("failed", "bad_ask") and "neither renamed" in job.says

    walked(running_service, journey)


def test_memory_is_tagged_moved_merged_linked_forgotten_and_restored(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        kept, lost = await entity(agent, "PostgreSQL"), await entity(agent, "Postgres")
        fact = await learn(agent, "The log runs on Postgres", about=("Postgres",))
        tagged = await agent.call(curation.TAG, Tagging(id=fact, tags=("Database", "log")))
        assert tagged.tags == ("database", "log")
        await owner.call(curation.RENAME_TAG, RenameTag(tag="log", name="logging"))
        assert (await owner.call(curation.UNTAG, Tagging(id=fact, tags=("database",)))).tags == ("logging",)
        tags = await agent.call(curation.TAGS, ListTags())
        assert [(row.tag, row.memories) for row in tags.rows] == [("logging", 1)]
        assert (await agent.call(memory.FACTS, ListFacts(tags=("logging",)))).rows[0].tags == ("logging",)
        found = await owner.call(review.DUPLICATES, AskDuplicates())
        assert [(row.id, row.kept_id) for row in found.rows] == [(lost, kept)]
        assert (await owner.call(curation.PREVIEW_MERGE, PreviewMerge(id=lost, into_id=kept))).about == 1
        await owner.call(curation.MERGE, Merge(id=lost, into_id=kept, reason="one database"))
        await owner.call(curation.UNLINK, Unlink(fact_id=fact, entity_id=kept))
        await owner.call(curation.LINK, Link(fact_id=fact, entity_id=kept))
        await owner.call(curation.MOVE, Move(id=fact, channel="island"))
        seen = await owner.call(memory.INSPECT, Inspect(id=fact))
        assert seen.channel == "island" and [about.title for about in seen.about] == ["PostgreSQL"]
        await owner.call(curation.FORGET, Forget(fact_id=fact))
        await owner.call(curation.RETIRE, Retire(id=fact))
        await owner.call(curation.RESTORE, Restore(id=fact))
        assert (await owner.call(memory.FACTS, ListFacts(channels=("island",)))).rows[0].temporal == "past"

    walked(running_service, journey)


def test_what_an_agent_proposes_waits_for_the_owner_who_decides_once(running_service: Any) -> None:
    async def journey(owner: Client, agent: Client) -> None:
        fact = await learn(agent, "Lights need a yearly check")
        wish = Propose(type="promotion", fact_id=fact, reason="every harbour asks")
        asked = await agent.call(review.PROPOSE, wish)
        assert (await agent.call(review.PROPOSE, wish)).repeated
        assert (await owner.call(review.COUNT, CountReview())).by_type == {"promotion": 1}
        (question,) = (await owner.call(review.LIST, AskReview(types=("promotion",)))).rows
        assert (question.agent_id, question.subject.title) == ("Forge", "Lights need a yearly check")
        done = await owner.call(review.DECIDE, Decide(id=asked.id, decision="promote", reason="yes"))
        with pytest.raises(Conflict):
            await owner.call(review.DECIDE, Decide(id=asked.id, decision="dismiss"))
        await owner.call(curation.DEMOTE, Demote(fact_id=done.memory, reason="no, only here"))
        with pytest.raises(BadAsk):
            await owner.call(curation.DEMOTE, Demote(fact_id=fact))
        await entity(agent, "Lighthouse")
        await entity(agent, "Light-house")
        assert (await owner.call(review.PROPOSE_DUPLICATES, AskDuplicates())).proposed == 1
        assert (await owner.call(curation.PROMOTE, Promote(fact_id=fact))).id != done.memory

    walked(running_service, journey)


def test_what_decides_over_memory_is_the_owners(running_service: Any) -> None:
    transport = httpx.HTTPTransport(uds=str(running_service.desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk") as agent:
        for endpoint in OWNERS:
            said = agent.request(endpoint.method, endpoint.path, headers={"x-memdesk-agent": "Forge"})
            assert said.json()["code"] == NotAllowed.code, endpoint.name
