"""Changes: the one shape in which memory is written, journalled and taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

EDITS_AT_MOST = 500
"""A change holds no more; longer work is a run of many changes."""
OUTSIDE = "outside"
"""The author of what another program wrote into a file, and of files as they were before they came to the desk."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One record's move. `before` and `after` hold only the fields that moved; None means it was not there.

    `before` is the precondition: the change is refused when the record reads otherwise.
    """

    kind: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def mirrored(self) -> Edit:
        return Edit(self.kind, self.id, self.after, self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a verb returns and the store carries out, whole or not at all.

    op: a word of the audit log (store, learn, update, promote, retire, undo…). key: the caller's own id, which makes
    a retry harmless. run: names the many changes of one job. details: what the audit entry should remember.
    """

    op: str
    title: str
    author: str
    edits: tuple[Edit, ...]
    layer: str = "semantic"
    channel: str = "_global"
    user_id: str = "local"
    run: str | None = None
    key: str | None = None
    undoes: int | None = None
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of a change: its number in the journal and the edits that really moved something.

    `repeated` says that the same key was applied before: `id` is that change, and nothing was done now.
    """

    id: int
    edits: tuple[Edit, ...]
    repeated: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(sorted({edit.kind for edit in self.edits}))
