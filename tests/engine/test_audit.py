"""The audit log beside the journal: its levels, its rows, its days, and the chain that vouches for the journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine import verify as verifying
from memdesk.engine.browsing.history import histogram
from memdesk.engine.engine import Engine
from memdesk.engine.health.audit import page, segment_list
from memdesk.engine.health.status import status
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import drop_old_segments
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.memory.working import get_value, set_value
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.curation import EditFact, Promote, Undo
from memdesk.model.errors import BadAsk, Cancelled, Conflict
from memdesk.model.history import AskAudit, Asker, AskHistogram, AuditRow
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.working import AskValue, SetValue
from memdesk.store.audit_log import asked_by
from memdesk.store.connection import Connection
from memdesk.store.store import Failing
from tests.engine.conftest import Clock
from tests.store.agreement import assert_agreement, opened

IRIS = "agent:iris"


def level(engine: Engine, name: str, **more: Any) -> None:
    engine.use(replace(engine.settings, audit_level=name, **more))


def rows(engine: Engine, **asked: Any) -> tuple[AuditRow, ...]:
    return page(engine, AskAudit(**asked)).rows


def settle(engine: Engine) -> None:
    """Wait until what was queued behind an answer is written."""
    engine.store.submit(lambda _: None).result()


def test_a_write_is_logged_with_whose_it_is_and_the_change_it_tells_of(engine: Engine) -> None:
    turn = store_turn(engine, NewTurn(content="We moved to Oslo", channel="atlas"), author=IRIS)
    (row,) = rows(engine, operations=("store",))
    assert (row.operation, row.memory_type, row.author, row.user_id) == ("store", "episodic", IRIS, "local")
    assert (row.source_channel, row.conversation_id, row.event) == (
        "atlas",
        turn.conversation_id,
        turn.change,
    )
    assert row.success and row.error_message is None and row.result_count == 2
    assert row.title.endswith("We moved to Oslo")
    assert turn.id in row.records
    assert row.metadata == {}


def test_a_fact_is_found_by_the_conversation_it_was_read_from(engine: Engine) -> None:
    turn = store_turn(engine, NewTurn(content="We moved to Oslo"), author=IRIS)
    learn_fact(engine, NewFact(claim="They live in Oslo", source_turn_id=turn.id), author=IRIS)
    found = rows(engine, conversation_id=turn.conversation_id)
    assert [row.operation for row in found] == ["learn", "store"]


def test_a_promotion_is_logged_with_what_it_was_judged_by(engine: Engine) -> None:
    known = learn_fact(
        engine, NewFact(claim="Ships dock at noon", channel="atlas", confidence=0.9), author=IRIS
    )
    promote(engine, Promote(fact_id=known.id, reason="all need it"), author="person:Mara")
    (row,) = rows(engine, operations=("promote",))
    assert row.promoted_from_channel == "atlas"
    assert row.target_channels == ("_global",)
    assert (row.promotion_confidence, row.promotion_access_count, row.promotion_conversation_count) == (
        0.9,
        0,
        0,
    )


def test_the_settings_of_the_moment_go_with_every_row_and_are_kept_once(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="One"), author=IRIS)
    learn_fact(engine, NewFact(claim="Two"), author=IRIS)
    engine.use(replace(engine.settings, promote_recalls=9, person="Mara"))
    learn_fact(engine, NewFact(claim="Three"), author=IRIS)
    found = page(engine, AskAudit(operations=("learn",), memory_types=("semantic",)))
    kept = [found.configs[row.config_snapshot]["promote_recalls"] for row in found.rows]
    assert kept == [9, 5, 5]
    assert len(found.configs) == 2
    assert "person" not in found.configs[found.rows[0].config_snapshot]


def test_off_keeps_nothing_and_the_journal_all(engine: Engine) -> None:
    level(engine, "off")
    known = learn_fact(engine, NewFact(claim="One"), author=IRIS)
    assert rows(engine) == ()
    assert undo(engine, Undo(change=known.change), author=IRIS).undid == known.change


def test_recalls_are_logged_from_the_level_reads_on(engine: Engine) -> None:
    learn_fact(engine, NewFact(claim="Cranes lift cargo", channel="atlas"), author=IRIS)
    for name in ("writes", "reads", "verbose"):
        level(engine, name)
        recall(engine, Query(text=f"what lifts cargo at {name}?", channel="atlas"), author=IRIS)
        settle(engine)
    verbose, reads = rows(engine, operations=("retrieve",))
    assert (reads.query_text, reads.result_count) == ("what lifts cargo at reads?", 1)
    assert reads.latency_ms is not None and reads.latency_ms > 0
    assert reads.source_channel == "atlas"
    assert set(reads.target_channels) == {"atlas", "_global"}
    assert reads.metadata == {}
    (hit,) = verbose.metadata["hits"]
    assert hit["parts"] and sum(hit["parts"].values()) == pytest.approx(hit["score"])


def test_a_sample_of_the_reads_is_near_its_share(engine: Engine) -> None:
    level(engine, "reads", audit_sample_rate=0.25)
    for number in range(200):
        recall(engine, Query(text=f"question {number}"), author=IRIS)
    settle(engine)
    assert 35 <= len(rows(engine, operations=("retrieve",), limit=1000)) <= 65


def test_verbose_keeps_the_payload_of_a_write(engine: Engine) -> None:
    level(engine, "verbose")
    known = learn_fact(engine, NewFact(claim="Cranes lift cargo"), author=IRIS)
    (row,) = rows(engine, operations=("learn",), memory_types=("semantic",))
    assert ["fact", known.id] in [edit[:2] for edit in row.metadata["edits"]]


def test_working_memory_is_logged_at_verbose_alone_and_without_its_value(engine: Engine) -> None:
    for name in ("reads", "verbose"):
        level(engine, name)
        with asked_by(Asker(call="working.set", author=IRIS, user_id="local", conversation_id="c1")):
            set_value(engine, SetValue(conversation_id="c1", key="mood", value="secretly cheerful"))
        with asked_by(Asker(call="working.get", author=IRIS, conversation_id="c1", session_id="s1")):
            get_value(engine, AskValue(conversation_id="c1", key="mood"), author=IRIS)
        settle(engine)
    read, written = rows(engine, memory_types=("working",))
    assert (written.operation, written.author, written.conversation_id) == ("update", IRIS, "c1")
    assert (read.operation, read.session_id, read.result_count) == ("retrieve", "s1", 1)
    assert read.metadata == {"call": "working.get"}
    assert "cheerful" not in str((read, written))


def test_a_conflict_is_logged_as_a_write_that_failed(engine: Engine) -> None:
    known = learn_fact(engine, NewFact(claim="One", channel="atlas"), author=IRIS)
    with pytest.raises(Conflict):
        edit_fact(engine, EditFact(fact_id=known.id, was="Other", claim="Two"), author="person:Mara")
    undo(engine, Undo(change=known.change), author=IRIS)
    assert rows(engine, success=False) == ()
    asker = Asker(call="curation.undo", author="person:Mara", session_id="s1")
    with asked_by(asker), pytest.raises(Conflict):
        undo(engine, Undo(change=known.change), author="person:Mara")
    (row,) = rows(engine, success=False)
    assert (row.operation, row.author, row.session_id, row.event) == ("undo", "person:Mara", "s1", None)
    assert row.metadata == {"code": "conflict"}
    assert "undone already" in (row.error_message or "")


def test_a_change_that_the_store_refuses_is_logged_with_its_own_operation(engine: Engine) -> None:
    turn = store_turn(engine, NewTurn(content="Said", channel="atlas"), author=IRIS)
    learn_fact(engine, NewFact(claim="Read", channel="atlas", source_turn_id=turn.id), author="agent:forge")
    with pytest.raises(Conflict):
        undo(engine, Undo(change=turn.change), author=IRIS)
    (row,) = rows(engine, success=False)
    assert (row.operation, row.memory_type, row.source_channel) == ("undo", "episodic", "atlas")


def test_who_asked_in_which_session_goes_along_to_the_writer(engine: Engine) -> None:
    with asked_by(Asker(call="memory.learn_fact", author=IRIS, session_id="s1")):
        learn_fact(engine, NewFact(claim="One"), author=IRIS)
    learn_fact(engine, NewFact(claim="Two"), author=IRIS)
    assert {row.title for row in rows(engine, session_id="s1", memory_types=("semantic",))} == {"One"}


def test_pages_follow_each_other_across_days_without_gap_or_double(engine: Engine, clock: Clock) -> None:
    for number in range(30):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author=IRIS)
        clock.pass_days(0.2)
    seen: list[int] = []
    before = None
    while True:
        found = page(
            engine, AskAudit(after=before, limit=7, operations=("learn",), memory_types=("semantic",))
        )
        seen += [row.id for row in found.rows]
        if (before := found.next) is None:
            break
    assert len(seen) == len(set(seen)) == 30
    assert seen == sorted(seen, reverse=True)
    assert len(segment_list(engine).rows) == 7


def test_a_time_range_narrows_the_rows(engine: Engine, clock: Clock) -> None:
    learn_fact(engine, NewFact(claim="Early"), author=IRIS)
    clock.pass_days(3)
    since = to_datetime(clock())
    learn_fact(engine, NewFact(claim="Late"), author=IRIS)
    assert [row.title for row in rows(engine, since=since)] == ["Late"]
    assert "Late" not in [row.title for row in rows(engine, until=since)]


def test_a_page_has_a_sane_size(engine: Engine) -> None:
    with pytest.raises(BadAsk, match="limit"):
        rows(engine, limit=0)


def test_days_past_their_retention_are_dropped_whole_and_their_checkpoints_stay(
    engine: Engine, clock: Clock
) -> None:
    engine.use(replace(engine.settings, audit_retention_days=5))
    for number in range(10):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author=IRIS)
        clock.pass_days(1)
    counted = histogram(engine, AskHistogram()).by_operation["learn"]
    done = drop_old_segments(begin(engine, "audit_partitions"))
    assert done == {"closed": 10, "dropped": 5}
    days = segment_list(engine).rows
    assert [day.closed for day in days] == [False] + [True] * 10
    assert [day.dropped_at is not None for day in days] == [False] * 6 + [True] * 5
    assert days[-1].rows == 2 and days[-1].hash
    assert len(rows(engine, operations=("learn",), memory_types=("semantic",))) == 5
    assert histogram(engine, AskHistogram()).by_operation["learn"] == counted
    assert len(rows(engine, operations=("delete",))) == 5
    assert verify(engine).first_break is None
    assert drop_old_segments(begin(engine, "audit_partitions")) == {"closed": 0, "dropped": 0}


def test_a_dry_run_of_retention_drops_nothing_and_lists_the_days(engine: Engine, clock: Clock) -> None:
    learn_fact(engine, NewFact(claim="Old"), author=IRIS)
    clock.pass_days(400)
    run = begin(engine, "audit_partitions", dry=True)
    assert drop_old_segments(run) == {"closed": 1, "dropped": 1}
    assert len(run.planned) == 1
    assert [day.closed for day in segment_list(engine).rows] == [False]


def test_a_clock_set_back_writes_on_in_the_newest_day(engine: Engine, clock: Clock) -> None:
    learn_fact(engine, NewFact(claim="One"), author=IRIS)
    clock.pass_days(-3)
    learn_fact(engine, NewFact(claim="Two"), author=IRIS)
    assert len(segment_list(engine).rows) == 1
    assert [row.title for row in rows(engine, memory_types=("semantic",))] == ["Two", "One"]


def test_a_whole_desk_verifies_and_says_where_it_stands(engine: Engine) -> None:
    for number in range(5):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author=IRIS)
        recall(engine, Query(text="claim"), author=IRIS)
    settle(engine)
    found = verify(engine)
    assert (found.changes, found.holding, found.erased, found.first_break) == (6, 6, 0, None)
    assert len(found.hash) == 32


def tampered(engine: Engine, tmp_path: Path, harm: Callable[[Connection], None]) -> Engine:
    """The desk, closed, harmed behind its back, and opened again."""
    engine.close()
    db = opened(Desk(tmp_path / "desk"))
    harm(db)
    db.close()
    return open_engine(Desk(tmp_path / "desk"))


@pytest.mark.parametrize(
    ("sql", "what", "change"),
    [
        ("UPDATE changes SET title = 'Another' WHERE id = 3", "payload", 3),
        ("UPDATE changes SET details = '{\"a\":1}' WHERE id = 3", "payload", 3),
        ("UPDATE changes SET author = 'person:Nobody' WHERE id = 4", "link", 4),
        ("UPDATE changes SET at = at - 1 WHERE id = 2", "link", 2),
        ("UPDATE edits SET after = replace(after, 'Claim', 'Lie') WHERE change = 5", "payload", 5),
        ("DELETE FROM edits WHERE change = 4 AND n = 0", "payload", 4),
        ("DELETE FROM changes WHERE id = 3", "missing", 3),
        ("DELETE FROM changes WHERE id >= 5", "mark", 6),
        ("DELETE FROM changes WHERE id = 1", "missing", 1),
    ],
)
def test_what_was_tampered_with_is_named(
    engine: Engine, tmp_path: Path, sql: str, what: str, change: int
) -> None:
    for number in range(5):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author=IRIS)
    again = tampered(engine, tmp_path, lambda db: db.run(sql) and None)
    found = verify(again)
    again.close()
    assert found.first_break is not None
    assert (found.first_break.what, found.first_break.change) == (what, change)
    assert str(change) in found.first_break.says


def test_a_lost_tail_is_noticed_at_the_next_start(engine: Engine, tmp_path: Path) -> None:
    for number in range(5):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author=IRIS)
    again = tampered(engine, tmp_path, lambda db: db.run("DELETE FROM changes WHERE id > 4") and None)
    notices = status(again, socket="", pid=1, started_at=to_datetime(0), jobs=()).notices
    again.close()
    assert any("2 events" in notice for notice in notices)


def test_verifying_tells_how_far_it_is_and_stops_when_it_is_told_to(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "STRETCH", 2)
    for number in range(5):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author="agent:iris")
    met: dict[str, list[tuple[int, int]]] = {}
    found = verify(engine, lambda done, total, says: met.setdefault(says, []).append((done, total)))
    assert all(steps == sorted(steps) for steps in met.values()) and len(met) > 2
    chain = met["Verifying the hash chain"]
    assert chain[-1] == (found.last_change, found.last_change) and len(chain) > 2

    def stop(done: int, total: int, says: str) -> None:
        raise Cancelled("Cancelled.")

    with pytest.raises(Cancelled):
        verify(engine, stop)


@pytest.mark.file
def test_a_history_written_anew_from_end_to_end_is_not_the_one_that_was_noted(
    engine: Engine, tmp_path: Path
) -> None:
    learn_fact(engine, NewFact(claim="True"), author=IRIS)
    engine.close()
    other = open_engine(Desk(tmp_path / "other"), clock=engine.clock)
    learn_fact(other, NewFact(claim="False"), author=IRIS)
    other.close()
    (tmp_path / "other" / "memory.db").replace(tmp_path / "desk" / "memory.db")
    again = open_engine(Desk(tmp_path / "desk"))
    found = verify(again).first_break
    again.close()
    assert found is not None and found.what == "mark"


def test_a_mark_that_cannot_be_read_is_no_mark(engine: Engine, tmp_path: Path) -> None:
    learn_fact(engine, NewFact(claim="True"), author=IRIS)
    engine.close()
    Desk(tmp_path / "desk").mark.write_text("???")
    again = open_engine(Desk(tmp_path / "desk"))
    assert verify(again).first_break is None
    again.close()
    assert again.mark is not None and len(again.mark.known()) == 1


@pytest.mark.both
def test_rows_of_a_refused_piece_leave_the_desk_in_agreement(engine: Engine, tmp_path: Path) -> None:
    turn = store_turn(engine, NewTurn(content="Said"), author=IRIS)
    learn_fact(engine, NewFact(claim="Read", source_turn_id=turn.id), author=IRIS)
    for _ in range(3):
        with pytest.raises(Conflict):
            undo(engine, Undo(change=turn.change), author=IRIS)
    engine.close()
    assert_agreement(tmp_path / "desk" / "memory.db")


def test_metadata_of_every_row_is_json(engine: Engine) -> None:
    level(engine, "verbose")
    learn_fact(engine, NewFact(claim="引号“ and \\ backslash"), author=IRIS)
    assert all(json.dumps(row.metadata) for row in rows(engine))


@pytest.mark.file
def test_a_disk_that_refuses_writes_is_noticed_until_one_succeeds(engine: Engine) -> None:
    engine.store.traffic.failing = Failing(since=0, why="database or disk is full")
    (notice,) = status(engine, socket="", pid=1, started_at=to_datetime(0), jobs=()).notices
    assert notice.startswith("The disk refuses writes since 19") and "database or disk is full" in notice
    engine.store.submit(lambda db: db.run("CREATE TABLE written (x)")).result()
    engine.store.submit(lambda db: db.run("INSERT INTO written VALUES (1)")).result()
    assert status(engine, socket="", pid=1, started_at=to_datetime(0), jobs=()).notices == ()


def test_a_desk_that_others_may_write_to_is_noticed_with_the_fix(engine: Engine) -> None:
    for mode, noticed in ((0o770, True), (0o707, True), (0o755, False)):
        engine.desk.folder.chmod(mode)
        notices = status(engine, socket="", pid=1, started_at=to_datetime(0), jobs=()).notices
        assert any(f"chmod go-w {engine.desk.folder}" in each for each in notices) == noticed
