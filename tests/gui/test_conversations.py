"""The conversations panel on a real service: turns with what was told before them, the tools, and the facts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import context, memory, procedures
from memdesk.client.client import Client
from memdesk.gui.panels.conversations.conversation_turns import (
    CALL_PX,
    Divider,
    More,
    TurnLine,
    accessible_text,
    marks,
)
from memdesk.gui.panels.conversations.conversation_view import STEP, TURNS_AT_ONCE
from memdesk.gui.panels.conversations_panel import LISTED, ConversationsPanel
from memdesk.gui.shell.record_detail import Heading, Item
from memdesk.gui.widgets.paper import wrap_text
from memdesk.gui.window import Window
from memdesk.model.context import Compact
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewFact, NewTurn, NewTurns, StoredTurn
from memdesk.model.tool_call import NewToolCall
from tests.conftest import Service
from tests.engine.talks import talk
from tests.gui.driving import activated, click, drive, opened, press, until

LONG = "陈阿姨六十五岁生日，玛拉送了龙井和葡文版《李白诗选》。" * 30


async def say(
    client: Client, *said: str, talk: str = "quay", channel: str = "harbour", first: int = 0
) -> list[str]:
    turns = tuple(
        NewTurn(
            content=text,
            role=("user", "assistant")[n % 2],
            speaker=("Mara", "Forge")[n % 2],
            title=f"About {talk}",
            conversation_id=talk,
            channel=channel,
            agent_id="Forge",
            turn_index=n,
        )
        for n, text in enumerate(said, first)
    )
    stored: list[StoredTurn] = []
    for at in range(0, len(turns), 400):
        stored += (await client.call(memory.STORE_TURNS, NewTurns(turns=turns[at : at + 400]))).turns
    return [turn.id for turn in stored]


async def shown(window: Window, number: int = 1) -> ConversationsPanel:
    panel = window.open_panel("conversations")
    assert isinstance(panel, ConversationsPanel)
    await until(lambda: panel.listing.rows.rowCount() == number and panel.view.talk is not None, "them")
    await activated(window)
    return panel


def headings(panel: ConversationsPanel) -> list[str]:
    return [line.title for line in panel.view.beside.rows.rows() if isinstance(line, Heading)]


def items(panel: ConversationsPanel) -> list[Item]:
    return [line for line in panel.view.beside.rows.rows() if isinstance(line, Item)]


def lines(panel: ConversationsPanel) -> list[TurnLine]:
    return panel.view.turns.turn_lines()


def test_a_turn_shows_what_was_told_before_it_its_tools_and_its_facts(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            ids = await say(agent, "The crane lifts 12 tonnes.", "Noted.", "And the old one?", "Nine.")
            new = NewFact(claim="The crane lifts 12 tonnes", channel="harbour", source_turn_id=ids[0])
            fact = await agent.call(memory.LEARN_FACT, new)
            failed = NewToolCall(
                tool_name="weigh", success=False, error_message="too heavy", latency_ms=30, turn_id=ids[1]
            )
            await agent.call(procedures.RECORD_INVOCATION, failed)
            asked = AskContext(
                text="crane tonnes", conversation_id="quay", turn_index=3, channel="harbour", agent_id="Forge"
            )
            told = await agent.call(context.PROMPT, asked)
            assert "12 tonnes" in told.text
            panel = await shown(window)
            view = panel.view
            await until(lambda: view.reading and view.reading.contexts, "what was told")
            testers = [
                QAbstractItemModelTester(each, QAbstractItemModelTester.FailureReportingMode.Fatal)
                for each in (panel.listing.rows, view.turns.rows, view.beside.rows)
            ]
            assert headings(panel) == ["Facts of this conversation", "Tool calls", "Told before turns"]
            assert [[icon for icon, _ in marks(line)] for line in lines(panel)] == [
                ["link"],
                [],
                [],
                ["lab"],
            ]
            called = [[call.tool_name for call in line.calls] for line in lines(panel)]
            assert called == [[], ["weigh"], [], []] and "weigh, 30 ms, too heavy" in accessible_text(
                lines(panel)[1]
            )
            heights = [view.turns.rowHeight(view.turns.place_of(n) or 0) for n in range(4)]
            assert heights[1] == heights[0] + CALL_PX == heights[2] + CALL_PX
            view.turns.setFocus()
            view.turns.choose_turn(0)
            assert headings(panel) == ["Facts read from it"]
            view.beside.setFocus()
            press(view.beside, Qt.Key.Key_Return)
            await until(lambda: window.inspector.memory_id == fact.id, "the fact in the inspector")
            view.turns.choose_turn(1)
            assert items(panel)[0].text == "weigh\ntoo heavy" and items(panel)[0].tone == "bad"
            view.turns.choose_turn(3)
            await until(lambda: headings(panel)[0] == "Told before this turn", "the prompt")
            words = "".join("".join(each.text.split()) for each in items(panel))
            assert all("".join(piece.text.split()) in words for piece in told.pieces)
            view.turns.choose_turn(2)
            assert headings(panel) == ["Turn 3"]
            view.turns.setFocus()
            press(view.turns, Qt.Key.Key_Return)
            await until(lambda: window.inspector.memory_id == ids[2], "the turn in the inspector")
            press(view.turns, Qt.Key.Key_Escape)
            await until(lambda: headings(panel)[0] == "Facts of this conversation", "the whole conversation")
            assert testers

    drive(qapp, scenario)


def test_a_turn_that_was_left_before_its_prompt_came_leaves_the_conversation_shown(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await say(agent, "The crane lifts 12 tonnes.", "Noted.", "And the old one?", "Nine.")
            await agent.call(memory.LEARN_FACT, NewFact(claim="The crane lifts 12 tonnes", channel="harbour"))
            asked = AskContext(
                text="crane tonnes", conversation_id="quay", turn_index=3, channel="harbour", agent_id="Forge"
            )
            await agent.call(context.PROMPT, asked)
            view = (panel := await shown(window)).view
            await until(lambda: view.reading and view.reading.contexts, "what was told")
            view.turns.choose_turn(3)
            assert view._contexts.goes_on and view.leave_turn()  # noqa: SLF001
            before = headings(panel)
            await until(lambda: not view._contexts.goes_on, "the answer about the turn")  # noqa: SLF001
            assert headings(panel) == before and "Told before this turn" not in before

    drive(qapp, scenario)


def test_what_is_said_comes_in_live_without_moving_what_is_read(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk, size=(1100, 700)) as window:
            await say(agent, *(f"Line {n} about the crane. {LONG[:80]}" for n in range(40)))
            panel = await shown(window)
            view, bar = panel.view, panel.view.turns.verticalScrollBar()
            assert bar.maximum() > 400
            bar.setValue(300)
            await say(agent, "One more.", first=40)
            await until(lambda: len(lines(panel)) == 41, "the turn")
            assert bar.value() == 300
            # Who reads the end goes on reading it.
            bar.setValue(bar.maximum())
            await say(agent, "And another.", first=41)
            await until(lambda: len(lines(panel)) == 42, "the next turn")
            assert bar.value() == bar.maximum()
            view.turns.choose_turn(5)
            await say(agent, "Elsewhere.", talk="sea")
            # The row of what is read keeps its place, wherever the keyboard is; the other one waits.
            await until(panel.listing.newer.isVisible, "the other conversation")
            assert panel.listing.newer.text() == "1 new"
            assert panel.listing.currentIndex().row() == 0 and panel.listing.record().id == "quay"
            assert view.turns.record().turn.turn_index == 5
            click(panel.listing.newer)
            await until(lambda: panel.listing.rows.rowCount() == 2, "both")
            assert view.talk is not None and view.talk.id == "quay" == panel.listing.record().id
            assert view.turns.record().turn.turn_index == 5

    drive(qapp, scenario)


def test_a_long_conversation_opens_at_its_end_and_is_read_by_scrolling(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await say(agent, *(f"Line {n}." for n in range(1_000)))
            panel = await shown(window)
            turns, bar = panel.view.turns, panel.view.turns.verticalScrollBar()
            await until(lambda: bar.value() == bar.maximum() > 0, "the end")
            assert lines(panel)[-1].turn.turn_index == 999 and len(lines(panel)) == TURNS_AT_ONCE
            first = turns.rows.row(0)
            assert isinstance(first, More) and first.says == "700 turns before these"
            bar.setValue(0)
            y = turns.rowViewportPosition(turns.place_of(700) or 0)
            await until(lambda: lines(panel)[0].turn.turn_index == 700 - STEP, "the turns before")
            assert turns.rowViewportPosition(turns.place_of(700) or 0) == y
            assert isinstance(turns.rows.row(turns.rows.rowCount() - 1), More)
            # By keyboard, the line that leads on gives way to the turn beyond it.
            turns.setFocus()
            turns.choose(0)
            await until(lambda: lines(panel)[0].turn.turn_index == 400, "those before them")
            assert turns.record().turn.turn_index == 700 - STEP - 1
            press(turns, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: lines(panel)[0].turn.turn_index == 0, "the beginning")
            await until(lambda: turns.record().turn.turn_index == 0, "the first turn")
            press(turns, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: lines(panel)[-1].turn.turn_index == 999, "the end again")
            assert turns.record().turn.turn_index == 999
            # What is said while the end is read comes in there.
            await say(agent, "One more.", first=1_000)
            await until(lambda: lines(panel)[-1].turn.turn_index == 1_000, "the new turn")
            assert bar.value() == bar.maximum()

    drive(qapp, scenario)


def test_words_are_found_wherever_in_a_long_conversation_they_stand(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await say(agent, *(f"Line {n}{', the crane 起重机' * (n in (30, 640))}." for n in range(700)))
            panel = await shown(window)
            turns, find = panel.view.turns, panel.view.finder
            turns.setFocus()
            assert turns.record().turn.turn_index == 699
            press(turns, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
            assert find.field.hasFocus()
            press(find.field, "THE CRANE")
            await until(lambda: find.count.text() == "1 of 2", "both")
            await until(lambda: turns.record() and turns.record().turn.turn_index == 30, "the first")
            assert turns.sought == "THE CRANE"
            wide = turns.viewport().width()
            assert len(list(wrap_text(turns.record().turn.content, wide).places(turns.sought))) == 1
            press(find.field, Qt.Key.Key_Return)
            await until(lambda: turns.record().turn.turn_index == 640, "the second")
            press(find.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
            await until(lambda: turns.record().turn.turn_index == 30, "the first again")
            find.field.setText("起重")
            await until(lambda: len(find.spots) == 2, "Chinese words")
            find.field.setText("nobody said this")
            await until(lambda: find.count.text() == "not said here", "that nobody did")
            press(find.field, Qt.Key.Key_Escape)
            assert turns.hasFocus() and not turns.sought and not find.count.isVisible()

    drive(qapp, scenario)


def test_where_a_context_was_compacted_the_panel_says_so_and_leads_there(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            ask = Compact(
                messages=tuple(talk(30)),
                conversation_id="quay",
                channel="harbour",
                agent_id="Forge",
                policy="agenticx",
            )
            done = await agent.call(context.COMPACT, ask)
            panel = await shown(window)
            await until(lambda: panel.view.compactions.isVisible(), "the button")
            dividers = [line.says for line in panel.view.turns.rows.rows() if isinstance(line, Divider)]
            assert "The context begins here" in dividers
            panel.view.turns.setFocus()
            press(panel.view.turns, "c")
            there = window.stage.panel
            assert there is not None and there.name == "compaction" and done.compaction is not None
            compaction = done.compaction.id
            await until(lambda: there.view.whole and there.view.whole.row.id == compaction, "it")  # type: ignore[attr-defined]
            click(there.view.talk)  # type: ignore[attr-defined]
            assert window.stage.panel is panel

    drive(qapp, scenario)


def test_the_list_is_filtered_paged_and_opened_from_elsewhere(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            panel = window.open_panel("conversations")
            assert isinstance(panel, ConversationsPanel)
            await until(panel._empty.isVisible, "the empty state")
            assert panel._empty.step.text() == "Import memory"
            read = None
            for at in range(0, LISTED + 30, 10):
                turns = [
                    NewTurn(
                        content=f"{n} {LONG}",
                        conversation_id=f"c-{n}",
                        title=f"Talk {n}",
                        channel="sea",
                    )
                    for n in range(at, at + 10)
                ]
                await agent.call(memory.STORE_TURNS, NewTurns(turns=tuple(turns)))
                await until(lambda: panel.view.talk, "the first conversation")
                read = read or panel.view.talk
            await until(lambda: panel.listing.newer.text() == "100 new", "that a page of them waits")
            click(panel.listing.newer)
            await until(lambda: panel.listing.rows.rowCount() == LISTED, "the first page")
            await until(lambda: panel.head.subtitle.text().endswith("more below"), "that there is more")
            # What was read first is older than the whole first page by now, and is read on.
            assert (
                read and panel.view.talk and panel.view.talk.id == read.id and panel.listing.record() is None
            )
            bar = panel.listing.verticalScrollBar()

            def at_end() -> bool:
                bar.setValue(0)
                bar.setValue(bar.maximum())
                return panel.listing.rows.rowCount() == LISTED + 30

            await until(at_end, "the rest")
            window.filter()
            press(panel.filter, "Talk 12")
            await until(lambda: panel.listing.rows.rowCount() == 11, "Talk 12 and 120 to 129")
            window.go("conversations", "c-7")
            await until(lambda: panel.view.talk and panel.view.talk.id == "c-7", "one that was filtered out")
            await until(panel.view.turns.isVisible, "its turns")
            assert panel.filter.text() == ""
            press(panel.filter, "nothing like it")
            await until(panel._empty.isVisible, "nothing")
            click(panel._empty.step)
            await until(panel.listing.isVisible, "everything")

    drive(qapp, scenario)
