"""Triage: an answer is seen before it is given, and one answer to many questions is one run."""

from __future__ import annotations

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.remember import learn_fact, upsert_entity
from memdesk.engine.memory.review_queue import (
    check,
    count_review,
    decide_all,
    preview_decision,
    propose,
    review,
)
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.model.change import Change
from memdesk.model.curation import UndoRun
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.remember import NewEntity, NewFact
from memdesk.model.review import (
    DECIDED_AT_MOST,
    AskReview,
    CountReview,
    Decide,
    DecideAll,
    DecisionPreview,
    Propose,
)
from memdesk.store.connection import Connection
from tests.engine.conftest import stored_fact

FORGE, MARA = "agent:Forge", "person:Mara"


def learn(engine: Engine, claim: str) -> str:
    return stored_fact(engine, claim, "harbour", about=("Mara",))


def clash(engine: Engine, type: str, subject: str, other: str) -> str:
    def verb(db: Connection) -> tuple[Change | None, str]:
        draft = Draft(
            engine=engine, db=db, user_id="local", channel="harbour", agent_id=None, at=engine.clock()
        )
        id = draft.propose(type, subject, other, reason="both cannot hold")
        assert id is not None
        return Change(op="learn", title="Asked", author="job:consolidate", edits=tuple(draft.edits)), id

    return engine.store.decide(verb)[1]


def seen(engine: Engine, id: str, decision: str, **more: str) -> DecisionPreview:
    return preview_decision(engine, Decide(id=id, decision=decision, **more), author=MARA)


@pytest.fixture
def homes(engine: Engine) -> tuple[str, str, str]:
    older, newer = learn(engine, "Mara lives in Brest"), learn(engine, "Mara lives in Porto")
    return clash(engine, "contradiction", newer, older), newer, older


def test_a_preview_says_what_the_decision_then_does_and_writes_nothing(
    engine: Engine, homes: tuple[str, str, str]
) -> None:
    question, newer, older = homes
    head = history.head(engine)
    kept = seen(engine, question, "keep_subject")
    assert [(each.id, each.does) for each in kept.effects] == [(older, "gives way")]
    assert ("temporal", "past") in [(move.field, move.after) for move in kept.effects[0].moves]
    both = seen(engine, question, "both")
    assert {(each.id, each.does) for each in both.effects} == {(newer, "changes"), (older, "changes")}
    said = seen(engine, question, "merge", text="Mara moved from Brest to Porto")
    assert {each.does for each in said.effects} == {"is new", "gives way"}
    assert seen(engine, question, "dismiss").effects == ()
    assert history.head(engine) == head
    done = decide(engine, Decide(id=question, decision="keep_subject"), author=MARA)
    assert done.memory == newer


def test_a_preview_says_why_an_answer_would_be_refused(engine: Engine, homes: tuple[str, str, str]) -> None:
    question, _, _ = homes
    assert "claim that takes the place" in seen(engine, question, "merge").why_not
    assert "is answered by" in seen(engine, question, "promote").why_not
    decide(engine, Decide(id=question, decision="dismiss"), author=MARA)
    assert "decided already" in seen(engine, question, "keep_other").why_not
    with pytest.raises(NotFound):
        seen(engine, "q_none", "dismiss")


def test_the_preview_of_a_promotion_shows_the_copy(engine: Engine) -> None:
    fact = learn(engine, "Mara prefers window seats")
    asked = propose(engine, Propose(type="promotion", fact_id=fact, reason="said often"), author=FORGE)
    effects = seen(engine, asked.id, "promote").effects
    assert [(each.kind, each.channel, each.does) for each in effects if each.kind == "fact"] == [
        ("fact", "_global", "is new")
    ]


def test_the_preview_of_a_join_counts_what_goes_along(engine: Engine) -> None:
    one = upsert_entity(engine, NewEntity(name="PgBouncer", channel="harbour"), author=FORGE).id
    other = upsert_entity(engine, NewEntity(name="PG Bouncer", channel="harbour"), author=FORGE).id
    learn_fact(
        engine, NewFact(claim="Writers use it", channel="harbour", about=("PG Bouncer",)), author=FORGE
    )
    found = seen(engine, clash(engine, "duplicate", other, one), "merge")
    assert [(each.id, each.does) for each in found.effects] == [(other, "gives way"), (one, "stays")]
    assert found.merge is not None and found.merge.about == 1


def test_one_answer_to_many_is_one_run_that_is_taken_back_whole(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="Ships have names", channel="_global"), author=FORGE)
    asked = [
        propose(
            engine,
            Propose(type="promotion", fact_id=learn(engine, f"Ship {number} is blue"), reason="told"),
            author=FORGE,
        ).id
        for number in range(4)
    ]
    decide(engine, Decide(id=asked[0], decision="dismiss"), author=MARA)
    done = decide_all(
        engine, DecideAll(ids=tuple(asked), decision="promote"), author=MARA, progress=ignore_progress
    )
    assert done["decided"] == 3 and list(done["left"]) == [asked[0]]
    assert count_review(engine, CountReview()).total == 0
    back = undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)
    assert back["undone"] == 3
    assert {each.id for each in review(engine, AskReview()).rows} == set(asked[1:])


def test_too_many_questions_at_once_are_refused() -> None:
    with pytest.raises(BadAsk):
        check(DecideAll(ids=(), decision="dismiss"))
    with pytest.raises(BadAsk):
        check(DecideAll(ids=tuple(f"q_{n}" for n in range(DECIDED_AT_MOST + 1)), decision="dismiss"))
