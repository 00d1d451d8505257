"""Requests for parts of a list of memories: a page, the place of one memory, the first that has not faded.

A place is searched for with a single day of each curve, which costs a tenth of the full curves."""

from __future__ import annotations

from dataclasses import replace

from memdesk.contract import memory
from memdesk.gui.salience.days import has_faded
from memdesk.gui.salience.rows import PAGE_ROWS
from memdesk.gui.session import Session
from memdesk.model.heatmap import AskSalience, Heatmap

SCAN_ROWS = 500


async def page(session: Session, ask: AskSalience, first: int, limit: int = PAGE_ROWS) -> Heatmap:
    """Return the rows from `first` on."""
    shown: Heatmap = await session.call(memory.SALIENCE, replace(ask, first=first, limit=limit))
    return shown


async def page_or_last(session: Session, ask: AskSalience, first: int) -> Heatmap:
    """Return the rows from `first` on; if the list ends before them, its last page."""
    shown = await page(session, ask, first)
    if shown.total and not shown.rows:
        shown = await page(session, ask, max(0, shown.total - PAGE_ROWS))
    return shown


async def place_of(session: Session, ask: AskSalience, id: str) -> int | None:
    """Return the place of a memory in a list; None if it is not in the list."""
    first, total = 0, 1
    while first < total:
        part = await _scanned(session, ask, first)
        place = next((place for place, row in enumerate(part.rows, first) if row.id == id), None)
        if place is not None:
            return place
        first, total = first + SCAN_ROWS, part.total
    return None


async def opening(session: Session, ask: AskSalience, shown: Heatmap) -> int:
    """Return the row at which a list opens: in the order of fading the first that can still be saved,
    otherwise the first.

    shown: the list's first page."""
    if ask.sort != "fades" or not shown.rows:
        return 0
    alive = _first_alive(shown)
    return await _search_alive(session, ask, len(shown.rows), shown.total) if alive is None else alive


async def _search_alive(session: Session, ask: AskSalience, low: int, high: int) -> int:
    """Return the first row from `low` on that has not faded, by bisection; 0 if all have."""
    end = high
    while low < high:
        first = max(low, (low + high - SCAN_ROWS) // 2)
        part = await _scanned(session, ask, first)
        alive = _first_alive(part)
        if alive is None:
            low = first + max(1, len(part.rows))
        elif alive or first == low:
            return first + alive
        else:
            high = first
    return low if low < end else 0


async def _scanned(session: Session, ask: AskSalience, first: int) -> Heatmap:
    """Return a page with only the days that the list itself depends on."""
    back = ask.days_back if ask.sort == "alike" else 1
    ahead = ask.days_ahead if ask.only == "ahead" else 0
    return await page(session, replace(ask, days_back=back, days_ahead=ahead), first, SCAN_ROWS)


def _first_alive(shown: Heatmap) -> int | None:
    return next((place for place, row in enumerate(shown.rows) if not has_faded(row)), None)
