"""Progress of a job, and the signal that a person wants it to stop."""

from __future__ import annotations

from typing import Protocol

from memdesk.model.errors import Cancelled
from memdesk.model.message import Message


class Interrupted(Cancelled):
    """Raised when the service ends: unlike a job that a person stopped, this one is due again at the next start."""


class Progress(Protocol):
    """Callback between steps. Raises Cancelled if a person stopped the job, Interrupted if the service ends."""

    def __call__(self, done: int, total: int, says: Message, /) -> None: ...


def ignore_progress(done: int, total: int, says: Message) -> None:
    """Ignore progress, for calls that show none."""
