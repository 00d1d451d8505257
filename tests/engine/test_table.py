"""The table: what narrows and sorts it does so where the rows are, exactly as each row says of itself."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing.tables import table
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, pin, rescue, retire
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.goals import add, complete
from memdesk.engine.memory.procedures import learn_strategy, reinforce_strategy
from memdesk.engine.memory.remember import learn_fact, upsert_entity
from memdesk.engine.memory.tags import tag
from memdesk.engine.recall.pipeline import recall
from memdesk.model.change import Change
from memdesk.model.curation import EditFact, Pin, Rescue, Retire, Tagging
from memdesk.model.errors import BadAsk
from memdesk.model.goal import CompleteGoal, NewGoal
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact
from memdesk.model.strategy import NewStrategy, ReinforceStrategy
from memdesk.model.timeline import AskTable, TableRow
from memdesk.store import browsing
from memdesk.store.connection import Connection
from tests.effort import examples
from tests.engine.conftest import Clock

FORGE = "agent:Forge"


def learn(engine: Engine, claim: str, **told: object) -> str:
    return learn_fact(engine, NewFact(claim=claim, **{"channel": "tidepool", **told}), author=FORGE).id  # type: ignore[arg-type]


def inferred(engine: Engine, claim: str, confidence: float, agent_id: str | None = None) -> str:
    """A fact that a job read out of what was said."""

    def verb(db: Connection) -> tuple[Change, str]:
        draft = Draft(
            engine=engine, db=db, user_id="local", channel="tidepool", agent_id=agent_id, at=engine.clock()
        )
        id, _ = draft.fact(
            claim,
            category="decision",
            confidence=confidence,
            source="extraction",
            temporal=None,
            source_turn_id=None,
        )
        return Change(op="learn", title=claim, author="job:consolidate", edits=tuple(draft.edits)), id

    return engine.store.decide(verb)[1]


def rows(engine: Engine, **asked: object) -> tuple[TableRow, ...]:
    return table(engine, AskTable(**asked)).rows  # type: ignore[arg-type]


def titles(engine: Engine, **asked: object) -> list[str]:
    return [row.title for row in rows(engine, **asked)]


def test_facts_are_narrowed_by_everything_at_once(engine: Engine, clock: Clock) -> None:
    learn(engine, "Old and sure")
    clock.pass_days(10)
    kept = learn(engine, "New and sure", category="decision", agent_id="Forge")
    inferred(engine, "New and unsure", 0.4, "Forge")
    learn(engine, "New, elsewhere", channel="harbor-web", category="decision", agent_id="Forge")
    tag(engine, Tagging(id=kept, tags=("Important",)), author=FORGE)
    found = rows(
        engine,
        channels=("tidepool",),
        sources=("explicit",),
        categories=("decision",),
        agents=("Forge",),
        tags=("important",),
        text="NEW",
        confidence_from=0.85,
        since=rows(engine, text="New and sure")[0].created_at,
    )
    assert [(row.id, row.tags, row.state) for row in found] == [(kept, ("important",), "current")]
    assert titles(engine, confidence_below=0.5) == ["New and unsure"]


def test_rows_that_came_since_the_first_page_move_nothing(engine: Engine) -> None:
    for number in range(6):
        learn(engine, f"Fact number {number}")
    first = table(engine, AskTable(limit=3))
    learn(engine, "Fact number 6")
    second = table(engine, AskTable(first=3, limit=3, upto=first.newest))
    assert [row.title[-1] for row in (*first.rows, *second.rows)] == ["5", "4", "3", "2", "1", "0"]
    assert (first.total, second.total, table(engine, AskTable()).total) == (6, 6, 7)


@pytest.mark.file  # Of a database, which other engines write too, they are counted each time.
def test_categories_and_sources_are_counted_again_only_after_facts_were_written(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    count = browsing.counted
    monkeypatch.setattr(browsing, "counted", lambda *told: counted.append(told[3]) or count(*told))
    learn(engine, "Iris keeps the runbook", category="preference")
    for _ in range(2):
        assert table(engine, AskTable()).categories == {"preference": 1}
    assert counted == ["category", "source"]
    inferred(engine, "The pump is retired", 0.7)
    shown = table(engine, AskTable())
    assert shown.categories == {"decision": 1, "preference": 1}
    assert shown.sources == {"explicit": 1, "extraction": 1}


def test_retired_superseded_past_and_pinned_facts_are_told_apart(engine: Engine) -> None:
    gone, past, held = (learn(engine, claim) for claim in ("It is gone", "It was so", "It is held"))
    retire(engine, Retire(id=gone), author=FORGE)
    edit_fact(engine, EditFact(fact_id=past, temporal="past"), author=FORGE)
    pin(engine, Pin(id=held), author=FORGE)
    assert [(row.title, row.state) for row in rows(engine, state="retired")] == [("It is gone", "retired")]
    assert [(row.title, row.state) for row in rows(engine, state="past")] == [("It was so", "past")]
    assert [row.pinned for row in rows(engine, state="pinned")] == [True]
    assert len(rows(engine)) == 2 and len(rows(engine, state="all")) == 3


def test_goals_entities_and_strategies_have_tables_of_their_own(engine: Engine) -> None:
    upsert_entity(engine, NewEntity(name="PgBouncer", type="Technology", channel="tidepool"), author=FORGE)
    for number, words in enumerate(("Ship it", "Measure it"), 4):
        goal = add(engine, NewGoal(description=words, priority=number, channel="tidepool"), author=FORGE)
    complete(engine, CompleteGoal(goal_id=goal.id), author=FORGE)
    told = NewStrategy(
        description="Read the log first",
        context_pattern="an outage",
        tool_sequence=("grep",),
        channel="tidepool",
    )
    strategy = learn_strategy(engine, told, author=FORGE).id
    reinforce_strategy(engine, ReinforceStrategy(strategy_id=strategy, success=True), author=FORGE)
    assert [(row.title, row.category) for row in rows(engine, kind="entity")] == [("PgBouncer", "Technology")]
    assert [(row.title, row.state) for row in rows(engine, kind="goal", state="past")] == [
        ("Measure it", "completed")
    ]
    assert titles(engine, kind="goal", state="all", sort="priority") == ["Measure it", "Ship it"]
    (row,) = rows(engine, kind="strategy")
    assert (row.confidence, row.recalled) == (1.0, 2)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"kind": "turn"}, "kind should be"),
        ({"state": "active"}, "state of a fact"),
        ({"kind": "goal", "sort": "confidence"}, "sorted by"),
        ({"limit": 5000}, "limit lies"),
        ({"kind": "entity", "confidence_from": 0.5}, "Only facts"),
    ],
)
def test_what_a_kind_does_not_have_is_refused_in_words(
    engine: Engine, asked: dict[str, object], says: str
) -> None:
    with pytest.raises(BadAsk, match=says):
        rows(engine, **asked)


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sure=st.lists(
        st.tuples(st.floats(0.05, 1), st.sampled_from(["extraction", "explicit"])), min_size=2, max_size=6
    ),
    days=st.floats(0.1, 40),
    sort=st.sampled_from(["confidence", "salience", "recalled", "title", "created"]),
)
def test_the_order_is_that_of_the_numbers_each_row_shows(
    engine: Engine, clock: Clock, sure: list[tuple[float, str]], days: float, sort: str
) -> None:
    made = [
        inferred(engine, claim, confidence)
        if source == "extraction"
        else learn(engine, claim, confidence=confidence)
        for claim, (confidence, source) in ((f"Claim {clock()} of confidence", each) for each in sure)
    ]
    pin(engine, Pin(id=made[0]), author=FORGE)
    clock.pass_days(days)
    rescue(engine, Rescue(id=made[-1]), author=FORGE)
    recall(engine, Query(text="claim of confidence", channel="tidepool", limit=2), author=FORGE)
    clock.pass_days(days)
    found = rows(engine, sort=sort, limit=1000)
    shown = [
        row.created_at if sort == "created" else row.title.lower() if sort == "title" else getattr(row, sort)
        for row in found
    ]
    assert shown == sorted(shown, reverse=True)
    middle = found[len(found) // 2].confidence
    assert middle is not None
    bound = middle + 1e-9
    below = [row.id for row in found if row.confidence is not None and row.confidence < bound]
    assert {row.id for row in rows(engine, confidence_below=bound, limit=1000)} == set(below)
