"""The tools and strategies panel on a real service: how they did, every verb, the way to calls and conversations."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import memory, procedures
from memdesk.client.client import Client
from memdesk.gui.panels.procedures.strategies_view import StrategyForm
from memdesk.gui.panels.procedures.tool_views import name, said, tool_rows
from memdesk.gui.panels.procedures_panel import ProceduresPanel
from memdesk.gui.shell.record_detail import Item
from memdesk.gui.window import Window
from memdesk.model.remember import NewTurn
from memdesk.model.strategy import AskStrategy, NewStrategy, ReinforceStrategy, StrategyRow
from memdesk.model.tool_call import NewToolCall, NewToolCalls, ToolDay, ToolSpread, ToolStats, ToolUse
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, press, shared, until

CTRL = Qt.KeyboardModifier.ControlModifier


async def learn(client: Client, description: str, *tools: str, failures: int = 0, **more: Any) -> str:
    ask = NewStrategy(
        description=description, tool_sequence=tools or ("search", "edit"), channel="harbour", **more
    )
    id = (await client.call(procedures.LEARN_STRATEGY, ask)).id
    for _ in range(failures):
        await client.call(procedures.REINFORCE_STRATEGY, ReinforceStrategy(strategy_id=id, success=False))
    return id


async def get(client: Client, id: str) -> StrategyRow:
    return (await client.call(procedures.STRATEGY, AskStrategy(strategy_id=id))).strategy


async def say(client: Client) -> None:
    turn = NewTurn(
        content="The crane lifts 12.",
        title="Cranes",
        conversation_id="c",
        channel="harbour",
        agent_id="Forge",
    )
    await client.call(memory.STORE_TURN, turn)


async def shown(window: Window, number: int) -> ProceduresPanel:
    panel = window.open_panel("procedures")
    assert isinstance(panel, ProceduresPanel)
    await until(lambda: panel.strategies.model.rowCount() == number, "the strategies")
    await until(lambda: panel.strategies.aside.record is not None, "the one beside")
    await activated(window)
    panel.strategies.table.setFocus()
    return panel


async def choose(panel: ProceduresPanel, id: str) -> None:
    page = panel.strategies
    page.table.setFocus()
    assert page.table.select(id)
    await until(lambda: page.aside.record is not None and page.aside.record.strategy.id == id, "the strategy")


def test_a_strategy_is_found_judged_edited_pinned_retired_and_restored(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await say(agent)
            good = await learn(agent, "Weigh it first", "weigh", from_conversation_id="c")
            poor = await learn(agent, "Lift and hope", failures=3)
            panel = await shown(window, 2)
            page = panel.strategies
            tester = QAbstractItemModelTester(page.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
            words = [page.model.index(row, 1).data() for row in range(2)]
            assert sorted(words) == ["100 % of 1", "25 % of 4"]
            head = page.table.horizontalHeader()
            click(head.viewport(), QPoint(head.sectionViewportPosition(1) + 20, 10))
            assert [row.id for row in page.model.rows()] == [poor, good]
            await choose(panel, good)
            lines = [line for line in page.aside.details.rows.rows() if isinstance(line, Item)]
            assert [line.text for line in lines] == ["1. weigh", "Cranes"]
            press(page.table, Qt.Key.Key_X)
            await until(
                lambda: page.aside.record and page.aside.record.strategy.failure_count == 1, "the failure"
            )
            click(page.aside.acts.buttons["worked"])
            await until(
                lambda: page.aside.record and page.aside.record.strategy.success_count == 2, "the success"
            )
            window.session.undo()
            await until(
                lambda: page.aside.record and page.aside.record.strategy.success_count == 1, "the undo"
            )
            await choose(panel, good)
            press(page.table, Qt.Key.Key_E)
            await until(lambda: page.aside.stack.form is not None, "the form")
            form = page.aside.stack.form
            assert isinstance(form, StrategyForm)
            form.tools.set_text(" \n")
            click(form.save)
            assert form.tools.editor.accessibleDescription() == "Name at least one tool."
            form.tools.set_text("weigh\nlift")
            press(form.words.editor, ", then lift")
            assert panel.unsaved()
            press(form.words.editor, Qt.Key.Key_S, CTRL)
            await until(lambda: page.aside.stack.form is None, "that it is saved")
            row = await get(agent, good)
            assert (row.description, row.tool_sequence) == ("Weigh it first, then lift", ("weigh", "lift"))
            await choose(panel, good)
            press(page.table, Qt.Key.Key_I)
            await until(lambda: "unpin" in page.aside.acts.shown, "the pin")
            press(page.table, Qt.Key.Key_I)
            await until(lambda: "pin" in page.aside.acts.shown, "no pin")
            press(page.table, Qt.Key.Key_Delete)
            await until(lambda: [row.id for row in page.model.rows()] == [poor], "that it is retired")
            panel.states.set_value("retired")
            panel.states.chosen.emit("retired")
            await until(lambda: [row.id for row in page.model.rows()] == [good], "the retired one")
            await choose(panel, good)
            await until(lambda: page.aside.acts.shown == ("restore",), "the way back")
            click(page.aside.acts.buttons["restore"])
            await until(lambda: panel._stack.currentWidget() is panel._empty, "none retired")
            click(panel._empty.step)
            await until(lambda: page.model.rowCount() == 2, "both")
            panel.filter.setText("hope")
            await until(lambda: [row.id for row in page.model.rows()] == [poor], "the one with the word")
            assert tester

    drive(qapp, scenario)


def test_tools_tell_how_they_did_and_lead_to_their_calls_and_conversations(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await say(agent)
            now = datetime.now(UTC)
            calls = tuple(
                NewToolCall(
                    tool_name="weigh",
                    task_type=("crane", "boat")[n % 2],
                    success=n != 5,
                    latency_ms=10 * n,
                    error_message="too heavy" if n == 5 else "",
                    created_at=now - timedelta(minutes=n),
                    conversation_id="c" if n == 5 else None,
                    channel="harbour",
                    tool_input={"n": n},
                )
                for n in range(130)
            )
            await agent.call(procedures.RECORD_INVOCATIONS, NewToolCalls(calls=calls))
            await agent.call(procedures.RECORD_INVOCATION, NewToolCall(tool_name="lift", channel="harbour"))
            id = await learn(agent, "Weigh it first", "weigh", "lift")
            panel = await shown(window, 1)
            page, details = panel.tools, panel.strategies.aside.details
            details.setFocus()
            press(details, Qt.Key.Key_Return)
            await until(
                lambda: page.table.record() is not None and len(page._calls) == 100, "the tool's calls"
            )
            assert page.table.record().tool_name == "weigh"
            tester = QAbstractItemModelTester(page.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
            rows = page.model.rows()
            assert [name(row) for row in rows] == ["weigh", "boat", "crane", "lift"]
            cells = [page.model.index(0, column).data() for column in (1, 2, 3, 4, 6)]
            assert cells == ["130", "99 % of 130", "640 ms", "1.2 s", "too heavy"]
            assert "130 calls, 1 failed" in page.aside.days.accessibleDescription()
            # Reading on brings older calls.
            bar = page.aside.calls.verticalScrollBar()
            bar.setValue(bar.maximum())
            await until(lambda: len(page._calls) == 130, "the older calls")
            click(page.aside.which._button(1))
            await until(lambda: len(page._calls) == 1, "the failure alone")
            page.aside.calls.setFocus()
            await until(lambda: page.aside.acts.shown == ("whole", "talk"), "what can be done")
            press(page.aside.calls, Qt.Key.Key_Return)
            failed = page._calls[0].id
            await until(lambda: window.inspector.memory_id == failed, "the call whole")
            press(page.aside.calls, Qt.Key.Key_C)
            await until(
                lambda: window.stage.panel is not None and window.stage.panel.name == "conversations",
                "the talk",
            )
            window.open_panel("procedures")
            page.table.setFocus()
            page.table.choose(3)
            press(page.table, Qt.Key.Key_Return)
            await until(
                lambda: panel.using.isVisible() and panel.using.text() == "with lift", "strategies with it"
            )
            await until(lambda: [row.id for row in panel.strategies.model.rows()] == [id], "the strategy")
            click(panel.using)
            await until(lambda: not panel.using.isVisible(), "all strategies")
            # What an agent does comes in by itself.
            click(panel.page._button(1))
            await until(lambda: page.model.rowCount() == 4, "the tools")
            await agent.call(procedures.RECORD_INVOCATION, NewToolCall(tool_name="lift", channel="harbour"))
            await until(lambda: page.model.index(3, 1).data() == "2", "the call")
            assert tester

    drive(qapp, scenario)


def use(task: str, worked: int, failed: int) -> ToolUse:
    known = worked + failed
    return ToolUse(
        task_type=task,
        usage_count=known,
        success_count=worked,
        failure_count=failed,
        success_rate=worked / known if known else None,
        avg_latency_ms=None,
    )


def test_tools_of_which_nothing_is_known_come_last_either_way() -> None:
    stats = [
        ToolStats(tool_name=tool, total=use("", *counts), by_task=(use("", *counts),))
        for tool, counts in (("a", (1, 0)), ("b", (0, 0)), ("c", (1, 1)))
    ]
    spreads = [
        ToolSpread(
            tool_name="c",
            task_type=None,
            calls=2,
            median_latency_ms=0,
            p95_latency_ms=0,
            last_error=None,
            last_used=datetime.now(UTC),
        )
    ]
    for by, descending, order in (
        ("success", True, "acb"),
        ("success", False, "cab"),
        ("median", True, "cab"),
        ("name", True, "cba"),
        ("used", True, "cab"),
        ("calls", False, "bac"),
    ):
        assert "".join(row.tool_name for row in tool_rows(stats, spreads, by, descending=descending)) == order


def test_a_day_says_its_numbers() -> None:
    day = ToolDay(
        day=date(2026, 11, 20), usage_count=2, success_count=1, failure_count=1, avg_latency_ms=1500
    )
    assert said(day) == "Friday 20 November 2026, 2 calls, 1 failed, 1.5 s on average"
