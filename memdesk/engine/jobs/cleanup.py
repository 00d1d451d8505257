"""Cleanup job: archives old conversations, deletes memories that a job retired long ago, and purges unused
data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.protection import protected
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.entity import ABOUT, ALIAS, ENTITY, RELATION, Relation
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.procedure import OUTCOME, STRATEGY
from memdesk.model.proposal import PROPOSAL
from memdesk.model.tag import TAG
from memdesk.model.turn import CONVERSATION, Conversation
from memdesk.store import aging, records, working
from memdesk.store.connection import Connection

DELETED: tuple[Kind, ...] = (FACT, STRATEGY, RELATION, ALIAS, TAG, ENTITY)
"""Kinds deleted once a job has retired them; entities come last, since a fact about an entity keeps it."""
GOES_ALONG = (ALIAS, RELATION, OUTCOME, PROPOSAL, TAG)
"""Kinds that belong to a memory and are deleted with it."""
COUNTED = ("archived", "deleted", "left", "swept", "purged")
VECTORS_AT_MOST = 20_000
"""Vectors purged in one run; each purge blocks the writer for the time of one read of the index."""
VECTORS_AT_ONCE = 2_000

Records = list[tuple[Kind, Any]]


def cleanup(run: Run) -> dict[str, int]:
    """Archive, delete, sweep and purge, as the settings require.

    Returns counts of archived conversations, deleted memories with their dependent records, memories left in
    place, swept keys of working memory and purged vectors. A dry run judges each memory by its present state.
    """
    run.counts.update(dict.fromkeys(COUNTED, 0))
    _archive(run)
    for kind in DELETED:
        _delete(run, kind)
    _sweep(run)
    _purge(run)
    return dict(run.counts)


def _archive(run: Run) -> None:
    days = run.engine.settings.archive_after_days
    if not days:
        return
    before = run.engine.clock() - days * DAY
    with run.engine.store.reading() as db:
        quiet = aging.quiet_conversations(db, before)
        kept = protected(db, quiet)
    waiting = [id for id in quiet if id not in kept]
    for done, id in enumerate(waiting):
        run.step(done, len(waiting), "Archiving conversations")
        run.counts["archived"] += run.decide(partial(_archival, run, id, before))


def _archival(run: Run, id: str, before: int, db: Connection) -> tuple[Change | None, int]:
    if not aging.quiet_conversations(db, before, id) or protected(db, [id]):
        return None, 0
    talk: Conversation = records.need(db, CONVERSATION, id)
    return Change(
        op="update", layer=CONVERSATION.layer, title=f"“{shortened(talk.title, 80)}” archived", author=run.author,
        channel=talk.channel, user_id=talk.user_id, run=run.id,
        edits=(records.moved(CONVERSATION, talk, archived_at=run.engine.clock()),),
        details={"archive_after_days": run.engine.settings.archive_after_days},
    ), 1  # fmt: skip


def _delete(run: Run, kind: Kind) -> None:
    days = run.engine.settings.delete_after_days
    if not days:
        return
    before = run.engine.clock() - days * DAY
    with run.engine.store.reading() as db:
        waiting = aging.retired_by_jobs(db, kind, before)
    for done, id in enumerate(waiting):
        run.step(done, len(waiting), f"Deleting what was retired: {kind.label.lower()}")
        try:
            _delete_one(run, kind, id, before)
        except Conflict:
            # Something came to depend on it in a way of its own; it stays retired, and is counted.
            run.counts["left"] += 1


def _delete_one(run: Run, kind: Kind, id: str, before: int) -> None:
    """Delete a memory with its dependent records, in as many changes as that takes."""
    while gone := run.decide(partial(_deletion, run, kind, id, before)):
        run.counts["deleted"] += gone
        if gone < EDITS_AT_MOST or run.dry:
            return


def _deletion(run: Run, kind: Kind, id: str, before: int, db: Connection) -> tuple[Change | None, int]:
    """Return the next change of a deletion, and how many records it deletes; None and 0 if there is nothing
    to delete."""
    if not aging.retired_by_jobs(db, kind, before, id):
        return None, 0
    whole = _with_bonds(db, kind, id)
    if not whole or protected(db, [record.id for _, record in whole]):
        run.counts["left"] += 1
        return None, 0
    part, record = whole[:EDITS_AT_MOST], whole[-1][1]
    return Change(
        op="delete", layer=kind.layer, title=shortened(str(getattr(record, kind.title)), 120), author=run.author,
        channel=record.channel, user_id=record.user_id, run=run.id,
        edits=tuple(_burial(each, one) for each, one in part),
        details={
            "retired": to_datetime(record.retired_at).isoformat(timespec="seconds"),
            "delete_after_days": run.engine.settings.delete_after_days, "with_it": len(whole) - 1,
        },
    ), len(part)  # fmt: skip


def _burial(kind: Kind, record: Any) -> Edit:
    return Edit(kind.name, record.id, {"retired_at": record.retired_at}, None)


def _with_bonds(db: Connection, kind: Kind, id: str) -> Records:
    """Return a record after all its dependent records, in the order of deletion; empty if other memory needs
    it."""
    record = records.need(db, kind, id)
    found: dict[str, tuple[Kind, Any]] = {id: (kind, record)}
    front: Sequence[tuple[Kind, Any]] = ((kind, record),)
    while front:
        hanging = [pair for each, one in front for pair in aging.referring(db, each, one.id)]
        if any(_needs(other, one, id) for other, one in hanging):
            return []
        front = list(_new(hanging, found))
    return list(reversed(found.values()))


def _new(hanging: Records, found: dict[str, tuple[Kind, Any]]) -> Iterator[tuple[Kind, Any]]:
    """Return the records met for the first time; those met before move behind the record they depend on."""
    for kind, record in hanging:
        known = found.pop(record.id, None)
        found[record.id] = (kind, record)
        if known is None:
            yield kind, record


def _needs(kind: Kind, record: Any, id: str) -> bool:
    """Return True if a record that refers to the deleted one must stay: a fact made from it, or a fact about
    it."""
    if kind not in GOES_ALONG:
        return True
    return kind is RELATION and _tells_of(record, id)


def _tells_of(relation: Relation, id: str) -> bool:
    return relation.type == ABOUT and relation.target_id == id and relation.retired_at is None


def _sweep(run: Run) -> None:
    run.step(0, 0, "Sweeping working memory")
    if not run.dry:
        at = run.engine.clock()
        run.counts["swept"] += run.engine.store.maintain(lambda db, *_: working.sweep(db, at=at)).result()


def _purge(run: Run) -> None:
    with run.engine.store.reading() as db:
        idle = aging.vectors_of_nothing(db, VECTORS_AT_MOST)
    for first in range(0, len(idle), VECTORS_AT_ONCE):
        run.step(first, len(idle), "Purging vectors of texts that are gone")
        part = idle[first : first + VECTORS_AT_ONCE]
        run.counts["purged"] += len(part) if run.dry else _purged(run, part)


def _purged(run: Run, numbers: list[int]) -> int:
    return run.engine.store.maintain(lambda db, *_: aging.purge_vectors(db, numbers)).result()
