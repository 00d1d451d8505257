"""Possible duplicates are found by name and by claim, told with their reason, and put into the review queue once."""

from __future__ import annotations

import time
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.duplicates import Names, alike, duplicates, propose_duplicates
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, upsert_entity
from memdesk.engine.memory.review_queue import review
from memdesk.model.curation import Promote
from memdesk.model.errors import BadAsk
from memdesk.model.remember import NewEntity, NewFact
from memdesk.model.review import AskDuplicates, AskReview, Decide
from tests.engine.conftest import embed_all, stored_fact

FORGE, MARA = "agent:Forge", "person:Mara"


def entity(engine: Engine, name: str, channel: str = "harbour", **more: Any) -> str:
    return upsert_entity(engine, NewEntity(name=name, channel=channel, **more), author=FORGE).id


def learn(engine: Engine, claim: str, channel: str = "harbour") -> str:
    return stored_fact(engine, claim, channel)


def pairs(engine: Engine, **wanted: Any) -> set[tuple[str, str]]:
    return {(row.title, row.kept_title) for row in duplicates(engine, AskDuplicates(**wanted)).rows}


def named(name: str, *aliases: str, type: str = "Entity") -> Names:
    return Names(name=name, aliases=aliases, type=type)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (named("Sea Lab"), named("sea-lab"), "case, width or punctuation"),
        (named("ＡＢＣ商事"), named("ABC商事"), "case, width or punctuation"),
        (named("Post", "PG 16"), named("Database", "pg16"), "both go by"),
        (named("UN"), named("United Nations"), "may be short for"),
        (named("M. Lind", type="Person"), named("Mara Lind", type="Person"), "may be short for"),
        (named("Postgres"), named("PostgreSQL"), "nearly the same name"),
    ],
)
def test_names_that_may_mean_one_thing_say_why(one: Names, other: Names, why: str) -> None:
    assert why in (alike(one, other) or "") and why in (alike(other, one) or "")
    assert one.keys & other.keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (named("Python 2"), named("Python 3")),
        (named("release-2024-01"), named("release-2024-02")),
        (named("Anna"), named("Hanna")),
        (named("un"), named("United Nations")),
        (named("M. Lind", type="Person"), named("Tom Lind", type="Person")),
        (named("Lisbon office", type="Location"), named("Lisbon offices", type="Organization")),
        (named("北京"), named("南京")),
    ],
)
def test_names_that_only_look_alike_are_left_alone(one: Names, other: Names) -> None:
    assert alike(one, other) is None


def test_entities_are_held_against_those_of_their_channel_and_global(engine: Engine) -> None:
    entity(engine, "PostgreSQL")
    entity(engine, "Postgres")
    entity(engine, "Postgres", "kitchen")
    entity(engine, "Post-gres", "_global")
    assert pairs(engine, kinds=("entity",)) == {
        ("Postgres", "PostgreSQL"),
        ("Postgres", "Post-gres"),
        ("PostgreSQL", "Post-gres"),
    }
    assert pairs(engine, kinds=("entity",), channels=("harbour",)) == {("Postgres", "PostgreSQL")}


def test_facts_are_duplicates_only_when_all_that_tells_agrees(engine: Engine) -> None:
    for claim in (
        "The ferry leaves at 9:00",
        "the ferry is leaving at 9:00",
        "The ferry leaves at 10:00",
        "Mara likes coffee",
        "Mara dislikes coffee",
        "Mara manages Tom",
        "Tom manages Mara",
        "Mara really likes coffee",
    ):
        learn(engine, claim)
    embed_all(engine)
    found = pairs(engine, kinds=("fact",))
    assert ("Mara really likes coffee", "Mara likes coffee") in found and len(found) <= 2
    assert not any("10:00" in one + other or "dislikes" in one + other for one, other in found)


def test_a_claim_in_a_project_and_in_global_is_one_unless_it_was_promoted(engine: Engine) -> None:
    learn(engine, "Tea is at four", "_global")
    project = learn_fact(engine, NewFact(claim="Coffee is at nine", channel="harbour"), author=FORGE).id
    promote(engine, Promote(fact_id=project), author=MARA)
    assert pairs(engine, kinds=("fact",)) == set()


def test_duplicates_are_asked_about_once_and_merged_by_an_answer(engine: Engine) -> None:
    kept, lost = entity(engine, "PostgreSQL"), entity(engine, "Postgres")
    asked = propose_duplicates(engine, AskDuplicates(), author=MARA)
    again = propose_duplicates(engine, AskDuplicates(), author=MARA)
    assert (asked.proposed, again.proposed, again.change) == (1, 0, None)
    (question,) = review(engine, AskReview()).rows
    assert (question.type, question.subject.id, question.details["kept"]) == ("duplicate", lost, kept)
    assert duplicates(engine, AskDuplicates()).rows[0].asked
    assert decide(engine, Decide(id=question.id, decision="merge"), author=MARA).memory == kept
    assert pairs(engine) == set()


def test_thousands_of_entities_are_compared_in_little_time(engine: Engine) -> None:
    for start in range(0, 2000, 20):
        about = tuple(f"Station {n * 7919 % 10_007} of line {n % 13}" for n in range(start, start + 20))
        learn_fact(
            engine, NewFact(claim=f"Stations from {start}", channel="harbour", about=about), author=FORGE
        )
    begun = time.process_time()
    assert duplicates(engine, AskDuplicates(kinds=("entity",))).rows == ()
    assert time.process_time() - begun < 5


def test_asks_out_of_range_are_refused(engine: Engine) -> None:
    for ask in (AskDuplicates(limit=0), AskDuplicates(kinds=("turn",))):
        with pytest.raises(BadAsk):
            duplicates(engine, ask)
