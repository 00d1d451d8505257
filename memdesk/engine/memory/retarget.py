"""Choice of the channel and conversation that undone memory returns to, if these were renamed or merged
since.

Without this, an undo would restore memory under a name that is no longer read, separate turns from their
conversation, or restore a fact next to a newer one with the same claim."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.memory.channels import channel_named
from memdesk.engine.memory.curate import refuse_duplicates
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind
from memdesk.model.message import message
from memdesk.model.procedure import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import records_of_run
from memdesk.store.run_undo import RunUndo

CONVERSATION_KINDS: dict[str, Kind[Any]] = {kind.name: kind for kind in (TURN, TOOL_CALL)}
"""Kinds of records that belong to the channel of their conversation."""
PLACE = frozenset(("claim", "key", "channel", "retired_at", "superseded_by"))
"""Fields that decide if a fact is the one with its claim, and the one under its key."""


def retarget(db: Connection, change: Change, plan: RunUndo | None = None) -> Change:
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
