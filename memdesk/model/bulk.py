"""Bulk operation on many memories: the request, its preview, and its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

VERBS = ("promote", "retire", "quarantine", "restore", "merge", "move", "pin", "unpin", "tag")
BULK_AT_MOST = 1000
"""Maximum number of memories in one bulk operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """Request to apply one verb to many memories, as a run of changes that is undone as one.

    verb: promote, retire, quarantine, restore, merge, move, pin, unpin or tag. ids: at most 1,000 memories.
    channel:
    the target of `move`. into_id: the memory that `merge` keeps. tags: the tags that `tag` adds."""

    verb: str
    ids: tuple[str, ...]
    channel: str | None = None
    into_id: str | None = None
    tags: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Memory in a preview. also: counts by kind of the other records its change edits. files: paths that it
    rewrites.

    why_not: the reason this memory would be left unchanged; "" if it would be changed."""

    id: str
    title: str
    channel: str
    also: dict[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkPreview:
    """Effect of a bulk operation on each memory, in the order given. will: how many memories it would change."""

    verb: str
    will: int
    rows: tuple[Touch, ...]
