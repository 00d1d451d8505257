"""Where memory goes when a change is taken back whose channel or conversation went elsewhere since.

Without this an undo would put it under a name that nobody reads any more, part turns from their conversation, or bring
a fact back beside the one that was told since."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.memory.channels import channel_named
from memdesk.engine.memory.forget import refuse_doubles
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.procedure import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN, Conversation
from memdesk.store import records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import of_its_run
from memdesk.store.run_undo import RunUndo

SPOKEN = {kind.name: kind for kind in (TURN, TOOL_CALL)}
"""What lives in the channel of its conversation."""
PLACE = frozenset(("claim", "key", "channel", "retired_at", "superseded_by"))
"""Fields that decide whether a fact is the one with its claim, and the one under its key."""


def homed(db: Connection, change: Change, plan: RunUndo | None = None) -> Change:
    """A change that takes another back, with what it moves going to where it is looked for by now.

    plan: of the run that is taken back with it. Raises Conflict when more follows a conversation back to its channel
    than one change holds, and when a fact would come back beside one that was told since with the same claim, or under
    the same key; in a run that fact stays as it is instead.
    """
    edits = [_homed(db, change, edit) for edit in change.edits]
    edits += _following(db, edits, of_its_run(db, change.undoes) if plan is None else plan.touched)
    if plan is None and len(edits) > EDITS_AT_MOST:
        raise Conflict(
            "Too much was said in these conversations since to bring it along.",
            next="Take the whole run back, or move the conversations.",
        )
    for edit, double in _doubles(db, edits):
        if plan is None:
            raise double
        plan.refused(edit, double.says)
    return replace(change, edits=tuple(edits))


def _homed(db: Connection, change: Change, edit: Edit) -> Edit:
    after = edit.after
    if after is None or "channel" not in after:
        return edit
    home = _conversations(db, edit) or _standing(
        db, change, after.get("user_id", change.user_id), after["channel"]
    )
    return edit if home == after["channel"] else replace(edit, after={**after, "channel": home})


def _conversations(db: Connection, edit: Edit) -> str | None:
    """The channel of the conversation that a turn or a tool call comes back to."""
    if edit.before is not None or edit.after is None or edit.kind not in SPOKEN:
        return None
    talk: Conversation | None = records.get(db, CONVERSATION, edit.after["conversation_id"] or "")
    return None if talk is None else talk.channel


def _standing(db: Connection, change: Change, user_id: str, name: str) -> str:
    """The channel that memory of this name is kept in, unless the change brings that very channel back."""
    known = channel_named(db, user_id, name)
    if known is None or known.retired_at is None or known.moved_to is None:
        return name
    comes_back = any(
        edit.kind == CHANNEL.name and edit.id == known.id and (edit.after or {}).get("retired_at", 0) is None
        for edit in change.edits
    )
    return name if comes_back else semantic.standing_channel(db, user_id, name)


def _following(db: Connection, edits: Sequence[Edit], of_run: Collection[str]) -> list[Edit]:
    """Edits that take along what was said in a conversation since it went where it now comes back from.

    of_run: what the changes of the same run moved; they take it back by themselves.
    """
    talks = [edit for edit in edits if edit.kind == CONVERSATION.name and edit.before and _goes(edit)]
    if not talks:
        return []
    apart = {edit.id for edit in edits}.union(of_run)
    return [move for talk in talks for move in _spoken(db, talk) if move.id not in apart]


def _goes(edit: Edit) -> bool:
    return edit.after is not None and "channel" in edit.after


def _spoken(db: Connection, talk: Edit) -> Iterator[Edit]:
    """Edits that move all of a conversation that is where it comes back from."""
    was, now = (talk.before or {})["channel"], (talk.after or {})["channel"]
    for kind in SPOKEN.values():
        for each in records.find(db, kind, conversation_id=talk.id, channel=was):
            yield records.moved(kind, each, channel=now)


def _doubles(db: Connection, edits: Sequence[Edit]) -> Iterator[tuple[Edit, Conflict]]:
    """The edits that would bring a fact back whose place is taken, each with the conflict that says by what."""
    moved = {edit.id for edit in edits}
    for edit in edits:
        if edit.kind == FACT.name and edit.after is not None and not PLACE.isdisjoint(edit.after):
            fact = _as_it_will_be(db, edit, edit.after)
            if fact is not None and fact.retired_at is None and fact.superseded_by is None:
                try:
                    refuse_doubles(db, fact, moved)
                except Conflict as conflict:
                    yield edit, conflict


def _as_it_will_be(db: Connection, edit: Edit, after: dict[str, Any]) -> Fact | None:
    if edit.before is None:
        return Fact(**(FACT.defaults | after))
    fact: Fact | None = records.get(db, FACT, edit.id)
    return None if fact is None else replace(fact, **after)
