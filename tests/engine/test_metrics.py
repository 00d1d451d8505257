"""The desk in numbers: each says what it claims to, and none holds a word of memory."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.health.status import metrics
from memdesk.engine.jobs.schedule import job_named, perform
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.curation import Undo
from memdesk.model.errors import Conflict
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.status import Metrics
from memdesk.service.exposition import exposed
from tests.engine.conftest import Clock

IRIS = "agent:iris"


def now(engine: Engine) -> Metrics:
    engine.store.submit(lambda _: None).result()
    return metrics(engine, errors={"not_found": 2})


def test_size_counts_every_kind_and_every_byte(engine: Engine) -> None:
    store_turn(engine, NewTurn(content="Cranes lift cargo"), author=IRIS)
    learn_fact(engine, NewFact(claim="Cranes lift cargo", about=("Crane",)), author=IRIS)
    found = now(engine).memory
    assert {name: found.records[name] for name in ("turn", "fact", "entity", "relation", "goal")} == {
        "turn": 1,
        "fact": 1,
        "entity": 1,
        "relation": 1,
        "goal": 0,
    }
    assert found.database_bytes + found.wal_bytes > 100_000
    assert found.working_keys >= 1 and found.working_bytes > 0


def test_recalls_are_counted_with_their_latency(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="Cranes lift cargo"), author=IRIS)
    for number in range(4):
        recall(engine, Query(text=f"who lifts cargo {number}?"), author=IRIS)
    found = now(engine)
    whole = found.recall["recall"]
    assert whole.runs == 4
    assert 0 < whole.p50_ms <= whole.p95_ms <= whole.p99_ms
    assert found.events["recall"] == 4


def test_a_repeated_recall_is_a_cache_hit(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="Cranes lift cargo"), author=IRIS)
    for _ in range(2):
        recall(engine, Query(text="who lifts cargo?"), author="person:Mara")
        engine.store.submit(lambda _: None).result()
    used = now(engine).caches["query_vectors"]
    assert used.misses >= 1
    assert used.rate == used.hits / (used.hits + used.misses)


def test_consolidation_lag_runs_from_the_last_turn_until_it_was_read(engine: Engine, clock: Clock) -> None:
    store_turn(engine, NewTurn(content="I live in Oslo.", conversation_id="c1"), author=IRIS)
    clock.pass_days(0.5)
    waiting = now(engine).consolidation
    assert (waiting.measured, waiting.waiting) == (0, 1)
    assert waiting.oldest_waiting_s == pytest.approx(43_200, abs=1)
    perform(engine, job_named("consolidate"), author="clock")
    done = now(engine).consolidation
    assert (done.measured, done.waiting, done.oldest_waiting_s) == (1, 0, 0.0)
    assert done.p50_s == done.p99_s == pytest.approx(43_200, abs=1)


def test_the_lag_of_what_was_said_long_ago_begins_when_it_came_in(engine: Engine, clock: Clock) -> None:
    said = NewTurn(content="I lived in Oslo.", created_at=None, conversation_id="c1")
    store_turn(engine, said, author=IRIS)
    engine.store.submit(lambda db: db.run("UPDATE turns SET created_at = 1")).result()
    clock.pass_days(1 / 24)
    assert now(engine).consolidation.oldest_waiting_s == pytest.approx(3600, abs=1)


def test_jobs_and_decay_are_told_by_run_and_day(engine: Engine, clock: Clock) -> None:
    for _ in range(2):
        perform(engine, job_named("decay"), author="clock")
        clock.pass_days(1)
    found = now(engine)
    assert found.jobs["decay"].runs == {"done": 2}
    assert found.jobs["decay"].last_s is not None
    assert len(found.decay) == 2
    assert [day.retired for day in found.decay] == [0, 0]


def test_writes_are_counted_by_commit_and_refusal(engine: Engine) -> None:
    known = learn_fact(engine, NewFact(claim="One"), author=IRIS)
    undo(engine, Undo(change=known.change), author=IRIS)
    with pytest.raises(Conflict):
        undo(engine, Undo(change=known.change), author=IRIS)
    found = now(engine)
    assert found.writes.refused == {"conflict": 1}
    assert found.writes.pieces >= found.writes.groups > 3
    assert found.writes.per_group >= 1
    assert found.errors == {"not_found": 2}


def test_prometheus_reads_seconds_bytes_and_totals(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="Cranes lift cargo"), author=IRIS)
    recall(engine, Query(text="who lifts cargo?"), author=IRIS)
    perform(engine, job_named("decay"), author="clock")
    text = exposed(now(engine)).decode()
    for line in (
        "# TYPE memdesk_records gauge",
        'memdesk_records{kind="fact"} 1.0',
        'memdesk_recall_seconds{quantile="0.95",technique="recall"}',
        'memdesk_recall_runs_total{technique="recall"} 1.0',
        "# TYPE memdesk_database_bytes gauge",
        "memdesk_write_group_size_count",
        'memdesk_errors_total{code="not_found"} 2.0',
        'memdesk_job_runs{job="decay",state="done"} 1.0',
        'memdesk_decayed{what="retired"} 0.0',
    ):
        assert line in text


def test_no_metric_holds_a_word_of_memory(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="The quokka sleeps", channel="zanzibar", user_id="odette"), author=IRIS)
    recall(engine, Query(text="quokka", channel="zanzibar", user_id="odette"), author="agent:fjord")
    found = now(engine)
    told = str(asdict(found)) + exposed(found).decode()
    assert not [word for word in ("quokka", "zanzibar", "odette", "fjord") if word in told]
