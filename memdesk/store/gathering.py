"""What is decided by one act on many memories: all of it one run, or only rehearsed.

A context, and not a parameter of every verb: whatever a verb decides on its way belongs to the act it is done for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from memdesk.model.change import Change
from memdesk.model.channel import CHANNEL

_run: ContextVar[str | None] = ContextVar("run", default=None)
_rehearsed: ContextVar[bool] = ContextVar("rehearsed", default=False)


class Rehearsed(Exception):
    """Carries, out of a rehearsal, the change that would have been made."""

    def __init__(self, change: Change) -> None:
        super().__init__(change.title)
        self.change = change


@contextmanager
def one_run(run: str) -> Iterator[None]:
    """Every change decided inside belongs to this run."""
    token = _run.set(run)
    try:
        yield
    finally:
        _run.reset(token)


@contextmanager
def rehearsal() -> Iterator[None]:
    """The first change decided inside is not made: Rehearsed is raised with it."""
    token = _rehearsed.set(True)
    try:
        yield
    finally:
        _rehearsed.reset(token)


def is_rehearsal() -> bool:
    """Whether nothing is to be written now."""
    return _rehearsed.get()


def gathered(change: Change) -> Change:
    """The change as a part of the run that it is made for, if it is made for one."""
    run = _run.get()
    return change if run is None else replace(change, run=run)


def rehearse(change: Change | None) -> None:
    """Raise Rehearsed for a change; a channel that a verb makes on its way is none of its own."""
    if change is not None and any(edit.kind != CHANNEL.name for edit in change.edits):
        raise Rehearsed(change)
