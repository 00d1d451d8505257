"""Two engines on one desk in a PostgreSQL database: one journal, one feed, each job once, nobody kept waiting."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import psycopg
import pytest

from memdesk.engine.agents.granting import grant
from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.schedule import BY_NAME, ELSEWHERE, close_interrupted, perform
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.memory.working import set_value
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.verify import verify
from memdesk.model.agent import GLOBAL_SCOPE, NewGrant
from memdesk.model.change import Change
from memdesk.model.errors import Conflict, StorageFailed
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.model.working import SetValue
from memdesk.store import audit_log, chain, records
from memdesk.store.store import Store
from tests import postgres
from tests.conftest import until
from tests.store.postgres.test_desk_in_database import desk_in_database
from tests.store.test_write_door import fact, learn, read

ALL = audit_log.AuditFilter()
HELD = """
import sys
from memdesk.store.postgres.store import PostgresStore
store = PostgresStore(sys.argv[1], clock=lambda: 9)
store.submit(lambda db: (print("holds", flush=True), sys.stdin.read())).result()
"""
"""Engine whose transaction is open until its input ends."""


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Engine, Engine]]:
    address = postgres.server().desk()
    opened = tuple(open_engine(desk_in_database(tmp_path / name, address)) for name in "ab")
    yield opened[0], opened[1]
    for engine in opened:
        engine.close()


def opened_store(address: str, clock: Callable[[], int] | None = None) -> Store:
    from memdesk.store.postgres.store import PostgresStore

    return PostgresStore(address, clock=clock or iter(range(5, 10**9)).__next__)


def test_what_both_write_at_once_is_one_journal_without_gaps(both: tuple[Engine, Engine]) -> None:
    def write(number: int) -> int | None:
        fact = NewFact(claim=f"Pump {number} is red", channel="trip")
        return learn_fact(both[number % 2], fact, author="agent:iris").change

    with ThreadPoolExecutor(8) as pool:
        changes = list(pool.map(write, range(60)))
    for engine in both:
        with engine.store.reading() as db:
            assert chain.first_break(db) is None
            events = [id for (id,) in db.rows("SELECT id FROM events ORDER BY id")]
            assert events == list(range(1, len(events) + 1)) and set(changes) <= set(events)
            audited = audit_log.page(db, audit_log.AuditFilter(), 999)
            assert set(changes) <= {row[1 + audit_log.COLUMNS.index("event")] for row in audited}


def test_of_two_that_write_one_id_at_once_one_succeeds_and_the_other_meets_a_conflict(
    both: tuple[Engine, Engine],
) -> None:
    start = Barrier(2)

    def write(store: Store, number: int) -> str:
        born = replace(fact(store, f"Said by {id(store)}"), id=f"f_{number}")
        edits = (records.creation_edit(FACT, born),)
        start.wait(30)
        try:
            store.apply(Change(op="learn", title="", author="agent:a", edits=edits))
        except Conflict as conflict:
            assert (str(conflict.says), conflict.details) == (
                f"Fact {born.id} exists already.",
                {"id": born.id},
            )
            return ""
        return born.claim

    with ThreadPoolExecutor(2) as pool:
        for number in range(20):
            claims = [*pool.map(write, [engine.store for engine in both], [number] * 2)]
            assert claims.count("") == 1
            for engine in both:
                found = read(engine.store, f"f_{number}")
                assert found is not None and found.claim in claims
    for engine in both:
        assert verify(engine).whole
        with engine.store.reading() as db:
            assert db.value("SELECT count(*) FROM searchable WHERE kind = 'fact'") == 20


def test_an_engine_that_slept_while_another_dropped_its_segment_of_the_audit_log_writes_on() -> None:
    address, at = postgres.server().desk(), 1_700_000_000_000_000
    with closing(opened_store(address, lambda: at)) as a, closing(opened_store(address, lambda: at)) as b:
        learn(a, "Mara keeps bees")
        learn(b, "Ines keeps geese")
        at += DAY
        learn(b, "Jun keeps goats")
        with b.reading() as db:
            old, new = sorted(audit_log.days(db))
        b.submit(lambda db: audit_log.close(db, old, at)).result()
        b.submit(lambda db: audit_log.drop(db, old, at)).result()
        for store in (a, b, b, a, a, b):
            learn(store, "Mara keeps hens")
        at -= DAY
        for store in (a, b, a):
            learn(store, "Mara keeps ducks")
        with a.reading() as db:
            assert audit_log.days(db) == [new] and chain.first_break(db) is None
            told = [row[1 + audit_log.COLUMNS.index("event")] for row in audit_log.page(db, ALL, 99)]
            assert told == list(range(12, 2, -1))


def test_each_hears_what_the_other_commits_and_recalls_it(both: tuple[Engine, Engine]) -> None:
    a, b = both
    heard: list[int] = []
    silence = b.store.subscribe(lambda: heard.append(history.head(b)))
    moves, cursor = b.store.working_moves, history.head(b)
    assert not b.agents.rights_of("iris").may_write_global
    fact = learn_fact(a, NewFact(claim="They moved to Porto", channel="trip"), author="agent:iris")
    grant(a, NewGrant(agent="iris", scope=GLOBAL_SCOPE), author="person:Mara")
    set_value(a, SetValue(key="mood", value="good"))
    until(lambda: b.agents.rights_of("iris").may_write_global, "the grant")
    until(lambda: b.store.working_moves > moves, "working memory")
    until(lambda: b.store.mark == a.store.mark and heard[-1:] == [history.head(a)], "the newest change")
    told = [event.id for event in history.feed(b, cursor)]
    assert told == list(range(cursor + 1, history.head(a) + 1)) and fact.change in told
    while embed_pending(a):
        pass
    hits = recall(b, Query(text="Porto", channel="trip"), author="agent:iris").hits
    assert [hit.text for hit in hits] == ["They moved to Porto"]
    silence()


def test_a_job_is_run_by_one_of_them_at_a_time_and_once_when_it_is_due(both: tuple[Engine, Engine]) -> None:
    a, b = both
    job = BY_NAME["decay"]
    with a.store.lease(job.name) as free:
        assert free and not b.store.is_free(job.name)
        with pytest.raises(Conflict):
            perform(b, job, author="person:Mara")
        assert perform(b, job, author="clock", only_due=True) == {"says": ELSEWHERE}
    assert perform(a, job, author="clock", only_due=True)["run"]
    assert perform(b, job, author="clock", only_due=True) == {"says": ELSEWHERE}
    assert perform(b, job, author="person:Mara")["run"]


def test_an_engine_that_starts_closes_only_the_runs_of_those_that_ended(
    both: tuple[Engine, Engine], tmp_path: Path
) -> None:
    a, b = both
    states: list[tuple[int, dict[str, str]]] = []

    def third_starts(_run: Any) -> dict[str, int]:
        closed = close_interrupted(b)
        with b.store.reading() as db:
            states.append((closed, dict(db.rows("SELECT job, state FROM job_runs"))))
        return {}

    b.store.maintain(
        lambda db, *_: db.run(
            "INSERT INTO job_runs (id, job, author, dry, started_at, state, says, result) "
            "VALUES ('run_dead', 'promote', 'clock', 0, 1, 'running', '', '{}')"
        )
    ).result()
    perform(a, made("decay", third_starts), author="clock")
    assert states == [(1, {"promote": "interrupted", "decay": "running"})]


def made(name: str, work: Any) -> Any:
    return replace(BY_NAME[name], work=work)


def test_another_embedder_is_refused_while_the_vectors_are_in_use(both: tuple[Engine, Engine]) -> None:
    from memdesk.store.postgres.engines import others

    a, b = both
    learn_fact(a, NewFact(claim="They moved to Porto", channel="trip"), author="agent:iris")
    while embed_pending(a):
        pass
    with pytest.raises(StorageFailed, match="are of the embedder"):
        b.store.maintain(lambda _db, index, _journal: index.use_model("another")).result()
    with a.store.reading() as db:
        assert db.value("SELECT count(*) FROM vectors") > 0
    b.close()
    # The server notices the end of a connection a moment later.
    until(lambda: a.store.submit(others).result() == 0, "the end of the other engine")
    a.store.maintain(lambda _db, index, _journal: index.use_model("another")).result()


def test_a_frozen_engine_is_cut_off_when_another_waits_for_it() -> None:
    address = postgres.server().desk()
    with closing(opened_store(address)) as store:
        holder = subprocess.Popen(
            [sys.executable, "-c", HELD, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert holder.stdout is not None and holder.stdout.readline() == b"holds\n"
        holder.send_signal(signal.SIGSTOP)
        learn(store, "Mara keeps bees")
        with psycopg.connect(address) as db:
            assert db.execute("SELECT count(*) FROM engines").fetchone() == (2,)
        holder.kill()
        holder.wait()
    with closing(opened_store(address)) as store, store.reading() as db:
        assert db.value("SELECT count(*) FROM engines") == 1
