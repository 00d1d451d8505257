"""Row-level security of a desk's database: what a connection of a member reaches, whatever the statement."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from memdesk.engine.agents import granting
from memdesk.engine.engine import Engine
from memdesk.engine.health.doctor import examine
from memdesk.engine.memory.ephemeral import write
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.verify import verify
from memdesk.model.change import Change
from memdesk.model.errors import Conflict, MemDeskError, NotAllowed
from memdesk.model.fact import FACT
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.team import CURATOR, Invite
from memdesk.store import binding, records, working
from memdesk.store.connection import Connection
from memdesk.store.postgres import walling
from memdesk.store.postgres.connection import PREPARED_AT, PostgresConnection
from memdesk.store.run_context import Reach, within
from tests import postgres
from tests.store.postgres.test_desk_in_database import desk_in_database, fill
from tests.store.test_write_door import fact

ODETTE = Reach(("odette",), ())


@pytest.fixture
def address() -> str:
    return postgres.server().desk()


@pytest.fixture
def engine(tmp_path: Path, address: str) -> Iterator[Engine]:
    opened = open_engine(desk_in_database(tmp_path / "desk", address))
    fill(opened)
    yield opened
    opened.close()


def counted(engine: Engine) -> dict[str, int]:
    with engine.store.reading() as db:
        tables = set(db.tables()).difference(walling.CLOSED, ["versions"])
        return {table: db.value(f"SELECT count(*) FROM {table}") for table in tables}


def test_a_member_counts_in_every_table_with_memory_only_what_is_within_its_reach(engine: Engine) -> None:
    every = counted(engine)
    with within(ODETTE):
        odettes = counted(engine)
    with within(Reach(("local",), ())):
        locals_ = counted(engine)
    with within(Reach(("nobody",), ())):
        nobodys = counted(engine)
    held = {table for table, count in every.items() if count and table not in walling.OPEN}
    assert {"facts", "turns", "edits", "postings", "vectors", "working", "recalled", "rollup"} <= held
    assert {table for table in held if nobodys[table]} == set()
    assert {table for table in held if not odettes[table]} == set()
    # What both see is nobody's; all else is one's alone.
    assert all(odettes[table] + locals_[table] == every[table] for table in held)


def test_without_a_reach_the_role_of_members_sees_no_row_and_no_token(engine: Engine, address: str) -> None:
    role = engine.store._db.member
    with psycopg.connect(address) as db:
        db.execute(f"SET ROLE {role}")
        for table in ("facts", "turns", "changes", "events", "postings"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)], table
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute("SELECT * FROM access_tokens")


def test_a_channel_that_is_not_named_is_beyond_reach_and_global_is_within(engine: Engine) -> None:
    for channel in ("board", "open", None):
        fact = NewFact(claim=f"The key hangs in {channel}.", user_id="odette", channel=channel)
        learn_fact(engine, fact, author="person:Mara")
    with within(Reach(("odette",), ("open",))):
        with engine.store.reading() as db:
            assert {each for (each,) in db.rows("SELECT channel FROM facts")} == {"open", "_global"}
            assert {each for (each,) in db.rows("SELECT name FROM channels")} == {"open", "_global"}
        hits = recall(
            engine, Query(text="where hangs the key?", user_id="odette", every_channel=True), author="agent:x"
        )
    assert {hit.channel for hit in hits.hits} == {"open", "_global"}


def test_what_is_beyond_reach_cannot_be_written_and_the_refusal_ends_nothing_else(engine: Engine) -> None:
    before = counted(engine)
    with within(ODETTE):
        for number in range(6):
            fact = NewFact(claim=f"Well {number} is dry.", user_id="local", channel="trip")
            with pytest.raises(NotAllowed, match="may use"):
                learn_fact(engine, fact, author="agent:x")
        mine = learn_fact(engine, NewFact(claim="The well is mine.", user_id="odette"), author="agent:x")
    after = counted(engine)
    assert mine.change and after["facts"] == before["facts"] + 1
    learned = learn_fact(engine, NewFact(claim="The well is ours.", user_id="local"), author="person:Mara")
    assert learned.change > mine.change and verify(engine).whole


def test_a_member_who_names_the_id_of_anothers_memory_is_shown_nothing_of_it(engine: Engine) -> None:
    others = NewTurn(
        content="Ines hides the key under the step",
        conversation_id="c_quay",
        title="The key of the quay",
        turn_id="t_key",
    )
    store_turn(engine, others, author="agent:Forge")
    for own in (
        NewTurn(content="hi", user_id="odette", conversation_id="c_other", turn_id="t_key"),
        NewTurn(content="hi", user_id="odette", conversation_id="c_quay"),
        NewTurn(content="hi", user_id="odette", conversation_id="c_quay", turn_index=7),
    ):
        with within(ODETTE), pytest.raises(MemDeskError) as refused:
            store_turn(engine, own, author="agent:Gull")
        assert "key" not in f"{refused.value.says} {refused.value.details}".replace("t_key", "")


def test_a_member_who_writes_the_id_of_anothers_fact_meets_a_conflict_without_a_word_of_it(
    engine: Engine,
) -> None:
    learned = learn_fact(engine, NewFact(claim="Ines hides the key under the step"), author="agent:Forge")
    with engine.store.reading() as db:
        others = records.need(db, FACT, learned.id)
    mine = replace(fact(engine.store, "The step is mine", user_id="odette"), id=others.id)
    beyond = fact(engine.store, "The step is theirs", user_id="local")
    taken, barred = (records.creation_edit(FACT, each) for each in (mine, beyond))
    told = []
    # A text of another user's memory is looked up as the tables' owner, in the message that meets the taken id.
    theirs = records.creation_edit(FACT, replace(mine, claim=others.claim))
    for edits in ((taken,), (theirs,), (taken, barred), (taken, taken)):
        change = Change(op="learn", title="", author="agent:Gull", user_id="odette", edits=edits)
        for attempt in (engine.store.apply, lambda change: engine.store.try_out(change, lambda *_: None)):
            with within(ODETTE), pytest.raises(Conflict) as refused:
                attempt(change)
            told.append((str(refused.value.says), refused.value.details))
    assert told == [(f"Fact {others.id} exists already.", {"id": others.id})] * 8
    change = Change(op="learn", title="", author="agent:Gull", user_id="odette", edits=(barred, taken))
    with within(ODETTE), pytest.raises(NotAllowed):
        engine.store.apply(change)
    with within(ODETTE):
        learn_fact(engine, NewFact(claim="The step is wet", user_id="odette"), author="agent:Gull")
        with engine.store.reading() as db:
            assert not db.rows("SELECT 1 FROM facts WHERE id = ?", (others.id,))
    assert verify(engine).whole


def test_a_text_of_a_member_that_another_has_stored_gets_its_vector_at_once(engine: Engine) -> None:
    with within(ODETTE):
        fact = NewFact(claim="They keep a cat", user_id="odette", channel="trip")
        id = learn_fact(engine, fact, author="agent:x").id
        turn = NewTurn(content="I play the piano", user_id="odette", channel="trip", conversation_id="c")
        other = store_turn(engine, turn, author="agent:x").id
        with engine.store.reading() as db:
            sql = "SELECT count(*) FROM vectors JOIN records USING (seq) WHERE id IN (?, ?)"
            assert db.value(sql, (id, other)) == 2


def test_each_write_of_a_group_has_its_own_reach(engine: Engine) -> None:
    hold, held = threading.Event(), threading.Event()

    def waits(_: Connection) -> None:
        held.set()
        hold.wait(30)

    def users(db: Connection) -> set[str]:
        return {user for (user,) in db.rows("SELECT user_id FROM facts")}

    first = engine.store.submit(waits)
    assert held.wait(30)
    seen = []
    for reach in (ODETTE, None, Reach(("local",), ()), ODETTE, None):
        with within(reach):
            seen.append(engine.store.submit(users))
    hold.set()
    first.result()
    both = {"odette", "local"}
    assert [each.result() for each in seen] == [{"odette"}, both, {"local"}, {"odette"}, both]


def test_the_first_write_of_a_day_makes_its_segment_also_for_a_member(tmp_path: Path, address: str) -> None:
    at = 1_700_000_000_000_000
    engine = open_engine(desk_in_database(tmp_path / "desk", address), clock=lambda: at)
    learn_fact(engine, NewFact(claim="The day was old.", user_id="local"), author="person:Mara")
    at += 86_400_000_000
    with within(ODETTE):
        learn_fact(engine, NewFact(claim="The day is new.", user_id="odette"), author="agent:x")
        assert counted(engine)["audit_20231115"] > 0
    with within(Reach(("local",), ())):
        assert counted(engine)["audit_20231115"] == 0
    assert verify(engine).whole
    engine.close()


def test_a_members_write_makes_room_among_the_keys_of_all(engine: Engine) -> None:
    engine.use(engine.settings.__class__(working_megabytes=1))
    place = working.Place(user_id="local")
    for number in range(4):
        text = f"{number}" * 240_000
        write(
            engine,
            lambda db, at, n=number, v=text: working.put(db, f"old:{n}", v, at=at, ttl_s=None, place=place),
        )
    with within(ODETTE):
        mine = working.Place(user_id="odette")
        write(engine, lambda db, at: working.put(db, "new", "v" * 240_000, at=at, ttl_s=None, place=mine))
    with engine.store.reading() as db:
        assert working.bytes_used(db) <= 1_048_576
        assert working.get(db, "new", at=engine.clock()) is not None


def test_an_owner_who_may_not_make_roles_is_told_what_to_run(tmp_path: Path) -> None:
    server = postgres.server()
    with psycopg.connect(server.address("postgres"), autocommit=True) as db:
        db.execute("DROP DATABASE IF EXISTS plain")
        db.execute("CREATE ROLE plain LOGIN")
        db.execute("CREATE DATABASE plain OWNER plain TEMPLATE template0")
        db.execute("CREATE ROLE maker LOGIN CREATEROLE")
        db.execute("CREATE DATABASE maker OWNER maker TEMPLATE template0")
    address = server.address("plain").replace("user=desk", "user=plain")
    desk = desk_in_database(tmp_path / "desk", address)
    engine = open_engine(desk)
    told = str(engine.store.missing_wall)
    assert "may not create roles" in told and not engine.store._db.member
    assert next(each for each in examine(desk).findings if each.area == "members").ok
    granting.invite(engine, Invite(name="ana", role=CURATOR, users=("acme",)), author="person:Mara")
    assert not next(each for each in examine(desk).findings if each.area == "members").ok
    engine.close()
    with psycopg.connect(server.address("plain"), autocommit=True) as db:
        db.execute(told.split("`")[1].encode())
    engine = open_engine(desk)
    assert engine.store._db.member == "memdesk_member_plain" and not engine.store.missing_wall
    fill(engine)
    with within(ODETTE), engine.store.reading() as db:
        assert db.rows("SELECT DISTINCT user_id FROM facts") == [("odette",)]
    assert all(each.ok for each in examine(desk).findings if each.area == "members")
    engine.close()
    # One that may make roles needs nobody.
    other = desk_in_database(tmp_path / "other", server.address("maker").replace("user=desk", "user=maker"))
    engine = open_engine(other)
    fill(engine)
    with within(ODETTE), engine.store.reading() as db:
        assert db.rows("SELECT DISTINCT user_id FROM facts") == [("odette",)]
    engine.close()


def test_a_desk_of_before_gets_its_wall_at_the_next_start(
    engine: Engine, tmp_path: Path, address: str
) -> None:
    desk = engine.desk
    engine.close()
    with psycopg.connect(address) as db:
        policies = db.execute("SELECT policyname, tablename FROM pg_policies").fetchall()
        for policy, table in policies:
            db.execute(f"DROP POLICY {policy} ON {table}".encode())
            db.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY".encode())
        db.execute("DROP TABLE places")
        db.execute(f'GRANT SELECT ON versions TO "{engine.store._db.member}"'.encode())
    engine = open_engine(desk)
    query = Query(text="who keeps a quokka?", user_id="odette", channel="trip")
    with within(ODETTE):
        assert [hit.text for hit in recall(engine, query, author="agent:x").hits][:1] == [
            "They keep a quokka"
        ]
        assert counted(engine)["facts"] == 1
    with psycopg.connect(address) as db:
        assert sorted(db.execute("SELECT policyname, tablename FROM pg_policies").fetchall()) == sorted(
            policies
        )
    with within(ODETTE), engine.store.reading() as db, pytest.raises(NotAllowed):
        db.rows("SELECT body FROM versions")
    engine.close()


def test_a_statement_behind_one_that_fails_is_found_at_its_next_use(engine: Engine, address: str) -> None:
    db = PostgresConnection(address, writer=True)
    count, twice = (
        "SELECT count(*) FROM records WHERE id = 'twice'",
        "INSERT INTO records VALUES (-1, 'twice', 'fact')",
    )
    for _ in range(3):
        db.run("BEGIN")
        db.value("SELECT 1")
        db.run("ROLLBACK")
    assert [db.value(count) for _ in range(PREPARED_AT)] == [0] * PREPARED_AT
    db.run("BEGIN")
    db.send(twice)
    db.send(twice)
    with pytest.raises(binding.sqlite.IntegrityError):
        db.value(count)
    db.run("ROLLBACK")
    assert db.value(count) == 0
    db.close()
