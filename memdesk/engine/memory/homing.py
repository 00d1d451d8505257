"""Where memory goes when a change is taken back whose channel or conversation went elsewhere since.

Without this an undo would put it under a name that nobody reads any more, or part turns from their conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memdesk.engine.memory.channels import channel_named
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.errors import Conflict
from memdesk.model.procedure import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN, Conversation
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

SPOKEN = {kind.name: kind for kind in (TURN, TOOL_CALL)}
"""What lives in the channel of its conversation."""


def homed(db: Connection, change: Change) -> Change:
    """A change that takes another back, with what it moves going to where it is looked for by now.

    Raises Conflict when more follows a conversation back to its channel than one change holds.
    """
    edits = [_homed(db, change, edit) for edit in change.edits]
    edits += _following(db, edits)
    if len(edits) > EDITS_AT_MOST:
        raise Conflict(
            "Too much was said in these conversations since to bring it along.",
            next="Take the whole run back, or move the conversations.",
        )
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


def _following(db: Connection, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Edits that take along what was said in a conversation since it went where it now comes back from."""
    moved = {edit.id for edit in edits}
    for edit in edits:
        if edit.kind != CONVERSATION.name or not edit.before or not edit.after or "channel" not in edit.after:
            continue
        for kind in SPOKEN.values():
            found = records.find(db, kind, conversation_id=edit.id, channel=edit.before["channel"])
            yield from (
                records.moved(kind, each, channel=edit.after["channel"])
                for each in found
                if each.id not in moved
            )
