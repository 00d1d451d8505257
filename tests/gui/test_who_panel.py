"""The page “Who is my agent” on a real service."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, jobs, memory, upkeep, workspace
from memdesk.client.client import Client
from memdesk.gui import language, look
from memdesk.gui.panels import who_parts
from memdesk.gui.panels.who_panel import WhoPanel
from memdesk.gui.shell.top_bar import LiveAgent
from memdesk.gui.widgets import Text
from memdesk.gui.widgets.paint import text_width
from memdesk.model.agent import CONTRADICTIONS, RULES
from memdesk.model.browse import ListFacts
from memdesk.model.curation import EditFact
from memdesk.model.interop import AskImport
from memdesk.model.job import NamedJob
from memdesk.model.remember import NewTurn
from memdesk.model.status import AskJob
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.hands import deed

FOLDER = {
    "IDENTITY.md": "# IDENTITY\n\n- **Name:** Kit\n- **Role:** keeps the harbour's inbox\n",
    "USER.md": "# USER\n\n- Never send mail to a new address without asking\n",
    "MEMORY.md": "# MEMORY\n\n- The pool size is 25\n- The pool size is 40\n",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "kit"
    folder.mkdir()
    for name, text in FOLDER.items():
        (folder / name).write_text(text)
    return folder


def test_the_page_says_what_to_do_then_who_came_and_a_rule_is_retired_from_it(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk) as owner, opened(running_service.desk) as window:
            panel = window.open_panel("who")
            assert isinstance(panel, WhoPanel)
            await until(lambda: panel.found is not None and not panel.found.parts, "an empty desk's words")
            await owner.call(workspace.IMPORT, AskImport(path=str(home)))
            await until(lambda: panel.at == "Kit", "the agent that came")
            assert panel.headline.text() == "Role: keeps the harbour's inbox"
            contrary = panel.parts[CONTRADICTIONS].list
            await until(lambda: contrary.model().rowCount() == 1, "what the checkup after the import found")
            rules = panel.parts[RULES].list
            await until(lambda: rules.model().rowCount() == 1, "its rule")
            rules.setFocus(Qt.FocusReason.TabFocusReason)
            assert window.inspector.memory_id == ""
            press(rules, Qt.Key.Key_Return)
            await until(lambda: window.inspector.memory_id == rules.record().id, "the rule in the inspector")
            press(rules, Qt.Key.Key_Delete)
            await until(lambda: rules.model().rowCount() == 0, "the rule to go")
            window.session.undo()
            await until(lambda: rules.model().rowCount() == 1, "the rule to come back")
            click(panel.take_back)
            await until(lambda: panel.found is not None and not panel.found.parts, "the import taken back")

    drive(qapp, scenario)


def test_an_act_says_which_file_it_changed_and_the_keyboard_stays_on_the_page_after_the_import_is_undone(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk) as owner, opened(running_service.desk) as window:
            await owner.call(workspace.IMPORT, AskImport(path=str(home)))
            panel = window.open_panel("who")
            assert isinstance(panel, WhoPanel)
            await until(panel.take_back.isVisible, "the agent that came")
            (fact,) = (await owner.call(memory.FACTS, ListFacts(text="pool size is 40"))).rows
            edit = EditFact(fact_id=fact.id, claim="The pool size is 50")
            await window.session.do(curation.EDIT_FACT, edit)
            assert deed(window) == "Edited “The pool size is 50”, also in MEMORY.md"
            assert "size is 50" in (home / "MEMORY.md").read_text()
            panel.take_back.setFocus()
            click(panel.take_back)
            await until(lambda: not panel.take_back.isVisible(), "the import taken back")
            assert panel.agent.hasFocus() and panel.effect.isHidden()
            await until(lambda: "“MEMORY.md” stays. Changed since by " in deed(window), "what stays")
            assert "person:" not in deed(window)

    drive(qapp, scenario)


def test_the_page_looks_for_what_a_checkup_found_only_while_one_is_due(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk) as owner, opened(running_service.desk) as window:
            await owner.call(jobs.PAUSE, NamedJob(name="checkup"))
            await owner.call(workspace.IMPORT, AskImport(path=str(home)))
            panel = window.open_panel("who")
            assert isinstance(panel, WhoPanel)
            await until(lambda: panel.found is not None and panel.found.uncompared, "facts that wait")
            await until(lambda: panel._task is None, "the load")
            assert not panel._checked.isActive()
            await owner.call(jobs.RESUME, NamedJob(name="checkup"))
            await panel.reloaded()
            assert not panel.found or not panel.found.uncompared or panel._checked.isActive()

    drive(qapp, scenario)


def test_a_desk_that_was_never_visited_begins_with_the_agent_that_was_imported(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk, agent="Kit") as kit, Client(running_service.desk) as owner:
            job = await owner.call(workspace.IMPORT, AskImport(path=str(home)))
            while job.open:
                job = await owner.call(upkeep.JOB, AskJob(id=job.id))
            async with opened(running_service.desk, panel="") as window:
                await until(lambda: window.stage.sides == ("who",), "the agent that came")
                window.open_panel("review")
                await kit.call(memory.STORE_TURN, NewTurn(content="Ordered ropes", agent_id="Kit"))
                window.session.refresh_status()
                live = window.top_bar.live
                await until(
                    lambda: any(each.isVisible() for each in live.findChildren(LiveAgent)), "Kit at work"
                )
                room = live.width()
                window.session.status_changed.emit(window.session.status)
                assert live.sizeHint().width() == room == live.width(), "no flicker when they are shown again"
                click(next(each for each in live.findChildren(LiveAgent) if each.isVisible()))
                await until(lambda: window.stage.sides == ("who",), "Kit's page again")

    drive(qapp, scenario)


@pytest.mark.parametrize("spoken", ["en", "zh"])
def test_a_million_facts_of_a_project_have_room_for_their_words(
    qapp: QApplication, spoken: language.Language
) -> None:
    look.apply_theme(qapp, "dark")
    language.use(spoken)
    wide = text_width(who_parts.facts_words(1_000_000), look.font(12, tabular=True))
    assert wide <= who_parts.COUNT_PX - 10


def test_where_all_facts_are_in_the_projects_shown_none_are_said_to_be_elsewhere(
    qapp: QApplication, running_service: Service, home: Path
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk) as owner, opened(running_service.desk) as window:
            panel = window.open_panel("who")
            assert isinstance(panel, WhoPanel)
            await owner.call(workspace.IMPORT, AskImport(path=str(home)))
            await until(lambda: panel.at == "Kit" and panel.parts["projects"].list.model().rowCount(), "it")
            assert not any("elsewhere" in each.text() for each in panel.findChildren(Text))

    drive(qapp, scenario)
