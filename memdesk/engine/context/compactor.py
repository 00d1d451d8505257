"""Compaction that writes first: store the turns and facts, make and check the summary, and only then remove
messages."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace

from memdesk.engine.context.history import compaction_row, losses
from memdesk.engine.context.messages import TurnText, content_of, said_in, size_of, tokens_of
from memdesk.engine.context.policies import OPENLEGION as OPENLEGION_POLICY
from memdesk.engine.context.resolving import (
    ConversationOwner,
    ResolvedContext,
    build_meter,
    channel_of,
    due_action,
    nothing_to_remove,
    read_meter,
    resolve_context,
    store_messages,
    summary_messages,
)
from memdesk.engine.context.summary import Summary, summarise
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate_one
from memdesk.engine.jobs.run import BudgetSpent, begin
from memdesk.engine.memory import line_links
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import files
from memdesk.engine.workspace.day_files import write_day
from memdesk.engine.workspace.disk import home, layout_of, one_writer
from memdesk.engine.workspace.layouts.systems import OPENLEGION
from memdesk.model.change import Change
from memdesk.model.context import COMPACTION, Compact, Compacted, Compaction, Lost, Message, Meter, Window
from memdesk.model.document import Workspace
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.fact import Fact, claim_hash
from memdesk.model.instant import to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import NO_MESSAGE, joined
from memdesk.model.message import Message as Sentence
from memdesk.model.message import message as sentence
from memdesk.model.turn import CONVERSATION
from memdesk.model.workspace_files import WriteDay
from memdesk.store import contexts, records
from memdesk.store.connection import Connection

MEMORY = "MEMORY.md"
AHEAD, AT_LAST = "Proactive Flush", "Extracted"
"""Titles of the section in MEMORY.md under which flushed facts are written (OpenLegion)."""
WARN_FROM = 0.8
WAIT_SECONDS = 30.0
"""Seconds to wait for a job that is reading the same conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlushResult:
    """Result of a flush: the facts of the turns, the ids of the new ones among them, and problems as sentences."""

    facts: dict[str, tuple[Fact, list[int]]]
    new: tuple[str, ...]
    notices: tuple[Sentence, ...]


def flush(
    engine: Engine,
    whose: ConversationOwner,
    first: int,
    last: int,
    *,
    label: str,
    workspace_id: str | None,
    noted: bool,
) -> FlushResult:
    """Store the facts of turns `first` to `last`; the turns are stored already.

    label: AHEAD or AT_LAST. noted: in an OpenLegion workspace, the day file records that the context was
    compacted. Refusals by memory become notices; raises StorageFailed and similar errors if the disk fails.
    """
    with engine.store.reading() as db:
        before = contexts.facts_of(db, whose.conversation_id, first, last).keys()
    notices = [*_extracted(engine, whose)]
    with engine.store.reading() as db:
        facts = contexts.facts_of(db, whose.conversation_id, first, last)
    new = tuple(id for id in facts if id not in before)
    kept = [fact for fact, _ in facts.values()]
    notices += _append_to_memory_file(
        engine, whose, kept, label=label, workspace_id=workspace_id, noted=noted
    )
    return FlushResult(facts=facts, new=new, notices=tuple(notices))


def _extracted(engine: Engine, whose: ConversationOwner) -> Iterable[Sentence]:
    """Extract facts from the unread part of the conversation, as the job does; waits if the job is already
    reading it."""
    if not engine.settings.extraction_enabled:
        return [sentence("No facts were extracted: extraction_enabled is off.")]
    run = begin(engine, "consolidate", timed=False)
    until = time.monotonic() + WAIT_SECONDS
    try:
        while not consolidate_one(run, whose.conversation_id):
            if time.monotonic() > until:
                return [sentence("Another run is still extracting facts from this conversation.")]
            time.sleep(0.02)
    except BudgetSpent as spent:
        return [joined(sentence("Facts were extracted in part."), spent.says)]
    return (
        [sentence("Memory refused some of what came of it; the turns are kept.")]
        if run.counts["left"]
        else []
    )


def _append_to_memory_file(
    engine: Engine,
    whose: ConversationOwner,
    facts: list[Fact],
    *,
    label: str,
    workspace_id: str | None,
    noted: bool,
) -> list[Sentence]:
    """Append the facts that MEMORY.md lacks to it, if the agent keeps one; return the obstacles as sentences."""
    try:
        workspace = home(engine, workspace_id, whose.agent_id, author=whose.author)
    except NotFound:
        if workspace_id is not None:
            raise
        return []
    except BadAsk as several:
        return [sentence("MEMORY.md was left as it is: {says}", says=several.says)]
    if not facts or not _keeps_memory(engine, workspace):
        return []
    try:
        with one_writer:
            written = _append(engine, workspace, facts, label, whose.author)
        if written and noted and workspace.layout == OPENLEGION.name:
            entry = f"Context compacted — {written} facts flushed to memory"
            write_day(engine, WriteDay(text=entry, workspace_id=workspace.id), author=whose.author)
    except Refused as refused:
        return [sentence("MEMORY.md was left as it is: {says}", says=refused.says)]
    return []


def _keeps_memory(engine: Engine, workspace: Workspace) -> bool:
    """Return True if a session of this system begins with MEMORY.md, or the folder has one."""
    bootstrap = layout_of(workspace).bootstrap
    begins = bootstrap is not None and any(part.path == MEMORY for part in bootstrap.parts)
    return begins or files.text_of(engine, workspace, MEMORY) is not None


def _append(engine: Engine, workspace: Workspace, facts: list[Fact], label: str, author: str) -> int:
    """Append a section in OpenLegion's form; return the number of facts in it. Raises Refused beyond the
    layout's budget.

    Each line is linked to its fact. A claim that a line of the file already makes is not added."""
    found = files.read(engine, workspace, MEMORY)
    text, held = "", set[str]()
    if found is not None:
        document, file = found
        text = file.text
        with engine.store.reading() as db:
            held = {
                claim_hash(each.fact.claim) for each in line_links.ties_in_file(db, document.id) if each.holds
            }
    there = {line.strip() for line in text.splitlines()}
    carried = {
        line: fact.id
        for fact in facts
        if claim_hash(fact.claim) not in held and (line := _line(fact)) not in there
    }
    lines = list(carried)
    if not lines:
        return 0
    at = to_datetime(engine.clock())
    block = f"\n\n## {label} ({at:%Y-%m-%d %H:%M} UTC)\n\n" + "\n".join(lines) + "\n"
    budget = dict(layout_of(workspace).budgets).get(MEMORY.removesuffix(".md"))
    if budget is not None and len(text) + len(block) > budget:
        raise Refused(
            sentence(
                "with {count} more facts it would be longer than its {budget} characters.",
                count=len(lines),
                budget=f"{budget:,}",
            )
        )
    title = sentence("Kept {count} facts of a context in MEMORY.md", count=len(lines))
    files.add(engine, workspace, MEMORY, block, author=author, title=title, carried=carried)
    return len(lines)


def _line(fact: Fact) -> str:
    """Return a fact as OpenLegion writes it, key and value; a fact without them has its category as key and
    its claim as value."""
    key, value = (fact.key, fact.value) if fact.key and fact.value else (fact.category, fact.claim)
    return f"- **{key}**: {' '.join(value.split())}"


PRE_COMPACT = "PreCompact"
"""Hook of Agentix and Claude Code, published before anything is compacted, with `current_count`."""
_LOCKS = tuple(threading.Lock() for _ in range(64))
"""Locks that allow one compaction of a conversation at a time; conversations share them by their hash."""


def measure(engine: Engine, ask: Window, *, author: str) -> Meter:
    """Return the fill level of a context, and the action that compacting it now would take. Changes nothing."""
    return read_meter(engine, resolve_context(engine, ask, author=author))


def compact(engine: Engine, ask: Compact, *, author: str) -> Compacted:
    """Store a context's messages, and flush or compact it if its policy is due.

    Raises BadAsk and NotFound for an invalid request, Conflict if the conversation already has a different
    message at that index, StorageFailed if the disk fails: the list then stays as it was, and nothing of it
    is lost."""
    first = resolve_context(engine, ask, author=author)
    with _alone(engine, first.whose.conversation_id):
        # What another call has compacted meanwhile is known now.
        asked = replace(ask, conversation_id=first.whose.conversation_id)
        done = _compact(engine, asked, resolve_context(engine, asked, author=author))
        warned = done.after.policy == OPENLEGION_POLICY.name and done.after.usage >= WARN_FROM
        return replace(done, notices=(_warning(done.after.usage), *done.notices)) if warned else done


def _warning(usage: float) -> Sentence:
    """Return OpenLegion's notice of a context that is nearly full."""
    return sentence(
        "CONTEXT WARNING: the context is at {count} of its window. Save what matters with memory_save, and finish or "
        "shorten the task.",
        count=f"{usage:.0%}",
    )


def _compact(engine: Engine, ask: Compact, at: ResolvedContext) -> Compacted:
    due, because = ("compacted", sentence("Asked for.")) if ask.force else due_action(engine, at)
    before = build_meter(at.policy, at.size, due=due, because=because)
    talk = at.parted.talk
    if not talk:
        return _unchanged(at, before, "none", ())
    counts = at.counts[at.parted.talk_at :]
    if due == "compacted" and at.cut:
        _publish(engine, at, before.current_count)
    start = store_messages(engine, at.whose, talk, counts, at.parted.first_index)
    if due == "flushed":
        return _flushed(engine, ask, at, before, start)
    if due == "compacted" and at.cut:
        return _compacted(engine, ask, at, before, start, at.cut)
    return _unchanged(at, before, "none", (nothing_to_remove(at),) if due == "compacted" or at.stuck else ())


def _compacted(
    engine: Engine, ask: Compact, at: ResolvedContext, before: Meter, start: int, cut: int
) -> Compacted:
    last = start + cut - 1
    if (known := _earlier_compaction(at, start, last)) is not None:
        return _answer(engine, at, before, known, cut, (), repeated=True)
    began = time.perf_counter()
    kept = flush(engine, at.whose, start, last, label=AT_LAST, workspace_id=ask.workspace_id, noted=True)
    turns = [_said(start + n, message) for n, message in enumerate(at.parted.talk[:cut])]
    summary = summarise(engine, at.policy, turns, at.parted.carried)
    stands = at.policy.message(summary.text, at.parted.talk[cut]) if summary.text else ()
    made = _Made(
        start=start,
        last=last,
        stands=stands,
        summary=summary,
        kept=tuple(kept.facts),
        lost=losses(summary.found, summary.text, kept.facts),
        after=_size_after(at, stands, cut),
        began=began,
    )
    compaction = engine.store.decide(lambda db: _compaction_change(engine, db, at, before, made))[1]
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


def _compaction_change(
    engine: Engine, db: Connection, at: ResolvedContext, before: Meter, made: _Made
) -> tuple[Change, Compaction]:
    """Return the change that marks the turns as compacted, and its record. Only this change marks them, and
    it comes last."""
    talk = records.need(db, CONVERSATION, at.whose.conversation_id)
    now = engine.clock()
    messages, characters, tokens = made.after
    record = Compaction(
        seq=engine.store.new_seq(),
        id=new_id(COMPACTION.prefix, now),
        user_id=at.whose.user_id,
        channel=channel_of(db, at.whose),
        agent_id=at.whose.agent_id,
        conversation_id=talk.id,
        session_id=at.session_id,
        policy=at.policy.name,
        previous_id=None if at.parted.carried is None else at.parted.carried.id,
        first_index=made.start,
        last_index=made.last,
        summary=made.summary.text,
        message=_json(made.stands),
        sentences=_json([asdict(each) for each in made.summary.sentences]),
        by=made.summary.by,
        note=made.summary.note,
        kept=_json(made.kept),
        lost=_json([asdict(each) for each in made.lost]),
        messages_before=before.messages,
        messages_after=messages,
        characters_before=before.characters,
        characters_after=characters,
        tokens_before=before.tokens,
        tokens_after=tokens,
        took_us=round((time.perf_counter() - made.began) * 1e6),
        created_at=now,
    )
    gone = made.last - made.start + 1
    title = sentence(
        "Compacted {gone} turns of “{talk}”: {before} messages are {after}",
        gone=gone,
        talk=shortened(talk.title, 60),
        before=before.messages,
        after=messages,
    )
    return Change.about(
        record,
        "update",
        title,
        author=at.whose.author,
        edits=(records.creation_edit(COMPACTION, record),),
        layer="episodic",
    ), record


def _answer(
    engine: Engine,
    at: ResolvedContext,
    before: Meter,
    compaction: Compaction,
    cut: int,
    notices: tuple[Sentence, ...],
    *,
    facts: tuple[str, ...] = (),
    repeated: bool = False,
) -> Compacted:
    stands = summary_messages(compaction)
    messages = (*at.parted.instructions, *stands, *at.parted.talk[cut:])
    with engine.store.reading() as db:
        row = compaction_row(db, compaction)
    after = replace(
        before,
        messages=compaction.messages_after,
        characters=compaction.characters_after,
        due="none",
        because=NO_MESSAGE,
        tokens=compaction.tokens_after,
        usage=compaction.tokens_after / before.window_tokens,
        current_count=compaction.messages_after,
    )
    if compaction.note:
        notices = (sentence("Summarised without the language model. {note}", note=compaction.note), *notices)
    return Compacted(
        action="compacted",
        messages=messages,
        conversation_id=at.whose.conversation_id,
        archived=cut,
        facts=facts,
        before=before,
        after=after,
        compaction=row,
        summary=compaction.summary,
        repeated=repeated,
        notices=notices,
    )


def _flushed(engine: Engine, ask: Compact, at: ResolvedContext, before: Meter, start: int) -> Compacted:
    """Store facts ahead, once between two compactions; the message list does not change."""
    last = start + len(at.parted.talk) - 1
    kept = flush(engine, at.whose, start, last, label=AHEAD, workspace_id=ask.workspace_id, noted=False)
    title = sentence(
        "Flushed {count} facts ahead, at {usage} of the context",
        count=len(kept.new),
        usage=f"{before.usage:.0%}",
    )
    engine.store.apply(_event(at, title, {"facts": list(kept.new)}, key=at.flush_key))
    return replace(_unchanged(at, before, "flushed", kept.notices), facts=kept.new)


def _publish(engine: Engine, at: ResolvedContext, count: int) -> None:
    """Record an event, seen in the feed and the audit log, that a context is about to be compacted."""
    title = sentence("PreCompact: {count} messages in the context", count=count)
    engine.store.apply(_event(at, title, {"hook": PRE_COMPACT, "current_count": count}))


def _event(
    at: ResolvedContext, title: Sentence, details: dict[str, object], key: str | None = None
) -> Change:
    """Return a change that is an event without edits."""
    about = {
        "conversation_id": at.whose.conversation_id,
        "session_id": at.session_id,
        "policy": at.policy.name,
    }
    return Change.about(
        at.whose,
        "update",
        title,
        author=at.whose.author,
        edits=(),
        layer="episodic",
        key=key,
        details={**about, **details},
    )


def _unchanged(at: ResolvedContext, before: Meter, action: str, notices: tuple[Sentence, ...]) -> Compacted:
    return Compacted(
        action=action,
        messages=at.messages,
        conversation_id=at.whose.conversation_id,
        archived=0,
        facts=(),
        before=before,
        after=before,
        notices=notices,
    )


def _earlier_compaction(at: ResolvedContext, first: int, last: int) -> Compaction | None:
    """Return the earlier compaction of exactly these turns by this policy, made by a call whose answer was
    lost; else None."""
    carried = None if at.parted.carried is None else at.parted.carried.id
    wanted = (first, last, at.policy.name, carried)
    for each in at.standing:
        if (each.first_index, each.last_index, each.policy, each.previous_id) == wanted:
            return each
    return None


def _size_after(at: ResolvedContext, stands: tuple[Message, ...], cut: int) -> tuple[int, int, int]:
    """Return (messages, characters, tokens) of the shorter list; the caller's token counts are used if it gave them."""
    rest = at.parted.talk[cut:]
    whole = (*at.parted.instructions, *stands, *rest)
    size = size_of(whole, apart=len(at.parted.instructions))
    if not at.counts:
        return size.messages, size.characters, size.tokens
    instructions = sum(at.counts[: len(at.parted.instructions)])
    tokens = instructions + sum(map(tokens_of, stands)) + sum(at.counts[at.parted.talk_at + cut :])
    return size.messages, size.characters, tokens


def _said(index: int, message: Message) -> TurnText:
    name = message.get("name")
    role, text = str(message["role"]), content_of(message).strip() or said_in(message)
    return TurnText(
        index=index, role=role, speaker=name if isinstance(name, str) and name else role, text=text
    )


@contextmanager
def _alone(engine: Engine, conversation_id: str) -> Iterator[None]:
    """Allow one compaction of a conversation at a time; a second one waits."""
    with _LOCKS[hash((engine.desk.folder, conversation_id)) % len(_LOCKS)]:
        yield


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
