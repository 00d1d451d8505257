"""The whole journey over the real socket: store, recall, consolidate, promote, read the audit, undo; and kill -9."""

from __future__ import annotations

import asyncio
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from memdesk.api import curation, history, memory, recall, upkeep, workspace
from memdesk.api.endpoints import ENDPOINTS
from memdesk.api.history import FEED_PATH
from memdesk.api.tools.calls import MCP_PATH
from memdesk.client.client import Client
from memdesk.client.find import ensure_service
from memdesk.model.browse import FactRow, Inspect, ListFacts, ReadConversation
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import EditFact, PreviewPromotion, Promote, Undo
from memdesk.model.errors import BadAsk, Conflict, NotAllowed, NotFound, ServiceAway
from memdesk.model.history import AskEvent, AskHistory, FeedEvent
from memdesk.model.interop import AskImport
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.status import AskJob, JobState, Nothing
from memdesk.model.workspace import ListFiles, ReadFile, SaveFile
from memdesk.service.exposition import PATH as METRICS_PATH

CHANNEL = "tidepool"
TALK = (
    ("user", "Mara", "I'm Mara. We decided that Tidepool writes go through PgBouncer in transaction mode."),
    ("assistant", "Forge", "Noted. I will keep prepared statements off then."),
    ("user", "Mara", "Jun is allergic to penicillin, so no amoxicillin in the first-aid kit."),
    ("assistant", "Forge", "Understood."),
)


def turns(conversation_id: str = "c-planning") -> NewTurns:
    return NewTurns(
        turns=tuple(
            NewTurn(
                content=said,
                role=role,
                speaker=speaker,
                channel=CHANNEL,
                agent_id="Forge",
                conversation_id=conversation_id,
                turn_id=f"{conversation_id}-{index}",
            )
            for index, (role, speaker, said) in enumerate(TALK)
        )
    )


async def until_done(client: Client, job: JobState) -> JobState:
    while job.state in ("waiting", "running"):
        await asyncio.sleep(0.02)
        job = await client.call(upkeep.JOB, AskJob(id=job.id))
    return job


async def project_fact(client: Client, about: str) -> FactRow:
    page = await client.call(memory.FACTS, ListFacts(channels=(CHANNEL,), text=about))
    return page.rows[0]


def test_a_conversation_becomes_a_fact_that_is_promoted_audited_and_taken_back(running_service: Any) -> None:
    async def journey() -> None:
        async with (
            Client(running_service.desk) as owner,
            Client(running_service.desk, agent="Forge") as agent,
        ):
            stored = await agent.call(memory.STORE_TURNS, turns())
            assert [turn.turn_index for turn in stored.turns] == [0, 1, 2, 3]
            again = await agent.call(memory.STORE_TURNS, turns())
            assert all(turn.repeated for turn in again.turns)

            bundle = await agent.call(
                recall.SEARCH, Query(text="How do Tidepool writes reach the database?", channel=CHANNEL)
            )
            best = bundle.hits[0]
            assert best.text == TALK[0][2]
            assert best.provenance.turn_id == "c-planning-0"
            assert sum(part.value for part in best.parts) == pytest.approx(best.score)

            job = await until_done(owner, await owner.call(upkeep.CONSOLIDATE, Nothing()))
            assert job.state == "done" and job.result["facts"] >= 2
            before = await project_fact(owner, "PgBouncer")
            assert before.source == "extraction"

            preview = await owner.call(curation.PREVIEW_PROMOTION, PreviewPromotion(fact_id=before.id))
            assert preview.held is None and preview.thresholds
            promoted = await owner.call(curation.PROMOTE, Promote(fact_id=before.id, reason="All teams ask."))
            copy = await owner.call(memory.INSPECT, Inspect(id=promoted.id))
            assert copy.channel == GLOBAL and copy.fact is not None
            assert copy.fact.promoted_from == before.id

            entry = await owner.call(history.EVENT, AskEvent(id=promoted.change))
            assert (entry.row.op, entry.row.undoable) == ("promote", True)
            assert entry.row.author == f"person:{(await owner.call(upkeep.STATUS, Nothing())).person}"
            assert entry.details["reason"] == "All teams ask."
            assert entry.details["thresholds"]

            undone = await owner.call(curation.UNDO, Undo())
            assert undone.undid == promoted.change
            after = await project_fact(owner, "PgBouncer")
            # Salience is computed when read, and a moment has passed.
            assert replace(after, salience=before.salience) == before
            assert after.salience == pytest.approx(before.salience, abs=1e-4)
            everywhere = await owner.call(memory.FACTS, ListFacts(text="PgBouncer"))
            assert [row.id for row in everywhere.rows] == [before.id]
            taken_back = await owner.call(history.EVENT, AskEvent(id=promoted.change))
            assert taken_back.row.undone_by == undone.change

    asyncio.run(journey())


def test_kill_9_in_the_middle_of_writes_loses_no_acknowledged_one(running_service: Any) -> None:
    acknowledged: set[str] = set()

    async def write(writer: int) -> None:
        async with Client(running_service.desk, agent=f"writer-{writer}") as client:
            for number in range(100_000):
                turn_id = f"t-{writer}-{number}"
                turn = NewTurn(content=f"Turn {turn_id}", conversation_id=f"c-{writer}", turn_id=turn_id)
                await client.call(memory.STORE_TURN, turn)
                acknowledged.add(turn_id)

    async def read_back() -> set[str]:
        found: set[str] = set()
        async with Client(running_service.desk) as client:
            for writer in range(6):
                view = await client.call(
                    memory.CONVERSATION, ReadConversation(conversation_id=f"c-{writer}", limit=1)
                )
                for first in range(0, view.total, 200):
                    page = await client.call(
                        memory.CONVERSATION, ReadConversation(conversation_id=f"c-{writer}", first=first)
                    )
                    assert all(turn.content == f"Turn {turn.id}" for turn in page.turns)
                    found |= {turn.id for turn in page.turns}
        return found

    async def until_killed() -> None:
        writers = [asyncio.create_task(write(number)) for number in range(6)]
        while len(acknowledged) < 150:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(running_service.kill)
        for gone in await asyncio.gather(*writers, return_exceptions=True):
            assert isinstance(gone, ServiceAway)

    promised: set[str] = set()
    for _ in range(2):
        # The second round stores the same turns again: what was kept is a repeat, and is acknowledged as one.
        acknowledged.clear()
        asyncio.run(until_killed())
        running_service.start()
        promised |= acknowledged
        assert promised <= asyncio.run(read_back())


def test_a_feed_that_resumes_by_its_cursor_misses_nothing_and_repeats_nothing(running_service: Any) -> None:
    async def journey() -> None:
        seen: list[FeedEvent] = []

        async def follow(client: Client) -> None:
            async for event in client.feed(seen[-1].id if seen else 0):
                seen.append(event)

        async def write(first: int, many: int) -> int:
            async with Client(running_service.desk, agent="Forge") as agent:
                for number in range(first, first + many):
                    learned = await agent.call(
                        memory.LEARN_FACT, NewFact(claim=f"Claim {number}", channel=CHANNEL)
                    )
            return learned.change or 0

        async def seen_up_to(change: int) -> None:
            async with asyncio.timeout(20):
                while not seen or seen[-1].id < change:
                    await asyncio.sleep(0.01)

        async with Client(running_service.desk) as client:
            following = asyncio.create_task(follow(client))
            await seen_up_to(await write(0, 20))
            following.cancel()
            await write(20, 10)
            following = asyncio.create_task(follow(client))
            await seen_up_to(await write(30, 5))
            running_service.kill()
            with pytest.raises(ServiceAway):
                await following
            running_service.start()
            following = asyncio.create_task(follow(client))
            last = await write(35, 20)
            await seen_up_to(last)
            following.cancel()

        claims = [event.title for event in seen if event.title.startswith("Claim")]
        assert claims == [f"Claim {number}" for number in range(55)]
        assert [event.id for event in seen] == sorted({event.id for event in seen})
        assert seen[-1].author == "agent:Forge" and seen[-1].kinds

    asyncio.run(journey())


def test_the_feed_ends_when_the_service_is_told_to_stop(running_service: Any) -> None:
    async def follow_to_the_end() -> int:
        async with Client(running_service.desk) as client, Client(running_service.desk) as other:
            feed = client.feed(0)
            await other.call(memory.LEARN_FACT, NewFact(claim="One", channel=CHANNEL))
            await anext(feed)
            code = await asyncio.to_thread(running_service.stop)
            assert [event async for event in feed if event.title == "Two"] == []
            return int(code)

    assert asyncio.run(follow_to_the_end()) == 0


def test_what_is_acknowledged_while_stopping_is_there_afterwards(running_service: Any) -> None:
    async def store(number: int, client: Client) -> str | None:
        fact = NewFact(claim=f"Claim {number}", channel=CHANNEL)
        try:
            return (await client.call(memory.LEARN_FACT, fact)).id
        except ServiceAway:
            return None

    async def store_and_stop() -> set[str]:
        async with Client(running_service.desk) as client:
            await client.call(upkeep.STATUS, Nothing())
            stores = [asyncio.create_task(store(number, client)) for number in range(60)]
            await asyncio.sleep(0.05)
            assert await asyncio.to_thread(running_service.stop) == 0
            return {id for id in await asyncio.gather(*stores) if id is not None}

    async def kept() -> set[str]:
        async with Client(running_service.desk) as client:
            page = await client.call(memory.FACTS, ListFacts(limit=500))
            return {row.id for row in page.rows}

    acknowledged = asyncio.run(store_and_stop())
    running_service.start()
    assert acknowledged <= asyncio.run(kept())


def test_a_stop_in_the_middle_of_embedding_ends_the_process(running_service: Any) -> None:
    async def store_much() -> None:
        many = tuple(
            NewTurn(content=f"Turn {number}: {TALK[0][2]}", conversation_id="c-long") for number in range(400)
        )
        async with Client(running_service.desk, agent="Forge") as agent:
            await agent.call(memory.STORE_TURNS, NewTurns(turns=many))

    asyncio.run(store_much())
    assert running_service.stop() == 0


def test_an_agent_can_do_what_is_an_agents_and_nothing_more(running_service: Any) -> None:
    async def knock() -> None:
        token = running_service.desk.owner_token.read_bytes()
        running_service.desk.owner_token.unlink()
        async with Client(running_service.desk, agent="Forge") as agent:
            fact = await agent.call(memory.LEARN_FACT, NewFact(claim="Jun likes rye bread", channel=CHANNEL))
            for endpoint, ask in (
                (curation.PROMOTE, Promote(fact_id=fact.id)),
                (curation.UNDO, Undo()),
                (history.PAGE, AskHistory()),
                (upkeep.STOP, Nothing()),
            ):
                with pytest.raises(NotAllowed, match="owner"):
                    await agent.call(endpoint, ask)  # type: ignore[arg-type]
            with pytest.raises(NotAllowed):
                await anext(agent.feed())
        running_service.desk.owner_token.write_bytes(token)

    asyncio.run(knock())


def test_an_agent_is_told_nothing_of_the_audit(running_service: Any) -> None:
    async def journey() -> None:
        async with Client(running_service.desk) as owner:
            learned = await owner.call(memory.LEARN_FACT, NewFact(claim="Jun is allergic to penicillin"))
            assert (await owner.call(memory.INSPECT, Inspect(id=learned.id))).versions
        transport = httpx.AsyncHTTPTransport(uds=str(running_service.desk.socket))
        async with httpx.AsyncClient(transport=transport, base_url="http://desk") as stranger:
            status = await stranger.get("/v1/upkeep/status")
            assert status.json()["facts"] == 1 and status.json()["last_change"] is None
            inspected = await stranger.get("/v1/memory/inspect", params={"id": learned.id})
            assert (inspected.status_code, inspected.json()["code"]) == (403, "not_allowed")

    asyncio.run(journey())


def test_a_save_that_a_kill_left_unwritten_is_finished_at_the_next_start(
    running_service: Any, tmp_path: Path
) -> None:
    file = tmp_path / "iris" / "SOUL.md"
    file.parent.mkdir()
    file.write_text("# Soul\n\nWarm and exact.\n")

    async def save() -> None:
        async with Client(running_service.desk) as owner:
            await until_done(owner, await owner.call(workspace.IMPORT, AskImport(path=str(file.parent))))
            (row,) = (await owner.call(workspace.FILES, ListFiles())).rows
            seen = await owner.call(workspace.READ, ReadFile(document_id=row.document_id))
            ask = SaveFile(
                document_id=row.document_id, text="# Soul\n\nBrief.\n", base_hash=seen.content_hash
            )
            await owner.call(workspace.SAVE, ask)

    asyncio.run(save())
    running_service.kill()
    file.write_text("# Soul\n\nWarm and exact.\n")
    os.utime(file, (1, 1))  # as it lay there before the save
    running_service.start()
    assert file.read_text() == "# Soul\n\nBrief.\n"


def test_two_people_correcting_one_fact_meet_in_a_conflict(running_service: Any) -> None:
    async def correct() -> None:
        async with Client(running_service.desk) as first, Client(running_service.desk) as second:
            fact = await first.call(memory.LEARN_FACT, NewFact(claim="Pool size is 25", channel=CHANNEL))
            edit = EditFact(fact_id=fact.id, was="Pool size is 25", claim="Pool size is 40")
            await first.call(curation.EDIT_FACT, edit)
            with pytest.raises(Conflict) as met:
                await second.call(curation.EDIT_FACT, edit)
            assert met.value.next

    asyncio.run(correct())


def test_the_log_tells_what_happened_and_never_what_is_remembered(running_service: Any) -> None:
    async def talk() -> None:
        async with Client(running_service.desk) as client:
            await client.call(memory.STORE_TURNS, turns())
            await client.call(recall.SEARCH, Query(text="amoxicillin", channel=CHANNEL))
            with pytest.raises(NotFound):
                await client.call(memory.INSPECT, Inspect(id="penicillin"))

    asyncio.run(talk())
    assert running_service.stop() == 0
    log = running_service.desk.log
    said = log.read_text()
    assert "the socket answers" in said and "stopped" in said
    assert not any(word in said for word in ("penicillin", "amoxicillin", "PgBouncer", "Mara"))
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_everything_the_service_keeps_is_its_owners_alone(running_service: Any) -> None:
    for path in running_service.desk.folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_desk_that_cannot_be_served_says_why_in_its_log(running_service: Any) -> None:
    running_service.stop()
    running_service.desk.settings.write_text("recall_limit = 0")
    with pytest.raises(BadAsk, match="recall_limit"):
        asyncio.run(ensure_service(running_service.desk))
    assert "recall_limit" in running_service.desk.log.read_text().splitlines()[-1]


def test_the_description_lists_every_call_with_its_words(running_service: Any) -> None:
    transport = httpx.HTTPTransport(uds=str(running_service.desk.socket))
    with httpx.Client(transport=transport, base_url="http://desk", timeout=60) as client:
        described = client.get("/openapi.json").json()
    for endpoint in ENDPOINTS:
        call = described["paths"][endpoint.path][endpoint.method.lower()]
        assert call["summary"] == endpoint.summary
        assert call["tags"] == [endpoint.name.partition(".")[0]]
        assert call["operationId"] == endpoint.name
        assert ("security" in call) == endpoint.owner
        assert call["responses"]["200"]["content"]["application/json"]["schema"]
        assert "Wrong" in str(call["responses"]["default"])
    calls = [call for path in described["paths"].values() for call in path.values()]
    assert [
        each for call in calls for each in call.get("parameters", ()) if not each.get("description")
    ] == []
    assert set(described["paths"]) == {endpoint.path for endpoint in ENDPOINTS} | {
        FEED_PATH,
        METRICS_PATH,
        MCP_PATH,
    }
