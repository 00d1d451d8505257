"""What a person does to memory, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.channel import LOCAL_USER


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
class Restore:
    """Bring a retired or superseded memory back into recall."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demote:
    """The inverse of a promotion: retire the copy in `_global`. The original stays."""

    fact_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Make a fact past and faint, out of recall, and keep it for what came of it (AgentX)."""

    fact_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Move a fact, an entity, a goal, a strategy or a conversation to another channel, with what belongs to it."""

    id: str
    channel: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Say that a fact is about an entity."""

    fact_id: str
    entity_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlink:
    """Say that a fact is not about an entity after all."""

    fact_id: str
    entity_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewMerge:
    """id: the memory that would leave, into_id: the one that would be kept."""

    id: str
    into_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Merge an entity or a fact into another of its kind and channel, or of `_global`."""

    id: str
    into_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePreview:
    """What a merge would do. about, relations: how many would lead to the kept memory; repeated: dropped, it has them.

    names: other names it gains. recalled: recalls that will count for it. changes: how many it takes; more than one
    is undone as a run.
    """

    title: str
    into: str
    about: int
    relations: int
    repeated: int
    names: int
    tags: int
    recalled: int
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagging:
    """Add these tags to a memory, or take them away. Tags are kept in lower case."""

    id: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameTag:
    """Give a tag another name wherever it stands; with a name that is there, the two become one."""

    tag: str
    name: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTags:
    """channels: empty for all."""

    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TagCount:
    tag: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TagList:
    """The most used first."""

    rows: tuple[TagCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """The tags a memory has now. `change` is the audit entry, None when it had them so already."""

    id: str
    tags: tuple[str, ...]
    change: int | None


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
class EraseUser:
    """Erase everything of one user, for good. confirm: the same user_id once more.

    backups: also delete every backup that holds anything of theirs, with all else it holds. Without it they stay, and
    are named; restoring one that is older than the erasure erases the user again.
    """

    user_id: str
    confirm: str
    backups: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Curated:
    """What was done: the record that now stands, and the audit entry that can be undone.

    run: set where it took many changes; then they are taken back together, by `undo_run` of this one. files: those in
    which the line that a fact is read from was struck, brought back or rewritten.
    """

    id: str
    change: int
    title: str
    run: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take a change back; without one, the caller's own latest. Undoing an undo is redo."""

    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRun:
    """Take back every change of a run: a whole import, a whole consolidation. Either of both names it.

    change: the number of one of its changes. run: its id.
    """

    change: int = 0
    run: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo:
    """Take back the caller's own latest undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """`change` is the new audit entry, `undid` the one it took back. run: set where a whole run was done again."""

    change: int
    undid: int
    title: str
    run: str | None = None
