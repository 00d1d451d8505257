"""The recall layer: each technique looks, says what it did, steps aside in a sentence, and can be switched off."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.goals import add
from memdesk.engine.memory.procedures import learn_strategy
from memdesk.engine.memory.profiles import set_trait
from memdesk.engine.memory.remember import relate, store_turns, upsert_entity
from memdesk.engine.providers.models import Completion
from memdesk.engine.recall.pipeline import recall
from memdesk.model.errors import ModelUnavailable
from memdesk.model.goal import NewGoal
from memdesk.model.instant import to_datetime
from memdesk.model.profile import SetTrait
from memdesk.model.recall import TECHNIQUES, Bundle, Query, Technique
from memdesk.model.remember import NewEntity, NewRelation, NewTurn, NewTurns
from memdesk.model.strategy import NewStrategy
from tests.engine.conftest import Clock, embed_all
from tests.engine.test_recall import FORGE, learn


class Parrot:
    """A language model that says what it was given to say, or that it is away."""

    name = "parrot-1"

    def __init__(self, says: str | None) -> None:
        self.says = says
        self.asked: list[tuple[int, float]] = []

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        self.asked.append((max_tokens, temperature))
        if self.says is None:
            raise ModelUnavailable("The language model parrot-1 gave no answer.")
        return Completion(text=self.says)


def bundle(engine: Engine, text: str, **more: object) -> Bundle:
    embed_all(engine)
    return recall(engine, Query(text=text, channel="tidepool", **more), author=FORGE)  # type: ignore[arg-type]


def did(found: Bundle, name: str) -> Technique:
    return next(each for each in found.techniques if each.name == name)


def say(engine: Engine, content: str, at: datetime | None = None, channel: str = "tidepool") -> str:
    turn = NewTurn(content=content, channel=channel, created_at=at)
    return store_turns(engine, NewTurns(turns=(turn,)), author=FORGE).turns[0].id


def test_the_settings_say_which_techniques_look_and_a_query_may_say_otherwise(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    assert [each.name for each in bundle(engine, "pool").techniques] == [
        name for name in TECHNIQUES if name not in ("hyde", "rerank")
    ]
    assert [each.name for each in bundle(engine, "pool", techniques=("hybrid",)).techniques] == ["hybrid"]
    assert bundle(engine, "pool", techniques=()).techniques == ()
    engine.use(replace(engine.settings, recall_entities=False, recall_expansion=False))
    assert [each.name for each in bundle(engine, "pool").techniques] == ["hybrid", "self_query"]


def test_without_hybrid_vectors_rank_alone(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    hit = bundle(engine, "pool size", techniques=()).hits[0]
    assert "words" not in {part.name for part in hit.parts} and "words" not in hit.ranks


def test_facts_of_a_named_entity_are_found_though_they_share_no_word_with_the_query(engine: Engine) -> None:
    upsert_entity(
        engine, NewEntity(name="Kepler", aliases=("the old server",), channel="tidepool"), author=FORGE
    )
    tied = learn(engine, "It overheats above forty degrees", about=("Kepler",))
    for number in range(30):
        learn(engine, f"Unrelated note number {number} of the archive")
    for query in ("Tell me about Kepler", "what is wrong with the old server?"):
        found = bundle(engine, query)
        hit = next(hit for hit in found.hits if hit.id == tied)
        assert hit.ranks["entities"] == 1 and "entities" in {part.name for part in hit.parts}
        assert did(found, "entities").note == "Followed Kepler."
    assert tied not in {hit.id for hit in bundle(engine, "xqzv wuggle", techniques=("hybrid",)).hits}


def test_the_graph_is_followed_as_deep_as_the_setting_says(engine: Engine) -> None:
    for name in ("Kepler", "Brahe", "Galileo"):
        upsert_entity(engine, NewEntity(name=name, channel="tidepool"), author=FORGE)
    for source, target in (("Kepler", "Brahe"), ("Brahe", "Galileo")):
        relate(
            engine, NewRelation(source=source, target=target, type="KNOWS", channel="tidepool"), author=FORGE
        )
    near = learn(engine, "A nose made of brass", about=("Brahe",))
    far = learn(engine, "House arrest until the end", about=("Galileo",))

    def followed(depth: int) -> set[str]:
        engine.use(replace(engine.settings, graph_depth=depth))
        return {
            hit.id for hit in bundle(engine, "Kepler", limit=50, floor=0.0).hits if "entities" in hit.ranks
        }

    assert near not in followed(1)
    assert near in followed(2) and far not in followed(2)
    assert {near, far} <= followed(3)


def test_a_graph_of_another_channel_is_not_followed(engine: Engine) -> None:
    upsert_entity(engine, NewEntity(name="Kepler", channel="tidepool"), author=FORGE)
    there = learn(engine, "It overheats above forty degrees", "family", about=("Kepler",))
    assert there not in {hit.id for hit in bundle(engine, "Kepler", limit=50, floor=0.0).hits}


def test_a_paraphrase_finds_what_the_query_does_not_say(engine: Engine) -> None:
    id = learn(engine, "Jun was born on the third of May")
    found = bundle(engine, "When is Jun's birthday?")
    assert found.hits[0].id == id and found.hits[0].ranks["expansion"] >= 1
    assert "born" in did(found, "expansion").note


def test_hyde_steps_aside_without_a_model_and_says_so(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    found = bundle(engine, "pool size", techniques=("hybrid", "hyde"))
    assert found.hits and "No language model" in did(found, "hyde").note
    assert engine.recall_metrics.snapshot().techniques["hyde"].aside == 1


def test_hyde_searches_with_what_the_model_imagines(engine: Engine) -> None:
    id = learn(engine, "Penicillin gives Jun a rash")
    model = Parrot("Jun is allergic to penicillin and gets a rash from it.")
    engine.language = model
    found = bundle(engine, "any medical concerns?", techniques=("hyde",), floor=0.0)
    assert next(hit for hit in found.hits if hit.id == id).ranks["hyde"] == 1
    assert model.asked == [(150, 0.7)]
    engine.language = Parrot(None)
    assert "gave no answer" in did(bundle(engine, "medical concerns", techniques=("hyde",)), "hyde").note


def test_what_was_said_last_week_is_looked_for_in_last_week(engine: Engine, clock: Clock) -> None:
    now = to_datetime(clock.at)
    monday = now - timedelta(days=now.weekday())
    last = say(engine, "The pool holds 25 connections", monday - timedelta(days=3))
    say(engine, "The pool holds 40 connections", monday - timedelta(days=40))
    found = bundle(engine, "What did I say last week about the pool connections?")
    assert [hit.id for hit in found.hits] == [last]
    assert did(found, "self_query").note.startswith("Read when it was told")
    everything = bundle(
        engine, "What did I say last week about the pool connections?", techniques=("hybrid",)
    )
    assert len(everything.hits) == 2


def test_a_named_time_that_holds_nothing_does_not_hide_the_answer(engine: Engine, clock: Clock) -> None:
    id = say(engine, "The pool holds 40 connections", to_datetime(clock.at) - timedelta(days=40))
    found = bundle(engine, "What did I say yesterday about the pool connections?")
    assert [hit.id for hit in found.hits] == [id]
    assert any("all times were searched" in notice for notice in found.notices)


def test_what_a_named_speaker_said_in_that_time_about_another_subject_does_not_hide_the_answer(
    engine: Engine, clock: Clock
) -> None:
    now = to_datetime(clock.at)
    told = (("The pool holds 40 connections, said Jonas", 40), ("Lunch was late and cold", 1))
    turns = tuple(
        NewTurn(content=content, speaker="Ines", channel="tidepool", created_at=now - timedelta(days=days))
        for content, days in told
    )
    answer = store_turns(engine, NewTurns(turns=turns), author=FORGE).turns[0].id
    found = bundle(engine, "What did we tell Ines yesterday about the pool connections?")
    assert found.answer == "answered" and found.hits[0].id == answer
    assert any("all times were searched" in notice for notice in found.notices)


def test_whatever_was_said_yesterday_comes_back(engine: Engine, clock: Clock) -> None:
    for number in range(30):
        say(
            engine,
            f"An old remark about the weather, number {number}",
            to_datetime(clock.at) - timedelta(days=40),
        )
    said = {
        say(engine, words, to_datetime(clock.at) - timedelta(days=1))
        for words in ("Oatmeal.", "The tram was late")
    }
    assert {hit.id for hit in bundle(engine, "What did I say yesterday?").hits} == said


def test_a_channel_named_in_the_query_is_the_one_searched(engine: Engine) -> None:
    there = learn(engine, "The pool opens at nine", "family")
    learn(engine, "The pool size is 25 per node")
    found = bundle(engine, "pool #family")
    assert [hit.id for hit in found.hits] == [there] and found.channels == ("family", "_global")


def test_a_model_reads_the_window_and_the_keywords(engine: Engine, clock: Clock) -> None:
    old = learn(engine, "The pool holds 25 connections")
    clock.pass_days(30)
    new = learn(engine, "The pool holds 40 connections")
    engine.use(replace(engine.settings, recall_self_query_model=True))
    engine.language = Parrot('Sure: {"time_window_hours": 24, "keywords": ["pool"], "entity_type": null}')
    assert [hit.id for hit in bundle(engine, "recent pool connections").hits] == [new]
    engine.language = Parrot('{"time_window_hours": "soon", "keywords": 3, "entity_type": []}')
    assert {hit.id for hit in bundle(engine, "latest pool connections").hits} == {old, new}


def test_no_recall_waits_for_a_model_unless_a_setting_says_so(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    model = Parrot('{"time_window_hours": 1}')
    engine.language = model
    assert bundle(engine, "pool size").hits and model.asked == []


@pytest.mark.parametrize("model", [Parrot(None), Parrot("I would rather not."), Parrot("[1, 2]")])
def test_a_model_that_fails_to_read_is_ignored_and_named(engine: Engine, model: Parrot) -> None:
    id = learn(engine, "The pool size is 25 per node")
    engine.use(replace(engine.settings, recall_self_query_model=True))
    engine.language = model
    found = bundle(engine, "pool size")
    assert [hit.id for hit in found.hits] == [id]
    assert "Rules alone read the query." in did(found, "self_query").note


def test_a_recall_brings_goals_strategies_the_profile_and_the_last_turns(engine: Engine) -> None:
    for description, priority in (("Move to Lisbon", 2), ("Ship the pooling change", 5)):
        add(engine, NewGoal(description=description, priority=priority, channel="tidepool"), author=FORGE)
    ask = NewStrategy(
        description="Roll out a pool size change node by node",
        context_pattern="changing pool sizes",
        tool_sequence=("plan", "apply", "verify"),
        channel="tidepool",
        success=True,
    )
    learn_strategy(engine, ask, author=FORGE)
    set_trait(engine, SetTrait(aspect="preferences", name="tea", value="green"), author=FORGE)
    talk = tuple(NewTurn(content=f"Turn {n}", channel="tidepool", conversation_id="c") for n in range(5))
    store_turns(engine, NewTurns(turns=talk), author=FORGE)
    found = bundle(engine, "change the pool size", conversation_id="c", recent_turns=3)
    assert [goal.description for goal in found.goals] == ["Ship the pooling change", "Move to Lisbon"]
    assert (
        found.strategies[0].tool_sequence == ("plan", "apply", "verify")
        and found.strategies[0].success_rate == 1.0
    )
    assert found.profile == {"preferences": {"tea": "green"}}
    assert [turn.text for turn in found.recent] == ["Turn 2", "Turn 3", "Turn 4"]


def test_goals_and_strategies_can_be_recalled_as_hits(engine: Engine) -> None:
    goal = add(engine, NewGoal(description="Ship the pooling change", channel="tidepool"), author=FORGE).id
    found = bundle(engine, "pooling change", kinds=("goal", "strategy"))
    assert [(hit.id, hit.kind) for hit in found.hits] == [(goal, "goal")]


def test_every_recall_and_technique_is_counted_and_timed(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    for text in ("pool", "size"):
        bundle(engine, text)
    snapshot = engine.recall_metrics.snapshot()
    for name in ("recall", "base", "hybrid", "entities", "expansion", "self_query"):
        share = snapshot.techniques[name]
        assert share.runs == 2 and 0 <= share.p50_ms <= share.p95_ms <= share.p99_ms
    assert snapshot.techniques["recall"].found == 2


def test_times_in_a_query_lift_what_was_told_then(engine: Engine) -> None:
    may = say(engine, "We talked about the lighthouse", datetime(2025, 5, 7, tzinfo=UTC))
    say(engine, "We talked about the lighthouse again", datetime(2025, 2, 7, tzinfo=UTC))
    found = bundle(engine, "lighthouse in May 2025")
    assert found.hits[0].id == may and "time" in {part.name for part in found.hits[0].parts}
