"""Another theme while the window is open: every panel takes the new colours, whenever it was made, wherever it goes."""

from __future__ import annotations

import numpy
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QMenu, QScrollArea, QWidget

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui import look
from memdesk.gui.shell.panel import Panel
from memdesk.gui.window import Window
from memdesk.model.remember import NewTurn
from tests.conftest import Service
from tests.gui.driving import drive, opened, until
from tests.gui.test_facts import learn

ROLE = QPalette.ColorRole
ROLES = (ROLE.WindowText, ROLE.Text, ROLE.Base, ROLE.PlaceholderText, ROLE.Highlight, ROLE.Link)
GROUNDS = ("win", "stage", "panel", "ctl", "hover", "sel", "line")
STRAY_PIXELS = 40
"""Where letters are smoothed some pixels may come to a colour of the other theme by chance."""


def stale(panel: Panel, tokens: set[str]) -> set[str]:
    """Widgets whose palette has one of these colours."""
    return {
        f"{type(each).__name__} “{each.accessibleName()}” {role.name} {color}"
        for each in (panel, *panel.findChildren(QWidget))
        # What an area shows is painted with the area's own palette.
        if not is_viewport(each)
        for role in ROLES
        if (color := each.palette().color(role).name().removeprefix("#").upper()) in tokens
    }


def is_viewport(widget: QWidget) -> bool:
    area = widget.parent()
    return isinstance(area, QAbstractScrollArea) and area.viewport() is widget


def painted(panel: Panel, grounds: set[str]) -> dict[str, int]:
    """How many pixels of a panel have one of these colours."""
    image = panel.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = numpy.frombuffer(image.constBits(), numpy.uint32) & 0xFFFFFF
    counted = {name: numpy.count_nonzero(pixels == int(name, 16)) for name in grounds}
    return {name: number for name, number in counted.items() if number > STRAY_PIXELS}


async def seen(window: Window, name: str) -> Panel:
    panel = window.open_panel(name)
    await until(lambda: panel._task is None and panel.isVisible(), f"{name} to be loaded")
    return panel


def test_every_panel_takes_another_theme_and_keeps_it_on_the_other_side(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent, "Every migration needs a down step")
            await agent.call(
                memory.STORE_TURN, NewTurn(content="It does.", title="A talk", channel="tidepool")
            )
            panels = [await seen(window, name) for name in window.stage.names]
            try:
                for theme, former in (("light", look.DARK), ("dark", look.LIGHT)):
                    now = look.LIGHT if theme == "light" else look.DARK
                    look.apply_theme(qapp, theme)  # type: ignore[arg-type]
                    gone = set(former.values()) - set(now.values())
                    grounds = {former[name] for name in GROUNDS} & gone
                    for panel in panels:
                        assert stale(panel, gone) == set(), panel.name
                        if theme == "dark":  # Each was on the other side by then.
                            await seen(window, panel.name)
                            assert painted(panel, grounds) == {}, panel.name
                            continue
                        # A panel that comes to the other side has another parent, for which Qt dresses it anew.
                        beside = next(name for name in window.stage.names if name != panel.name)
                        window.open_panel(beside)
                        window.stage.open(panel.name, beside=True)
                        await seen(window, panel.name)
                        assert stale(panel, gone) == set(), f"{panel.name} beside another"
                        assert painted(panel, grounds) == {}, panel.name
                        window.split()
            finally:
                look.apply_theme(qapp, "dark")

    drive(qapp, scenario)


def test_another_theme_reaches_menus_scroll_bars_and_hidden_windows_and_styles_no_other_widget_again(
    qapp: QApplication,
) -> None:
    """To style all again takes seconds on a window with every panel open; the keyboard is dead meanwhile."""

    class Counted(QObject):
        styled = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.StyleChange:
                Counted.styled += 1
            return False

    look.apply_theme(qapp, "dark")
    menu, hidden, area = QMenu(), QWidget(), QScrollArea()
    menu.addAction("Undo")
    inside = QWidget()
    inside.setFixedSize(900, 900)
    area.setWidget(inside)
    counted, labels = Counted(), [QLabel("x", hidden) for _ in range(20)]
    for each in labels:
        each.installEventFilter(counted)
    area.resize(300, 300)
    area.show()
    try:
        for theme, tokens in (("light", look.LIGHT), ("dark", look.DARK)):
            look.apply_theme(qapp, theme)  # type: ignore[arg-type]
            menu.adjustSize()
            ground = menu.grab().toImage().pixelColor(4, 4).name()
            assert ground.upper() == f"#{tokens['panel']}", "the menu"
            bar = area.verticalScrollBar()
            handle = bar.grab().toImage().pixelColor(bar.width() // 2, 16).name()
            assert handle.upper() == f"#{tokens['line2']}", "the scroll bar"
            words = {each.palette().color(ROLE.WindowText).name().upper() for each in labels}
            assert words == {f"#{tokens['t1']}"}, "the labels of a window not shown"
        assert Counted.styled == 0
    finally:
        for made in (menu, hidden, area):
            made.close()
