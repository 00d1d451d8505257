"""The floor that no job passes, whoever touched a memory after the person who decided over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.channel_merge import rename_channel
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.draft import protected
from memdesk.engine.memory.remember import learn_fact, relate, store_turn, upsert_entity
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo
from memdesk.model.channel import RenameChannel
from memdesk.model.curation import EditFact, Undo
from memdesk.model.entity import ENTITY, RELATION, Relation
from memdesk.model.job import CLOCK
from memdesk.model.kind import Kind
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn
from memdesk.model.turn import CONVERSATION
from memdesk.store import records
from tests.engine.conftest import Clock
from tests.engine.test_jobs_cleanup import retired_by_a_job

IRIS, MARA = "agent:iris", "person:Mara"


def say(engine: Engine, content: str, author: str = IRIS) -> None:
    turn = NewTurn(content=content, channel="life", conversation_id="c", speaker="Mara", role="user")
    store_turn(engine, turn, author=author)


def consolidate(engine: Engine) -> dict[str, Any]:
    return perform(engine, BY_NAME["consolidate"], author=CLOCK)


def one(engine: Engine, kind: Kind[Any], **columns: Any) -> Any:
    with engine.store.reading() as db:
        (found,) = records.find(db, kind, **columns)
    return found


def is_kept(engine: Engine, id: str) -> bool:
    with engine.store.reading() as db:
        return protected(db, [id]) == {id}


def test_an_entity_that_a_person_made_is_kept_though_a_job_completed_it(engine: Engine) -> None:
    upsert_entity(engine, NewEntity(name="Ana", channel="life", description="my sister"), author=MARA)
    say(engine, "My sister Ana works at Siemens.")
    consolidate(engine)
    ana = one(engine, ENTITY, name="Ana")
    assert ana.type == "Person" and is_kept(engine, ana.id)


def test_a_corrected_fact_is_kept_though_an_agent_completed_it(engine: Engine) -> None:
    id = learn_fact(engine, NewFact(claim="Ana lives in Porto.", channel="life"), author=IRIS).id
    edit_fact(engine, EditFact(fact_id=id, claim="Ana lives in Lisbon."), author=MARA)
    again = NewFact(claim="Ana lives in Lisbon.", channel="life", key="home", value="Lisbon")
    assert learn_fact(engine, again, author=IRIS).id == id
    assert is_kept(engine, id)


def test_an_edit_that_was_taken_back_by_somebody_else_keeps_nothing(engine: Engine) -> None:
    id = learn_fact(engine, NewFact(claim="Ana lives in Porto.", channel="life"), author=IRIS).id
    change = edit_fact(engine, EditFact(fact_id=id, confidence=0.6), author=MARA).change
    undo(engine, Undo(change=change), author=IRIS)
    assert not is_kept(engine, id)


def test_a_conversation_that_a_person_spoke_in_is_archived_like_any_other(
    engine: Engine, clock: Clock
) -> None:
    say(engine, "Hello there.", author=MARA)
    clock.pass_days(91)
    perform(engine, BY_NAME["cleanup"], author=CLOCK)
    assert one(engine, CONVERSATION).archived_at is not None


def test_a_bond_that_a_person_set_outlives_the_fact_it_came_with_and_stops_no_job(engine: Engine) -> None:
    engine.use(replace(engine.settings, contradictions="prefer_new"))
    say(engine, "I live in Lisbon.")
    consolidate(engine)
    bond: Relation = one(engine, RELATION, type="LOCATED_IN")
    told = NewRelation(
        source=bond.source_id,
        target=bond.target_id,
        type=bond.type,
        channel="life",
        properties={"since": 2020},
    )
    relate(engine, told, author=MARA)
    say(engine, "Actually, I live in Porto, not Lisbon.")
    assert consolidate(engine)["superseded"] == 1
    assert one(engine, RELATION, id=bond.id).retired_at is None


def test_a_renamed_channel_keeps_no_job_from_deleting_what_jobs_retired_in_it(
    engine: Engine, clock: Clock
) -> None:
    id = upsert_entity(engine, NewEntity(name="Ana", channel="life"), author=IRIS).id
    retired_by_a_job(engine, id)
    rename_channel(
        engine, RenameChannel(channel="life", name="family"), author=MARA, progress=ignore_progress
    )
    assert one(engine, ENTITY, id=id).retired_at is not None
    clock.pass_days(31)
    assert perform(engine, BY_NAME["cleanup"], author=CLOCK)["deleted"] == 1
