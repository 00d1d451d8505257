"""Jobs that keep the desk small, safe and up to date: cleanup, retention of the audit log, backup, files read by newer
rules, embedding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memdesk.engine import backups
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.draft import protected
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.fact_updates import outdated, read_again
from memdesk.engine.workspace.layouts import holds_facts
from memdesk.engine.workspace.line_facts import LINES_AT_ONCE, READER
from memdesk.model.backup import DAILY
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT, Workspace
from memdesk.model.entity import ABOUT, ALIAS, ENTITY, RELATION, Relation
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.message import message, verbatim
from memdesk.model.review import PROPOSAL
from memdesk.model.strategy import OUTCOME, STRATEGY
from memdesk.model.turn import CONVERSATION
from memdesk.store import (
    aging,
    audit_log,
    browsing,
    contexts,
    document_versions,
    records,
    search,
    working,
)
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal

DELETED: tuple[Kind[Any], ...] = (FACT, STRATEGY, RELATION, ALIAS, TAG, ENTITY)
"""Kinds deleted once a job has retired them; entities come last, since a fact about an entity keeps it."""
DEPENDENT_KINDS = (ALIAS, RELATION, OUTCOME, PROPOSAL, TAG)
"""Kinds that belong to a memory and are deleted with it."""
CLEANUP_COUNTED = ("archived", "deleted", "left", "swept", "purged")
VECTORS_AT_MOST = 20_000
"""Vectors purged in one run; each purge blocks the writer for the time of one read of the index."""
VECTORS_AT_ONCE = 2_000

Records = list[tuple[Kind[Any], Any]]


def cleanup(run: Run) -> dict[str, int]:
    """Archive, delete, sweep and purge, as the settings require.

    Returns counts of archived conversations, deleted memories with their dependent records, memories left in
    place, swept keys of working memory and purged vectors. A dry run judges each memory by its present state.
    """
    run.counts.update(dict.fromkeys(CLEANUP_COUNTED, 0))
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
        run.step(done, len(waiting), message("Archiving conversations"))
        run.counts["archived"] += run.decide(partial(_archival, run, id, before))


def _archival(run: Run, id: str, before: int, db: Connection) -> tuple[Change | None, int]:
    if not aging.quiet_conversations(db, before, id) or protected(db, [id]):
        return None, 0
    talk = records.need(db, CONVERSATION, id)
    return Change.about(
        talk,
        "update",
        message("“{talk}” archived", talk=shortened(talk.title, 80)),
        author=run.author,
        edits=(records.update_edit(CONVERSATION, talk, archived_at=run.engine.clock()),),
        layer=CONVERSATION.layer,
        run=run.id,
        details={"archive_after_days": run.engine.settings.archive_after_days},
    ), 1


def _delete(run: Run, kind: Kind[Any]) -> None:
    days = run.engine.settings.delete_after_days
    if not days:
        return
    before = run.engine.clock() - days * DAY
    with run.engine.store.reading() as db:
        waiting = aging.retired_by_jobs(db, kind, before)
    for done, id in enumerate(waiting):
        run.step(done, len(waiting), message("Deleting what was retired: {label}", label=kind.label.lower()))
        try:
            _delete_one(run, kind, id, before)
        except Conflict:
            # Something came to depend on it in a way of its own; it stays retired, and is counted.
            run.counts["left"] += 1


def _delete_one(run: Run, kind: Kind[Any], id: str, before: int) -> None:
    """Delete a memory with its dependent records, in as many changes as that takes."""
    while gone := run.decide(partial(_deletion, run, kind, id, before)):
        run.counts["deleted"] += gone
        if gone < EDITS_AT_MOST or run.dry:
            return


def _deletion(run: Run, kind: Kind[Any], id: str, before: int, db: Connection) -> tuple[Change | None, int]:
    """Return the next change of a deletion, and how many records it deletes; None and 0 if there is nothing
    to delete. A dry run has no second change: its number is that of all records."""
    if not aging.retired_by_jobs(db, kind, before, id):
        return None, 0
    whole = _with_dependents(db, kind, id)
    if not whole or protected(db, [record.id for _, record in whole]):
        run.counts["left"] += 1
        return None, 0
    part, record = whole[:EDITS_AT_MOST], whole[-1][1]
    return Change.about(
        record,
        "delete",
        verbatim(shortened(str(getattr(record, kind.title)), 120)),
        author=run.author,
        edits=(_deletion_edit(each, one) for each, one in part),
        layer=kind.layer,
        run=run.id,
        details={
            "retired": to_datetime(record.retired_at).isoformat(timespec="seconds"),
            "delete_after_days": run.engine.settings.delete_after_days,
            "with_it": len(whole) - 1,
        },
    ), len(whole if run.dry else part)


def _deletion_edit(kind: Kind[Any], record: Any) -> Edit:
    return Edit(kind.name, record.id, {"retired_at": record.retired_at}, None)


def _with_dependents(db: Connection, kind: Kind[Any], id: str) -> Records:
    """Return a record after all its dependent records, in the order of deletion; empty if other memory needs it."""
    record = records.need(db, kind, id)
    found: dict[str, tuple[Kind[Any], Any]] = {id: (kind, record)}
    front: Sequence[tuple[Kind[Any], Any]] = ((kind, record),)
    while front:
        hanging = [pair for each, one in front for pair in aging.referring(db, each, one.id)]
        if any(_needs(other, one, id) for other, one in hanging):
            return []
        front = list(_new(hanging, found))
    return list(reversed(found.values()))


def _new(hanging: Records, found: dict[str, tuple[Kind[Any], Any]]) -> Iterator[tuple[Kind[Any], Any]]:
    """Return the records met for the first time; those met before move behind the record they depend on."""
    for kind, record in hanging:
        known = found.pop(record.id, None)
        found[record.id] = (kind, record)
        if known is None:
            yield kind, record


def _needs(kind: Kind[Any], record: Any, id: str) -> bool:
    """Return True if a record that refers to the deleted one must stay: a fact made from it, or a fact about it."""
    if kind not in DEPENDENT_KINDS:
        return True
    return kind is RELATION and _is_about(record, id)


def _is_about(relation: Relation, id: str) -> bool:
    return relation.type == ABOUT and relation.target_id == id and relation.retired_at is None


def _sweep(run: Run) -> None:
    run.step(0, 0, message("Sweeping working memory"))
    if not run.dry:
        at = run.engine.clock()
        run.counts["swept"] += run.engine.store.maintain(lambda db, *_: working.sweep(db, at=at)).result()


def _purge(run: Run) -> None:
    with run.engine.store.reading() as db:
        idle = aging.orphaned_vectors(db, VECTORS_AT_MOST)
    for first in range(0, len(idle), VECTORS_AT_ONCE):
        run.step(first, len(idle), message("Purging vectors of texts that are gone"))
        part = idle[first : first + VECTORS_AT_ONCE]
        run.counts["purged"] += len(part) if run.dry else _purged(run, part)


def _purged(run: Run, numbers: list[int]) -> int:
    return run.engine.store.maintain(lambda db, *_: aging.purge_vectors(db, numbers)).result()


def drop_old_segments(run: Run) -> dict[str, int]:
    """Close every past day, and drop those older than `audit_retention_days`; the job audit_partitions.

    A closed day keeps its checkpoint for good: its number of rows, and the last change of the journal on it.
    Each drop is an event of the journal, which is never thinned. Returns how many were closed and dropped,
    and how many recorded prompts were deleted."""
    engine = run.engine
    today = engine.clock() // DAY
    with engine.store.reading() as db:
        there = [day for day in audit_log.days(db) if day < today]
        closed = {each.day for each in audit_log.checkpoints(db) if each.dropped_at is None}
    due = [day for day in there if day not in closed]
    old = [day for day in there if day < today - engine.settings.audit_retention_days]
    for done, day in enumerate(sorted(due)):
        run.step(done, len(due) + len(old), message("Closing days of the audit log"))
        if not run.dry:
            _close(engine, day)
    for done, day in enumerate(sorted(old)):
        run.step(len(due) + done, len(due) + len(old), message("Dropping days of the audit log"))
        _drop(run, day)
    prompts = 0 if run.dry else _forget_prompts(engine, today - engine.settings.audit_retention_days)
    counts = {"closed": len(due), "dropped": len(old)}
    return counts | {"prompts": prompts} if prompts else counts


def _forget_prompts(engine: Engine, day: int) -> int:
    """Delete the records of prompts before a day: they are kept no longer than the audit log."""
    return engine.store.submit(lambda db: contexts.forget(db, before=day * DAY)).result()


def _close(engine: Engine, day: int) -> None:
    at = engine.clock()
    engine.store.submit(lambda db: audit_log.close(db, day, at)).result()


def _drop(run: Run, day: int) -> None:
    def verb(db: Connection) -> tuple[Change | None, None]:
        rows = audit_log.counted(db, day)
        if not run.dry:
            audit_log.drop(db, day, run.engine.clock())
        date = audit_log.date_of(day).isoformat()
        return Change.of_desk(
            message("The audit log of {date}, dropped by its retention", date=date),
            author=run.author,
            op="delete",
            run=run.id,
            details={"day": date, "rows": rows},
        ), None

    run.decide(verb)


def back_up(run: Run) -> dict[str, int]:
    """Make a backup and remove old ones. Returns counts of backups made and of bytes; a dry run counts what
    it would make. A desk in a database is backed up with the database."""
    if run.engine.desk.address is not None:
        return {"backups": 0}
    needed = backups.unchanged_since(run.engine) is None
    if run.dry or not needed:
        return {"backups": int(needed)}
    made = backups.make_backup(run.engine, DAILY, run.step)
    return {"backups": 1, "bytes": made.bytes}


BATCH = 256
"""Texts embedded at once, between two checks for cancellation."""


def read_files_again(run: Run) -> dict[str, int]:
    """Read the lines of all files again, once after the rules for them changed; what a person chose, wrote or decided
    stays. A run that is stopped begins again: what it did once needs nothing more."""
    engine = run.engine
    run.counts.update(files=0, facts=0)
    with engine.store.reading() as db:
        if document_versions.lines_reader(db) == READER:
            return dict(run.counts)
        known = document_versions.documents_of(db)
    files = [(each, place) for each, place in known if holds_facts(each.path, place.layout)]
    for done, (document, workspace) in enumerate(files):
        run.step(done, len(files), message("Reading files again"))
        with engine.store.reading() as db:
            due = [tie.fact.id for tie, _ in outdated(engine, db, document, workspace)]
        run.counts["files"] += bool(due)
        for start in range(0, len(due), LINES_AT_ONCE):
            group = due[start : start + LINES_AT_ONCE]
            run.counts["facts"] += run.decide(partial(_reading, engine, document.id, workspace, group, run))
    if not run.dry:
        engine.store.maintain(lambda db, *_: document_versions.note_lines_reader(db, READER)).result()
    return dict(run.counts)


def _reading(
    engine: Engine, id: str, workspace: Workspace, found: list[str], run: Run, db: Connection
) -> tuple[Change | None, int]:
    document = records.need(db, DOCUMENT, id)
    if document.retired_at is not None:
        return None, 0
    return read_again(engine, db, document, workspace, found, author=run.author, run=run.id)


def embedding(run: Run) -> dict[str, int]:
    """Embed every text that waits for a vector; a dry run only counts them. Raises EmbedderUnavailable."""
    model = run.engine.models.facts
    with run.engine.store.reading() as db:
        waiting = browsing.counts(db)["unembedded"]
        waiting += search.count_facts_without(db, model.name) if model is not None else 0
    if run.dry:
        return {"texts": waiting}
    run.step(0, waiting, message("Computing vectors"))
    while done := embed_pending(run.engine, BATCH):
        run.counts["texts"] += done
        run.step(run.counts["texts"], max(waiting, run.counts["texts"]), message("Computing vectors"))
    return dict(run.counts)


def embed_pending(engine: Engine, limit: int = BATCH) -> int:
    """Embed up to `limit` memories that wait for a vector; return how many were done.

    The model is called between two transactions. Raises EmbedderUnavailable: they keep waiting, and recall
    uses only words."""
    embedder = engine.models.embedder
    if embedder.dimension and engine.store.dimension not in (0, embedder.dimension):
        # It answers otherwise than it did: what it made before cannot be compared any more.
        engine.store.maintain(lambda _db, index, _journal: index.fit(embedder.dimension)).result()
    known, waiting = engine.store.maintain(lambda _db, index, _journal: index.waiting(limit)).result()
    if not waiting:
        return known or _embed_facts(engine, limit)
    vectors = embedder.embed([text for _, text in waiting])

    def keep(_db: Connection, index: Index, _journal: Journal) -> None:
        made = zip(waiting, vectors, strict=True)
        index.embedded([(*each, vector.tobytes()) for each, vector in made], embedder.name)

    engine.store.maintain(keep).result()
    # The text of an earlier fact may have moved, and with it its vector by the model for facts.
    engine.facts_embedded = min(engine.facts_embedded, waiting[0][0] - 1)
    return known + len(waiting)


def _embed_facts(engine: Engine, limit: int) -> int:
    """Embed up to `limit` facts that have no vector by the model for facts, and return how many; 0 without a model."""
    model, after = engine.models.facts, engine.facts_embedded
    if model is None:
        return 0
    with engine.store.reading() as db:
        newest = search.head(db).newest
        waiting = search.facts_without(db, model.name, after, limit) if newest > after else []
    if waiting:
        vectors = model.embed([text for _, text in waiting])

        def keep(_db: Connection, index: Index, _journal: Journal) -> None:
            made = zip(waiting, vectors, strict=True)
            index.embedded_facts([(text, vector.tobytes()) for (_, text), vector in made], model.name)

        engine.store.maintain(keep).result()
    engine.facts_embedded = (
        waiting[-1][0] if len(waiting) == limit else max(newest - engine.store.numbers_late, after)
    )
    return len(waiting)
