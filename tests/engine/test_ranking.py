"""Ranking against real text: what is relevant in itself, what the text index finds, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from memdesk.engine.providers.static import KIN_AT_MOST, kin
from memdesk.engine.recall.cues import holds, wanted
from memdesk.engine.recall.evidence import Posting
from memdesk.engine.recall.line import Item, Line
from memdesk.engine.recall.meaning import meaning
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


def test_words_of_like_meaning_are_kin_and_names_in_pieces_have_none() -> None:
    assert {"kid", "child"} <= set(kin("children"))
    assert {"cities", "town"} <= set(kin("city"))
    assert kin("children") == kin("children")
    assert len(kin("went")) <= KIN_AT_MOST
    assert "children" not in kin("children")
    assert kin("mara") == kin("caroline") == kin("3.12") == kin("猫") == kin("") == ()


def test_a_turn_means_what_the_turns_before_it_say() -> None:
    line = Line([turn(1), turn(2), turn(20)])
    vectors = np.eye(3, dtype=np.float32)
    found = meaning(line, [1, 2, 20], vectors, vectors[0])
    assert found[1] > found[2] > found[20]
    assert meaning(line, [], np.zeros((0, 0), np.float32), vectors[0]) == {}


def test_a_memory_without_a_vector_has_no_meaning_but_its_neighbours_keep_theirs() -> None:
    line = Line([turn(1), turn(2)])
    assert set(meaning(line, [2], np.eye(3, dtype=np.float32)[:1], np.eye(3, dtype=np.float32)[0])) == {2}


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("When did Mara move?", "time"),
        ("How long has she lived there?", "time"),
        ("In which year was it?", "time"),
        ("How many cats are there?", "number"),
        ("她什么时候搬家的？", "time"),
        ("いつ引っ越しましたか", "time"),
        ("猫有几个？", "number"),
        ("Where was that?", None),
        ("whenever", None),
        ("", None),
    ],
)
def test_a_query_says_what_kind_of_answer_it_wants(query: str, kind: str | None) -> None:
    assert wanted(query) == kind


def test_a_text_that_names_a_time_or_a_number_may_be_the_answer() -> None:
    assert holds("We went there last Friday.", "time")
    assert holds("去年搬来的", "time")
    assert not holds("We like it here.", "time")
    assert holds("I have three cats.", "number")
    assert holds("有两只猫", "number")
    assert not holds("I have a cat.", "number")
