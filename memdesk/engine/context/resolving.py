"""Resolving a context to its conversation, its policy and the messages that the agent has in it now."""

from __future__ import annotations

import json
from dataclasses import dataclass

from memdesk.engine.context.keeping import ConversationOwner, SplitMessages, message_of, split_messages
from memdesk.engine.context.messages import Size, boundary, check, size_of
from memdesk.engine.context.policies import POLICIES, Policy, policy_for
from memdesk.engine.engine import Engine
from memdesk.engine.workspace.disk import AGENT
from memdesk.model.context import DROPPED, OFFLINE, Compaction, Message, Meter, PolicyInfo, PolicyList, Window
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import new_id
from memdesk.model.message import NO_MESSAGE
from memdesk.model.message import Message as Sentence
from memdesk.model.message import message as sentence
from memdesk.model.session import SESSION, NamedSession, Session
from memdesk.model.turn import CONVERSATION
from memdesk.store import contexts, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import change_by_key

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
