"""Table model of any length that keeps a window of pages: pages are fetched when they are looked at, and few
are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any

from PySide6.QtCore import Signal

from memdesk.gui.widgets.columns import ROOT, Column, ColumnsModel, Index, Row

PAGE_ROWS = 256
PAGES_KEPT = 64
IN_FLIGHT = 4
"""Requests at a time: a dragged scroll bar passes hundreds of pages, and only the last few matter."""

Fetch = Callable[[int, int], Awaitable[Sequence[Row]]]
"""Fetch(first, limit) -> the rows from `first` on, at most `limit` of them."""

Spawn = Callable[[Coroutine[Any, Any, None]], object]
"""Function that runs a coroutine as a task and shows its errors."""


class WindowedModel(ColumnsModel[Row]):
    """Table model whose rows exist as soon as their number is known; a page arrives after the view asks for
    one of its rows.

    Answers to a request made before the last reset() or refresh() are ignored. A page whose fetch failed is
    not asked for again until reset() or refresh(); the spawner shows the error. Signals: replacing, the first
    row and the rows of a page that is about to replace an older version; arrived, the first row and the
    number of rows of each page that arrived."""

    replacing = Signal(int, object)
    arrived = Signal(int, int)

    def __init__(
        self, columns: Sequence[Column[Row]], fetch: Fetch[Row], spawn: Spawn, page_rows: int = PAGE_ROWS
    ) -> None:
        super().__init__(columns)
        self._fetch, self._spawn, self._page_rows = fetch, spawn, page_rows
        self._total, self._age = 0, 0
        self._pages: OrderedDict[int, list[Row | None]] = OrderedDict()
        self._stale: set[int] = set()
        self._wanted: OrderedDict[int, None] = OrderedDict()
        self._flying: set[int] = set()
        self._failed: set[int] = set()

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows given to reset()."""
        return 0 if parent.isValid() else self._total

    def reset(self, total: int, rows: Sequence[Row] = ()) -> None:
        """Show another set of `total` rows. rows: its first ones, as far as they are known already."""
        self.beginResetModel()
        self._fill(total, rows, 0)
        self.endResetModel()

    def _fill(self, total: int, rows: Sequence[Row], first: int) -> None:
        self._forget()
        self._pages.clear()
        self._total = total
        self._put(first, rows)

    def refresh(self) -> None:
        """Fetch the pages in view again, the number of rows being the same; old rows show until then."""
        self._forget()
        self._stale = set(self._pages)
        if self._total:
            self._changed(0, self._total)

    def put(self, first: int, rows: Sequence[Row]) -> None:
        """Keep rows that were fetched elsewhere."""
        if rows:
            self._put(first, rows)
            self._changed(first, first + len(rows))

    def _put(self, first: int, rows: Sequence[Row]) -> None:
        for place, record in enumerate(rows, first):
            page, offset = divmod(place, self._page_rows)
            self._pages.setdefault(page, [None] * self._page_rows)[offset] = record

    def kept(self) -> Iterator[tuple[int, Row]]:
        """Yield the rows that are kept now, each with its place."""
        for page, rows in self._pages.items():
            for place, record in enumerate(rows, page * self._page_rows):
                if record is not None:
                    yield place, record

    def row(self, place: int) -> Row | None:
        """Return the record at a place; if it has not arrived yet, ask for its page and return None."""
        if not 0 <= place < self._total:
            return None
        page, offset = divmod(place, self._page_rows)
        rows = self._pages.get(page)
        if rows is None:
            self._want(page)
            return None
        self._pages.move_to_end(page)
        # A page that came short is not asked for again: the rows have become fewer, and a refresh is due.
        record = rows[offset] if offset < len(rows) else None
        if page in self._stale or (record is None and offset < len(rows)):
            self._want(page)
        return record

    def _forget(self) -> None:
        self._age += 1
        for pages in (self._stale, self._flying, self._failed):
            pages.clear()
        self._wanted.clear()

    def _want(self, page: int) -> None:
        if page in self._flying or page in self._failed:
            return
        self._wanted[page] = None
        self._wanted.move_to_end(page)
        while len(self._wanted) > IN_FLIGHT:
            self._wanted.popitem(last=False)
        self._pump()

    def _pump(self) -> None:
        """Start the latest requests first: they are the rows on the screen."""
        while self._wanted and len(self._flying) < IN_FLIGHT:
            page, _ = self._wanted.popitem(last=True)
            self._flying.add(page)
            self._failed.add(page)
            self._spawn(self._load(page, self._age))

    async def _load(self, page: int, age: int) -> None:
        """Fetch one page. It counts as failed until it arrives, so that an error needs no handler."""
        try:
            rows = await self._fetch(page * self._page_rows, self._page_rows)
        finally:
            if age == self._age:
                self._flying.discard(page)
                self._pump()
        if age == self._age:
            self._keep(page, rows)

    def _keep(self, page: int, rows: Sequence[Row]) -> None:
        self._failed.discard(page)
        self._stale.discard(page)
        first = page * self._page_rows
        if page in self._pages:
            self.replacing.emit(first, rows)
        self._pages[page] = list(rows)
        self._pages.move_to_end(page)
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)
        self._changed(first, min(self._total, first + self._page_rows))
        self.arrived.emit(first, len(rows))

    def _changed(self, first: int, end: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(end - 1, len(self.columns) - 1))
