"""Acting on a set of memories from the search, in words: previewed, carried out as one run, taken back as one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.window import Window
from memdesk.model.timeline import AskTable
from tests.conftest import Service
from tests.gui.driving import drive, press, shared, until
from tests.gui.hands import CTRL, deed
from tests.gui.test_facts import learn


async def states(window: Window) -> dict[str, str]:
    page = await window.session.call(memory.TABLE, AskTable(state="all"))
    return {row.title: row.state for row in page.rows}


def test_a_set_is_acted_on_from_the_search_and_taken_back_with_one_key(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            for claim in ("The old flat is in Coimbra", "The old flat has two rooms", "The lift is slow"):
                await learn(agent, claim)
            panel = window.open_panel("facts")
            assert isinstance(panel, FactsPanel)
            panel.take_focus()
            await until(panel.table.hasFocus, "the table")
            before, sheet = await states(window), window.act_sheet
            press(window, Qt.Key.Key_K, CTRL)
            await until(window.search.field.hasFocus, "the search")
            press(window.search.field, "all facts about the old flat -> past")
            press(window.search.field, Qt.Key.Key_Return)
            await until(sheet.isVisible, "the sheet")
            # Enter before the preview carries nothing out.
            press(sheet.field, Qt.Key.Key_Return)
            await until(sheet.act.isEnabled, "the preview")
            assert sheet.act.text() == "Mark as past 2" and await states(window) == before
            cells = [sheet.model.index(row, 3).data() for row in range(2)]
            assert cells == ["current → past"] * 2 and sheet.understood.text().startswith("Understood: Mark")
            press(sheet.field, "t")
            assert not sheet.act.isEnabled()
            press(sheet.field, Qt.Key.Key_Backspace)
            await until(sheet.act.isEnabled, "the preview again")
            press(sheet.field, Qt.Key.Key_Return)
            await until(lambda: not sheet.isVisible(), "the act")
            assert deed(window) == "Marked 2 facts as past"
            changed = {title: state for title, state in (await states(window)).items() if state == "past"}
            assert len(changed) == 2 and all("old flat" in title for title in changed)
            assert panel.table.hasFocus()
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            assert await states(window) == before

    drive(qapp, scenario)


def test_words_that_are_not_understood_are_named_and_nothing_can_be_carried_out(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent, "The old flat is in Coimbra")
            sheet = window.act_sheet
            sheet.open("all facts about the flat -> shred")
            await until(lambda: "“shred”" in sheet.note.text(), "the reason")
            assert not sheet.act.isEnabled() and sheet.understood.text().endswith("about “flat”.")
            press(sheet.field, Qt.Key.Key_Escape)
            assert not sheet.isVisible()

    drive(qapp, scenario)
