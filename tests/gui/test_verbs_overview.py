"""The overview by pointer and by keyboard: everything it shows leads somewhere, and what changed is taken back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import context, memory, upkeep
from memdesk.client.client import Client
from memdesk.gui.panels import overview_layers
from memdesk.gui.panels.jobs_panel import JobsPanel
from memdesk.gui.panels.overview_panel import Agent
from memdesk.model.browse import ListFacts
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.session import NewSession
from memdesk.model.status import ChangeSettings
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import CTRL, SHIFT, by_rail, click_row, deed, is_open, stops


def test_layers_questions_and_jobs_are_opened_by_pointer(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await by_rail(window, "overview")
            for name, leads in (("episodic", "conversations"), ("semantic", "facts")):
                click_row(panel.table, list(overview_layers.NAMES).index(name), twice=True)
                await until(lambda leads=leads: is_open(window, leads), leads)
                await by_rail(window, "overview")
            click_row(panel.aside.questions, "Promotions")
            await until(lambda: is_open(window, "review"), "the inbox")
            await by_rail(window, "overview")
            click(panel.aside.review)
            await until(lambda: is_open(window, "review"), "the whole inbox")
            await by_rail(window, "overview")
            job = panel.aside.jobs.rows.row(2).name
            click_row(panel.aside.jobs, 2)
            await until(lambda: is_open(window, "jobs"), "the jobs")
            jobs = window.stage.panel
            assert isinstance(jobs, JobsPanel)
            await until(lambda: jobs.table.record() and jobs.table.record().name == job, "the job")
            await by_rail(window, "overview")
            click(panel.aside.salience)
            await until(lambda: is_open(window, "salience"), "the heatmap")

    drive(qapp, scenario)


def test_a_change_is_opened_undone_and_seen_by_pointer_and_by_key(
    qapp: QApplication, full_service: Service
) -> None:
    claim = "The ferry leaves at noon"

    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await agent.call(memory.LEARN_FACT, NewFact(claim="The ferry is white", channel="harbour"))
            new = NewFact(claim=claim, channel="harbour", agent_id="Forge")
            await agent.call(memory.LEARN_FACT, new)
            panel = await by_rail(window, "overview")
            await until(lambda: claim in [row.title for row in panel.changes_model.rows()], "the change")
            place = [row.title for row in panel.changes_model.rows()].index(claim)
            click_row(panel.changes, place, 1)
            await until(lambda: window.inspector.isVisible(), "the inspector")
            press(panel.changes, "j")
            assert panel.changes.currentIndex().row() == place + 1
            click_row(panel.changes, place, panel.changes_model.columnCount() - 1)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            held = await agent.call(memory.FACTS, ListFacts(text="ferry"))
            assert claim not in [row.claim for row in held.rows]
            click(panel.mark)
            await until(panel._none.isVisible, "nothing new")
            await agent.call(memory.LEARN_FACT, NewFact(claim="The ferry is late", channel="harbour"))
            await until(lambda: panel.changes_model.rowCount() == 1, "what came since")
            panel.changes.setFocus()
            press(panel.changes, Qt.Key.Key_Escape, SHIFT)
            await until(panel._none.isVisible, "nothing new again")

    drive(qapp, scenario)


def test_an_agent_keeps_the_keyboard_while_it_writes_and_leads_to_its_talk(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            new = NewSession(channel="tidepool", agent_id="Forge", title="Pooling", window_tokens=400)
            held = await agent.call(context.CREATE_SESSION, new)

            async def say(words: str) -> None:
                turn = NewTurn(
                    content=words, channel="tidepool", conversation_id=held.conversation_id, agent_id="Forge"
                )
                await agent.call(memory.STORE_TURN, turn)

            await say("We use PostgreSQL.")
            panel = await by_rail(window, "overview")
            press(window, Qt.Key.Key_R, CTRL)
            await until(lambda: list(stops(panel.aside.agents)), "the agent")
            for _ in range(90):
                press(QApplication.focusWidget() or panel, Qt.Key.Key_Tab)
                if isinstance(QApplication.focusWidget(), Agent):
                    break
            first = QApplication.focusWidget()
            assert isinstance(first, Agent)
            await say("p99 doubles above 30 connections.")
            await until(lambda: first not in panel.aside.agents.findChildren(Agent), "the new line")
            line = panel.aside.agents.findChildren(Agent)[0]
            assert line.hasFocus()
            press(line, Qt.Key.Key_Return)
            await until(lambda: is_open(window, "conversations"), "the talk by key")
            await by_rail(window, "overview")
            await until(lambda: panel.aside.agents.findChildren(Agent), "the agent")
            await activated(window)
            click(panel.aside.agents.findChildren(Agent)[-1])
            await until(lambda: is_open(window, "conversations"), "the talk by pointer")
            assert (await agent.call(memory.FACTS, ListFacts())).total == 0

    drive(qapp, scenario)


def test_coming_by_keyboard_leaves_what_stands_beside_until_a_change_is_asked_for(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            for claim in ("The ferry is white", "The ferry is late"):
                await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel="harbour"))
            panel = await by_rail(window, "overview")
            await until(lambda: panel.changes_model.rowCount() >= 2, "the changes")
            window.enter_panel("overview")
            await until(panel.changes.hasFocus, "the keyboard")
            assert panel.aside.isVisible() and not window.inspector.isVisible()
            press(panel.changes, Qt.Key.Key_Return)
            await until(window.inspector.isVisible, "the change by Enter")
            press(panel.changes, Qt.Key.Key_Escape)
            await until(panel.aside.isVisible, "what stands beside")
            press(panel.changes, "j")
            await until(window.inspector.isVisible, "the next change by its key")

    drive(qapp, scenario)


def test_what_fades_soonest_is_pinned_by_pointer_and_fades_again_after_an_undo(
    qapp: QApplication, running_service: Service
) -> None:
    claims = ("The ferry is white", "The ferry is late")

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            soon = ChangeSettings(values={"decay_per_day": 0.5, "fade_below": 0.2})
            await owner.call(upkeep.CHANGE_SETTINGS, soon)
            for claim in claims:
                await owner.call(memory.LEARN_FACT, NewFact(claim=claim, channel="harbour"))
            panel = await by_rail(window, "overview")

            def fading() -> set[str]:
                return {row.title for row in panel.aside.fading.model().rows()}

            await until(lambda: fading() == set(claims), "what fades")
            pin = panel.aside.fading.model().columnCount() - 1
            click_row(panel.aside.fading, claims[0], pin)
            await until(lambda: fading() == {claims[1]}, "the pinned one to be gone")
            held = await owner.call(memory.FACTS, ListFacts())
            assert {row.claim: row.pinned for row in held.rows} == {claims[0]: True, claims[1]: False}
            assert not window.inspector.isVisible()
            await activated(window)
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: fading() == set(claims), "it again")
            click_row(panel.aside.fading, claims[1])
            await until(window.inspector.isVisible, "the other in the inspector")

    drive(qapp, scenario)
