"""Table model of any length that keeps a window of pages: pages are fetched when they are looked at, and few
are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
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
    not asked for again until retry(), reset() or refresh(); the spawner shows the error. Signals: replacing,
    the first row and the rows of a page that is about to replace an older version; arrived, the first row and
    the number of rows of each page that arrived."""

    replacing = Signal(int, object)
    arrived = Signal(int, int)

    def __init__(self, columns: Sequence[Column[Row]], fetch: Fetch[Row], spawn: Spawn) -> None:
        super().__init__(columns)
        self._fetch, self._spawn = fetch, spawn
        self._total, self._age = 0, 0
        self._pages: OrderedDict[int, tuple[Row, ...]] = OrderedDict()
        self._stale: set[int] = set()
        self._wanted: OrderedDict[int, None] = OrderedDict()
        self._flying: set[int] = set()
        self._failed: set[int] = set()

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of rows given to reset()."""
        return 0 if parent.isValid() else self._total

    def reset(self, total: int, first_page: Sequence[Row] = ()) -> None:
        """Show another set of `total` rows. first_page: its first rows, up to 256, if they are known already."""
        self.beginResetModel()
        self._forget()
        self._pages.clear()
        self._total = total
        if len(first_page) >= min(total, PAGE_ROWS):
            self._pages[0] = tuple(first_page[:PAGE_ROWS])
        self.endResetModel()

    def refresh(self) -> None:
        """Fetch the pages in view again, the number of rows being the same; old rows show until then."""
        self._forget()
        self._stale = set(self._pages)
        if self._total:
            self._changed(0, self._total)

    def retry(self) -> None:
        """Ask again for pages whose fetch failed."""
        self._failed.clear()
        if self._total:
            self._changed(0, self._total)

    def put(self, place: int, record: Row) -> None:
        """Replace one row of a page that is kept, as after a live change; other rows are correct when their
        page is fetched."""
        page, offset = divmod(place, PAGE_ROWS)
        rows = self._pages.get(page)
        if rows is not None and offset < len(rows):
            self._pages[page] = (*rows[:offset], record, *rows[offset + 1 :])
            self._changed(place, place + 1)

    def row(self, place: int) -> Row | None:
        """Return the record at a place; if it has not arrived yet, ask for its page and return None."""
        page, offset = divmod(place, PAGE_ROWS)
        rows = self._pages.get(page)
        if rows is None or page in self._stale:
            self._want(page)
        if rows is None:
            return None
        self._pages.move_to_end(page)
        return rows[offset] if offset < len(rows) else None

    def held(self) -> int:
        """Return the number of pages kept now."""
        return len(self._pages)

    def _forget(self) -> None:
        self._age += 1
        for pages in (self._stale, self._flying, self._failed):
            pages.clear()
        self._wanted.clear()

    def _want(self, page: int) -> None:
        if page in self._flying or page in self._failed or not 0 <= page * PAGE_ROWS < self._total:
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
            rows = await self._fetch(page * PAGE_ROWS, PAGE_ROWS)
        finally:
            if age == self._age:
                self._flying.discard(page)
                self._pump()
        if age == self._age:
            self._keep(page, tuple(rows))

    def _keep(self, page: int, rows: tuple[Row, ...]) -> None:
        self._failed.discard(page)
        self._stale.discard(page)
        first = page * PAGE_ROWS
        if page in self._pages:
            self.replacing.emit(first, rows)
        self._pages[page] = rows
        self._pages.move_to_end(page)
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)
        self._changed(first, min(self._total, first + PAGE_ROWS))
        self.arrived.emit(first, len(rows))

    def _changed(self, first: int, end: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(end - 1, len(self.columns) - 1))
