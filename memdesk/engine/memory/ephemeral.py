"""Shared parts of working memory and the scratchpad: values of limited size whose lifetime restarts with each
use.

None of it is journalled: it belongs to the current session, not to long-term memory."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.wording import tidied
from memdesk.model.errors import BadAsk
from memdesk.model.instant import SECOND, optional_datetime
from memdesk.model.working import WorkingValue
from memdesk.store import working
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal
from memdesk.store.working import Kept

T = TypeVar("T")
Look = Callable[[Connection, int], Sequence[Kept]]
"""Function that reads the values alive at this time (UTC microseconds)."""
MEGABYTE = 1_000_000
VALUE_BYTES = 65_536
"""Most bytes of one value: sixteen thousand tokens of text, and a small part of the smallest cap."""
NAME_CHARACTERS = 200
TTL_AT_MOST_S = 31_536_000
log = logging.getLogger(__name__)


def write(engine: Engine, work: Callable[[Connection, int], T]) -> T:
    """Change working memory; durable on return. work: gets the writer's connection and the present time."""

    def piece(db: Connection, _index: Index, journal: Journal) -> T:
        at = engine.clock()
        done = work(db, at)
        make_room(engine, db, at)
        journal.audit.worked("update", at=at)
        return done

    return engine.store.maintain(piece).result()


def make_room(engine: Engine, db: Connection, at: int) -> None:
    """Delete expired values, and the least recently used ones above the cap."""
    working.sweep(db, at=at)
    working.evict(db, most_bytes=engine.settings.working_megabytes * MEGABYTE)


def forget_expired(engine: Engine) -> float | None:
    """Delete expired values. Returns in how many seconds the next one expires, None if none will."""
    at = engine.clock()
    with engine.store.reading() as db:
        end = working.next_end(db)
    if end is not None and end <= at:
        engine.store.submit(lambda db: working.sweep(db, at=at)).result()
        with engine.store.reading() as db:
            end = working.next_end(db)
    return None if end is None else max(0.0, (end - at) / SECOND)


def read(engine: Engine, look: Look, *, author: str) -> list[Kept]:
    """Return the values alive. An agent's reading extends their lifetime; a person's reading changes nothing."""
    at = engine.clock()
    with engine.store.reading() as db:
        found = list(look(db, at))
    stale = [kept.key for kept in found if working.is_stale(kept, at)]
    if stale and author.startswith("agent:"):
        used = engine.store.submit(lambda db: working.touch(db, stale, at=at))
        used.add_done_callback(_log_failure)
    if engine.settings.audit_level == "verbose":
        told = engine.store.maintain(
            lambda _db, _index, journal: journal.audit.worked("retrieve", at=at, results=len(found))
        )
        told.add_done_callback(_log_failure)
    return found


def keyed(key: str) -> Look:
    """Return the function that looks up one key."""

    def look(db: Connection, at: int) -> Sequence[Kept]:
        kept = working.get(db, key, at=at)
        return () if kept is None else (kept,)

    return look


def value_of(name: str, held: Sequence[Kept]) -> WorkingValue:
    """Return the value found under a name, or the answer that there is none."""
    if not held:
        return WorkingValue(key=name, found=False)
    return WorkingValue(
        key=name, found=True, value=held[0].value, expires_at=optional_datetime(held[0].expires_at)
    )


def checked_name(name: str, what: str) -> str:
    """Return a key as it is stored. Raises BadAsk if it is empty or too long."""
    return tidied(name, what, NAME_CHARACTERS)


def check_value(value: Any, what: str) -> None:
    """Raise BadAsk for a value that is not JSON or too large."""
    try:
        size = len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError):
        raise BadAsk(f"{what} is not JSON.", next="Send text, numbers, lists and objects.") from None
    if size > VALUE_BYTES:
        raise BadAsk(
            f"{what} has {size:,} bytes; {VALUE_BYTES:,} at most.",
            next="Keep the whole in a file or a turn, and its place here.",
        )


def life(asked: int | None, default_s: int) -> int:
    """Return the seconds a value lives after its last use. Raises BadAsk if out of range."""
    if asked is not None and not 1 <= asked <= TTL_AT_MOST_S:
        raise BadAsk(f"ttl_seconds lies between 1 and {TTL_AT_MOST_S:,}.")
    return default_s if asked is None else asked


def _log_failure(written: Future[None]) -> None:
    if error := written.exception():
        log.error("working memory was read but its use could not be written down", exc_info=error)
