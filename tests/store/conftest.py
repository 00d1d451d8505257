"""Stores whose database is made by all migrations, as a new desk's is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memdesk.store import store
from memdesk.store.store import Store
from tests import postgres, prepared, statements

Opening = Callable[[], Store]
statements.trace()
prepared_by_postgres = statements.prepared_by_postgres


@pytest.fixture(autouse=True)
def migrated_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "open_database", prepared.open_anew)


def opening_file(folder: Path) -> Opening:
    """Return what opens the store of a desk in a file."""
    clock = iter(range(1, 10**9)).__next__
    return lambda: Store(folder / "memory.db", backups=folder / "backups", clock=clock)


def opening_postgres() -> Opening:
    """Return what opens the store of a new desk in a PostgreSQL database. Skips the test where there is none."""
    address, clock = postgres.server().desk(), iter(range(1, 10**9)).__next__
    from memdesk.store.postgres.store import PostgresStore

    return lambda: PostgresStore(address, clock=clock)


@pytest.fixture(params=["file", "postgresql"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """What opens the store of one desk, again and again. Each test is of both databases."""
    return opening_file(tmp_path) if request.param == "file" else opening_postgres()


@pytest.fixture
def store_of_both(opening: Opening) -> Iterator[Store]:
    """An open store, of both databases one after the other."""
    opened = opening()
    yield opened
    opened.close()
