"""The window opens on a desk however damaged: it says what is wrong, and repairs it or restores a backup."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.__main__ import Program
from memdesk.api import memory, recall
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.engine.backups import make_backup
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.gui.session import Session
from memdesk.gui.shell import repair_page
from memdesk.gui.shell.body import Memo
from memdesk.gui.shell.repair_page import RepairPage
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.recall import Query
from memdesk.store import binding
from tests.faults.damage import populate
from tests.gui.driving import activated, drive, press, until

PAGE = 4096


@pytest.fixture
def desk(short_folder: Path) -> Desk:
    """A desk with memory and a tested backup, its service not running."""
    desk = Desk(short_folder / "desk")
    populate(desk, facts=16)
    engine = open_engine(desk)
    make_backup(engine, "by-hand")
    engine.close()
    return desk


def zero_the_header(file: Path) -> None:
    with file.open("r+b") as written:
        written.write(bytes(PAGE))


def cut_off(file: Path) -> None:
    with file.open("r+b") as written:
        written.truncate(file.stat().st_size // 3)


def flip_a_row(file: Path) -> None:
    raw = binding.sqlite.connect(file, isolation_level=None)
    raw.execute(
        "UPDATE facts SET claim = 'The payments service runs in Atlantis.' WHERE claim LIKE '%number 8 %'"
    )
    raw.close()


@asynccontextmanager
async def opened(desk: Desk) -> AsyncIterator[Window]:
    """The window as the program opens it, whatever state the desk is in."""
    session = Session(Client(desk), revive=partial(ensure_service, desk))
    memo = Memo.of(desk)
    window = Window(session, memo, repairs=partial(RepairPage, session, desk, Program()))
    window.show()
    session.start()
    try:
        await activated(window)
        yield window
    finally:
        window.close_at_once()
        await session.close()
        window.deleteLater()
        await stop_service(desk)


async def page_of(window: Window) -> RepairPage:
    """The page, once it has looked the desk through."""
    await until(lambda: window.repair_page is not None, "the page")
    page = window.repair_page
    assert page is not None
    await until(lambda: page.state == repair_page.FOUND, "what was found")
    return page


async def claims(window: Window) -> set[str]:
    return {row.claim for row in (await window.session.call(memory.FACTS, ListFacts(limit=100))).rows}


@pytest.mark.parametrize("damage", [zero_the_header, cut_off])
def test_a_desk_that_cannot_be_served_is_repaired_from_the_window_by_keyboard(
    qapp: QApplication, desk: Desk, damage: Callable[[Path], None]
) -> None:
    damage(desk.database)

    async def scenario() -> None:
        async with opened(desk) as window:
            page = await page_of(window)
            assert page.title.text() == "This desk cannot be opened" and page.why.text()
            assert not window.body.isVisible() and not window.strips.away.isVisible()
            assert page.repair.hasFocus()

            press(page.repair, Qt.Key.Key_Return)
            assert page.state == repair_page.PLAN and page.go.hasFocus()
            press(page.go, Qt.Key.Key_Return)
            await until(lambda: page.state == repair_page.ENDED, "the repair")
            assert page.title.text() == "The desk is repaired" and page.go.hasFocus()
            press(page.go, Qt.Key.Key_Return)
            await until(window.body.isVisible, "the ordinary window")
            await until(
                lambda: window.session.status is not None and not window.session.is_away, "the status"
            )
            assert not page.isVisible() and len(await claims(window)) == 16

    drive(qapp, scenario)


def test_a_desk_that_cannot_be_served_gets_a_backup_back_from_the_window(
    qapp: QApplication, desk: Desk
) -> None:
    zero_the_header(desk.database)

    async def scenario() -> None:
        async with opened(desk) as window:
            page = await page_of(window)
            page.restore.setFocus()
            press(page.restore, Qt.Key.Key_Return)
            await until(lambda: page.state == repair_page.BACKUPS, "the backups")
            assert page.go.isEnabled() and "16 facts" in page.says.text()

            press(page.go, Qt.Key.Key_Return)
            await until(lambda: page.state == repair_page.ENDED, "the restore")
            assert page.title.text() == "The backup is restored"
            press(page.go, Qt.Key.Key_Return)
            await until(window.body.isVisible, "the ordinary window")
            assert len(await claims(window)) == 16

    drive(qapp, scenario)


def test_a_row_that_was_changed_is_repaired_from_the_strip_that_tells_of_it(
    qapp: QApplication, desk: Desk
) -> None:
    flip_a_row(desk.database)

    async def scenario() -> None:
        async with opened(desk) as window:
            await until(lambda: window.session.status is not None, "the status")
            await window.session.call(recall.SEARCH, Query(text="payments service", channel="tidepool"))
            window.session.refresh_status()
            await until(window.strips.standing.isVisible, "the strip")
            window.strips.standing.examine.click()
            page = await page_of(window)
            assert page.title.text() == "Something is wrong with this desk" and page.repair.isEnabled()

            press(page.repair, Qt.Key.Key_Return)
            press(page.go, Qt.Key.Key_Return)
            await until(lambda: page.state == repair_page.ENDED, "the repair")
            press(page.go, Qt.Key.Key_Return)
            await until(window.body.isVisible, "the ordinary window")
            held = await claims(window)
            assert len(held) == 16 and not any("Atlantis" in claim for claim in held)
            await until(lambda: not window.strips.standing.isVisible(), "the strip to go")

    drive(qapp, scenario)


def test_a_desk_whose_settings_cannot_be_read_opens_once_they_are_put_right(
    qapp: QApplication, desk: Desk
) -> None:
    desk.settings.write_text("this is = = no TOML")

    async def scenario() -> None:
        async with opened(desk) as window:
            page = await page_of(window)
            assert not page.repair.isEnabled() and page.repair.accessibleDescription()

            desk.settings.unlink()
            press(page.again, Qt.Key.Key_Return)
            await until(window.body.isVisible, "the ordinary window")
            assert len(await claims(window)) == 16

    drive(qapp, scenario)


def test_a_repair_that_fails_is_said_and_can_be_tried_again(qapp: QApplication, short_folder: Path) -> None:
    desk = Desk(short_folder / "desk")
    desk.folder.mkdir()
    desk.database.write_text("This is no database.")

    async def scenario() -> None:
        async with opened(desk) as window:
            page = await page_of(window)
            press(page.repair, Qt.Key.Key_Return)
            press(page.go, Qt.Key.Key_Return)
            await until(lambda: "no tested backup" in page.why.text(), "why it failed")
            assert page.state == repair_page.FOUND and page.again.isVisible()
            assert not page.restore.isEnabled() or page.model.rows()

    drive(qapp, scenario)
