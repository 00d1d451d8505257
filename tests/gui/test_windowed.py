"""The windowed table: rows of any number, fetched page by page, whatever order the answers come in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from memdesk.gui.widgets import Column, Table, WindowedModel

COLUMNS = (Column[int](title="Number", text=lambda n: f"{n:,}", numeric=True),)


class Library:
    """Answers page questions one by one, in the order a test chooses."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        self.asked: list[tuple[int, asyncio.Future[Sequence[int]]]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def fetch(self, first: int, limit: int) -> Sequence[int]:
        future: asyncio.Future[Sequence[int]] = asyncio.get_running_loop().create_future()
        self.asked.append((first, future))
        return await future

    def answer(self, place: int, total: int = 10_000_000) -> None:
        first, future = self.asked[place]
        future.set_result(range(first + self.offset, min(total, first + 256) + self.offset))


async def turn() -> None:
    """Let every task run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


def windowed(library: Library) -> WindowedModel[int]:
    return WindowedModel(COLUMNS, library.fetch, library.spawn)


def play(scenario: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await scenario()

    asyncio.run(run())


def test_a_windowed_model_keeps_qts_promises(qapp: QApplication, qtmodeltester: ModelTester) -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        qtmodeltester.check(model)
        model.reset(600, range(256))
        qtmodeltester.check(model)
        model.row(400)
        await turn()
        library.answer(0, 600)
        await turn()
        model.reset(0)

    play(scenario)


def test_rows_are_there_at_once_and_filled_when_their_page_comes() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(10_000_000)
        told: list[tuple[int, int]] = []
        model.arrived.connect(lambda first, count: told.append((first, count)))
        assert model.rowCount() == 10_000_000
        assert model.row(5_000_000) is None
        assert model.index(5_000_000, 0).data() == ""
        await turn()
        library.answer(0)
        await turn()
        assert model.row(5_000_000) == 5_000_000
        assert told == [(5_000_000 // 256 * 256, 256)]
        assert len(library.asked) == 1

    play(scenario)


def test_answers_to_an_older_question_are_ignored() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(1000)
        model.row(0)
        await turn()
        model.reset(500)
        library.offset = 7000
        model.row(0)
        await turn()
        library.answer(1, 500)
        await turn()
        library.offset = 0
        library.answer(0, 1000)
        await turn()
        assert model.row(3) == 7003
        assert model.rowCount() == 500

    play(scenario)


def test_pages_answered_out_of_order_land_in_their_places() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(2000)
        for place in (0, 300, 600, 900):
            model.row(place)
        await turn()
        for place in (2, 0, 3, 1):
            library.answer(place, 2000)
            await turn()
        assert [model.row(place) for place in (0, 300, 600, 900)] == [0, 300, 600, 900]

    play(scenario)


def test_a_dragged_scroll_bar_asks_for_little_and_for_the_last_place_first() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(10_000_000)
        for place in range(0, 10_000_000, 50_000):
            model.row(place)
        await turn()
        assert len(library.asked) == 4
        library.answer(0)
        await turn()
        assert library.asked[-1][0] == 9_950_000 // 256 * 256

    play(scenario)


def test_at_most_64_pages_are_kept() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(100 * 256)
        for page in range(100):
            model.row(page * 256)
            await turn()
            library.answer(page)
            await turn()
        assert len(list(model.kept())) == 64 * 256
        assert model.row(99 * 256) == 99 * 256
        assert model.row(0) is None

    play(scenario)


def test_a_failed_page_is_not_asked_for_again_until_a_refresh() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(1000)
        model.row(0)
        await turn()
        library.asked[0][1].set_exception(OSError("disk is busy"))
        await turn()
        assert isinstance(library.tasks[0].exception(), OSError)
        model.row(0)
        await turn()
        assert len(library.asked) == 1
        model.refresh()
        model.row(0)
        await turn()
        library.answer(1, 1000)
        await turn()
        assert model.row(0) == 0

    play(scenario)


def test_refresh_shows_old_rows_until_the_new_ones_are_here() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(256, range(256))
        model.refresh()
        assert model.row(3) == 3
        await turn()
        library.offset = 100
        library.answer(0, 256)
        await turn()
        assert model.row(3) == 103
        model.put(3, (-1, -2))
        assert [model.row(place) for place in (3, 4, 5)] == [-1, -2, 105]

    play(scenario)


def test_a_page_of_which_some_rows_are_known_is_fetched_when_another_is_looked_at() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(1000)
        model.put(250, range(250, 260))
        assert model.row(255) == 255 and model.row(256) == 256
        await turn()
        assert library.asked == []
        assert model.row(1000) is None and model.row(-1) is None and model.row(300) is None
        await turn()
        library.answer(0, 300)
        await turn()
        assert [first for first, _ in library.asked] == [256]
        assert model.row(299) == 299 and model.row(300) is None
        await turn()
        assert len(library.asked) == 1, "a page that came short is not asked for again"

    play(scenario)


def test_a_row_chosen_while_loading_is_told_when_it_comes(qtbot: QtBot) -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        table, picked = Table(model, name="Timeline"), []
        qtbot.addWidget(table)
        table.picked.connect(picked.append)
        model.reset(5000)
        table.choose(4000)
        assert picked == []
        await turn()
        for place in range(len(library.asked)):
            library.answer(place, 5000)
        await turn()
        assert picked == [4000]

    play(scenario)
