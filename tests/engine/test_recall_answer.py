"""A recall says whether it answers, is near but about someone else, or has nothing, and why."""

from __future__ import annotations

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import store_turn
from memdesk.engine.recall.hits import asks_about_asker
from memdesk.engine.recall.pipeline import recall
from memdesk.model.recall import ANSWERED, NEAR, NOTHING, Bundle, Query
from memdesk.model.remember import NewTurn
from tests.engine.conftest import embed_all
from tests.engine.test_recall import FORGE, learn

CLAIMS = (
    "Ines drinks espresso every morning",
    "Ines plays the cello in a quartet",
    "Jonas repairs clocks in his cellar",
    "Jonas is allergic to walnuts",
    "The ferry to the island leaves at ten",
)


@pytest.fixture
def told(engine: Engine) -> Engine:
    for claim in CLAIMS:
        learn(engine, claim)
    for number in range(40):
        learn(engine, f"Printer {number} needs toner of the kind {number + 7}")
    embed_all(engine)
    return engine


def ask(engine: Engine, text: str) -> Bundle:
    return recall(engine, Query(text=text, channel="tidepool"), author=FORGE)


@pytest.mark.parametrize(
    "text", ["What does Ines drink every morning?", "espresso", "When does the ferry leave?"]
)
def test_a_question_about_what_is_known_is_answered(told: Engine, text: str) -> None:
    found = ask(told, text)
    assert (found.answer, found.reason) == (ANSWERED, "")
    assert found.hits


def test_a_question_about_somebody_unknown_is_near_and_says_who_is_meant(told: Engine) -> None:
    found = ask(told, "What does Wanjiru drink every morning?")
    assert found.answer == NEAR
    assert "Wanjiru" in found.reason and "Ines" in found.reason


def test_a_new_name_beside_a_known_one_may_be_answered(told: Engine) -> None:
    assert ask(told, "Does Ines play the cello with Wanjiru?").answer == ANSWERED


def test_a_question_about_oneself_is_not_answered_from_other_people(told: Engine) -> None:
    found = ask(told, "Do I drink espresso every morning?")
    assert found.answer == NEAR
    assert found.reason == "The nearest are about Ines, not about you."


def test_a_question_about_oneself_is_answered_from_ones_own_facts(told: Engine) -> None:
    learn(told, "User drinks mint tea every morning")
    learn(told, "User drinks espresso on Sundays")
    embed_all(told)
    assert ask(told, "Do I drink espresso every morning?").answer == ANSWERED


def test_what_is_about_something_else_has_no_answer(told: Engine) -> None:
    found = ask(told, "what is the boiling point of tungsten")
    assert (found.answer, found.hits) == (NOTHING, ())
    assert "relevance" in found.reason


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Do I like tea?", True),
        ("where is my bicycle", True),
        ("Wo ist mein Fahrrad?", True),
        ("我的生日是什么时候", True),
        ("我们什么时候搬家", False),
        ("where are we moving", False),
        ("What did I tell Ines?", False),
        ("What does Ines drink?", False),
    ],
)
def test_a_question_about_oneself_names_nobody_else(text: str, asks: bool) -> None:
    assert asks_about_asker(text) is asks


PAINTED = (
    ("Ines", "I painted the boathouse red and hung a lantern over its door."),
    ("Jonas", "A red boathouse, how fine!"),
    ("Ines", "The lantern of the boathouse came from a flea market, painted by hand."),
    ("Jonas", "I mended the clock of the town hall last week."),
    ("Ines", "Was it hard to reach, up there?"),
    ("Jonas", "The clock hangs forty metres high, so I took the stairs of the tower."),
    ("Ines", "The boathouse with its red paint and lantern is ready for the summer."),
    ("Jonas", "The clock of the town hall runs again, and the tower is swept."),
)


def store_painted(engine: Engine) -> None:
    for speaker, said in PAINTED:
        turn = NewTurn(content=said, speaker=speaker, role="user", channel="tidepool", conversation_id="talk")
        store_turn(engine, turn, author=FORGE)
    embed_all(engine)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Who painted the boathouse red and hung a lantern?", ANSWERED),
        ("What colour did Ines paint the boathouse with the lantern?", ANSWERED),
        ("Which clock did Jonas mend in the tower of the town hall?", ANSWERED),
        ("What colour did Jonas paint the boathouse with the lantern?", NEAR),
        ("Which clock did Ines mend in the tower of the town hall?", NEAR),
        ("Did Ines and Jonas see the lantern of the red boathouse?", ANSWERED),
    ],
)
def test_a_question_that_names_one_person_and_fits_another_is_near(
    engine: Engine, text: str, state: str
) -> None:
    store_painted(engine)
    found = ask(engine, text)
    assert found.answer == state
    if state == NEAR:
        persons = ("Ines", "Jonas") if "Jonas" in text else ("Jonas", "Ines")
        assert found.reason == f"The nearest are about {persons[0]}, not about {persons[1]}."
        assert found.hits


def test_a_question_that_names_a_speaker_gets_the_nearest_that_the_speaker_said(engine: Engine) -> None:
    store_painted(engine)
    query = Query(
        text="Which illness did Jonas have as a child?", channel="tidepool", kinds=("turn",), floor=0.99
    )
    found = recall(engine, query, author=FORGE)
    assert found.answer == NEAR
    assert found.reason == "Nothing told by or about Jonas clearly answers this. These come nearest."
    assert {hit.text for hit in found.hits} == {said for speaker, said in PAINTED if speaker == "Jonas"}


def test_a_question_that_names_a_person_gets_the_nearest_facts_about_that_person(told: Engine) -> None:
    query = Query(text="Which illness did Jonas have as a child?", channel="tidepool", floor=0.99)
    found = recall(told, query, author=FORGE)
    assert (found.answer, found.reason) == (
        NEAR,
        "Nothing told by or about Jonas clearly answers this. These come nearest.",
    )
    assert {hit.text for hit in found.hits} == {claim for claim in CLAIMS if claim.startswith("Jonas")}


def test_a_question_below_the_floor_that_names_nobody_who_speaks_finds_nothing(engine: Engine) -> None:
    store_painted(engine)
    query = Query(text="Which illness is common in children?", channel="tidepool", floor=0.99)
    found = recall(engine, query, author=FORGE)
    assert (found.answer, found.hits) == (NOTHING, ())


def test_what_an_assistant_says_is_about_nobody_else(engine: Engine) -> None:
    for number, (speaker, said) in enumerate(PAINTED):
        turn = NewTurn(
            content=said,
            speaker=speaker,
            role="assistant" if speaker == "Jonas" else "user",
            channel="tidepool",
            conversation_id=f"talk-{number // 8}",
        )
        store_turn(engine, turn, author=FORGE)
    embed_all(engine)
    assert ask(engine, "Which clock did Ines mend in the tower of the town hall?").answer == ANSWERED
