"""The audit timeline sifted: by word in any script, far down a list, and over a clock that was set back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing import history as indexing
from memdesk.engine.browsing.history import histogram, page
from memdesk.engine.engine import Engine
from memdesk.engine.memory.erase import erase_user
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.files.places import Desk
from memdesk.model.curation import EraseUser
from memdesk.model.errors import StorageFailed
from memdesk.model.history import AskHistogram, AskHistory, EventRow, Histogram
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.remember import NewFact
from memdesk.service import background
from memdesk.service.host import CommitSignal, Host
from memdesk.service.long_acts import Acts, Jobs
from memdesk.store import counters, events, timeline_query
from memdesk.store.connection import Connection
from tests.effort import examples
from tests.engine.conftest import START, Clock
from tests.store.agreement import assert_agreement

CLAIMS = (
    "年度预算会议",
    "Das Übergabe-Protokoll",
    "talk 517 about PostgreSQL",
    "The budget of talk 12",
    "港口关闭",
)
AUTHORS = ("agent:Forge", "agent:Iris", "job:consolidate")


def learn(engine: Engine, claim: str, author: str = "agent:Forge", user_id: str = "local") -> None:
    fact = NewFact(claim=claim, channel="harbour", user_id=user_id, category="decision")
    learn_fact(engine, fact, author=author)


def found(engine: Engine, text: str) -> set[str]:
    """Titles of the events with these words; the page, its count and the histogram must agree."""
    answer = page(engine, AskHistory(text=text))
    counts = histogram(engine, AskHistogram(text=text))
    assert answer.total == len(answer.rows) == sum(counts.by_operation.values()) and not answer.unsearched
    assert sum(map(sum, counts.counts)) == answer.total
    return {row.title for row in answer.rows}


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("预", {0}),
        ("预算", {0}),
        ("年度预算", {0}),
        ("口", {4}),
        ("算口", set()),
        ("ubergabe", {1}),
        ("PROTOKOLL", {1}),
        ("talk", {2, 3}),
        ("talk 5", {2}),
        ("budget talk", {3}),
        ("postgre", {2}),
        ("gresql", set()),
        ("of-talk", {3}),
        ("“budget”", {3}),
        ("?", set()),
        ("AND OR *", set()),
    ],
)
def test_words_are_found_in_titles(engine: Engine, text: str, claims: set[int]) -> None:
    for claim in CLAIMS:
        learn(engine, claim)
    assert found(engine, text) == {CLAIMS[number] for number in claims}


@pytest.mark.parametrize("named", [1, 50])
def test_a_beginning_finds_the_same_named_word_by_word_or_not(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, named: int
) -> None:
    monkeypatch.setattr(timeline_query, "BEGINNINGS", named)
    for claim in ("pump", "pumps run", "the pumping station", "a pu", "pümp", "dump"):
        learn(engine, claim)
    assert found(engine, "pump") == {"pump", "pumps run", "the pumping station", "pümp"}
    assert found(engine, "a p") == {"a pu"} and not found(engine, "pumpkin")


@pytest.mark.both
def test_words_and_every_other_filter_go_together(engine: Engine) -> None:
    for number in range(6):
        learn(engine, f"budget of week {number}", AUTHORS[number % 3])
    rows = page(engine, AskHistory(text="budget", authors=("agent:Iris",))).rows
    assert [row.title for row in rows] == ["budget of week 4", "budget of week 1"]
    with engine.store.reading() as db:
        (touched,) = events.touched(db, [rows[0].id])[rows[0].id][:1]
    assert [row.id for row in page(engine, AskHistory(text="week", record=touched[1])).rows] == [rows[0].id]
    assert page(engine, AskHistory(text="harbour", record=touched[1])).total == 0


def test_what_happened_after_a_question_is_found_by_the_next(engine: Engine) -> None:
    learn(engine, "The first pump")
    assert found(engine, "pump") == {"The first pump"}
    learn(engine, "The second pump")
    assert found(engine, "pump") == {"The first pump", "The second pump"}


def test_a_desk_that_never_had_the_index_gets_it_from_the_newest_on_and_says_how_far(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        learn(engine, f"pump {number} is new")
    newest = page(engine, AskHistory()).total
    engine.store.maintain(lambda db, *_: timeline_query.clear(db, newest)).result()
    monkeypatch.setattr(indexing, "BATCH", 3)
    monkeypatch.setattr(indexing, "AT_ONCE", 3)
    answer = page(engine, AskHistory(text="pump"))
    assert [row.title for row in answer.rows] == [f"pump {number} is new" for number in (8, 7, 6)]
    assert answer.total == 3 and answer.unsearched == newest - 3
    while indexing.index_titles(engine, least=1):
        pass
    assert len(found(engine, "pump")) == 9


def test_a_journal_that_lost_its_end_is_indexed_anew(engine: Engine) -> None:
    for number in range(3):
        learn(engine, f"pump {number}")
    assert len(found(engine, "pump")) == 3
    lost = page(engine, AskHistory()).rows[0]

    def lose(db: Connection) -> None:
        db.run("DELETE FROM changes WHERE id = ?", (lost.id,))

    engine.store.submit(lose).result()
    assert found(engine, "pump") == {"pump 0", "pump 1"}


def test_the_service_indexes_in_the_background(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        learn(engine, f"pump {number}")
    newest = page(engine, AskHistory()).total
    monkeypatch.setattr(indexing, "BATCH", 3)
    monkeypatch.setattr(background, "index_titles", partial(indexing.index_titles, least=1))
    host = Host(
        desk=engine.desk,
        engine=engine,
        jobs=Jobs(),
        acts=Acts(engine.desk.acts, Jobs()),
        started_at=to_datetime(START),
        socket_mark=None,
        stop=lambda: None,
        restore=lambda _: None,
    )

    def left() -> int:
        with engine.store.reading() as db:
            return timeline_query.waiting(db, newest)

    async def scenario() -> None:
        bell = CommitSignal()
        work = asyncio.create_task(background.index_new_titles(host, bell))
        async with asyncio.timeout(20):
            while left():
                await asyncio.sleep(0.01)
        bell.close()
        await work

    assert left() == newest
    asyncio.run(scenario())


def test_on_a_full_disk_what_is_indexed_answers_and_the_rest_is_told(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(engine, "The old pump")
    assert found(engine, "pump")
    learn(engine, "The new pump")

    def full(_engine: Engine, *, least: int) -> int:
        raise StorageFailed("No room.")

    monkeypatch.setattr(indexing, "index_titles", full)
    answer = page(engine, AskHistory(text="pump"))
    assert [row.title for row in answer.rows] == ["The old pump"] and answer.unsearched == 1


def test_counts_of_a_word_are_told_piece_by_piece_newest_first(engine: Engine, clock: Clock) -> None:
    for number in range(10):
        learn(engine, f"pump {number}")
        clock.pass_days(0.1)
    whole = histogram(engine, AskHistogram(text="pump"))
    ask, pieces = AskHistogram(text="pump", limit=4), list[Histogram]()
    while not pieces or pieces[-1].below is not None:
        pieces.append(histogram(engine, replace(ask, before=pieces[-1].below if pieces else None)))
    assert [sum(each.by_operation.values()) for each in pieces] == [4, 4, 2] and whole.below is None
    assert pieces[0].with_older(pieces[1]).with_older(pieces[2]) == whole


def test_an_erased_word_is_found_no_more(engine: Engine) -> None:
    learn(engine, "The xylophone is hers", user_id="odette")
    learn(engine, "The drum is mine")
    assert found(engine, "xylophone")
    erase_user(
        engine, EraseUser(user_id="odette", confirm="odette"), author="person:Mara", progress=ignore_progress
    )
    assert not found(engine, "xylophone") and found(engine, "drum")
    assert_agreement(engine.desk.database)


def test_whatever_the_clock_does_each_row_comes_once_and_counts_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counters, "STRETCH", 8)
    monkeypatch.setattr(timeline_query, "STRETCH", 8)
    drawn, clock = random.Random(7), Clock()
    engine = open_engine(Desk(tmp_path / "desk"), clock=clock)
    for number in range(90):
        clock.pass_days(drawn.choice((0.0, 0.02, 0.5, 2.0, -1.5)))
        clock.at = max(clock.at, START)
        learn(engine, f"Claim {number}", drawn.choice(AUTHORS), drawn.choice(("local", "guest")))
    everything = _all(engine)
    assert len(everything) > 90

    @settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        authors=st.sets(st.sampled_from(AUTHORS)),
        user=st.sampled_from((None, "guest")),
        size=st.integers(1, 30),
        before=st.none() | st.integers(1, 120),
        days=st.none() | st.integers(-1, 40),
    )
    def agrees(authors: set[str], user: str | None, size: int, before: int | None, days: int | None) -> None:
        ask = AskHistory(
            authors=tuple(authors), user_id=user, before=before, since=None if days is None else at_day(days)
        )
        with engine.store.reading() as db:
            low = 1 if days is None else events.first_at(db, START + days * DAY)
        due = [
            row.id
            for row in everything
            if (not authors or row.author in authors)
            and user in (None, row.user_id)
            and (before is None or row.id < before)
            and row.id >= low
        ]
        met = list(_walk(lambda first: page(engine, replace(ask, first=first, limit=size)).rows, size))
        assert [row.id for row in met] == due and page(engine, ask).total == len(due)
        if before is None:
            counts = histogram(engine, AskHistogram(authors=ask.authors, user_id=user, since=ask.since))
            assert sum(counts.by_operation.values()) == len(due)

    agrees()
    engine.close()


def at_day(days: int) -> datetime:
    return to_datetime(START + days * DAY)


def _all(engine: Engine) -> tuple[EventRow, ...]:
    return page(engine, AskHistory(limit=1000)).rows


def _walk(read: Callable[[int], tuple[EventRow, ...]], size: int) -> Iterator[EventRow]:
    first = 0
    while rows := read(first):
        yield from rows
        first += size
