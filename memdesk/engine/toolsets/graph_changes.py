"""Changes of a channel's graph by a tool: what it adds is one change, and what it takes out is retired."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft, protected
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.errors import BadAsk
from memdesk.model.kind import Kind, new_id
from memdesk.model.message import Message, message
from memdesk.model.tools import ToolCall
from memdesk.model.trust import of_author
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Move:
    """Record that a call retires, or changes as `fields` say."""

    kind: Kind[Any]
    record: Any
    fields: Mapping[str, Any] = field(default_factory=dict)


Moves = list[Move]
Finder = Callable[[Connection, str], Moves]
"""Finds what to retire or to change in a channel."""


def add(engine: Engine, call: ToolCall, title: Message, fill: Callable[[Draft], T]) -> tuple[T, int | None]:
    """Add the records that `fill` drafts, in one change; return its result, and the change. Raises BadAsk for
    too many records."""
    channel = ensure_channel(engine, call.place.user_id, call.channel, author=call.author)

    def verb(db: Connection) -> tuple[Change | None, T]:
        draft = Draft(
            engine=engine,
            db=db,
            user_id=call.place.user_id,
            channel=channel,
            agent_id=call.agent or None,
            at=engine.clock(),
            door=of_author(call.author),
        )
        made = fill(draft)
        if len(draft.edits) > EDITS_AT_MOST:
            raise BadAsk(
                message(
                    "This would write {count} records at once; {most} at most.",
                    count=len(draft.edits),
                    most=EDITS_AT_MOST,
                ),
                next=message("Send it in several calls."),
            )
        return _change(call, "learn", title, channel, draft.edits), made

    applied, made = engine.store.decide(verb)
    return made, None if applied is None else applied.id


def retire(engine: Engine, call: ToolCall, title: Message, find: Finder) -> int | None:
    """Retire the records that `find` returns, in one change, or in a run of several if there are too many;
    return the last change.

    Raises ToolFault if an agent would retire records that a person pinned or wrote."""
    run, last = new_id("run", engine.clock()), None
    more = True
    while more:
        change, more = _retire_some(engine, call, title, find, run, going_on=last is not None)
        last = change or last
    return last


def graph_channel(db: Connection, call: ToolCall) -> str:
    """Return the channel whose graph a call is about."""
    return semantic.current_channel(db, call.place.user_id, call.channel)


def _retire_some(
    engine: Engine, call: ToolCall, title: Message, find: Finder, run: str, *, going_on: bool
) -> tuple[int | None, bool]:
    """Retire as many records as one change permits; return the change, and True if there are more."""

    def verb(db: Connection) -> tuple[Change | None, bool]:
        channel = graph_channel(db, call)
        moves = list({each.record.id: each for each in find(db, channel)}.values())
        if not call.owner:
            _refuse_protected(db, call, moves)
        more, at = len(moves) > EDITS_AT_MOST, engine.clock()
        edits = [
            records.update_edit(each.kind, each.record, **(each.fields or {"retired_at": at}))
            for each in moves[:EDITS_AT_MOST]
        ]
        return _change(call, "retire", title, channel, edits, run=run if more or going_on else None), more

    applied, more = engine.store.decide(verb)
    return (None if applied is None else applied.id), more


def _refuse_protected(db: Connection, call: ToolCall, moves: Moves) -> None:
    kept = protected(db, [each.record.id for each in moves])
    for kind, record in ((each.kind, each.record) for each in moves):
        if not call.may_change(getattr(record, "agent_id", None)):
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” is of the agent {record.agent_id} "
                "and is kept. Ask the person to retire it."
            )
        if record.id in kept:
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” was pinned or written by a person and is kept. "
                "Ask them to retire it."
            )


def _change(
    call: ToolCall, op: str, title: Message, channel: str, edits: Sequence[Edit], run: str | None = None
) -> Change | None:
    if not edits:
        return None
    return Change(
        op=op,
        title=title,
        author=call.author,
        edits=tuple(edits),
        channel=channel,
        user_id=call.place.user_id,
        run=run,
    )
