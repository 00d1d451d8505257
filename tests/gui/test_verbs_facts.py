"""The table of facts by pointer and by keyboard: each filter, several rows, and what is done to them at once."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.window import Window
from memdesk.model.remember import NewFact
from memdesk.model.timeline import AskTable, TableRow
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.filled import CRANE, SHED
from tests.gui.hands import CTRL, SHIFT, by_rail, click_row, click_title, deed, pick, says, segment, spot

LEFT = Qt.MouseButton.LeftButton
CREW = ("The crew meets at five", "The crew eats at noon", "The crew sleeps aboard")


async def facts(window: Window) -> FactsPanel:
    panel = await by_rail(window, "facts")
    assert isinstance(panel, FactsPanel)
    # What the last window was left at is remembered.
    click(segment(panel.filters.kinds, "Facts"))
    click(panel.filter)
    press(panel.filter, Qt.Key.Key_A, CTRL)
    press(panel.filter, Qt.Key.Key_Delete)
    await until(lambda: says(panel.table, CRANE), "the facts")
    return panel


def rows(panel: FactsPanel) -> list[TableRow]:
    found = (panel.model.row(place) for place in range(panel.model.rowCount()))
    return [row for row in found if row is not None]


def titles(panel: FactsPanel) -> list[str]:
    return [row.title for row in rows(panel)]


def test_each_filter_is_chosen_by_pointer_or_key_and_one_press_clears_them(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        # Wide enough for every filter, also beside the name of one more kind.
        async with opened(full_service.desk, size=(1680, 900)) as window:
            panel = await facts(window)
            every = panel.model.rowCount()
            filters = panel.filters
            await pick(filters.confidence, "Below 0.50")
            await until(lambda: titles(panel) == [SHED], "what is doubted")
            await pick(filters.confidence, "Any confidence", by_key=True)
            await until(lambda: panel.model.rowCount() == every, "all")
            await pick(filters.ages, "Over 90 days", by_key=True)
            await until(panel._nothing.isVisible, "nothing so old")
            click(panel._nothing.step)
            await until(lambda: panel.model.rowCount() == every, "everything again")
            await pick(filters.sources, str(filters.sources.options[0].text))
            await until(lambda: filters.clear.isVisible(), "a filter to clear")
            click(filters.clear)
            await until(lambda: panel.model.rowCount() == every and not filters.narrows, "everything again")
            await pick(filters.states, "Retired", by_key=True)
            await until(lambda: not titles(panel) or CRANE not in titles(panel), "what is retired")
            await pick(filters.states, "Current")
            click(panel.filter)
            press(panel.filter, "crane lifts")
            await until(lambda: CRANE in titles(panel) and SHED not in titles(panel), "the words")
            press(panel.filter, Qt.Key.Key_A, CTRL)
            press(panel.filter, Qt.Key.Key_Delete)
            for words, title in (
                ("Entities", "Crane"),
                ("Goals", "Weigh the crane"),
                ("Strategies", "Weigh it first"),
            ):
                click(segment(filters.kinds, words))
                await until(lambda title=title: title in titles(panel), words)

    drive(qapp, scenario)


def test_rows_are_chosen_with_ctrl_and_shift_and_tagged_pinned_and_retired_by_the_bar(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await asyncio.gather(
                *(agent.call(memory.LEARN_FACT, NewFact(claim=each, channel="crew")) for each in CREW)
            )
            panel = await facts(window)
            click(panel.filter)
            press(panel.filter, "crew")
            await until(lambda: sorted(titles(panel)) == sorted(CREW), "the three")

            def choose(first: int, last: int, held: Qt.KeyboardModifier) -> None:
                click_row(panel.table, first)
                QTest.mouseClick(panel.table.viewport(), LEFT, held, spot(panel.table, last))

            choose(0, 2, CTRL)
            assert panel.table.number_chosen() == 2
            choose(0, 2, SHIFT)
            assert panel.table.number_chosen() == 3
            click(panel.chosen.buttons["tag"])
            await until(panel.sheet.tags.isVisible, "the preview")
            press(panel.sheet.tags, "crew")
            await until(panel.sheet.act.isEnabled, "what it touches")
            click(panel.sheet.act)
            await until(lambda: deed(window) == "Tagged 3 facts", "the tags")
            await until(
                lambda: any(option.text == "crew" for option in panel.filters.tags.options), "the tag"
            )
            choose(0, 1, SHIFT)
            click(panel.chosen.buttons["retire"])
            await until(lambda: panel.sheet.act.isVisible() and panel.sheet.act.isEnabled(), "the preview")
            assert panel.sheet.act.text() == "Retire 2"
            press(panel.sheet.reason, "they left")
            pressed: list[bool] = []
            panel.sheet.act.clicked.connect(lambda: pressed.append(True))
            press(panel.sheet.reason, Qt.Key.Key_Return)
            assert len(pressed) == 1, "one Enter carries the act out once"
            await until(lambda: deed(window) == "Retired 2 facts", "the retirement")
            click(window.stage.strip._undo)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            await until(lambda: len(titles(panel)) == 3, "all three again")
            choose(0, 2, SHIFT)
            click(panel.chosen.clear)
            assert panel.table.number_chosen() == 0
            await activated(window)
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: not any(row.tags for row in rows(panel)), "the tags taken back")
            table = AskTable(channels=("crew",), state="all")
            assert not any(row.tags for row in (await agent.call(memory.TABLE, table)).rows)

    drive(qapp, scenario)


def test_titles_sort_and_a_row_is_opened_twice_pressed(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await facts(window)
            click_title(panel.table, "Confidence")
            assert panel.filters.sort == ("confidence", True)
            click_title(panel.table, "Confidence")
            assert panel.filters.sort == ("confidence", False), "a press turns what was asked, shown or not"
            click_title(panel.table, "Confidence", twice=True)
            assert panel.filters.sort == ("confidence", False), "both presses of a quick pair count"
            click_title(panel.table, "Confidence")
            assert panel.filters.sort == ("confidence", True)
            await activated(window)
            panel.table.setFocus()
            press(panel.table, Qt.Key.Key_S, SHIFT)
            await until(lambda: titles(panel)[:1] == [SHED], "the least sure first")
            click_row(panel.table, SHED, twice=True)
            wanted = panel.table.record().id
            await until(lambda: window.inspector.memory_id == wanted, "it in the inspector")

    drive(qapp, scenario)
