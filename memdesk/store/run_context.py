"""Context of decisions: those of a bulk operation belong to one run, some are only rehearsed, and those of a member's
request reach no further than its token.

It is a context variable, not a parameter of every verb, so that it also covers changes that a verb makes
indirectly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from memdesk.model.change import Change
from memdesk.model.channel import CHANNEL


@dataclass(frozen=True, slots=True)
class Reach:
    """Users and channels that a request may reach; no channels for all of them."""

    users: tuple[str, ...]
    channels: tuple[str, ...]


_run: ContextVar[str | None] = ContextVar("run", default=None)
durable_later: ContextVar[bool] = ContextVar("durable_later", default=False)
"""True where a commit need not wait for the disk: `Store.durable_at_end`."""
_reach: ContextVar[Reach | None] = ContextVar("reach", default=None)
_rehearsed: ContextVar[bool] = ContextVar("rehearsed", default=False)


class Rehearsed(Exception):
    """Exception that returns from a rehearsal the change that would have been made."""

    def __init__(self, change: Change) -> None:
        super().__init__(change.title)
        self.change = change


@contextmanager
def one_run(run: str) -> Iterator[None]:
    """Assign every change decided within the block to this run."""
    token = _run.set(run)
    try:
        yield
    finally:
        _run.reset(token)


@contextmanager
def within(reach: Reach | None) -> Iterator[None]:
    """Let the block read and write only what is within reach, None for everything, where the database keeps to it."""
    token = _reach.set(reach)
    try:
        yield
    finally:
        _reach.reset(token)


def present_reach() -> Reach | None:
    """Return what the present request may reach, None for everything."""
    return _reach.get()


@contextmanager
def rehearsal() -> Iterator[None]:
    """Raise Rehearsed with the first change decided within the block, instead of making it."""
    token = _rehearsed.set(True)
    try:
        yield
    finally:
        _rehearsed.reset(token)


def is_rehearsal() -> bool:
    """Return True within a rehearsal, in which nothing is to be written."""
    return _rehearsed.get()


def assigned_to_run(change: Change) -> Change:
    """Return the change, assigned to the current run if there is one."""
    run = _run.get()
    return change if run is None else replace(change, run=run)


def rehearse(change: Change | None) -> None:
    """Raise Rehearsed for a change; one that only creates a channel is ignored."""
    if change is not None and any(edit.kind != CHANNEL.name for edit in change.edits):
        raise Rehearsed(change)
