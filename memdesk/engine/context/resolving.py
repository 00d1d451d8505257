"""Messages of a context: resolved to their conversation, its policy and those that the agent has now, and stored as
turns, each exactly once.

A runtime sends its context: the complete conversation, or a summary and the messages after it. The messages
already stored are found by their position after the summary, by their ids, or by the longest run that both
sides share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.engine.context.messages import INSTRUCTING, Size, boundary, check, is_plain, said_in, size_of
from memdesk.engine.context.policies import POLICIES, Policy, policy_for
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import TURNS_AT_MOST, store_turns
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.disk import AGENT
from memdesk.model.change import Change
from memdesk.model.context import DROPPED, OFFLINE, Compaction, Message, Meter, PolicyInfo, PolicyList, Window
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import new_id
from memdesk.model.message import NO_MESSAGE
from memdesk.model.message import Message as Sentence
from memdesk.model.message import message as sentence
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.session import SESSION, NamedSession, Session
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.store import contexts, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import change_by_key

WHOLE = "message"
"""Name in a turn's metadata under which the complete message is kept if role and text are not all of it."""
LOOKED_BACK = 50
"""Turns that may have been stored after the end of a list without the list becoming unrecognised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitMessages:
    """Message list split into instructions in front, the messages of an earlier compaction's summary, and the
    talk.

    carried: that compaction, None if the list begins with the talk itself. talk_at: position of the talk in
    the list."""

    instructions: tuple[Message, ...]
    carried: Compaction | None
    talk: tuple[Message, ...]
    talk_at: int

    @property
    def first_index(self) -> int | None:
        """Index of the turn that the talk begins with, None if the list alone does not show it."""
        return None if self.carried is None else self.carried.last_index + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOwner:
    """Owner of a conversation: the fields that a turn needs in addition to its message."""

    conversation_id: str
    user_id: str
    channel: str
    agent_id: str | None
    author: str


def split_messages(messages: Sequence[Message], standing: Sequence[Compaction]) -> SplitMessages:
    """Split a message list. standing: the compactions of its conversation, newest first.

    Instructions are the system messages in front; a message that opens like a summary but is not this desk's
    belongs to the talk."""
    front = next((n for n, each in enumerate(messages) if not _instructs(each)), len(messages))
    for compaction in standing:
        stands: list[Message] = json.loads(compaction.message)
        for at in range(front + 1) if stands else ():
            if list(messages[at : at + len(stands)]) == stands:
                rest = messages[at + len(stands) :]
                return SplitMessages(
                    instructions=tuple(messages[:at]),
                    carried=compaction,
                    talk=tuple(rest),
                    talk_at=at + len(stands),
                )
    return SplitMessages(
        instructions=tuple(messages[:front]), carried=None, talk=tuple(messages[front:]), talk_at=front
    )


def store_messages(
    engine: Engine,
    whose: ConversationOwner,
    talk: Sequence[Message],
    counts: Sequence[int],
    first: int | None,
) -> int:
    """Store the messages of the talk that are not stored yet; return the index of the turn it begins with.

    first: that index, if known. counts: tokens of each message, empty if not counted. Raises Conflict if a
    different message has the place of one of these, and any error of storing; turns stored before an error
    stay."""
    with engine.store.reading() as db:
        known = _known(db, whose.conversation_id, len(talk), first)
    start, shared = _placed(talk, known, first)
    _complete(engine, whose, talk[:shared], known, start)
    for at in range(shared, len(talk), TURNS_AT_MOST):
        some = range(at, min(at + TURNS_AT_MOST, len(talk)))
        turns = tuple(_turn(whose, talk[n], start + n, counts[n] if counts else None) for n in some)
        store_turns(engine, NewTurns(turns=turns), author=whose.author)
    return start


def message_of(turn: Turn) -> Message:
    """Return the message that became this turn, exactly as it came."""
    kept: dict[str, Any] = json.loads(turn.metadata)
    whole = kept.get(WHOLE)
    return whole if isinstance(whole, dict) else {"role": turn.role, "content": turn.content}


def _instructs(message: Message) -> bool:
    said = message.get("content")
    ours = isinstance(said, str) and any(said.startswith(opening) for opening in _OPENINGS)
    return message.get("role") in INSTRUCTING and not ours


_OPENINGS = ("[compacted]", "[summary]", "Summary of the conversation so far:")
"""Openings of summaries sent as system messages; one that this desk did not make is part of the talk."""


def _known(db: Connection, conversation_id: str, length: int, first: int | None) -> list[Turn]:
    """Return the stored turns that a list of this length may share."""
    last = semantic.last_turn_index(db, conversation_id)
    start = max(0, last + 1 - 2 * length - LOOKED_BACK) if first is None else first
    return contexts.turns_between(db, conversation_id, start, last)


def _placed(talk: Sequence[Message], known: Sequence[Turn], first: int | None) -> tuple[int, int]:
    """Return (index of the turn that the talk begins with, number of its messages that are already turns)."""
    after = known[-1].turn_index + 1 if known else (first or 0)
    if first is not None:
        return first, _in_common(talk, known, 0)
    for at in range(len(known)):
        shared = _in_common(talk, known, at)
        if shared == len(talk) or (shared and at + shared == len(known)):
            return known[at].turn_index, shared
    return after, 0


def _in_common(talk: Sequence[Message], known: Sequence[Turn], at: int) -> int:
    """Return the number of messages in a row that equal the turns from position `at` on."""
    pairs = zip(talk, known[at:], strict=False)
    return next((n for n, pair in enumerate(pairs) if not _same(*pair)), min(len(talk), len(known) - at))


def _same(message: Message, turn: Turn) -> bool:
    """Return True if a turn contains this message. A message with the turn's id but another text is not the
    same, and is refused later."""
    kept = message_of(turn)
    mere = message.get("id") == turn.id or WHOLE not in json.loads(turn.metadata)
    says = turn.role == message.get("role") and turn.content == said_in(message)
    return kept == message or (mere and says)


def _complete(
    engine: Engine, whose: ConversationOwner, shared: Sequence[Message], known: Sequence[Turn], start: int
) -> None:
    """Add the complete message to turns that were stored as plain text, so that the archive returns it exactly."""
    by_index = {turn.turn_index: turn for turn in known}
    poor = [
        (by_index[start + n].id, message)
        for n, message in enumerate(shared)
        if message_of(by_index[start + n]) != message
    ]
    for at in range(0, len(poor), TURNS_AT_MOST):
        some = poor[at : at + TURNS_AT_MOST]

        def verb(db: Connection, some: list[tuple[str, Message]] = some) -> tuple[Change, None]:
            edits = []
            for id, message in some:
                turn = records.need(db, TURN, id)
                whole = json.dumps({**json.loads(turn.metadata), WHOLE: message}, ensure_ascii=False)
                edits.append(records.update_edit(TURN, turn, metadata=whole))
            title = sentence("{count} turns with their messages whole", count=len(some))
            return Change.about(
                whose, "update", title, author=whose.author, edits=edits, layer="episodic"
            ), None

        engine.store.decide(verb)


def _turn(whose: ConversationOwner, message: Message, index: int, tokens: int | None) -> NewTurn:
    name, id = message.get("name"), message.get("id")
    return NewTurn(
        content=said_in(message),
        role=str(message["role"]),
        speaker=shortened(name, 200) if isinstance(name, str) and name.strip() else None,
        channel=whose.channel,
        user_id=whose.user_id,
        agent_id=whose.agent_id,
        conversation_id=whose.conversation_id,
        turn_id=id if isinstance(id, str) and id.strip() else None,
        turn_index=index,
        token_count=tokens,
        metadata={} if is_plain(message) else {WHOLE: message},
    )


COUNT_AT_MOST = 2**40


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedContext:
    """Context with the conversation it belongs to. standing: earlier compactions of its conversation, newest
    first.

    counts: tokens of each message, empty if the caller counted none."""

    whose: ConversationOwner
    session_id: str | None
    policy: Policy
    standing: tuple[Compaction, ...]
    messages: tuple[Message, ...]
    counts: tuple[int, ...]
    parted: SplitMessages

    @property
    def size(self) -> Size:
        return size_of(self.messages, self.counts, apart=len(self.parted.instructions))

    @property
    def cut(self) -> int:
        """Number of messages of the talk that a compaction would remove, 0 if all of them stay."""
        talk = self.parted.talk
        return boundary(talk, len(talk) - self.policy.retain)

    @property
    def stuck(self) -> bool:
        """True if a compaction is due but can remove nothing."""
        return self.policy.due(self.size)[0] == "compacted" and self.cut == 0

    @property
    def flush_key(self) -> str:
        """Key of the one flush between two compactions."""
        return (
            f"context-flush:{self.whose.conversation_id}:{self.standing[0].id if self.standing else 'none'}"
        )


def resolve_context(engine: Engine, ask: Window, *, author: str) -> ResolvedContext:
    """Find the conversation and policy of a context. Raises BadAsk, and NotFound for an unknown session or
    another user's conversation."""
    check(ask.messages)
    if ask.token_counts and len(ask.token_counts) != len(ask.messages):
        raise BadAsk(
            sentence(
                "{count} token_counts for {messages} messages.",
                count=len(ask.token_counts),
                messages=len(ask.messages),
            )
        )
    if any(not 0 <= count <= COUNT_AT_MOST for count in ask.token_counts):
        raise BadAsk(sentence("token_counts are numbers of tokens, none of them negative."))
    with engine.store.reading() as db:
        session = None if ask.session_id is None else session_named(db, ask.session_id, ask.user_id)
        conversation_id = ask.conversation_id or (session.conversation_id if session else None)
        talk = records.get(db, CONVERSATION, conversation_id or "")
        standing = contexts.active_compactions(db, conversation_id) if talk and conversation_id else []
    if talk and talk.user_id != ask.user_id:
        raise NotFound(
            sentence("There is no conversation {conversation_id}.", conversation_id=conversation_id)
        )
    whose = ConversationOwner(
        conversation_id=conversation_id or new_id(CONVERSATION.prefix, engine.clock()),
        user_id=ask.user_id,
        channel=talk.channel if talk else session.channel if session else " ".join(ask.channel.split()),
        agent_id=ask.agent_id or (session.agent_id if session else None),
        author=author,
    )
    return ResolvedContext(
        whose=whose,
        session_id=ask.session_id,
        policy=policy_for(
            engine.settings,
            ask.policy or (session.policy if session else None),
            ask.window_tokens or (session.window_tokens if session else None),
        ),
        standing=tuple(standing),
        messages=ask.messages,
        counts=ask.token_counts,
        parted=split_messages(ask.messages, standing),
    )


def session_named(db: Connection, session_id: str, user_id: str) -> Session:
    """Return a session of a user. Raises NotFound."""
    found = records.get(db, SESSION, session_id)
    if found is None or found.user_id != user_id or found.retired_at is not None:
        raise NotFound(
            sentence("There is no session {session_id}.", session_id=session_id),
            next=sentence("Make it with context.create_session."),
        )
    return found


def read_meter(engine: Engine, placed: ResolvedContext) -> Meter:
    """Return the fill level of a context, and the action its policy would take."""
    due, because = due_action(engine, placed)
    return build_meter(placed.policy, placed.size, due=due, because=because)


def build_meter(policy: Policy, size: Size, *, due: str, because: Sentence) -> Meter:
    return Meter(
        policy=policy.name,
        messages=size.messages,
        characters=size.characters,
        tokens=size.tokens,
        counted=size.counted,
        window_tokens=policy.window_tokens,
        usage=size.tokens / policy.window_tokens,
        marks=policy.marks,
        retain=policy.retain,
        due=due,
        because=because,
        current_count=size.messages,
    )


def due_action(engine: Engine, placed: ResolvedContext) -> tuple[str, Sentence]:
    """Return (none, flushed or compacted; the reason): the action that compacting these messages now would
    take.

    A policy waits for its cooldown after a compaction, and stores facts ahead once between two of them."""
    due, because = placed.policy.due(placed.size)
    if not placed.parted.talk:
        return "none", NO_MESSAGE
    if due == "flushed":
        return ("none", NO_MESSAGE) if _has_flushed(engine, placed) else (due, because)
    if placed.stuck:
        return "none", nothing_to_remove(placed)
    if due != "compacted" or not placed.policy.cooldown or placed.parted.carried is None:
        return due, because
    fresh = len(placed.parted.talk) - placed.policy.retain
    if fresh >= placed.policy.cooldown:
        return due, because
    return "none", sentence(
        "{policy} waits for {cooldown} new messages after a compaction.",
        policy=placed.policy.name,
        cooldown=placed.policy.cooldown,
    )


def nothing_to_remove(placed: ResolvedContext) -> Sentence:
    """Return the sentence that explains why no message was removed."""
    size, kept = placed.size, len(placed.parted.talk)
    return sentence(
        "Nothing was compacted: of {messages} messages the last {kept} stay, as the policy retains them.",
        messages=size.messages,
        kept=kept,
    )


def _has_flushed(engine: Engine, placed: ResolvedContext) -> bool:
    whose = placed.whose
    with engine.store.reading() as db:
        return change_by_key(db, whose.user_id, whose.author, placed.flush_key) is not None


def policies(engine: Engine) -> PolicyList:
    """Return every policy under the current settings, and what would write its summaries now."""
    writer = engine.language_for("summary") if engine.settings.summary_model else None
    model = OFFLINE if writer is None else writer.name
    found = [(each, policy_for(engine.settings, each.name, None)) for each in POLICIES]
    return PolicyList(
        rows=tuple(
            PolicyInfo(
                name=policy.name,
                says=declared.says,
                retain=policy.retain,
                marks=policy.marks,
                window_tokens=policy.window_tokens,
                summary=model if policy.summarise else DROPPED,
                default=policy.name == engine.settings.context_policy,
            )
            for declared, policy in found
        )
    )


def summary_messages(compaction: Compaction) -> list[Message]:
    """Return the messages that replace the compacted ones in a list."""
    stands: list[Message] = json.loads(compaction.message)
    return stands


def channel_of(db: Connection, whose: ConversationOwner) -> str:
    """Return the channel where the conversation is kept now."""
    return semantic.current_channel(db, whose.user_id, whose.channel)


def current_messages(db: Connection, conversation_id: str) -> tuple[Message, ...]:
    """Return the messages a runtime continues with: the last summary, then the later turns.

    The instructions in front never reach the desk, so they are not included."""
    standing = contexts.active_compactions(db, conversation_id)
    stands: list[Message] = json.loads(standing[0].message) if standing else []
    first = standing[0].last_index + 1 if standing else 0
    last = semantic.last_turn_index(db, conversation_id)
    turns = contexts.turns_between(db, conversation_id, first, last)
    return (*stands, *map(message_of, turns))


def fullness(engine: Engine, ask: NamedSession) -> Meter:
    """Return the fill level of a session's context, and the action its policy would take. Raises NotFound."""
    with engine.store.reading() as db:
        session = session_named(db, ask.session_id, ask.user_id)
        messages = current_messages(db, session.conversation_id)
    window = Window(messages=messages, session_id=session.id, user_id=ask.user_id)
    author = f"{AGENT}{session.agent_id}" if session.agent_id else ""
    return read_meter(engine, resolve_context(engine, window, author=author))
