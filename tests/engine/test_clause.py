"""The verb of a clause is found by its place and its form."""

from __future__ import annotations

import pytest

from memdesk.engine.extraction.clause import finite_at, verb_and_rest


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("mara sailed north", 1),
        ("we may sail north", 1),
        ("on 4 may mara sailed north", 4),
        ("the old red harbour boat of mara sailed", 0),
        ("old red harbour boat of mara sailed north", 6),
        ("north of the harbour", 0),
    ],
)
def test_the_first_of_seven_words_that_may_be_a_verb_is_taken_and_the_month_of_a_date_is_none(
    text: str, at: int
) -> None:
    assert finite_at(text.split(), 0) == at


def test_a_word_before_the_start_is_not_looked_at() -> None:
    assert finite_at(["she", "said", "mara", "sailed", "north"], 2) == 3
    assert finite_at(["she", "said", "mara", "sailed", "north"], 3) == 3


def test_the_verb_is_the_first_word_that_is_no_adverb_and_the_rest_is_without_not() -> None:
    assert verb_and_rest(["really", "sails", "not", "north", "not", "south"]) == ("sails", ["north", "south"])
    assert verb_and_rest(["sails", "north"]) == ("sails", ["north"])
    assert verb_and_rest(["really"]) == ("", [])
