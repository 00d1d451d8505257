"""Effect of an act before it is carried out: recent recalls are asked again without it and with it.

The act is rehearsed, its edits are made on the writer's connection in a savepoint that is rolled back, and each recall
is answered there once more. Writers wait meanwhile, so the time for that is bounded."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import demote, edit_fact, retire
from memdesk.engine.memory.merge import merge
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.scope import move
from memdesk.engine.recall.pipeline import preview_in
from memdesk.model.change import Change
from memdesk.model.curation import Demote, EditFact, Merge, Move, Promote, Retire
from memdesk.model.document import DOCUMENT
from memdesk.model.effect import ASKED_AT_MOST, TRIED, ActEffect, AskEffect, EffectLine, RecallEffect
from memdesk.model.errors import BadAsk, Conflict, EmbedderUnavailable
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.message import Message, message
from memdesk.model.recall import Hit, Query
from memdesk.store import recalls, records
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.recalls import PastRecall
from memdesk.store.run_context import Rehearsed, rehearsal

WRITERS_WAIT_S = 0.1
"""Longest time for which writers wait at a time, but for the recall that is under way then."""
BEFORE_S, AFTER_S = 1.5, 3.0
"""Longest times for asking recalls without the change, and with it."""
DAYS_AT_MOST = 90

_ACTS: dict[str, Callable[[Engine, AskEffect, str], object]] = {
    "edit": lambda engine, ask, author: edit_fact(
        engine, EditFact(fact_id=ask.id, claim=ask.claim), author=author
    ),
    "retire": lambda engine, ask, author: retire(engine, Retire(id=ask.id), author=author),
    "promote": lambda engine, ask, author: promote(engine, Promote(fact_id=ask.id), author=author),
    "demote": lambda engine, ask, author: demote(engine, Demote(fact_id=ask.id), author=author),
    "move": lambda engine, ask, author: move(engine, Move(id=ask.id, channel=ask.channel), author=author),
    "merge": lambda engine, ask, author: merge(engine, Merge(id=ask.id, into_id=ask.into_id), author=author),
}


@dataclass(frozen=True, slots=True)
class _New:
    """Text that a change gives to a memory, with its vector (float32)."""

    seq: int
    text: str
    vector: bytes


def effect(engine: Engine, ask: AskEffect, *, author: str) -> ActEffect:
    """Return the effect of an act on recent recalls; nothing is written. An act that would be refused has its reason.

    Raises NotFound, or BadAsk for an unknown act or a number out of range."""
    _check(ask)
    started = time.perf_counter()
    try:
        change = _rehearsed(engine, ask, author)
    except (BadAsk, Conflict) as refused:
        return ActEffect(says=message("Nothing would change."), why_not=refused.says)
    since = engine.clock() - ask.days * DAY
    with engine.store.reading() as db:
        total = recalls.count_since(db, since)
        past = recalls.worth_asking(db, _seqs(db, change), since=since, limit=ask.limit)
        before = list(_answered(engine, db, past, BEFORE_S))
    after = _with_change(engine, change, past[: len(before)])
    changed = tuple(
        _compared(asked, was, now)
        for asked, was, now in zip(past, before, after, strict=False)
        if _texts(was) != _texts(now)
    )
    return ActEffect(
        says=_says(len(changed), len(after), ask.days),
        asked=len(after),
        recalls=total,
        took_ms=(time.perf_counter() - started) * 1e3,
        changed=changed,
    )


def _answered(
    engine: Engine, db: Connection, past: Sequence[PastRecall], longest_s: float
) -> Iterator[tuple[Hit, ...]]:
    """Yield the hits of recalls until a time has passed; at least of the first."""
    ends = time.perf_counter() + longest_s
    for each in past:
        yield preview_in(engine, db, _query(each)).hits
        if time.perf_counter() > ends:
            return


def _with_change(engine: Engine, change: Change, past: Sequence[PastRecall]) -> list[tuple[Hit, ...]]:
    """Return the hits of recalls after a change, some at a time, so that writers wait only shortly."""
    # A rehearsal keeps no version of a file, so files are answered as they are.
    shown = replace(change, edits=tuple(edit for edit in change.edits if edit.kind != DOCUMENT.name))
    new, model = _embedded(engine, change), engine.models.embedder.name
    after: list[tuple[Hit, ...]] = []

    def tried(db: Connection, index: Index) -> list[tuple[Hit, ...]]:
        for fresh in new:
            index.embedded(fresh.seq, fresh.text, fresh.vector, model)
        return list(_answered(engine, db, past[len(after) :], WRITERS_WAIT_S))

    ends = time.perf_counter() + AFTER_S
    while len(after) < len(past) and time.perf_counter() < ends:
        after += engine.store.try_out(shown, tried)
    return after


def _check(ask: AskEffect) -> None:
    if ask.act not in TRIED:
        raise BadAsk(message("act is one of {acts}.", acts=", ".join(TRIED)))
    if not (1 <= ask.limit <= ASKED_AT_MOST and 1 <= ask.days <= DAYS_AT_MOST):
        raise BadAsk(
            message(
                "limit lies between 1 and {count}, days between 1 and {days}.",
                count=ASKED_AT_MOST,
                days=DAYS_AT_MOST,
            )
        )
    for act, given, name in (
        ("edit", ask.claim, "claim"),
        ("move", ask.channel, "channel"),
        ("merge", ask.into_id, "into_id"),
    ):
        if ask.act == act and not given.strip():
            raise BadAsk(message("{act} needs {name}.", act=act, name=name))


def _rehearsed(engine: Engine, ask: AskEffect, author: str) -> Change:
    """Return the change that an act would make. Raises Conflict if it would make none."""
    try:
        with rehearsal():
            _ACTS[ask.act](engine, ask, author)
    except Rehearsed as rehearsed:
        return rehearsed.change
    raise Conflict(message("It is so already."))


def _seqs(db: Connection, change: Change) -> list[int]:
    """Return the search numbers of the memories that a change moves."""
    return [record.seq for _, record in records.by_ids(db, [edit.id for edit in change.edits]).values()]


def _query(asked: PastRecall) -> Query:
    return Query(
        text=asked.query,
        channel=asked.channel,
        user_id=asked.user_id,
        agent_id=asked.agent or None,
        conversation_id=asked.conversation_id,
    )


def _embedded(engine: Engine, change: Change) -> list[_New]:
    """Return the claims that a change writes, with vectors, made before writers wait; none without an embedder."""
    claims = {
        edit.id: str(edit.after["claim"])
        for edit in change.edits
        if edit.kind == FACT.name and edit.after and "claim" in edit.after
    }
    if not claims:
        return []
    created = {edit.id: edit.after["seq"] for edit in change.edits if edit.before is None and edit.after}
    with engine.store.reading() as db:
        known = {id: record.seq for id, (_, record) in records.by_ids(db, list(claims)).items()}
    numbers = created | known
    try:
        vectors = engine.models.embedder.embed(list(claims.values()))
    except EmbedderUnavailable:
        return []
    return [
        _New(numbers[id], text, vector.tobytes())
        for (id, text), vector in zip(claims.items(), vectors, strict=True)
        if id in numbers
    ]


def _texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def _compared(asked: PastRecall, was: Sequence[Hit], now: Sequence[Hit]) -> RecallEffect:
    places = {hit.id: place for place, hit in enumerate(was, 1)}
    texts = {hit.id: hit.text for hit in was}
    lines = [
        EffectLine(
            id=hit.id,
            text=hit.text,
            was=places.get(hit.id),
            now=place,
            before="" if texts.get(hit.id, hit.text) == hit.text else texts[hit.id],
        )
        for place, hit in enumerate(now, 1)
    ]
    left = {hit.id for hit in now}
    gone = [
        EffectLine(id=hit.id, text=hit.text, was=places[hit.id], now=None)
        for hit in was
        if hit.id not in left
    ]
    return RecallEffect(
        query=asked.query,
        agent=asked.agent,
        channel=asked.channel,
        at=to_datetime(asked.at),
        says=_counts(lines, len(gone)),
        lines=(*lines, *gone),
    )


def _counts(lines: Sequence[EffectLine], gone: int) -> Message:
    reworded = sum(bool(line.before) for line in lines)
    fresh = sum(line.was is None for line in lines)
    return message(
        "{reworded} reworded, {fresh} new, {gone} no longer told", reworded=reworded, fresh=fresh, gone=gone
    )


def _says(changed: int, asked: int, days: int) -> Message:
    if not asked:
        return message("No agent recalled anything in the last {days} days.", days=days)
    return message(
        "Recalls that would return something else: {changed} of {asked} asked again, of the last {days} days.",
        changed=changed,
        asked=asked,
        days=days,
    )
