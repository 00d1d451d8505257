"""A person's operations on memory, and their results; acts on a set asked for in words; revoking a source."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdesk.model.channel import LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name
from memdesk.model.timeline import AskTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """Tag on one memory."""

    seq: int
    id: str
    user_id: str
    channel: str
    record_id: str
    name: str
    created_at: int
    retired_at: int | None = None


TAG = Kind(
    name="tag",
    prefix="l",
    table="tags",
    record=Tag,
    label="Tag",
    layer="semantic",
    title="name",
    subject_rank=17,
    references=(("record_id", "record"),),
    unique=(("record_id", "name"),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewPromotion:
    fact_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Promote:
    """Request to copy a project fact to `_global`. The original stays."""

    fact_id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditFact:
    """Request to correct a fact; None leaves a field unchanged. was: the claim as the caller saw it; a
    different current claim is a Conflict."""

    fact_id: Name
    was: str | None = None
    claim: str | None = None
    category: Name | None = None
    confidence: float | None = None
    temporal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEntity:
    """Request to correct an entity; None leaves a field unchanged. was: its name as the caller saw it; a different
    name now is a Conflict. aliases: other names to add. drop_aliases: other names to remove.

    A new name keeps the old one as another name, unless that is in drop_aliases."""

    entity_id: Name
    was: str | None = None
    name: str | None = None
    type: Name | None = None
    description: str | None = None
    aliases: tuple[Name, ...] = ()
    drop_aliases: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRelation:
    """Request to change the type or the confidence of a relation; None leaves a field unchanged. relation_id: the
    relation's record."""

    relation_id: Name
    type: Name | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire:
    """Request to hide a fact, an entity, a turn or a relation from recall. Nothing is deleted."""

    id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Request to bring a retired or superseded memory back into recall."""

    id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demote:
    """Request to reverse a promotion: retire the copy in `_global`. The original stays."""

    fact_id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Request to forget a fact (AgentX): it becomes past, its salience and confidence drop, it leaves recall;
    its lineage stays."""

    fact_id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Request to move a fact, an entity, a goal, a strategy or a conversation to another channel, with its
    dependent records."""

    id: Name
    channel: FilledName
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Request to link a fact to an entity that it is about."""

    fact_id: Name
    entity_id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlink:
    """Request to remove the link between a fact and an entity."""

    fact_id: Name
    entity_id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewMerge:
    """Request for the preview of a merge.

    id: the memory that would be merged away, into_id: the one that would be kept."""

    id: Name
    into_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Request to merge an entity or a fact into another of its kind, in its channel or in `_global`."""

    id: Name
    into_id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePreview:
    """Preview of a merge. about, relations: how many would be moved to the kept memory; repeated: dropped, as
    it has them.

    names: other names it gains. recalled: recalls that will count for it. changes: how many changes it needs;
    more than one are undone as a run."""

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
    """Request to add these tags to a memory, or to remove them. Tags are stored in lower case."""

    id: Name
    tags: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameTag:
    """Request to rename a tag on all memories; if the new name exists already, the two tags become one."""

    tag: Name
    name: Name
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTags:
    """Request for the tags in use. channels: empty for all."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TagCount:
    tag: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TagList:
    """Tags, the most used first."""

    rows: tuple[TagCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """Tags of a memory after the call. `change` is the audit entry, None when it had the same tags before."""

    id: str
    tags: tuple[str, ...]
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Request to pin or unpin a memory. Pinned memory does not fade."""

    id: Name
    pinned: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescue:
    """Request to set a fading memory's salience to the rescue value."""

    id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Request to trust a memory as if a person had said it: agents are told it as plain text from now on."""

    id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseUser:
    """Request to erase all data of one user permanently. confirm: the same user_id again.

    backups: also delete every backup that contains data of theirs, with its other contents. Without it the
    backups stay, and are named in the answer; restoring one that is older than the erasure erases the user
    again. A desk in PostgreSQL has no backups."""

    user_id: FilledName
    confirm: Name
    backups: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Curated:
    """Result of an operation: the resulting record, and the audit entry that can be undone.

    run: set if it needed several changes; `undo_run` of it undoes them together. files: those in which the
    source line of a fact was removed, restored or rewritten."""

    id: str
    change: int
    title: Message
    run: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Request to undo a change; without a number, the caller's own latest. Undoing an undo is redo."""

    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRun:
    """Request to undo every change of a run, such as an import or a consolidation. Either field names it.

    change: the number of one of its changes. run: its id."""

    change: int = 0
    run: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo:
    """Request to undo the caller's own latest undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Result of an undo. `change` is the new audit entry, `undid` the one that was undone."""

    change: int
    undid: int
    title: Message


VERBS = ("promote", "past", "retire", "quarantine", "restore", "merge", "move", "pin", "unpin", "tag")
BULK_AT_MOST = 1000
"""Maximum number of memories in one bulk operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """Request to apply one verb to many memories, as a run of changes that is undone as one.

    verb: promote, past (no longer true; facts alone), retire, quarantine, restore, merge, move, pin, unpin or tag.
    ids: at most 1,000 memories. channel: the target of `move`. into_id: the memory that `merge` keeps. tags: the tags
    that `tag` adds."""

    verb: str
    ids: tuple[str, ...]
    channel: FilledName | None = None
    into_id: Name | None = None
    tags: tuple[Name, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Memory in a preview. also: counts by kind of the other records its change edits. files: paths that it
    rewrites. before, after: the state, channel or tags that the operation changes.

    why_not: the reason this memory would be left unchanged; "" if it would be changed."""

    id: str
    title: str
    channel: str
    also: dict[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    why_not: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkPreview:
    """Effect of a bulk operation on each memory, in the order given. will: how many memories it would change."""

    verb: str
    will: int
    rows: tuple[Touch, ...]


WORDS_AT_MOST = 400
"""Longest text that is read as an act, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAct:
    """Request to read an act in words and to preview it. channels, agents: those that the caller looks at; they narrow
    the set where the words name none, and are “this channel” and “this agent”."""

    text: FilledName
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActReading:
    """Act as it was read, with its effect on each memory.

    understood: the parts that were understood, the act first. unknown: the words that were not. queries: the set, one
    table of each kind of memory. total: memories in it. act: the request that carries it out; None if why_not has the
    reason. will, rows: as in the preview of a bulk operation."""

    understood: tuple[Message, ...] = ()
    unknown: tuple[str, ...] = ()
    queries: tuple[AskTable, ...] = ()
    total: int = 0
    act: Bulk | None = None
    will: int = 0
    rows: tuple[Touch, ...] = ()
    why_not: Message = NO_MESSAGE
    next: Message = NO_MESSAGE


SOURCES = ("session", "conversation", "agent", "run", "file", "tool")
ROWS_SHOWN = 200
TAKEN_OUT = "retire"
"""Decision about a memory that was revoked: a claim like it is not learned again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """Request to take out everything that descends from a source.

    source_kind: session, conversation, agent, run (an import or a job), file or tool. source: its id or name; of a
    file the id, or the absolute path."""

    source_kind: FilledName
    source: FilledName
    user_id: FilledName = LOCAL_USER
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Descendant:
    """Memory that descends from a source. why: how, or why it stays, in a sentence."""

    id: str
    kind: str
    title: str
    channel: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevocationPreview:
    """Preview of a revocation. counts: how many go, by table. rows: the first of them. stays: those of them that
    stay, because they have another source or a person decided about them.

    returns: facts that come back, because what superseded them goes. files: paths of files that are removed."""

    source_kind: str
    source: str
    title: str
    counts: dict[str, int] = field(default_factory=dict)
    rows: tuple[Descendant, ...] = ()
    stays: tuple[Descendant, ...] = ()
    returns: tuple[Descendant, ...] = ()
    files: tuple[str, ...] = ()
