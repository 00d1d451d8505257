"""Effect of an act before it is carried out: recent recalls are asked again without it and with it.

The act is rehearsed, its edits are made on the writer's connection in a savepoint that is rolled back, and each recall
is answered there once more. Writers wait meanwhile, so the time for that is bounded."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memdesk.engine.engine import Engine
from memdesk.engine.memory import bulk
from memdesk.engine.memory.curate import demote, edit_fact
from memdesk.engine.recall.pipeline import preview_in
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.curation import BULK_AT_MOST, Bulk, Demote, EditFact
from memdesk.model.document import DOCUMENT
from memdesk.model.errors import BadAsk, Conflict, EmbedderUnavailable, NotFound
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY, to_datetime
from memdesk.model.message import Message, message
from memdesk.model.questions import ASKED_AT_MOST, TRIED, ActEffect, AskEffect, EffectLine, RecallEffect
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

_SINGLE: dict[str, Callable[[Engine, AskEffect, str], object]] = {
    "edit": lambda engine, ask, author: edit_fact(
        engine, EditFact(fact_id=ask.ids[0], claim=ask.claim), author=author
    ),
    "demote": lambda engine, ask, author: demote(engine, Demote(fact_id=ask.ids[0]), author=author),
}
"""Acts on one memory alone; the others are those on many."""


def effect(engine: Engine, ask: AskEffect, *, author: str) -> ActEffect:
    """Return the effect of an act on recent recalls; nothing is written. An act that would be refused has its reason;
    of a set, those that would be refused are left out.

    Raises NotFound, or BadAsk for an unknown act or a number out of range."""
    _check(ask)
    started = time.perf_counter()
    since = engine.clock() - ask.days * DAY
    try:
        change, untried = _rehearsed(engine, ask, author, since)
        with engine.store.reading() as db:
            total = recalls.count_since(db, since)
            past = recalls.worth_asking(db, _seqs(db, change), since=since, limit=ask.limit)
            before = list(_answered(engine, db, past, BEFORE_S))
        after = _with_change(engine, change, past[: len(before)])
    except (BadAsk, Conflict) as refused:
        return ActEffect(says=message("Nothing would change."), why_not=refused.says)
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
        untried=untried,
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
        index.embedded(new, model)
        return list(_answered(engine, db, past[len(after) :], WRITERS_WAIT_S))

    ends = time.perf_counter() + AFTER_S
    while len(after) < len(past) and time.perf_counter() < ends:
        after += engine.store.try_out(shown, tried)
    return after


def _check(ask: AskEffect) -> None:
    if ask.act not in TRIED:
        raise BadAsk(message("act is one of {acts}.", acts=", ".join(TRIED)))
    if not 1 <= len(ask.ids) <= (1 if ask.act in _SINGLE else BULK_AT_MOST):
        raise BadAsk(message("{act} takes another number of memories.", act=ask.act))
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


def _rehearsed(engine: Engine, ask: AskEffect, author: str, since: int) -> tuple[Change, int]:
    """Return the change that an act would make, of a set as one change, and how many memories did not fit into it.

    Raises Conflict if it would make none, and why the only memory, or the first of a set, is refused."""
    changes: list[Change] = []
    refusals: list[BadAsk | Conflict | NotFound] = []
    ids, room = _recalled_first(engine, ask.ids, since), EDITS_AT_MOST
    for place, id in enumerate(ids):
        try:
            with rehearsal():
                _act_on(engine, ask, id, author)
        except Rehearsed as rehearsed:
            room -= len(rehearsed.change.edits)
            if room < 0:
                return replace(changes[0], edits=_joined(changes)), len(ids) - place
            changes.append(rehearsed.change)
        except (BadAsk, Conflict, NotFound) as refused:
            refusals.append(refused)
    if changes:
        return replace(changes[0], edits=_joined(changes)), 0
    raise refusals[0] if refusals else Conflict(bulk.SO_ALREADY)


def _act_on(engine: Engine, ask: AskEffect, id: str, author: str) -> None:
    single = _SINGLE.get(ask.act)
    if single is not None:
        single(engine, ask, author)
        return
    wanted = Bulk(verb=ask.act, ids=(id,), channel=ask.channel or None, into_id=ask.into_id or None)
    bulk.ACTS[ask.act](engine, wanted, id, author)


def _recalled_first(engine: Engine, ids: Sequence[str], since: int) -> list[str]:
    """Return the ids, each once, first those of memories that a recall returned since a time."""
    with engine.store.reading() as db:
        seqs = {id: record.seq for id, (_, record) in records.by_ids(db, ids).items()}
        recent = recalls.returned_since(db, list(seqs.values()), since)
    return sorted(dict.fromkeys(ids), key=lambda id: seqs.get(id) not in recent)


def _joined(changes: Sequence[Change]) -> tuple[Edit, ...]:
    """Return the edits of changes that were each rehearsed on the desk as it is, one for each record."""
    found: dict[str, Edit] = {}
    for edit in (edit for change in changes for edit in change.edits):
        was = found.get(edit.id)
        if was is None or edit.after is None:
            found[edit.id] = edit
        elif was.after is not None:
            before = None if was.before is None else {**(edit.before or {}), **was.before}
            found[edit.id] = Edit(edit.kind, edit.id, before, {**was.after, **edit.after})
    return tuple(found.values())


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


def _embedded(engine: Engine, change: Change) -> list[tuple[int, str, bytes]]:
    """Return the claims that a change writes, as (seq, text, vector in float32), made before writers wait; none without
    an embedder."""
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
        (numbers[id], text, vector.tobytes())
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
