"""Decay asks about what is faded and unused, never about what a person keeps, and retires nothing; an inferred
claim is doubted week by week."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdesk.engine import salience
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.fading import FACT_UNUSED_DAYS, KEPT_DAYS, NEVER_FADE
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.curate import edit_fact, pin, rescue, retire
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.remember import learn_fact, relate, upsert_entity
from memdesk.engine.memory.review_queue import review
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.browse import ListFacts
from memdesk.model.curation import EditFact, Pin, Rescue, Retire, Undo
from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation
from memdesk.model.review import AskReview, Decide, Decided, Question
from memdesk.model.settings import DEFAULTS
from memdesk.store import records
from tests.engine.conftest import Clock, embed_all

PERSON = "person:Mara"
AGENT = "agent:iris"


def named(engine: Engine, name: str, author: str = AGENT) -> str:
    return upsert_entity(engine, NewEntity(name=name, channel="atlas"), author=author).id


def decay(engine: Engine) -> dict[str, Any]:
    return perform(engine, BY_NAME["decay"], author="clock")


def current(engine: Engine) -> set[str]:
    with engine.store.reading() as db:
        return {entity.name for entity in records.find(db, ENTITY, retired_at=None)}


def questions(engine: Engine) -> list[Question]:
    return [each for each in review(engine, AskReview()).rows if each.type == "fading"]


def answer(engine: Engine, decision: str) -> Decided:
    (question,) = questions(engine)
    return decide(engine, Decide(id=question.id, decision=decision), author=PERSON)


def test_what_fades_is_one_question_and_nothing_is_retired_before_a_person_answers(
    engine: Engine, clock: Clock
) -> None:
    named(engine, "PgBouncer")
    named(engine, "Kvass")
    clock.pass_days(30)
    assert decay(engine)["asked"] == 0
    clock.pass_days(2)
    assert (decay(engine)["asked"], current(engine)) == (1, {"PgBouncer", "Kvass"})
    assert decay(engine)["asked"] == 0, "the first question still waits"
    (question,) = questions(engine)
    assert question.reason == "2 entities fade: not recalled for 32 days."
    done = answer(engine, "retire")
    assert (done.title, current(engine)) == ("Retired 2 memories that had faded", set())
    undo(engine, Undo(change=done.change), author=PERSON)
    assert current(engine) == {"PgBouncer", "Kvass"} and len(questions(engine)) == 1


def test_what_a_person_keeps_is_not_asked_about_for_a_year(engine: Engine, clock: Clock) -> None:
    named(engine, "PgBouncer")
    clock.pass_days(60)
    decay(engine)
    answer(engine, "keep")
    clock.pass_days(KEPT_DAYS - 1)
    assert decay(engine)["asked"] == 0
    clock.pass_days(2)
    assert decay(engine)["asked"] == 1


def test_what_was_used_since_it_was_asked_about_stays_when_the_rest_is_retired(
    engine: Engine, clock: Clock
) -> None:
    named(engine, "PgBouncer")
    named(engine, "Kvass")
    clock.pass_days(60)
    decay(engine)
    learn_fact(engine, NewFact(claim="Kvass is sour", about=("Kvass",), channel="atlas"), author=AGENT)
    answer(engine, "retire")
    assert current(engine) == {"Kvass"}


def test_a_guess_that_nothing_recalled_fades_too_and_a_stated_fact_never(
    engine: Engine, clock: Clock
) -> None:
    guess = inferred(engine, "Mara may like tea", 0.7)
    learn_fact(engine, NewFact(claim="Mara likes coffee", channel="atlas"), author=AGENT)
    clock.pass_days(FACT_UNUSED_DAYS - 1)
    assert decay(engine)["asked"] == 0
    clock.pass_days(2)
    assert decay(engine)["asked"] == 1
    assert [each.subject.id for each in questions(engine)] == [guess]
    answer(engine, "retire")
    assert [row.claim for row in facts(engine, ListFacts()).rows if row.retired_at is None] == [
        "Mara likes coffee"
    ]


@pytest.mark.parametrize("type", NEVER_FADE)
def test_the_owner_agents_and_their_people_never_fade(engine: Engine, clock: Clock, type: str) -> None:
    upsert_entity(engine, NewEntity(name="Mara", type=type, channel="atlas"), author=AGENT)
    clock.pass_days(4000)
    assert decay(engine)["asked"] == 0


def test_what_a_person_brought_back_is_not_asked_about_again(engine: Engine, clock: Clock) -> None:
    named(engine, "PgBouncer")
    clock.pass_days(60)
    decay(engine)
    undo(engine, Undo(change=answer(engine, "retire").change), author=PERSON)
    clock.pass_days(60)
    assert current(engine) == {"PgBouncer"} and decay(engine)["asked"] == 0


def test_what_a_person_pinned_rescued_or_wrote_stays(engine: Engine, clock: Clock) -> None:
    pin(engine, Pin(id=named(engine, "Pinned")), author=PERSON)
    named(engine, "Written", author=PERSON)
    rescued = named(engine, "Rescued")
    clock.pass_days(31)
    rescue(engine, Rescue(id=rescued), author=PERSON)
    named(engine, "Forgotten")
    clock.pass_days(400)
    assert decay(engine)["fading"] == 1
    answer(engine, "retire")
    assert current(engine) == {"Pinned", "Written", "Rescued"}


def test_an_entity_stays_while_a_current_fact_is_about_it(engine: Engine, clock: Clock) -> None:
    fact = learn_fact(engine, NewFact(claim="Ana works at Siemens", about=("Ana",)), author=AGENT)
    clock.pass_days(400)
    assert decay(engine)["fading"] == 0
    retire(engine, Retire(id=fact.id), author=PERSON)
    assert decay(engine)["fading"] == 1


def test_what_was_recalled_or_spoken_of_lately_is_in_use(engine: Engine, clock: Clock) -> None:
    for name in ("Osmanthus cake", "Spoken of", "Speaks", "Forgotten"):
        named(engine, name)
    embed_all(engine)
    clock.pass_days(60)
    recall(engine, Query(text="osmanthus cake", channel="atlas", limit=1), author=AGENT)
    relate(
        engine, NewRelation(source="Speaks", target="Spoken of", type="KNOWS", channel="atlas"), author=AGENT
    )
    clock.pass_days(20)
    assert decay(engine)["fading"] == 1
    answer(engine, "retire")
    assert current(engine) == {"Osmanthus cake", "Spoken of", "Speaks"}


def test_zero_days_asks_about_none(engine: Engine, clock: Clock) -> None:
    named(engine, "PgBouncer")
    engine.use(replace(engine.settings, retire_unused_days=0))
    clock.pass_days(4000)
    assert decay(engine)["fading"] == 0


def test_what_lost_strength_in_a_day_is_counted(engine: Engine, clock: Clock) -> None:
    for number in range(4):
        named(engine, f"Thing {number}")
    inferred(engine, "Mara may like tea", 0.7)
    inferred(engine, "Mara said she likes tea", 0.95)
    assert decay(engine) | {"run": "", "says": ""} == {
        "faded_entities": 0,
        "faded_facts": 0,
        "fading": 0,
        "asked": 0,
        "run": "",
        "says": "",
    }
    clock.pass_days(3)
    assert (decay(engine)["faded_entities"], decay(engine)["faded_facts"]) == (4, 0)
    clock.pass_days(4.5)
    assert decay(engine)["faded_facts"] == 1
    clock.pass_days(1)
    assert decay(engine)["faded_facts"] == 0


def inferred(engine: Engine, claim: str, confidence: float) -> str:
    """A fact as extraction leaves it."""
    id = learn_fact(engine, NewFact(claim=claim, confidence=confidence, channel="atlas"), author=AGENT).id
    engine.store.submit(
        lambda db: db.run("UPDATE facts SET source = 'extraction' WHERE id = ?", (id,))
    ).result()
    return id


def confidence(engine: Engine, id: str) -> float:
    return next(row.confidence for row in facts(engine, ListFacts()).rows if row.id == id)


def test_an_inferred_fact_is_doubted_week_by_week_and_nothing_is_rewritten(
    engine: Engine, clock: Clock
) -> None:
    guess, said = inferred(engine, "Mara may like tea", 0.7), inferred(engine, "Mara said so", 0.95)
    told = learn_fact(engine, NewFact(claim="Told", confidence=0.7, channel="atlas"), author=AGENT).id
    clock.pass_days(6.9)
    assert confidence(engine, guess) == 0.7
    clock.pass_days(0.2)
    assert confidence(engine, guess) == pytest.approx(0.7 * 0.95)
    clock.pass_days(21)
    assert confidence(engine, guess) == pytest.approx(0.7 * 0.95**4)
    assert (confidence(engine, said), confidence(engine, told)) == (0.95, 0.7)
    with engine.store.reading() as db:
        assert records.need(db, FACT, guess).confidence == 0.7


def test_a_recall_a_rescue_a_pin_and_a_correction_end_the_doubt(engine: Engine, clock: Clock) -> None:
    recalled = inferred(engine, "Mara may like osmanthus cake", 0.7)
    saved, pinned, corrected = (inferred(engine, f"Guess {n}", 0.7) for n in range(3))
    pin(engine, Pin(id=pinned), author=PERSON)
    clock.pass_days(30)
    assert confidence(engine, recalled) < 0.7 and confidence(engine, pinned) == 0.7
    embed_all(engine)
    recall(engine, Query(text="osmanthus cake", channel="atlas", limit=1), author=AGENT)
    rescue(engine, Rescue(id=saved), author=PERSON)
    edit_fact(engine, EditFact(fact_id=corrected, confidence=0.95), author=PERSON)
    assert [confidence(engine, id) for id in (recalled, saved, corrected)] == [0.7, 0.7, 0.95]


def test_confidence_falls_by_whole_weeks_only() -> None:
    def after(days: float) -> float:
        return salience.confidence_at(
            round(days * DAY), 0.5, source="extraction", confirmed_at=0, pinned=False, settings=DEFAULTS
        )

    assert [after(days) for days in (0, 6.99, 7, 13.99)] == [0.5, 0.5, 0.475, 0.475]
    assert after(14) == pytest.approx(0.45125)


def test_a_retired_entity_that_is_named_again_is_a_new_one_and_undo_brings_the_old_back_beside_it(
    engine: Engine, clock: Clock
) -> None:
    old = named(engine, "PgBouncer")
    clock.pass_days(60)
    decay(engine)
    change = answer(engine, "retire").change
    new = named(engine, "PgBouncer")
    undo(engine, Undo(change=change), author=PERSON)
    with engine.store.reading() as db:
        assert {entity.id for entity in records.find(db, ENTITY, retired_at=None)} == {old, new}
