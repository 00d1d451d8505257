"""Quick capture by keyboard, and the tray's menu: reviews, pause, staying when the window closes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from memdesk.api import jobs, memory
from memdesk.client.client import Client
from memdesk.client.direct import answers
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.remember import NewFact
from memdesk.model.status import Nothing
from memdesk.model.timeline import AskRecentTurns
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
CLAIM = "The staging key rotates on Mondays"


async def claims(client: Client) -> list[tuple[str, str]]:
    return [(row.claim, row.channel) for row in (await client.call(memory.FACTS, ListFacts())).rows]


def test_a_fact_is_captured_by_keyboard_and_taken_back(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            assert not vars(window).keys() & {"search", "act_sheet", "capture"}, (
                "made before anyone asked for it"
            )
            press(window, Qt.Key.Key_N, CTRL, SHIFT)
            capture = window.capture
            await until(capture.isVisible, "the capture window")
            await activated(capture)
            press(capture.said.editor, Qt.Key.Key_Return)
            assert capture.answer.text() == "There is nothing to save yet."
            press(capture.said.editor, CLAIM)
            press(capture.said.editor, Qt.Key.Key_Return)
            await until(capture.undo.isVisible, "the way back")
            assert await claims(owner) == [(CLAIM, "_global")] and not capture.said.text()
            assert window.session.deed is not None
            assert window.session.deed.sentence == f"Captured the fact “{CLAIM}”"
            click(capture.undo)
            await until(lambda: window.session.deed and window.session.deed.op == "undo", "the undo")
            assert await claims(owner) == []
            press(capture, Qt.Key.Key_Escape)
            assert not capture.isVisible()

    drive(qapp, scenario)


def test_what_is_known_already_is_said_and_stays_to_be_changed(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            await owner.call(memory.LEARN_FACT, NewFact(claim=CLAIM))
            window.capture.open()
            await activated(window.capture)
            press(window.capture.said.editor, CLAIM)
            click(window.capture.save)
            await until(lambda: "known in _global already" in window.capture.answer.text(), "the answer")
            assert window.capture.said.text() == CLAIM and not window.capture.undo.isVisible()

    drive(qapp, scenario)


def test_a_note_is_kept_as_the_person_said_it_in_the_channel_chosen(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            await owner.call(memory.LEARN_FACT, NewFact(claim="Tides are logged hourly", channel="tidepool"))

            def is_known() -> bool:
                status = window.session.status
                return status is not None and "tidepool" in [each.name for each in status.channels]

            await until(is_known, "the channel")
            capture = window.capture
            assert [each.value for each in capture.channel.options] == ["_global", "tidepool"]
            window.session.filter_channels(("tidepool",))
            capture.open()
            await activated(capture)
            click(capture.kind._button(1))
            capture.said.editor.setFocus()
            press(capture.said.editor, "Ask Mara")
            press(capture.said.editor, Qt.Key.Key_Return, SHIFT)
            press(capture.said.editor, "about the buoys")
            press(capture.said.editor, Qt.Key.Key_Return)
            await until(capture.undo.isVisible, "the way back")
            turns = (await owner.call(memory.RECENT_TURNS, AskRecentTurns())).rows
            assert [(each.content, each.channel) for each in turns] == [
                ("Ask Mara\nabout the buoys", "tidepool")
            ]
            assert turns[0].speaker == window.session.person

    drive(qapp, scenario)


def test_the_trays_menu_counts_reviews_and_pauses_jobs(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            tray = window.tray
            assert not tray.review.isVisible()
            tray.show_waiting(1)
            assert tray.review.text() == "Review 1 question" and tray.review.isVisible()
            assert tray.icon.toolTip() == "desk · MemDesk\n1 question waits for your review."
            tray.review.trigger()
            assert window.stage.panel is not None and window.stage.panel.name == "review"
            tray.pause.trigger()

            async def enabled() -> bool:
                return (await owner.call(jobs.LIST, Nothing())).enabled

            while await enabled():
                pass
            await until(tray.pause.isChecked, "the pause")
            window.open_panel("jobs")
            tray.pause.trigger()
            while not await enabled():
                pass
            await until(lambda: not tray.pause.isChecked(), "the jobs again")

    drive(qapp, scenario)


def test_closing_the_window_ends_it_unless_it_is_to_stay_in_the_tray(
    qapp: QApplication, running_service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Drawing in memory knows no tray; what Qt says of one is the edge.
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            ended: list[bool] = []
            window.closed.connect(lambda: ended.append(True))
            window.tray.keep.trigger()
            window.close()
            assert not window.isVisible() and not ended
            window.tray.opened.emit()
            assert window.isVisible()
            press(window, Qt.Key.Key_Q, CTRL)
            assert ended and not window.isVisible()
        async with opened(running_service.desk) as again:
            assert again.tray.keep.isChecked()

    drive(qapp, scenario)


def test_a_window_that_begins_in_the_tray_shows_itself_where_there_is_none(
    qapp: QApplication, running_service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            for available in (True, False):
                window.hide()
                monkeypatch.setattr(
                    QSystemTrayIcon, "isSystemTrayAvailable", lambda available=available: available
                )
                window.show_without_tray()
                assert window.isVisible() is not available

    drive(qapp, scenario)


def test_without_a_tray_closing_ends_the_window(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            ended: list[bool] = []
            window.closed.connect(lambda: ended.append(True))
            window.tray.keep.setChecked(True)
            window.close()
            assert ended

    drive(qapp, scenario)


def test_the_service_is_stopped_from_the_tray_and_the_window_goes_with_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            assert isinstance(window, Window)
            window.tray.stop.trigger()
            await until(lambda: not window.isVisible(), "the window to close")
            await until(lambda: not answers(running_service.desk), "the service to end")

    drive(qapp, scenario)
