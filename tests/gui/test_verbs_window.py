"""The verbs of the window by pointer and by keyboard: the inspector's acts, search, filters, undo, two panels."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui import look
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.inspectors.memory_forms import MoveForm, PromotionForm, TagForm
from memdesk.gui.panels.audit_panel import AuditPanel
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.panels.jobs_panel import JobsPanel
from memdesk.gui.window import Window
from memdesk.model.browse import Inspect, Inspection, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.filled import CRANE, DAY, HERE, SHED
from tests.gui.hands import (
    CTRL,
    SHIFT,
    by_rail,
    click_row,
    deed,
    is_open,
    pick,
    rail_entry,
    says,
    search,
    segment,
    take,
)

ALT = Qt.KeyboardModifier.AltModifier


def view(window: Window) -> MemoryView:
    """What the inspector shows."""
    found = window.inspector.view
    assert isinstance(found, MemoryView)
    return found


async def read(window: Window, id: str) -> Inspection:
    """A memory as its owner reads it: no agent may."""
    seen: Inspection = await window.session.call(memory.INSPECT, Inspect(id=id))
    return seen


async def chosen(window: Window, claim: str) -> str:
    """Press a fact's row in the table, and wait until the inspector shows it. Returns its id."""
    panel = await by_rail(window, "facts")
    assert isinstance(panel, FactsPanel)
    await until(lambda: says(panel.table, claim), claim)
    click_row(panel.table, claim)
    id = str(panel.table.record().id)
    await until(lambda: window.inspector.isVisible(), "the inspector")
    await until(lambda: isinstance(window.inspector.view, MemoryView) and view(window).seen.id == id, claim)
    await activated(window)
    panel.table.setFocus()
    return id


async def learned(client: Client, claim: str, channel: str = HERE) -> str:
    new = NewFact(claim=claim, channel=channel, agent_id="Forge")
    return (await client.call(memory.LEARN_FACT, new)).id


async def undone(window: Window) -> None:
    """Ctrl+Z, and the status line says it."""
    await activated(window)
    press(window, Qt.Key.Key_Z, CTRL)
    await until(lambda: deed(window).startswith("Undone"), "the undo")


def test_a_fact_is_promoted_by_one_key_with_a_reason_and_demoted_by_its_button(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            id = await chosen(window, SHED)
            press(window.stage.panel.table, "p")  # type: ignore[union-attr]
            await until(lambda: isinstance(view(window).form, PromotionForm), "the preview")
            form = view(window).form
            assert isinstance(form, PromotionForm)
            await until(form.reason.hasFocus, "the keyboard in the reason")
            press(form.reason, "every crew needs it")
            press(form.reason, Qt.Key.Key_Return)
            await until(lambda: deed(window) == f"Promoted “{SHED}” to _global", "the promotion")
            held = (await owner.call(memory.FACTS, ListFacts(channels=(GLOBAL,), text="shed key"))).rows
            assert [fact.promoted_from for fact in held] == [id]
            await search(window, "shed key")
            await until(lambda: view(window).seen.id in (id, held[0].id), "the search's find")
            window.inspector.show_memory(held[0].id)
            await until(lambda: view(window).seen.id == held[0].id, "the copy")
            click(view(window).footer.buttons["demote"])
            await until(lambda: deed(window) == f"Demoted “{SHED}”", "the demotion")
            assert (await read(window, held[0].id)).retired and not (await read(window, id)).retired

    drive(qapp, scenario)


def test_a_fact_is_corrected_pinned_and_retired_by_keys_and_each_is_undone(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learned(agent, "The bridge opens at six")
            id = await chosen(window, "The bridge opens at six")
            panel = window.stage.panel
            assert isinstance(panel, FactsPanel)
            press(panel.table, "e")
            await until(lambda: isinstance(view(window).form, EditForm), "the form")
            form = view(window).form
            assert isinstance(form, EditForm)
            press(form.claim.editor, Qt.Key.Key_A, CTRL)
            press(form.claim.editor, "The bridge opens at seven")
            await until(form.save.isVisible, "the whole form")
            click(segment(form.confidence, ".95"))
            click(form.save)
            await until(lambda: deed(window).startswith("Corrected") or "seven" in deed(window), "the edit")
            assert (await read(window, id)).title == "The bridge opens at seven"
            await undone(window)
            assert (await read(window, id)).title == "The bridge opens at six"
            panel.table.setFocus()
            press(panel.table, "i")
            await until(lambda: panel.sheet.isVisible() or deed(window).startswith("Pinned"), "the pin")
            if panel.sheet.isVisible():
                await until(panel.sheet.act.isEnabled, "what it touches")
                press(panel.sheet, Qt.Key.Key_Return)
            await until(lambda: deed(window).startswith("Pinned"), "the pin")
            assert (await read(window, id)).pinned
            await undone(window)
            await until(lambda: view(window).seen.id == id and not view(window).seen.pinned, "it unpinned")
            click(view(window).footer.buttons["retire"])
            await until(lambda: deed(window).startswith("Retired"), "the retirement")
            click(window.stage.strip._undo)
            await until(lambda: deed(window).startswith("Undone"), "the undo of the strip")
            assert not (await read(window, id)).retired

    drive(qapp, scenario)


def names_channel(window: Window, name: str) -> bool:
    status = window.session.status
    return status is not None and any(each.name == name for each in status.channels)


def test_a_fact_is_moved_and_tagged_from_the_menu_of_what_is_done_seldom(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learned(agent, "Fenders hang at the shed", "yard")
            await learned(agent, "Ropes lie in the shed")
            id = await chosen(window, "Ropes lie in the shed")
            await until(lambda: names_channel(window, "yard"), "the other channel")
            click(view(window).footer.more)
            await take("Move")
            await until(lambda: isinstance(view(window).form, MoveForm), "the form")
            form = view(window).form
            assert isinstance(form, MoveForm)
            await until(form.save.isVisible, "the whole form")
            await pick(form.channel, "yard", by_key=True)
            click(form.save)
            await until(lambda: deed(window).endswith("to yard"), "the move")
            assert (await read(window, id)).channel == "yard"
            await until(lambda: view(window).seen.channel == "yard" and not view(window).is_busy, "it there")
            click(view(window).footer.more)
            await take("Tag", by_key=True)
            await until(lambda: isinstance(view(window).form, TagForm), "the form of tags")
            tags = view(window).form
            assert isinstance(tags, TagForm)
            press(tags.tags, "gear")
            press(tags.tags, Qt.Key.Key_Return)
            await until(lambda: deed(window).startswith("Tagged"), "the tag")
            await undone(window)
            assert not (await read(window, id)).tags

    drive(qapp, scenario)


def test_the_source_turn_the_past_and_the_way_back_are_a_key_away(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            first = await chosen(window, SHED)
            second = await chosen(window, CRANE)
            panel = window.stage.panel
            assert isinstance(panel, FactsPanel)
            shown = window.inspector.view
            press(panel.table, Qt.Key.Key_Space)
            await until(lambda: window.inspector.view is shown and shown is not None, "the same memory")
            press(panel.table, Qt.Key.Key_Left, ALT)
            await until(lambda: view(window).seen.id == first, "the one before")
            press(panel.table, Qt.Key.Key_Right, ALT)
            await until(lambda: view(window).seen.id == second, "the one after")

    drive(qapp, scenario)


def test_channels_and_agents_are_chosen_in_the_top_bar(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await by_rail(window, "facts")
            await until(lambda: window.top_bar.channels.options and window.top_bar.agents.options, "both")
            await pick(window.top_bar.channels, GLOBAL)
            assert window.session.channels == (GLOBAL,)
            await until(
                lambda: (
                    {panel.model.row(n).channel for n in range(panel.model.rowCount()) if panel.model.row(n)}
                    == {GLOBAL}
                ),
                "that channel alone",
            )
            await pick(window.top_bar.channels, "All channels", by_key=True)
            assert window.session.channels == ()
            await pick(window.top_bar.agents, "Forge", by_key=True)
            assert window.session.agents == ("Forge",)
            await pick(window.top_bar.agents, "All agents")
            assert window.session.agents == ()

    drive(qapp, scenario)


def test_two_panels_the_rail_the_inspector_and_the_help_are_switched_by_pointer(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await by_rail(window, "facts")
            click(window.top_bar.split)
            assert window.stage.is_split
            rail_entry(window, "audit")
            await until(lambda: set(window.stage.sides) >= {"audit"}, "the other panel")
            click(window.top_bar.split)
            assert not window.stage.is_split
            click(window.top_bar.rail)
            await until(lambda: window.rail.width() == 48, "icons alone")
            click(window.top_bar.rail)
            await until(lambda: window.rail.width() == 184, "names")
            was_open = window.inspector.isVisible()
            click(window.top_bar.inspector)
            await until(lambda: window.inspector.isVisible() != was_open, "the inspector")
            click(window.top_bar.inspector)
            await until(lambda: window.inspector.isVisible() == was_open, "it as before")
            click(window.top_bar.help)
            await until(window.help.isVisible, "the help")
            press(window.help.text, Qt.Key.Key_Escape)
            assert not window.help.isVisible()

    drive(qapp, scenario)


@pytest.mark.parametrize("by_key", [False, True])
def test_the_theme_is_chosen_from_the_menu_of_the_top_bar(
    qapp: QApplication, full_service: Service, by_key: bool
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await activated(window)
            click(window.top_bar.theme)
            await until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
            await take("Light", by_key=by_key)
            await until(lambda: not look.is_dark(), "light")
            await activated(window)
            click(window.top_bar.theme)
            await take("Dark", by_key=by_key)
            await until(look.is_dark, "dark")

    drive(qapp, scenario)


def test_ctrl_enter_in_the_search_opens_beside_and_a_found_file_opens_where_it_is_read(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await by_rail(window, "facts")
            await activated(window)
            press(window, Qt.Key.Key_K, CTRL)
            await until(window.search.field.hasFocus, "the search")
            press(window.search.field, ">Open Audit")
            press(window.search.field, Qt.Key.Key_Return, CTRL)
            await until(lambda: window.stage.is_split and "audit" in window.stage.sides, "the panel beside")
            await activated(window)
            press(window, Qt.Key.Key_Backslash, CTRL)
            assert not window.stage.is_split
            await search(window, "crane is inspected in January")
            await until(lambda: is_open(window, "identity") or window.inspector.isVisible(), "what was found")

    drive(qapp, scenario)


def test_undo_and_redo_by_the_status_line_and_by_keys_hold_across_windows(
    qapp: QApplication, full_service: Service, tmp_path: Path
) -> None:
    async def scenario() -> None:
        desk = full_service.desk
        async with Client(desk, agent="Forge") as agent:
            async with opened(desk) as window:
                await learned(agent, "The tide table is in the office")
                id = await chosen(window, "The tide table is in the office")
                click(view(window).footer.buttons["pin"])
                await until(lambda: deed(window).startswith("Pinned"), "the pin")
            async with opened(desk) as again:
                await until(again.status_line.undo.isVisible, "its undo in the next window")
                click(again.status_line.undo)
                await until(lambda: deed(again).startswith("Undone"), "the undo")
                assert not (await read(again, id)).pinned
                line = again.status_line
                assert line.redo.isVisible() and not line.undo.isVisible(), (
                    "what Undo would take back is further down"
                )
                click(line.redo)
                await until(lambda: deed(again).startswith("Done again"), "the redo")
                assert line.undo.isVisible() and (await read(again, id)).pinned
                await undone(again)
                await activated(again)
                press(again, Qt.Key.Key_Z, CTRL, SHIFT)
                await until(lambda: deed(again).startswith("Done again"), "the redo by keys")
                assert (await read(again, id)).pinned
                await undone(again)

    drive(qapp, scenario)


async def looked_for(window: Window, words: str) -> None:
    """Ctrl+K, words as an input method commits them, and Enter."""
    await activated(window)
    press(window, Qt.Key.Key_K, CTRL)
    await until(window.search.field.hasFocus, "the search")
    window.search.field.setText(words)
    press(window.search.field, Qt.Key.Key_Return)


def offered(window: Window) -> list[str]:
    """What the search offers."""
    return [choice.text for choice in window.search.choices.model.rows()]


@pytest.mark.parametrize("words", ["yesterday", "昨天"])
def test_yesterday_typed_in_the_search_opens_the_log_of_that_day(
    qapp: QApplication, full_service: Service, words: str
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await looked_for(window, words)
            await until(lambda: is_open(window, "daily"), "the daily logs")
            await until(lambda: window.stage.panel and window.stage.panel.at == str(DAY), "the day")
            await until(lambda: window.search.isHidden(), "the search to close")

    drive(qapp, scenario)


@pytest.mark.parametrize("words", ["last week", "上周"])
def test_last_week_typed_in_the_search_shows_the_audit_of_those_days(
    qapp: QApplication, full_service: Service, words: str
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await looked_for(window, words)
            monday = date.today() - timedelta(days=date.today().weekday() + 7)
            days = (monday, monday + timedelta(days=7))

            def chosen_days() -> object:
                panel = window.stage.panel
                return isinstance(panel, AuditPanel) and tuple(
                    at and at.date() for at in panel.filters.brush.range()
                )

            await until(lambda: chosen_days() == days, "the audit of last week")

    drive(qapp, scenario)


def test_a_place_is_found_in_the_search_by_its_name_whichever_of_its_panels_was_open_last(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            for last in ("transfer", "connections"):
                window.open_panel(last)
                await search(window, "> connections")
                await until(lambda: is_open(window, "connections"), "the connections")
                assert window.search.choices.model.rows()[-1].note == "Ctrl 6"
            press(window, Qt.Key.Key_6, CTRL)
            await until(lambda: is_open(window, "agents"), "the next panel of the place")

    drive(qapp, scenario)


def test_a_job_is_found_in_the_search_by_its_name_and_run(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await activated(window)
            press(window, Qt.Key.Key_K, CTRL)
            await until(window.search.field.hasFocus, "the search")
            press(window.search.field, ">check")
            await until(lambda: "Run job: Checkup" in offered(window), "the job")
            press(window.search.field, Qt.Key.Key_Return)
            await until(lambda: is_open(window, "jobs"), "the jobs")
            panel = window.stage.panel
            assert isinstance(panel, JobsPanel)
            await until(lambda: panel.runs.rowCount() and panel.runs.row(0), "its run")
            run = panel.runs.row(0)
            assert run is not None and run.job == "checkup" and panel.table.record().name == "checkup"

    drive(qapp, scenario)


def test_the_search_shows_what_it_found_without_its_markdown(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            await activated(window)
            press(window, Qt.Key.Key_K, CTRL)
            window.search.field.setText("crane is inspected in January")
            await until(lambda: any("The crane is inspected" in text for text in offered(window)), "the find")
            window.search.field.setText("IDENTITY Name Iris")
            await until(lambda: any("Iris" in text for text in offered(window)), "the file")
            assert not any("**" in text or text.startswith("#") for text in offered(window))

    drive(qapp, scenario)
