"""Memories as of an earlier moment: what has changed since, and the return of chosen ones to what they were.

The earlier state is read from the journal. Memories are put back by the acts that a person has, so that their lines in
files and their questions follow; all of it is one run, which undo takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, pin, put_fields_back, restore, retire
from memdesk.engine.memory.scope import move
from memdesk.engine.wording import check_limit, relation_title, shortened
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Curated, EditFact, Move, Pin, Restore, Retire
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import ABOUT, RELATION, STRUCTURAL
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT
from memdesk.model.instant import from_datetime, to_datetime
from memdesk.model.kind import Kind, new_id
from memdesk.model.kinds import DATED
from memdesk.model.message import Message, message
from memdesk.model.profile import TRAIT
from memdesk.model.timeline import (
    PUT_BACK_AT_MOST,
    AskPast,
    MemoryDifference,
    MemoryState,
    PastPage,
    PutBack,
    PutBackDone,
)
from memdesk.store import document_versions, events, records
from memdesk.store.connection import Connection
from memdesk.store.run_context import one_run

EDITS_READ = 50_000
"""Edits of a kind that are read backwards at most."""
ROWS_AT_MOST = 1000
KINDS = {kind.name: kind for kind in DATED}
COMPARED = {TRAIT.name: ("value",), DOCUMENT.name: ("content_hash",)}
"""Columns whose change makes a record differ, for kinds where title and searched columns do not show it."""
LINES_CHARACTERS = 200


def differences(engine: Engine, ask: AskPast) -> PastPage:
    """Return the memories that differ between a moment and now, or a later moment.

    Raises BadAsk without a moment, for a later one that is not later, for an unknown kind, or for a large limit."""
    check_limit(ask.limit, ROWS_AT_MOST)
    kind = _kind_named(ask.kind)
    with engine.store.reading() as db:
        before = _first_change(db, ask)
        until = None if ask.until is None else events.first_at(db, from_datetime(ask.until))
        if until is not None and until < before:
            raise BadAsk(message("The later moment comes before the first. Exchange them."))
        pairs, is_cut = _pairs(db, kind, before, until)
        event, words = events.event(db, before), ask.text.casefold().split()
        pairs = [each for each in pairs if _is_of(ask.user_id, kind, *each[1:])]
        title = _titles(db, kind, pairs)
        found = [
            row
            for row in (
                MemoryDifference(id=id, then=_state_of(kind, then, title), now=_state_of(kind, now, title))
                for id, then, now in pairs
            )
            if row.then != row.now and _is_asked(row, ask.channels, words)
        ]
        rows = [_with_lines(db, row) if kind is DOCUMENT else row for row in found[: ask.limit]]
    at = ask.at if ask.before is None and ask.at is not None else event.at if event is not None else None
    return PastPage(
        before=before,
        at=at or to_datetime(engine.clock()),
        total=len(found),
        rows=tuple(rows),
        is_cut=is_cut,
    )


def _kind_named(name: str) -> Kind[Any]:
    if name not in KINDS:
        raise BadAsk(message("kind should be one of {kinds}.", kinds=", ".join(KINDS)))
    return KINDS[name]


def _first_change(db: Connection, ask: AskPast) -> int:
    if ask.before is not None:
        return ask.before
    if ask.at is None:
        raise BadAsk(message("Say a moment: at, or before."))
    return events.first_at(db, from_datetime(ask.at))


def _pairs(
    db: Connection, kind: Kind[Any], before: int, until: int | None = None
) -> tuple[list[tuple[str, Any, Any]], bool]:
    """Return (id, the record before a change, the record now) for each one edited since, and True if not all were read.

    until: a later change; the record before it is returned in place of the record now."""
    edited, is_cut = events.changed_since(db, kind.name, before, EDITS_READ)
    later = {} if until is None else events.changed_since(db, kind.name, until, EDITS_READ)[0]
    living = {each.id: each for each in records.many(db, kind, "id", list(edited))}
    pairs = []
    for id, fields in edited.items():
        now = living.get(id)
        then = _as_it_was(kind, now, fields)
        if id in later:
            now = _as_it_was(kind, now, later[id])
        if then is not None or now is not None:
            pairs.append((id, then, now))
    return pairs, is_cut


def _as_it_was(kind: Kind[Any], now: Any, fields: dict[str, Any] | None) -> Any:
    """Return a record with earlier fields; None for one that was not there, or is gone and not all of it is known."""
    if fields is None:
        return None
    known = {name: value for name, value in fields.items() if name in kind.columns}
    try:
        return replace(now, **known) if now is not None else kind.record(**known)
    except TypeError:
        return None


def _is_of(user_id: str, kind: Kind[Any], then: Any, now: Any) -> bool:
    """Return True for a record of this user; of relations, for one that is more than where a memory came from."""
    sides = [each for each in (then, now) if each is not None and each.user_id == user_id]
    return any(kind is not RELATION or each.type not in STRUCTURAL or each.type == ABOUT for each in sides)


def _titles(db: Connection, kind: Kind[Any], pairs: Sequence[tuple[str, Any, Any]]) -> Callable[[Any], str]:
    """Return what gives a title: of a relation a sentence with its ends, of a file its agent or folder, and path."""
    sides = [each for _, then, now in pairs for each in (then, now) if each is not None]
    if kind is DOCUMENT:
        homes = records.by_ids(db, {each.workspace_id for each in sides})
        folders = {id: home.name for id, (_, home) in homes.items()}
        return lambda each: f"{each.agent_id or folders.get(each.workspace_id, '?')} / {each.path}"
    if kind is not RELATION:
        return attrgetter(kind.title)
    ends = records.by_ids(db, {id for each in sides for id in (each.source_id, each.target_id)})
    names = {id: shortened(str(getattr(end, of.title)), 50) for id, (of, end) in ends.items()}

    def sentence(each: Any) -> str:
        source, target = (names.get(id, id) for id in (each.source_id, each.target_id))
        return relation_title(source, target, each.type)

    return sentence


def _with_lines(db: Connection, row: MemoryDifference) -> MemoryDifference:
    """Return the two states of a file with the lines that one has and the other has not."""

    def lines(side: MemoryState | None) -> list[str]:
        try:
            return [] if side is None else document_versions.text_of(db, side.more).splitlines()
        except NotFound:
            return []

    def only(side: MemoryState | None, mine: list[str], others: list[str]) -> MemoryState | None:
        known = set(others)
        text = " ".join(line.strip() for line in mine if line.strip() and line not in known)
        return side and replace(side, more=shortened(text, LINES_CHARACTERS))

    then, now = lines(row.then), lines(row.now)
    return replace(row, then=only(row.then, then, now), now=only(row.now, now, then))


def _state_of(kind: Kind[Any], record: Any, title: Callable[[Any], str] | None = None) -> MemoryState | None:
    if record is None:
        return None
    state = getattr(record, "status", None) or getattr(record, "temporal", None) or "current"
    told = COMPARED.get(kind.name, kind.text)
    state = "superseded" if getattr(record, "superseded_by", None) is not None else state
    return MemoryState(
        title=title(record) if title else getattr(record, kind.title),
        channel=getattr(record, "channel", GLOBAL),
        state="retired" if record.retired_at is not None else state,
        category=getattr(record, kind.category) if kind.category else "",
        confidence=getattr(record, "confidence", None),
        pinned=bool(getattr(record, "pinned", False)),
        more=" ".join(str(getattr(record, name)) for name in told if name != kind.title).strip(),
    )


def _is_asked(row: MemoryDifference, channels: tuple[str, ...], words: list[str]) -> bool:
    sides = [each for each in (row.then, row.now) if each is not None]
    if channels and not any(side.channel in channels for side in sides):
        return False
    return not words or any(all(word in side.title.casefold() for word in words) for side in sides)


# Putting back.

Step = Callable[[], Curated]
FACT_FIELDS = ("claim", "category", "confidence", "temporal")
BY_ACTS = ("channel", "pinned", "retired_at", "salience", "salience_at")
"""Columns that acts of their own put back, and those that recall moves."""


def put_back(engine: Engine, ask: PutBack, *, author: str) -> PutBackDone:
    """Return memories to what they were before a change. One that did not exist is retired; what cannot be put back is
    left, with the reason. Raises BadAsk for none or too many, and for an unknown kind."""
    kind = _kind_named(ask.kind)
    ids = tuple(dict.fromkeys(ask.ids))
    if not 1 <= len(ids) <= PUT_BACK_AT_MOST:
        raise BadAsk(message("Name 1 to {count} memories.", count=PUT_BACK_AT_MOST))
    with engine.store.reading() as db:
        pairs, _ = _pairs(db, kind, ask.before)
    known = {id: (then, now) for id, then, now in pairs}
    run, last, left = new_id("run", engine.clock()), None, dict[str, Message]()
    for id in ids:
        try:
            with one_run(run):
                for step in _steps(engine, kind, id, *known.get(id, (None, None)), author):
                    last = step().change
        except (BadAsk, Conflict, NotFound) as wrong:
            left[id] = wrong.says
    return PutBackDone(changed=len(ids) - len(left), change=last, run=run if last else None, left=left)


def _steps(engine: Engine, kind: Kind[Any], id: str, then: Any, now: Any, author: str) -> Iterator[Step]:
    """Yield the acts that make a memory as it was. Raises Conflict if there are none."""
    if kind is DOCUMENT:
        raise Conflict(message("A file is put back from its own versions."))
    was, is_now = _state_of(kind, then), _state_of(kind, now)
    if is_now is None:
        raise Conflict(message("It is not on the desk; undo the change that removed it."))
    hidden, by_acts = ("retired", "superseded"), "restore" in kind.acts
    if was == is_now or (was is None and is_now.state in hidden):
        raise Conflict(message("It is so already."))
    if by_acts and is_now.state in hidden and was is not None and was.state not in hidden:
        yield lambda: restore(engine, Restore(id=id), author=author)
    if was is not None and was.channel != is_now.channel:
        yield lambda: move(engine, Move(id=id, channel=was.channel), author=author)
    if was is not None and was.pinned != is_now.pinned:
        yield lambda: pin(engine, Pin(id=id, pinned=was.pinned), author=author)
    if then is not None:
        fields = FACT_FIELDS if kind is FACT else [each for each in kind.columns if each not in BY_ACTS]
        fields = [*fields, *([] if by_acts else ["retired_at"])]
        changed = {name: getattr(then, name) for name in fields if getattr(then, name) != getattr(now, name)}
        if changed and kind is FACT:
            yield lambda: edit_fact(engine, EditFact(fact_id=id, **changed), author=author)
        elif changed:
            yield lambda: put_fields_back(engine, id, changed, author=author)
    if by_acts and is_now.state not in hidden and (was is None or was.state in hidden):
        yield lambda: retire(engine, Retire(id=id), author=author)
    elif not by_acts and was is None:
        yield lambda: put_fields_back(engine, id, {"retired_at": engine.clock()}, author=author)
