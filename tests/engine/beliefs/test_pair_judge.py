"""Learned judge of pairs: what it sees that no rule knows, and what it leaves alone."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.beliefs.comparing import Verdict, compare
from memdesk.engine.beliefs.pair_judge import judge_pair, signs

CLASHES = (
    ("The wharf gate has been welded shut and nobody can open it", "The wharf gate opens with a badge"),
    ("The harbour café was sold and is a bank now", "The harbour café belongs to Wilhelmina"),
    ("我们已经把缓存换成了 Valkey", "缓存用的是 Memcached"),
)
SAME = (
    (
        "Each Thursday at 14:00 the crew gets its briefing",
        "The crew's briefing takes place every Thursday at 2 pm",
    ),
    ("It was Aunt Roswitha who gave us the kayak", "The kayak was a present from Aunt Roswitha"),
)
BOTH_TRUE = (
    ("Claim 2", "Claim 1"),
    ("Wendelin rides a tandem to the market on Saturdays", "Wendelin keeps bees behind the market hall"),
    ("The north pier has eleven bollards", "The south pier has four bollards"),
    ("The lighthouse keeper plays the zither", "The harbour tug was painted red in 2011"),
    ("The crew sleeps at the harbour hostel", "The choir sleeps at the harbour hostel"),
)


@pytest.mark.parametrize(("new", "old"), CLASHES)
def test_a_clash_in_other_words_is_likely(new: str, old: str) -> None:
    assert judge_pair(new, old).verdict() is Verdict.CONTRADICTION


@pytest.mark.parametrize(("new", "old"), SAME)
def test_the_same_in_other_words_is_likely(new: str, old: str) -> None:
    assert compare(new, old).verdict is Verdict.APART, "the rules know it"
    assert judge_pair(new, old).verdict() is Verdict.SAME


@pytest.mark.parametrize(("new", "old"), BOTH_TRUE)
def test_neighbours_that_are_both_true_are_left_alone(new: str, old: str) -> None:
    assert judge_pair(new, old).verdict() is Verdict.APART


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_have_odds(new: str, old: str) -> None:
    odds = judge_pair(new, old)
    assert odds.clash >= 0 and odds.same >= 0 and odds.clash + odds.same <= 1 + 1e-9


def test_each_sign_has_its_weights_and_no_other() -> None:
    lexicon = resources.files("memdesk.engine.beliefs").joinpath("lexicon", "pair_judge.json")
    weights = json.loads(lexicon.read_text("utf-8"))["signs"]
    assert list(weights) == list(signs("The lamp is green", "The lamp is red"))
