"""Undo and redo, of single changes and of runs. Undo is a change like any other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import channel_named
from memdesk.engine.memory.curate import refuse_duplicates
from memdesk.engine.progress import Progress
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import file_undo
from memdesk.engine.workspace.disk import one_comparer
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.curation import Undo, Undone, UndoRun
from memdesk.model.entity import RELATION
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind, new_id
from memdesk.model.message import Message, message
from memdesk.model.review import PROPOSAL
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import journal, proposing, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import records_of_run
from memdesk.store.run_undo import RunUndo, changed_meanwhile, run_undo

CONVERSATION_KINDS: dict[str, Kind[Any]] = {kind.name: kind for kind in (TURN, TOOL_CALL)}
"""Kinds of records that belong to the channel of their conversation."""
PLACE = frozenset(("claim", "key", "channel", "retired_at", "superseded_by"))
"""Fields that decide if a fact is the one with its claim, and the one under its key."""


# Without this, an undo would restore memory under a name that is no longer read, separate turns from their
# conversation, or restore a fact next to a newer one with the same claim.
def retarget(db: Connection, change: Change, plan: RunUndo | None) -> Change:
    """Return the undoing change with every record moved to the channel where it belongs now.

    plan: the undo of the run it is part of. Raises Conflict if more records follow a conversation back to its
    channel than fit in one change, and if a restored fact has the claim or the key of a newer one; in a run
    that fact stays as it is instead."""
    edits = [_retarget_edit(db, change, edit) for edit in change.edits]
    edits += _following(db, edits, records_of_run(db, change.undoes) if plan is None else plan.touched)
    if plan is None and len(edits) > EDITS_AT_MOST:
        raise Conflict(
            message("Too much was said in these conversations since to bring it along."),
            next=message("Take the whole run back, or move the conversations."),
        )
    for edit, double in _doubles(db, edits):
        if plan is None:
            raise double
        plan.refused(edit, double.says)
    return replace(change, edits=tuple(edits))


def _retarget_edit(db: Connection, change: Change, edit: Edit) -> Edit:
    after = edit.after
    if after is None or "channel" not in after:
        return edit
    home = _conversations(db, edit) or _present_channel(
        db, change, after.get("user_id", change.user_id), after["channel"]
    )
    return edit if home == after["channel"] else replace(edit, after={**after, "channel": home})


def _conversations(db: Connection, edit: Edit) -> str | None:
    """Return the channel of the conversation that a turn or a tool call returns to."""
    if edit.before is not None or edit.after is None or edit.kind not in CONVERSATION_KINDS:
        return None
    talk = records.get(db, CONVERSATION, edit.after["conversation_id"] or "")
    return None if talk is None else talk.channel


def _present_channel(db: Connection, change: Change, user_id: str, name: str) -> str:
    """Return the channel that a name leads to now, unless the change restores the channel of that name."""
    known = channel_named(db, user_id, name)
    if known is None or known.retired_at is None or known.moved_to is None:
        return name
    comes_back = any(
        edit.kind == CHANNEL.name and edit.id == known.id and (edit.after or {}).get("retired_at", 0) is None
        for edit in change.edits
    )
    return name if comes_back else semantic.current_channel(db, user_id, name)


def _following(db: Connection, edits: Sequence[Edit], of_run: Collection[str]) -> list[Edit]:
    """Return edits that move the newer records of a conversation along when the conversation returns to its
    channel.

    of_run: ids that the changes of the same run edited; these are undone separately."""
    talks = [edit for edit in edits if edit.kind == CONVERSATION.name and edit.before and _goes(edit)]
    if not talks:
        return []
    apart = {edit.id for edit in edits}.union(of_run)
    return [move for talk in talks for move in _conversation_moves(db, talk) if move.id not in apart]


def _goes(edit: Edit) -> bool:
    return edit.after is not None and "channel" in edit.after


def _conversation_moves(db: Connection, talk: Edit) -> Iterator[Edit]:
    """Return edits that move a conversation's turns and tool calls from the channel it leaves."""
    was, now = (talk.before or {})["channel"], (talk.after or {})["channel"]
    for kind in CONVERSATION_KINDS.values():
        for each in records.find(db, kind, conversation_id=talk.id, channel=was):
            yield records.update_edit(kind, each, channel=now)


def _doubles(db: Connection, edits: Sequence[Edit]) -> Iterator[tuple[Edit, Conflict]]:
    """Return the edits that would restore a fact whose claim or key is taken, each with its Conflict."""
    moved = {edit.id for edit in edits}
    for edit in edits:
        if edit.kind == FACT.name and edit.after is not None and not PLACE.isdisjoint(edit.after):
            fact = _resulting_fact(db, edit, edit.after)
            if fact is not None and fact.retired_at is None and fact.superseded_by is None:
                try:
                    refuse_duplicates(db, fact, moved)
                except Conflict as conflict:
                    yield edit, conflict


def _resulting_fact(db: Connection, edit: Edit, after: dict[str, Any]) -> Fact | None:
    if edit.before is None:
        return Fact(**(FACT.defaults | after))
    fact = records.get(db, FACT, edit.id)
    return None if fact is None else replace(fact, **after)


def undo(engine: Engine, ask: Undo, *, author: str) -> Undone:
    """Undo a change, or the author's latest one in effect.

    Raises Conflict if a later change altered its records or depends on it, NotFound if there is nothing to
    undo."""
    return _take_back(engine, ask.change, author)


def latest_undo(engine: Engine, author: str) -> Undo | UndoRun:
    """Return the request that undoes the author's latest undo, with its run if it belongs to one.

    Raises NotFound if there is nothing to redo."""
    with engine.store.reading() as db:
        latest = journal.latest_own(db, author, undo=True)
        run = journal.run_of(db, latest)
    return Undo(change=latest) if run is None else UndoRun(change=latest)


def undo_run(
    engine: Engine, ask: UndoRun, *, author: str, progress: Progress, run: str = ""
) -> dict[str, Any]:
    """Undo a run with all that jobs derived from it; a run of undos is redone in the same way.

    Records that a person or an agent changed since stay, with their dependent records. run: name of the
    changes made here; called again with the same name after a stop, the undo continues. Returns how many
    changes of the run were undone, the last change that did so, why records were `left`, by id, and how many
    more stay because of those. Raises NotFound."""
    with one_comparer:
        return _undo_run(engine, ask, author, progress, run or new_id("run", engine.clock()))


def _undo_run(engine: Engine, ask: UndoRun, author: str, progress: Progress, run: str) -> dict[str, Any]:
    with engine.store.reading() as db:
        change = journal.newest_of(db, ask.run) if ask.run else ask.change
        if change is None:
            raise NotFound(message("That run changed nothing."))
        plan = run_undo(db, change, at=engine.clock())
        last = journal.newest_of(db, run)
        undone = journal.count_undone(db, journal.run_of(db, change), run)
    for done, each in enumerate(plan.changes):
        progress(done, len(plan.changes), message("Taking changes back"))
        try:
            last = _take_back(engine, each, author, run=run, plan=plan).change
            undone += each in plan.own
        except (Conflict, NotFound, Refused, StorageFailed) as wrong:
            if each in plan.own and not _all_explained(engine, each, plan):
                plan.kept[str(each)] = wrong.says
    left = _reasons_to_stay(engine, plan)
    return {"undone": undone, "change": last, "run": run, "left": left, "stays": len(plan.implied)}


def _reasons_to_stay(engine: Engine, plan: RunUndo) -> dict[str, Message]:
    """Return for each record that stays a sentence with its title and the reason."""
    with engine.store.reading() as db:
        known = records.by_ids(db, plan.kept)
    reasons: dict[str, Message] = {}
    for id, why in plan.kept.items():
        if id not in known:
            reasons[id] = why
            continue
        kind, record = known[id]
        if kind is RELATION and record.source_id in plan.kept:
            plan.implied.add(id)
        else:
            reasons[id] = _stays(shortened(str(getattr(record, kind.title))), why)
    return reasons


def _stays(title: str, why: Message) -> Message:
    return message("“{title}” stays. {why}", title=title, why=why)


def _all_explained(engine: Engine, change: int, plan: RunUndo) -> bool:
    """Return True if every record of a change has a recorded reason to stay."""
    with engine.store.reading() as db:
        return all(plan.stays(edit.id) for edit in journal.edits_of(db, change))


def _take_back(
    engine: Engine,
    change: int | None,
    author: str,
    *,
    run: str | None = None,
    plan: RunUndo | None = None,
) -> Undone:
    def wanted(db: Connection) -> int:
        return journal.latest_own(db, author, undo=False) if change is None else change

    def verb(db: Connection) -> tuple[Change | None, Change]:
        mirrored = retarget(db, journal.reversed_change(db, wanted(db), author, run=run), plan)
        if plan is None:
            mirrored = replace(mirrored, edits=(*_questions_about(db, mirrored.edits), *mirrored.edits))
        else:
            mirrored = _without_kept(db, mirrored, plan, run or "")
        mirrored = file_undo.merge_back_files(engine, db, mirrored, plan)
        return mirrored, mirrored

    with file_undo.files_locked(engine, wanted, plan):
        applied, mirrored = engine.store.decide(verb, sparing=plan)
        assert applied is not None and mirrored.undoes is not None
        file_undo.write_undo(engine, applied.id, applied.edits, plan)
    return Undone(change=applied.id, undid=mirrored.undoes, title=mirrored.title)


def _still_to_make(db: Connection, plan: RunUndo, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return the edits without those of what went along with an earlier change: a question between two facts."""
    along = {edit.id for found in plan.along.values() for edit in found}
    known = records.by_ids(db, [edit.id for edit in edits if edit.id in along])
    return tuple(edit for edit in edits if edit.id not in along or edit.id in known)


def _questions_about(db: Connection, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits that withdraw what is asked about records that go: nobody can answer it any more."""
    gone = [edit.id for edit in edits if edit.after is None]
    asked = [each for each in proposing.open_about(db, gone) if each.id not in gone]
    return [records.deletion_edit(PROPOSAL, each) for each in asked][: EDITS_AT_MOST - len(edits)]


def _without_kept(db: Connection, mirrored: Change, plan: RunUndo, run: str) -> Change:
    """Return the change without the records that stay. Raises Conflict if it writes a file and some of its
    records stay: text and facts must be undone together."""
    goes = [edit.id for edit in mirrored.edits if edit.after is None]
    plan.kept.update(changed_meanwhile(db, goes, plan.newest, run))
    edits = _still_to_make(db, plan, [*plan.edits(mirrored.edits)])
    staying = [edit.id for edit in mirrored.edits if plan.stays(edit.id)]
    if staying and file_undo.writes_files(edits, plan.brought):
        raise Conflict(plan.kept.get(staying[0], message("Part of it stays as it is.")))
    return replace(mirrored, edits=edits)
