"""What a person does to memory, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewPromotion:
    fact_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Promote:
    """Copy a project fact to `_global`. The original stays."""

    fact_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditFact:
    """Correct a fact; None leaves a field as it is. was: the claim as it was seen; another one now is a Conflict."""

    fact_id: str
    was: str | None = None
    claim: str | None = None
    category: str | None = None
    confidence: float | None = None
    temporal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire:
    """Hide a fact, an entity, a turn or a relation from recall. Nothing is deleted."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Pinned memory does not fade."""

    id: str
    pinned: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescue:
    """Set a fading memory's salience to the rescue value."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Curated:
    """What was done: the record that now stands, and the audit entry that can be undone."""

    id: str
    change: int
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take a change back; without one, the caller's own latest. Undoing an undo is redo."""

    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRun:
    """Take back every change of the run that this change belongs to: a whole import, a whole consolidation."""

    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo:
    """Take back the caller's own latest undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """`change` is the new audit entry, `undid` the one it took back."""

    change: int
    undid: int
    title: str
