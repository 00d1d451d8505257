"""An agent's life over the real socket: every type of memory and every job, on a desk that already holds a lot.

Played on the sample desk, and on the LoCoMo conversations where the variable MEMDESK_LOCOMO names their file.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from memdesk.api import (
    channels,
    curation,
    goals,
    history,
    jobs,
    memory,
    procedures,
    profile,
    recall,
    review,
    upkeep,
    working,
    workspace,
)
from memdesk.client.client import Client
from memdesk.engine.engine import now
from memdesk.engine.interop.sample import open_sample
from memdesk.files.places import Desk
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.channel import MergeChannels, RenameChannel
from memdesk.model.curation import Merge, Retire, Tagging, Undo, UndoRun
from memdesk.model.goal import CompleteGoal, NewGoal
from memdesk.model.graph import AskEntity, AskEntityGraph
from memdesk.model.history import Verification
from memdesk.model.interop import AskImport
from memdesk.model.job import AskRuns, RunJob
from memdesk.model.profile import SetTrait
from memdesk.model.recall import Explain, Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.review import AskReview, Decide
from memdesk.model.status import AskJob, ChangeSettings, JobState, Nothing
from memdesk.model.strategy import FindStrategies
from memdesk.model.timeline import AskTimeline, AskTurnLog, ListConversations
from memdesk.model.tool_call import AskToolStats, NewToolCall, NewToolCalls
from memdesk.model.working import AskNote, AskRecent, PushThought, SetValue, WriteNote
from tests.conftest import Service
from tests.store.agreement import assert_agreement

AGENT = "journey"
HERE = "voyage"
LOCOMO = "MEMDESK_LOCOMO"


@dataclass(frozen=True, kw_only=True)
class World:
    """A desk's service with an agent and the owner to call it."""

    owner: Client
    agent: Client

    async def ended(self, job: JobState) -> JobState:
        while job.open:
            await asyncio.sleep(0.02)
            job = await self.owner.call(upkeep.JOB, AskJob(id=job.id))
        assert job.state == "done", job.says
        return job

    async def run(self, name: str, *, dry: bool = False) -> dict[str, Any]:
        job = await self.owner.call(jobs.RUN, RunJob(name=name, dry=dry))
        return (await self.ended(job)).result

    async def last_change(self) -> int:
        status = await self.owner.call(upkeep.STATUS, Nothing())
        return 0 if status.last_change is None else status.last_change.id

    async def say(self, conversation: str, *lines: str) -> None:
        """The user and the assistant, in turns."""
        turns = tuple(
            NewTurn(
                content=line,
                role=("user", "assistant")[n % 2],
                speaker=("Ada", "Journey")[n % 2],
                channel=HERE,
                conversation_id=conversation,
                turn_id=f"{conversation}-{n}",
            )
            for n, line in enumerate(lines)
        )
        await self.agent.call(memory.STORE_TURNS, NewTurns(turns=turns))


@pytest.fixture(params=["sample", "locomo"])
def service(request: pytest.FixtureRequest, short_folder: Path) -> Iterator[Service]:
    """The service of a desk full of memory; afterwards its file must agree with itself."""
    desk = Desk(short_folder / "desk")
    if request.param == "locomo" and LOCOMO not in os.environ:
        pytest.skip(f"{LOCOMO} names no file")
    if request.param == "sample":
        open_sample(desk, now=now())
    running = Service(desk)
    running.start()
    if request.param == "locomo":
        asyncio.run(_bring_in(desk, os.environ[LOCOMO]))
    yield running
    running.stop()
    assert_agreement(desk.database)


async def _bring_in(desk: Desk, file: str) -> None:
    async with _world(desk) as world:
        await world.ended(await world.owner.call(workspace.IMPORT, AskImport(path=file)))


@asynccontextmanager
async def _world(desk: Desk) -> AsyncIterator[World]:
    async with Client(desk) as owner, Client(desk, agent=AGENT) as agent:
        yield World(owner=owner, agent=agent)


def test_an_agent_lives_on_a_desk_full_of_memory(service: Service) -> None:
    def live(chapter: Callable[[World], Coroutine[Any, Any, None]]) -> None:
        async def lived() -> None:
            async with _world(service.desk) as world:
                await chapter(world)

        asyncio.run(lived())

    for chapter in (episodic, semantic, procedural, working_memory, goals_and_profile):
        live(chapter)
    service.kill()
    service.start()
    for chapter in (what_survives_a_kill, recalling, consolidating, curating, keeping, counting):
        live(chapter)


async def episodic(world: World) -> None:
    """What is there is read in order and by page; what is said enters it."""
    await world.say(
        "harbour",
        "The ferry to Aveiro leaves at 7:15 from pier four.",
        "Noted, pier four at 7:15.",
        "My sister Ines lives in Porto.",
        "Good to know.",
    )
    found = await world.agent.call(memory.CONVERSATIONS, ListConversations(state="all", limit=5))
    assert len(found.rows) == 5 and found.next
    status = await world.owner.call(upkeep.STATUS, Nothing())
    log, seen = await world.agent.call(memory.TURN_LOG, AskTurnLog(limit=1000)), list[str]()
    while True:
        seen += [turn.id for turn in log.rows]
        if log.next is None:
            break
        log = await world.agent.call(memory.TURN_LOG, AskTurnLog(limit=1000, after=log.next))
    assert len(seen) == len(set(seen)) == status.turns
    timeline = await world.agent.call(memory.TIMELINE, AskTimeline(limit=50))
    times = [row.event_time for row in timeline.rows]
    assert times == sorted(times, reverse=True)


async def semantic(world: World) -> None:
    """Entities, relations and facts; two entities that are one become one, and two again."""
    for name, aliases in (("Aveiro", ("the Venice of Portugal",)), ("Aveiro (city)", ())):
        await world.agent.call(
            memory.UPSERT_ENTITY, NewEntity(name=name, type="Location", channel=HERE, aliases=aliases)
        )
    await world.agent.call(memory.UPSERT_ENTITY, NewEntity(name="Portugal", type="Location", channel=HERE))
    await world.agent.call(
        memory.RELATE, NewRelation(source="Aveiro (city)", target="Portugal", type="LOCATED_IN", channel=HERE)
    )
    await world.agent.call(
        memory.LEARN_FACT, NewFact(claim="Aveiro has canals", channel=HERE, about=("Aveiro",))
    )
    double = await world.agent.call(memory.ENTITY, AskEntity(entity="Aveiro (city)", channel=HERE))
    kept = await world.agent.call(memory.ENTITY, AskEntity(entity="Aveiro", channel=HERE))
    merged = await world.owner.call(curation.MERGE, Merge(id=double.id, into_id=kept.id))
    graph = await world.agent.call(memory.ENTITY_GRAPH, AskEntityGraph(entity_ids=(kept.id,), depth=2))
    assert "Portugal" in {node.name for node in graph.nodes}
    assert "Aveiro (city)" in (await world.agent.call(memory.ENTITY, AskEntity(entity=kept.id))).aliases
    await world.owner.call(curation.UNDO, Undo(change=merged.change))
    assert (
        await world.agent.call(memory.ENTITY, AskEntity(entity="Aveiro (city)", channel=HERE))
    ).id == double.id


async def procedural(world: World) -> None:
    """Tool calls become statistics, and what worked twice becomes a strategy."""
    for n in range(3):
        await world.say(f"trip-{n}", f"Please book the ferry to Aveiro for day {n}.", "The ferry is booked.")
        calls = tuple(
            NewToolCall(
                tool_name=tool,
                task_type="booking",
                success=True,
                latency_ms=10 * n + 5,
                channel=HERE,
                conversation_id=f"trip-{n}",
                invocation_id=f"call-{n}-{tool}",
            )
            for tool in ("search_ferries", "compare_prices", "book_ticket")
        )
        await world.agent.call(procedures.RECORD_INVOCATIONS, NewToolCalls(calls=calls))
    stats = await world.agent.call(procedures.TOOL_STATS, AskToolStats(channels=(HERE,), task_type="booking"))
    booked = next(row.total for row in stats.rows if row.tool_name == "book_ticket")
    assert (booked.usage_count, booked.success_rate, booked.avg_latency_ms) == (3, 1.0, 15.0)
    dry = await world.run("patterns", dry=True)
    assert dry["planned"] and (await world.run("patterns"))["strategies"] >= 1
    found = await world.agent.call(
        procedures.FIND_STRATEGIES, FindStrategies(task_description="book a ferry", channels=(HERE,))
    )
    best = found.rows[0].strategy
    assert best.tool_sequence == ("search_ferries", "compare_prices", "book_ticket")
    assert best.success_count == 3


async def working_memory(world: World) -> None:
    place = {"channel": HERE, "conversation_id": "harbour"}
    await world.agent.call(working.SET, SetValue(**place, key="pier", value={"number": 4}))
    await world.agent.call(working.PUSH_THOUGHT, PushThought(**place, thought="Ferries are early here."))
    await world.agent.call(working.WRITE_NOTE, WriteNote(session_id="s-1", key="plan", value="pier four"))


async def goals_and_profile(world: World) -> None:
    await world.agent.call(
        goals.ADD, NewGoal(description="Reach Aveiro by noon", goal_id="g-noon", channel=HERE)
    )
    await world.agent.call(
        goals.ADD,
        NewGoal(description="Pack the day before", channel=HERE, parent_id="g-noon", goal_id="g-pack"),
    )
    await world.agent.call(goals.COMPLETE, CompleteGoal(goal_id="g-pack", channel=HERE, result="packed"))
    await world.agent.call(
        profile.SET, SetTrait(aspect="communication_style", name="length", value="short answers")
    )


async def what_survives_a_kill(world: World) -> None:
    """Working memory is still there until it expires."""
    held = await world.agent.call(working.CONTEXT, AskRecent(channel=HERE, conversation_id="harbour"))
    assert held.values["pier"] == {"number": 4}
    assert [turn.content for turn in held.turns][0] == "Good to know."
    assert [each.text for each in held.thoughts] == ["Ferries are early here."]
    note = await world.agent.call(working.READ_NOTE, AskNote(session_id="s-1", key="plan"))
    assert note.value == "pier four"


async def recalling(world: World) -> None:
    """A recall brings turns with their reasons, and what else an agent should know; nonsense brings nothing."""
    await world.run("embedding")
    query = Query(text="When does the ferry to Aveiro leave?", channel=HERE, limit=5)
    bundle = await world.agent.call(recall.SEARCH, query)
    best = bundle.hits[0]
    assert best.text.startswith("The ferry to Aveiro leaves at 7:15")
    assert sum(part.value for part in best.parts) == pytest.approx(best.score)
    assert best.ranks and bundle.techniques
    assert [goal.description for goal in bundle.goals] == ["Reach Aveiro by noon"]
    assert bundle.profile["communication_style"]["length"] == "short answers"
    told = await world.owner.call(recall.EXPLAIN, Explain(query=query, id=best.id))
    assert told.place == 1
    other = await world.agent.call(
        memory.LEARN_FACT, NewFact(claim="The cat sleeps on the printer", channel="elsewhere")
    )
    hidden = await world.owner.call(recall.EXPLAIN, Explain(query=query, id=other.id))
    assert hidden.place is None
    assert next(stage.name for stage in hidden.stages if not stage.passed) == "scope"
    nothing = await world.agent.call(recall.SEARCH, Query(text="zqxv brumplewick oonagar", channel=HERE))
    assert nothing.hits == () and nothing.answer == "nothing" and nothing.reason


async def consolidating(world: World) -> None:
    """Facts come of what was said; who corrects themself supersedes; who contradicts is asked about."""
    dry = await world.run("consolidate", dry=True)
    before = await world.owner.call(memory.FACTS, ListFacts(channels=(HERE,)))
    assert dry["planned"]
    await world.run("consolidate")
    after = await world.owner.call(memory.FACTS, ListFacts(channels=(HERE,)))
    assert after.total > before.total
    await world.say("second", "Actually, Ines lives in Braga, not Porto.", "Thanks, I corrected that.")
    await world.run("consolidate")
    current = await world.owner.call(memory.FACTS, ListFacts(channels=(HERE,), text="Braga"))
    assert current.rows and current.rows[0].source == "user_correction"
    past = await world.owner.call(
        memory.FACTS, ListFacts(channels=(HERE,), text="lives in Porto", state="retired")
    )
    assert past.rows and past.rows[0].superseded_by == current.rows[0].id
    await world.say("third", "Ines lives in Faro.", "I see.")
    await world.run("consolidate")
    asked = await world.owner.call(review.LIST, AskReview(types=("contradiction",), channels=(HERE,)))
    question = next(row for row in asked.rows if "Faro" in row.subject.title)
    decided = await world.owner.call(review.DECIDE, Decide(id=question.id, decision="keep_other"))
    left = await world.owner.call(memory.FACTS, ListFacts(channels=(HERE,), text="Faro"))
    assert left.total == 0
    await world.owner.call(curation.UNDO, Undo(change=decided.change))
    assert (await world.owner.call(memory.FACTS, ListFacts(channels=(HERE,), text="Faro"))).total == 1


async def curating(world: World) -> None:
    """Tags, a promotion by the job, and a channel that changes its name and goes into another."""
    fact = (await world.owner.call(memory.FACTS, ListFacts(channels=(HERE,), text="canals"))).rows[0]
    await world.owner.call(curation.TAG, Tagging(id=fact.id, tags=("travel",)))
    tagged = await world.agent.call(recall.SEARCH, Query(text="canals", channel=HERE, tags=("travel",)))
    assert {hit.id for hit in tagged.hits} == {fact.id}
    changed = ChangeSettings(
        values={"promote_recalls": 1, "promote_conversations": 0, "promotion": "straight"}
    )
    await world.owner.call(upkeep.CHANGE_SETTINGS, changed)
    assert (await world.run("promote"))["promoted"] >= 1
    runs = await world.owner.call(jobs.HISTORY, AskRuns(name="promote", limit=1))
    (last,) = runs.rows
    assert last.first_change is not None
    undone = await world.ended(await world.owner.call(curation.UNDO_RUN, UndoRun(change=last.first_change)))
    assert undone.result["left"] == {}
    await world.ended(await world.owner.call(channels.RENAME, RenameChannel(channel=HERE, name="journeys")))
    moved = await world.agent.call(recall.SEARCH, Query(text="ferry to Aveiro", channel="journeys"))
    assert moved.hits and {hit.channel for hit in moved.hits} <= {"journeys", "_global"}
    await world.ended(
        await world.owner.call(channels.MERGE, MergeChannels(channel="elsewhere", into="journeys"))
    )
    assert (
        await world.owner.call(memory.FACTS, ListFacts(channels=("journeys",), text="printer"))
    ).total == 1


async def keeping(world: World) -> None:
    """Decay, cleanup and the audit's partitions, each looked at dry, run, and taken back whole."""
    for name in ("decay", "cleanup", "audit_partitions"):
        planned = await world.run(name, dry=True)
        before = await world.last_change()
        await world.run(name)
        runs = await world.owner.call(jobs.HISTORY, AskRuns(name=name, limit=1))
        assert runs.rows[0].changes == planned["changes"]
        if runs.rows[0].first_change is None:
            assert await world.last_change() == before
            continue
        state = await world.owner.call(curation.UNDO_RUN, UndoRun(change=runs.rows[0].first_change))
        assert (await world.ended(state)).result["left"] == {}
    fact = (await world.owner.call(memory.FACTS, ListFacts(channels=("journeys",), text="printer"))).rows[0]
    await world.owner.call(curation.RETIRE, Retire(id=fact.id))
    assert (await world.owner.call(memory.INSPECT, Inspect(id=fact.id))).retired


async def counting(world: World) -> None:
    """The desk in numbers, for people and for Prometheus; and its history holds from the first change to the last."""
    numbers = await world.agent.call(upkeep.METRICS, Nothing())
    assert numbers.recall["recall"].runs >= 3
    walk = await world.owner.call(history.VERIFY, Nothing())
    verified = Verification.in_result((await world.ended(walk)).result)
    assert verified.first_break is None and verified.holding == verified.changes
    transport = httpx.AsyncHTTPTransport(uds=str(world.owner.desk.socket))
    async with httpx.AsyncClient(transport=transport, base_url="http://desk") as plain:
        said = await plain.get("/v1/metrics")
    assert said.headers["content-type"].startswith("text/plain")
    assert "memdesk_recall_seconds" in said.text
