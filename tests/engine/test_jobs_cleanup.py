"""Cleanup archives what is old, deletes what jobs retired long ago with what hung on it, and undo brings all back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.curate import pin, retire
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, store_turns, upsert_entity
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo, undo_run
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.curation import Pin, Retire, Undo, UndoRun
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.fact import FACT
from memdesk.model.history import AskHistory
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import KINDS
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.turn import CONVERSATION
from memdesk.store import records, working
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock, embed_all
from tests.store.agreement import assert_agreement

PERSON = "person:Mara"
AGENT = "agent:iris"


def clean(engine: Engine, *, dry: bool = False) -> dict[str, Any]:
    return perform(engine, BY_NAME["cleanup"], author="clock", dry=dry)


def say(engine: Engine, conversation: str, at: datetime | None = None, author: str = AGENT) -> None:
    turn = NewTurn(content="Hello", conversation_id=conversation, channel="atlas", created_at=at)
    store_turn(engine, turn, author=author)


def archived(engine: Engine) -> set[str]:
    with engine.store.reading() as db:
        return {talk.id for talk in records.find(db, CONVERSATION) if talk.archived_at is not None}


def everything(engine: Engine) -> dict[str, list[Any]]:
    with engine.store.reading() as db:
        return {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}


def named(engine: Engine, name: str) -> str:
    return upsert_entity(
        engine, NewEntity(name=name, channel="atlas", aliases=(f"{name} alias",)), author=AGENT
    ).id


def retired_by_a_job(engine: Engine, *ids: str) -> None:
    """Retire records as a job would."""

    def verb(db: Connection) -> tuple[Change, None]:
        found = records.by_ids(db, ids).values()
        edits = tuple(records.update_edit(kind, record, retired_at=engine.clock()) for kind, record in found)
        return Change(op="retire", title="Faded", author="job:decay", edits=edits), None

    engine.store.decide(verb)


def gone(engine: Engine, id: str) -> bool:
    with engine.store.reading() as db:
        return records.kind_of(db, id) is None


def test_a_conversation_is_archived_after_ninety_days_and_undo_keeps_it_out(
    engine: Engine, clock: Clock
) -> None:
    say(engine, "old")
    clock.pass_days(89)
    say(engine, "young")
    assert clean(engine)["archived"] == 0
    clock.pass_days(2)
    assert clean(engine)["archived"] == 1 and archived(engine) == {"old"}
    row = history.page(engine, AskHistory(authors=("job:cleanup",))).rows[0]
    assert (row.op, row.title, row.layer) == ("update", "“Hello” archived", "episodic")
    undo(engine, Undo(change=row.id), author=PERSON)
    assert clean(engine)["archived"] == 0 and archived(engine) == set()


def test_an_import_of_old_conversations_is_not_archived_at_once(engine: Engine, clock: Clock) -> None:
    long_ago = to_datetime(clock.at - 1000 * 86_400_000_000)
    say(engine, "imported", at=long_ago)
    assert clean(engine)["archived"] == 0
    clock.pass_days(91)
    assert clean(engine)["archived"] == 1


def test_a_conversation_that_goes_on_is_not_archived(engine: Engine, clock: Clock) -> None:
    say(engine, "long")
    clock.pass_days(91)
    say(engine, "long")
    assert clean(engine)["archived"] == 0
    clock.pass_days(91)
    assert clean(engine)["archived"] == 1


def test_an_archived_conversation_that_goes_on_is_in_the_lists_again(engine: Engine, clock: Clock) -> None:
    say(engine, "old")
    clock.pass_days(91)
    assert clean(engine)["archived"] == 1
    say(engine, "old")
    assert archived(engine) == set()
    undo(engine, Undo(), author=AGENT)
    assert archived(engine) == {"old"}


def test_zero_days_is_never(engine: Engine, clock: Clock) -> None:
    say(engine, "old")
    retired_by_a_job(engine, named(engine, "Faded"))
    engine.use(replace(engine.settings, archive_after_days=0, delete_after_days=0))
    clock.pass_days(4000)
    done = clean(engine)
    assert (done["archived"], done["deleted"], done["left"], done["says"]) == (0, 0, 0, "Changed nothing.")


def test_what_a_job_retired_is_deleted_a_month_later_with_what_hangs_on_it(
    engine: Engine, clock: Clock
) -> None:
    faded, friend = named(engine, "Faded"), named(engine, "Friend")
    relate(engine, NewRelation(source=faded, target=friend, type="KNOWS", channel="atlas"), author=AGENT)
    _tag_and_ask(engine, faded)
    before = everything(engine)
    retired_by_a_job(engine, faded)
    retired = everything(engine)
    clock.pass_days(29)
    assert clean(engine)["deleted"] == 0
    clock.pass_days(2)
    done = clean(engine)
    # The entity, its other name, its relation, its tag and the question about it.
    assert (done["deleted"], gone(engine, faded), gone(engine, friend)) == (5, True, False)
    row = history.page(engine, AskHistory(operations=("delete",))).rows[0]
    assert (row.title, row.author, row.run) == ("Faded", "job:cleanup", done["run"])
    undo_run(engine, UndoRun(change=row.id), author=PERSON, progress=ignore_progress)
    assert everything(engine) == retired != before
    clock.pass_days(100)
    assert clean(engine)["deleted"] == 0


def _tag_and_ask(engine: Engine, id: str) -> None:
    def verb(db: Connection) -> tuple[Change, None]:
        draft = Draft(
            engine=engine, db=db, user_id="local", channel="atlas", agent_id=None, at=engine.clock()
        )
        draft.tag(id, "old")
        draft.propose("duplicate", id, None, reason="Twice?")
        return Change(op="learn", title="", author=AGENT, edits=tuple(draft.edits)), None

    engine.store.decide(verb)


def test_what_a_person_retired_or_ever_touched_is_never_deleted(engine: Engine, clock: Clock) -> None:
    by_person, pinned, tagged = (named(engine, name) for name in ("By person", "Pinned", "Tagged"))
    retire(engine, Retire(id=by_person), author=PERSON)
    pin(engine, Pin(id=pinned), author=PERSON)
    written = upsert_entity(engine, NewEntity(name="Written"), author=PERSON).id
    relate(engine, NewRelation(source=tagged, target=written, type="KNOWS", channel="atlas"), author=PERSON)
    retired_by_a_job(engine, pinned, tagged, written)
    clock.pass_days(400)
    assert clean(engine)["deleted"] == 0
    assert not any(gone(engine, id) for id in (by_person, pinned, tagged, written))


def test_an_entity_that_facts_are_about_stays_and_goes_after_them(engine: Engine, clock: Clock) -> None:
    fact = learn_fact(engine, NewFact(claim="Ana works at Siemens", about=("Ana",)), author=AGENT).id
    with engine.store.reading() as db:
        (ana,) = records.find(db, ENTITY)
    retired_by_a_job(engine, ana.id)
    clock.pass_days(40)
    assert (clean(engine)["left"], gone(engine, ana.id)) == (1, False)
    retired_by_a_job(engine, fact)
    clock.pass_days(40)
    assert clean(engine)["deleted"] == 3 and gone(engine, fact) and gone(engine, ana.id)


def test_a_fact_that_others_came_of_stays(engine: Engine, clock: Clock) -> None:
    old = learn_fact(engine, NewFact(claim="Pool size is 25"), author=AGENT).id
    new = learn_fact(engine, NewFact(claim="Pool size is 40", supersedes=old), author=AGENT).id
    retired_by_a_job(engine, new)
    clock.pass_days(40)
    assert clean(engine)["left"] == 1 and not gone(engine, new)


def test_a_memory_with_more_bonds_than_a_change_holds_goes_in_several(engine: Engine, clock: Clock) -> None:
    hub = named(engine, "Hub")
    _relate_many(engine, hub, EDITS_AT_MOST + 40)
    retired_by_a_job(engine, hub)
    retired = everything(engine)
    clock.pass_days(40)
    dry = clean(engine, dry=True)
    assert (dry["changes"], dry["deleted"]) == (1, EDITS_AT_MOST + 42)
    done = clean(engine)
    assert done["deleted"] == EDITS_AT_MOST + 42 and gone(engine, hub)
    changes = history.page(engine, AskHistory(operations=("delete",))).rows
    assert len(changes) == 2
    undo_run(engine, UndoRun(change=changes[0].id), author=PERSON, progress=ignore_progress)
    assert everything(engine) == retired


def _relate_many(engine: Engine, hub: str, many: int) -> None:
    other = named(engine, "Other")
    for first in range(0, many, 100):

        def verb(db: Connection, first: int = first) -> tuple[Change, None]:
            draft = Draft(
                engine=engine, db=db, user_id="local", channel="atlas", agent_id=None, at=engine.clock()
            )
            for number in range(first, min(first + 100, many)):
                draft.relation(hub, other, f"R{number}", confidence=1.0, source_turn_id=None)
            return Change(op="learn", title="", author=AGENT, edits=tuple(draft.edits)), None

        engine.store.decide(verb)


def test_what_hangs_on_what_hangs_goes_along_in_a_possible_order(engine: Engine, clock: Clock) -> None:
    faded, other = named(engine, "Faded"), named(engine, "Other")
    first = relate(
        engine, NewRelation(source=faded, target=other, type="KNOWS", channel="atlas"), author=AGENT
    )
    second = relate(
        engine, NewRelation(source=first.id, target=faded, type="REFERENCES", channel="atlas"), author=AGENT
    )
    relate(
        engine, NewRelation(source=second.id, target=faded, type="REFERENCES", channel="atlas"), author=AGENT
    )
    relate(
        engine, NewRelation(source=first.id, target=second.id, type="KNOWS", channel="atlas"), author=AGENT
    )
    retired_by_a_job(engine, faded)
    clock.pass_days(40)
    assert clean(engine)["deleted"] == 6
    with engine.store.reading() as db:
        assert records.find(db, RELATION) == []


def test_working_memory_is_swept_and_vectors_of_texts_that_are_gone_are_purged(
    engine: Engine, clock: Clock
) -> None:
    at = engine.clock()
    engine.store.submit(lambda db: working.put(db, "working:local:a:c:goal", "x", at=at, ttl_s=60)).result()
    kept = learn_fact(engine, NewFact(claim="Kept"), author=AGENT).id
    lost = learn_fact(engine, NewFact(claim="Lost"), author=AGENT).id
    embed_all(engine)
    retire(engine, Retire(id=lost), author=PERSON)
    clock.pass_days(1)
    assert clean(engine, dry=True)["purged"] == 1
    done = clean(engine)
    assert (done["swept"], done["purged"]) == (1, 1)
    with engine.store.reading() as db:
        assert db.value("SELECT count(*) FROM embeddings") == 1
        assert records.need(db, FACT, kept).claim == "Kept"
    undo(engine, Undo(), author=PERSON)
    embed_all(engine)
    engine.store.close()
    assert_agreement(engine.desk.database)


def test_a_dry_run_archives_and_deletes_nothing(engine: Engine, clock: Clock) -> None:
    store_turns(
        engine,
        NewTurns(turns=tuple(NewTurn(content=f"Hello {n}", conversation_id=f"c{n}") for n in range(3))),
        author=AGENT,
    )
    retired_by_a_job(engine, named(engine, "Faded"))
    clock.pass_days(100)
    before = everything(engine)
    done = clean(engine, dry=True)
    assert (done["archived"], done["deleted"], done["changes"]) == (3, 2, 4)
    assert [each["op"] for each in done["planned"]] == ["update"] * 3 + ["delete"]
    assert everything(engine) == before


@pytest.mark.parametrize("times", [1, 2])
def test_cleaning_again_finds_nothing_more(engine: Engine, clock: Clock, times: int) -> None:
    say(engine, "old")
    retired_by_a_job(engine, named(engine, "Faded"))
    clock.pass_days(100)
    assert clean(engine)["deleted"] == 2
    for _ in range(times):
        assert clean(engine)["deleted"] == clean(engine)["archived"] == 0
