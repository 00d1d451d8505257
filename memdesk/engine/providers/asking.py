"""For whom a model is being asked: what the ledger books it under, and how whoever waits can break off.

A context variable, because the question passes through rooms that need know neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

OTHER = "other"


def _nothing() -> None:
    """Nobody breaks off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """purpose: what the answer is for, such as `job:consolidate` or `recall`. heed: raises to break the wait off."""

    purpose: str = OTHER
    heed: Callable[[], None] = _nothing


_current: ContextVar[Asking] = ContextVar("asking", default=Asking())  # noqa: B039 - frozen


@contextmanager
def asking(purpose: str, heed: Callable[[], None] = _nothing) -> Iterator[None]:
    """Within this, models are asked for `purpose`; `heed` is called several times a second while one is waited for."""
    token = _current.set(Asking(purpose=purpose, heed=heed))
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Asking:
    """For whom a model would be asked at this moment."""
    return _current.get()
