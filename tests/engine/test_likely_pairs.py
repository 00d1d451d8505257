"""Facts that likely clash or repeat each other: asked about soon after they were learned, once, and never acted on."""

from __future__ import annotations

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs import likely_pairs
from memdesk.engine.jobs.likely_pairs import ask_about_new
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.quarantine import quarantine
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.memory.review_queue import review
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo, undo_run
from memdesk.model.curation import Undo, UndoRun
from memdesk.model.fact import FACT, IMPORTED, Fact
from memdesk.model.remember import NewFact
from memdesk.model.review import AskReview, Quarantine
from memdesk.store import records, run_context
from tests.engine.conftest import embed_all, stored_fact

FORGE, CLOCK = "agent:Forge", "clock"
OLD, AGAIN = (
    "The crew's briefing takes place every Thursday at 2 pm",
    "Each Thursday at 14:00 the crew gets its briefing",
)
SOLD = "The harbour café was sold and is a bank now"
OWNED = "The harbour café belongs to Wilhelmina"


def learn(engine: Engine, claim: str, channel: str = "pier", author: str = FORGE, **more: str) -> int:
    return learn_fact(engine, NewFact(claim=claim, channel=channel, **more), author=author).change


def ask(engine: Engine) -> int:
    embed_all(engine)
    return ask_about_new(engine)


def questions(engine: Engine) -> list[tuple[str, str, str]]:
    rows = review(engine, AskReview()).rows
    return [(row.type, row.subject.title, row.other.title) for row in rows if row.subject and row.other]


def current(engine: Engine) -> list[Fact]:
    with engine.store.reading() as db:
        return records.find(db, FACT, superseded_by=None, retired_at=None)


@pytest.mark.parametrize(("old", "new", "type"), [(OLD, AGAIN, "duplicate"), (OWNED, SOLD, "contradiction")])
def test_what_is_learned_in_other_words_is_asked_about_once_and_both_stay(
    engine: Engine, old: str, new: str, type: str
) -> None:
    learn(engine, old)
    ask(engine)
    learn(engine, new)
    assert ask(engine) == 1 and ask(engine) == 0
    assert questions(engine) == [(type, new, old)]
    assert len(current(engine)) == 2
    assert perform(engine, BY_NAME["checkup"], author=CLOCK)["asked"] == 0


def test_the_facts_that_were_there_before_are_not_counted_as_come_in_bulk(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(likely_pairs, "NEW_AT_MOST", 2)
    learn(engine, OLD)
    learn(engine, "Vera keeps the tide tables")
    ask(engine)
    learn(engine, AGAIN)
    assert ask(engine) == 1


def test_the_checkup_asks_about_what_was_there_before(engine: Engine) -> None:
    learn(engine, OLD)
    learn(engine, AGAIN)
    assert ask(engine) == 0, "nothing was new since the desk was opened"
    assert perform(engine, BY_NAME["checkup"], author=CLOCK)["duplicate"] == 1
    assert questions(engine) == [("duplicate", AGAIN, OLD)]


def test_other_channels_imports_and_the_same_turn_are_left_alone(engine: Engine) -> None:
    learn(engine, OLD)
    ask(engine)
    learn(engine, AGAIN, channel="quay")
    stored_fact(engine, AGAIN, "pier", source=IMPORTED)
    assert ask(engine) == 0


def test_what_is_in_quarantine_is_asked_about_there_alone(engine: Engine) -> None:
    learn(engine, OLD)
    ask(engine)
    learn(engine, AGAIN)
    (fact,) = [fact for fact in current(engine) if fact.claim == AGAIN]
    quarantine(engine, Quarantine(id=fact.id), author="person:Mara")
    assert ask(engine) == 0


def test_a_series_of_alike_facts_is_none_of_duplicates(engine: Engine) -> None:
    ask(engine)
    for place in ("first", "second", "third", "fourth", "fifth"):
        learn(engine, f"The {place} crew's briefing takes place every Thursday at 2 pm")
    ask(engine)
    learn(engine, "Each Thursday at 14:00 every crew gets its briefing")
    ask(engine)
    assert questions(engine) == []


def test_a_run_is_undone_with_the_questions_about_it(engine: Engine) -> None:
    learn(engine, OLD)
    ask(engine)
    with run_context.one_run("run_of_the_crew"):
        change = learn(engine, AGAIN)
    assert ask(engine) == 1
    undo_run(engine, UndoRun(change=change), author=FORGE, progress=ignore_progress)
    assert questions(engine) == [] and [fact.claim for fact in current(engine)] == [OLD]


def test_a_run_that_learned_both_sides_of_a_question_is_undone_whole(engine: Engine) -> None:
    ask(engine)
    with run_context.one_run("run_of_the_crew"):
        learn(engine, OLD)
        change = learn(engine, AGAIN)
    assert ask(engine) == 1
    undone = undo_run(engine, UndoRun(change=change), author=FORGE, progress=ignore_progress)
    assert undone["left"] == {} and questions(engine) == [] and current(engine) == []


def test_learning_is_undone_with_the_question_about_it(engine: Engine) -> None:
    learn(engine, OLD)
    ask(engine)
    change = learn(engine, AGAIN)
    assert ask(engine) == 1
    undone = undo(engine, Undo(change=change), author=FORGE)
    assert questions(engine) == []
    assert ask(engine) == 0
    undo(engine, Undo(change=undone.change), author=FORGE)
    assert questions(engine) == [("duplicate", AGAIN, OLD)]
