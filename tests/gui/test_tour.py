"""The first steps: what an empty desk offers once, and the tour, which is walked, left, resumed and asked for again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.shell.body import Memo
from memdesk.gui.shell.first_steps import STEPS, card_position
from memdesk.gui.window import LEAST
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until


@pytest.mark.parametrize("size", [(1440, 900), LEAST])
def test_the_tour_points_at_each_part_and_ends_for_good(
    qapp: QApplication, running_service: Service, size: tuple[int, int]
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        Memo.of(desk).tour = 0
        async with opened(desk, size=size) as window:
            tour = window.tour
            await until(tour.isVisible, "the tour")
            for place, step in enumerate(STEPS):
                assert (
                    tour.number.text() == f"{place + 1} of {len(STEPS)}" and tour.title.text() == step.title
                )
                assert window.stage.panel is not None and window.stage.panel.name == step.panel
                part = {"stage": window.stage, "rail": window.rail, "top": window.top_bar}.get(
                    step.part, window.status_line
                )
                middle = part.mapTo(window, part.rect().center())
                assert tour.frame.geometry().contains(middle)
                assert window.rect().contains(tour.geometry())
                assert step.part == "stage" or not tour.geometry().contains(middle)
                press(tour, Qt.Key.Key_Right)
            assert not tour.isVisible() and not tour.frame.isVisible()
        async with opened(desk) as window:
            assert window.tour.isHidden()
            window.tour.begin()
            assert window.tour.isVisible()

    drive(qapp, scenario)


def test_a_tour_that_was_left_goes_on_where_it_was_and_esc_ends_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent:
            await agent.call(memory.LEARN_FACT, NewFact(claim="The crane lifts 12 tonnes", channel="harbour"))
        async with opened(desk) as window:
            window.tour.begin()
            click(window.tour.next)
            click(window.tour.next)
            press(window.tour, Qt.Key.Key_Left)
            assert window.tour.title.text() == STEPS[1].title
        async with opened(desk) as window:
            await until(window.tour.isVisible, "the tour")
            assert window.tour.title.text() == STEPS[1].title
            press(window.tour.next, Qt.Key.Key_Escape)
            assert window.tour.isHidden()
        assert Memo.of(desk).tour == -1

    drive(qapp, scenario)


def test_a_card_stands_where_there_is_room() -> None:
    window, card = QRect(0, 0, 1440, 900), QRect(0, 0, 340, 150)
    assert card_position(QRect(0, 44, 184, 830), card, window) == QPoint(183 + 14, 58)
    assert card_position(QRect(0, 874, 1440, 26), card, window).y() < 874 - 150
    assert card_position(QRect(500, 8, 430, 28), card, window).x() > 929
    assert window.contains(card.translated(card_position(QRect(184, 44, 1256, 830), card, window)))
