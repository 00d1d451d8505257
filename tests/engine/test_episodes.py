"""Memory in the order of time: pages that neither repeat nor skip, however large the desk and whoever writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memdesk.engine.browsing.details import entity
from memdesk.engine.browsing.lists import conversations, derived_from_turns, recent_turns, turn_log
from memdesk.engine.browsing.tables import timeline
from memdesk.engine.browsing.tool_use import tool_stats
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import cleanup
from memdesk.engine.memory.channel_merge import rename_channel
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.procedures import learn_strategy, record_invocation
from memdesk.engine.memory.remember import learn_fact, store_turn, store_turns, upsert_entity
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.model.browse import AskBeside
from memdesk.model.channel import RenameChannel
from memdesk.model.curation import Retire
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.graph import AskEntity
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn, NewTurns
from memdesk.model.strategy import NewStrategy
from memdesk.model.timeline import (
    AskRecentTurns,
    AskTimeline,
    AskTurnLog,
    ListConversations,
    LoggedTurn,
    TimelineRow,
)
from memdesk.model.tool_call import AskToolStats, NewToolCall
from memdesk.model.turn import TURN
from memdesk.store.connection import Connection
from tests.engine.conftest import START, Clock

IRIS = "agent:Iris"
MAY = datetime(2025, 5, 1, tzinfo=UTC)


def say(engine: Engine, content: str, **more: Any) -> str:
    return store_turn(engine, NewTurn(content=content, **more), author=IRIS).id


def logged(engine: Engine, **more: Any) -> list[LoggedTurn]:
    """The whole log, page by page."""
    rows: list[LoggedTurn] = []
    after: str | None = ""
    while after is not None:
        page = turn_log(engine, AskTurnLog(after=after, **({"limit": 3} | more)))
        rows.extend(page.rows)
        after = page.next
    return rows


def contents(rows: list[LoggedTurn] | tuple[LoggedTurn, ...]) -> list[str]:
    return [row.content for row in rows]


def test_a_logged_turn_has_every_column_of_the_log(engine: Engine) -> None:
    say(
        engine,
        "我们住在里斯本。",
        conversation_id="c",
        channel="lisbon",
        agent_id="Iris",
        role="user",
        speaker="Mara",
        token_count=7,
        model="m-1",
        metadata={"源": [1]},
        created_at=MAY,
    )
    (row,) = logged(engine)
    assert (row.conversation_id, row.turn_index, row.timestamp, row.role) == ("c", 0, MAY, "user")
    assert (row.token_count, row.model, row.channel, row.metadata) == (7, "m-1", "lisbon", {"源": [1]})
    assert (row.speaker, row.agent_id) == ("Mara", "Iris")
    assert row.content_hash == hashlib.sha256("我们住在里斯本。".encode()).hexdigest()


def test_recent_turns_are_those_of_the_last_hours_newest_first(engine: Engine, clock: Clock) -> None:
    say(engine, "old", channel="lisbon")
    clock.pass_days(2)
    say(engine, "first", channel="lisbon")
    say(engine, "second", channel="homelab", role="assistant")
    say(engine, "of another", user_id="jun")
    assert contents(recent_turns(engine, AskRecentTurns()).rows) == ["second", "first"]
    assert contents(recent_turns(engine, AskRecentTurns(channels=("lisbon",))).rows) == ["first"]
    assert contents(recent_turns(engine, AskRecentTurns(role="user", hours=100)).rows) == ["first", "old"]
    assert contents(recent_turns(engine, AskRecentTurns(limit=1)).rows) == ["second"]
    assert contents(recent_turns(engine, AskRecentTurns(user_id="jun")).rows) == ["of another"]


@pytest.mark.parametrize("bad", [{"hours": 0}, {"hours": 1e9}, {"limit": 0}, {"limit": 1001}])
def test_a_time_or_a_limit_out_of_range_is_refused(engine: Engine, bad: dict[str, Any]) -> None:
    with pytest.raises(BadAsk):
        recent_turns(engine, AskRecentTurns(**bad))


def test_a_conversation_is_logged_in_its_order_whatever_the_clocks_say(engine: Engine) -> None:
    for index, day in ((0, 9), (2, 1), (1, 5), (3, 1)):
        say(
            engine,
            f"turn {index}",
            conversation_id="c",
            turn_index=index,
            created_at=MAY + timedelta(days=day),
            channel="lisbon",
            role="user" if index % 2 else "assistant",
        )
    say(engine, "elsewhere", conversation_id="d")
    assert contents(logged(engine, conversation_id="c", limit=1)) == [f"turn {n}" for n in range(4)]
    assert contents(logged(engine, conversation_id="c", role="user")) == ["turn 1", "turn 3"]
    early = {"until": MAY + timedelta(days=2), "conversation_id": "c"}
    assert contents(logged(engine, limit=1, **early)) == ["turn 2", "turn 3"]
    assert logged(engine, conversation_id="c", channels=("homelab",)) == []
    for user_id, name in (("local", "nowhere"), ("jun", "c")):
        with pytest.raises(NotFound):
            turn_log(engine, AskTurnLog(conversation_id=name, user_id=user_id))


def test_the_log_is_narrowed_by_time_channel_role_and_agent(engine: Engine) -> None:
    for day in range(6):
        say(
            engine,
            f"day {day}",
            created_at=MAY + timedelta(days=day),
            channel="ab"[day % 2],
            role="user" if day < 3 else "assistant",
            agent_id="Iris" if day else "Forge",
        )
    assert contents(logged(engine)) == [f"day {day}" for day in reversed(range(6))]
    assert contents(logged(engine, oldest_first=True)) == [f"day {day}" for day in range(6)]
    assert contents(logged(engine, channels=("a",))) == ["day 4", "day 2", "day 0"]
    assert contents(logged(engine, channels=("b", "a"), oldest_first=True)) == [
        f"day {day}" for day in range(6)
    ]
    since, until = MAY + timedelta(days=1), MAY + timedelta(days=3)
    assert contents(logged(engine, since=since, until=until)) == ["day 2", "day 1"]
    assert contents(logged(engine, role="assistant", agent_id="Iris")) == ["day 5", "day 4", "day 3"]
    assert contents(logged(engine, agent_id="Forge")) == ["day 0"]


@pytest.mark.parametrize("oldest_first", [True, False])
@pytest.mark.parametrize("channels", [(), ("a", "b")])
def test_pages_neither_repeat_nor_skip_while_others_write(
    engine: Engine, oldest_first: bool, channels: tuple[str, ...]
) -> None:
    turns = tuple(
        NewTurn(content=f"{channel}{n}", channel=channel, conversation_id=channel, created_at=MAY)
        for n in range(10)
        for channel in "ab"
    )
    store_turns(engine, NewTurns(turns=turns), author=IRIS)
    seen: list[str] = []
    after: str | None = ""
    for _ in range(20):
        page = turn_log(
            engine, AskTurnLog(after=after or "", limit=3, oldest_first=oldest_first, channels=channels)
        )
        seen += contents(page.rows)
        say(engine, "before", channel="a", created_at=MAY - timedelta(days=1))
        say(engine, "after", channel="b", created_at=MAY + timedelta(days=1))
        if (after := page.next) is None or len(seen) > 20:
            break
    kept = [content for content in seen if content not in ("before", "after")]
    told = [turn.content for turn in turns]
    assert kept == (told if oldest_first else told[::-1])


def test_a_renamed_channel_is_read_by_either_name(engine: Engine) -> None:
    everything(engine)
    ask = RenameChannel(channel="lisbon", name="porto")
    rename_channel(engine, ask, author="person:Mara", progress=ignore_progress)
    for name in ("lisbon", "porto"):
        here: dict[str, Any] = {"channels": (name,)}
        assert contents(logged(engine, **here)) == ["What is the port?"]
        assert contents(recent_turns(engine, AskRecentTurns(**here)).rows) == ["What is the port?"]
        assert [row.id for row in conversations(engine, ListConversations(**here)).rows] == ["c"]
        assert {row.memory_type for row in moments(engine, **here)} >= {"turn", "fact", "entity", "tool_call"}
        assert [row.tool_name for row in tool_stats(engine, AskToolStats(**here)).rows] == ["ss"]
        assert entity(engine, AskEntity(entity="Atlas", channel=name)).channel == "porto"


def test_retired_turns_leave_the_log(engine: Engine) -> None:
    id = say(engine, "a slip")
    retire(engine, Retire(id=id), author="person:Mara")
    assert logged(engine) == []


def test_conversations_are_listed_with_their_length_and_what_was_read_of_them(
    engine: Engine, clock: Clock
) -> None:
    say(engine, "I live in Lisbon", conversation_id="a", channel="lisbon", title="Moving to Lisbon")
    clock.pass_days(1)
    say(engine, "Backups run at night", conversation_id="b", channel="homelab", agent_id="Iris")
    consolidate(begin(engine, "consolidate"))
    say(engine, "And on Sundays", conversation_id="b")
    first, second = conversations(engine, ListConversations()).rows
    assert (first.id, first.turns, first.consolidated, first.agent_id) == ("b", 2, False, "Iris")
    assert (second.id, second.turns, second.consolidated, second.title) == ("a", 1, True, "Moving to Lisbon")
    assert second.consolidated_at is not None and first.last_turn_at > second.last_turn_at  # type: ignore[operator]

    def ids(**more: Any) -> list[str]:
        return [row.id for row in conversations(engine, ListConversations(**more)).rows]

    assert ids(channels=("lisbon",)) == ids(text="moving") == ["a"]
    assert ids(agent_id="Iris") == ids(since=to_datetime(START) + timedelta(hours=5)) == ["b"]
    page = conversations(engine, ListConversations(limit=1))
    assert ids(after=page.next) == ["a"]


def test_archived_conversations_leave_the_list_and_can_be_listed(engine: Engine, clock: Clock) -> None:
    say(engine, "long ago", conversation_id="old")
    clock.pass_days(100)
    say(engine, "today", conversation_id="new")
    cleanup(begin(engine, "cleanup"))
    by_state = {
        state: [row.id for row in conversations(engine, ListConversations(state=state)).rows]
        for state in ("current", "archived", "all")
    }
    assert by_state == {"current": ["new"], "archived": ["old"], "all": ["new", "old"]}
    with pytest.raises(BadAsk):
        conversations(engine, ListConversations(state="gone"))


def moments(engine: Engine, **more: Any) -> list[TimelineRow]:
    """The whole timeline, page by page."""
    rows: list[TimelineRow] = []
    after: str | None = ""
    while after is not None:
        page = timeline(engine, AskTimeline(after=after, **({"limit": 2} | more)))
        rows.extend(page.rows)
        after = page.next
    return rows


def everything(engine: Engine) -> None:
    say(engine, "What is the port?", conversation_id="c", channel="lisbon", metadata={"n": 1})
    upsert_entity(engine, NewEntity(name="Atlas", properties={"port": 8080}, channel="lisbon"), author=IRIS)
    learn_fact(engine, NewFact(claim="Atlas listens on 8080", channel="lisbon"), author=IRIS)
    learn_strategy(
        engine,
        NewStrategy(description="Look the port up", tool_sequence=("ss",), channel="homelab"),
        author=IRIS,
    )
    record_invocation(engine, NewToolCall(tool_name="ss", conversation_id="c"), author=IRIS)


def test_the_timeline_holds_every_type_of_memory_newest_first(engine: Engine) -> None:
    everything(engine)
    rows = moments(engine)
    assert [row.memory_type for row in rows] == [
        "tool_call",
        "strategy",
        "fact",
        "entity",
        "turn",
        "conversation",
    ]
    assert [row.event_time for row in rows] == sorted((row.event_time for row in rows), reverse=True)
    by_type = {row.memory_type: row for row in rows}
    assert by_type["turn"].metadata == {"n": 1} and by_type["entity"].metadata == {"port": 8080}
    assert by_type["turn"].importance_score == 0.5 and by_type["strategy"].layer == "procedural"
    assert {row.memory_type for row in moments(engine, channels=("homelab",))} == {"strategy"}
    assert [row.summary for row in moments(engine, kinds=("fact",))] == ["Atlas listens on 8080"]
    assert moments(engine, user_id="jun") == []
    with pytest.raises(BadAsk, match="timeline"):
        timeline(engine, AskTimeline(kinds=("dream",)))


def test_importance_is_salience_now_and_use_is_counted(engine: Engine, clock: Clock) -> None:
    everything(engine)
    clock.pass_days(14)
    (faded,) = moments(engine, kinds=("fact",))
    assert faded.importance_score == pytest.approx(0.5 * 0.95**14, rel=1e-3) and faded.access_count == 0
    recall(engine, Query(text="Atlas 8080", channel="lisbon", kinds=("fact",)), author=IRIS)
    engine.store.maintain(lambda _db, _index, _journal: None).result()
    (used,) = moments(engine, kinds=("fact",))
    assert used.access_count == 1 and used.last_accessed is not None
    assert used.importance_score > faded.importance_score


def test_the_timeline_keeps_apart_what_is_archived_retired_or_superseded(
    engine: Engine, clock: Clock
) -> None:
    everything(engine)
    fact = moments(engine, kinds=("fact",))[0].id
    learn_fact(engine, NewFact(claim="Atlas listens on 9090", channel="lisbon", supersedes=fact), author=IRIS)
    clock.pass_days(100)
    cleanup(begin(engine, "cleanup"))
    gone = moments(engine, state="archived")
    assert {row.memory_type for row in gone} == {"conversation", "turn", "fact"}
    assert all(row.archived for row in gone)
    current = moments(engine)
    assert not any(row.archived for row in current)
    assert len(gone) + len(current) == len(moments(engine, state="all")) == 7


def test_a_common_word_finds_its_time_though_thousands_of_newer_memories_hold_it(engine: Engine) -> None:
    say(engine, "A meeting about the boat", channel="a", created_at=MAY - timedelta(days=400))
    for batch in range(11):
        newer = tuple(
            NewTurn(content=f"meeting {batch}-{n}", channel="a", conversation_id=f"c{batch}", created_at=MAY)
            for n in range(400)
        )
        store_turns(engine, NewTurns(turns=newer), author=IRIS)

    def told(**more: Any) -> list[str]:
        query = Query(text="what meeting", channel="a", kinds=("turn",), **more)
        return [hit.text for hit in recall(engine, query, author=IRIS).hits]

    assert told(until=MAY - timedelta(days=300)) == ["A meeting about the boat"]
    assert told(until=MAY - timedelta(days=500)) == []
    assert "A meeting about the boat" not in told(since=MAY)


def steps_of(db: Connection, work: Callable[[], object]) -> int:
    """How many hundreds of instructions SQLite needs for some reads: a measure that no busy machine sways."""
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return 0

    db.raw.set_progress_handler(tick, 100)
    work()
    db.raw.set_progress_handler(None, 0)
    return count


def fill(engine: Engine, rows: int) -> None:
    """Many turns, all of one moment and nearly all of one channel, as a large import leaves them."""
    say(engine, "first", conversation_id="c", channel="busy")
    first = engine.store.new_seq()

    def write(db: Connection) -> None:
        db.run(
            "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            f"INSERT INTO turns ({', '.join(TURN.columns)}) "
            "SELECT i + ?, 't' || i, 'local', CASE WHEN i % 1000 = 0 THEN 'quiet' ELSE 'busy' END, "
            "NULL, 'c', i + 1, CASE WHEN i % 2 = 0 THEN 'user' ELSE 'assistant' END, 'u', 'turn ' || i, NULL, NULL, "
            "'{}', 5000000, NULL, 'person', 1.0 FROM n",
            (rows - 1, first),
        )

    engine.store.submit(write).result()


@pytest.mark.file
def test_no_page_of_a_hundred_thousand_turns_costs_more_than_the_first(engine: Engine) -> None:
    fill(engine, 100_000)

    def cost(read: Callable[[], object]) -> int:
        with engine.store.reading() as db:
            pass
        # The reader that was given back last is the one taken next.
        return steps_of(db, read)

    deep = turn_log(engine, AskTurnLog(limit=1)).rows[0]
    assert deep.content == "first"
    first = cost(lambda: turn_log(engine, AskTurnLog(limit=50)))
    with engine.store.reading() as db:
        middle = db.value("SELECT seq FROM turns WHERE turn_index = 50000")
    place = f"5000000_{middle}"
    asked = {
        "log": lambda: turn_log(engine, AskTurnLog(limit=50, after=place)),
        "log of a quiet channel": lambda: turn_log(
            engine, AskTurnLog(limit=50, after=place, channels=("quiet",))
        ),
        "log of two channels": lambda: turn_log(
            engine, AskTurnLog(limit=25, after=place, channels=("quiet", "busy"))
        ),
        "conversation": lambda: turn_log(
            engine, AskTurnLog(limit=50, after=f"50000_{middle}", conversation_id="c")
        ),
        "timeline": lambda: timeline(engine, AskTimeline(limit=50, after=place, kinds=("turn",))),
        "recent": lambda: recent_turns(engine, AskRecentTurns(channels=("quiet",), hours=24)),
    }
    costs = {name: cost(read) for name, read in asked.items()}
    assert max(costs.values()) <= 4 * first, (first, costs)


def test_what_came_of_turns_is_told_by_their_index_and_only_what_holds(engine: Engine) -> None:
    turns = [say(engine, f"The crane lifts {n} tonnes.", conversation_id="quay") for n in range(4)]
    elsewhere = say(engine, "The ferry is late.", conversation_id="sea")
    ids = [
        learn_fact(engine, NewFact(claim=f"It lifts {n}", source_turn_id=turn), author=IRIS).id
        for n, turn in enumerate((*turns, elsewhere))
    ]
    for turn, error in ((turns[1], ""), (turns[1], "too heavy"), (turns[3], ""), (elsewhere, "")):
        call = NewToolCall(
            tool_name="weigh", success=not error, error_message=error, turn_id=turn, latency_ms=12
        )
        record_invocation(engine, call, author=IRIS)
    found = derived_from_turns(engine, AskBeside(conversation_id="quay", first_index=1, last_index=2))
    assert [(fact.id, fact.turns) for fact in found.facts] == [(ids[1], (1,)), (ids[2], (2,))]
    assert [(call.turn_index, call.success, call.error) for call in found.calls] == [
        (1, True, ""),
        (1, False, "too heavy"),
    ]
    retire(engine, Retire(id=ids[1]), author="person:Mara")
    found = derived_from_turns(engine, AskBeside(conversation_id="quay", first_index=0, last_index=3))
    assert [fact.id for fact in found.facts] == [ids[0], ids[2], ids[3]] and len(found.calls) == 3
    with pytest.raises(NotFound):
        derived_from_turns(engine, AskBeside(conversation_id="moon", first_index=0, last_index=3))


def test_conversations_are_listed_by_several_agents(engine: Engine) -> None:
    for agent in ("Iris", "Forge", "Juno"):
        say(engine, f"{agent} speaks.", conversation_id=f"c-{agent}", agent_id=agent)
    rows = conversations(engine, ListConversations(agents=("Iris", "Juno"))).rows
    assert {row.id for row in rows} == {"c-Iris", "c-Juno"}
    assert [row.id for row in conversations(engine, ListConversations(agent_id="Forge")).rows] == ["c-Forge"]
