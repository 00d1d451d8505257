"""Service behind a window: the interface that its session needs of a client, and what a member may ask."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from memdesk.api.endpoint import Endpoint
from memdesk.gui.language import marked, tr
from memdesk.model.channel import LOCAL_USER
from memdesk.model.history import FeedEvent, WorkingMoved
from memdesk.model.team import READER, may

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

READS = marked("You read this desk and change nothing in it. Ask one of its owners for another role.")
FOR_OWNERS = marked("Only an owner of this desk may do this. Ask one of them.")


class Memory(Protocol):
    """Interface that the session needs from a client."""

    async def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask and wait for the answer. Raises the error tree; ServiceAway if there is no answer."""

    def follow(self, after: int | None = None) -> AsyncIterator[FeedEvent | WorkingMoved]:
        """Yield events after a cursor as they happen, until the connection is lost."""

    async def close(self) -> None:
        """Close the connection."""


def role_refusal(role: str, needed: str) -> str:
    """Return why a member with a role may not do what is declared for another; empty if it may."""
    if may(role, needed):
        return ""
    return tr(READS) if role == READER else tr(FOR_OWNERS)


def of_own_user(ask: Ask, users: Sequence[str]) -> Ask:
    """Return a request about the first user of a member of several, where it names none or the desk's own."""
    named = getattr(ask, "user_id", "")
    if len(users) < 2 or named in users or named not in (None, LOCAL_USER):
        return ask
    return cast(Ask, replace(cast(Any, ask), user_id=LOCAL_USER if LOCAL_USER in users else users[0]))
