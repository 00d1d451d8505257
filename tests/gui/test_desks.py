"""Several desks: one window each, in a process of its own, and a list of those that were opened."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from memdesk.client.direct import answers
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk, default_desk
from memdesk.gui.app import WindowLock
from memdesk.gui.shell.top_bar import RECENT_AT_MOST, desk_in, display_name, open_desk, recent, remember
from memdesk.model.errors import Refused
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, until


def made(folder: Path) -> Desk:
    """A desk as far as a list of desks looks at it."""
    folder.mkdir(parents=True)
    desk = Desk(folder)
    desk.database.touch()
    return desk


def test_desks_that_were_opened_are_listed_newest_first_while_they_are_there(tmp_path: Path) -> None:
    desks = [made(tmp_path / f"desk {number}, one of many") for number in range(RECENT_AT_MOST + 2)]
    for desk in (*desks, desks[3]):
        remember(desk)
    assert recent() == (desks[3], *(each for each in reversed(desks[2:]) if each != desks[3]))
    desks[3].database.unlink()
    assert desks[3] not in recent() and len(recent()) == RECENT_AT_MOST - 1
    assert recent()[0] == desks[-1]


def test_only_a_desk_or_an_empty_folder_becomes_a_desk(tmp_path: Path) -> None:
    assert desk_in(tmp_path / "new") == Desk(tmp_path / "new")
    desk = made(tmp_path / "mine")
    assert desk_in(desk.folder) == desk
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "letter.txt").write_text("Dear all")
    with pytest.raises(Refused, match="holds other files and no desk"):
        desk_in(tmp_path / "papers")


def test_the_default_desk_needs_no_name(tmp_path: Path) -> None:
    assert display_name(default_desk()) == "" and display_name(Desk(tmp_path / "work")) == "work"


def test_a_second_window_of_a_desk_lets_the_first_come_forward(
    qapp: QApplication, short_folder: Path
) -> None:
    desk = Desk(short_folder / "desk")
    first, knocks = WindowLock(desk), []
    first.knocked.connect(lambda: knocks.append(True))
    assert first.enter()

    async def scenario() -> None:
        # Knocking waits for an answer, which this very thread gives in a real window's process.
        second = WindowLock(desk)
        assert not await asyncio.to_thread(second.enter)
        await until(lambda: knocks == [True], "the knock")

    drive(qapp, scenario)
    first.leave()
    third = WindowLock(desk)
    assert third.enter()
    third.leave()


def test_a_window_that_does_not_answer_is_said_to_be_there(qapp: QApplication, short_folder: Path) -> None:
    desk = Desk(short_folder / "desk")
    first = WindowLock(desk)
    assert first.enter()
    first._server.close()
    with pytest.raises(Refused, match="is open and does not answer"):
        WindowLock(desk).enter()
    first.leave()


def test_the_window_names_its_desk_and_leads_to_others(
    qapp: QApplication, running_service: Service, short_folder: Path
) -> None:
    other = made(short_folder / "other")
    remember(other)

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            await until(window.top_bar.desk.isVisible, "the desk's name")
            assert window.windowTitle() == "desk · MemDesk" and window.top_bar.desk.text() == "desk"
            assert recent()[0] == running_service.desk
            menu = window.desks.menu()
            assert [each.text() for each in menu.actions() if each.text()] == [
                "other",
                "Open or create another desk…",
            ]
            menu.deleteLater()
            assert "Open desk other" in [key.says for key in window.desks.commands()]
            click(window.top_bar.desk, QPoint(8, 8))
            await until(lambda: qapp.activePopupWidget() is not None, "the menu")
            qapp.activePopupWidget().close()
            dialog = window.desks.choose()
            assert (
                isinstance(dialog, QFileDialog) and dialog.windowModality() == Qt.WindowModality.WindowModal
            )
            dialog.close()
            (short_folder / "papers").mkdir()
            (short_folder / "papers" / "letter.txt").write_text("Dear all")
            dialog.fileSelected.emit(str(short_folder / "papers"))
            await until(window.notice.isVisible, "the refusal")
            assert "holds other files" in window.notice.accessibleName()

    drive(qapp, scenario)


def heeds(pid: int, number: signal.Signals) -> bool:
    """Whether a process has something to do at a signal, as Linux tells it."""
    said = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in said.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def test_another_desk_opens_in_a_process_of_its_own_with_its_own_service(
    qapp: QApplication, short_folder: Path
) -> None:
    desk = Desk(short_folder / "new")

    async def scenario() -> None:
        window = open_desk(desk)
        try:
            await until(lambda: answers(desk), "its service")
            assert os.getpgid(window.pid) != os.getpgid(0)
            second: list[bool] = []

            def knocked() -> bool:
                if desk.window_socket.exists() and not second:
                    second.append(WindowLock(desk).enter())
                return second == [False]

            await until(knocked, "the window")
            await until(lambda: heeds(window.pid, signal.SIGTERM), "the window to heed a signal")
            window.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(window.wait, 20) == 0
        finally:
            window.kill()
            window.wait()
            await ensure_service(desk)
            await stop_service(desk)

    drive(qapp, scenario)


def test_the_default_desk_is_named_only_beside_others(
    qapp: QApplication, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(short_folder))

    async def scenario() -> None:
        await ensure_service(default_desk())
        try:
            async with opened(default_desk()) as window:
                assert window.windowTitle() == "MemDesk" and not window.top_bar.desk.isVisible()
                remember(made(short_folder / "other"))
                window.session.refresh_status()
                await until(window.top_bar.desk.isVisible, "the desk's name")
                assert window.top_bar.desk.text() == "Your own desk"
        finally:
            await stop_service(default_desk())

    drive(qapp, scenario)
