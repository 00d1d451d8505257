"""Changes: the one form in which memory is written, journalled and undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from memdesk.model.message import Message

EDITS_AT_MOST = 500
"""Maximum number of edits in a change; longer work is a run of several changes."""
OUTSIDE = "outside"
"""Author of text that another program wrote into a file, and of files as they were when first added to the
desk."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Edit of one record. `before` and `after` contain only the changed fields; None means that the record
    does not exist.

    `before` is the precondition: the change is refused when the record's fields have other values."""

    kind: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def mirrored(self) -> Edit:
        return Edit(self.kind, self.id, self.after, self.before)


class Owner(Protocol):
    """Record or request of a user, and of the agent that it came from."""

    @property
    def user_id(self) -> str: ...

    @property
    def agent_id(self) -> str | None: ...


class Scoped(Protocol):
    """Record of a user in a channel."""

    @property
    def user_id(self) -> str: ...

    @property
    def channel(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Set of edits that a verb returns and the store applies atomically.

    op: a word of the audit log (store, learn, update, promote, retire, undo…). key: the caller's own id,
    which makes a retry harmless. run: an id shared by the changes of one job or bulk operation. details:
    extra data for the audit entry."""

    op: str
    title: Message
    author: str
    edits: tuple[Edit, ...]
    layer: str = "semantic"
    channel: str = "_global"
    user_id: str = "local"
    run: str | None = None
    key: str | None = None
    undoes: int | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def about(
        cls,
        record: Scoped,
        op: str,
        title: Message,
        *,
        author: str,
        edits: Iterable[Edit],
        layer: str = "semantic",
        run: str | None = None,
        key: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> Change:
        """Return a change of the user and the channel that a record has."""
        return cls(
            op=op,
            title=title,
            author=author,
            edits=tuple(edits),
            layer=layer,
            channel=record.channel,
            user_id=record.user_id,
            run=run,
            key=key,
            details=details or {},
        )

    @classmethod
    def of_desk(cls, title: Message, *, author: str, op: str = "update", **more: Any) -> Change:
        """Return a change of the desk itself, of no user and without records. more: other fields of the change."""
        return cls(op=op, layer="workspace", title=title, author=author, user_id="", edits=(), **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Result of applying a change: its number in the journal and the edits that had an effect.

    `repeated` is True if the same key was applied before: `id` is that earlier change, and nothing was done
    now."""

    id: int
    edits: tuple[Edit, ...]
    repeated: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(sorted({edit.kind for edit in self.edits}))
