"""The facts table on a real service: narrowing, sorting, choosing many, acting on them, and taking it back whole."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, goals, memory, upkeep
from memdesk.api.endpoint import Endpoint
from memdesk.client.client import Client
from memdesk.gui.panels.facts import bulk_sheet, facts_table
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.shell.act_sheet import touches
from memdesk.gui.window import Window
from memdesk.model.curation import BULK_AT_MOST, Bulk, Retire, Touch
from memdesk.model.goal import NewGoal
from memdesk.model.remember import NewEntity, NewFact
from memdesk.model.status import AskJob
from memdesk.model.timeline import AskTable, TableRow
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, shared, until

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def learn(client: Client, claim: str, channel: str = "tidepool", confidence: float = 0.95) -> str:
    told = NewFact(claim=claim, channel=channel, confidence=confidence, category="decision")
    return (await client.call(memory.LEARN_FACT, told)).id


async def facts(window: Window, number: int) -> FactsPanel:
    """The panel with so many rows, the keyboard in its table."""
    panel = window.open_panel("facts")
    assert isinstance(panel, FactsPanel)
    await until(lambda: panel.model.rowCount() == number and panel.model.row(0), f"{number} rows")
    await activated(window)
    panel.table.setFocus()
    return panel


def rows(panel: FactsPanel) -> list[TableRow]:
    """The rows that are here."""
    found = (panel.model.row(place) for place in range(panel.model.rowCount()))
    return [row for row in found if row is not None]


def titles(panel: FactsPanel) -> list[str]:
    return [row.title for row in rows(panel)]


def choose(panel: FactsPanel, first: int, number: int) -> None:
    """Choose rows as a person does: the first with the arrows, the rest with Shift."""
    panel.table.choose(first)
    for _ in range(number - 1):
        press(panel.table, Qt.Key.Key_Down, SHIFT)


def title_of(panel: FactsPanel, column: str) -> QPoint:
    """The middle of a column's title."""
    place = [each.title for each in panel.model.columns].index(column)
    head = panel.table.horizontalHeader()
    return QPoint(head.sectionViewportPosition(place) + head.sectionSize(place) // 2, head.height() // 2)


async def stored(client: Client) -> list[TableRow]:
    return list((await client.call(memory.TABLE, AskTable(state="all", limit=1000))).rows)


def test_facts_are_sorted_by_their_titles_and_open_in_the_inspector(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            for claim, confidence in (
                ("Bravo is sure", 0.95),
                ("Alpha is unsure", 0.4),
                ("Charlie is so so", 0.7),
            ):
                await learn(agent, claim, confidence=confidence)
            panel = await facts(window, 3)
            testers = [
                QAbstractItemModelTester(each, QAbstractItemModelTester.FailureReportingMode.Fatal)
                for each in (*(table.windowed for table in panel.tables.values()), panel.sheet.model)
            ]
            assert titles(panel)[0] == "Charlie is so so" and panel.head.subtitle.text() == "3 facts"
            click(panel.table.horizontalHeader().viewport(), title_of(panel, "Claim"))
            await until(lambda: titles(panel)[:1] == ["Alpha is unsure"], "the order of the claims")
            click(panel.table.horizontalHeader().viewport(), title_of(panel, "Confidence"))
            await until(lambda: titles(panel)[:1] == ["Bravo is sure"], "the surest first")
            click(panel.table.horizontalHeader().viewport(), title_of(panel, "Confidence"))
            await until(lambda: titles(panel)[:1] == ["Alpha is unsure"], "the least sure first")
            press(panel.table, "s")
            await until(lambda: panel.filters.sort == ("recalled", True), "the next column")
            panel.table.choose(1)
            chosen = panel.table.record()
            await until(lambda: window.inspector.memory_id == chosen.id, "the inspector")
            window.toggle_inspector()
            assert not window.inspector.isVisible()
            row = panel.table.visualRect(panel.table.currentIndex())
            click(panel.table.viewport(), row.center())
            await until(window.inspector.isVisible, "the inspector again, by a click on the chosen row")
            assert testers

    drive(qapp, scenario)


def test_filters_narrow_and_one_press_clears_them(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent, "Surely so")
            await learn(agent, "Perhaps so", confidence=0.3)
            await learn(agent, "Elsewhere so", "harbor-web")
            panel = await facts(window, 3)
            panel.filters.confidence.menu().picked.emit("low")
            await until(lambda: titles(panel) == ["Perhaps so"], "the unsure one")
            assert panel.head.subtitle.text() == "1 of 3 facts"
            click(panel.filters.clear)
            await until(lambda: len(titles(panel)) == 3, "all")
            window.session.filter_channels(("harbor-web",))
            await until(lambda: titles(panel) == ["Elsewhere so"], "one channel")
            window.session.filter_channels(())
            press(window, "/")
            press(panel.filter, "surely")
            await until(lambda: titles(panel) == ["Surely so"], "the words")
            panel.filter.setText("no such words")
            await until(panel._nothing.isVisible, "that nothing matches")
            click(panel._nothing.step)
            await until(lambda: len(titles(panel)) == 3, "everything again")

    drive(qapp, scenario)


def test_many_are_tagged_by_keyboard_and_one_undo_takes_it_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            for number in range(4):
                await learn(agent, f"Fact number {number}")
            panel = await facts(window, 4)
            choose(panel, 0, 3)
            assert panel.table.number_chosen() == 3 and panel.chosen.isVisible()
            press(panel.table, "t")
            await until(panel.sheet.isVisible, "the preview")
            assert not panel.sheet.act.isEnabled() and panel.sheet.note.text() == "Say which tags."
            press(panel.sheet.tags, "checked, by hand")
            await until(panel.sheet.act.isEnabled, "what it touches")
            assert panel.sheet.act.text() == "Tag 3" and panel.sheet.model.rowCount() == 3
            press(panel.sheet.tags, Qt.Key.Key_Return)
            await until(lambda: window.session.deed is not None, "the deed")
            assert window.session.deed is not None and window.session.deed.sentence == "Tagged 3 facts"
            await until(
                lambda: sum(row.tags == ("by hand", "checked") for row in rows(panel)) == 3, "the tags"
            )
            assert not panel.sheet.isVisible() and panel.table.number_chosen() == 0
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: not any(row.tags for row in rows(panel)), "the undo")
            assert not any(row.tags for row in await stored(agent))
            press(window, Qt.Key.Key_Z, CTRL | SHIFT)
            await until(lambda: sum(bool(row.tags) for row in rows(panel)) == 3, "the redo")

    drive(qapp, scenario)


def test_what_is_chosen_follows_its_rows_when_they_come_anew_at_other_places(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            ids = [await learn(agent, f"Fact number {number}") for number in range(5)]
            panel = await facts(window, 5)
            choose(panel, 0, 3)
            window.session.changed.disconnect(panel._hear)
            await owner.call(curation.RETIRE, Retire(id=ids[4]))
            panel.model.refresh()
            await until(lambda: [row.id for row in rows(panel)] == ids[3::-1], "the rows that are left")
            assert {row.id for row in panel.table.held()} == {ids[3], ids[2]}

    drive(qapp, scenario)


def test_del_retires_all_that_are_chosen_and_says_which_are_left(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            ids = [await learn(agent, f"Fact number {number}") for number in range(4)]
            panel = await facts(window, 4)
            # Another desk retires one of them between the choice and the act.
            window.session.changed.disconnect(panel._hear)
            await until(lambda: panel._task is None and not panel._soon.isActive(), "the panel to be at rest")
            choose(panel, 0, 3)
            await owner.call(curation.RETIRE, Retire(id=ids[3]))
            press(panel.table, Qt.Key.Key_Delete)
            await until(lambda: panel.sheet.model.rowCount() == 3, "the preview")
            assert panel.sheet.act.text() == "Retire 2"
            left = panel.sheet.model.row(0)
            assert left is not None and left.id == ids[3] and "retired already" in touches(left)
            press(panel.sheet, Qt.Key.Key_Return)
            await until(lambda: panel.model.rowCount() == 1, "what is left")
            strip = window.stage.strip
            assert strip.isVisible() and strip.sentence.text() == "Retired 2 facts"
            foot = window.stage.mapFromGlobal(panel.mapToGlobal(panel.rect().bottomLeft())).y()
            assert strip.geometry().bottom() < foot - panel.chosen.height(), "the bar is free"
            click(strip._undo)
            await until(lambda: window.session.deed and window.session.deed.op == "undo", "the undo")
            assert sum(row.state == "current" for row in await stored(agent)) == 3

    drive(qapp, scenario)


def test_many_are_moved_merged_pinned_and_promoted_by_the_buttons(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent, "Far away", "harbor-web")
            for number in range(2):
                await learn(agent, f"Fact number {number}")
            panel = await facts(window, 3)

            async def acted(verb: str) -> None:
                choose(panel, 0, 2)
                window.session.deed = None
                click(panel.chosen.buttons[verb])
                await until(
                    lambda: panel.sheet.act.isVisible() and panel.sheet.act.isEnabled(),
                    f"what {verb} touches",
                )
                click(panel.sheet.act)
                await until(lambda: window.session.deed is not None and panel.sheet.isHidden(), verb)
                await until(lambda: not panel._stale and panel._task is None, "the rows")

            await acted("pin")
            await until(lambda: [row.pinned for row in rows(panel)] == [True, True, False], "two pins")
            choose(panel, 0, 2)
            assert panel.chosen.buttons["pin"].text() == "Unpin"
            panel.choose_nothing()
            await acted("move")
            await until(lambda: [row.channel for row in rows(panel)] == ["harbor-web"] * 3, "one channel")
            await acted("promote")
            await until(lambda: panel.model.rowCount() == 5, "the copies")
            assert sorted(row.channel for row in rows(panel)) == ["_global"] * 2 + ["harbor-web"] * 3
            await acted("merge")
            await until(lambda: panel.model.rowCount() == 4, "one of two")

    drive(qapp, scenario)


def test_what_is_chosen_stays_while_agents_write_and_newer_rows_wait(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            ids = [await learn(agent, f"Fact number {number}") for number in range(5)]
            panel = await facts(window, 5)
            choose(panel, 1, 2)
            held = [row.id for row in panel.table.held()]
            await learn(agent, "Something new")
            await until(panel.table.newer.isVisible, "the chip")
            assert panel.table.newer.text() == "1 new" and [row.id for row in panel.table.held()] == held
            await owner.call(curation.RETIRE, Retire(id=ids[4]))
            await until(lambda: panel.model.rowCount() == 4, "the row to go")
            assert [row.id for row in panel.table.held()] == held
            click(panel.table.newer)
            await until(lambda: titles(panel)[:1] == ["Something new"], "the new row")
            assert not panel.table.newer.isVisible()

    drive(qapp, scenario)


def test_a_run_is_taken_back_whole_in_another_window_too(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner:
            ids = tuple([await learn(agent, f"Fact number {number}") for number in range(3)])
            job = await owner.call(curation.BULK, Bulk(verb="pin", ids=ids))
            while (await owner.call(upkeep.JOB, AskJob(id=job.id))).open:
                await asyncio.sleep(0.02)
            async with opened(desk) as window:
                panel = await facts(window, 3)
                assert all(row.pinned for row in rows(panel))
                press(window, Qt.Key.Key_Z, CTRL)
                await until(lambda: window.session.deed is not None, "the undo")
                assert window.session.deed is not None and window.session.deed.sentence == "Undone: 3 changes"
                assert not any(row.pinned for row in await stored(agent))

    drive(qapp, scenario)


def test_esc_closes_the_preview_then_lets_go_of_the_rows(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            for number in range(3):
                await learn(agent, f"Fact number {number}")
            panel = await facts(window, 3)
            press(panel.table, Qt.Key.Key_A, CTRL)
            assert panel.table.number_chosen() == 3
            await until(
                lambda: window.session.status and window.session.status.facts == 3, "the channel to be known"
            )
            press(panel.table, "c")
            await until(lambda: panel.sheet.note.text() == "There is no other channel yet.", "the reason")
            assert panel.sheet.channel.value() is None and not panel.sheet.act.isEnabled()
            press(panel.sheet, Qt.Key.Key_Escape)
            assert not panel.sheet.isVisible() and panel.table.number_chosen() == 3 and panel.table.hasFocus()
            press(panel.table, Qt.Key.Key_Escape)
            await until(lambda: panel.table.number_chosen() == 0, "nothing chosen")
            assert len(await stored(agent)) == 3

    drive(qapp, scenario)


def test_an_action_that_was_prepared_can_be_done_once_the_service_is_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent:
            for number in range(2):
                await learn(agent, f"Fact number {number}")
        async with opened(desk) as window:
            panel = await facts(window, 2)
            press(panel.table, Qt.Key.Key_A, CTRL)
            press(panel.table, Qt.Key.Key_Delete)
            await until(lambda: panel.sheet.act.text() == "Retire 2", "the preview")
            window.session._revive = None
            running_service.kill()
            await until(lambda: not panel.sheet.act.isEnabled(), "that it is away")
            running_service.start()
            window.session.reconnect()
            await until(panel.sheet.act.isEnabled, "that it is back")
            assert panel.sheet.isVisible() and panel.sheet.act.text() == "Retire 2"

    drive(qapp, scenario)


def test_more_than_one_act_takes_are_refused_in_words(
    qapp: QApplication, running_service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_most = 120
    for module in (bulk_sheet, facts_table):
        monkeypatch.setattr(module, "BULK_AT_MOST", at_most)

    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            number = at_most + 1
            await asyncio.gather(*(learn(agent, f"Fact number {each}") for each in range(number)))
            assert (await agent.call(memory.TABLE, AskTable(limit=BULK_AT_MOST))).total == number
            panel = await facts(window, number)
            press(panel.table, Qt.Key.Key_A, CTRL)
            assert panel.chosen._count.text() == f"{number:,} chosen"
            press(panel.table, Qt.Key.Key_Delete)
            await until(lambda: panel.sheet.note.text().startswith(f"At most {at_most}"), "the refusal")
            assert not panel.sheet.act.isEnabled()
            press(panel.sheet, Qt.Key.Key_Escape)
            panel.table.scrollToBottom()
            await until(lambda: panel.model.row(number - 1) is not None, "the last page")

    drive(qapp, scenario)


def test_entities_and_goals_have_tables_and_an_empty_one_says_what_fills_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            panel = window.open_panel("facts")
            assert isinstance(panel, FactsPanel)
            await until(panel._empty.isVisible, "the empty state")
            assert panel._empty.sentence.text() == "No fact yet."
            await agent.call(
                memory.UPSERT_ENTITY, NewEntity(name="PgBouncer", type="Technology", channel="tidepool")
            )
            await agent.call(goals.ADD, NewGoal(description="Ship it", channel="tidepool"))
            panel.filters.show_kind("entity")
            await until(lambda: titles(panel) == ["PgBouncer"], "the entity")
            panel.table.choose(0)
            assert (
                not panel.chosen.buttons["promote"].isVisible() and panel.chosen.buttons["merge"].isVisible()
            )
            panel.filters.show_kind("goal")
            await until(lambda: titles(panel) == ["Ship it"], "the goal")
            panel.filters.show_kind("strategy")
            await until(panel._empty.isVisible, "the empty state")
            assert panel._empty.sentence.text() == "No strategy yet."

    drive(qapp, scenario)


def test_a_preview_says_what_moves_with_a_memory() -> None:
    seen = Touch(id="f_1", title="x", channel="y", also={"relation": 2, "entity": 1}, files=("MEMORY.md",))
    assert touches(seen) == "1 entity, 2 relations · writes MEMORY.md"
    assert touches(Touch(id="f_1", title="x", channel="y")) == "itself alone"


def test_q_holds_what_is_chosen_out_of_recall_and_its_state_lets_it_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            for number in range(3):
                await learn(agent, f"Fact number {number}")
            panel = await facts(window, 3)
            choose(panel, 0, 2)
            press(panel.table, "q")
            await until(lambda: panel.sheet.isVisible() and panel.sheet.act.isEnabled(), "the preview")
            assert panel.sheet.act.text() == "Quarantine 2"
            assert "1 question" in touches(panel.sheet.model.rows()[0])
            click(panel.sheet.act)
            await until(lambda: panel.model.rowCount() == 1, "what is left")
            panel.filters.states.set_value("quarantined")
            panel.filters.changed.emit()
            await until(lambda: panel.model.rowCount() == 2, "what is held out")
            assert {row.state for row in rows(panel)} == {"quarantined"}
            panel.table.setFocus()
            choose(panel, 0, 2)
            assert panel.chosen.buttons["restore"].isVisible()
            press(panel.table, "r")
            await until(lambda: panel.sheet.isVisible() and panel.sheet.act.isEnabled(), "the preview")
            click(panel.sheet.act)
            await until(lambda: panel._nothing.isVisible(), "nothing held out")

    drive(qapp, scenario)


@pytest.mark.parametrize("late", [curation.BULK, upkeep.JOB])
def test_an_act_whose_end_is_told_late_leaves_alone_what_is_chosen_and_previewed_meanwhile(
    qapp: QApplication, running_service: Service, late: Endpoint[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            for number in range(4):
                await learn(agent, f"Fact number {number}")
            panel = await facts(window, 4)
            told, call = asyncio.Event(), window.session.call

            async def slow(endpoint: Endpoint[Any, Any], ask: Any) -> Any:
                answer = await call(endpoint, ask)
                if endpoint is late and not told.is_set():
                    await told.wait()
                return answer

            monkeypatch.setattr(window.session, "call", slow)
            choose(panel, 0, 2)
            press(panel.table, "q")
            await until(lambda: panel.sheet.isVisible() and panel.sheet.act.isEnabled(), "the preview")
            click(panel.sheet.act)
            await until(lambda: panel.model.rowCount() == 2, "what is left")
            panel.choose_nothing()
            panel.table.setFocus()
            choose(panel, 0, 2)
            press(panel.table, Qt.Key.Key_Delete)
            await until(lambda: panel.sheet.act.text() == "Retire 2", "the next preview")
            told.set()
            await until(lambda: window.session.deed is not None, "the end of the first act")
            assert panel.sheet.isVisible() and panel.sheet.act.text() == "Retire 2"
            assert panel.table.number_chosen() == 2
            click(panel.sheet.act)
            await until(panel.sheet.isHidden, "the end of the second act")
            assert window.session.deed.sentence == "Retired 2 facts"

    drive(qapp, scenario)


def test_an_answer_to_a_filter_that_was_given_up_touches_neither_the_rows_nor_the_focus(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent, "Bravo is sure")
            panel = await facts(window, 1)
            asked, answered = asyncio.Event(), asyncio.Event()
            call = window.session.call

            async def slow(endpoint: Any, ask: Any) -> Any:
                """The service takes its time for the one filter that matches nothing."""
                answer = await call(endpoint, ask)
                if isinstance(ask, AskTable) and ask.text == "zebrafinch":
                    asked.set()
                    await answered.wait()
                return answer

            window.session.call = slow  # type: ignore[method-assign]
            panel.filter.setText("zebrafinch")
            await until(asked.is_set, "the question")
            panel.filter.clear()
            panel.table.setFocus()
            answered.set()
            await until(lambda: panel._task is None and not panel._soon.isActive(), "the answer to no filter")
            assert panel.table.isVisible() and QApplication.focusWidget() is panel.table
            assert [row.title for row in rows(panel)] == ["Bravo is sure"]

    drive(qapp, scenario)


def test_rows_stay_and_keep_the_focus_until_the_last_filter_is_answered(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent, "Bravo is sure")
            panel = await facts(window, 1)
            hidden: list[int] = []
            panel._rows.currentChanged.connect(hidden.append)
            for text in ("z", "", "zz", "", "zzz", ""):
                panel.filter.setText(text)
                await asyncio.sleep(0.02)
            await until(lambda: panel._task is None and not panel._soon.isActive(), "the last answer")
            assert hidden == [] and QApplication.focusWidget() is panel.table

    drive(qapp, scenario)
