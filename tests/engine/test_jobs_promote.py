"""Promotion by the clock asks for all three conditions, proposes or promotes, and takes a no for an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo_run
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Promote, Retire, UndoRun
from memdesk.model.fact import FACT
from memdesk.model.history import AskEvent, AskHistory
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.review import PROPOSAL
from memdesk.store import records
from tests.engine.conftest import Clock, embed_all

PERSON = "person:Mara"
AGENT = "agent:iris"
CLAIM = "Mara prefers osmanthus tea"


def proven(
    engine: Engine, *, recalls: int = 5, talks: int = 2, confidence: float = 0.9, claim: str = CLAIM
) -> str:
    """A project fact that was said in so many conversations and recalled so often."""
    for number in range(talks):
        turn = store_turn(
            engine,
            NewTurn(content=f"{claim}, said {number}", channel="atlas", conversation_id=f"{claim} {number}"),
            author=AGENT,
        )
        told = NewFact(claim=claim, confidence=confidence, channel="atlas", source_turn_id=turn.id)
        id = learn_fact(engine, told, author=AGENT).id
    for _ in range(recalls):
        recall(engine, Query(text=claim, channel="atlas", kinds=("fact",)), author=AGENT)
    # What a recall leaves behind is written after its answer.
    engine.store.submit(lambda _: None).result()
    return id


def run(engine: Engine, *, dry: bool = False) -> dict[str, Any]:
    return perform(engine, BY_NAME["promote"], author="clock", dry=dry)


def straight(engine: Engine) -> None:
    engine.use(replace(engine.settings, promotion="straight"))


def all_of(engine: Engine, kind: Any, **columns: Any) -> list[Any]:
    with engine.store.reading() as db:
        return records.find(db, kind, **columns)


def test_a_fact_that_meets_all_three_is_proposed_with_the_thresholds_of_that_moment(engine: Engine) -> None:
    fact = proven(engine)
    assert run(engine)["proposed"] == 1
    (asked,) = all_of(engine, PROPOSAL)
    assert (asked.type, asked.subject_id, asked.status, asked.channel) == ("promotion", fact, "open", "atlas")
    assert json.loads(asked.details)["thresholds"] == {
        "confidence": {"found": 0.9, "needed": 0.85},
        "recalled": {"found": 5, "needed": 5},
        "conversations": {"found": 2, "needed": 2},
    }
    assert asked.reason == "Recalled 5 times, said in 2 conversations, confidence 0.90."
    row = history.page(engine, AskHistory(authors=("job:promote",))).rows[0]
    assert (row.op, row.title) == ("learn", f"Proposed for _global: “{CLAIM}”")
    assert not all_of(engine, FACT, channel=GLOBAL)


@pytest.mark.parametrize("short", [{"recalls": 4}, {"talks": 1}, {"confidence": 0.84}])
def test_two_of_three_are_not_enough(engine: Engine, short: dict[str, Any]) -> None:
    proven(engine, **short)
    done = run(engine)
    assert (done["proposed"], done["promoted"]) == (0, 0)


def test_straight_promotes_with_lineage_and_thresholds(engine: Engine) -> None:
    fact = proven(engine)
    straight(engine)
    assert run(engine)["promoted"] == 1
    (copy,) = all_of(engine, FACT, channel=GLOBAL)
    assert (copy.claim, copy.promoted_from) == (CLAIM, fact)
    row = history.page(engine, AskHistory(operations=("promote",))).rows[0]
    detail = history.event(engine, AskEvent(id=row.id))
    assert row.author == "job:promote" and detail.details["thresholds"]["recalled"]["found"] == 5
    assert run(engine)["promoted"] == 0


@pytest.mark.parametrize("how", ["review", "straight"])
def test_what_a_person_took_back_is_not_brought_again(engine: Engine, how: str) -> None:
    proven(engine)
    engine.use(replace(engine.settings, promotion=how))
    run(engine)
    change = history.page(engine, AskHistory(authors=("job:promote",))).rows[0].id
    undo_run(engine, UndoRun(change=change), author=PERSON, progress=ignore_progress)
    done = run(engine)
    assert (done["proposed"], done["promoted"]) == (0, 0)
    assert not all_of(engine, PROPOSAL) and not all_of(engine, FACT, channel=GLOBAL)


def test_a_question_that_was_asked_is_not_asked_again(engine: Engine) -> None:
    proven(engine)
    assert run(engine)["proposed"] == 1
    straight(engine)
    done = run(engine)
    assert (done["proposed"], done["promoted"]) == (0, 0)


def test_what_a_person_promoted_or_global_says_already_is_passed_over(engine: Engine) -> None:
    fact = proven(engine)
    proven(engine, claim="Jun likes rye bread")
    learn_fact(engine, NewFact(claim="Jun likes rye bread"), author=AGENT)
    promote(engine, Promote(fact_id=fact), author=PERSON)
    done = run(engine)
    assert (done["proposed"], done["held"]) == (0, 1)


def test_a_copy_that_was_retired_is_not_made_again(engine: Engine) -> None:
    fact = proven(engine)
    copy = promote(engine, Promote(fact_id=fact), author=PERSON)
    retire(engine, Retire(id=copy.id), author=PERSON)
    straight(engine)
    assert run(engine)["promoted"] == 0


def test_another_value_of_the_same_key_in_global_is_counted_as_held(engine: Engine) -> None:
    fact, other = proven(engine), learn_fact(engine, NewFact(claim="tea: oolong"), author=AGENT).id
    for id, value in ((fact, "osmanthus"), (other, "oolong")):
        engine.store.submit(
            lambda db, id=id, value=value: db.run(
                "UPDATE facts SET key = 'tea', value = ? WHERE id = ?", (value, id)
            )
        ).result()
    straight(engine)
    assert run(engine) | {"run": "", "says": ""} == {
        "promoted": 0,
        "proposed": 0,
        "held": 1,
        "run": "",
        "says": "",
    }


def test_doubt_counts_against_an_inferred_fact(engine: Engine, clock: Clock) -> None:
    engine.use(replace(engine.settings, promote_confidence=0.7))
    fact = proven(engine, confidence=0.72)
    engine.store.submit(
        lambda db: db.run("UPDATE facts SET source = 'extraction' WHERE id = ?", (fact,))
    ).result()
    clock.pass_days(8)
    assert run(engine)["proposed"] == 0


@pytest.mark.parametrize("how", ["review", "straight"])
def test_a_dry_run_lists_the_promotion_and_makes_no_channel(engine: Engine, how: str) -> None:
    proven(engine)
    engine.use(replace(engine.settings, promotion=how))
    newest = history.head(engine)
    done = run(engine, dry=True)
    assert (done["changes"], done["proposed"] + done["promoted"]) == (1, 1)
    assert CLAIM in done["planned"][0]["title"] and history.head(engine) == newest


def test_what_global_contradicts_is_held_back(engine: Engine) -> None:
    proven(engine, claim="Mara lives in Porto")
    learn_fact(engine, NewFact(claim="Mara lives in Lisbon"), author=AGENT)
    embed_all(engine)
    straight(engine)
    assert run(engine)["held"] == 1
    assert [fact.claim for fact in all_of(engine, FACT, channel=GLOBAL)] == ["Mara lives in Lisbon"]
