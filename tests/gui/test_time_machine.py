"""The dialog of memories that differ between two moments: from the audit, chosen by keyboard, put back and undone."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, goals, memory
from memdesk.gui.inspectors.event import EventView
from memdesk.gui.inspectors.time_machine import TimeMachine
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.curation import EditFact, Retire
from memdesk.model.goal import NewGoal
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import click, drive, press, shared, until
from tests.gui.hands import CTRL, deed, pick, search


async def claims(window: Window) -> set[str]:
    return {row.claim for row in (await window.session.call(memory.FACTS, ListFacts())).rows}


async def opened(window: Window) -> TimeMachine:
    await until(lambda: window.findChild(TimeMachine) is not None, "the dialog")
    dialog = window.findChild(TimeMachine)
    assert dialog is not None
    await until(lambda: dialog.model.rowCount() > 0, "the differences")
    return dialog


def test_facts_are_compared_with_before_a_change_and_a_chosen_one_is_put_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            crane, shed = [
                (await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel="quay"))).id
                for claim in ("The crane lifts 12 tonnes", "The shed is locked")
            ]
            call = window.session.call
            edited = await call(curation.EDIT_FACT, EditFact(fact_id=crane, claim="The crane lifts 2 tonnes"))
            await call(curation.RETIRE, Retire(id=shed))
            window.inspector.show_event(edited.change)
            await until(lambda: isinstance(window.inspector.view, EventView), "the event")
            view = window.inspector.view
            assert isinstance(view, EventView)
            click(view.compare)
            dialog = await opened(window)
            table = dialog.table
            assert [row.id for row in dialog.model.rows()] == [shed, crane]
            assert (
                table.model().index(0, 3).data() == "current"
                and table.model().index(0, 4).data() == "retired"
            )
            assert table.model().index(1, 3).data() == "“The crane lifts 12 tonnes”"
            await until(table.hasFocus, "the keyboard in the list")
            press(table, Qt.Key.Key_Down)
            press(table, Qt.Key.Key_Space)
            assert dialog.put_back.text() == "Put back 1 fact"
            press(table, Qt.Key.Key_Return, CTRL)
            await until(lambda: deed(window) == "Put back 1 fact", "the deed")
            assert await claims(window) == {"The crane lifts 12 tonnes"}
            await until(lambda: window.findChild(TimeMachine) is None, "the dialog to close")
            window.session.undo(None)
            await until(lambda: deed(window) != "Put back 1 fact", "the undo")
            assert await claims(window) == {"The crane lifts 2 tonnes"}
            await search(window, ">time machine")
            by_search = await opened(window)
            assert by_search.moment.isVisible() and by_search.put_back.text() == "Put back 2 facts"
            by_search.close()

    drive(qapp, scenario)


def test_a_moment_that_is_typed_is_compared_with_another_one(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            crane = await agent.call(
                memory.LEARN_FACT, NewFact(claim="The crane lifts 12 tonnes", channel="quay")
            )
            between = datetime.now().isoformat(" ")
            ask = EditFact(fact_id=crane.id, claim="The crane lifts 2 tonnes")
            await window.session.call(curation.EDIT_FACT, ask)
            plan = NewGoal(description="Paint the crane", channel="quay")
            await agent.call(goals.ADD, plan)
            window.enter_panel("goals")
            await search(window, ">time machine")
            dialog = await opened(window)
            assert [row.now.title for row in dialog.model.rows() if row.now] == ["Paint the crane"]
            assert dialog.put_back.text() == "Put back 1 goal"
            await pick(dialog.kind, "Facts")
            await until(lambda: dialog.put_back.text() == "Put back 1 fact", "the facts")

            def after() -> list[str]:
                return [row.now.title for row in dialog.model.rows() if row.now]

            assert after() == ["The crane lifts 2 tonnes"]
            await pick(dialog.later.ways, "at a day")
            await until(dialog.later.field.hasFocus, "the keyboard where one types")
            await until(lambda: dialog.says.text().startswith("Type a day"), "what is expected")
            press(dialog.later.field, between)
            await until(lambda: after() == ["The crane lifts 12 tonnes"], "the fact as it was between")
            assert dialog.says.text().endswith("Changed: 1 fact.") and dialog.later.field.hasFocus()
            dialog.close()

    drive(qapp, scenario)
