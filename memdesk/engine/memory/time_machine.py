"""Facts as of an earlier moment: what is otherwise since, and the return of chosen facts to what they were.

The earlier state is read from the journal. Facts are put back by the acts that a person has, so that their lines in
files and their questions follow; all of it is one run, which undo takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, pin, restore, retire
from memdesk.engine.memory.scope import move
from memdesk.model.curation import Curated, EditFact, Move, Pin, Restore, Retire
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import from_datetime, to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.past import (
    PUT_BACK_AT_MOST,
    AskPast,
    FactDifference,
    FactState,
    PastPage,
    PutBack,
    PutBackDone,
)
from memdesk.store import records, timeline
from memdesk.store.connection import Connection
from memdesk.store.run_context import one_run

EDITS_READ = 50_000
"""Edits of facts that are read backwards at most."""
ROWS_AT_MOST = 1000


def differences(engine: Engine, ask: AskPast) -> PastPage:
    """Return the facts that are otherwise than at a moment, now or at a later one.

    Raises BadAsk without a moment, for a later one that is not later, or for a large limit."""
    if not 1 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(message("limit lies between 1 and {count}.", count=ROWS_AT_MOST))
    with engine.store.reading() as db:
        before = _first_change(db, ask)
        until = None if ask.until is None else timeline.first_at(db, from_datetime(ask.until))
        if until is not None and until < before:
            raise BadAsk(message("The later moment comes before the first. Exchange them."))
        pairs, is_cut = _pairs(db, before, until)
        event = timeline.event(db, before)
    words = ask.text.casefold().split()
    found = [
        row
        for row in (_difference(id, then, now) for id, then, now in pairs if _is_of(ask.user_id, then, now))
        if row.then != row.now and _is_asked(row, ask.channels, words)
    ]
    at = ask.at if ask.before is None and ask.at is not None else event.at if event is not None else None
    return PastPage(
        before=before,
        at=at or to_datetime(engine.clock()),
        total=len(found),
        rows=tuple(found[: ask.limit]),
        is_cut=is_cut,
    )


def _first_change(db: Connection, ask: AskPast) -> int:
    if ask.before is not None:
        return ask.before
    if ask.at is None:
        raise BadAsk(message("Say a moment: at, or before."))
    return timeline.first_at(db, from_datetime(ask.at))


def _pairs(
    db: Connection, before: int, until: int | None = None
) -> tuple[list[tuple[str, Fact | None, Fact | None]], bool]:
    """Return (id, the fact before a change, the fact now) for each fact edited since, and True if not all were read.

    until: a later change; the fact before it is returned in place of the fact now."""
    edited, is_cut = timeline.facts_changed_since(db, before, EDITS_READ)
    later = {} if until is None else timeline.facts_changed_since(db, until, EDITS_READ)[0]
    living: dict[str, Fact] = {each.id: each for each in records.many(db, FACT, "id", list(edited))}
    pairs = []
    for id, fields in edited.items():
        now = living.get(id)
        then = None if fields is None else _as_it_was(now, fields)
        if id in later:
            since = later[id]
            now = None if since is None else _as_it_was(now, since)
        if then is not None or now is not None:
            pairs.append((id, then, now))
    return pairs, is_cut


def _as_it_was(now: Fact | None, fields: dict[str, Any]) -> Fact | None:
    """Return a fact with earlier fields; None for one that is gone and of which not all is known."""
    if now is not None:
        return replace(now, **{name: fields[name] for name in fields if hasattr(now, name)})
    try:
        return Fact(**{name: fields[name] for name in fields if name in Fact.__slots__})
    except TypeError:
        return None


def _is_of(user_id: str, then: Fact | None, now: Fact | None) -> bool:
    return any(each is not None and each.user_id == user_id for each in (then, now))


def _difference(id: str, then: Fact | None, now: Fact | None) -> FactDifference:
    return FactDifference(
        id=id, then=None if then is None else _state_of(then), now=None if now is None else _state_of(now)
    )


def _state_of(fact: Fact) -> FactState:
    state = "superseded" if fact.superseded_by is not None else fact.temporal or "current"
    return FactState(
        claim=fact.claim,
        channel=fact.channel,
        state="retired" if fact.retired_at is not None else state,
        category=fact.category,
        confidence=fact.confidence,
        pinned=bool(fact.pinned),
    )


def _is_asked(row: FactDifference, channels: tuple[str, ...], words: list[str]) -> bool:
    sides = [each for each in (row.then, row.now) if each is not None]
    if channels and not any(side.channel in channels for side in sides):
        return False
    return not words or any(all(word in side.claim.casefold() for word in words) for side in sides)


# Putting back.

Step = Callable[[], Curated]


def put_back(engine: Engine, ask: PutBack, *, author: str) -> PutBackDone:
    """Return facts to what they were before a change. One that did not exist is retired; what cannot be put back is
    left, with the reason. Raises BadAsk for none or too many."""
    ids = tuple(dict.fromkeys(ask.ids))
    if not 1 <= len(ids) <= PUT_BACK_AT_MOST:
        raise BadAsk(message("Name 1 to {count} facts.", count=PUT_BACK_AT_MOST))
    with engine.store.reading() as db:
        pairs, _ = _pairs(db, ask.before)
    known = {id: (then, now) for id, then, now in pairs}
    run, last, left = new_id("run", engine.clock()), None, dict[str, Message]()
    for id in ids:
        try:
            with one_run(run):
                for step in _steps(engine, id, *known.get(id, (None, None)), author):
                    last = step().change
        except (BadAsk, Conflict, NotFound) as wrong:
            left[id] = wrong.says
    return PutBackDone(changed=len(ids) - len(left), change=last, run=run if last else None, left=left)


def _steps(engine: Engine, id: str, then: Fact | None, now: Fact | None, author: str) -> Iterator[Step]:
    """Yield the acts that make a fact as it was. Raises Conflict if there are none."""
    if now is None:
        raise Conflict(message("It is not on the desk; undo the change that removed it."))
    was, is_now = None if then is None else _state_of(then), _state_of(now)
    hidden = ("retired", "superseded")
    if was == is_now or (was is None and is_now.state in hidden):
        raise Conflict(message("It is so already."))
    if is_now.state in hidden and was is not None and was.state not in hidden:
        yield lambda: restore(engine, Restore(id=id), author=author)
    if was is not None and was.channel != is_now.channel:
        yield lambda: move(engine, Move(id=id, channel=was.channel), author=author)
    if then is not None and then.pinned != now.pinned:
        yield lambda: pin(engine, Pin(id=id, pinned=bool(then.pinned)), author=author)
    if then is not None:
        fields = ("claim", "category", "confidence", "temporal")
        changed = {name: getattr(then, name) for name in fields if getattr(then, name) != getattr(now, name)}
        if changed:
            yield lambda: edit_fact(engine, EditFact(fact_id=id, **changed), author=author)
    if is_now.state not in hidden and (was is None or was.state in hidden):
        yield lambda: retire(engine, Retire(id=id), author=author)
