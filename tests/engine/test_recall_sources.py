"""A fact is searched together with the turn from which it was read, and questions of the past find past facts."""

from __future__ import annotations

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.recall.explain import explain
from memdesk.engine.recall.pipeline import preview
from memdesk.engine.recall.ranking import times_asked
from memdesk.model.recall import Bundle, Explain, Query
from memdesk.model.remember import NewFact, NewTurn
from tests.engine.conftest import embed_all
from tests.engine.test_recall import FORGE, learn

TALK = (
    ("Iris", "Where did you spend the weekend?"),
    ("Mara", "We rowed to the lighthouse and fed the goats of its keeper."),
    ("Iris", "Goats on a rock in the sea!"),
)


@pytest.fixture
def talked(engine: Engine) -> Engine:
    """A fact read from the second turn of a talk, whose claim has none of the talk's rarer words."""
    turns = [
        store_turn(
            engine,
            NewTurn(content=said, speaker=speaker, channel="tidepool", conversation_id="talk"),
            author=FORGE,
        ).id
        for speaker, said in TALK
    ]
    fact = NewFact(
        claim="Mara made a trip with her family",
        channel="tidepool",
        source_turn_id=turns[1],
        quote=TALK[1][1],
    )
    learn_fact(engine, fact, author=FORGE)
    for number in range(90):
        learn(engine, f"Printer {number} made a trip to the workshop of the family")
    embed_all(engine)
    return engine


def ask(engine: Engine, *kinds: str) -> Bundle:
    return preview(engine, Query(text="Who fed the goats of the keeper?", channel="tidepool", kinds=kinds))


def test_a_fact_is_found_by_words_of_the_turn_it_was_read_from(talked: Engine) -> None:
    best = ask(talked, "fact").hits[0]
    assert best.text == "Mara made a trip with her family"
    assert {part.name: part.value for part in best.parts}["source"] > 0
    assert best.relevance > 0.5


def test_a_turn_that_only_lends_is_neither_returned_nor_counted(talked: Engine) -> None:
    found = ask(talked, "fact")
    assert {hit.kind for hit in found.hits} == {"fact"}
    assert not any(cut.kind == "turn" for cut in found.cut)
    asked = Query(text="Who fed the goats of the keeper?", channel="tidepool", kinds=("fact",))
    explained = explain(talked, Explain(id=found.hits[0].id, query=asked))
    assert {stage.name: stage.left for stage in explained.stages}["scope"] == 91


def test_a_turn_stays_before_the_fact_that_was_read_from_it(talked: Engine) -> None:
    assert [hit.kind for hit in ask(talked, "turn", "fact").hits][0] == "turn"


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Where did Mara live?", {"past"}),
        ("¿Dónde estaba la llave?", {"past"}),
        ("Where will we go?", {"future"}),
        ("Where does Mara live?", set()),
        ("她以前住在哪里", {"past"}),
    ],
)
def test_a_question_asks_about_what_was_or_will_be(text: str, times: set[str]) -> None:
    assert times_asked(text) == times


def test_a_past_fact_loses_nothing_where_the_past_is_asked_for(engine: Engine) -> None:
    for claim, temporal in (("Mara lived in a lighthouse", "past"), ("Mara lives in a mill", "current")):
        learn_fact(engine, NewFact(claim=claim, channel="tidepool", temporal=temporal), author=FORGE)
    embed_all(engine)

    def factor(text: str) -> float:
        hits = preview(engine, Query(text=text, channel="tidepool", kinds=("fact",), floor=0.0)).hits
        past = next(hit for hit in hits if "lighthouse" in hit.text)
        return {part.name: part.value for part in past.parts}["temporal"]

    assert factor("Where does Mara live?") < 0 < factor("Where did Mara live?")
