"""One act on many memories: what it would touch, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field

VERBS = ("promote", "retire", "quarantine", "restore", "merge", "move", "pin", "unpin", "tag")
BULK_AT_MOST = 1000
"""Memories that one act takes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """Do one thing to many memories, as a run of changes that is taken back whole.

    verb: promote, retire, quarantine, restore, merge, move, pin, unpin or tag. ids: at most 1,000 memories. channel:
    where `move` takes them. into_id: the memory that `merge` keeps. tags: what `tag` adds.
    """

    verb: str
    ids: tuple[str, ...]
    channel: str | None = None
    into_id: str | None = None
    tags: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One memory in a preview. also: what else its change moves, by kind. files: paths that it rewrites.

    why_not: why this one would be left as it is; empty when it would not.
    """

    id: str
    title: str
    channel: str
    also: dict[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkPreview:
    """What an act would do to each memory, in the order they were named. will: how many it would change."""

    verb: str
    will: int
    rows: tuple[Touch, ...]
