"""Channels are made, renamed, merged, archived and brought back; whoever uses an old name still reaches the memory."""

from __future__ import annotations

import time
from typing import Any

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory import channel_merge
from memdesk.engine.memory.channel_merge import merge_channels, rename_channel
from memdesk.engine.memory.channels import (
    archive_channel,
    create_channel,
    list_channels,
    restore_channel,
)
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.draft import protected
from memdesk.engine.memory.goals import add
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, store_turns, upsert_entity
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo, undo_run
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.channel import (
    ArchiveChannel,
    ChannelInfo,
    ListChannels,
    MergeChannels,
    NewChannel,
    RenameChannel,
    RestoreChannel,
)
from memdesk.model.curation import EditFact, Retire, Undo, UndoRun
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, Cancelled, Conflict, NotFound
from memdesk.model.fact import FACT
from memdesk.model.goal import NewGoal
from memdesk.model.kinds import KINDS
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.store import moving, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import channels_of
from tests.engine.conftest import embed_all
from tests.store.agreement import assert_agreement

FORGE, MARA = "agent:Forge", "person:Mara"


def say(engine: Engine, content: str, channel: str, **more: Any) -> Any:
    return store_turn(engine, NewTurn(content=content, channel=channel, **more), author=FORGE)


def learn(engine: Engine, claim: str, channel: str, **more: Any) -> str:
    return learn_fact(engine, NewFact(claim=claim, channel=channel, **more), author=FORGE).id


def rename(engine: Engine, channel: str, name: str, progress: Any = ignore_progress) -> dict[str, Any]:
    return rename_channel(engine, RenameChannel(channel=channel, name=name), author=MARA, progress=progress)


def merge(engine: Engine, channel: str, into: str) -> dict[str, Any]:
    return merge_channels(
        engine, MergeChannels(channel=channel, into=into), author=MARA, progress=ignore_progress
    )


def channels(engine: Engine, *, archived: bool = False) -> dict[str, ChannelInfo]:
    return {row.name: row for row in list_channels(engine, ListChannels(archived=archived)).rows}


def state(engine: Engine) -> dict[str, list[Any]]:
    embed_all(engine)
    with engine.store.reading() as db:
        found = {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}
        found["searchable"] = db.rows("SELECT * FROM searchable ORDER BY seq")
        found["vectors"] = db.rows("SELECT seq, scope, hex(bits) FROM vectors ORDER BY seq")
        found["categories"] = db.rows(
            "SELECT user_id, channel, category, facts FROM categories ORDER BY 1, 2, 3"
        )
        found["tools"] = db.rows("SELECT * FROM tool_stats ORDER BY 1, 2, 3, 4")
    return found


@pytest.fixture
def harbour(engine: Engine) -> str:
    """A channel with a conversation, facts and entities."""
    first = say(engine, "Mara keeps the lighthouse in Brest.", "harbour")
    say(engine, "It closes at six.", "harbour", conversation_id=first.conversation_id)
    learn(engine, "The lighthouse closes at six", "harbour", about=("Lighthouse",), source_turn_id=first.id)
    upsert_entity(engine, NewEntity(name="Mara", type="Person", channel="harbour"), author=FORGE)
    relate(engine, NewRelation(source="Mara", target="Lighthouse", channel="harbour"), author=FORGE)
    return str(first.conversation_id)


def test_a_renamed_channel_keeps_its_colour_its_memory_and_its_place_in_recall(
    engine: Engine, harbour: str
) -> None:
    before = channels(engine)["harbour"]
    done = rename(engine, "harbour", "port")
    after = channels(engine)
    assert "harbour" not in after and done["turns"] == 2
    assert (after["port"].number, after["port"].facts, after["port"].turns) == (before.number, 1, 2)
    hits = recall(engine, Query(text="lighthouse closes", channel="port"), author=FORGE).hits
    assert {hit.channel for hit in hits} == {"port"}
    with engine.store.reading() as db:
        assert not [kind.name for kind in moving.SCOPED for _ in records.find(db, kind, channel="harbour")]


def test_whoever_still_uses_the_old_name_writes_to_the_renamed_channel(engine: Engine, harbour: str) -> None:
    rename(engine, "harbour", "port")
    turn = say(engine, "And opens at nine.", "harbour", conversation_id=harbour)
    learn(engine, "The lighthouse opens at nine", "harbour")
    seen = channels(engine)
    assert turn.turn_index == 2 and list(seen) == ["port"]
    assert (seen["port"].facts, seen["port"].turns) == (2, 3)


def test_names_lead_on_when_a_channel_is_renamed_twice_and_back(engine: Engine, harbour: str) -> None:
    rename(engine, "harbour", "port")
    rename(engine, "port", "quay")
    with engine.store.reading() as db:
        assert semantic.current_channel(db, "local", "harbour") == "quay"
    rename(engine, "quay", "harbour")
    learn(engine, "Gulls nest on the roof", "port")
    assert list(channels(engine)) == ["harbour"] and channels(engine)["harbour"].facts == 2


def test_a_rename_is_taken_back_as_one_run(engine: Engine, harbour: str) -> None:
    before = state(engine)
    done = rename(engine, "harbour", "port")
    undone = undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)
    assert undone["left"] == {} and state(engine) == before


def test_a_rename_stopped_midway_goes_on_and_is_still_one_run(
    engine: Engine, harbour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(engine)
    monkeypatch.setattr(channel_merge, "AT_ONCE", 1)

    def stop_at_the_turns(done: int, total: int, says: str) -> None:
        if says == "Moving turns" and done > 1:
            raise Cancelled("Enough.")

    with pytest.raises(Cancelled):
        rename(engine, "harbour", "port", stop_at_the_turns)
    assert channels(engine)["harbour"].moving_to == "port"
    say(engine, "It rains.", "harbour", conversation_id=harbour, turn_id="late")
    with pytest.raises(Conflict, match="on its way into port"):
        rename(engine, "harbour", "quay")
    done = rename(engine, "harbour", "port")
    assert list(channels(engine)) == ["port"] and channels(engine)["port"].turns == 3
    undo(engine, Undo(), author=FORGE)
    undone = undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)
    assert undone["left"] == {} and state(engine) == before


def test_what_is_written_while_a_channel_moves_arrives_with_it(
    engine: Engine, harbour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_merge, "AT_ONCE", 1)

    def talk(done: int, total: int, says: str) -> None:
        say(engine, f"{says}, {done}", "harbour", conversation_id=harbour)
        learn(engine, f"{says} at {done} of {total}", "harbour")

    rename(engine, "harbour", "port", talk)
    seen = channels(engine)
    assert list(seen) == ["port"] and seen["port"].turns > 6 and seen["port"].facts > 4


def test_global_and_taken_names_are_refused(engine: Engine, harbour: str) -> None:
    learn(engine, "Tea is ready", "kitchen")
    learn(engine, "Everybody drinks tea", "_global")
    for source, name in (("_global", "x"), ("harbour", "_global"), ("harbour", "harbour"), ("harbour", " ")):
        with pytest.raises(BadAsk):
            rename(engine, source, name)
    with pytest.raises(Conflict, match="already"):
        rename(engine, "harbour", "kitchen")
    with pytest.raises(NotFound):
        rename(engine, "nowhere", "somewhere")
    with pytest.raises(BadAsk):
        merge(engine, "harbour", "_global")


def test_a_claim_that_both_channels_hold_becomes_one_with_both_sources(engine: Engine) -> None:
    sources = {name: say(engine, f"Tea at four, said in {name}.", name).id for name in ("kitchen", "garden")}
    kept = learn(engine, "Tea is at four", "garden", source_turn_id=sources["garden"], confidence=0.7)
    lost = learn(engine, "tea is at  four.", "kitchen", source_turn_id=sources["kitchen"])
    before = state(engine)
    done = merge(engine, "garden", "kitchen")
    (row,) = facts(engine, ListFacts(channels=("kitchen",))).rows
    assert (row.id, row.conversations, row.confidence, done["joined"]) == (kept, 2, 0.95, 1)
    with engine.store.reading() as db:
        assert records.need(db, FACT, lost).superseded_by == kept
    undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)
    assert state(engine) == before


def test_entities_of_one_name_become_one_that_keeps_their_other_names(engine: Engine) -> None:
    for channel, alias in (("kitchen", "Postgres"), ("garden", "PG")):
        ask = NewEntity(name="PostgreSQL", type="Technology", channel=channel, aliases=(alias,))
        upsert_entity(engine, ask, author=FORGE)
        learn(engine, f"{channel} runs on PostgreSQL", channel, about=("PostgreSQL",))
    merge(engine, "garden", "kitchen")
    with engine.store.reading() as db:
        (one,) = records.find(db, ENTITY, retired_at=None)
        assert sorted(semantic.aliases_of(db, one.id)) == ["PG", "Postgres"]
    assert len(inspect(engine, Inspect(id=one.id)).related) == 2


def test_of_two_values_under_one_key_the_newer_stands(engine: Engine) -> None:
    learn(engine, "tea: at four", "kitchen", key="tea", value="at four")
    learn(engine, "tea: at five", "garden", key="tea", value="at five")
    merge(engine, "kitchen", "garden")
    (row,) = facts(engine, ListFacts(channels=("garden",))).rows
    assert row.claim == "tea: at five"
    assert facts(engine, ListFacts(channels=("garden",), state="retired")).rows[0].temporal == "past"


def test_after_a_merge_the_old_name_leads_to_the_other_channel(engine: Engine, harbour: str) -> None:
    learn(engine, "Tea is ready", "kitchen")
    merge(engine, "harbour", "kitchen")
    learn(engine, "Gulls nest on the roof", "harbour")
    assert list(channels(engine)) == ["kitchen"] and channels(engine)["kitchen"].facts == 3
    with pytest.raises(Conflict, match="went into kitchen"):
        merge(engine, "harbour", "kitchen")
    with pytest.raises(Conflict, match="went into kitchen"):
        restore_channel(engine, RestoreChannel(channel="harbour"), author=MARA)


def test_a_name_that_leads_elsewhere_can_be_a_channel_again(engine: Engine, harbour: str) -> None:
    rename(engine, "harbour", "port")
    create_channel(engine, NewChannel(name="harbour"), author=MARA)
    learn(engine, "A new beginning", "harbour")
    seen = channels(engine)
    assert seen["harbour"].facts == 1 and seen["harbour"].number != seen["port"].number
    with pytest.raises(Conflict, match="already"):
        create_channel(engine, NewChannel(name="port"), author=MARA)


def test_an_archived_channel_is_out_of_lists_and_of_wide_recalls(engine: Engine, harbour: str) -> None:
    archive_channel(engine, ArchiveChannel(channel="harbour", reason="done"), author=MARA)
    wide = Query(text="lighthouse closes", every_channel=True)
    assert not recall(engine, wide, author=FORGE).hits and not facts(engine, ListFacts()).total
    assert "harbour" not in channels(engine) and channels(engine, archived=True)["harbour"].archived_at
    assert recall(engine, Query(text="lighthouse closes", channel="harbour"), author=FORGE).hits
    assert facts(engine, ListFacts(channels=("harbour",))).total == 1
    restore_channel(engine, RestoreChannel(channel="harbour"), author=MARA)
    assert recall(engine, wide, author=FORGE).hits and facts(engine, ListFacts()).total == 1
    undo(engine, Undo(), author=MARA)
    assert "harbour" not in channels(engine)


def test_whoever_writes_to_an_archived_channel_brings_it_back(engine: Engine, harbour: str) -> None:
    archive_channel(engine, ArchiveChannel(channel="harbour"), author=MARA)
    learn(engine, "The lighthouse has a cat", "harbour")
    assert channels(engine)["harbour"].facts == 2
    with pytest.raises(Conflict, match="not archived"):
        restore_channel(engine, RestoreChannel(channel="harbour"), author=MARA)
    with pytest.raises(BadAsk):
        learn(engine, "Everybody drinks tea", "_global")
        archive_channel(engine, ArchiveChannel(channel="_global"), author=MARA)


def test_retired_memory_moves_with_its_channel_and_indexes_agree(engine: Engine, harbour: str) -> None:
    (row,) = facts(engine, ListFacts(channels=("harbour",))).rows
    retire(engine, Retire(id=row.id), author=MARA)
    embed_all(engine)
    rename(engine, "harbour", "port")
    assert facts(engine, ListFacts(channels=("port",), state="retired")).rows[0].id == row.id
    engine.store.close()
    assert_agreement(engine.desk.database)


def test_what_moved_with_its_channel_is_no_more_a_persons_own_than_before(engine: Engine) -> None:
    ids = [learn(engine, claim, "harbour") for claim in ("Gulls nest on the roof", "The pier is old")]
    edit_fact(engine, EditFact(fact_id=ids[0], confidence=0.6), author=MARA)
    done = rename(engine, "harbour", "port")
    with engine.store.reading() as db:
        assert protected(db, ids) == {ids[0]}
    undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)
    with engine.store.reading() as db:
        assert protected(db, ids) == {ids[0]}


def test_thousands_of_turns_are_renamed_in_a_moment(engine: Engine) -> None:
    for talk in range(5):
        turns = tuple(
            NewTurn(content=f"{n} gulls", channel="harbour", conversation_id=f"c{talk}") for n in range(400)
        )
        store_turns(engine, NewTurns(turns=turns), author=FORGE)
    begun = time.process_time()
    assert rename(engine, "harbour", "port")["turns"] == 2000
    # Half a second on two old cores; what the test guards against is a scan of every table for every record.
    assert time.process_time() - begun < 5


def test_a_channel_with_only_a_goal_is_not_taken_back(engine: Engine) -> None:
    made = create_channel(engine, NewChannel(name="harbour"), author=MARA)
    add(engine, NewGoal(description="Paint the pier", channel="harbour"), author=FORGE)
    with pytest.raises(Conflict, match="holds memory"):
        undo(engine, Undo(change=made.change), author=MARA)


@pytest.mark.file
def test_what_writes_ask_of_channels_is_read_again_only_after_one_changed(
    engine: Engine, harbour: str
) -> None:
    reads: list[int] = []

    def names() -> tuple[str, ...]:
        def read(db: Connection) -> tuple[str, ...]:
            reads.append(1)
            return tuple(channels_of(db, "local"))

        return engine.store.kept("channels", "names", read)

    before = names()
    learn(engine, "The lighthouse has a cat", "harbour")
    assert names() == before and len(reads) == 1
    create_channel(engine, NewChannel(name="quay"), author=MARA)
    assert names() == (*before, "quay") and len(reads) == 2
