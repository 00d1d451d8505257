"""The language model is asked in doubt only, and its failure leaves the rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.memory.review_queue import review
from memdesk.engine.providers.models import Completion
from memdesk.model.errors import BadAsk, ModelUnavailable
from memdesk.model.remember import NewFact
from memdesk.model.review import AskReview


class Model:
    """Model that gives one answer, or fails without one."""

    name = "oracle"

    def __init__(self, answer: str) -> None:
        self.answer, self.asked = answer, 0

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        self.asked += 1
        if not self.answer:
            raise ModelUnavailable("It is away.")
        return Completion(text=self.answer)


def learn(engine: Engine, claim: str) -> None:
    learn_fact(engine, NewFact(claim=claim, channel="harbour"), author="agent:Forge")


@pytest.mark.parametrize(
    ("answer", "types"), [("CONTRADICTION", ["contradiction"]), ("BOTH", []), ("Well…", []), ("", [])]
)
def test_the_model_is_asked_about_a_relation_the_rules_do_not_know(
    engine: Engine, answer: str, types: list[str]
) -> None:
    model = Model(answer)
    engine.settings, engine.language = replace(engine.settings, extraction_model=True), model
    learn(engine, "The gateway fronts Orion")
    learn(engine, "The gateway fronts Vega")
    assert model.asked == 1
    assert [question.type for question in review(engine, AskReview()).rows] == types


def test_the_model_is_not_asked_where_the_rules_know(engine: Engine) -> None:
    model = Model("BOTH")
    engine.settings, engine.language = replace(engine.settings, extraction_model=True), model
    learn(engine, "Jun lives in Bath")
    learn(engine, "Jun lives in Hull")
    assert model.asked == 0 and len(review(engine, AskReview()).rows) == 1


def test_the_model_is_not_asked_about_a_claim_with_a_category_that_is_refused(engine: Engine) -> None:
    model = Model("BOTH")
    engine.settings, engine.language = replace(engine.settings, extraction_model=True), model
    learn(engine, "The gateway fronts Orion")
    with pytest.raises(BadAsk, match="A category"):
        learn_fact(
            engine,
            NewFact(claim="The gateway fronts Vega", channel="harbour", category="long " * 20),
            author="agent:Forge",
        )
    assert model.asked == 0
