"""How a job tells how far it is, and learns that a person wants it to stop."""

from __future__ import annotations

from typing import Protocol

from memdesk.model.errors import Cancelled


class Interrupted(Cancelled):
    """The service ends: unlike a job that a person stopped, this one is due again at the next start."""


class Progress(Protocol):
    """Called between steps. Raises Cancelled when a person stopped the job, Interrupted when the service ends."""

    def __call__(self, done: int, total: int, says: str, /) -> None: ...


def silent(done: int, total: int, says: str) -> None:
    """Progress that nobody watches."""
