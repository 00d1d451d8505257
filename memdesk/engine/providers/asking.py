"""Context of a model request: the purpose it is booked under, and a callback that can cancel the wait.

It is a context variable, because the request passes through code that needs neither of the two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

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
    """Within this context, models are asked for `purpose`; `heed` is called several times a second during a
    wait."""
    token = _current.set(Asking(purpose=purpose, heed=heed))
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Asking:
    """Return the context in which a model would be asked now."""
    return _current.get()
