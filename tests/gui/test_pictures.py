"""The pictures that one command makes: of each panel, in both sizes and themes, and with something in them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.client.find import ensure_service
from memdesk.files.places import Desk
from memdesk.gui import look
from memdesk.gui.panels import PANELS
from memdesk.gui.widgets import Ground, Text
from memdesk.gui.widgets.paint import draw_text
from memdesk.model.remember import NewFact
from tests.gui.driving import drive

PACKAGING = Path(__file__).parent.parent.parent / "packaging"
COLOURS = 40
"""A blank window has two or three; letters have edges of many shades."""


def test_a_panel_is_drawn_in_both_sizes_and_themes(
    qapp: QApplication, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(PACKAGING)
    pictures = import_module("pictures")
    made: list[Path] = []

    async def scenario() -> None:
        desk = Desk(short_folder / "sample")
        await ensure_service(desk)
        async with Client(desk, agent="Forge") as agent:
            await agent.call(memory.LEARN_FACT, NewFact(claim="The crane lifts 12 tonnes", channel="harbour"))
        order = pictures.Order(out=short_folder / "out", only=["facts"])
        made.extend(await pictures.drawn(short_folder, "en", order))

    drive(qapp, scenario)
    drawn = {file.name: QImage(str(file)) for file in made}
    assert {name: (image.width(), image.height()) for name, image in drawn.items()} == {
        f"facts-{theme}-en-{wide}x{high}.png": (wide, high)
        for wide, high in ((1440, 900), (1100, 700))
        for theme in ("dark", "light")
    }
    assert all(len(colours(image)) > COLOURS for image in drawn.values())
    ground = {
        image.pixelColor(image.width() // 2, image.height() // 2).lightness() > 128
        for image in drawn.values()
    }
    assert ground == {True, False}
    whole = pictures.sheet(made)
    assert len(colours(whole)) > COLOURS
    assert (short_folder / "out" / "flaws-en.txt").read_text().endswith(" ms: facts\n")


def test_flaws_of_a_window_are_seen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PACKAGING)
    flaws = import_module("flaws")
    look.apply_theme(qapp, "dark")

    class Painted(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            painter = QPainter(self)
            painter.fillRect(self.rect(), look.c("stage"))
            draw_text(painter, QRectF(0, 0, 60, 16), "a claim that is too long", look.font(12), look.c("t1"))
            draw_text(painter, QRectF(0, 20, 60, 16), "faint", look.font(12), look.c("line"))
            draw_text(painter, QRectF(0, 40, 60, 16), "one", look.font(12), look.c("t1"))
            draw_text(painter, QRectF(4, 42, 60, 16), "other", look.font(12), look.c("t1"))
            draw_text(painter, QRectF(0, 60, 60, 16), "sound", look.font(12), look.c("t1"))

    window = Ground("stage")
    window.resize(300, 200)
    Painted(window).setGeometry(0, 0, 60, 80)
    Text("narrow label", parent=window).setGeometry(100, 0, 20, 16)
    Text("outside", parent=window).setGeometry(280, 0, 60, 16)
    QToolButton(window).setGeometry(100, 100, 20, 20)
    window.show()
    seen = "\n".join(flaws.grabbed(window)[1])
    for words in (
        "cut without a tip: “a claim",
        "1.3:1 (#282c33 on #16181c): “faint”",
        "texts over each other: “one” and “other”",
        "cut: “narrow label”",
        "outside its parent: Text “outside”",
        "button without a name",
    ):
        assert words in seen, f"{words} in {seen}"
    assert "sound" not in seen
    window.close()


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


def test_every_panel_has_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PACKAGING)
    assert {panel.name for panel in PANELS} <= set(import_module("poses").poses())
