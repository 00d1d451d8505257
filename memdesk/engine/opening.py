"""Opening of a desk: the engine with its store, models, mark and the files that follow its facts."""

from __future__ import annotations

import logging
from collections.abc import Callable

from memdesk.engine.agents.granting import settle_habits
from memdesk.engine.engine import Engine, Noting, now
from memdesk.engine.mark import MarkKeeper
from memdesk.engine.memory.secret_questions import offer_sweep
from memdesk.engine.providers.embedder import StaticTable
from memdesk.engine.workspace import line_updates, session_notes
from memdesk.files.encryption import seal
from memdesk.files.places import Desk
from memdesk.files.settings import load_settings
from memdesk.model import desk_keys
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message
from memdesk.model.settings import DEFAULTS
from memdesk.store import chain
from memdesk.store.backups import finish_replacement
from memdesk.store.store import Store

log = logging.getLogger(__name__)


def _hash_at(store: Store, event: int) -> bytes | None:
    with store.reading() as db:
        return chain.last_hash(db, event)


def open_store(desk: Desk, clock: Callable[[], int]) -> Store:
    """Open the store of a desk, making it if there is none. Raises NewerDesk or StorageFailed."""
    if (address := desk.address) is not None:
        try:
            # Of the extra `team`: nothing of it is imported for a desk in a folder.
            from memdesk.store.postgres.store import PostgresStore
        except ImportError as missing:
            raise StorageFailed(
                message("This desk is in a PostgreSQL database, and the driver is not installed."),
                next=message("Install it: pip install 'memdesk[team]'."),
            ) from missing
        return PostgresStore(address, clock=clock)
    if finish_replacement(desk.database, desk.mark):
        log.info("finished putting a database in place that a kill had cut short")
    return Store(desk.database, backups=desk.backups, clock=clock)


def open_engine(desk: Desk, *, clock: Callable[[], int] = now, habits: bool = True) -> Engine:
    """Open a desk, creating it if there is none. Raises NewerDesk, StorageFailed or BadAsk (settings).

    habits: grant the agents of a desk from before there were grants what they did on it."""
    settings = load_settings(desk.settings)
    desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for file in desk.sealed_files() if desk_keys.key_for(desk.folder) else ():
        seal(file)
    store = open_store(desk, clock)
    mark = MarkKeeper(desk.mark, lambda: store.mark, lambda event: _hash_at(store, event))
    store.subscribe(mark.committed)
    engine = Engine(
        desk,
        store,
        StaticTable(),
        DEFAULTS,
        clock,
        mark=mark,
        deciding=line_updates.decide,
        noting=Noting(turns=session_notes.after_turns, calls=session_notes.after_calls),
    )
    mark.hand_over(engine.notices, clock())
    engine.use(settings)
    offer_sweep(engine)
    settle_habits(engine, granted=habits)
    return engine
