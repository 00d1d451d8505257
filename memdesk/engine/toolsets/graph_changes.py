"""Changes of a channel's knowledge graph: additions completely or not at all, deletions by retiring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.protection import protected
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk
from memdesk.model.ids import new_id
from memdesk.model.tools import ToolCall
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

T = TypeVar("T")
Moves = list[tuple[Any, Any]]
"""Kinds and records to retire."""
Finder = Callable[[Connection, str], Moves]
"""Finds the records to retire in a channel."""


def add(engine: Engine, call: ToolCall, title: str, fill: Callable[[Draft], T]) -> tuple[T, int | None]:
    """Add the records that `fill` drafts, in one change; return its result, and the change. Raises BadAsk for
    too many records."""
    channel = ensure_channel(engine, call.place.user_id, call.place.channel or GLOBAL, author=call.author)

    def verb(db: Connection) -> tuple[Change | None, T]:
        draft = Draft(
            engine=engine, db=db, user_id=call.place.user_id, channel=channel, agent_id=call.agent or None,
            at=engine.clock(),
        )  # fmt: skip
        made = fill(draft)
        if len(draft.edits) > EDITS_AT_MOST:
            raise BadAsk(
                f"This would write {len(draft.edits)} records at once; {EDITS_AT_MOST} at most.",
                next="Send it in several calls.",
            )
        return _change(call, "learn", title, channel, draft.edits), made

    applied, made = engine.store.decide(verb)
    return made, None if applied is None else applied.id


def retire(engine: Engine, call: ToolCall, title: str, find: Finder) -> int | None:
    """Retire the records that `find` returns, in one change, or in a run of several if there are too many;
    return the last change.

    Raises ToolFault if an agent would retire records that a person pinned or wrote."""
    run, last = new_id("run", engine.clock()), None
    more = True
    while more:
        change, more = _retire_some(engine, call, title, find, run, going_on=last is not None)
        last = change or last
    return last


def standing(db: Connection, call: ToolCall) -> str:
    """Return the channel whose graph a call is about."""
    return semantic.standing_channel(db, call.place.user_id, call.place.channel or GLOBAL)


def _retire_some(
    engine: Engine, call: ToolCall, title: str, find: Finder, run: str, *, going_on: bool
) -> tuple[int | None, bool]:
    """Retire as many records as one change permits; return the change, and True if there are more."""

    def verb(db: Connection) -> tuple[Change | None, bool]:
        channel = standing(db, call)
        moves = list({record.id: (kind, record) for kind, record in find(db, channel)}.values())
        if not call.owner:
            _refuse_protected(db, moves)
        more, at = len(moves) > EDITS_AT_MOST, engine.clock()
        edits = [records.moved(kind, record, retired_at=at) for kind, record in moves[:EDITS_AT_MOST]]
        return _change(call, "retire", title, channel, edits, run=run if more or going_on else None), more

    applied, more = engine.store.decide(verb)
    return (None if applied is None else applied.id), more


def _refuse_protected(db: Connection, moves: Moves) -> None:
    kept = protected(db, [record.id for _, record in moves])
    for kind, record in moves:
        if record.id in kept:
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” was pinned or written by a person and is kept. "
                "Ask them to retire it."
            )


def _change(
    call: ToolCall, op: str, title: str, channel: str, edits: Sequence[Edit], run: str | None = None
) -> Change | None:
    if not edits:
        return None
    return Change(
        op=op, title=title, author=call.author, edits=tuple(edits), channel=channel, user_id=call.place.user_id,
        run=run,
    )  # fmt: skip
