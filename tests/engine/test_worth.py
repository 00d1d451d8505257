"""Worth of English claims: its signs have weights, it orders claims as a person would, and it is the confidence."""

from __future__ import annotations

import pytest

from memdesk.engine.extraction import worth
from memdesk.engine.extraction.discourse import Discourse
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.lexicon import numbers
from memdesk.engine.extraction.self_contained import is_self_contained


def scene(*names: str) -> Scene:
    return Scene(
        speaker="Ada",
        partner="Bo",
        agent=False,
        at_work=False,
        called=frozenset(("ada", "bo")),
        names=frozenset(name.lower() for name in ("Ada", "Bo", *names)),
        discourse=Discourse(people=frozenset(names)),
    )


def chance(claim: str, *names: str) -> float:
    return worth.worth(claim, scene(*names), "explicit")


def test_every_weight_is_of_a_sign_that_a_claim_can_have() -> None:
    known = worth.signs("Ada lives in Oslo", scene(), "explicit").keys() | {"constant"}
    assert numbers("worth", "english").keys() <= known


BETTER = """
Ada joined a choir in Oslo last week | Ada is keeping busy with some new things
Ada's sister Ines is a vet | Ada's life is about growing and sharing
Ada is learning Portuguese | Ada wants to make a difference
Ada broke their arm skiing last winter | Ada had a really great time with the gang
Ada has two cats, Mira and Pauli | The cats really make everyone so happy
Ada loved "The Lean Startup" as a student | Ada loved how some people were so supportive
"""


@pytest.mark.parametrize("line", BETTER.strip().split("\n"))
def test_what_is_named_dated_or_lasting_is_worth_more_than_what_fits_anybody(line: str) -> None:
    better, worse = line.split(" | ")
    assert chance(better, "Ines", "Mira", "Pauli") > worth.ENOUGH > chance(worse)


def test_a_claim_from_a_replaced_pronoun_is_worth_less_than_one_said_outright() -> None:
    said = "Ada's brother moved to Leeds"
    assert worth.worth(said, scene(), "inferred") < worth.worth(said, scene(), "explicit")


def test_a_confidence_is_the_chance_itself_and_nothing_below_the_least_chance_is_believed() -> None:
    good, poor = "Ada's sister Ines moved to Leeds in March 2026", "Ada has a lot of really great new ideas"
    assert worth.confidence(good, scene("Ines"), "explicit") == round(chance(good, "Ines"), 2) > worth.ENOUGH
    assert chance(poor) < worth.ENOUGH and worth.confidence(poor, scene(), "explicit") == 0


TRUSTED = """
Ada has two sisters
Ada's brother Tom is nineteen
Ada's cat is called Pixel
Ada works at the harbour office
Ada speaks Portuguese
"""


@pytest.mark.parametrize("claim", TRUSTED.strip().split("\n"))
def test_a_lasting_trait_in_a_few_words_is_believed(claim: str) -> None:
    assert worth.confidence(claim, scene("Tom", "Pixel"), "implied") >= worth.ENOUGH


def test_a_second_statement_a_duty_of_the_week_and_slang_lower_the_chance() -> None:
    def sign(claim: str, name: str) -> float:
        return worth.signs(claim, scene(), "explicit")[name]

    assert sign("Ada is from Leeds, but the weather was bad", "second") > sign("Ada is from Leeds", "second")
    assert sign("Ada has an exam in French", "of_the_week") > sign("Ada speaks French", "of_the_week")
    assert sign("Ada bought a totally weird piano", "casual") > sign("Ada bought a piano", "casual")
    weights = numbers("worth", "english")
    assert all(weights[name] < 0 for name in ("second", "of_the_week", "casual", "outsider", "number_alone"))


HELD_BACK = """
At the event, Ada met a baker named Tom
Ada started volunteering here a year ago
Ada's favorite is the banana sundae
Ada went to a place last week
Ada is a huge fan
Ada was going to fly to Lagos for a birthday
Ada is remembering a day at the shelter
Ada painted this bowl
Ada is so tired
Ada is [name]
"""


@pytest.mark.parametrize("claim", HELD_BACK.strip().split("\n"))
def test_a_claim_whose_meaning_is_elsewhere_is_not_self_contained(claim: str) -> None:
    assert not is_self_contained(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Ada is a huge fan of Emma Watson",
        "Ada went to a place in Oslo called Grip",
        "Ada's favorite dish is paella",
    ],
)
def test_a_claim_that_names_its_thing_is_self_contained(claim: str) -> None:
    assert is_self_contained(claim)
