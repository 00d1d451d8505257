"""Consolidation: conversations become facts, entities and relations. One conversation is one transaction or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import extract
from memdesk.engine.extraction.found import Found, FoundFact, Utterance
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.draft import Draft
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.channel import GLOBAL
from memdesk.model.instant import to_datetime
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

TURNS_AT_ONCE = 200
"""A longer conversation is read in windows of this many turns, each a transaction that moves its mark."""
ROOM = 24
"""Edits kept free for what the last facts of a window bring along."""


def consolidate(run: Run) -> dict[str, int]:
    """Extract from every turn that was not read yet. Returns counts of conversations, facts, entities, relations.

    A crash loses nothing and repeats nothing: each window moves the conversation's mark in its own transaction.
    """
    with run.engine.store.reading() as db:
        waiting = semantic.unconsolidated(db, -1)
    counts: Counter[str] = Counter()
    for done, id in enumerate(waiting):
        run.step(done, len(waiting), "Reading conversations")
        counts["conversations"] += 1
        read = -1
        while (mark := _window(run, id, read, counts)) is not None:
            read = mark
            run.step(done, len(waiting), "Reading conversations")
    return dict(counts)


def _window(run: Run, conversation_id: str, read: int, counts: Counter[str]) -> int | None:
    """Consolidate the next window of a conversation past `read`; returns its last index, None when all was read."""
    engine = run.engine
    with engine.store.reading() as db:
        talk: Conversation = records.need(db, CONVERSATION, conversation_id)
        turns = _unread(db, talk, max(read, talk.consolidated_index))
    if not turns:
        return None
    zone = to_datetime(engine.clock()).astimezone().tzinfo
    said = [_utterance(turn) for turn in turns if turn.retired_at is None]
    found = extract(said, user_name=_user_name(engine, turns), zone=zone)

    def verb(db: Connection) -> tuple[Change | None, Counter[str]]:
        now: Conversation = records.need(db, CONVERSATION, conversation_id)
        if now.consolidated_index != talk.consolidated_index:
            return None, Counter()
        return _change(run, db, now, turns, found)

    counts.update(run.decide(verb))
    return turns[-1].turn_index


def _unread(db: Connection, talk: Conversation, read: int) -> list[Turn]:
    ids = semantic.turns_after(db, talk.id, read, TURNS_AT_ONCE)
    return sorted(records.many(db, TURN, "id", ids), key=lambda turn: turn.turn_index)


def _change(
    run: Run, db: Connection, talk: Conversation, turns: Sequence[Turn], found: Found
) -> tuple[Change, Counter[str]]:
    engine = run.engine
    draft = Draft(
        engine=engine,
        db=db,
        user_id=talk.user_id,
        channel=talk.channel,
        agent_id=talk.agent_id,
        at=engine.clock(),
    )
    counts: Counter[str] = Counter()
    _draft_entities(draft, found, counts)
    for fact in found.facts:
        if len(draft.edits) < EDITS_AT_MOST - ROOM:
            _draft_fact(draft, fact, counts)
    _draft_relations(draft, found, counts)
    mark = max(turn.turn_index for turn in turns)
    draft.edits.append(records.moved(CONVERSATION, talk, consolidated_index=mark, consolidated_at=draft.at))
    change = Change(
        op="learn", title=_title(talk, counts), author=run.author, edits=tuple(draft.edits), channel=talk.channel,
        user_id=talk.user_id, run=run.id, details=dict(counts),
    )  # fmt: skip
    return change, counts


def _draft_entities(draft: Draft, found: Found, counts: Counter[str]) -> None:
    for entity in found.entities:
        if len(draft.edits) < EDITS_AT_MOST // 2:
            id, known = draft.entity(entity.name, type=entity.type, aliases=entity.aliases)
            counts["entities"] += not known
            if known:
                draft.complete_entity(id, type=entity.type, description="")


def _draft_fact(draft: Draft, fact: FoundFact, counts: Counter[str]) -> None:
    id, known = draft.fact(
        fact.claim, category=fact.category, confidence=fact.confidence, temporal=fact.temporal, source="extraction",
        source_turn_id=fact.utterance_id, quote=fact.quote,
    )  # fmt: skip
    draft.about(id, fact.about, fact.utterance_id)
    counts["facts"] += not known


def _draft_relations(draft: Draft, found: Found, counts: Counter[str]) -> None:
    for relation in found.relations:
        if len(draft.edits) >= EDITS_AT_MOST - ROOM // 2:
            return
        source, _ = draft.entity(relation.source)
        target, _ = draft.entity(relation.target)
        if source != target and draft.relation(
            source,
            target,
            relation.type,
            confidence=relation.confidence,
            source_turn_id=relation.utterance_id,
        ):
            counts["relations"] += 1


def _utterance(turn: Turn) -> Utterance:
    return Utterance(id=turn.id, speaker=turn.speaker, role=turn.role, text=turn.content, at=turn.created_at)


def _user_name(engine: Engine, turns: Sequence[Turn]) -> str:
    """Who “I” is where the runtime only says “user”: the one person who speaks by name, else the desk's owner."""
    named = {
        turn.speaker
        for turn in turns
        if turn.role == "user" and turn.speaker.lower() not in ("user", "human")
    }
    return named.pop() if len(named) == 1 else engine.person


def _title(talk: Conversation, counts: Counter[str]) -> str:
    facts = counts["facts"]
    what = "nothing new" if not facts else "1 fact" if facts == 1 else f"{facts} facts"
    where = "" if talk.channel == GLOBAL else f" in {talk.channel}"
    return f"Consolidated “{shortened(talk.title, 60)}”{where}: {what}"
