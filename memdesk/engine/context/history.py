"""Compaction history: list compactions, compare one with its turns, read its archive, restore; and the
possible losses of one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memdesk.engine.context.messages import Sentence, check, normalised
from memdesk.engine.context.resolving import message_of, split_messages
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import row_of
from memdesk.model.change import Change
from memdesk.model.context import (
    COMPACTION,
    Archive,
    ArchivedMessage,
    ArchivedTurn,
    AskArchive,
    AskCompaction,
    Compaction,
    CompactionList,
    CompactionRow,
    CompactionWhole,
    KeptFact,
    ListCompactions,
    Lost,
    Message,
    RestoreArchive,
    Restored,
    SummarySentence,
)
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import to_datetime
from memdesk.model.message import message as sentence
from memdesk.model.turn import CONVERSATION, Turn
from memdesk.store import contexts, records, semantic
from memdesk.store.connection import Connection

LOST_AT_MOST = 200
_FIGURE = re.compile(r"\d[\d.,:/-]*")


def losses(
    found: Sequence[Sentence], summary: str, facts: Mapping[str, tuple[Fact, list[int]]]
) -> tuple[Lost, ...]:
    """Return the sentences with a constraint, decision, figure or claim that are kept nowhere else, in order.

    A sentence counts as kept if the summary contains it, if a fact was read from it, or if all its figures
    are in a fact of its turn."""
    kept, quotes = " ".join(summary.casefold().split()), _quotes(facts)
    lost = [
        Lost(turn_index=each.turns[0], text=each.text)
        for each in found
        if _matters(each)
        and normalised(each.text) not in kept
        and not _in_a_fact(each.text, quotes.get(each.turns[0], ()))
    ]
    return tuple(lost[:LOST_AT_MOST])


def still_lost(lost: Sequence[Lost], facts: Mapping[str, tuple[Fact, list[int]]]) -> tuple[Lost, ...]:
    """Return the losses that no fact has recovered since. facts: the current ones, with the turns they were
    read from."""
    quotes = _quotes(facts)
    return tuple(each for each in lost if not _in_a_fact(each.text, quotes.get(each.turn_index, ())))


def _matters(each: Sentence) -> bool:
    return not (each.carried or each.asks or each.chatter) and (
        each.constraint or each.decision or each.figure or each.claim
    )


def _quotes(facts: Mapping[str, tuple[Fact, list[int]]]) -> dict[int, list[str]]:
    """Return the claims and quotes of facts, by the turn they were read from."""
    quotes: dict[int, list[str]] = {}
    for fact, turns in facts.values():
        for turn in turns:
            quotes.setdefault(turn, []).extend((normalised(fact.quote), normalised(fact.claim)))
    return quotes


def _in_a_fact(text: str, claims: Sequence[str]) -> bool:
    said, figures = normalised(text), _FIGURE.findall(text)
    return any(
        (held and (held in said or said in held)) or (figures and all(figure in held for figure in figures))
        for held in claims
    )


LIMIT_AT_MOST = 1_000
STATES = {"current": False, "restored": True, "all": None}


def compactions(engine: Engine, ask: ListCompactions) -> CompactionList:
    """Return compactions, newest first. Raises BadAsk for an unknown state or an invalid limit."""
    if ask.state not in STATES:
        raise BadAsk(sentence("state is one of {states}.", states=", ".join(STATES)))
    _check_limit(0, ask.limit)
    with engine.store.reading() as db:
        channels = semantic.current_channels(db, ask.user_id, ask.channels)
        before = records.need_owned(db, COMPACTION, ask.after, ask.user_id).seq if ask.after else None
        wanted = replace(ask, channels=channels, limit=ask.limit + 1)
        found = contexts.compactions(db, wanted, retired=STATES[ask.state], before=before)
        rows = tuple(compaction_row(db, each) for each in found[: ask.limit])
    return CompactionList(rows=rows, next=rows[-1].id if len(found) > ask.limit else None)


def compaction(engine: Engine, ask: AskCompaction) -> CompactionWhole:
    """Return one compaction in full: the turns it removed and the summary that replaced them. Raises
    NotFound, BadAsk."""
    _check_limit(ask.first, ask.limit)
    with engine.store.reading() as db:
        found = records.need_owned(db, COMPACTION, ask.compaction_id, ask.user_id)
        turns = contexts.turns_between(
            db, found.conversation_id, found.first_index, found.last_index, skip=ask.first, limit=ask.limit
        )
        facts = _facts(db, found)
        lost = _lost(db, found)
        row = compaction_row(db, found)
    sentences = tuple(
        SummarySentence(text=each["text"], turns=tuple(each["turns"]), constraint=each["constraint"])
        for each in json.loads(found.sentences)
    )
    return CompactionWhole(
        row=row,
        summary=found.summary,
        message=tuple(json.loads(found.message)),
        sentences=sentences,
        total=found.last_index - found.first_index + 1,
        turns=tuple(_turn(each, sentences, facts, lost) for each in turns),
        facts=facts,
        lost=lost,
        previous_id=found.previous_id,
    )


def archive(engine: Engine, ask: AskArchive) -> Archive:
    """Return the messages that were removed, exactly as they came, or those that contain all of the given words."""
    _check_limit(ask.first, ask.limit)
    with engine.store.reading() as db:
        found = records.need_owned(db, COMPACTION, ask.compaction_id, ask.user_id)
        first = 0 if ask.whole else found.first_index
        words = ask.text.casefold().split()
        if not words:
            total = found.last_index - first + 1
            turns = contexts.turns_between(
                db, found.conversation_id, first, found.last_index, skip=ask.first, limit=ask.limit
            )
        else:
            every = contexts.turns_between(db, found.conversation_id, first, found.last_index)
            holding = [turn for turn in every if all(word in turn.content.casefold() for word in words)]
            total, turns = len(holding), holding[ask.first : ask.first + ask.limit]
    rows = tuple(
        ArchivedMessage(turn_id=turn.id, turn_index=turn.turn_index, message=message_of(turn))
        for turn in turns
    )
    return Archive(total=total, first=ask.first, rows=rows)


def restore(engine: Engine, ask: RestoreArchive, *, author: str) -> Restored:
    """Take a compaction back: its messages are in the list again. Undo puts the summary back in their place.

    Raises NotFound; Conflict if it was already taken back, if a later compaction took in its summary, or if
    the given list does not contain its summary."""
    check(ask.messages)

    def verb(db: Connection) -> tuple[Change, Compaction]:
        found = records.need_owned(db, COMPACTION, ask.compaction_id, ask.user_id)
        if found.retired_at is not None:
            raise Conflict(
                sentence("Compaction {id} was taken back already.", id=found.id),
                next=sentence("Read it with context.archive."),
            )
        upon = records.find(db, COMPACTION, previous_id=found.id, retired_at=None, limit=1)
        if upon:
            raise Conflict(
                sentence("Compaction {id} took in the summary of this one.", id=upon[0].id),
                next=sentence("Restore that one first."),
            )
        talk = records.need(db, CONVERSATION, found.conversation_id)
        title = sentence(
            "Restored {count} turns of “{talk}” into the context",
            count=found.last_index - found.first_index + 1,
            talk=talk.title,
        )
        edit = records.update_edit(COMPACTION, found, retired_at=engine.clock())
        return Change.about(found, "update", title, author=author, edits=(edit,), layer="episodic"), found

    with engine.store.reading() as db:
        known = records.need_owned(db, COMPACTION, ask.compaction_id, ask.user_id)
        before = records.get(db, COMPACTION, known.previous_id) if known.previous_id else None
        turns = contexts.turns_between(db, known.conversation_id, known.first_index, known.last_index)
    back = [*(json.loads(before.message) if before is not None else ()), *map(message_of, turns)]
    messages = _put_back(ask.messages, known, back) if ask.messages else tuple(back)
    applied, _ = engine.store.decide(verb)
    assert applied is not None
    return Restored(compaction_id=known.id, messages=messages, change=applied.id)


def compaction_row(db: Connection, found: Compaction) -> CompactionRow:
    """Return a compaction as a row of the list."""
    talk = records.get(db, CONVERSATION, found.conversation_id)
    return row_of(
        CompactionRow,
        found,
        title="" if talk is None else talk.title,
        at=to_datetime(found.created_at),
        facts=len(json.loads(found.kept)),
        lost=len(_lost(db, found)),
        took_ms=found.took_us / 1e3,
        restored=found.retired_at is not None,
        summary_characters=len(found.summary),
    )


def _put_back(messages: Sequence[Message], known: Compaction, back: Sequence[Message]) -> tuple[Message, ...]:
    """Return the list with the removed messages in place of their summary, or before the talk if nothing
    replaced them.

    Raises Conflict if the list lacks the summary."""
    parts = split_messages(messages, [known])
    if parts.carried is None and json.loads(known.message):
        raise Conflict(
            sentence("The list given does not begin with the summary of this compaction."),
            next=sentence("Leave `messages` out, and put what comes back where it belongs."),
        )
    return (*parts.instructions, *back, *parts.talk)


def _facts(db: Connection, found: Compaction) -> tuple[KeptFact, ...]:
    """Return the facts stored at the compaction and those derived from its turns since, as they are now;
    missing ones are left out."""
    derived = contexts.facts_of(db, found.conversation_id, found.first_index, found.last_index)
    kept = records.many(db, FACT, "id", json.loads(found.kept))
    known = {fact.id for fact in kept}
    later = [fact for id, (fact, _) in derived.items() if id not in known]
    return tuple(
        row_of(
            KeptFact,
            fact,
            turns=tuple(derived[fact.id][1]) if fact.id in derived else (),
            since=fact.id not in known,
        )
        for fact in sorted((*kept, *later), key=lambda fact: int(fact.seq))
    )


def _lost(db: Connection, found: Compaction) -> tuple[Lost, ...]:
    """Return the sentences that neither the summary nor any current fact contains."""
    noted = [Lost(**each) for each in json.loads(found.lost)]
    if not noted:
        return ()
    derived = contexts.facts_of(db, found.conversation_id, found.first_index, found.last_index)
    return still_lost(noted, derived)


def _turn(
    turn: Turn, sentences: Sequence[SummarySentence], facts: Sequence[KeptFact], lost: Sequence[Lost]
) -> ArchivedTurn:
    return row_of(
        ArchivedTurn,
        turn,
        text=turn.content,
        at=to_datetime(turn.created_at),
        sentences=tuple(n for n, each in enumerate(sentences) if turn.turn_index in each.turns),
        facts=tuple(fact.id for fact in facts if turn.turn_index in fact.turns),
        lost=tuple(each.text for each in lost if each.turn_index == turn.turn_index),
    )


def _check_limit(first: int, limit: int) -> None:
    if first < 0 or not 1 <= limit <= LIMIT_AT_MOST:
        raise BadAsk(
            sentence(
                "first is not negative, and limit lies between 1 and {count}.", count=f"{LIMIT_AT_MOST:,}"
            )
        )
