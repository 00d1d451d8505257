"""The review queue: both sides of every question, one answer each, and undo takes an answer back with its effect."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.graph import graph
from memdesk.engine.browsing.heatmap import heatmap
from memdesk.engine.browsing.lists import facts
from memdesk.engine.browsing.tables import table
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import store_turn, upsert_entity
from memdesk.engine.memory.review_queue import contradictions, count_review, propose, review
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.change import Change
from memdesk.model.curation import EditFact, Promote, Retire, Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.graph import AskGraph, AskSalience
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewTurn
from memdesk.model.review import AskContradictions, AskReview, CountReview, Decide, Decided, Propose, Question
from memdesk.model.timeline import AskTable
from memdesk.store import proposing, records
from memdesk.store.connection import Connection
from tests.engine.conftest import stored_fact

FORGE, MARA = "agent:Forge", "person:Mara"


def learn(engine: Engine, claim: str, channel: str = "harbour", **more: Any) -> str:
    return stored_fact(engine, claim, channel, **more)


def fact_of(engine: Engine, id: str) -> Fact:
    with engine.store.reading() as db:
        found: Fact = records.need(db, FACT, id)
    return found


def ask(engine: Engine, type: str, subject: str, other: str | None, **details: Any) -> str:
    def verb(db: Connection) -> tuple[Change | None, str]:
        draft = Draft(
            engine=engine, db=db, user_id="local", channel="harbour", agent_id=None, at=engine.clock()
        )
        id = draft.propose(type, subject, other, reason="both cannot hold", details=details)
        assert id is not None
        return Change(op="learn", title="Asked", author="job:consolidate", edits=tuple(draft.edits)), id

    return engine.store.decide(verb)[1]


def questions(engine: Engine, **wanted: Any) -> tuple[Question, ...]:
    return review(engine, AskReview(**wanted)).rows


def answer(engine: Engine, id: str, decision: str, **more: Any) -> Decided:
    return decide(engine, Decide(id=id, decision=decision, **more), author=MARA)


@pytest.fixture
def clash(engine: Engine) -> tuple[str, str, str]:
    """(question, newer fact, older fact) of two claims that cannot both hold."""
    turns = [
        store_turn(
            engine, NewTurn(content=content, speaker="Mara", channel="harbour", created_at=at), author=FORGE
        ).id
        for content, at in (
            ("I live in Brest.", datetime(2025, 1, 1, tzinfo=UTC)),
            ("I live in Porto.", datetime(2025, 5, 1, tzinfo=UTC)),
        )
    ]
    older = learn(
        engine, "Mara lives in Brest", about=("Mara",), source_turn_id=turns[0], quote="I live in Brest."
    )
    newer = learn(engine, "Mara lives in Porto", about=("Mara",), source_turn_id=turns[1])
    return ask(engine, "contradiction", newer, older), newer, older


def test_a_question_shows_both_sides_with_where_they_come_from(
    engine: Engine, clash: tuple[str, str, str]
) -> None:
    (question,) = questions(engine)
    assert (question.subject.id, question.other and question.other.id) == clash[1:]
    assert question.reason == "both cannot hold" and "keep_other" in question.decisions
    assert question.other is not None and question.other.fact is not None
    assert (
        question.other.provenance.quote == "I live in Brest." and question.other.provenance.speaker == "Mara"
    )
    counted = count_review(engine, CountReview())
    assert (counted.total, counted.by_type, counted.by_channel) == (1, {"contradiction": 1}, {"harbour": 1})


def test_facts_with_an_open_contradiction_say_so_until_it_is_answered(
    engine: Engine, clash: tuple[str, str, str]
) -> None:
    question, newer, older = clash
    alone = learn(engine, "The crane is yellow")

    def asked() -> list[dict[str, str]]:
        listed = facts(engine, ListFacts(channels=("harbour",))).rows
        rows = table(engine, AskTable(kind="fact")).rows
        return [
            {row.id: row.question for row in listed if row.question},
            {row.id: row.question for row in rows if row.question},
            {row.id: row.question for row in heatmap(engine, AskSalience()).rows if row.question},
            contradictions(engine, AskContradictions(ids=(newer, older, alone))).questions,
        ]

    both = {newer: question, older: question}
    assert asked() == [both] * 4
    assert inspect(engine, Inspect(id=older)).fact.question == question  # type: ignore[union-attr]
    drawn = graph(engine, AskGraph(center=newer, hops=1)).nodes
    assert {node.id: node.question for node in drawn if node.question} == {newer: question}
    retire(engine, Retire(id=older), author=MARA)
    assert asked() == [{}] * 4, "the question waits no more either"
    with pytest.raises(BadAsk, match="1,000 facts at most"):
        contradictions(engine, AskContradictions(ids=(newer,) * 1001))


@pytest.mark.parametrize(("decision", "kept"), [("keep_subject", 1), ("keep_other", 2)])
def test_keeping_one_side_makes_the_other_past_and_undo_opens_the_question_again(
    engine: Engine, clash: tuple[str, str, str], decision: str, kept: int
) -> None:
    done = answer(engine, clash[0], decision, reason="she said so")
    (row,) = facts(engine, ListFacts()).rows
    gone = fact_of(engine, clash[3 - kept])
    assert row.id == done.memory == clash[kept] and (gone.temporal, gone.superseded_by) == (
        "past",
        clash[kept],
    )
    assert questions(engine) == () and questions(engine, state="accepted")[0].decision == decision
    with pytest.raises(Conflict, match="decided already"):
        answer(engine, clash[0], "dismiss")
    undo(engine, Undo(change=done.change), author=MARA)
    assert facts(engine, ListFacts()).total == 2 and questions(engine)[0].status == "open"


def test_both_sides_can_be_true_each_in_its_time(engine: Engine, clash: tuple[str, str, str]) -> None:
    answer(engine, clash[0], "both")
    newer, older = fact_of(engine, clash[1]), fact_of(engine, clash[2])
    moved = round(datetime(2025, 5, 1, tzinfo=UTC).timestamp() * 1_000_000)
    assert (older.temporal, older.valid_to, older.superseded_by) == ("past", moved, None)
    assert (newer.temporal, newer.valid_from) == ("current", moved)
    undo(engine, Undo(), author=MARA)
    at = datetime(2025, 3, 1, tzinfo=UTC)
    answer(engine, clash[0], "both", at=at)
    assert fact_of(engine, clash[2]).valid_to == round(at.timestamp() * 1_000_000)


def test_one_claim_can_take_the_place_of_both_with_the_sources_of_both(
    engine: Engine, clash: tuple[str, str, str]
) -> None:
    with pytest.raises(BadAsk, match="needs the claim"):
        answer(engine, clash[0], "merge")
    done = answer(engine, clash[0], "merge", text="Mara moved from Brest to Porto")
    (row,) = facts(engine, ListFacts()).rows
    assert (row.id, row.conversations) == (done.memory, 2)
    assert [each.title for each in inspect(engine, Inspect(id=row.id)).about] == ["Mara"]
    undo(engine, Undo(), author=MARA)
    assert facts(engine, ListFacts()).total == 2 and len(questions(engine)) == 1


def test_a_dismissed_question_is_never_asked_again(engine: Engine, clash: tuple[str, str, str]) -> None:
    answer(engine, clash[0], "dismiss", reason="two Maras")
    assert facts(engine, ListFacts()).total == 2 and questions(engine) == ()
    with engine.store.reading() as db:
        assert proposing.was_proposed(db, "contradiction", clash[2], clash[1])
    assert questions(engine, state="all")[0].status == "dismissed"


def test_a_question_about_memory_that_left_waits_no_more_until_it_is_back(
    engine: Engine, clash: tuple[str, str, str]
) -> None:
    retire(engine, Retire(id=clash[2]), author=MARA)
    assert questions(engine) == () and count_review(engine, CountReview()).total == 0
    with pytest.raises(Conflict, match="has left recall"):
        answer(engine, clash[0], "keep_subject")
    undo(engine, Undo(), author=MARA)
    assert len(questions(engine)) == 1


def test_an_agent_proposes_a_promotion_once_and_the_owner_promotes(engine: Engine) -> None:
    fact = learn(engine, "Lights need a yearly check")
    wish = Propose(type="promotion", fact_id=fact, reason="every project asks", agent_id="Forge")
    asked = propose(engine, wish, author=FORGE)
    assert propose(engine, wish, author=FORGE).repeated
    (question,) = questions(engine, types=("promotion",))
    assert question.agent_id == "Forge" and question.details["thresholds"]["confidence"]["needed"] == 0.85
    done = answer(engine, asked.id, "promote", reason="it holds everywhere")
    assert fact_of(engine, done.memory).promoted_from == fact
    undo(engine, Undo(change=done.change), author=MARA)
    assert questions(engine)[0].id == asked.id and facts(engine, ListFacts()).total == 1
    answer(engine, asked.id, "dismiss")
    again = propose(engine, wish, author=FORGE)
    assert (again.id, again.status, again.change) == (asked.id, "dismissed", None)


def test_who_promotes_by_hand_has_answered_the_proposal(engine: Engine) -> None:
    fact = learn(engine, "Lights need a yearly check")
    asked = propose(engine, Propose(type="promotion", fact_id=fact, reason="useful"), author=FORGE)
    promote(engine, Promote(fact_id=fact), author=MARA)
    with pytest.raises(Conflict, match="decided already: promote"):
        answer(engine, asked.id, "dismiss")
    undo(engine, Undo(), author=MARA)
    assert questions(engine)[0].id == asked.id


def test_a_correction_is_applied_to_the_claim_as_it_was_seen(engine: Engine) -> None:
    fact = learn(engine, "The ferry leaves at nine")
    wish = Propose(type="correction", fact_id=fact, claim="The ferry leaves at ten", reason="new timetable")
    first = propose(engine, wish, author=FORGE)
    other = Propose(type="correction", fact_id=fact, claim="The ferry leaves at eight", reason="older")
    second = propose(engine, other, author=FORGE)
    assert first.id != second.id and propose(engine, wish, author=FORGE).repeated
    done = answer(engine, first.id, "apply")
    assert fact_of(engine, fact).claim == "The ferry leaves at ten"
    with pytest.raises(Conflict, match="changed since"):
        answer(engine, second.id, "apply")
    undo(engine, Undo(change=done.change), author=MARA)
    assert fact_of(engine, fact).claim == "The ferry leaves at nine"
    edit_fact(engine, EditFact(fact_id=fact, confidence=0.5), author=MARA)
    learn(engine, "The ferry leaves at ten")
    with pytest.raises(Conflict, match="claims that already"):
        answer(engine, first.id, "apply")


@pytest.mark.both
def test_duplicates_become_one_by_an_answer(engine: Engine) -> None:
    ids = [
        upsert_entity(engine, NewEntity(name=name, channel="harbour"), author=FORGE).id
        for name in ("PostgreSQL", "Postgres")
    ]
    learn(engine, "The log runs on Postgres", about=("Postgres",))
    question = ask(engine, "duplicate", ids[1], ids[0])
    (shown,) = questions(engine)
    assert (shown.subject.title, shown.subject.about) == ("Postgres", 1)
    done = answer(engine, question, "merge")
    assert done.memory == ids[0] and questions(engine) == ()
    assert [each.title for each in inspect(engine, Inspect(id=ids[0])).related] == [
        "The log runs on Postgres"
    ]
    named = Query(text="Postgres", channel="harbour", kinds=("entity",))
    assert [hit.id for hit in recall(engine, named, author=FORGE).hits] == [ids[0]]
    undo(engine, Undo(change=done.change), author=MARA)
    assert len(questions(engine)) == 1
    assert [hit.id for hit in recall(engine, named, author=FORGE).hits] == [ids[1]]


def test_pages_of_the_queue_follow_each_other_without_gaps(engine: Engine) -> None:
    ids = [learn(engine, f"Boat {n} needs paint") for n in range(5)]
    for id in ids:
        propose(engine, Propose(type="promotion", fact_id=id, reason="useful"), author=FORGE)
    seen, before = [], None
    while True:
        page = review(engine, AskReview(limit=2, after=before))
        seen += [row.subject.id for row in page.rows]
        if (before := page.next) is None:
            break
    assert seen == ids[::-1]
    assert [row.subject.id for row in questions(engine, channels=("nowhere",))] == []


def test_answers_and_asks_that_make_no_sense_are_refused(engine: Engine, clash: tuple[str, str, str]) -> None:
    with pytest.raises(BadAsk, match="is answered by"):
        answer(engine, clash[0], "promote")
    with pytest.raises(NotFound):
        answer(engine, "q_nowhere", "dismiss")
    with pytest.raises(BadAsk):
        questions(engine, state="undecided")
    with pytest.raises(BadAsk):
        questions(engine, types=("gossip",))
    for wish in (
        Propose(type="duplicate", fact_id=clash[1], reason="x"),
        Propose(type="promotion", fact_id=clash[1], reason=" "),
        Propose(type="correction", fact_id=clash[1], reason="x", claim="mara lives in porto."),
    ):
        with pytest.raises(BadAsk):
            propose(engine, wish, author=FORGE)


def test_details_of_a_decision_are_in_the_timeline(engine: Engine, clash: tuple[str, str, str]) -> None:
    done = answer(engine, clash[0], "keep_subject", reason="she said so")
    with engine.store.reading() as db:
        details = json.loads(db.value("SELECT details FROM changes WHERE id = ?", (done.change,)))
    assert {name: value for name, value in details.items() if name != "message"} == {
        "question": clash[0],
        "type": "contradiction",
        "decision": "keep_subject",
        "reason": "she said so",
    }
