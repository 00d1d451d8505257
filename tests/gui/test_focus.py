"""The focus contract: after every act the keyboard is where one goes on; a key that is printed works, or says why."""

from __future__ import annotations

from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, goals, memory
from memdesk.client.client import Client
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.inspectors.memory_forms import MergeForm, MoveForm, PromotionForm
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.panels.lab_panel import LabPanel
from memdesk.gui.widgets import Drop, Option
from memdesk.gui.window import Window
from memdesk.model.curation import Retire
from memdesk.model.goal import NewGoal
from memdesk.model.remember import NewFact, NewTurn
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, shared, until
from tests.gui.hands import CTRL, by_rail, deed, ready, search
from tests.gui.test_facts import learn

ALT = Qt.KeyboardModifier.AltModifier
OpenForm = TypeVar("OpenForm", EditForm, PromotionForm)
ENTER, ESC = Qt.Key.Key_Return, Qt.Key.Key_Escape


async def says(agent: Client, words: str) -> None:
    await agent.call(memory.STORE_TURN, NewTurn(content=f"{words} things", conversation_id=words))


async def plan(agent: Client, words: str) -> None:
    """A goal that comes before those planned earlier."""
    priority = {"first": 1, "second": 3, "third": 5}[words]
    await agent.call(goals.ADD, NewGoal(description=f"A {words} pier", channel="harbour", priority=priority))


WRITES = {"conversations": ("listing", says), "overview": ("changes", learn), "goals": ("tree", plan)}
"""Tables of panels by name, and how an agent makes a row there."""


async def facts(agent: Client, window: Window, *claims: str) -> FactsPanel:
    """The panel Facts with these claims, the newest first, and the keyboard in its table."""
    for claim in claims:
        await learn(agent, claim)
    panel = window.open_panel("facts")
    assert isinstance(panel, FactsPanel)
    panel.take_focus()
    await until(lambda: panel.model.rowCount() == len(claims) and panel.model.row(0), "the facts")
    panel.table.setFocus()
    panel.table.choose(0)
    return panel


def chosen(panel: FactsPanel) -> str:
    row = panel.table.record()
    return row.title if row is not None and panel.table.ranges() else ""


async def shows(window: Window, title: str) -> MemoryView:
    await until(
        lambda: isinstance(window.inspector.view, MemoryView) and window.inspector.view.seen.title == title,
        title,
    )
    view = window.inspector.view
    assert isinstance(view, MemoryView)
    return view


def inspected(window: Window) -> MemoryView:
    """The view of the memory that is shown: another one as soon as the memory has changed."""
    view = window.inspector.view
    assert isinstance(view, MemoryView)
    return view


async def form_of(window: Window, kind: type[OpenForm]) -> OpenForm:
    """The form of an act on the memory that is shown, once it is open."""
    await until(lambda: isinstance(inspected(window).form, kind), kind.__name__)
    form = inspected(window).form
    assert isinstance(form, kind)
    return form


def test_a_window_begins_with_the_keyboard_in_its_panel_and_never_takes_it_from_the_search(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:

            def in_panel() -> bool:
                focus, panel = QApplication.focusWidget(), window.stage.panel
                return focus is not None and panel is not None and panel.isAncestorOf(focus)

            await until(in_panel, "the keyboard in the panel")
            # The panel is still being read when the search opens.
            window.enter_panel("facts")
            window.open_search()
            await until(
                lambda: (panel := window.stage.panel) is not None and panel._task is None, "the facts"
            )
            assert window.search.isVisible() and QApplication.focusWidget() is window.search.field

    drive(qapp, scenario)


def test_after_each_act_the_focus_is_in_the_list_on_the_row_to_go_on_with(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            panel = await facts(agent, window, "One is odd", "Two is even", "Three is odd", "Four is even")
            assert chosen(panel) == "Four is even"
            await shows(window, "Four is even")
            # Corrected and saved by keys, then by the buttons of the inspector.
            press(panel.table, "e")
            correction = await form_of(window, EditForm)
            correction.claim.editor.setPlainText("Four is square")
            press(correction.claim.editor, Qt.Key.Key_S, CTRL)
            await until(lambda: deed(window).startswith("Edited"), "the correction")
            await until(panel.table.hasFocus, "the table after saving")
            await until(lambda: chosen(panel) == "Four is square", "the same row")
            view = await shows(window, "Four is square")
            click(view.footer.buttons["promote"])
            press((await form_of(window, PromotionForm)).reason, ENTER)
            await until(lambda: deed(window).startswith("Promoted"), "the promotion")
            await until(panel.table.hasFocus, "the table after promoting")
            # Retired by key and by button: the next row is chosen, and the inspector follows.
            await until(panel.table.newer.isVisible, "the copy, which waits as the list is in use")
            panel.table.choose(1)
            gone = chosen(panel)
            await shows(window, gone)
            press(panel.table, Qt.Key.Key_Delete)
            await until(lambda: chosen(panel) not in ("", gone), "the next row")
            assert panel.table.hasFocus()
            following = chosen(panel)
            view = await shows(window, following)
            click(view.footer.buttons["retire"])
            await until(lambda: chosen(panel) not in ("", following), "the next row again")
            await until(panel.table.hasFocus, "the table after a button")
            await shows(window, chosen(panel))

    drive(qapp, scenario)


def test_the_next_row_is_chosen_too_where_the_rows_arrive_before_it_is_known_who_changed_them(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            panel = await facts(agent, window, "One is odd", "Two is even", "Three is odd")
            await until(lambda: not window.session._batch and panel._task is None, "all that was told")
            window.session._flush.timeout.disconnect()
            panel.table.choose(1)
            await window.session.call(curation.RETIRE, Retire(id=panel.table.record().id))
            await panel.load()
            assert chosen(panel) == "" and panel.model.rowCount() == 2
            await until(lambda: "retire" in [event.op for event in window.session._batch], "who retired it")
            await window.session._report()
            assert chosen(panel) == "One is odd"

    drive(qapp, scenario)


def test_the_filter_leads_to_the_list_and_esc_clears_it_first(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            panel = await facts(agent, window, "One is odd", "Two is even", "Three is odd")
            for leads in (ENTER, Qt.Key.Key_Down):
                press(window, "/")
                await until(panel.filter.hasFocus, "the filter")
                press(panel.filter, "odd")
                press(panel.filter, leads)
                await until(panel.table.hasFocus, "the table")
                await until(lambda: panel.model.rowCount() == 2, "the filtered rows")
                assert chosen(panel)
            press(window, "/")
            await until(panel.filter.hasFocus, "the filter")
            press(panel.filter, ESC)
            assert panel.filter.text() == "" and panel.filter.hasFocus()
            press(panel.filter, ESC)
            await until(panel.table.hasFocus, "the table")
            await until(lambda: panel.model.rowCount() == 3, "all rows")

    drive(qapp, scenario)


def test_a_key_that_can_do_nothing_says_why(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            panel = await facts(agent, window, "One is odd", "Two is even")
            said = window.notice.accessibleName
            await shows(window, "Two is even")
            press(panel.table, "d")
            await until(lambda: "no such action" in said(), "the reason of Demote")
            panel.table.choose_nothing()
            panel.table.choose(0)
            press(panel.table, "m")
            form = await form_of(window, MergeForm)
            assert isinstance(form, MergeForm) and form.into.search.hasFocus(), "one row alone: into which?"
            for _ in ("the strip", "the form"):
                press(form.into.search, ESC)
            await until(lambda: inspected(window).form is None and panel.table.hasFocus(), "the table")
            window.toggle_inspector()
            press(panel.table, "e")
            await until(lambda: "Ctrl+I" in said(), "the reason without an inspector")

    drive(qapp, scenario)


def test_a_form_closes_when_another_panel_is_opened_and_its_text_is_kept(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            panel = await facts(agent, window, "One is odd")
            await shows(window, "One is odd")
            press(panel.table, "e")
            (await form_of(window, EditForm)).claim.editor.setPlainText("One is the first")
            window.enter_panel("audit")
            assert not inspected(window).is_busy and window.inspector.unsaved()
            window.enter_panel("facts")
            window.inspector.show_event(1)
            await until(lambda: not isinstance(window.inspector.view, MemoryView), "another record")
            window.inspector.go_back()
            view = await shows(window, "One is odd")
            assert view.draft is not None and view.draft.claim == "One is the first"

    drive(qapp, scenario)


def test_a_channel_is_chosen_by_its_first_letters_and_enter_moves(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            for channel in ("garden", "family", "farm"):
                await agent.call(memory.LEARN_FACT, NewFact(claim=f"Here is {channel}", channel=channel))
            window.session.refresh_status()
            panel: Any = window.open_panel("facts")
            await until(lambda: panel.model.rowCount() == 3 and panel.model.row(2), "the facts")
            panel.table.setFocus()
            await until(lambda: len(window.session.status.channels) == 3, "the channels")  # type: ignore[union-attr]
            panel.table.choose(2)
            view = await shows(window, "Here is garden")
            view.footer.asked.emit("move")
            form: Any = view.form
            assert isinstance(form, MoveForm) and form.channel.hasFocus()
            assert "garden" not in [each.value for each in form.channel.options]
            press(form.channel, "fam")
            assert form.channel.value() == "family" and view.form is form
            press(form.channel, ENTER)
            await until(lambda: deed(window).endswith("to family"), "the move")
            # Two at once: Enter does what the button says.
            panel.table.selectAll()
            press(panel.table, "m")
            await until(panel.sheet.isVisible, "the sheet")
            await until(lambda: panel.sheet.reason.hasFocus(), "the reason")
            press(panel.sheet.reason, ESC)
            await until(lambda: not panel.sheet.isVisible(), "the sheet gone")
            press(panel.table, "c")
            await until(panel.sheet.channel.hasFocus, "the channel")
            press(panel.sheet.channel, "far")
            assert panel.sheet.channel.value() == "farm"
            await until(panel.sheet.act.isEnabled, "the preview")
            press(panel.sheet.channel, ENTER)
            await until(lambda: deed(window).startswith("Moved"), "the move of both")

    drive(qapp, scenario)


def test_letters_go_to_the_line_of_a_menu_that_begins_with_them(qapp: QApplication) -> None:
    drop = Drop([Option(value=each, text=each) for each in ("garden", "family", "farm")])
    menu = drop.menu()
    press(menu, "far")
    active = menu.activeAction()
    assert active is not None and active.text().startswith("farm")
    menu.deleteLater()
    drop.deleteLater()


def test_the_word_export_leads_to_the_export(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            await search(window, ">export")
            panel = await ready(window, "transfer")
            await until(panel.sending.isVisible, "the export")

    drive(qapp, scenario)


def test_the_lab_asks_as_the_agent_of_the_top_bar_and_its_key_works_in_the_question(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Iris") as iris, shared(desk) as (agent, window):
            for each, name in ((agent, "Forge"), (iris, "Iris")):
                claim = f"The crane of {name} is red"
                await each.call(memory.LEARN_FACT, NewFact(claim=claim, channel="harbour", agent_id=name))
            window.session.refresh_status()
            await until(lambda: len(window.session.status.agents) == 2, "the agents")  # type: ignore[union-attr]
            window.session.filter_agents(("Iris",))
            panel = await by_rail(window, "lab")
            assert isinstance(panel, LabPanel)
            await until(lambda: panel.asking.agent.value() == "Iris", "the agent of the bar")
            panel.asking.agent.set_value("Forge")
            window.refresh()
            await until(lambda: panel._task is None, "the load")
            assert panel.asking.agent.value() == "Forge"
            window.session.filter_agents(("Forge",))
            await until(lambda: panel._task is None, "the load for Forge")
            window.session.filter_agents(("Iris",))
            await until(lambda: panel.asking.agent.value() == "Iris", "the agent of the bar again")
            panel.asking.text.setFocus()
            press(panel.asking.text, Qt.Key.Key_W, ALT)
            assert panel.why.field.hasFocus() and panel.asking.text.text() == ""
            press(panel.why.field, Qt.Key.Key_W, ALT)
            assert not panel.why_shown.isChecked()

    drive(qapp, scenario)


def test_rows_that_are_brought_in_come_though_an_agent_writes_at_that_moment(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await plan(agent, "first")
            panel: Any = window.open_panel("goals")
            await ready(window, "goals")
            table = panel.tree
            await until(table.model().rowCount, "the goal")
            table.hover_row = 0
            table.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
            await plan(agent, "second")
            await until(table.newer.isVisible, "the pill")
            click(table.newer)
            panel.reload_soon(by_others=True)
            await until(lambda: table.model().rowCount() == 2, "the second goal")

    drive(qapp, scenario)


def test_rows_never_move_under_the_pointer_while_agents_write(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            panel = await facts(agent, window, "One is odd", "Two is even")
            panel.choose_nothing()
            for name, (of_panel, writes) in WRITES.items():
                await writes(agent, "first")
                shown: Any = window.open_panel(name)
                await ready(window, name)
                table = getattr(shown, of_panel)
                await until(table.model().rowCount, name)
                before = [table.id_of(row) for row in table.model().rows()]
                table.hover_row = 0
                table.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
                await writes(agent, "second")
                await until(table.newer.isVisible, f"the pill of {name}")
                assert [table.id_of(row) for row in table.model().rows()] == before
                click(table.newer)
                await until(lambda table=table, before=before: table.model().rowCount() > len(before), name)
                assert not table.newer.isVisible()
                # Without the pointer, a row that is chosen by keyboard keeps its place.
                table.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
                table.setFocus()
                table.choose(0)
                await writes(agent, "third")
                await until(table.newer.isVisible, f"the pill of {name} for a chosen row")
            for name in ("audit", "facts"):
                shown: Any = window.open_panel(name)
                await ready(window, name)
                table = shown.table
                first = table.model().index(0, 0).data(Qt.ItemDataRole.UserRole).id
                # A moved pointer would take the events of the screen for itself, so it is said to be here.
                table.hover_row = 0
                table.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
                await learn(agent, f"{name} is a word")
                newer = shown.table.newer
                await until(newer.isVisible, "the pill")
                assert table.model().index(0, 0).data(Qt.ItemDataRole.UserRole).id == first
                click(newer)
                await until(
                    lambda table=table, first=first: (
                        (row := table.model().index(0, 0).data(Qt.ItemDataRole.UserRole)) and row.id != first
                    ),
                    "the new row",
                )
                await until(lambda newer=newer: not newer.isVisible(), "the pill to go")

    drive(qapp, scenario)
