"""The small bundle that every verb takes first: what it stands on, and nothing it does."""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.providers.embedder import Embedder
from memdesk.engine.providers.static import StaticTable
from memdesk.files.places import Desk
from memdesk.files.settings import load_settings
from memdesk.model.settings import Settings
from memdesk.store.store import Store


def now() -> int:
    """This moment in UTC microseconds."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Engine:
    """A desk opened for work. Thread-safe; verbs may run on any thread."""

    desk: Desk
    store: Store
    embedder: Embedder
    settings: Settings
    clock: Callable[[], int]

    @property
    def person(self) -> str:
        """The name of the desk's owner."""
        return self.settings.person or _account()

    def close(self) -> None:
        self.store.close()


def _account() -> str:
    try:
        return getpass.getuser().capitalize()
    except (KeyError, OSError):
        # A container may run under a number that no account has.
        return "Owner"


def open_engine(desk: Desk, *, clock: Callable[[], int] = now) -> Engine:
    """Open a desk, making it where there is none. Raises NewerDesk, StorageFailed or BadAsk (settings)."""
    settings = load_settings(desk.settings)
    desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = Store(desk.database, backups=desk.backups, clock=clock)
    embedder = StaticTable()
    store.maintain(lambda _db, index, _journal: index.use_model(embedder.name)).result()
    return Engine(desk=desk, store=store, embedder=embedder, settings=settings, clock=clock)
