"""Salience heatmap: every memory that fades, day by day, and the day it will have faded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np

from memdesk.engine import salience
from memdesk.engine.browsing.curve import Life, curve, day_start
from memdesk.engine.browsing.seriation import alike_order
from memdesk.engine.engine import Engine
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.heatmap import AskSalience, Heatmap, HeatRow
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
from memdesk.store import browsing, recalls, records
from memdesk.store.browsing import Fading
from memdesk.store.connection import Connection

RECALLED_FROM = 5
FADING_WITHIN_DAYS = 7
BELOW = 0.30
ROWS_AT_MOST = 500
ALIKE_AT_MOST = 2_000
"""Most memories sorted by similar curves: all their curves are computed for every page of the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """Values of a row needed to sort and filter it before its curve is computed."""

    seq: int
    title: str
    channel: str
    pinned: bool
    now: float
    fades: float | None
    recalled: int
    created_at: int


def _soonest(cell: _Cell) -> float:
    return float("inf") if cell.fades is None else cell.fades


FILTERS: dict[str, Callable[[_Cell], bool]] = {
    "recalled": lambda cell: cell.recalled >= RECALLED_FROM,
    "fading": lambda cell: cell.fades is not None and 0 <= cell.fades <= FADING_WITHIN_DAYS,
    "below": lambda cell: cell.now < BELOW,
    "pinned": lambda cell: cell.pinned,
}
ORDERS: dict[str, Callable[[_Cell], tuple[float | str, ...]]] = {
    "fades": lambda cell: (_soonest(cell), cell.title),
    "salience": lambda cell: (-cell.now, cell.title),
    "recalled": lambda cell: (-cell.recalled, cell.title),
    "newest": lambda cell: (-cell.created_at, cell.title),
    "name": lambda cell: (cell.title.lower(), cell.title),
    "channel": lambda cell: (cell.channel, _soonest(cell), cell.title),
}
ALIKE = "alike"
"""Name of the sort order that puts memories with similar curves next to each other."""


def heatmap(engine: Engine, ask: AskSalience) -> Heatmap:
    """Return the rows from `first` on, sorted and filtered as asked; `counts` gives the number of rows of
    each filter."""
    _check(ask)
    kinds = [kind for kind in (ENTITY, FACT) if kind.name in ask.kinds]
    moment = engine.clock()
    with engine.store.reading() as db:
        cells = [
            _cell(engine, moment, row)
            for kind in kinds
            for row in browsing.fading_records(db, kind, ask.user_id, ask.channels)
        ]
        holds = _filters(ask)
        shown = _sorted(engine, db, list(filter(holds.get(ask.only, lambda _: True), cells)), ask, moment)
        page = shown[ask.first : ask.first + ask.limit]
        sound = records.sound(db, {kind.name: [cell.seq for cell in page] for kind in kinds})
        rows = _rows(engine, db, [cell for cell in page if cell.seq in sound], ask, moment)
    today = to_datetime(day_start(moment, ask.utc_offset_minutes) + ask.utc_offset_minutes * 60 * SECOND)
    return Heatmap(
        start=(today - timedelta(days=ask.days_back - 1)).date(), days_back=ask.days_back, days_ahead=ask.days_ahead,
        first=ask.first, total=len(shown), rows=rows, fade_below=engine.settings.fade_below,
        decay_per_day=engine.settings.decay_per_day,
        counts={"all": len(cells)} | {name: sum(map(held, cells)) for name, held in holds.items()},
    )  # fmt: skip


def _filters(ask: AskSalience) -> dict[str, Callable[[_Cell], bool]]:
    """Return the filters, with one added for memories that fade within the forecast days."""
    return FILTERS | {"ahead": lambda cell: cell.fades is not None and 0 <= cell.fades <= ask.days_ahead}


def _sorted(engine: Engine, db: Connection, cells: list[_Cell], ask: AskSalience, moment: int) -> list[_Cell]:
    """Return the cells in the asked order. Raises BadAsk if there are too many to sort by similar curves."""
    if ask.sort != ALIKE:
        return sorted(cells, key=ORDERS[ask.sort])
    if len(cells) > ALIKE_AT_MOST:
        raise BadAsk(
            f"Up to {ALIKE_AT_MOST:,} memories are compared with each other, and these are {len(cells):,}.",
            next="Narrow the list by kind, channel or filter, or sort it otherwise.",
        )
    cells = sorted(cells, key=ORDERS["channel"])
    times = recalls.recall_times(db, [cell.seq for cell in cells])
    found = records.by_seq(db, [cell.seq for cell in cells])
    today = day_start(moment, ask.utc_offset_minutes)
    past = [
        curve(
            _life(cell, found[cell.seq][1], times[cell.seq]), moment=moment, day_start=today,
            days_back=ask.days_back, days_ahead=0, settings=engine.settings,
        ).past
        for cell in cells
    ]  # fmt: skip
    return [cells[place] for place in alike_order(np.array(past, np.float64).reshape(len(cells), -1))]


def _life(cell: _Cell, record: Any, history: Sequence[tuple[int, str]]) -> Life:
    return Life(
        now=cell.now, pinned=cell.pinned, created_at=record.created_at, set_to=record.salience,
        set_at=record.salience_at, recalls=[at for at, _ in history],
    )  # fmt: skip


def _check(ask: AskSalience) -> None:
    sorts, filters = (*ORDERS, ALIKE), _filters(ask)
    if ask.sort not in sorts:
        raise BadAsk(f"sort should be one of {', '.join(sorts)}.")
    if ask.only and ask.only not in filters:
        raise BadAsk(f"only should be one of {', '.join(filters)}, or left out.")
    if not (1 <= ask.days_back <= 366 and 0 <= ask.days_ahead <= 366):
        raise BadAsk("days_back lies between 1 and 366, days_ahead between 0 and 366.")
    if ask.first < 0 or not 1 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(f"first counts from 0 and limit lies between 1 and {ROWS_AT_MOST}.")
    if abs(ask.utc_offset_minutes) > 24 * 60:
        raise BadAsk("utc_offset_minutes lies within a day.")


def _cell(engine: Engine, moment: int, row: Fading) -> _Cell:
    now = salience.at(
        moment,
        base=row.salience,
        base_at=row.salience_at,
        used=row.last,
        pinned=row.pinned,
        settings=engine.settings,
    )
    return _Cell(
        seq=row.seq, title=row.title, channel=row.channel, pinned=row.pinned, now=now, recalled=row.recalled,
        created_at=row.created_at,
        fades=salience.fades_in_days(now, engine.settings, pinned=row.pinned),
    )  # fmt: skip


def _rows(
    engine: Engine, db: Connection, page: list[_Cell], ask: AskSalience, moment: int
) -> tuple[HeatRow, ...]:
    found = records.by_seq(db, [cell.seq for cell in page])
    times = recalls.recall_times(db, [cell.seq for cell in page])
    today = day_start(moment, ask.utc_offset_minutes)
    rows = []
    for cell in page:
        kind, record = found[cell.seq]
        history = times[cell.seq]
        rescued = salience.fades_in_days(engine.settings.rescue_salience, engine.settings, pinned=cell.pinned)
        rows.append(
            HeatRow(
                id=record.id, kind=kind.name, title=cell.title, channel=record.channel, pinned=cell.pinned,
                category=record.category if kind is FACT else record.type, recalled=cell.recalled,
                last_recalled_at=optional_datetime(history[-1][0] if history else None),
                last_recalled_by=history[-1][1] if history else None, rescued_fades_in_days=rescued,
                curve=curve(
                    _life(cell, record, history), moment=moment, day_start=today, days_back=ask.days_back,
                    days_ahead=ask.days_ahead, settings=engine.settings,
                ),
            )
        )  # fmt: skip
    return tuple(rows)
