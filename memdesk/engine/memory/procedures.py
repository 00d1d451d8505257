"""Procedural memory: tool calls are recorded, strategies are learned, reinforced and corrected. One undoable
change each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.invocations import TOOL_CHARACTERS, Invocation, read_invocation
from memdesk.engine.memory.quarantine import door_of_text
from memdesk.engine.wording import shortened, tidied, titled
from memdesk.model.change import Change, Edit
from memdesk.model.curation import Curated
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.message import Message, message, verbatim
from memdesk.model.strategy import (
    OUTCOME,
    STRATEGY,
    EditStrategy,
    LearnedStrategy,
    NewStrategy,
    Reinforced,
    ReinforceStrategy,
    Strategy,
)
from memdesk.model.tool_call import (
    TOOL_CALL,
    NewToolCall,
    NewToolCalls,
    RecordedToolCall,
    RecordedToolCalls,
    ToolCall,
)
from memdesk.model.trust import door, of_role
from memdesk.model.turn import CONVERSATION
from memdesk.store import procedures, records
from memdesk.store.bookkeeping import answered, misused
from memdesk.store.connection import Connection

CALLS_AT_MOST = 400
DESCRIPTION_CHARACTERS = 2_000
PATTERN_CHARACTERS = 2_000
TOOLS_AT_MOST = 100
OUTCOME_WORDS = {1: message("worked"), 0: message("failed"), None: message("was called")}
"""Words for the success of a call. TOOLS_AT_MOST limits the sequence of one strategy: a longer one is a
transcript, which no agent follows."""


def record_invocation(engine: Engine, ask: NewToolCall, *, author: str) -> RecordedToolCall:
    """Record one tool call. The same invocation_id with the same call is a no-op.

    Raises NotFound for an unknown conversation or turn, Conflict for the same id with another call or another
    channel's conversation, BadAsk for a call that is empty, too long or out of range."""
    return record_invocations(engine, NewToolCalls(calls=(ask,)), author=author).calls[0]


def record_invocations(engine: Engine, ask: NewToolCalls, *, author: str) -> RecordedToolCalls:
    """Record several tool calls in order, all or none."""
    if not 0 < len(ask.calls) <= CALLS_AT_MOST:
        raise BadAsk(
            message(
                "{count} tool calls in one request; 1 to {most} are welcome.",
                count=len(ask.calls),
                most=CALLS_AT_MOST,
            )
        )
    read = [read_invocation(call) for call in ask.calls]
    for user_id, channel in dict.fromkeys((call.ask.user_id, call.ask.channel) for call in read):
        ensure_channel(engine, user_id, channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, tuple[list[RecordedToolCall], list[ToolCall]]]:
        batch = _Batch(engine=engine, db=db, at=engine.clock())
        recorded = [batch.record(call) for call in read]
        return batch.change(author), (recorded, batch.recorded)

    applied, (recorded, new) = engine.store.decide(verb)
    engine.noting.calls(engine, new, author)
    number = None if applied is None else applied.id
    return RecordedToolCalls(calls=tuple(c if c.repeated else replace(c, change=number) for c in recorded))


def learn_strategy(engine: Engine, ask: NewStrategy, *, author: str) -> LearnedStrategy:
    """Learn a strategy with its first outcome. One with the same tools for the same purpose gets an outcome
    instead.

    Raises NotFound for an unknown conversation, BadAsk for a strategy without a description or tools."""
    description = tidied(ask.description, message("A description"), DESCRIPTION_CHARACTERS)
    pattern = pattern_of(ask.context_pattern)
    sequence = sequence_of(ask.tool_sequence)
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, LearnedStrategy]:
        if (before := answered(db, ask.user_id, author, ask.retry_key)) is not None:
            return None, LearnedStrategy(id=_strategy_of(db, *before), repeated=True, change=before[0])
        _need_conversation(db, ask.from_conversation_id, ask.user_id)
        draft = Draft.of(engine, db, ask, channel, door=door_of_text(f"{description}\n{pattern}", author))
        known = _known_strategy(draft, sequence, pattern or description)
        id = known or draft_strategy(draft, description, pattern, sequence)
        draft_outcome(draft, id, ask.from_conversation_id, success=ask.success)
        title = (
            verbatim(description)
            if known is None
            else message(
                "{description}: {success} again", description=description, success=_went(ask.success)
            )
        )
        change = _change(draft, "learn" if known is None else "update", title, author, ask.retry_key)
        return change, LearnedStrategy(id=id, repeated=known is not None, change=None)

    applied, learned = engine.store.decide(verb)
    return learned if applied is None else replace(learned, change=applied.id)


def reinforce_strategy(engine: Engine, ask: ReinforceStrategy, *, author: str) -> Reinforced:
    """Record that a strategy worked, or did not. Raises NotFound, or Conflict for a retired strategy."""

    def verb(db: Connection) -> tuple[Change | None, int]:
        if (before := answered(db, ask.user_id, author, ask.retry_key)) is not None:
            return None, _again(db, ask.strategy_id, *before)
        strategy = records.need_owned(db, STRATEGY, ask.strategy_id, ask.user_id)
        if strategy.retired_at is not None:
            raise Conflict(
                message("This strategy was retired."),
                next=message("Bring it back with undo, or learn another."),
            )
        _need_conversation(db, ask.conversation_id, ask.user_id)
        draft = Draft(
            engine=engine, db=db, user_id=strategy.user_id, channel=strategy.channel, at=engine.clock()
        )
        draft_outcome(draft, strategy.id, ask.conversation_id, success=ask.success)
        title = message(
            "{description}: {success}", description=strategy.description, success=_went(ask.success)
        )
        return _change(draft, "update", title, author, ask.retry_key), 0

    applied, change = engine.store.decide(verb)
    return _reinforced(engine, ask.strategy_id, change if applied is None else applied.id)


def draft_strategy(draft: Draft, description: str, pattern: str, sequence: str) -> str:
    """Draft a new strategy; return its id. sequence: tools as a JSON list."""
    return draft.create(
        STRATEGY,
        channel=draft.channel,
        agent_id=draft.agent_id,
        description=description,
        context_pattern=pattern,
        tool_sequence=sequence,
        pinned=0,
        created_at=draft.at,
    )


def draft_outcome(draft: Draft, strategy_id: str, conversation_id: str | None, *, success: bool) -> None:
    """Draft one use of a strategy, successful or not, in a conversation if given."""
    draft.create(
        OUTCOME,
        channel=draft.channel,
        strategy_id=strategy_id,
        conversation_id=conversation_id,
        success=int(success),
        created_at=draft.at,
    )


def sequence_of(tools: tuple[str, ...]) -> str:
    """Return tool names in order as strategies store them: a JSON list. Raises BadAsk for none, too many, or
    an empty name."""
    if not 0 < len(tools) <= TOOLS_AT_MOST:
        raise BadAsk(
            message(
                "A strategy of {count} tools; 1 to {most} are welcome.", count=len(tools), most=TOOLS_AT_MOST
            ),
            next=message("Name the tools in the order of their use."),
        )
    named = [tidied(tool, message("The name of a tool"), TOOL_CHARACTERS) for tool in tools]
    return json.dumps(named, ensure_ascii=False)


def pattern_of(text: str) -> str:
    """Return the condition for using a strategy, on one line; empty if it applies at any time."""
    return tidied(text, message("A context pattern"), PATTERN_CHARACTERS) if text.strip() else ""


@dataclass(slots=True, kw_only=True)
class _Batch:
    """Tool calls being recorded together, with one draft for each user and channel."""

    engine: Engine
    db: Connection
    at: int
    drafts: dict[tuple[str, str], Draft] = field(default_factory=dict)
    recorded: list[ToolCall] = field(default_factory=list)

    def record(self, call: Invocation) -> RecordedToolCall:
        if (known := self._known(call.ask)) is not None:
            return _same(known, call)
        place = call.place(self.db)
        draft = self._draft(call.ask, place.channel or call.ask.channel)
        origin, trust = door(of_role("tool", call.ask.tool_name))
        id = draft.create(
            TOOL_CALL,
            id=call.ask.invocation_id,
            channel=draft.channel,
            agent_id=call.ask.agent_id or place.agent_id,
            conversation_id=place.conversation_id,
            turn_id=place.turn_id,
            created_at=min(call.at or self.at, self.at),
            origin=origin,
            trust=trust,
            **call.fields,
        )
        self.recorded.append(ToolCall(**(draft.edits[-1].after or {})))
        return RecordedToolCall(id=id, repeated=False, change=None)

    def change(self, author: str) -> Change | None:
        if not self.recorded:
            return None
        first = self.recorded[0]
        return Change.about(
            first,
            "store",
            self._title(first),
            author=author,
            edits=(edit for draft in self.drafts.values() for edit in draft.edits),
            layer="procedural",
        )

    def _title(self, first: ToolCall) -> Message:
        if len(self.recorded) > 1:
            tools = ", ".join(dict.fromkeys(call.tool_name for call in self.recorded))
            return message("{count} tool calls: {tools}", count=len(self.recorded), tools=shortened(tools))
        return (
            message(
                "{tool_name} for {task_type} {outcome_words}",
                tool_name=first.tool_name,
                task_type=first.task_type,
                outcome_words=OUTCOME_WORDS[first.success],
            )
            if first.task_type
            else message(
                "{tool_name} {outcome_words}",
                tool_name=first.tool_name,
                outcome_words=OUTCOME_WORDS[first.success],
            )
        )

    def _known(self, ask: NewToolCall) -> ToolCall | None:
        if ask.invocation_id is None:
            return None
        drafted = next((call for call in self.recorded if call.id == ask.invocation_id), None)
        found: ToolCall | None = drafted or records.get(self.db, TOOL_CALL, ask.invocation_id)
        return found

    def _draft(self, ask: NewToolCall, channel: str) -> Draft:
        key = (ask.user_id, " ".join(channel.split()))
        if key not in self.drafts:
            self.drafts[key] = Draft.of(self.engine, self.db, ask, key[1], at=self.at)
        return self.drafts[key]


def _same(known: ToolCall, call: Invocation) -> RecordedToolCall:
    if known.user_id != call.ask.user_id:
        raise Conflict(
            message("The id {asked} is taken.", asked=known.id), next=message("Use another invocation_id.")
        )
    differing = [name for name, value in call.fields.items() if getattr(known, name) != value]
    if differing:
        raise Conflict(
            message(
                "Tool call {id} is recorded already with another {field}.", id=known.id, field=differing[0]
            ),
            next=message("Use another invocation_id."),
            details={"id": known.id, "differs": differing},
        )
    return RecordedToolCall(id=known.id, repeated=True, change=None)


def _known_strategy(draft: Draft, sequence: str, aim: str) -> str | None:
    """Return the channel's current strategy with these tools for this purpose, ignoring letter case."""
    found = procedures.strategies_using(draft.db, draft.user_id, draft.channel, sequence)
    same = (each.id for each in found if each.retired_at is None and _aim(each).casefold() == aim.casefold())
    return next(same, None)


def _aim(strategy: Strategy) -> str:
    """Return the purpose of a strategy: its pattern, or its description if it has none."""
    return strategy.context_pattern or strategy.description


def _need_conversation(db: Connection, id: str | None, user_id: str) -> None:
    if id is not None:
        records.need_owned(db, CONVERSATION, id, user_id)


def _change(draft: Draft, op: str, title: Message, author: str, key: str | None) -> Change:
    return draft.change(op, titled(title, 120), author=author, layer="procedural", key=key)


def _went(success: bool) -> Message:
    return message("worked") if success else message("did not work")


def _again(db: Connection, strategy_id: str, change: int, edits: Sequence[Edit]) -> int:
    """Return the change that recorded a strategy's outcome under this key. Raises Conflict if that was another call."""
    if _strategy_of(db, change, edits) != strategy_id:
        raise misused(change)
    return change


def _strategy_of(db: Connection, change: int, edits: Sequence[Edit]) -> str:
    """Return the strategy that a change learned or gave an outcome. Raises Conflict if there is none any more."""
    given = (str((edit.after or {}).get("strategy_id")) for edit in edits if edit.kind == OUTCOME.name)
    id = next(given, "")
    if records.get(db, STRATEGY, id) is None:
        raise misused(change)
    return id


def _reinforced(engine: Engine, id: str, change: int) -> Reinforced:
    with engine.store.reading() as db:
        tally = procedures.tallies(db, [id]).get(id, procedures.UNTRIED)
    return Reinforced(id=id, success_count=tally.successes, failure_count=tally.failures, change=change)


def edit_strategy(engine: Engine, ask: EditStrategy, *, author: str) -> Curated:
    """Correct a strategy.

    Raises NotFound, Conflict if it was retired or differs from the one the person saw, BadAsk if no value
    would change."""
    wanted = _wanted(ask)

    def verb(db: Connection) -> tuple[Change | None, str]:
        strategy = records.need(db, STRATEGY, ask.strategy_id)
        if strategy.retired_at is not None:
            raise Conflict(message("This strategy was retired."), next=message("Bring it back first."))
        if ask.was is not None and strategy.description != ask.was:
            raise Conflict(
                message("The strategy changed while you were editing it."),
                details={"expected": ask.was, "found": strategy.description},
            )
        moved = {name: value for name, value in wanted.items() if getattr(strategy, name) != value}
        if not moved:
            raise BadAsk(
                message("The strategy says so already."),
                next=message("Change something, or leave it as it is."),
            )
        title = titled(wanted.get("description", strategy.description), 120)
        change = Change.about(
            strategy,
            "update",
            title,
            author=author,
            edits=(records.update_edit(STRATEGY, strategy, **moved),),
            layer=STRATEGY.layer,
        )
        return change, title

    applied, title = engine.store.decide(verb)
    assert applied is not None
    return Curated(id=ask.strategy_id, change=applied.id, title=verbatim(title))


def _wanted(ask: EditStrategy) -> dict[str, Any]:
    """Return the fields that a request names. Raises BadAsk."""
    wanted: dict[str, Any] = {}
    if ask.description is not None:
        wanted["description"] = tidied(ask.description, message("A description"), DESCRIPTION_CHARACTERS)
    if ask.context_pattern is not None:
        wanted["context_pattern"] = pattern_of(ask.context_pattern)
    if ask.tool_sequence is not None:
        wanted["tool_sequence"] = sequence_of(ask.tool_sequence)
    if not wanted:
        raise BadAsk(
            message("Nothing to correct was named."),
            next=message("Give a description, a context pattern or a sequence of tools."),
        )
    return wanted
