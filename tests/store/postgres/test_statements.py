"""Statements that go to the server in one message, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memdesk.store import binding
from memdesk.store.postgres.connection import PostgresConnection
from tests import postgres


@pytest.fixture
def db() -> Iterator[PostgresConnection]:
    opened = PostgresConnection(postgres.server().desk(), writer=True)
    opened.run("CREATE TABLE each (n INTEGER PRIMARY KEY, said TEXT)")
    yield opened
    opened.close()


def test_a_message_of_more_than_the_sockets_take_at_once_arrives(db: PostgresConnection) -> None:
    said = "x" * 100_000
    with db.transaction():
        db.run_many("INSERT INTO each VALUES (?, ?)", [(number, said) for number in range(300)])
        db.ahead([("SELECT said FROM each WHERE n < ?", (number,)) for number in range(290, 300)])
    assert db.value("SELECT sum(length(said)) FROM each") == 300 * len(said)


def test_each_answer_has_its_own_rows_and_count(db: PostgresConnection) -> None:
    with db.transaction():
        db.run_many("UPDATE each SET said = ? WHERE n = ?", [("none", 1), ("none", 2)])
        db.send("INSERT INTO each VALUES (?, ?), (?, ?)", (1, None, 2, "two"))
        assert db.run("UPDATE each SET said = ifnull(said, 'one')") == 2
        assert db.rows("SELECT n, said FROM each ORDER BY n") == [(1, "one"), (2, "two")]
        assert db.row("SELECT n FROM each WHERE n = 3") is None


def test_after_a_statement_that_fails_the_connection_and_its_plans_go_on(db: PostgresConnection) -> None:
    for _ in range(3):
        db.run("BEGIN")
        db.send("INSERT INTO each VALUES (?, 'once')", (1,))
        db.send("INSERT INTO each VALUES (?, 'twice')", (1,))
        with pytest.raises(binding.sqlite.IntegrityError, match=r"each\.n"):
            db.rows("SELECT said FROM each WHERE n < ?", (5,))
        db.run("ROLLBACK")
    assert db.rows("SELECT said FROM each WHERE n < ?", (5,)) == []
    # A value that has no counterpart in the database leaves nothing half sent.
    with pytest.raises(binding.sqlite.OperationalError):
        db.rows("SELECT ?", (object(),))
    assert db.value("SELECT count(*) FROM each") == 0


def test_a_plan_does_not_outlive_the_columns_that_it_reads(db: PostgresConnection) -> None:
    db.run("INSERT INTO each VALUES (1, 'one')")
    for _ in range(3):
        assert db.rows("SELECT * FROM each") == [(1, "one")]
    db.run("ALTER TABLE each ADD COLUMN more TEXT")
    assert db.rows("SELECT * FROM each") == [(1, "one", None)]
