"""A desk that an older MemDesk made in a database: its tables become the present ones at once, or stay as they were."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import psycopg
import pytest
from sqlite_utils import Database, Migrations

from memdesk.model.errors import NewerDesk, StorageFailed
from memdesk.model.kinds import KINDS
from memdesk.store import integrity
from memdesk.store.connection import Connection
from memdesk.store.migrations import migrations
from memdesk.store.store import Store
from tests import postgres
from tests.conftest import until
from tests.store.test_write_door import learn

FIRST_NEWER = "files_are_read_again_by_newer_rules"
"""First step that the oldest desks in a database lack."""
OPENING = """
import sys
from memdesk.store.postgres.store import PostgresStore
PostgresStore(sys.argv[1], clock=lambda: 9)
"""


def opened(address: str) -> Store:
    from memdesk.store.postgres.store import PostgresStore

    return PostgresStore(address, clock=iter(range(5, 10**9)).__next__)


@pytest.fixture
def older(made_before: str) -> str:
    """Address of a desk with a fact, made by the MemDesk that had no step from FIRST_NEWER on."""
    return postgres.server().desk(made_before.rpartition("=")[2])


@pytest.fixture(scope="module")
def made_before() -> str:
    """Address of the desk that each test has a copy of."""
    address = postgres.server().desk("template1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memdesk.store.postgres.store.migrations", steps_before(FIRST_NEWER))
        # That MemDesk did not rank what fades.
        patch.setattr("memdesk.store.fading.follow", lambda *_: None)
        store = opened(address)
        learn(store, "Mara keeps bees")
        store.close()
    return address


def steps_before(name: str) -> Migrations:
    """Steps of the version before one of them, and later ones that change the table of a memory type: the present
    MemDesk, which writes the desk, writes their columns."""
    before, db, reached = Migrations(migrations.name), Database(memory=True), False
    for step in migrations.pending(db):
        reached |= step.name == name
        then = columns_of_kinds(db)
        step.fn(db)
        if not reached or columns_of_kinds(db) != then:
            before(name=step.name)(step.fn)
    assert reached, name
    return before


def columns_of_kinds(db: Database) -> list[list[str]]:
    present = set(db.table_names())
    return [list(db.table(kind.table).columns_dict) for kind in KINDS if kind.table in present]


def tables(db: Connection) -> dict[str, object]:
    """Columns of each table, indexes, triggers, references, and the names of the steps."""
    return {
        **{table: sorted(db.columns(table).items()) for table in db.tables()},
        "indexes": sorted(db.rows("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'")),
        "triggers": sorted(db.rows("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")),
        "rules": sorted(db.rows("SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint")),
        "steps": sorted(db.rows("SELECT name FROM migrated")),
    }


def test_a_desk_of_any_earlier_version_has_the_tables_of_a_new_one_after_it_was_opened(older: str) -> None:
    with psycopg.connect(older) as db:
        assert not db.execute("SELECT 1 FROM pg_attribute WHERE attname = 'lines_reader'").fetchall()
    store, new = opened(older), opened(postgres.server().desk())
    # The first of a day makes the day's table of the audit log.
    learn(store, "Mara sold her bees"), learn(new, "Mara sold her bees")
    with store.reading() as upgraded, new.reading() as fresh:
        assert tables(upgraded) == tables(fresh)
        assert upgraded.rows("SELECT claim FROM facts ORDER BY seq") == [
            ("Mara keeps bees",),
            ("Mara sold her bees",),
        ]
        assert upgraded.rows("SELECT lines_reader, lifts_from FROM upkeep") == [("", 0)]
        assert integrity.check_rows(upgraded) == [] and integrity.is_digested(upgraded)
    store.close()
    new.close()
    opened(older).close()


def test_json_with_a_nul_is_read_in_a_desk_of_any_earlier_version(older: str) -> None:
    with psycopg.connect(older) as db:
        db.execute("DROP FUNCTION json_read(text)")
    store = opened(older)
    for raw in ("\0", "\\\0", "\\u0000", "\\\\u0000\0\0"):
        details = json.dumps({"raw": raw, "name": ["read"]})
        with store.reading() as db:
            assert db.row("SELECT ? ->> '$.raw', ? ->> 'name'", (details, details)) == (
                raw.replace("\0", "\ufffd"),
                '["read"]',
            )
            assert db.rows("SELECT value FROM json_each(?)", (json.dumps([raw]),)) == [
                (raw.replace("\0", "\ufffd"),)
            ]
    store.close()


def test_a_service_killed_between_two_steps_leaves_the_older_desk(older: str) -> None:
    with psycopg.connect(older) as watching:
        watching.execute("LOCK recalls")
        starting = subprocess.Popen([sys.executable, "-c", OPENING, older])
        # The first step has added its column by then, and the second waits for the locked table.
        with psycopg.connect(older, autocommit=True) as db:
            waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%lifts_from =%'"
            until(lambda: db.execute(waits).fetchall() or starting.poll() is not None, "the second step")
            assert starting.poll() is None
        starting.send_signal(signal.SIGKILL)
        starting.wait()
    # Its server process ends after it was given the lock, as it has nobody to answer.
    with psycopg.connect(older, autocommit=True) as db:
        others = (
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        until(lambda: not db.execute(others).fetchall(), "the end of its server process")
        assert not db.execute("SELECT 1 FROM pg_attribute WHERE attname = 'lines_reader'").fetchall()
        assert not db.execute("SELECT 1 FROM migrated WHERE name = %s", [FIRST_NEWER]).fetchall()
    opened(older).close()


def test_an_older_desk_is_left_alone_while_a_service_has_it_open(older: str) -> None:
    from memdesk.store.postgres.engines import ENGINE_LOCK

    with psycopg.connect(older, autocommit=True) as service:
        service.execute("SELECT pg_advisory_lock_shared(%s)", [ENGINE_LOCK])
        with pytest.raises(StorageFailed, match="a service has it open"):
            opened(older)
    opened(older).close()


@pytest.mark.parametrize(
    "statement", ["CREATE VIRTUAL TABLE sounds USING fts5 (body)", "DROP TRIGGER working_gone", ""]
)
def test_a_step_that_only_a_file_can_make_is_refused_and_changes_nothing(
    older: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = steps_before(FIRST_NEWER)

    @newer()
    def notes_are_added(db: Database) -> None:
        db.execute("CREATE TABLE notes (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")

    @newer()
    def something_of_sqlite(db: Database) -> None:
        db.execute(statement) if statement else db.conn.create_function("halved", 1, len)

    monkeypatch.setattr("memdesk.store.postgres.store.migrations", newer)
    with pytest.raises(StorageFailed, match="something_of_sqlite cannot be done"):
        opened(older)
    monkeypatch.setattr("memdesk.store.postgres.store.migrations", steps_before(FIRST_NEWER))
    store = opened(older)
    with store.reading() as db:
        assert "notes" not in db.tables()
    store.close()


def test_a_step_that_only_a_newer_version_knows_is_refused(
    older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(older).close()
    monkeypatch.setattr("memdesk.store.postgres.store.migrations", steps_before(FIRST_NEWER))
    with pytest.raises(NewerDesk, match="by a newer MemDesk"):
        opened(older)


def test_a_step_that_adds_a_column_digests_its_table_again_and_an_altered_row_stays_so(
    older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(older)
    row = "INSERT INTO holders (place, user_id, agent, at) VALUES (?, 'local', 'iris', 1)"
    store.submit(lambda db: db.run_many(row, [("a",), ("b",)])).result()
    store.close()
    with psycopg.connect(older) as there:
        there.execute("UPDATE holders SET agent = 'mallory' WHERE place = 'a'")
    newer = Migrations(migrations.name)
    for step in migrations.pending(Database(memory=True)):
        newer(name=step.name)(step.fn)

    @newer()
    def holders_have_a_reason(db: Database) -> None:
        db.execute("ALTER TABLE holders ADD COLUMN reason TEXT NOT NULL DEFAULT ''")

    monkeypatch.setattr("memdesk.store.postgres.store.migrations", newer)
    store = opened(older)
    store.submit(lambda db: db.run("UPDATE holders SET reason = 'asked'")).result()
    with store.reading() as db:
        assert [(flaw.table, flaw.key) for flaw in integrity.check_rows(db)] == [("holders", ("a",))]
    store.close()
