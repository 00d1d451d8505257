"""The goals panel on a real service: the tree, every verb by mouse and by keyboard, and the way back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import goals
from memdesk.client.client import Client
from memdesk.gui.panels.goals import goal_tree
from memdesk.gui.panels.goals.goal_forms import BlockForm, EndForm, GoalForm
from memdesk.gui.panels.goals.goal_tree import branches
from memdesk.gui.panels.goals_panel import GoalsPanel
from memdesk.gui.window import Window
from memdesk.model.goal import AskGoal, CompleteGoal, GoalRow, GoalView, NewGoal
from tests.conftest import Service
from tests.gui.driving import activated, click, drag, drive, opened, press, until

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def add(client: Client, description: str, **more: Any) -> str:
    return (
        await client.call(goals.ADD, NewGoal(description=description, **({"channel": "harbour"} | more)))
    ).id


async def get(client: Client, id: str) -> GoalView:
    return await client.call(goals.GET, AskGoal(goal_id=id))


async def shown(window: Window, number: int) -> GoalsPanel:
    panel = window.open_panel("goals")
    assert isinstance(panel, GoalsPanel)
    await until(lambda: len(panel.tree.branches()) == number and panel.aside.record is not None, "the tree")
    await activated(window)
    panel.tree.setFocus()
    return panel


def row_of(panel: GoalsPanel, id: str) -> int:
    return next(place for place, branch in enumerate(panel.tree.branches()) if branch.id == id)


async def choose(panel: GoalsPanel, id: str) -> None:
    panel.tree.setFocus()
    panel.tree.choose(row_of(panel, id))
    await until(
        lambda: panel.aside.record is not None and panel.aside.record.goal.id == id, "the goal beside"
    )


def at(panel: GoalsPanel, id: str, x: int = 200) -> QPoint:
    place = row_of(panel, id)
    return QPoint(x, panel.tree.rowViewportPosition(place) + panel.tree.rowHeight(place) // 2)


def shape(panel: GoalsPanel) -> list[tuple[int, str]]:
    return [(branch.depth, branch.goal.description) for branch in panel.tree.branches()]


def test_goals_stand_under_what_they_are_part_of_and_fold_by_mouse_and_keyboard(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            top = await add(agent, "Move the crane", priority=5, agent_id="Forge")
            part = await add(agent, "Weigh it", parent_id=top, priority=4)
            below = await add(agent, "Find the scales", parent_id=part)
            await add(agent, "Paint the quay", priority=1, deadline=datetime(2020, 1, 1, tzinfo=UTC))
            panel = await shown(window, 4)
            tester = QAbstractItemModelTester(
                panel.tree.rows_model, QAbstractItemModelTester.FailureReportingMode.Fatal
            )
            assert shape(panel) == [
                (0, "Move the crane"),
                (1, "Weigh it"),
                (2, "Find the scales"),
                (0, "Paint the quay"),
            ]
            assert panel.head.subtitle.text() == "4 goals, 1 overdue"
            spoken = panel.tree.rows_model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
            assert spoken == "Weigh it, active, level 2, 1 part"
            click(panel.tree.viewport(), at(panel, part, 20 + 18 + 6))
            assert shape(panel)[1:] == [(1, "Weigh it"), (0, "Paint the quay")]
            await choose(panel, part)
            press(panel.tree, Qt.Key.Key_Right)
            assert len(shape(panel)) == 4
            press(panel.tree, Qt.Key.Key_Right)
            assert panel.tree.record().id == below
            press(panel.tree, Qt.Key.Key_Left)
            assert panel.tree.record().id == part
            press(panel.tree, Qt.Key.Key_Left)
            press(panel.tree, Qt.Key.Key_Left)
            assert panel.tree.record().id == top and len(shape(panel)) == 3
            # What is looked for is shown with what it is part of, folded or not.
            panel.filter.setText("scales")
            assert [(row.goal.description, row.aside) for row in panel.tree.branches()] == [
                ("Move the crane", True),
                ("Weigh it", True),
                ("Find the scales", False),
            ]
            panel.filter.clear()
            press(panel.tree, Qt.Key.Key_Return)
            await until(lambda: window.inspector.memory_id == top, "the goal in the inspector")
            assert tester

    drive(qapp, scenario)


def test_a_goal_is_added_completed_with_its_parts_reopened_retired_and_all_is_undone(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            panel = window.open_panel("goals")
            assert isinstance(panel, GoalsPanel)
            await until(lambda: panel._stack.currentWidget() is panel._empty, "that there are none")
            await activated(window)
            click(panel._empty.step)
            form = panel.aside.stack.form
            assert isinstance(form, GoalForm)
            click(form.save)
            assert form.words.editor.accessibleDescription() == "A goal needs words."
            press(form.words.editor, "Move the crane")
            form.deadline.setText("soon")
            click(form.save)
            assert "2026-11-30" in form.deadline.error()
            form.deadline.setText("2031-05-01")
            assert panel.unsaved()
            click(form.save)
            await until(
                lambda: len(panel.tree.branches()) == 1 and panel.aside.record is not None, "the goal"
            )
            assert panel.aside.stack.form is None and not panel.unsaved()
            top = panel.tree.record().id
            assert goal_tree.deadline_text(panel.tree.record().goal.deadline) == "2031-05-01"
            panel.tree.setFocus()
            press(panel.tree, Qt.Key.Key_N, SHIFT)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            part_form = panel.aside.stack.form
            assert isinstance(part_form, GoalForm) and part_form.parent_goal.value == top
            press(part_form.words.editor, "Weigh it")
            press(part_form.words.editor, Qt.Key.Key_S, CTRL)
            await until(lambda: len(panel.tree.branches()) == 2, "the part")
            await choose(panel, top)
            press(panel.tree, Qt.Key.Key_C)
            # A letter acts on the goal that was chosen, as it is now.
            await until(lambda: panel.aside.stack.form is not None, "the form")
            end = panel.aside.stack.form
            assert isinstance(end, EndForm) and end.parts.isVisible()
            press(end.result.editor, "It stands at the north quay")
            click(end.parts)
            click(end.save)
            await until(lambda: panel._stack.currentWidget() is panel._empty, "that none is open")
            view = await get(agent, top)
            assert view.goal.result == "It stands at the north quay"
            assert [each.status for each in (view.goal, *view.subgoals)] == ["completed", "completed"]
            window.session.undo()
            await until(lambda: len(panel.tree.branches()) == 2, "both are open again")
            await choose(panel, top)
            press(panel.tree, Qt.Key.Key_A)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            press(panel.aside.stack.form, Qt.Key.Key_S, CTRL)
            await until(lambda: len(panel.tree.branches()) == 1, "the part alone")
            panel.which.set_value("ended")
            panel.which.chosen.emit("ended")
            await until(lambda: [row.id for row in panel.tree.branches()] == [top], "the ended one")
            await choose(panel, top)
            await until(lambda: panel.aside.shown_acts() == ("reopen", "edit", "retire"), "the ended goal")
            press(panel.tree, Qt.Key.Key_O)
            panel.which.set_value("all")
            panel.which.chosen.emit("all")
            await until(lambda: {row.goal.status for row in panel.tree.branches()} == {"active"}, "reopened")
            await choose(panel, top)
            press(panel.tree, Qt.Key.Key_Delete)
            await until(lambda: len(panel.tree.branches()) == 1, "that it is retired")
            window.session.undo()
            await until(lambda: len(panel.tree.branches()) == 2, "that it is back")

    drive(qapp, scenario)


def test_a_goal_waits_for_another_or_for_what_is_said_and_no_longer(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            crane, scales = await add(agent, "Move the crane"), await add(agent, "Find the scales")
            panel = await shown(window, 2)
            await choose(panel, crane)
            press(panel.tree, Qt.Key.Key_B)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            form = panel.aside.stack.form
            assert isinstance(form, BlockForm)
            click(form.save)
            assert form.blocker.field.error() == "one of the two"
            press(form.blocker.field, "scal")
            press(form.blocker.field, Qt.Key.Key_Down)
            press(form.blocker.matches, Qt.Key.Key_Return)
            assert form.blocker.value == scales
            press(form.blocker.field, Qt.Key.Key_S, CTRL)
            await until(lambda: "free" in panel.aside.shown_acts(), "that it waits")
            assert (await get(agent, crane)).goal.status == "blocked"
            details = panel.aside.details
            assert [line.title for line in details.rows.rows() if hasattr(line, "title")] == ["Waits for"]
            details.setFocus()
            press(details, Qt.Key.Key_Return)
            await until(lambda: panel.tree.record().id == scales, "what it waits for")
            await choose(panel, crane)
            press(panel.tree, Qt.Key.Key_U)
            await until(lambda: "block" in panel.aside.shown_acts(), "that it waits no longer")
            click(panel.aside.acts.buttons["block"])
            said = panel.aside.stack.form
            assert isinstance(said, BlockForm)
            press(said.reason.editor, "the harbour master's answer")
            click(said.save)
            await until(lambda: "reopen" in panel.aside.shown_acts(), "the reason")
            assert (await get(agent, crane)).goal.result == "the harbour master's answer"
            click(panel.aside.acts.buttons["reopen"])
            await until(lambda: "block" in panel.aside.shown_acts(), "that it is active")
            # Esc closes a form and gives the keyboard back.
            await choose(panel, crane)
            press(panel.tree, Qt.Key.Key_E)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            assert isinstance(panel.aside.stack.form, GoalForm)
            press(panel.aside.stack.form.words.editor, Qt.Key.Key_Escape)
            await until(lambda: panel.aside.stack.form is None and panel.tree.hasFocus(), "the tree")

    drive(qapp, scenario)


def test_a_goal_is_moved_under_another_by_drag_by_keys_and_by_its_form(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk, size=(1100, 700)) as window:
            crane = await add(agent, "Move the crane", priority=5)
            scales = await add(agent, "Find the scales", priority=4)
            paint = await add(agent, "Paint the quay", priority=3)
            panel = await shown(window, 3)
            drag(panel.tree.viewport(), at(panel, scales), at(panel, crane))
            await until(lambda: (1, "Find the scales") in shape(panel), "the part")
            # Nothing becomes a part of its own part.
            drag(panel.tree.viewport(), at(panel, crane), at(panel, scales))
            assert not panel.tree.dragging and (await get(agent, crane)).parent is None
            drag(panel.tree.viewport(), at(panel, scales), QPoint(200, panel.tree.viewport().height() - 8))
            await until(lambda: (0, "Find the scales") in shape(panel), "that it stands by itself")
            await choose(panel, paint)
            press(panel.tree, Qt.Key.Key_Right, CTRL)
            await until(lambda: (1, "Paint the quay") in shape(panel), "under the one above")
            assert (await get(agent, paint)).parent.id == scales  # type: ignore[union-attr]
            press(panel.tree, Qt.Key.Key_Left, CTRL)
            await until(lambda: (0, "Paint the quay") in shape(panel), "out again")
            window.session.undo()
            await until(lambda: (1, "Paint the quay") in shape(panel), "the undo")
            await choose(panel, scales)
            press(panel.tree, Qt.Key.Key_E)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            form = panel.aside.stack.form
            assert isinstance(form, GoalForm)
            form.parent_goal.field.setFocus()
            press(form.parent_goal.field, "quay")
            assert not form.parent_goal.matches.isVisible(), "a goal cannot be a part of its own part"
            form.parent_goal.field.clear()
            press(form.parent_goal.field, "crane")
            press(form.parent_goal.field, Qt.Key.Key_Return)
            form.priority.set_value(2)
            click(form.save)
            await until(lambda: (2, "Paint the quay") in shape(panel), "the branch under the crane")
            assert (await get(agent, scales)).goal.priority == 2

    drive(qapp, scenario)


def test_what_agents_set_comes_in_live_and_a_form_is_not_taken_away(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            crane = await add(agent, "Move the crane")
            panel = await shown(window, 1)
            press(panel.tree, Qt.Key.Key_E)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            form = panel.aside.stack.form
            assert isinstance(form, GoalForm)
            press(form.words.editor, " north")
            await add(agent, "Find the scales", priority=5)
            await until(lambda: len(panel.tree.branches()) == 2, "the new goal")
            assert panel.aside.stack.form is form and form.words.text() == "Move the crane north"
            assert panel.tree.record().id == crane
            click(form.save)
            await until(lambda: "Move the crane north" in [words for _, words in shape(panel)], "the edit")
            done = CompleteGoal(goal_id=crane, result="done")
            await agent.call(goals.COMPLETE, done)
            await until(lambda: len(panel.tree.branches()) == 1, "that it ended")
            window.session.filter_channels(("elsewhere",))
            await until(lambda: panel._stack.currentWidget() is panel._empty, "none there")
            click(panel._empty.step)
            await until(lambda: len(panel.tree.branches()) == 1, "all again")

    drive(qapp, scenario)


def test_asking_for_unsaved_text_does_not_touch_the_form_of_a_goal(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await add(agent, "Move the crane")
            panel = await shown(window, 1)
            press(panel.tree, Qt.Key.Key_E)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            form = panel.aside.stack.form
            assert isinstance(form, GoalForm) and panel.unsaved() == ()
            form.deadline.setText("next wee")
            form.words.editor.setFocus()
            assert panel.unsaved() == ("what you wrote about a goal",)
            assert not form.deadline.error() and form.words.editor.hasFocus()
            form.deadline.setText("")
            assert panel.unsaved() == ()

    drive(qapp, scenario)


def test_a_part_that_is_edited_stays_a_part_though_what_it_is_part_of_has_ended(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            crane = await add(agent, "Move the crane")
            scales = await add(agent, "Find the scales", parent_id=crane)
            await agent.call(goals.COMPLETE, CompleteGoal(goal_id=crane))
            panel = await shown(window, 1)
            await choose(panel, scales)
            press(panel.tree, Qt.Key.Key_E)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            form = panel.aside.stack.form
            assert isinstance(form, GoalForm) and form.parent_goal.field.text() == "Move the crane"
            press(form.words.editor, " again")
            click(form.save)
            await until(lambda: "Find the scales again" in [said for _, said in shape(panel)], "the edit")
            assert (await get(agent, scales)).goal.parent_id == crane

    drive(qapp, scenario)


def test_while_the_service_is_away_the_goals_stay_and_nothing_can_be_pressed(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent:
            await add(agent, "Move the crane")
        async with opened(desk) as window:
            panel = await shown(window, 1)
            window.session._revive = None
            running_service.kill()
            await until(lambda: not panel.aside.acts.buttons["complete"].isEnabled(), "that it is away")
            assert not panel.new.isEnabled() and "service is away" in panel.new.toolTip()
            press(panel.tree, Qt.Key.Key_C)
            assert panel.aside.stack.form is None and len(panel.tree.branches()) == 1
            running_service.start()
            window.session.reconnect()
            await until(panel.aside.acts.buttons["complete"].isEnabled, "that it is back")

    drive(qapp, scenario)


def row(id: str, parent: str | None) -> GoalRow:
    return GoalRow(
        id=id,
        description=id,
        status="active",
        priority=3,
        channel="c",
        user_id="u",
        agent_id=None,
        conversation_id=None,
        parent_id=parent,
        deadline=None,
        overdue=False,
        created_at=datetime.now(UTC),
        completed_at=None,
        result="",
    )


@given(st.lists(st.integers(-1, 12), max_size=12), st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)))
def test_every_goal_stands_in_the_tree_once_or_is_folded_away_even_where_goals_go_round(
    parents: list[int], folded: set[int], wanted: set[int]
) -> None:
    goals_ = [row(str(n), None if parent < 0 else str(parent)) for n, parent in enumerate(parents)]
    laid = branches(goals_, ())
    assert sorted(branch.id for branch in laid) == sorted(goal.id for goal in goals_)
    for place, branch in enumerate(laid):
        assert branch.depth == len(branch.path) and branch.id not in branch.path
        assert branch.depth == 0 or laid[place - 1].depth >= branch.depth - 1
    folds = branches(goals_, {str(n) for n in folded})
    shown_ids = [branch.id for branch in folds]
    assert len(shown_ids) == len(set(shown_ids))
    assert all(not (set(branch.path) & {str(n) for n in folded}) for branch in folds)
    found = branches(goals_, (), {str(n) for n in wanted})
    assert {branch.id for branch in found if not branch.aside} == {
        goal.id for goal in goals_ if int(goal.id) in wanted
    }


def test_a_deadline_is_read_as_a_person_types_it() -> None:
    day = goal_tree.read_deadline(" 2026-11-30 ")
    assert day is not None and (day.hour, day.minute) == (23, 59)
    assert goal_tree.deadline_text(goal_tree.read_deadline("2026-11-30 18:00")) == "2026-11-30 18:00"
    assert goal_tree.deadline_text(day) == "2026-11-30" and goal_tree.read_deadline("  ") is None
    with pytest.raises(ValueError, match="soon"):
        goal_tree.read_deadline("soon")
    assert goal_tree.due(replace(row("a", None), deadline=day, overdue=True)).startswith("overdue, ")
