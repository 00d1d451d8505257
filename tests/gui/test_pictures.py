"""The pictures that one command makes: of each panel, in both sizes and themes, and with something in them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.client.find import ensure_service
from memdesk.files.places import Desk
from memdesk.gui.panels import PANELS
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
        made.extend(await pictures.drawn(short_folder, "en", ["facts"], short_folder / "out"))

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


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


def test_every_panel_has_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PACKAGING)
    assert {panel.name for panel in PANELS} <= set(import_module("poses").poses())
