"""The audit timeline narrowed to a conversation, a session, a user or a run, and walked page by page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.history import histogram, page, users
from memdesk.engine.context.sessions import create_session, reset_session
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import begin
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.curation import Undo
from memdesk.model.history import AskEvent, AskHistogram, AskHistory, EventRow
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.session import NamedSession, NewSession
from memdesk.store.run_context import one_run

AGENT = "agent:Forge"


def say(engine: Engine, content: str, conversation: str, user_id: str = "local") -> str:
    turn = NewTurn(content=content, channel="harbor-web", conversation_id=conversation, user_id=user_id)
    return store_turn(engine, turn, author=AGENT).id


def ops(rows: tuple[EventRow, ...]) -> list[str]:
    return [row.op for row in rows]


def test_a_conversation_shows_what_was_said_learned_and_recalled_in_it(engine: Engine) -> None:
    turn = say(engine, "We deploy on Fridays", "c-one")
    say(engine, "Something else", "c-two")
    fact = NewFact(claim="Deploys are on Fridays", channel="harbor-web", source_turn_id=turn)
    learn_fact(engine, fact, author=AGENT)
    recall(engine, Query(text="deploys", channel="harbor-web", conversation_id="c-one"), author=AGENT)
    recall(engine, Query(text="deploys", channel="harbor-web"), author=AGENT)
    # A recall is written down soon after it is answered, in turn with other writes.
    learn_fact(engine, NewFact(claim="Unrelated", channel="harbor-web"), author=AGENT)
    found = page(engine, AskHistory(conversation_id="c-one"))
    assert ops(found.rows) == ["recall", "learn", "store"] and found.total == 3
    counts = histogram(engine, AskHistogram(conversation_id="c-one"))
    assert counts.by_operation == {"recall": 1, "learn": 1, "store": 1}
    assert sum(map(sum, counts.counts)) == 3


def test_a_session_shows_every_conversation_it_has_had(engine: Engine) -> None:
    first = create_session(engine, NewSession(channel="harbor-web", session_id="s-1"), author=AGENT)
    say(engine, "In the first", first.conversation_id)
    second = reset_session(engine, NamedSession(session_id="s-1"), author=AGENT)
    say(engine, "In the second", second.conversation_id)
    say(engine, "In none", "c-other")
    titles = [row.title for row in page(engine, AskHistory(session_id="s-1")).rows]
    assert sum("In the" in title for title in titles) == 2
    assert not any("In none" in title for title in titles)


def test_a_user_shows_what_is_theirs_and_each_user_is_listed(engine: Engine) -> None:
    say(engine, "Mine", "c-mine")
    say(engine, "Theirs", "c-theirs", user_id="guest")
    assert users(engine).rows == ("guest", "local")
    found = page(engine, AskHistory(user_id="guest"))
    assert {row.user_id for row in found.rows} == {"guest"}
    assert sum(histogram(engine, AskHistogram(user_id="guest")).by_operation.values()) == found.total


def test_a_walk_by_number_meets_each_event_once_whatever_comes_meanwhile(engine: Engine) -> None:
    for number in range(7):
        say(engine, f"Turn {number}", "c-long")
    there = [row.id for row in page(engine, AskHistory(channels=("harbor-web",))).rows]
    met: list[int] = []
    before = None
    while rows := page(engine, AskHistory(channels=("harbor-web",), limit=3, before=before)).rows:
        met += [row.id for row in rows]
        before = rows[-1].id
        say(engine, "Meanwhile", "c-other")
    assert met == there and len(there) >= 7


def test_by_run_a_run_is_one_row_at_its_newest_change_with_the_number_of_its_changes(engine: Engine) -> None:
    say(engine, "Before", "c-one")
    with one_run("run_of_three"):
        for number in range(3):
            learn_fact(engine, NewFact(claim=f"Berth {number} is free", channel="harbor-web"), author=AGENT)
    say(engine, "After", "c-one")
    asked = AskHistory(channels=("harbor-web",), by_run=True)
    every = page(engine, replace(asked, by_run=False))
    found = page(engine, asked)
    assert [(row.run, row.of_run) for row in found.rows if row.run] == [("run_of_three", 3)]
    assert len(found.rows) == len(every.rows) - 2 and found.total == every.total
    newest = next(row for row in every.rows if row.run == "run_of_three")
    assert newest.id in [row.id for row in found.rows]
    assert page(engine, replace(asked, limit=2)).rows == found.rows[:2]
    assert page(engine, replace(asked, operations=("learn",))).rows[0].of_run == 3
    assert page(engine, replace(asked, first=2)).rows == found.rows[2:]
    changes = [row.id for row in every.rows if row.run == "run_of_three"]
    for number, change in enumerate(changes):
        (row,) = (row for row in page(engine, asked).rows if row.run == "run_of_three")
        assert row.undone_by is None and row.id == changes[number]
        undo(engine, Undo(change=change), author="person:Mara")
    assert next(row for row in page(engine, asked).rows if row.run == "run_of_three").undone_by


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_rows_by_run_are_the_same_however_many_events_are_read_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    for run in ("run_alone", "run_amid"):
        for number in range(5):
            with one_run(run):
                fact = NewFact(claim=f"Berth {number} is free for {run}", channel="harbor-web")
                learn_fact(engine, fact, author=AGENT)
            if run == "run_amid":
                say(engine, f"Meanwhile {number}", "c-one")
    asked = AskHistory(by_run=True)
    found = page(engine, asked)
    assert [row.of_run for row in found.rows if row.run] == [5, 6], "the first fact also makes the channel"
    assert sum(row.run is None for row in found.rows) >= 5
    monkeypatch.setattr(history, "WINDOW_ROWS", rows)
    assert page(engine, asked).rows == found.rows


def test_a_run_that_a_job_ends_is_shown_by_what_began_it(engine: Engine) -> None:
    with one_run("run_import"):
        learn_fact(engine, NewFact(claim="Berth 1 is free", channel="harbor-web"), author="person:Mara")
        learn_fact(engine, NewFact(claim="Berth 2 is free", channel="harbor-web"), author="job:consolidate")
    asked = AskHistory(by_run=True)
    (row,) = (row for row in page(engine, asked).rows if row.run)
    assert (row.author, "Berth 1" in str(row.title), row.of_run) == ("person:Mara", True, 3)
    (by_job,) = page(engine, replace(asked, authors=("job:consolidate",))).rows
    assert "Berth 2" in str(by_job.title)


def test_undo_of_a_consolidation_is_told_without_the_fields_of_its_bookkeeping(engine: Engine) -> None:
    say(engine, "We deploy on Fridays", "c-one")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    (row, *_) = page(engine, AskHistory(conversation_id="c-one", authors=("job:consolidate",))).rows
    said = str(history.event(engine, AskEvent(id=row.id)).if_undone)
    assert "turns to read back" in said and "consolidated" not in said
