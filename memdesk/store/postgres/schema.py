"""The schema of a desk in PostgreSQL, made from the migrations of the file: one declaration of tables for both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.store.migrations import migrations
from memdesk.store.postgres.dialect import FUNCTIONS, statements
from memdesk.store.postgres.words import POSTINGS

# isort: split
from sqlite_utils import Database

_OF_THE_FILE = re.compile(r"(?:words|titles|vectors)(?:_.*)?|sqlite_.*|_sqlite_.*")
"""Tables that only a file has: indexes of FTS5 and sqlite-vec."""
_TRIGGER = re.compile(r"CREATE TRIGGER (\w+) (.*?)(?: WHEN (.*?))?\s+BEGIN\s+(.*);\s+END", re.DOTALL)

MIGRATED = "CREATE TABLE migrated (name TEXT PRIMARY KEY)"
"""Names of the migrations that a desk's database has."""


def names() -> list[str]:
    """Return the names of all migrations, in order."""
    return [step.name for step in migrations.pending(Database(memory=True))]


def created() -> Iterator[str]:
    """Yield the statements that make a new desk's tables, indexes and triggers in an empty database, as the store
    writes SQL."""
    yield from statements(FUNCTIONS)
    fresh = Database(memory=True)
    migrations.apply(fresh)
    for type, table, sql in fresh.execute(
        "SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    ):
        if not _OF_THE_FILE.fullmatch(table):
            yield from _trigger(sql) if type == "trigger" else (sql,)
    # What migrations put into the tables of every desk.
    for table in ("upkeep", "working_size"):
        (row,) = fresh.execute(f"SELECT * FROM {table}")
        yield f"INSERT INTO {table} VALUES ({', '.join('NULL' if each is None else repr(each) for each in row)})"
    fresh.close()
    yield "UPDATE upkeep SET words_behind = 0"
    yield MIGRATED
    yield from statements(POSTINGS)


def _trigger(sql: str) -> Iterator[str]:
    """Yield the statements for a trigger, whose body is a function in PostgreSQL."""
    found = _TRIGGER.fullmatch(sql)
    assert found is not None, sql
    name, event, condition, body = found.groups()
    yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}; RETURN NULL; END $$"
    yield f"CREATE TRIGGER {name} {event} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {name}()"
