"""Token ledger: every model request is booked by day, model and purpose, and each day has a budget."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from memdesk.model.errors import EmbedderUnavailable, MemDeskError, ModelUnavailable, StorageFailed
from memdesk.model.instant import to_datetime
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.model.status import Spent
from memdesk.store import bookkeeping
from memdesk.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """Role of a model. name: in the ledger. variable: environment variable of its key. budget: the setting
    that limits its day."""

    name: str
    called: str
    variable: str
    budget: str
    error: type[MemDeskError]


LANGUAGE = Role(
    name="language",
    called=message("The language model"),
    variable="MEMDESK_MODEL_KEY",
    budget="model_day_tokens",
    error=ModelUnavailable,
)
EMBEDDER = Role(
    name="embedder",
    called=message("The embedder"),
    variable="MEMDESK_EMBEDDER_KEY",
    budget="embedder_day_tokens",
    error=EmbedderUnavailable,
)
RERANKER = Role(
    name="reranker",
    called=message("The reranker"),
    variable="MEMDESK_RERANKER_KEY",
    budget="model_day_tokens",
    error=ModelUnavailable,
)


OTHER = "other"


def _nothing() -> None:
    """Do not cancel the wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Context of a request. purpose: its reason, such as `job:consolidate` or `recall`. heed: raises to
    cancel the wait."""

    purpose: str = OTHER
    heed: Callable[[], None] = _nothing


_current: ContextVar[Asking] = ContextVar("asking", default=Asking())  # noqa: B039 - frozen


@contextmanager
def asking(purpose: str, heed: Callable[[], None] = _nothing) -> Iterator[None]:
    """Within this context, models are asked for `purpose`; `heed` is called several times a second during a wait."""
    token = _current.set(Asking(purpose=purpose, heed=heed))
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Asking:
    """Return the context in which a model would be asked now."""
    return _current.get()


log = logging.getLogger(__name__)
CHARACTERS_A_TOKEN = 4
"""Characters of English per token, used to estimate counts that a server does not report; estimates are marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Cost of a request, in the model's own tokens. guessed: the server reported none, so it was estimated
    from characters."""

    tokens_in: int = 0
    tokens_out: int = 0
    guessed: bool = False

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


def reported_use(usage: Any, tokens_in: str, tokens_out: str = "") -> Used:
    """Return the cost that an answer's `usage` reports under these names; zero for missing values."""
    said = usage if isinstance(usage, dict) else {}
    return Used(tokens_in=_count(said.get(tokens_in)), tokens_out=_count(said.get(tokens_out)))


def estimated_use(characters: int) -> Used:
    """Return the estimated cost of a request of this many characters."""
    return Used(tokens_in=-(-characters // CHARACTERS_A_TOKEN), guessed=True)


def _count(said: Any) -> int:
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else 0


class Meter:
    """Counter of today's tokens by budget, stored in the desk. Thread-safe. clock: UTC microseconds."""

    def __init__(self, store: Store, clock: Callable[[], int], settings: Callable[[], Settings]) -> None:
        self._store, self._clock, self._settings = store, clock, settings
        self._lock = threading.Lock()
        self._day = ""
        self._spent: dict[str, int] = {}

    def admit(self, role: Role) -> None:
        """Raise the role's error if today's tokens are used up."""
        most = getattr(self._settings(), role.budget)
        if most and self.spent_today(role.budget) >= most:
            raise role.error(
                message(
                    "{called} is not asked any more today: its {count} tokens are spent.",
                    called=role.called,
                    count=f"{most:,}",
                ),
                next=message("Wait until midnight, or raise {budget} in the settings.", budget=role.budget),
            )

    def spent_today(self, budget: str) -> int:
        """Return the tokens booked against this budget since midnight in the desk's time zone."""
        with self._lock:
            return self._today().get(budget, 0)

    def book(self, role: Role, model: str, used: Used, *, failed: bool = False) -> None:
        """Book a request under the current purpose, without waiting for the disk."""
        with self._lock:
            today = self._today()
            today[role.budget] = today.get(role.budget, 0) + used.tokens
            spent = Spent(
                day=self._day,
                role=role.name,
                model=model,
                purpose=current().purpose,
                calls=1,
                failures=int(failed),
                tokens_in=used.tokens_in,
                tokens_out=used.tokens_out,
                guessed=used.guessed,
            )
        try:
            kept = self._store.maintain(lambda db, *_: bookkeeping.add(db, spent))
        except StorageFailed:
            # The desk was closed while the question was under way.
            return
        kept.add_done_callback(_log_failure)

    def _today(self) -> dict[str, int]:
        day = to_datetime(self._clock()).astimezone().date().isoformat()
        if day != self._day:
            # A recall asks its model while it reads, and others wait here with their readers.
            with self._store.beside() as db:
                booked = bookkeeping.tokens_on(db, day)
            self._day, self._spent = day, {}
            for role in (LANGUAGE, EMBEDDER, RERANKER):
                self._spent[role.budget] = self._spent.get(role.budget, 0) + booked.get(role.name, 0)
        return self._spent


def _log_failure(kept: Future[None]) -> None:
    if error := kept.exception():
        log.error("what a model cost could not be written down", exc_info=error)
