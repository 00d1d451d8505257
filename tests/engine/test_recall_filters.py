"""Filters, the floor, and who sees what: what may not come back does not, by any technique or fusion."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.remember import learn_fact, relate, store_turns, upsert_entity
from memdesk.engine.memory.tags import tag
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import Retire, Tagging
from memdesk.model.errors import BadAsk
from memdesk.model.instant import to_datetime
from memdesk.model.kind import RECALLED, SEARCHED
from memdesk.model.kinds import KINDS, PASSAGE
from memdesk.model.recall import TECHNIQUES, Bundle, Query
from memdesk.model.remember import NewEntity, NewFact, NewRelation, NewTurn, NewTurns
from memdesk.model.turn import CONVERSATION
from memdesk.store import recalls, records
from memdesk.store.search import Scope
from tests.effort import examples
from tests.engine.conftest import Clock, embed_all
from tests.engine.test_recall import FORGE, MARA, learn


def hits(engine: Engine, text: str, **more: object) -> list[str]:
    return [hit.id for hit in asked_for(engine, text, **more).hits]


def asked_for(engine: Engine, text: str, **more: object) -> Bundle:
    embed_all(engine)
    return recall(engine, Query(text=text, channel="tidepool", **more), author=FORGE)  # type: ignore[arg-type]


def test_a_category_narrows_the_search_itself(engine: Engine) -> None:
    wanted = learn(engine, "Deploy only on Tuesdays", category="constraint")
    for number in range(150):
        learn(engine, f"Deploy number {number} went well", category="event")
    assert hits(engine, "when do we deploy", categories=("Constraint",)) == [wanted]


def test_a_tag_narrows_the_search_itself(engine: Engine) -> None:
    wanted = learn(engine, "The lighthouse keeper retires in May")
    other = learn(engine, "The lighthouse is white")
    tag(engine, Tagging(id=wanted, tags=("family",)), author=MARA)
    assert hits(engine, "lighthouse", tags=("Family",)) == [wanted]
    assert set(hits(engine, "lighthouse")) == {wanted, other}
    assert hits(engine, "something else entirely", tags=("family",), floor=0.0) == [wanted]


def test_an_unsure_fact_is_left_out_where_sureness_is_asked_for(engine: Engine) -> None:
    sure = learn(engine, "The pool size is 25 per node", confidence=0.95)
    learn(engine, "The pool size is 40 per node", confidence=0.5)
    assert hits(engine, "pool size", min_confidence=0.9) == [sure]


def test_a_window_of_hours_looks_back_from_now(engine: Engine, clock: Clock) -> None:
    learn(engine, "The pool size is 25 per node")
    clock.pass_days(3)
    new = learn(engine, "The pool size is 40 per node")
    assert hits(engine, "pool size", time_window_hours=24) == [new]
    assert hits(
        engine, "pool size", time_window_hours=24, since=to_datetime(clock.at) - timedelta(days=9)
    ) == [new]


def test_a_time_before_1970_is_a_time_like_any_other(engine: Engine) -> None:
    moments = (datetime(1960, 5, 1, tzinfo=UTC), datetime(2025, 5, 1, tzinfo=UTC))
    turns = tuple(
        NewTurn(content=f"A letter of {at.year}", conversation_id="c", channel="tidepool", created_at=at)
        for at in moments
    )
    store_turns(engine, NewTurns(turns=turns), author=FORGE)
    scope = Scope(user_id="local", channels=("tidepool",), kinds=("turn",))
    with engine.store.reading() as db:
        old, new = sorted(recalls.stored_between(db, scope, None, None, 10))
        assert recalls.stored_between(db, scope, None, 0, 10) == [old]
        assert recalls.stored_between(db, scope, 0, None, 10) == [new]


def test_the_question_itself_is_no_answer(engine: Engine) -> None:
    question = "How large is the pool?"
    turn = NewTurn(content=question, channel="tidepool", conversation_id="now")
    store_turns(engine, NewTurns(turns=(turn,)), author=FORGE)
    assert hits(engine, question, conversation_id="now") == []
    assert len(hits(engine, question)) == 1


def test_a_past_fact_that_faded_never_comes_back(engine: Engine, clock: Clock) -> None:
    id = learn(engine, "Jun worked at the harbour office", temporal="past")
    assert hits(engine, "harbour office") == [id]
    clock.pass_days(60)
    assert hits(engine, "harbour office", floor=0.0) == []


def test_an_archived_conversation_answers_only_where_the_setting_lets_it(engine: Engine) -> None:
    turn = NewTurn(content="The pool holds 25 connections", channel="tidepool", conversation_id="old")
    id = store_turns(engine, NewTurns(turns=(turn,)), author=FORGE).turns[0].id
    with engine.store.reading() as db:
        talk = records.need(db, CONVERSATION, "old")
    edit = records.update_edit(CONVERSATION, talk, archived_at=engine.clock())
    engine.store.apply(Change(op="update", layer="episodic", title="archived", author=MARA, edits=(edit,)))
    assert hits(engine, "pool connections") == [id]
    engine.use(replace(engine.settings, recall_archived=False))
    assert hits(engine, "pool connections") == []


def test_nonsense_finds_nothing_and_is_told_so(engine: Engine) -> None:
    for number in range(60):
        learn(engine, f"Note {number}: the ingest platform writes through PgBouncer in transaction mode")
    found = asked_for(engine, "boiling point of tungsten")
    assert found.hits == () and found.cut and {cut.by for cut in found.cut} == {"floor"}
    assert found.answer == "nothing" and found.reason.startswith("Nothing relevant was found")
    assert asked_for(engine, "boiling point of tungsten", floor=0.0).hits


TOLD = {
    "Ines lives in Brest and works at the harbour": ("Where does Ines live?", "tell me about Ines"),
    "The ingest platform writes through PgBouncer": ("what does the ingest platform write through?",),
    "Mara is allergic to peanuts": ("What is Mara allergic to?", "peanut butter sandwich", "food allergies"),
    "The weekly meeting moved to Thursday at 10:00": (
        "When is the weekly meeting?",
        "what day is our meeting",
    ),
    "Tomas prefers dark mode in his editor": ("Which theme does Tomas like?", "dark mode"),
    "The dentist's invoice was paid in March": ("Was the dentist paid?", "When did we pay the invoice?"),
    "Lena adopted a grey cat called Miso": ("Does Lena have pets?", "what is the name of her cat?", "Miso"),
    "用户的姐姐住在上海": ("姐姐住在哪里？", "谁住在上海？"),
}
"""What a desk may hold, and questions about it."""
UNRELATED = (
    "boiling point of tungsten",
    "Who won the world cup in 1998?",
    "What is the capital of Mongolia?",
    "best hiking boots",
    "how tall is Mount Everest",
    "how to rebase a git branch",
    "symptoms of the flu",
    "thanks, that was great",
)


@pytest.mark.parametrize("embedded", [True, False], ids=["with vectors", "before their vectors"])
@pytest.mark.parametrize("held", range(1, len(TOLD) + 1))
def test_few_memories_come_back_for_what_is_about_them_alone(
    engine: Engine, held: int, embedded: bool
) -> None:
    def found(question: str) -> list[str]:
        bundle = recall(engine, Query(text=question, channel="tidepool"), author=FORGE)
        return [hit.text for hit in bundle.hits]

    claims = random.Random(held).sample(sorted(TOLD), held)
    for claim in claims:
        learn(engine, claim)
    if embedded:
        embed_all(engine)
    for question in UNRELATED:
        assert found(question) == [], question
    for claim in claims:
        for question in TOLD[claim] if embedded else TOLD[claim][:1]:
            assert claim in found(question), question


def test_what_was_left_out_is_told_with_the_rule_that_did(engine: Engine) -> None:
    for number in range(4):
        learn(engine, f"The pool of node {number} holds 25 connections")
    found = asked_for(engine, "pool connections", limit=2)
    assert len(found.hits) == 2 and [cut.by for cut in found.cut] == ["limit", "limit"]


def test_hits_of_other_channels_are_counted(engine: Engine) -> None:
    learn(engine, "The pool size is 25 per node")
    learn(engine, "Pool sizes are written in the runbook", "_global")
    assert asked_for(engine, "pool size").crossed == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"techniques": ("magic",)},
        {"weights": {"luck": 0.5}},
        {"weights": {"facts": 2.0}},
        {"min_confidence": 1.5},
        {"floor": -0.1},
        {"per_conversation": -1},
        {"recent_turns": 1000},
        {"time_window_hours": -1.0},
        {"tags": ("x",) * 51},
        {"tiers": True, "kinds": ("turn",)},
    ],
)
def test_a_rule_out_of_range_is_refused(engine: Engine, wrong: dict[str, object]) -> None:
    with pytest.raises(BadAsk):
        asked_for(engine, "pool", **wrong)


def test_a_weight_of_nothing_sends_a_kind_to_the_end(engine: Engine) -> None:
    fact = learn(engine, "The pool size is 25 per node")
    turn = NewTurn(content="The pool size is 25 per node", channel="tidepool")
    said = store_turns(engine, NewTurns(turns=(turn,)), author=FORGE).turns[0].id
    assert hits(engine, "pool size", weights={"facts": 0.0, "recency": 0.0})[0] == said
    assert hits(engine, "pool size", weights={"episodic": 0.0, "recency": 0.0})[0] == fact


def test_a_recent_and_current_fact_leads_an_old_and_past_one(engine: Engine, clock: Clock) -> None:
    past = learn(engine, "The pool size is 40 per node", temporal="past")
    clock.pass_days(5)
    now = learn(engine, "The pool size is 25 per node", temporal="current")
    found = asked_for(engine, "pool size per node")
    assert [hit.id for hit in found.hits] == [now, past]
    parts = {part.name: part.value for part in found.hits[0].parts}
    assert parts["temporal"] > 0 and parts["recency"] == pytest.approx(0.1, abs=1e-3)


def test_a_retired_fact_is_not_reached_over_the_graph(engine: Engine) -> None:
    upsert_entity(engine, NewEntity(name="Kepler", channel="tidepool"), author=FORGE)
    id = learn(engine, "It overheats above forty degrees", about=("Kepler",))
    retire(engine, Retire(id=id), author=MARA)
    assert id not in hits(engine, "Kepler", floor=0.0)


WORDS = ("pool", "Kepler", "Jun", "lighthouse", "连接池", "yesterday", "#shared", "who", "size", "born")


@pytest.fixture(scope="module")
def two_users() -> Iterator[Engine]:
    """Two users with the same channels, entities, tags and nearly the same words."""
    with TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder) / "desk"))
        for user in ("ann", "ben"):
            fill(engine, user)
        embed_all(engine)
        yield engine
        engine.close()


def fill(engine: Engine, user: str) -> None:
    for channel in ("shared", "_global"):
        upsert_entity(
            engine,
            NewEntity(name="Kepler", aliases=("old server",), channel=channel, user_id=user),
            author=FORGE,
        )
        upsert_entity(engine, NewEntity(name="Jun", channel=channel, user_id=user), author=FORGE)
        relate(
            engine,
            NewRelation(source="Jun", target="Kepler", type="KNOWS", channel=channel, user_id=user),
            author=FORGE,
        )
        for claim in (
            "The pool size of Kepler is 25",
            "Jun was born at the lighthouse",
            "连接池有二十五个连接",
        ):
            learn_fact(
                engine,
                NewFact(claim=claim, channel=channel, user_id=user, about=("Kepler", "Jun")),
                author=FORGE,
            )
        turns = tuple(
            NewTurn(
                content=f"{user} said: pool {n}",
                channel=channel,
                user_id=user,
                conversation_id=f"{user}-{channel}",
            )
            for n in range(3)
        )
        store_turns(engine, NewTurns(turns=turns), author=FORGE)


@settings(max_examples=examples(60))
@given(
    user=st.sampled_from(("ann", "ben")),
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    techniques=st.sets(st.sampled_from(TECHNIQUES)),
    fusion=st.sampled_from(("weighted", "rrf", "agentx")),
    kinds=st.sampled_from((SEARCHED, ("fact",))),
    every=st.booleans(),
    tiers=st.booleans(),
    filtered=st.sampled_from(({}, {"categories": ("fact",)}, {"time_window_hours": 1.0})),
)
def test_no_query_of_a_user_ever_returns_anothers_memory(
    two_users: Engine,
    user: str,
    words: list[str],
    techniques: set[str],
    fusion: str,
    kinds: tuple[str, ...],
    every: bool,
    tiers: bool,
    filtered: dict[str, object],
) -> None:
    two_users.settings = replace(two_users.settings, fusion=fusion)
    query = Query(
        text=" ".join(words),
        channel="shared",
        user_id=user,
        kinds=kinds,
        limit=100,
        floor=0.0,
        techniques=tuple(sorted(techniques)),
        every_channel=every,
        tiers=tiers,
        **filtered,  # type: ignore[arg-type]
    )
    bundle = recall(two_users, query, author=FORGE)
    with two_users.store.reading() as db:
        owners = {
            record.user_id for _, record in records.by_ids(db, [hit.id for hit in bundle.hits]).values()
        }
        cut = {record.user_id for _, record in records.by_ids(db, [each.id for each in bundle.cut]).values()}
    assert owners | cut <= {user}


def test_the_kinds_that_a_recall_returns_are_those_of_the_memory_types() -> None:
    assert (*(kind.name for kind in KINDS if kind.recalled), PASSAGE) == RECALLED
    assert (*RECALLED, *(kind.name for kind in KINDS if kind.searched)) == SEARCHED
