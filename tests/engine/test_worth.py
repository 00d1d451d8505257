"""Worth of English claims: its signs have weights, it orders claims as a person would, and it bounds certainty."""

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


def test_certainty_is_lowered_by_a_small_chance_and_never_raised() -> None:
    assert worth.certainty_at_most(0.95, "explicit") == "explicit"
    assert worth.certainty_at_most(0.95, "inferred") == "inferred"
    assert worth.certainty_at_most(0.75, "explicit") == "implied"
    assert worth.certainty_at_most(0.6, "explicit") == "inferred"
    assert worth.certainty_at_most(0.6, "uncertain") == "uncertain"


HELD_BACK = """
At the event, Ada met a baker named Tom
Ada started volunteering here a year ago
Ada's favorite is the banana sundae
Ada went to a place last week
Ada is a huge fan
Ada was going to fly to Lagos for a birthday
Ada is remembering a day at the shelter
Ada painted this bowl
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
