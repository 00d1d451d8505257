"""Compaction that writes first: store the turns and facts, make and check the summary, and only then remove
messages.

A failure on the way leaves the caller's list unchanged, and the next attempt finds the records stored until
then."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace

from memdesk.engine.context import flush as facts
from memdesk.engine.context.history import row_of
from memdesk.engine.context.keeping import keep
from memdesk.engine.context.losses import losses
from memdesk.engine.context.messages import content_of, said_in, size_of, tokens_of
from memdesk.engine.context.placing import (
    Placed,
    action,
    channel_of,
    measured,
    meter,
    placed,
    stands_for,
    too_little,
)
from memdesk.engine.context.said import Said
from memdesk.engine.context.summary import Summary, summarise
from memdesk.engine.engine import Engine
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.compaction import COMPACTION, Compaction
from memdesk.model.context import Compact, Compacted, Lost, Message, Meter, Window
from memdesk.model.ids import new_id
from memdesk.model.turn import CONVERSATION, Conversation
from memdesk.store import records
from memdesk.store.connection import Connection

PRE_COMPACT = "PreCompact"
"""Hook of Agentix and Claude Code, published before anything is compacted, with `current_count`."""
_LOCKS = tuple(threading.Lock() for _ in range(64))
"""Locks that allow one compaction of a conversation at a time; conversations share them by their hash."""


def measure(engine: Engine, ask: Window, *, author: str) -> Meter:
    """Return the fill level of a context, and the action that compacting it now would take. Changes nothing."""
    return measured(engine, placed(engine, ask, author=author))


def compact(engine: Engine, ask: Compact, *, author: str) -> Compacted:
    """Store a context's messages, and flush or compact it if its policy is due.

    Raises BadAsk and NotFound for an invalid request, Conflict if the conversation already has a different
    message at that index, StorageFailed if the disk fails: the list then stays as it was, and nothing of it
    is lost."""
    first = placed(engine, ask, author=author)
    with _alone(engine, first.whose.conversation_id):
        # What another call has compacted meanwhile is known now.
        asked = replace(ask, conversation_id=first.whose.conversation_id)
        return _compact(engine, asked, placed(engine, asked, author=author))


def _compact(engine: Engine, ask: Compact, at: Placed) -> Compacted:
    due, because = ("compacted", "Asked for.") if ask.force else action(engine, at)
    before = meter(at.policy, at.size, due=due, because=because)
    talk = at.parted.talk
    if not talk:
        return _unchanged(at, before, "none", ())
    counts = at.counts[at.parted.talk_at :]
    if due == "compacted" and at.cut:
        _publish(engine, at, before.current_count)
    start = keep(engine, at.whose, talk, counts, at.parted.first_index)
    if due == "flushed":
        return _flushed(engine, ask, at, before, start)
    if due == "compacted" and at.cut:
        return _compacted(engine, ask, at, before, start, at.cut)
    return _unchanged(at, before, "none", (too_little(at),) if due == "compacted" or at.stuck else ())


def _compacted(engine: Engine, ask: Compact, at: Placed, before: Meter, start: int, cut: int) -> Compacted:
    last = start + cut - 1
    if (known := _done(at, start, last)) is not None:
        return _answer(engine, at, before, known, cut, (), repeated=True)
    began = time.perf_counter()
    kept = facts.flush(
        engine, at.whose, start, last, label=facts.AT_LAST, workspace_id=ask.workspace_id, noted=True
    )
    turns = [_said(start + n, message) for n, message in enumerate(at.parted.talk[:cut])]
    summary = summarise(engine, at.policy, turns, at.parted.carried)
    stands = at.policy.message(summary.text, at.parted.talk[cut]) if summary.text else ()
    made = _Made(
        start=start, last=last, stands=stands, summary=summary, kept=tuple(kept.facts),
        lost=losses(summary.found, summary.text, kept.facts), after=_size_after(at, stands, cut), began=began,
    )  # fmt: skip
    compaction = engine.store.decide(lambda db: _written_down(engine, db, at, before, made))[1]
    return _answer(engine, at, before, compaction, cut, kept.notices, facts=kept.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """Result of a compaction before it is recorded. after: size of the shorter list. began: perf_counter at
    the start."""

    start: int
    last: int
    stands: tuple[Message, ...]
    summary: Summary
    kept: tuple[str, ...]
    lost: tuple[Lost, ...]
    after: tuple[int, int, int]
    began: float


def _written_down(
    engine: Engine, db: Connection, at: Placed, before: Meter, made: _Made
) -> tuple[Change, Compaction]:
    """Return the change that marks the turns as compacted, and its record. Only this change marks them, and
    it comes last."""
    talk: Conversation = records.need(db, CONVERSATION, at.whose.conversation_id)
    now = engine.clock()
    messages, characters, tokens = made.after
    record = Compaction(
        seq=engine.store.new_seq(), id=new_id(COMPACTION.prefix, now), user_id=at.whose.user_id,
        channel=channel_of(db, at.whose), agent_id=at.whose.agent_id, conversation_id=talk.id,
        session_id=at.session_id, policy=at.policy.name,
        previous_id=None if at.parted.carried is None else at.parted.carried.id, first_index=made.start,
        last_index=made.last, summary=made.summary.text, message=_json(made.stands),
        sentences=_json([asdict(each) for each in made.summary.sentences]), by=made.summary.by,
        note=made.summary.note, kept=_json(made.kept), lost=_json([asdict(each) for each in made.lost]),
        messages_before=before.messages, messages_after=messages, characters_before=before.characters,
        characters_after=characters, tokens_before=before.tokens, tokens_after=tokens,
        took_us=round((time.perf_counter() - made.began) * 1e6), created_at=now,
    )  # fmt: skip
    gone = made.last - made.start + 1
    title = (
        f"Compacted {gone} turns of “{shortened(talk.title, 60)}”: {before.messages} messages are {messages}"
    )
    return Change(
        op="update", layer="episodic", title=title, author=at.whose.author, edits=(records.born(COMPACTION, record),),
        channel=record.channel, user_id=record.user_id,
    ), record  # fmt: skip


def _answer(
    engine: Engine, at: Placed, before: Meter, compaction: Compaction, cut: int, notices: tuple[str, ...], *,
    facts: tuple[str, ...] = (), repeated: bool = False,
) -> Compacted:  # fmt: skip
    stands = stands_for(compaction)
    messages = (*at.parted.instructions, *stands, *at.parted.talk[cut:])
    with engine.store.reading() as db:
        row = row_of(db, compaction)
    after = replace(
        before, messages=compaction.messages_after, characters=compaction.characters_after, due="none", because="",
        tokens=compaction.tokens_after, usage=compaction.tokens_after / before.window_tokens,
        current_count=compaction.messages_after,
    )  # fmt: skip
    if compaction.note:
        notices = (f"Summarised without the language model. {compaction.note}", *notices)
    return Compacted(
        action="compacted", messages=messages, conversation_id=at.whose.conversation_id, archived=cut, facts=facts,
        before=before, after=after, compaction=row, summary=compaction.summary, repeated=repeated, notices=notices,
    )  # fmt: skip


def _flushed(engine: Engine, ask: Compact, at: Placed, before: Meter, start: int) -> Compacted:
    """Store facts ahead, once between two compactions; the message list does not change."""
    last = start + len(at.parted.talk) - 1
    kept = facts.flush(
        engine, at.whose, start, last, label=facts.AHEAD, workspace_id=ask.workspace_id, noted=False
    )
    title = f"Flushed {len(kept.new)} facts ahead, at {before.usage:.0%} of the context"
    engine.store.apply(_told(at, title, {"facts": list(kept.new)}, key=at.flush_key))
    return replace(_unchanged(at, before, "flushed", kept.notices), facts=kept.new)


def _publish(engine: Engine, at: Placed, count: int) -> None:
    """Record an event, seen in the feed and the audit log, that a context is about to be compacted."""
    title = f"{PRE_COMPACT}: {count} messages in the context"
    engine.store.apply(_told(at, title, {"hook": PRE_COMPACT, "current_count": count}))


def _told(at: Placed, title: str, details: dict[str, object], key: str | None = None) -> Change:
    """Return a change that is an event without edits."""
    about = {
        "conversation_id": at.whose.conversation_id,
        "session_id": at.session_id,
        "policy": at.policy.name,
    }
    return Change(
        op="update", layer="episodic", title=title, author=at.whose.author, edits=(), channel=at.whose.channel,
        user_id=at.whose.user_id, key=key, details={**about, **details},
    )  # fmt: skip


def _unchanged(at: Placed, before: Meter, action: str, notices: tuple[str, ...]) -> Compacted:
    return Compacted(
        action=action, messages=at.messages, conversation_id=at.whose.conversation_id, archived=0, facts=(),
        before=before, after=before, notices=notices,
    )  # fmt: skip


def _done(at: Placed, first: int, last: int) -> Compaction | None:
    """Return the earlier compaction of exactly these turns by this policy, made by a call whose answer was
    lost; else None."""
    carried = None if at.parted.carried is None else at.parted.carried.id
    wanted = (first, last, at.policy.name, carried)
    for each in at.standing:
        if (each.first_index, each.last_index, each.policy, each.previous_id) == wanted:
            return each
    return None


def _size_after(at: Placed, stands: tuple[Message, ...], cut: int) -> tuple[int, int, int]:
    """Return (messages, characters, tokens) of the shorter list; the caller's token counts are used if it
    gave them."""
    rest = at.parted.talk[cut:]
    whole = (*at.parted.instructions, *stands, *rest)
    size = size_of(whole, apart=len(at.parted.instructions))
    if not at.counts:
        return size.messages, size.characters, size.tokens
    instructions = sum(at.counts[: len(at.parted.instructions)])
    tokens = instructions + sum(map(tokens_of, stands)) + sum(at.counts[at.parted.talk_at + cut :])
    return size.messages, size.characters, tokens


def _said(index: int, message: Message) -> Said:
    name = message.get("name")
    role, text = str(message["role"]), content_of(message).strip() or said_in(message)
    return Said(index=index, role=role, speaker=name if isinstance(name, str) and name else role, text=text)


@contextmanager
def _alone(engine: Engine, conversation_id: str) -> Iterator[None]:
    """Allow one compaction of a conversation at a time; a second one waits."""
    with _LOCKS[hash((engine.desk.folder, conversation_id)) % len(_LOCKS)]:
        yield


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
