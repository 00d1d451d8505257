"""The window on a real service: the frame, the inspector, keys, filters, and a service that goes away."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from memdesk.api import curation, memory, upkeep
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk
from memdesk.gui import appearance, look
from memdesk.gui.editor.source import Source
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.inspectors.memory_forms import PromotionForm
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.window import Window
from memdesk.model.browse import Inspect, Inspection, ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import EditFact
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.history import FeedEvent, WorkingMoved
from memdesk.model.remember import NewEntity, NewFact
from memdesk.model.status import Nothing
from tests.gui.driving import PATIENCE_S, activated, click, drive, opened, press, until
from tests.gui.hands import says

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
CLAIM = "Tidepool ingest writes go through PgBouncer in transaction mode"


async def learn(client: Client, claim: str = CLAIM, channel: str = "tidepool") -> str:
    learned = await client.call(
        memory.LEARN_FACT, NewFact(claim=claim, channel=channel, agent_id="Forge", category="constraint")
    )
    return learned.id


async def inspected(window: Window, id: str) -> MemoryView:
    """The inspector's view of a memory, once it is seen: while a button of the mouse is down, it opens later."""
    window.inspector.show_memory(id)
    await until(lambda: (view := view_of(window, id)) is not None and view.isVisible(), "the inspector")
    view = view_of(window, id)
    assert view is not None
    return view


def view_of(window: Window, id: str) -> MemoryView | None:
    view = window.inspector.view
    return view if isinstance(view, MemoryView) and view.seen.id == id else None


def said(window: Window) -> str:
    """What the status line says was done last."""
    return window.session.deed.sentence if window.session.deed else ""


async def read(window: Window, id: str) -> Inspection:
    """A memory as its owner reads it: no agent may."""
    seen: Inspection = await window.session.call(memory.INSPECT, Inspect(id=id))
    return seen


# The frame.


def test_the_frame_is_painted_before_any_data_is_there(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        session = Session(Client(running_service.desk))
        window = Window(session, Memo.of(running_service.desk))
        window.show()
        shown = window.grab().toImage()
        assert session.status is None
        assert shown.pixelColor(4, 4) == look.c("win")
        assert window.rail.isVisible() and window.top_bar.search.isVisible()
        window.close()
        await session.close()

    drive(qapp, scenario)


def test_a_change_made_while_the_window_reads_its_first_views_is_shown(
    qapp: QApplication, running_service: Any
) -> None:
    class Recorded(Client):
        """A client that writes down when a call is made, and when the feed says something."""

        async def call(self, endpoint: Any, ask: Any) -> Any:
            made.append(endpoint.name)
            return await super().call(endpoint, ask)

        async def follow(self, after: int | None = None) -> AsyncIterator[FeedEvent | WorkingMoved]:
            async for event in super().follow(after):
                made.append(type(event).__name__)
                yield event

    made: list[str] = []

    async def scenario() -> None:
        session = Session(Recorded(running_service.desk))
        told: list[int] = []
        session.changed.connect(lambda events: told.extend(event.id for event in events))
        session.start()
        view = await session.call(memory.FACTS, ListFacts())
        async with Client(running_service.desk, agent="Forge") as agent:
            await learn(agent)
        await until(lambda: told, "the change that came after the view was read")
        assert not view.rows
        # A view that was read before the place in the feed is known would miss the changes between the two.
        assert made[0] == WorkingMoved.__name__
        await session.close()

    drive(qapp, scenario)


def test_a_change_in_a_new_channel_is_told_with_the_number_that_colours_it(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            session, told = window.session, dict[str, int]()
            session.changed.connect(
                lambda events: told.update({at.channel: session.channel_number(at.channel) for at in events})
            )
            await learn(agent)
            await learn(agent, "Abalone keeps its logs for a week", channel="abalone")
            await until(lambda: "abalone" in told, "the change")
            assert told == {"tidepool": 1, "abalone": 2}

    drive(qapp, scenario)


def test_a_list_is_painted_again_when_the_number_of_a_channel_is_known(
    qapp: QApplication, running_service: Any
) -> None:
    class Painting(QObject):
        numbers: ClassVar[list[int]] = []

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                self.numbers.append(window.session.channel_number("tidepool"))
            return False

    async def scenario() -> None:
        nonlocal window
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk, panel="facts") as window,
        ):
            await learn(agent)
            table = window.stage.panel.table  # type: ignore[union-attr]
            await until(lambda: says(table, CLAIM), "the row")
            status = window.session.status
            assert status is not None
            window.session.status = replace(status, channels=())
            window.session.status_changed.emit(window.session.status)
            painting = Painting()
            table.viewport().installEventFilter(painting)
            window.session.refresh_status()
            await until(lambda: 1 in painting.numbers, "the colour")

    window: Window
    drive(qapp, scenario)


def test_status_line_counts_what_the_desk_holds(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await learn(agent)
            await until(
                lambda: window.session.status and window.session.status.facts == 1, "one fact counted"
            )
            assert "1 fact" in window.status_line._facts.text()
            assert [agent.name for agent in window.session.status.agents] == ["Forge"]  # type: ignore[union-attr]

    drive(qapp, scenario)


def test_a_narrow_window_shows_icons_and_its_stage_stays_clear_of_the_inspector(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            assert window.body.rail_open and not window.body.overlays
            await inspected(window, id)
            window.resize(1100, 700)
            await until(lambda: window.rail.width() == 48, "the collapsed rail")
            assert not window.inspector.isVisible()
            await inspected(window, id)
            assert window.inspector.isVisible() and window.stage.geometry().right() < window.inspector.x()
            press(window, Qt.Key.Key_Escape)
            await until(lambda: not window.inspector.isVisible(), "the inspector to close")
            window.resize(1440, 900)
            await until(lambda: window.rail.width() == 184 and window.inspector.isVisible(), "the wide frame")

    drive(qapp, scenario)


@pytest.mark.parametrize("size", [(1440, 900), (1100, 700)])
def test_the_inspector_comes_with_what_is_chosen_and_goes_with_esc(
    qapp: QApplication, running_service: Any, size: tuple[int, int]
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk, size=size) as window,
        ):
            await learn(agent)
            assert not window.inspector.isVisible() and not window.top_bar.inspector.isChecked()
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0 and panel.model.row(0), "the rows")
            await activated(window)
            for _ in range(2):
                click(panel.table.viewport(), panel.table.visualRect(panel.model.index(0, 3)).center())
                await until(window.inspector.isVisible, "the inspector")
                assert window.top_bar.inspector.isChecked()
                press(window, Qt.Key.Key_Escape)
                await until(lambda: not window.inspector.isVisible(), "the inspector to close")

    drive(qapp, scenario)


def test_an_inspector_that_was_asked_for_is_there_in_the_next_window(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            press(window, Qt.Key.Key_I, CTRL)
            await until(window.inspector.isVisible, "the inspector")
        async with opened(running_service.desk) as again:
            assert again.inspector.isVisible()
            press(again, Qt.Key.Key_I, CTRL)
            await until(lambda: not again.inspector.isVisible(), "the inspector to close")
        async with opened(running_service.desk) as last:
            assert not last.inspector.isVisible()

    drive(qapp, scenario)


def test_the_desk_remembers_panel_and_widths_and_the_person_the_theme(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            window.top_bar.theme_chosen.emit("light")
            assert not look.is_dark()
            press(window, Qt.Key.Key_B, CTRL)
            press(window, Qt.Key.Key_I, CTRL)
            await until(lambda: window.rail.width() == 48 and window.inspector.isVisible(), "both sides")
            window.open_panel("audit")
        memo = Memo.of(running_service.desk)
        assert (memo.panel, memo.rail_open, memo.inspector_open) == ("audit", False, True)
        assert appearance.saved_choices().theme == "light"
        async with opened(running_service.desk) as again:
            assert again.stage.panel is not None and again.stage.panel.name == "audit"
            assert again.rail.width() == 48 and again.body.inspector_open

    drive(qapp, scenario)


def test_f6_walks_through_the_regions_and_comes_round(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await inspected(window, await learn(agent))
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0, "the rows")
            await activated(window)
            regions = (window.top_bar, window.rail, window.stage, window.inspector)
            window.top_bar.rail.setFocus()
            met = []
            for _ in range(6):
                press(window, Qt.Key.Key_F6)
                focus = qapp.focusWidget()
                met += [region for region in regions if focus is not None and region.isAncestorOf(focus)]
            assert set(met) == set(regions)

    drive(qapp, scenario)


def test_every_control_of_the_window_has_a_name(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await inspected(window, await learn(agent))
            window.open_search()
            reached = [
                widget
                for widget in window.findChildren(type(window).__bases__[0])
                if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            ]
            nameless = [widget for widget in reached if not (widget.accessibleName() or widget.toolTip())]
            assert reached and not nameless

    drive(qapp, scenario)


def test_a_channel_filter_reaches_every_panel(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await learn(agent, "The NAS runs Postgres 16", "homelab")
            await learn(agent)
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() >= 2, "both events")
            window.session.filter_channels(("homelab",))
            await until(
                lambda: {panel.model.row(n).channel for n in range(panel.model.rowCount())} == {"homelab"}
            )
            await until(lambda: "homelab" in window.top_bar.channels.accessibleName(), "the filter in words")

    drive(qapp, scenario)


# The search.


def test_search_finds_a_memory_and_enter_shows_it(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            press(window, Qt.Key.Key_K, CTRL)
            await until(lambda: qapp.focusWidget() is window.search.field, "the search field")
            press(window.search.field, "pgbouncer")
            await until(lambda: any(CLAIM in choice.text for choice in window.search.choices.model.rows()))
            press(window.search.field, Qt.Key.Key_Return)
            assert not window.search.isVisible()
            await until(lambda: view_of(window, id), "the inspector")

    drive(qapp, scenario)


def test_search_offers_commands_and_channels(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await learn(agent)
            await until(lambda: window.session.status.channels, "the channel")  # type: ignore[union-attr]
            window.open_search()
            press(window.search.field, ">light")
            press(window.search.field, Qt.Key.Key_Return)
            assert not look.is_dark()
            window.open_search()
            press(window.search.field, "#tide")
            press(window.search.field, Qt.Key.Key_Return)
            assert window.session.channels == ("tidepool",)
            window.open_search()
            press(window.search.field, "zzqq nothing like it")
            await asyncio.sleep(0.3)
            press(window.search.field, Qt.Key.Key_Escape)
            assert not window.search.isVisible()

    drive(qapp, scenario)


# The inspector, and what it does to memory.


def test_promotion_shows_what_global_holds_and_then_copies_the_fact(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            view = await inspected(window, id)
            click(view.footer.buttons["promote"])
            await until(lambda: isinstance(view.form, PromotionForm), "the preview")
            form = view.form
            assert isinstance(form, PromotionForm)
            press(form.reason, "it holds for every service")
            await until(form.save.isEnabled, "the preview to allow it")
            click(form.save)
            await until(lambda: said(window) == f"Promoted “{CLAIM}” to _global")
            async with Client(running_service.desk) as owner:
                held = await owner.call(memory.FACTS, ListFacts(channels=(GLOBAL,)))
                assert [fact.claim for fact in held.rows] == [CLAIM]
                assert held.rows[0].promoted_from == id
            again = await inspected(window, id)
            await until(lambda: again.form is None)
            window.inspector.show_memory(held.rows[0].id)
            await until(lambda: view_of(window, held.rows[0].id))
            copy = view_of(window, held.rows[0].id)
            assert copy is not None and copy.footer.buttons["demote"].isVisible()

    drive(qapp, scenario)


def test_ctrl_z_takes_back_the_last_act_and_ctrl_shift_z_does_it_again(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            view = await inspected(window, id)
            click(view.footer.buttons["retire"])
            await until(lambda: said(window).startswith("Retired"))
            assert window.stage.strip.isVisible()
            await until(
                lambda: (v := view_of(window, id)) is not None and v.seen.retired, "it shown as retired"
            )
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: said(window) == f"Undone: “{CLAIM}”")
            assert not (await read(window, id)).retired
            press(window, Qt.Key.Key_Z, CTRL, SHIFT)
            await until(lambda: said(window) == f"Done again: “{CLAIM}”")
            assert (await read(window, id)).retired
            # In a text the keys are the window's until something is typed; then they are the text's.
            source = Source()
            source.setParent(window)
            source.set_text("cats")
            for text in (QLineEdit(window), QPlainTextEdit(window), source):
                text.show()
                text.setFocus()
                press(text, Qt.Key.Key_Z, CTRL)
                await until(lambda: said(window) == f"Undone: “{CLAIM}”")
                press(text, Qt.Key.Key_Z, CTRL, SHIFT)
                await until(lambda: said(window) == f"Done again: “{CLAIM}”")
                press(text, "dogs")
                changes = (await window.session.call(upkeep.STATUS, Nothing())).last_change
                for keys in ((CTRL,), (CTRL,), (CTRL, SHIFT), (CTRL, SHIFT)):
                    press(text, Qt.Key.Key_Z, *keys)
                assert (await window.session.call(upkeep.STATUS, Nothing())).last_change == changes
                assert said(window) == f"Done again: “{CLAIM}”"

    drive(qapp, scenario)


def test_ctrl_z_in_an_empty_field_of_a_form_or_a_sheet_takes_no_act_back(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            view = await inspected(window, id)
            click(view.footer.buttons["pin"])
            await until(lambda: said(window).startswith("Pinned"), "the pin")
            click(view.footer.buttons["promote"])
            await until(lambda: isinstance(view.form, PromotionForm), "the form")
            form = view.form
            assert isinstance(form, PromotionForm)
            window.act_sheet.open()
            for field in (form.reason, window.act_sheet.field):
                field.setFocus()
                await until(field.hasFocus, "the field")
                press(field, Qt.Key.Key_Z, CTRL)
                assert (await read(window, id)).pinned
                await until(lambda: not window.session._acts, "whatever the key began")
                assert said(window).startswith("Pinned")

    drive(qapp, scenario)


def test_letters_act_from_a_list_but_never_while_typing(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            await inspected(window, id)
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0)
            panel.filters.words.setFocus()
            press(panel.filters.words, "pie")
            assert panel.filters.words.text() == "pie"
            await asyncio.sleep(0.05)
            assert not (await read(window, id)).pinned
            panel.filters.words.clear()
            await until(lambda: panel.table.isVisible(), "the rows")
            await activated(window)
            panel.table.setFocus()
            await inspected(window, id)
            press(panel.table, Qt.Key.Key_I)
            await until(lambda: said(window) == f"Pinned “{CLAIM}”")
            await until(lambda: (v := view_of(window, id)) is not None and v.seen.pinned)
            assert view_of(window, id).footer.buttons["pin"].text() == "Unpin"  # type: ignore[union-attr]

    drive(qapp, scenario)


def test_a_letter_acts_on_what_was_chosen_also_while_something_else_is_still_shown(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            first, second = await learn(agent), await learn(agent, "The pool holds 25 connections per node")
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0 and panel.table.isVisible(), "the rows")
            await activated(window)
            panel.table.setFocus()
            await inspected(window, first)
            window.inspector.show_memory(second)
            assert view_of(window, first) is not None
            press(panel.table, Qt.Key.Key_I)
            await until(lambda: said(window).startswith("Pinned"), "the pin")
            assert (await read(window, second)).pinned and not (await read(window, first)).pinned

    drive(qapp, scenario)


def test_a_row_that_comes_late_does_not_take_away_what_was_chosen_since(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0 and panel.table.isVisible(), "the rows")
            await activated(window)
            panel.model.reset(panel.model.rowCount())
            panel.table.setFocus()
            assert panel.table.record() is None and panel.table.currentIndex().isValid()
            view = await inspected(window, id)
            await until(lambda: panel.table.record() is not None, "the row")
            await asyncio.sleep(0.05)
            assert window.inspector.view is view and window.inspector.memory_id == id

    drive(qapp, scenario)


def test_an_edit_of_what_somebody_else_changed_is_a_conflict_that_keeps_the_words(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as other, opened(desk) as window:
            id = await learn(agent)
            view = await inspected(window, id)
            view.edit()
            form = view.form
            assert isinstance(form, EditForm)
            form.claim.set_text("Tidepool ingest holds a session")
            await other.call(curation.EDIT_FACT, EditFact(fact_id=id, claim="Tidepool uses a pool of 25"))
            click(form.save)
            await until(window.strips.notice.isVisible, "the notice")
            assert "changed" in window.strips.notice.accessibleName()
            assert view.form is form and form.claim.text() == "Tidepool ingest holds a session"
            press(window, Qt.Key.Key_Escape)
            assert not window.strips.notice.isVisible() and view.form is form
            press(window, Qt.Key.Key_Escape)
            assert view.form is None

    drive(qapp, scenario)


def test_a_correction_that_was_begun_is_taken_up_again_and_never_lost(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            first, second = await learn(agent), await learn(agent, "Sessions live in Postgres")
            view = await inspected(window, first)
            view.edit()
            assert isinstance(view.form, EditForm)
            view.form.claim.set_text("Half a thought about")
            await inspected(window, second)
            again = await inspected(window, first)
            assert isinstance(again.form, EditForm)
            assert again.form.claim.text() == "Half a thought about"
            assert not window.close() and window.strips.closing.isVisible()
            press(window, Qt.Key.Key_Escape)
            assert not window.strips.closing.isVisible()
            again.close_form()
            assert not window.inspector.unsaved()

    drive(qapp, scenario)


def test_an_edit_names_only_what_differs(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            id = await learn(agent)
            view = await inspected(window, id)
            view.edit()
            form = view.form
            assert isinstance(form, EditForm) and form.asked() is None
            form.confidence.set_value(0.7)
            form.temporal.set_value("past")
            asked = form.asked()
            assert asked == EditFact(fact_id=id, was=CLAIM, confidence=0.7, temporal="past")
            await until(form.save.isVisible, "the form")
            click(form.save)
            await until(lambda: (v := view_of(window, id)) is not None and v.seen.fact.confidence == 0.7)  # type: ignore[union-attr]

    drive(qapp, scenario)


def test_the_inspector_follows_what_an_agent_changes_and_walks_back(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            first, second = await learn(agent), await learn(agent, "The pool holds 25 connections per node")
            await inspected(window, first)
            await inspected(window, second)
            await owner.call(
                curation.EDIT_FACT, EditFact(fact_id=second, claim="The pool holds 30 connections")
            )
            await until(
                lambda: (v := view_of(window, second)) and v.seen.title == "The pool holds 30 connections"
            )
            click(window.inspector.head.back)
            await until(lambda: view_of(window, first), "the way back")
            click(window.inspector.head.forward)
            await until(lambda: view_of(window, second), "the way forward")

    drive(qapp, scenario)


def test_an_entity_shows_what_is_known_of_it(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Iris") as agent,
            opened(running_service.desk) as window,
        ):
            made = await agent.call(
                memory.UPSERT_ENTITY,
                NewEntity(name="陈阿姨", type="Person", description="Mara's aunt", channel="family"),
            )
            view = await inspected(window, made.id)
            assert view.seen.title == "陈阿姨"
            assert view.footer.buttons["pin"].isVisible() and not view.footer.buttons["promote"].isVisible()

    drive(qapp, scenario)


# What goes wrong.


def test_a_service_that_dies_is_said_and_the_window_heals_by_itself(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            id = await learn(agent)
            view = await inspected(window, id)
            await asyncio.to_thread(running_service.kill)
            await until(window.strips.away.isVisible, "the strip")
            assert "read only" in window.strips.away.sentence.text()
            assert not view.footer.buttons["retire"].isEnabled()
            assert view_of(window, id) is view
            await asyncio.to_thread(running_service.start)
            await until(lambda: not window.strips.away.isVisible(), "the strip to go")
            await until(lambda: (v := view_of(window, id)) and v.footer.buttons["retire"].isEnabled())
        async with Client(desk, agent="Forge") as agent:
            await learn(agent, "Written after the window closed")

    drive(qapp, scenario)


def test_reconnect_starts_a_service_that_has_ended(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with opened(desk) as window:
            await asyncio.to_thread(running_service.stop)
            await until(window.strips.away.isVisible, "the strip")
            click(window.strips.away.button)
            await until(lambda: not window.strips.away.isVisible(), "the service to be back")
            await stop_service(desk)

    drive(qapp, scenario)


def test_a_failure_nobody_expected_is_logged_and_shown(
    qapp: QApplication, running_service: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def wrong() -> None:
        raise ZeroDivisionError("by nobody's will")

    async def refused() -> None:
        raise BadAsk("The claim is empty.", next="Write one.")

    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            with caplog.at_level(logging.ERROR):
                window.session.spawn(wrong())
                await until(window.strips.notice.isVisible, "the notice")
            assert "ZeroDivisionError" in caplog.text
            window.session.spawn(refused())
            await until(lambda: "The claim is empty. Write one." in window.strips.notice.accessibleName())
            taken: list[Any] = []
            window.strips.notice.hide()

            async def conflict() -> None:
                raise Conflict("Somebody was first.")

            window.session.spawn(conflict(), failed=taken.append)
            await until(lambda: taken)
            assert isinstance(taken[0], Conflict) and not window.strips.notice.isVisible()

    drive(qapp, scenario)


def test_a_desk_that_cannot_be_opened_is_said_with_its_reason(qapp: QApplication, short_folder: Path) -> None:
    desk = Desk(short_folder / "desk")
    desk.folder.mkdir()
    desk.database.write_text("This is no database.")

    async def scenario() -> None:
        session = Session(Client(desk), revive=partial(ensure_service, desk))
        window = Window(session, Memo.of(desk))
        window.show()
        session.start()
        await until(window.strips.notice.isVisible, "the notice")
        assert "memory.db" in window.strips.notice.accessibleName() and window.strips.away.isVisible()
        window.close()
        await session.close()

    drive(qapp, scenario)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_program_closes_its_window_on_a_signal(running_service: Any, how: signal.Signals) -> None:
    desk = running_service.desk
    program = subprocess.Popen(
        [sys.executable, "-m", "memdesk", "open", str(desk.folder)], stderr=subprocess.PIPE, text=True
    )
    # The window remembers its panel as soon as it stands.
    deadline = time.monotonic() + PATIENCE_S
    while not (desk.folder / "window.ini").exists():
        assert time.monotonic() < deadline and program.poll() is None
        time.sleep(0.05)
    program.send_signal(how)
    _, said = program.communicate(timeout=PATIENCE_S)
    assert (program.returncode, said) == (0, "")


def test_closing_the_window_leaves_no_task_behind(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            window.inspector.show_memory("f_unknown")
            window.open_search()
            press(window.search.field, "anything")
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not [task for task in others if not task.done()]
        assert isinstance(window.search.field, QLineEdit)

    drive(qapp, scenario)
