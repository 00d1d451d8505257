"""Ranking against real text: what is relevant in itself, what the text index finds, and what it costs."""

from __future__ import annotations

import pytest

from memdesk.engine.recall.evidence import Posting
from memdesk.engine.recall.line import Item, Line
from memdesk.engine.recall.relevance import FLOOR, SAME, UNRELATED, relevance


def turn(seq: int, text: str = "plain words") -> Item:
    return Item(seq=seq, kind="turn", text=text, at=seq, conversation="c1", index=seq, speaker="Mara")


def test_relevance_compares_with_nothing_but_the_query() -> None:
    postings = [Posting(seqs=[1], frequency=1), Posting(seqs=[], frequency=0)]
    cosines = {1: 0.3, 20: 0.1}
    alone = relevance(Line([turn(1)]), postings=postings, rows=50, cosines=cosines)
    among = relevance(Line([turn(1), turn(20)]), postings=postings, rows=50, cosines=cosines)
    assert among[1] == alone[1] > among[20] == 0.0


def test_a_memory_that_holds_every_term_or_says_the_same_is_wholly_relevant() -> None:
    line = Line([turn(1), turn(20)])
    found = relevance(line, postings=[Posting(seqs=[1], frequency=1)], rows=50, cosines={20: SAME})
    assert found == pytest.approx({1: 1.0, 20: 1.0})


def test_a_common_word_and_a_far_meaning_stay_under_the_floor() -> None:
    strange = [Posting(seqs=[1], frequency=12), Posting(seqs=[], frequency=0), Posting(seqs=[], frequency=0)]
    found = relevance(Line([turn(1)]), postings=strange, rows=50, cosines={1: UNRELATED})
    assert 0 < found[1] < FLOOR


def test_an_answer_shares_the_relevance_of_the_question_before_it() -> None:
    line = Line([turn(1, "Where did you move from?"), turn(2, "From Sweden.")])
    found = relevance(line, postings=[Posting(seqs=[1], frequency=1)], rows=50, cosines={})
    assert found[1] > found[2] > FLOOR


def test_without_words_and_vectors_nothing_is_relevant() -> None:
    assert relevance(Line([turn(1)]), postings=[], rows=1, cosines={}) == {1: 0.0}
    assert relevance(Line([]), postings=[], rows=0, cosines={}) == {}
