"""The effect of an unsaved correction in the inspector, and the question kept from it, on a real service."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import memory, questions, recall
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.panels.lab_panel import LabPanel
from memdesk.gui.panels.review_panel import ReviewPanel
from memdesk.gui.widgets import Text
from memdesk.model.questions import AskQuestions, RunQuestions
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import click, drive, press, shared, until
from tests.gui.hands import deed

WAS, NOW = "Raw readings are kept for 30 days", "Raw readings are kept for 14 days"


def test_a_correction_shows_which_recalls_it_alters_and_one_is_kept_as_a_test(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            learned = await agent.call(memory.LEARN_FACT, NewFact(claim=WAS, channel="bay"))
            await agent.call(recall.SEARCH, Query(text="how long are raw readings kept", channel="bay"))
            window.inspector.show_memory(learned.id)
            await until(lambda: window.inspector.findChild(MemoryView) is not None, "the fact")
            view = window.inspector.findChild(MemoryView)
            assert view is not None
            view.edit()
            form, effect = view.form, view.effect
            assert isinstance(form, EditForm) and effect is not None
            form.claim.set_text(NOW)
            await until(lambda: effect.found is not None and effect.found.changed, "the altered recall")
            assert effect.keep.isVisible()
            click(effect.keep)
            form.submit()
            session = window.session

            async def kept() -> list[str]:
                return [row.expects for row in (await session.call(questions.LIST, AskQuestions())).rows]

            assert f"must tell “{NOW}”" in effect.test.text()
            found: list[str] = []
            for _ in range(200):
                found = await kept()
                if found:
                    break
            assert found == [NOW]
            await until(lambda: view.form is None, "the correction")
            window.toggle_inspector()  # The news need its room.
            panel = window.open_panel("review")
            assert isinstance(panel, ReviewPanel)
            window.session.undo()  # The service asks the kept questions again by itself.
            await until(lambda: NOW in panel.since.lost.text(), "the lost answer in Today")
            said = window.notice.sentence
            await until(
                lambda: window.notice.isVisible() and f"no longer tells “{NOW}”" in said.text(), "it said"
            )
            lab = window.open_panel("lab")
            assert isinstance(lab, LabPanel)
            await until(lambda: lab.asking.channel.value(), "the lab")
            (row,) = (await session.call(questions.LIST, AskQuestions())).rows
            (line,) = lab.tests.menu_of((row,)).actions()
            assert line.text().startswith("✗ how long are raw readings kept")
            ask, forget = line.menu().actions()
            ask.trigger()
            await until(lambda: lab.hits.rows.rowCount(), "the answer")
            assert (lab.asking.channel.value(), lab.asking.agent.value()) == ("bay", "Forge")
            window.session.redo()
            await until(lambda: not deed(window).startswith("Undone"), "the redo")
            line_says = window.status_line._said
            await until(lambda: "Kept questions answered: 1" in line_says.text(), "what was gained")
            forget.trigger()
            await until(lambda: deed(window).startswith("Forgot the kept question"), "the end of the test")
            assert await kept() == []

    drive(qapp, scenario)


def test_an_act_on_a_set_shows_the_lines_that_recalls_lose_and_the_test_that_is_kept_holds_after_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            for claim in (WAS, "Raw readings go to the attic", "The office keeps raw fish"):
                await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel="bay"))
            await agent.call(recall.SEARCH, Query(text="raw readings", channel="bay"))
            session, sheet = window.session, window.act_sheet
            sheet.open("all facts about readings -> quarantine")
            effect = sheet.effect
            await until(lambda: effect.found is not None and effect.found.changed, "the altered recall")
            said = [each.text() for each in effect.findChildren(Text) if each.isVisible()]
            assert f"no longer told: {WAS}" in said and effect.says.text().endswith("the last 7 days.")
            click(effect.keep)
            press(sheet.field, Qt.Key.Key_Return)
            await until(lambda: not sheet.isVisible(), "the act")
            await session.call(questions.RUN, RunQuestions())
            (row,) = (await session.call(questions.LIST, AskQuestions())).rows
            assert row.passes and row.text == "raw readings" and row.expects not in (WAS, NOW)
            sheet.open("all facts about readings -> quarantine")
            await until(lambda: sheet.note.text().startswith("No memory is in this set"), "the empty set")
            await until(effect.isHidden, "the effect gone with it")

    drive(qapp, scenario)


def test_the_bar_of_the_chosen_rows_previews_their_effect_and_a_narrow_one_says_it_in_a_sentence(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            for claim in (WAS, "Raw readings go to the attic"):
                await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel="bay"))
            await agent.call(recall.SEARCH, Query(text="raw readings", channel="bay"))
            panel = window.open_panel("facts")
            assert isinstance(panel, FactsPanel)
            await until(lambda: panel.model.rowCount() == 2, "the facts")
            panel.table.selectAll()
            effect, note = panel.sheet.effect, panel.sheet.progress
            for is_wide in (True, False):
                if not is_wide:
                    window.resize(1100, 700)
                    window.toggle_inspector()
                panel.begin("retire")
                await until(lambda: effect.found is not None and effect.found.changed, "the altered recall")
                assert effect.isVisible() == is_wide and ("asked again" in note.text()) != is_wide
                press(panel.sheet, Qt.Key.Key_Escape)
                await until(lambda: effect.found is None, "the table again")

    drive(qapp, scenario)
