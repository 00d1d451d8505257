"""The stage of two panels, and a window that comes back as it was left."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from memdesk.client.client import Client
from memdesk.gui.shell.body import Memo
from memdesk.gui.window import Window
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.test_window import CLAIM, CTRL, inspected, learn, view_of


def split_by_keyboard(window: Window) -> None:
    press(window, Qt.Key.Key_Backslash, CTRL)


def left_share(window: Window) -> float:
    left, right = window.stage.splitter.sizes()
    return left / (left + right)


@pytest.mark.parametrize("size", [(1440, 900), (1100, 700)])
def test_two_panels_stand_side_by_side_and_one_is_left_alone_again(
    qapp: QApplication, running_service: Any, size: tuple[int, int]
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk, size=size) as window:
            window.open_panel("audit")
            window.open_panel("facts")
            split_by_keyboard(window)
            stage = window.stage
            assert stage.sides == ("facts", "audit") and stage.panel is not None
            assert stage.panel.name == "audit" and window.top_bar.split.isChecked()
            await until(lambda: window.rail.width() == 48, "room for both")
            assert stage.beside is not None
            await until(lambda: min(stage.panel.width(), stage.beside.width()) >= 480)  # type: ignore[union-attr]
            split_by_keyboard(window)
            assert stage.sides == ("audit",) and not window.top_bar.split.isChecked()
            assert not stage._sides[1].isVisible() and stage.panel.isVisible()

    drive(qapp, scenario)


def test_the_rail_opens_a_panel_on_the_side_a_person_is_at(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            window.open_panel("facts")
            window.stage.open("audit", beside=True)
            click(window.rail.entry("jobs"))
            assert window.stage.sides[0] == "facts"
            click(window.stage._sides[0], QPoint(200, 20))
            assert window.stage.panel is not None and window.stage.panel.name == "facts"
            click(window.rail.place("review"))
            assert window.stage.sides[0] == "review"
            # What is seen already is not shown twice.
            window.open_panel(window.stage.sides[1])
            assert window.stage.panel.name == window.stage.sides[1] != "review"

    drive(qapp, scenario)


def test_a_panel_that_loads_late_leaves_the_keyboard_in_the_half_that_was_entered_since(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await learn(agent)
            audit = window.open_panel("audit")
            await until(lambda: audit._task is None and audit._has_content, "the audit")
            answered, load = asyncio.Event(), audit.load

            async def late() -> None:
                await answered.wait()
                await load()

            audit.load = late  # type: ignore[method-assign]
            audit.reload()
            audit.take_focus()
            facts = window.stage.open("facts", beside=True)
            facts.take_focus()
            await until(lambda: facts.isAncestorOf(QApplication.focusWidget()), "the keyboard in the facts")
            answered.set()
            await until(lambda: audit._task is None, "the late load")
            assert facts.isAncestorOf(QApplication.focusWidget())

    drive(qapp, scenario)


def test_ctrl_enter_in_the_search_opens_beside(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            audit = window.open_panel("audit")
            await until(lambda: audit._task is None and audit._has_content, "the audit")
            window.open_search()
            press(window.search.field, "pgbouncer")
            await until(lambda: any(CLAIM in choice.text for choice in window.search.choices.model.rows()))
            press(window.search.field, Qt.Key.Key_Return, CTRL)
            assert window.stage.sides == ("audit", "graph")
            await until(lambda: view_of(window, id), "the inspector")
            window.open_panel("graph")
            window.open_search()
            press(window.search.field, ">open facts")
            press(window.search.field, Qt.Key.Key_Return)
            assert window.stage.sides == ("audit", "facts")

    drive(qapp, scenario)


def test_a_window_comes_back_as_it_was_left(qapp: QApplication, running_service: Any) -> None:
    desk = running_service.desk

    async def scenario() -> None:
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            id = await learn(agent)
            window.session.filter_channels(("tidepool",))
            panel: Any = window.open_panel("audit")
            panel.filters.words.setText("PgB")
            window.stage.open("facts", beside=True)
            await until(lambda: window.stage.panel.width() >= 480, "both sides")  # type: ignore[union-attr]
            left, right = window.stage.splitter.sizes()
            assert abs(left - right) < 2
            for _ in range(5):
                press(window.stage.splitter.handle(1), Qt.Key.Key_Right)
            assert window.stage.splitter.sizes()[0] == left + 80
            await inspected(window, id)
        async with opened(desk) as again:
            assert again.stage.sides == ("audit", "facts") and again.session.channels == ("tidepool",)
            there: Any = again.stage.beside
            assert again.stage.panel is not None and again.stage.panel.name == "facts"
            assert there.filters.words.text() == "PgB"
            await until(lambda: view_of(again, id), "the memory")
            await until(lambda: abs(left_share(again) - 776 / 1392) < 0.02, "the divider")
        assert Memo.of(desk).left["shown"] == id

    drive(qapp, scenario)


def test_a_memo_that_fits_no_longer_is_passed_over(qapp: QApplication, running_service: Any) -> None:
    memo = Memo.of(running_service.desk)
    memo.left = {
        "panels": {
            "audit": {"drops": [["nobody"]], "on": [True], "dividers": [[1]], "texts": [], "segments": ["x"]}
        },
        "sides": ["audit", "gone"],
        "shown": "",
    }
    memo.panel = "gone"
    memo.keep()

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            window.open_panel("audit")
            assert window.stage.sides == ("audit",)

    drive(qapp, scenario)
