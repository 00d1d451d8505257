"""The recall lab by pointer and by keyboard: ask, turn, find out why not, mend it, save it, take it back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import upkeep
from memdesk.client.client import Client
from memdesk.gui.panels.lab.lab_hits import CutRow, HitRow
from memdesk.gui.panels.lab.lab_question import EVERY
from memdesk.gui.panels.lab_panel import LabPanel
from memdesk.gui.widgets import Control
from memdesk.gui.window import Window
from memdesk.model.status import Nothing
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.filled import HERE
from tests.gui.hands import CTRL, by_rail, click_row, deed, pick

ASKED = "how much does the crane lift"


async def lab(window: Window) -> LabPanel:
    panel = await by_rail(window, "lab")
    assert isinstance(panel, LabPanel)
    await until(lambda: panel.asking.kept and panel.asking.channel.value() == EVERY, "the settings")
    panel.asking.channel.set_value(HERE)
    return panel


def came(panel: LabPanel) -> list[HitRow]:
    return [row for row in panel.hits.rows.rows() if isinstance(row, HitRow)]


async def asked(panel: LabPanel, words: str = ASKED) -> None:
    click(panel.asking.text)
    press(panel.asking.text, words)
    click(panel.asking.ask)
    await until(lambda: came(panel), "hits")


async def setting(client: Client, name: str) -> object:
    found = await client.call(upkeep.SETTINGS, Nothing())
    return next(row.value for row in found.rows if row.name == name)


def test_a_question_is_asked_as_an_agent_in_a_channel_by_pointer(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await lab(window)
            await asked(panel)
            assert panel.outcome.line.text().startswith(f"{len(came(panel))} hits")
            await pick(panel.asking.limit, "5")
            await until(lambda: len(came(panel)) == 5, "the best five")
            await pick(panel.asking.agent, "Forge", by_key=True)
            await pick(panel.asking.channel, "_global", by_key=True)
            await until(lambda: {row.hit.channel for row in came(panel)} == {"_global"}, "that channel alone")
            await until(lambda: "crane" in panel.context_text.paper.text(), "the text as told")
            await pick(panel.context_text.format, "OpenLegion")
            await until(lambda: panel.context_text.format.value() == "openlegion", "another format")
            click_row(panel.hits, 0, twice=True)
            await until(lambda: window.inspector.memory_id == came(panel)[0].id, "the hit in the inspector")

    drive(qapp, scenario)


def test_a_weight_and_a_technique_are_turned_saved_and_taken_back(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            panel = await lab(window)
            await asked(panel)
            expands = await setting(owner, "recall_expansion")
            weighs = await setting(owner, "weight_facts")
            click(panel.asking.techniques["expansion"])
            click(panel.asking.weights_shown)
            slider = panel.asking.weights["facts"].slider
            slider.setFocus()
            press(slider, Qt.Key.Key_Left)
            await until(panel.save.isEnabled, "something to save")
            click(panel.back)
            await until(lambda: not panel.save.isEnabled(), "everything as saved")
            click(panel.asking.techniques["expansion"])
            press(slider, Qt.Key.Key_Left)
            await until(panel.save.isEnabled, "something to save")
            click(panel.save)
            await until(lambda: deed(window) == "Saved 2 settings of recall", "the deed")
            assert await setting(owner, "recall_expansion") is not expands
            assert await setting(owner, "weight_facts") != weighs
            press(panel.hits, Qt.Key.Key_Z, CTRL)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            assert await setting(owner, "recall_expansion") is expands
            assert await setting(owner, "weight_facts") == weighs

    drive(qapp, scenario)


def test_why_a_memory_does_not_come_is_asked_by_its_words_and_a_way_is_tried(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await lab(window)
            await asked(panel)
            click(panel.why.field)
            press(panel.why.field, "shed key")
            press(panel.why.field, Qt.Key.Key_Return)
            await until(lambda: offered(panel), "what is meant")
            click(offered(panel)[0])
            await until(lambda: panel.why.explanation is not None, "the way of the memory through recall")
            left = [n for n, row in enumerate(panel.hits.rows.rows()) if isinstance(row, CutRow)]
            if left:
                click_row(panel.hits, left[0])
                wanted = panel.hits.record().id
                await until(
                    lambda: panel.why.explanation is not None and panel.why.explanation.id == wanted,
                    "why not",
                )
            panel.hits.setFocus()
            press(panel.hits, "w")
            assert not panel.why.isVisible()
            click(panel.why_shown)
            assert panel.why.isVisible()

    drive(qapp, scenario)


def offered(panel: LabPanel) -> list[Control]:
    return [
        each for each in panel.why.findChildren(Control) if "shed key" in each.text() and each.isVisible()
    ]
