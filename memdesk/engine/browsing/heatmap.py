"""Salience heatmap: every memory that fades, day by day, and the day it will have faded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memdesk.engine import salience
from memdesk.engine.browsing.lists import check_window
from memdesk.engine.engine import Engine
from memdesk.model.browse import SalienceCurve
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.graph import AskSalience, Heatmap, HeatRow
from memdesk.model.instant import DAY, SECOND, optional_datetime, to_datetime
from memdesk.model.message import message
from memdesk.model.settings import Settings
from memdesk.store import fading, proposing, recalls, records
from memdesk.store.connection import Connection
from memdesk.store.fading import Fading, FadingScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Data that a memory's salience is computed from. now: its present salience; recalls: their times, oldest
    first; lifts: those of recalled facts about it, for an entity."""

    now: float
    pinned: bool
    created_at: int
    set_to: float
    set_at: int
    recalls: Sequence[int]
    lifts: Sequence[int] = ()


def day_start(moment: int, utc_offset_minutes: int) -> int:
    """Return the start of the viewer's day that contains a moment (UTC microseconds)."""
    offset = utc_offset_minutes * 60 * SECOND
    local = moment + offset
    return local - local % DAY - offset


def curve(
    life: Life, *, moment: int, day_start: int, days_back: int, days_ahead: int, settings: Settings
) -> SalienceCurve:
    """Return salience at the end of each day. day_start: start of the viewer's current day (UTC
    microseconds).

    A recall raises salience as it does when it happens; a value set by hand (at creation, by a rescue)
    replaces it at its time. A pinned memory has its present value since the last of these events."""
    first = day_start - (days_back - 1) * DAY
    ends = [min(first + (day + 1) * DAY, moment) for day in range(days_back)]
    past = _replayed(life, ends, settings)
    past[-1] = life.now
    ahead = [
        life.now if life.pinned else salience.faded(life.now, day_start + (day + 1) * DAY - moment, settings)
        for day in range(1, days_ahead + 1)
    ]
    return SalienceCurve(
        past=tuple(past),
        ahead=tuple(ahead),
        now=life.now,
        recall_days=tuple((at - first) // DAY for at in life.recalls if at >= first),
        fades_in_days=salience.fades_in_days(life.now, settings, pinned=life.pinned),
    )


def _replayed(life: Life, ends: Sequence[int], settings: Settings) -> list[float | None]:
    """Return the salience at these times; None before the memory was created."""
    # Of one moment, what was set by hand comes first: a recall lifts what it finds.
    events = sorted([(life.set_at, 0, "set"), *((at, 1, "recall") for at in (*life.recalls, *life.lifts))])
    value = life.set_to if life.set_at <= life.created_at else settings.new_salience
    at = life.created_at
    found: list[float | None] = []
    upcoming = iter([*events, (1 << 62, 2, "end")])
    when, _, what = next(upcoming)
    for end in ends:
        while when <= end:
            value = salience.faded(value, when - at, settings)
            value = life.set_to if what == "set" else salience.lifted(value, settings)
            at = max(at, when)
            when, _, what = next(upcoming)
        if end <= life.created_at:
            found.append(None)
        elif life.pinned and what == "end":
            found.append(life.now)
        else:
            found.append(salience.faded(value, end - at, settings))
    return found


FLOOR = 1e-12


def alike_order(curves: NDArray[np.float64]) -> list[int]:
    """Return the positions of rows in an order in which neighbours are similar.

    curves: one row per memory, one column per day, NaN for days not known yet, which count as 0. Rows are
    ordered by their angle in the plane of the two leading principal components (Friendly, “Corrgrams”, The
    American Statistician 2002), cut open at the widest gap. Rows with equal curves keep their input order."""
    count = len(curves)
    if count < 3 or curves.shape[1] < 2:
        return list(range(count))
    values = np.nan_to_num(curves)
    values = values - values.mean(axis=0)
    _, vectors = np.linalg.eigh(values.T @ values)
    leading = vectors[:, [-1, -2]]
    # An eigenvector's sign is arbitrary; this one makes the same desk look the same each time.
    leading = leading * np.where(leading.sum(axis=0) < 0, -1.0, 1.0)
    plane = values @ leading
    if float(np.abs(plane).max()) < FLOOR:
        return list(range(count))
    angle = np.arctan2(plane[:, 1], plane[:, 0])
    order = np.argsort(np.round(angle, 9), kind="stable")
    gaps = np.diff(angle[order], append=angle[order[0]] + 2 * np.pi)
    cut = int(np.argmax(gaps)) + 1
    return [int(place) for place in np.roll(order, -cut)]


ROWS_AT_MOST = 500
ALIKE_AT_MOST = 2_000
"""Most memories sorted by similar curves: all their curves are computed for every page of the list."""
LIFT_LASTS_DAYS = 60
"""After as many days without use, a twentieth of a salience is left (AgentX's .95 a day)."""
ALIKE = "alike"
"""Name of the sort order that puts memories with similar curves next to each other."""


def heatmap(engine: Engine, ask: AskSalience) -> Heatmap:
    """Return the rows from `first` on, sorted and filtered as asked; `counts` gives the number of rows of
    each filter."""
    _check(ask)
    kinds = [kind for kind in (ENTITY, FACT) if kind.name in ask.kinds]
    moment = engine.clock()
    scope = FadingScope(
        kinds=tuple(kinds),
        user_id=ask.user_id,
        channels=ask.channels,
        moment=moment,
        decay_per_day=engine.settings.decay_per_day,
        fade_below=engine.settings.fade_below,
        days_ahead=ask.days_ahead,
        sort=ask.sort,
        only=ask.only,
    )
    with engine.store.reading() as db:
        counts = fading.counts(db, scope)
        faded, total = counts.pop("faded"), counts[ask.only or "all"]
        alike = _alike(engine, db, scope, ask, total) if ask.sort == ALIKE else None
        first = _first(db, scope, ask, alike)
        page = fading.page(db, scope, first, ask.limit) if alike is None else alike[first : first + ask.limit]
        sound = records.undamaged(db, {kind.name: [cell.seq for cell in page] for kind in kinds})
        rows = _rows(engine, db, [cell for cell in page if cell.seq in sound], ask, moment)
    today = to_datetime(day_start(moment, ask.utc_offset_minutes) + ask.utc_offset_minutes * 60 * SECOND)
    return Heatmap(
        start=(today - timedelta(days=ask.days_back - 1)).date(),
        days_back=ask.days_back,
        days_ahead=ask.days_ahead,
        first=first,
        total=total,
        faded=faded,
        rows=rows,
        fade_below=engine.settings.fade_below,
        decay_per_day=engine.settings.decay_per_day,
        counts=counts,
    )


def _first(db: Connection, scope: FadingScope, ask: AskSalience, alike: Sequence[Fading] | None) -> int:
    """Return the place of the first row: so that the memory asked for, if it is in the list, is in the middle."""
    seq = next((record.seq for _, record in records.by_ids(db, filter(None, (ask.around,))).values()), None)
    if seq is None:
        return ask.first
    place = (
        fading.place_of(db, scope, seq)
        if alike is None
        else next((place for place, cell in enumerate(alike) if cell.seq == seq), None)
    )
    return ask.first if place is None else max(0, place - ask.limit // 2)


def _alike(engine: Engine, db: Connection, scope: FadingScope, ask: AskSalience, total: int) -> list[Fading]:
    """Return all memories, those with similar curves next to each other. Raises BadAsk if there are too many."""
    if total > ALIKE_AT_MOST:
        raise BadAsk(
            message(
                "Up to {most} memories are compared with each other, and these are {count}.",
                most=f"{ALIKE_AT_MOST:,}",
                count=f"{total:,}",
            ),
            next=message("Narrow the list by kind, channel or filter, or sort it otherwise."),
        )
    cells = fading.page(db, replace(scope, sort="channel"), 0, ALIKE_AT_MOST)
    times = recalls.recall_times(db, [cell.seq for cell in cells])
    found = records.by_seq(db, [cell.seq for cell in cells])
    today = day_start(scope.moment, ask.utc_offset_minutes)
    lifts = recalls.lift_times(db, [cell.seq for cell in cells], lifts_since(today, ask.days_back))
    past = [
        curve(
            _life(cell, found[cell.seq][1], times[cell.seq], lifts.get(cell.seq, ())),
            moment=scope.moment,
            day_start=today,
            days_back=ask.days_back,
            days_ahead=0,
            settings=engine.settings,
        ).past
        for cell in cells
    ]
    return [cells[place] for place in alike_order(np.array(past, np.float64).reshape(len(cells), -1))]


def lifts_since(day_start: int, days_back: int) -> int:
    """Return the time from which lifts count in a curve: what was lifted earlier has faded where the curve begins."""
    return day_start - (days_back + LIFT_LASTS_DAYS) * DAY


def _life(cell: Fading, record: Any, history: Sequence[tuple[int, str]], lifts: Sequence[int]) -> Life:
    return Life(
        now=cell.now,
        pinned=cell.pinned,
        created_at=record.created_at,
        set_to=record.salience,
        set_at=record.salience_at,
        recalls=[at for at, _ in history],
        lifts=lifts,
    )


def _check(ask: AskSalience) -> None:
    sorts, filters = (*fading.ORDERS, ALIKE), fading.FILTERS
    if ask.sort not in sorts:
        raise BadAsk(message("sort should be one of {sorts}.", sorts=", ".join(sorts)))
    if ask.only and ask.only not in filters:
        raise BadAsk(message("only should be one of {filters}, or left out.", filters=", ".join(filters)))
    if not (1 <= ask.days_back <= 366 and 0 <= ask.days_ahead <= 366):
        raise BadAsk(message("days_back lies between 1 and 366, days_ahead between 0 and 366."))
    check_window(ask.first, ask.limit, ROWS_AT_MOST)
    if abs(ask.utc_offset_minutes) > 24 * 60:
        raise BadAsk(message("utc_offset_minutes lies within a day."))


def _rows(
    engine: Engine, db: Connection, page: Sequence[Fading], ask: AskSalience, moment: int
) -> tuple[HeatRow, ...]:
    found = records.by_seq(db, [cell.seq for cell in page])
    times = recalls.recall_times(db, [cell.seq for cell in page])
    today = day_start(moment, ask.utc_offset_minutes)
    lifts = recalls.lift_times(db, [cell.seq for cell in page], lifts_since(today, ask.days_back))
    facts = [record.id for kind, record in found.values() if kind is FACT]
    asked = proposing.contradicted_among(db, facts)
    rows = []
    for cell in page:
        kind, record = found[cell.seq]
        history = times[cell.seq]
        rescued = salience.fades_in_days(engine.settings.rescue_salience, engine.settings, pinned=cell.pinned)
        rows.append(
            HeatRow(
                id=record.id,
                kind=kind.name,
                title=getattr(record, kind.title),
                channel=record.channel,
                pinned=cell.pinned,
                category=getattr(record, kind.category),
                recalled=cell.recalled,
                last_recalled_at=optional_datetime(history[-1][0] if history else None),
                last_recalled_by=history[-1][1] if history else None,
                rescued_fades_in_days=rescued,
                question=asked.get(record.id, ""),
                curve=curve(
                    _life(cell, record, history, lifts.get(cell.seq, ())),
                    moment=moment,
                    day_start=today,
                    days_back=ask.days_back,
                    days_ahead=ask.days_ahead,
                    settings=engine.settings,
                ),
            )
        )
    return tuple(rows)
