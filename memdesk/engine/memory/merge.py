"""Merge by hand: two entities that are one, or two facts with the same claim. Undone as one change, or as one
run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.joining import Joining
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import lines_follow
from memdesk.model.change import Applied, Change
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Curated, Merge, MergePreview, PreviewMerge
from memdesk.model.entity import ENTITY, Entity
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.ids import new_id
from memdesk.store import moving, recalls, records
from memdesk.store.connection import Connection

Pair = tuple[Any, Any]
Judge = Callable[[Connection], Pair]
"""Function that reads the two memories to merge, (lost, kept), at the time of the merge."""


def preview_merge(engine: Engine, ask: PreviewMerge) -> MergePreview:
    """Return counts of the records a merge would move, and of those it would drop as repeated. Raises as
    `merge` does."""
    with engine.store.reading() as db:
        lost, kept = pair(db, ask.id, ask.into_id)
        found = Joining(engine=engine, db=db, lost=lost, kept=kept, at=engine.clock())
        used = recalls.uses(db, [lost.seq]).get(lost.seq)
    counts = found.counts
    return MergePreview(
        title=title_of(lost), into=title_of(kept), relations=counts["relations"], about=counts["about"],
        repeated=counts["repeated"], names=counts["names"], tags=counts["tags"],
        recalled=0 if used is None else used.access_count, changes=-(-len(found.edits) // len(found.step)),
    )  # fmt: skip


def merge(engine: Engine, ask: Merge, *, author: str) -> Curated:
    """Merge a memory into another of its kind; return the kept one, which gets the source lines of both.

    Raises NotFound, BadAsk for two of different kinds or channels, Conflict if one of them is retired;
    StorageFailed."""

    def judge(db: Connection) -> Pair:
        return pair(db, ask.id, ask.into_id)

    run = new_id("run", engine.clock())
    applied, kept, alone = join(engine, judge, author=author, run=run, details={"reason": ask.reason})
    return Curated(
        id=kept.id, change=applied.id, title=title_of(kept), run=None if alone else run,
        files=lines_follow.paths(engine, applied),
    )  # fmt: skip


def join(
    engine: Engine, judge: Judge, *, author: str, run: str, details: dict[str, Any], alone: bool = True
) -> tuple[Applied, Any, bool]:
    """Merge the two memories that `judge` returns as (lost, kept), in as many changes as needed.

    alone: if True, a merge of one change belongs to no run. Returns (its last change, the kept memory, True
    if it belongs to no run)."""
    whole = False
    while not whole:
        applied, kept, whole = _step(engine, judge, author=author, run=run, details=details, alone=alone)
        alone = alone and whole
    return applied, kept, alone


def _step(
    engine: Engine, judge: Judge, *, author: str, run: str, details: dict[str, Any], alone: bool
) -> tuple[Applied, Any, bool]:
    """Apply one change of a merge; return it, the kept memory, and True if it was the last."""

    def verb(db: Connection) -> tuple[Change | None, tuple[Any, bool]]:
        lost, kept = judge(db)
        found = Joining(engine=engine, db=db, lost=lost, kept=kept, at=engine.clock())
        if found.whole:
            moving.join_use(db, lost.seq, kept.seq)
        within = None if alone and found.whole else run
        return joined(found, author=author, run=within, details=details), (kept, found.whole)

    with engine.store.reading() as db:
        about = [each.id for each in judge(db)]
    applied, (kept, whole) = lines_follow.decide(engine, verb, about)
    assert applied is not None
    return applied, kept, whole


def joined(found: Joining, *, author: str, run: str | None, details: dict[str, Any]) -> Change:
    """Return the change of one step of a merge."""
    lost, kept = found.lost, found.kept
    title = f"Merged “{shortened(title_of(lost), 50)}” into “{shortened(title_of(kept), 50)}”"
    return Change(
        op="update", title=title, author=author, edits=tuple(found.step), channel=kept.channel,
        user_id=kept.user_id, run=run,
        details={"merged": lost.id, "into": kept.id, **found.counts, **details},
    )  # fmt: skip


def pair(db: Connection, id: str, into_id: str) -> Pair:
    """Return the two memories of a merge, (lost, kept). Raises NotFound, BadAsk or Conflict if they cannot be
    merged."""
    (kind, lost), (other, kept) = records.any_record(db, id), records.any_record(db, into_id)
    if kind is not other or kind not in (FACT, ENTITY):
        raise BadAsk("Two facts or two entities can be merged.", next="Name two memories of one kind.")
    if id == into_id:
        raise BadAsk("A memory cannot be merged into itself.")
    if lost.user_id != kept.user_id:
        raise BadAsk("Memories of two users are not merged.")
    for record in (lost, kept):
        if record.retired_at is not None or getattr(record, "superseded_by", None) is not None:
            raise Conflict(f"“{shortened(title_of(record))}” is retired.", next="Restore it first.")
    if kept.channel not in (lost.channel, GLOBAL):
        raise BadAsk(
            f"They live in two channels, {lost.channel} and {kept.channel}.", next="Move one of them first."
        )
    return lost, kept


def title_of(record: Fact | Entity) -> str:
    """Return a fact's claim or an entity's name."""
    return record.claim if isinstance(record, Fact) else record.name
