"""New desks as a copy of one migrated database: to migrate takes most of the time that an empty desk takes to open.

Every process of a run makes that database once, by all migrations. tests/store tests the migrations themselves."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path

from memdesk.store import store
from memdesk.store.connection import Connection, Damage
from memdesk.store.digests import install_digests

open_anew = store.open_database
"""As MemDesk opens a database, and makes one by all migrations where there is none."""


@functools.cache
def migrated() -> bytes:
    """The file of a desk without memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memory.db")
        db = open_anew(path, lambda _: None)
        store.migrate(db, path, Path(folder), at=0)
        install_digests(db)
        db.close()
        return path.read_bytes()


def begin() -> None:
    """Let this process make its new desks so."""
    store.open_database = _open_prepared


def _open_prepared(path: Path, damaged: Callable[[Damage], None]) -> Connection:
    """Open a database, which is a copy of the prepared one where there is none yet."""
    if not path.exists():
        path.touch(0o600)
        path.write_bytes(migrated())
    return open_anew(path, damaged)
