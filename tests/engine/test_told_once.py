"""Each thing is told once before a turn, the budget is used and never passed, and the order is always the same."""

from __future__ import annotations

import pytest

from memdesk.engine.context.messages import tokens_in
from memdesk.engine.context.pieces import gist, once
from memdesk.engine.context.prompt import preview
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.model.prompt import FORMS, AskContext
from memdesk.model.remember import NewFact, NewTurn
from tests.engine.conftest import embed_all

AUTHOR = "agent:iris"


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("Rosa's cat is named Tom", "user: my cat is named Tom", "Great, so the cat is named Tom!"), 1),
        (("Rosa has a cat", "Rosa has a grey cat that sleeps on the roof"), 1),
        (("The office is open on 3 May in Berlin", "The office is open on 4 May in Berlin"), 2),
        (
            (
                "Ann moved to Berlin in spring with her sister",
                "Bob moved to Berlin in spring with her sister",
            ),
            2,
        ),
        (("Wren 2025-11-25: nests early", "Wren 2026-07-28: nests early"), 2),
        (("Rosa drinks green tea", "Rosa does not drink green tea"), 2),
    ],
)
def test_of_texts_that_say_the_same_one_is_told(texts: tuple[str, ...], told: int) -> None:
    gists = [gist(text, answers=text.startswith("Great")) for text in texts]
    assert len(once(gists, [len(text) for text in texts])) == told


def lived(engine: Engine, turns: int) -> None:
    said = (
        ("user", "My cat is named Tom"),
        ("assistant", "Noted: your cat is named Tom."),
        ("assistant", "ok"),
    )
    for role, text in said:
        store_turn(
            engine, NewTurn(role=role, content=text, conversation_id="c-1", channel="home"), author=AUTHOR
        )
    learn_fact(engine, NewFact(claim="The user's cat is named Tom", channel="home"), author=AUTHOR)
    for number in range(turns):
        text = (
            f"The cat of house {number} in street {number * 7} eats dish {number * 13} on day {number % 31}"
        )
        talk = f"c-{2 + number // 10}"
        store_turn(
            engine, NewTurn(role="user", content=text, conversation_id=talk, channel="home"), author=AUTHOR
        )
    embed_all(engine)


def test_a_fact_its_turn_and_the_answer_that_repeats_it_are_one_line(engine: Engine) -> None:
    lived(engine, 0)
    text = preview(engine, AskContext(text="What is the cat named?", channel="home"), author=AUTHOR).text
    assert text.count("named Tom") == 1 and "ok" not in text.split()


def test_a_budget_is_used_and_never_passed_and_the_order_is_stable(engine: Engine) -> None:
    lived(engine, 120)
    used = {}
    for form in FORMS:
        for budget in (1, 40, 150, 600, 1_500, 4_000):
            ask = AskContext(text="What do the cats eat?", channel="home", budget_tokens=budget, format=form)
            told = preview(engine, ask, author=AUTHOR)
            assert tokens_in(told.text) <= budget and told.tokens <= budget, (form, budget)
            assert preview(engine, ask, author=AUTHOR).text == told.text
            used[form, budget] = tokens_in(told.text)
    assert used["neutral", 600] > 500 and used["neutral", 1_500] > 1_300 and used["neutral", 4_000] > 2_000
