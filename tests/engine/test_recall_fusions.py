"""The three fusions and the three tiers, by hand: every formula and constant is the source's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.memory.claims import likeness
from memdesk.engine.recall.choosing import spread
from memdesk.engine.recall.evidence import Item
from memdesk.engine.recall.fusion import Scored, stretched
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.recall.ranking import Formula, base_scores, rank_scores
from memdesk.model.recall import Query
from tests.engine.conftest import embed_all
from tests.engine.test_recall import learn

HOUR = 3_600_000_000
WEIGHTS = {"episodic": 0.3, "facts": 0.25, "entities": 0.2, "procedural": 0.15, "recency": 0.1}


def test_rank_fusion_damps_what_a_list_does_not_hold() -> None:
    scored = rank_scores({1: 9.0, 2: 5.0}, {2: 0.8, 3: 0.5, 1: 0.1}, k=60, words_share=0.3, depth=2)
    assert {each.seq: each.score for each in scored} == pytest.approx(
        {2: 0.3 / 62 + 0.7 / 61, 3: 0.3 / (60 + 62) + 0.7 / 62, 1: 0.3 / 61 + 0.7 / (60 + 62)}
    )
    assert [each.seq for each in scored] == [2, 3, 1]


def test_rank_fusion_ranks_what_only_a_technique_found_last() -> None:
    scored = rank_scores({1: 1.0}, {1: 0.5}, k=60, words_share=0.3, depth=50, also=(7,))
    assert scored[-1].seq == 7 and scored[-1].score == pytest.approx(1 / 121)


def formula(*, active: bool = False, depth: int = 10) -> Formula:
    return Formula(weights=WEIGHTS, half_life_hours=24, now=48 * HOUR, depth=depth, active=active)


def test_the_base_retriever_weighs_each_kind_by_its_own_formula() -> None:
    items = [
        Item(seq=1, kind="turn", text="", at=24 * HOUR),
        Item(seq=2, kind="turn", text="", at=0),
        Item(seq=3, kind="fact", text="", at=0, confidence=0.8, salience=0.5),
        Item(seq=4, kind="entity", text="", at=0, salience=0.4),
        Item(seq=5, kind="strategy", text="", at=0, confidence=0.75),
    ]
    cosines = {1: 0.9, 2: 0.1, 3: 0.7, 4: 0.6, 5: 0.2}
    truths = {1: 1.0, 2: 1.0, 3: 1.2, 4: 1.0, 5: 1.0}
    scored = {each.seq: each.score for each in base_scores(items, cosines, truths, formula())}
    assert scored == pytest.approx(
        {
            1: 0.3 * 1 + 0.1 * 0.5,
            2: 0.3 * 0 + 0.1 * 0.25,
            3: 0.25 * 0.5 * 0.8 * 0.5 * 1.2,
            4: 0.2 * 0.5 * 0.4,
            5: 0.15 * 0.5 * 0.75,
        }
    )


def test_the_base_retriever_favours_an_active_project_by_a_fifth() -> None:
    items = [Item(seq=1, kind="fact", text="", at=0), Item(seq=2, kind="fact", text="", at=0, here=False)]
    scored = base_scores(items, {1: 0.5, 2: 0.5}, {1: 1.0, 2: 1.0}, formula(active=True))
    assert {each.seq: each.score for each in scored} == pytest.approx({1: 0.25 * 0.5 * 1.2, 2: 0.25 * 0.5})


def test_the_base_retriever_reads_no_further_than_its_depth_but_for_what_was_found() -> None:
    items = [Item(seq=seq, kind="fact", text="", at=0) for seq in (1, 2, 3)]
    cosines = {1: 0.9, 2: 0.8, 3: 0.1}
    truths = dict.fromkeys(cosines, 1.0)
    assert [each.seq for each in base_scores(items, cosines, truths, formula(depth=1))] == [1]
    assert [each.seq for each in base_scores(items, cosines, truths, formula(depth=1), also={3})] == [1, 3]


def test_likeness_is_openlegions() -> None:
    assert likeness(0.95) == pytest.approx(0.7597, abs=1e-4)
    assert likeness(0.0) == pytest.approx(0.4142, abs=1e-4)
    assert likeness(1.0) == 1.0


def test_the_boost_is_the_documented_formula() -> None:
    assert salience.boost(0, 0) == 1.0
    assert salience.boost(5, 20) == pytest.approx(1.179176, abs=1e-6)
    assert salience.boost(5, 0) == pytest.approx(2.791759, abs=1e-6)
    assert salience.boost(10_000_000, 0) == 10.0


def test_keyword_scores_reach_from_none_to_all_and_are_all_where_they_do_not_differ() -> None:
    assert stretched({1: 4.0, 2: 2.0, 3: 3.0}, equal=1.0) == {1: 1.0, 2: 0.0, 3: 0.5}
    assert stretched({1: 4.0}, equal=1.0) == {1: 1.0}


def test_a_conversation_gives_way_softly_once_it_had_its_turns() -> None:
    ranked = [Scored(seq=n, score=score, parts=()) for n, score in enumerate((1.0, 0.98, 0.97, 0.96, 0.5))]
    talks = {0: "a", 1: "a", 2: "a", 3: "b", 4: "c"}

    def order(most: int) -> list[int]:
        return [each.seq for each in spread(ranked, lambda scored: talks[scored.seq], most)]

    assert order(0) == [0, 1, 2, 3, 4]
    assert order(2) == [0, 1, 3, 2, 4]
    assert order(1) == [0, 3, 1, 2, 4]


def test_facts_and_entities_are_no_turns_of_a_conversation() -> None:
    ranked = [Scored(seq=n, score=1 - n / 100, parts=()) for n in range(5)]
    assert spread(ranked, lambda _: None, 1) == ranked


@pytest.mark.parametrize("fusion", ["weighted", "rrf", "agentx"])
def test_every_fusion_finds_what_is_asked_for_and_its_parts_add_up(engine: Engine, fusion: str) -> None:
    engine.use(replace(engine.settings, fusion=fusion))
    wanted = learn(engine, "The connection pool of Tidepool holds 25 connections per node")
    for claim in (
        "Jun is allergic to penicillin",
        "The flat in Graça allows pets",
        "Harbor-web ships on Fridays",
    ):
        learn(engine, claim)
    embed_all(engine)
    bundle = recall(
        engine, Query(text="how many connections in the pool?", channel="tidepool"), author="agent:x"
    )
    assert bundle.hits[0].id == wanted
    for hit in bundle.hits:
        assert hit.score == pytest.approx(sum(part.value for part in hit.parts))
    assert bundle.hits[0].ranks["words"] == 1 and 0 < bundle.hits[0].relevance <= 1
