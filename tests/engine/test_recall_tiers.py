"""Three tiers of facts, the categories they go by, and what recall keeps in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.recall_cache import BoundedCache, RecallMetrics, percentile
from memdesk.model.browse import ListFacts
from memdesk.model.curation import Retire
from memdesk.model.history import AskHistory
from memdesk.model.recall import Bundle, Query
from memdesk.model.remember import NewFact
from tests.engine.conftest import Clock, embed_all
from tests.engine.test_recall import FORGE, MARA, learn, settle


def ask(engine: Engine, text: str, **more: object) -> Bundle:
    return recall(engine, Query(text=text, channel="tidepool", **more), author=FORGE)  # type: ignore[arg-type]


def fill(engine: Engine) -> dict[str, list[str]]:
    told = {
        "food": ("Mara eats oatmeal for breakfast", "Jun likes spicy soup for lunch", "Dinner is at seven"),
        "servers": ("The database server has 64 GB of memory", "The web server runs on port 8080"),
        "travel": ("The flight to Lisbon leaves at noon", "The train to Gothenburg is late"),
        "pets": ("The cat sleeps on the radiator", "The dog needs a walk in the morning"),
    }
    ids = {name: [learn(engine, claim, category=name) for claim in claims] for name, claims in told.items()}
    embed_all(engine)
    return ids


def test_facts_of_the_nearest_categories_come_first(engine: Engine) -> None:
    ids = fill(engine)
    found = ask(engine, "which port does the web server use?", tiers=True, limit=2, floor=0.0)
    assert found.hits[0].id == ids["servers"][1]
    assert "categories" in found.hits[0].ranks and found.techniques[-1].name == "tiers"
    assert "servers" in found.techniques[-1].note
    assert {part.name for part in found.hits[0].parts} <= {"meaning", "words", "boost"}


def test_the_flat_search_fills_up_what_the_categories_do_not_hold(engine: Engine) -> None:
    ids = fill(engine)
    found = ask(engine, "server", tiers=True, limit=100, floor=0.0)
    ranked = [hit.id for hit in found.hits]
    assert set(ranked) == {id for each in ids.values() for id in each}
    scoped = [id for id, hit in zip(ranked, found.hits, strict=True) if "categories" in hit.ranks]
    assert ranked[: len(scoped)] == scoped and len(scoped) < len(ranked)


def test_a_recalled_fact_is_boosted_in_the_tiers(engine: Engine) -> None:
    fill(engine)
    for _ in range(3):
        ask(engine, "Dinner is at seven", limit=1)
    settle(engine)
    hit = ask(engine, "Dinner is at seven", tiers=True, limit=1).hits[0]
    parts = {part.name: part.value for part in hit.parts}
    assert parts["boost"] == pytest.approx((parts["meaning"] + parts["words"]) * 1.386294, rel=1e-3)


def test_a_fact_told_without_a_category_joins_the_one_it_is_like(engine: Engine) -> None:
    learn(engine, "The web server runs on port 8080", category="servers")
    embed_all(engine)
    learn(engine, "The web server runs on port 8081")
    learn(engine, "Jun is allergic to penicillin")
    found = {row.claim: row.category for row in facts(engine, ListFacts()).rows}
    assert found["The web server runs on port 8081"] == "servers"
    assert found["Jun is allergic to penicillin"] == "fact"


def test_a_category_of_another_user_or_channel_is_not_joined(engine: Engine) -> None:
    ask = NewFact(
        claim="The web server runs on port 8080", category="servers", channel="tidepool", user_id="ben"
    )
    learn_fact(engine, ask, author=FORGE)
    learn(engine, "The web server runs on port 8080", "family", category="toys")
    embed_all(engine)
    learn(engine, "The web server runs on port 8081")
    assert facts(engine, ListFacts(channels=("tidepool",))).rows[0].category == "fact"


def test_the_same_recall_is_answered_from_memory_and_reinforces_again(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    embed_all(engine)
    first, second = ask(engine, "pool size"), ask(engine, "pool size")
    settle(engine)
    assert (first.cached, second.cached) == (False, True) and first.hits == second.hits
    assert facts(engine, ListFacts()).rows[0].recalled == 2
    assert len(history.page(engine, AskHistory(operations=("recall",))).rows) == 2
    assert engine.recall_metrics.snapshot().caches["bundles"] == (1, 1)


def test_a_change_a_setting_another_query_or_time_asks_anew(engine: Engine, clock: Clock) -> None:
    id = learn(engine, "The pool size is 25 per node")
    embed_all(engine)
    ask(engine, "pool size")
    assert not ask(engine, "pool size", limit=3).cached
    engine.use(replace(engine.settings, fusion="rrf"))
    assert not ask(engine, "pool size").cached
    learn(engine, "The pool size is 40 per node")
    assert len(ask(engine, "pool size").hits) == 2
    embed_all(engine)
    assert not ask(engine, "pool size").cached
    retire(engine, Retire(id=id), author=MARA)
    assert id not in {hit.id for hit in ask(engine, "pool size").hits}
    assert ask(engine, "pool size").cached
    clock.pass_days(1)
    assert not ask(engine, "pool size").cached


def test_nothing_is_kept_where_the_setting_says_so(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    engine.use(replace(engine.settings, recall_cache_seconds=0))
    assert not ask(engine, "pool").cached and not ask(engine, "pool").cached


def test_what_is_kept_is_bounded_and_the_least_wanted_goes_first() -> None:
    metrics = RecallMetrics()
    kept: BoundedCache[int] = BoundedCache("numbers", 2, metrics)
    for number in (1, 2):
        kept.keep(number, number)
    assert kept.get(1) == 1
    kept.keep(3, 3)
    assert [kept.get(number) for number in (1, 2, 3)] == [1, None, 3]
    assert metrics.snapshot().caches == {"numbers": (3, 1)}


def test_the_vector_of_a_query_is_made_once(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    embed_all(engine)
    ask(engine, "pool size", techniques=("hybrid",))
    before = engine.recall_metrics.snapshot().caches["query_vectors"]
    ask(engine, "pool size", techniques=("hybrid",), limit=3)
    after = engine.recall_metrics.snapshot().caches["query_vectors"]
    assert after[0] > before[0] and after[1] == before[1]


def test_percentiles_are_of_the_nearest_rank() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [percentile(values, each) for each in (50, 95, 99)] == [50.0, 95.0, 99.0]
    assert percentile([], 50) == 0.0 and percentile([7.0], 99) == 7.0
