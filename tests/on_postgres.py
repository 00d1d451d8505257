"""The run on PostgreSQL: with `--postgres` every new desk of a test has its memory in a database of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from memdesk.engine import opening
from memdesk.files.places import Desk
from memdesk.store.store import Store
from tests import postgres

KEPT = 60
"""Databases that stay: of more than the desks that a test and its module have open. Each takes 10 MB, of memory."""
ABOUT_FILES = (
    "test_backup",
    "test_backups",
    "test_doctor",
    "test_encryption",
    "test_integrity",
    "test_query_plans",
)
"""Modules of tests about the file of a desk, or about the plans of SQLite."""

_open_store = opening.open_store
_made = deque[str]()


def begin() -> None:
    """Make the new desks of this process so."""
    opening.open_store = _open_in_database


def settle(desk: Desk) -> None:
    """Give a desk that is new a database of its own, where the run is on PostgreSQL: services are other processes."""
    if opening.open_store is _open_in_database and desk.address is None and not desk.database.exists():
        desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        server = postgres.server()
        _made.append(server.desk())
        desk.address_file.touch(0o600)
        desk.address_file.write_text(_made[-1])
        if len(_made) > KEPT:
            server.drop(_made.popleft())


def _open_in_database(desk: Desk, clock: Callable[[], int]) -> Store:
    settle(desk)
    return _open_store(desk, clock)


def leave_out(items: list[pytest.Item]) -> None:
    """Skip the tests that are about a file."""
    for item in items:
        if item.path.stem in ABOUT_FILES or item.get_closest_marker("file"):
            item.add_marker(pytest.mark.skip(reason="about the file of a desk"))
