"""Audit timeline for a person: windows, counts, one event with the effect of undoing it, and the feed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from memdesk.engine.browsing.lists import check_window
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import moves_of, row_of
from memdesk.engine.wording import shortened
from memdesk.model.change import Edit
from memdesk.model.errors import BadAsk, NotFound, StorageFailed
from memdesk.model.fact import FACT
from memdesk.model.history import (
    OPERATIONS,
    AskEvent,
    AskHistogram,
    AskHistory,
    EventDetail,
    EventRow,
    FeedEvent,
    Histogram,
    HistoryPage,
    RecordRef,
    UserList,
)
from memdesk.model.instant import from_datetime, optional_instant, to_datetime
from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.model.message import NO_MESSAGE, Message, counted, joined, message, unpacked, without_message
from memdesk.store import events, records, timeline_query
from memdesk.store.connection import Connection
from memdesk.store.counters import HOUR_US
from memdesk.store.journal import edits_of
from memdesk.store.timeline_query import EventFilter

BATCH = 2_000
"""Titles indexed in one transaction, which delays other writers by about 15 ms."""
AT_ONCE = 20_000
"""Most titles indexed before a search is answered: as a rule, all that were added since the last search."""


def catch_up(engine: Engine) -> None:
    """Index the titles that a search needs. On a full disk the search uses the titles indexed so far."""
    with suppress(StorageFailed):
        done = 0
        while done < AT_ONCE and (more := index_titles(engine, least=1)):
            done += more


def index_titles(engine: Engine, *, least: int = BATCH) -> int:
    """Index the next batch of titles if at least `least` wait; return how many were indexed. Raises StorageFailed."""
    with engine.store.reading() as db:
        waiting = timeline_query.waiting(db, events.newest(db))
    if waiting < least:
        return 0
    return engine.store.maintain(lambda db, *_: timeline_query.extend(db, events.newest(db), BATCH)).result()


BINS_AT_MOST = 2000
MOVES_SHOWN = 200
EARLIER_SHOWN = 20
_BACK = {
    "retired_at": message("place in recall"),
    "superseded_by": message("place in recall"),
    "consolidated_at": "",
    "consolidated_index": message("turns to read"),
    "content_hash": message("earlier text"),
    "pinned": message("way of fading"),
    "salience_at": "",
    "size": "",
    "updated_at": "",
}
"""Words for a field that undo gives back, if the field's own name is unclear; empty for a field that is not
mentioned."""


WINDOW_ROWS, WINDOWS_AT_MOST = 256, 40
"""Events read at once for rows by run, and how often: ten thousand events of few runs are looked through."""


def page(engine: Engine, ask: AskHistory) -> HistoryPage:
    """Return a window of the timeline, newest first. Raises BadAsk for a start or a limit out of range."""
    check_window(ask.first, ask.limit)
    wanted = _wanted(engine, ask)
    with engine.store.reading() as db:
        if ask.by_run:
            rows = _runs(db, wanted, ask.first + ask.limit)[ask.first :]
        else:
            rows = timeline_query.window(db, wanted, ask.first, ask.limit)
        total = timeline_query.total(db, wanted) if ask.count else ask.first + len(rows)
        unsearched = timeline_query.unsearched(db, wanted)
    return HistoryPage(first=ask.first, total=total, rows=tuple(rows), unsearched=unsearched)


def _runs(db: Connection, wanted: EventFilter, limit: int) -> list[EventRow]:
    """Return the newest change of each run, or its newest that is not undone, and every event without a run, newest
    first."""
    found: dict[str | int, EventRow] = {}
    below = wanted.below
    for _ in range(WINDOWS_AT_MOST):
        rows = timeline_query.window(db, replace(wanted, below=below), 0, WINDOW_ROWS)
        for row in rows:
            found.setdefault(row.run or row.id, row)
        if len(rows) < WINDOW_ROWS or len(found) >= limit:
            break
        below = rows[-1].id
        if rows[-1].run is not None:
            first, last, changes, _ = events.span_of_run(db, rows[-1].run)
            # Nothing else happened during the run: the rest of it need not be read.
            below = first if last - first + 1 == changes else below
    return [_of_run(db, row, wanted) for row in list(found.values())[:limit]]


def _of_run(db: Connection, row: EventRow, wanted: EventFilter) -> EventRow:
    """Return a row for its whole run: the newest change by whoever began it, undone when all of the run is."""
    if row.run is None:
        return row
    first, _, changes, open = events.span_of_run(db, row.run)
    if row.undone_by is not None and open is not None:
        return replace(events.event(db, open) or row, of_run=changes)
    began = events.event(db, first)
    if began is not None and began.author != row.author and wanted.authors in ((), (began.author,)):
        own = replace(wanted, run=row.run, authors=(began.author,))
        row = next(iter(timeline_query.window(db, own, 0, 1)), row)
    return replace(row, of_run=changes)


def histogram(engine: Engine, ask: AskHistogram) -> Histogram:
    """Count events per bucket of full hours; the totals ignore the operation filter, so that a hidden one can
    be shown."""
    if not 1 <= ask.bins <= BINS_AT_MOST:
        raise BadAsk(message("bins lies between 1 and {count}.", count=BINS_AT_MOST))
    wanted = _wanted(engine, replace(ask, operations=()))
    with engine.store.reading() as db:
        this_hour = engine.clock() // HOUR_US
        first, last = events.span(db) or (this_hour, this_hour)
        if ask.since is not None:
            first = from_datetime(ask.since) // HOUR_US
        last = max(last, this_hour) if ask.until is None else -(-from_datetime(ask.until) // HOUR_US) - 1
        last = max(first, last)
        step = max(1, -(-(last + 1 - first) // ask.bins))
        below = timeline_query.reach(db, wanted, ask.limit)
        rows = timeline_query.counted(db, replace(wanted, from_number=below or 1), first, step)
    counts = _histogram(rows, first, -(-(last + 1 - first) // step), step, ask)
    return replace(counts, below=below)


def _wanted(engine: Engine, ask: AskHistory | AskHistogram) -> EventFilter:
    """Return the event filter of a request; if it searches for words, pending titles are indexed first."""
    text = ask.text.strip()
    if text:
        catch_up(engine)
    return EventFilter(
        after=optional_instant(ask.since),
        before=optional_instant(ask.until),
        operations=ask.operations,
        layers=ask.layers,
        authors=ask.authors,
        channels=ask.channels,
        text=text,
        record=ask.record,
        user_id=ask.user_id,
        conversation_id=ask.conversation_id,
        session_id=ask.session_id,
        run=ask.run,
        below=ask.before,
    )


def _histogram(
    rows: list[tuple[int, str, str, str, str, int]], first: int, buckets: int, step: int, ask: AskHistogram
) -> Histogram:
    """Build the histogram from counted rows. first: the first hour, in hours since 1970; step: hours in a bucket."""
    grid = [[0] * len(OPERATIONS) for _ in range(buckets)]
    totals: list[Counter[str]] = [Counter() for _ in range(4)]
    for bucket, op, layer, author, channel, n in rows:
        totals[0][op] += n
        if ask.operations and op not in ask.operations:
            continue
        for counter, name in zip(totals[1:], (layer, author, channel), strict=True):
            counter[name] += n
        if op in OPERATIONS and 0 <= bucket < buckets:
            grid[bucket][OPERATIONS.index(op)] += n
    return Histogram(
        start=to_datetime(first * HOUR_US),
        step_s=step * 3600.0,
        operations=OPERATIONS,
        counts=tuple(map(tuple, grid)),
        by_operation=dict(totals[0]),
        by_layer=dict(totals[1]),
        by_author=dict(totals[2]),
        by_channel=dict(totals[3]),
    )


def users(engine: Engine) -> UserList:
    """List every user that has memories, by name."""
    with engine.store.reading() as db:
        return UserList(rows=tuple(events.users(db)))


def event(engine: Engine, ask: AskEvent) -> EventDetail:
    """Return one event with all its details. Raises NotFound."""
    with engine.store.reading() as db:
        row = events.event(db, ask.id)
        if row is None:
            raise NotFound(message("There is no event {id}.", id=ask.id))
        edits = sorted(edits_of(db, row.id), key=lambda edit: BY_NAME[edit.kind].subject_rank)
        touched = events.touched(db, [row.id])[row.id]
        refs = _refs(db, list(dict.fromkeys(id for _, id in touched)), edits)
        details = unpacked(without_message(json.loads(events.details_of(db, row.id))))
        original = details.get("fact") if row.op == "promote" else None
        moves = [move for edit in edits for move in moves_of(_with_original(db, edit, original), refs)]
        main = original or (edits[0].id if edits else None)
        earlier = [] if main is None else events.touching(db, main, EARLIER_SHOWN + 1)
        of_run = 0 if row.run is None else timeline_query.total(db, EventFilter(run=row.run))
    return EventDetail(
        row=row,
        moves=tuple(moves[:MOVES_SHOWN]),
        total_moves=len(moves),
        records=tuple(refs.values()) if row.op != "recall" else (),
        returned=tuple(refs.values()) if row.op == "recall" else (),
        details=details,
        if_undone=_if_undone(row, edits, refs),
        earlier=tuple(e for e in earlier if e.id < row.id)[:EARLIER_SHOWN],
        run_changes=of_run,
    )


def feed(engine: Engine, after: int, limit: int = 500) -> tuple[FeedEvent, ...]:
    """Return the events after a cursor, oldest first."""
    with engine.store.reading() as db:
        rows = events.after(db, after, limit)
        touched = events.touched(db, [row.id for row in rows])
        attached = _attached(db, [each for found in touched.values() for each in found])
    return tuple(
        row_of(
            FeedEvent,
            row,
            at=row.at,
            kinds=tuple(sorted({kind for kind, _ in touched[row.id]})),
            records=tuple(
                dict.fromkeys(each for _, id in touched[row.id] for each in (id, *attached.get(id, ())))
            )[:100],
        )
        for row in rows
    )


_ATTACHED = {
    kind.name: tuple(column for column, other in kind.references if other == "record") for kind in KINDS
}
"""Columns by kind that name a memory of any kind: what a tag, a relation or a question is about."""


def _attached(db: Connection, touched: Collection[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return, by id of a tag, a relation or a question, the ids of the memories that show it."""
    found = records.by_ids(db, [id for kind, id in touched if _ATTACHED.get(kind)])
    return {
        id: tuple(other for column in _ATTACHED[kind.name] if (other := getattr(record, column)) is not None)
        for id, (kind, record) in found.items()
    }


def head(engine: Engine) -> int:
    """Return the number of the newest event, where a feed that starts now begins."""
    with engine.store.reading(together=False) as db:
        return events.newest(db)


def _refs(db: Connection, ids: list[str], edits: list[Edit]) -> dict[str, RecordRef]:
    """Return the records an event touched, by id; records that no longer exist are named from the journal."""
    found = {
        id: _ref(kind.name, id, getattr(record, kind.title), getattr(record, "channel", ""))
        for id, (kind, record) in records.by_ids(db, ids).items()
    }
    for edit in edits:
        last = edit.after or edit.before or {}
        if edit.id not in found:
            found[edit.id] = _ref(
                edit.kind, edit.id, last.get(BY_NAME[edit.kind].title, edit.id), last.get("channel", "")
            )
    return {id: found[id] for id in ids if id in found}


def _ref(kind: str, id: str, title: object, channel: str) -> RecordRef:
    return RecordRef(id=id, kind=kind, title=shortened(str(title), 160), channel=channel)


def _with_original(db: Connection, edit: Edit, original: str | None) -> Edit:
    """Return the edit that made a promoted copy with the original fact, as it reads now, as its before;
    others unchanged."""
    if original is None or edit.before is not None or (edit.after or {}).get("promoted_from") != original:
        return edit
    fact = records.get(db, FACT, original)
    before = None if fact is None else {name: getattr(fact, name) for name in FACT.columns}
    return Edit(edit.kind, edit.id, before, edit.after)


def _if_undone(row: EventRow, edits: list[Edit], refs: dict[str, RecordRef]) -> Message:
    if not row.undoable:
        return NO_MESSAGE
    born = Counter(e.kind for e in edits if e.before is None)
    gone = Counter(e.kind for e in edits if e.after is None)
    moved = [e for e in edits if e.before is not None and e.after is not None]
    parts = []
    if born:
        parts.append(message("Takes away {list}.", list=_listed(born)))
    if gone:
        parts.append(message("Brings back {list}.", list=_listed(gone)))
    for edit in moved[:3]:
        words = (_BACK.get(name, name.replace("_", " ")) for name in edit.before or {})
        fields = list(dict.fromkeys(filter(None, words)))
        title = shortened(refs[edit.id].title, 60)
        parts.append(message("“{title}” gets its {fields} back.", title=title, fields=fields))
    if len(moved) > 3:
        parts.append(message("{count} more go back to what they were.", count=len(moved) - 3))
    return joined(*parts, message("What was recalled meanwhile stays in the log."))


def _listed(numbers: Counter[str]) -> list[Message]:
    """Describe records in words. numbers: how many of each kind."""
    return [counted(n, BY_NAME[name].label.lower(), BY_NAME[name].plural) for name, n in numbers.items()]
