"""The compaction panel on a real service: what gave way beside what stands for it, and both kinds of restoring."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from memdesk.api import context, memory
from memdesk.client.client import Client
from memdesk.gui.formatting import turn_ranges
from memdesk.gui.panels.compaction.compaction_sides import (
    FactLine,
    LostLine,
    More,
    SentenceLine,
    TurnLine,
    count_fates,
    covers_by_turn,
    summary_problem,
)
from memdesk.gui.panels.compaction.compaction_view import Strip, short
from memdesk.gui.panels.compaction.gauge import fill_of
from memdesk.gui.panels.compaction_panel import TURNS_AT_ONCE, CompactionPanel
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.context import (
    Compact,
    Compacted,
    CompactionRow,
    CompactionWhole,
    KeptFact,
    Lost,
    Mark,
    SummarySentence,
)
from memdesk.model.remember import NewTurn
from memdesk.model.session import NewSession
from tests.conftest import Service
from tests.engine.talks import talk
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import pick

CTRL = Qt.KeyboardModifier.ControlModifier


async def compacted(
    agent: Client, session: str, *, long: int = 32, title: str = "Crane", seed: int = 7
) -> Compacted:
    """A session whose context was just compacted, with more said than a summary holds."""
    new = NewSession(session_id=session, channel="harbour", agent_id="Forge", title=title, policy="agenticx")
    await agent.call(context.CREATE_SESSION, new)
    ask = Compact(messages=tuple(talk(long, seed=seed)), session_id=session)
    return await agent.call(context.COMPACT, ask)


async def shown(window: Window, number: int = 1) -> CompactionPanel:
    """The panel with so many compactions, one of them whole."""
    panel = window.open_panel("compaction")
    assert isinstance(panel, CompactionPanel)
    await until(lambda: panel.listing.rows.rowCount() == number and panel.view.whole is not None, "them")
    await activated(window)
    return panel


def whole(panel: CompactionPanel) -> CompactionWhole:
    assert panel.view.whole is not None
    return panel.view.whole


def lines(panel: CompactionPanel, kind: type[Any]) -> list[int]:
    """Places of the lines of a kind beside the turns."""
    return [n for n, line in enumerate(panel.view.replaced.rows.rows()) if isinstance(line, kind)]


async def claims(client: Client) -> list[str]:
    return [row.claim for row in (await client.call(memory.FACTS, ListFacts(limit=500))).rows]


def test_an_empty_desk_says_what_will_stand_here_and_fills_by_itself(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            panel = window.open_panel("compaction")
            assert isinstance(panel, CompactionPanel)
            await until(panel._empty.isVisible, "the empty state")
            assert "openlegion" in panel._empty.detail.text()
            await compacted(agent, "s-1")
            await until(panel.listing.isVisible, "the list")
            assert panel.listing.rows.rowCount() == 1

    drive(qapp, scenario)


def test_choosing_on_one_side_shows_it_on_the_other(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await compacted(agent, "s-1")
            panel = await shown(window)
            view = panel.view
            testers = [
                QAbstractItemModelTester(each, QAbstractItemModelTester.FailureReportingMode.Fatal)
                for each in (panel.listing.rows, view.turns.rows, view.replaced.rows)
            ]
            assert (
                "Crane" in panel.gauge.accessibleName() and "compact from 21" in panel.gauge.accessibleName()
            )
            assert view.turns.rows.rowCount() == whole(panel).total == 24
            view.replaced.setFocus()
            view.replaced.choose(lines(panel, SentenceLine)[-1])
            line = view.replaced.record()
            assert view.turns.lit == set(line.turns) and line.turns
            view.turns.setFocus()
            view.turns.choose(line.turns[0])
            assert view.replaced.lit == {line.turns[0]} and not view.turns.lit
            press(view.turns, Qt.Key.Key_Return)
            await until(
                lambda: window.inspector.memory_id == view.turns.record().id, "the turn in the inspector"
            )
            fact = lines(panel, FactLine)[0]
            view.replaced.choose(fact)
            press(view.replaced, Qt.Key.Key_Return)
            await until(lambda: window.inspector.memory_id == view.replaced.record().fact.id, "the fact")
            # A press in the strip brings its turn into view.
            view.turns.scrollToTop()
            QTest.mouseClick(view.strip, Qt.MouseButton.LeftButton, pos=QPoint(14, view.strip.height() // 2))
            await until(lambda: view.turns.verticalScrollBar().value() > 0 or view.turns.seen(), "the place")
            assert testers

    drive(qapp, scenario)


def test_a_lost_statement_is_restored_by_mouse_or_key_and_undone(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await compacted(agent, "s-1", long=200)
            panel = await shown(window)
            view, before = panel.view, whole(panel).lost
            assert len(before) > 2
            place = lines(panel, LostLine)[0]
            line = view.replaced.rows.row(place)
            QTest.mouseClick(
                view.replaced.viewport(),
                Qt.MouseButton.LeftButton,
                pos=view.replaced.restore_area(place).center().toPoint(),
            )
            await until(lambda: len(whole(panel).lost) < len(before), "the statement to be kept")
            assert line.text in await claims(agent)
            made = next(each for each in whole(panel).facts if each.since)
            assert made.claim == line.text and made.turns == (line.turn,)
            assert window.session.deed is not None and "Restored" in window.session.deed.sentence
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: whole(panel).lost == before, "it to be lost again")
            assert line.text not in await claims(agent)
            # The same from its turn, by key.
            view.turns.setFocus()
            view.turns.choose(line.turn - whole(panel).row.first_index)
            press(view.turns, "r")
            await until(lambda: len(whole(panel).lost) < len(before), "the statement by key")
            assert line.text in await claims(agent)

    drive(qapp, scenario)


def test_a_compaction_is_taken_back_whole_and_undo_puts_the_summary_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await compacted(agent, "s-1")
            panel = await shown(window)
            click(panel.view.restore)
            await until(lambda: whole(panel).row.restored, "it to be taken back")
            assert not panel.view.restore.isEnabled() and "Taken back" in panel.view.says.text()
            assert "32 messages now" in panel.gauge.accessibleName()
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: not whole(panel).row.restored, "the summary to be back")
            assert panel.view.restore.isEnabled()

    drive(qapp, scenario)


def test_live_compactions_come_in_without_moving_what_is_read(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk, size=(1100, 700)) as window:
            await compacted(agent, "s-1")
            panel = await shown(window)
            panel.view.turns.verticalScrollBar().setValue(400)
            panel.view.replaced.choose(lines(panel, SentenceLine)[0])
            first = whole(panel).row.id
            place, chosen = panel.view.turns.verticalScrollBar().value(), panel.view.replaced.record()
            await compacted(agent, "s-2", title="Ledger", seed=9)
            await until(lambda: panel.listing.rows.rowCount() == 2, "the new one")
            assert whole(panel).row.id == first and panel.listing.record().id == first
            assert (
                panel.view.turns.verticalScrollBar().value() == place
                and panel.view.replaced.record() == chosen
            )
            # One session alone, and all again.
            await activated(window)
            await pick(panel.which, next(each.text for each in panel.which.options if each.value == "s-2"))
            await until(
                lambda: panel.listing.rows.rowCount() == 1 and whole(panel).row.session_id == "s-2", "s-2"
            )
            panel.select(first)
            await until(lambda: whole(panel).row.id == first, "the first again, whatever was filtered")
            assert panel.listing.rows.rowCount() == 2

    drive(qapp, scenario)


def test_a_huge_compaction_is_read_part_by_part(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await compacted(agent, "s-1", long=420)
            panel = await shown(window)
            turns = panel.view.turns
            more = turns.rows.row(turns.rows.rowCount() - 1)
            assert isinstance(more, More) and more.first == TURNS_AT_ONCE
            assert len(panel.view.strip.binned()) < whole(panel).total
            turns.setFocus()
            press(turns, Qt.Key.Key_End)
            press(turns, Qt.Key.Key_Return)
            await until(
                lambda: isinstance(turns.rows.row(1), TurnLine) and turns.rows.row(1).turn.turn_index == 300,
                "more",
            )
            assert isinstance(turns.rows.row(0), More)
            last = whole(panel).row.last_index
            strip = panel.view.strip
            click(strip, QPoint(strip.width() // 2, int(strip._y(last))))  # noqa: SLF001
            await until(lambda: any(each.turn_index == last for each in whole(panel).turns), "the end")

    drive(qapp, scenario)


def test_the_meter_follows_what_is_said_and_other_conversations_are_none_of_its(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            done = await compacted(agent, "s-1")
            panel = await shown(window)
            assert "9 messages now" in panel.gauge.accessibleName()
            said = NewTurn(content="One more thing.", conversation_id=done.conversation_id, channel="harbour")
            await agent.call(memory.STORE_TURN, said)
            await until(lambda: "10 messages now" in panel.gauge.accessibleName(), "the meter")
            window.session.filter_channels(("elsewhere",))
            await until(panel._empty.isVisible, "nothing in that channel")
            click(panel._empty.step)
            await until(panel.listing.isVisible, "everything")

    drive(qapp, scenario)


def test_while_the_service_is_away_what_is_shown_stays_and_nothing_can_be_restored(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with opened(desk) as window:
            async with Client(desk, agent="Forge") as agent:
                await compacted(agent, "s-1")
            panel = await shown(window)
            running_service.stop()
            await until(lambda: window.session.is_away, "the service to be missed")
            panel.reload()
            await until(lambda: not panel.view.restore.isEnabled(), "no restoring")
            assert panel.listing.isVisible()

    drive(qapp, scenario)


# What is worked out without a window.

AT = datetime(2026, 11, 20, tzinfo=UTC)
ROW = CompactionRow(
    id="cp",
    conversation_id="c",
    title="Crane",
    session_id=None,
    channel="quay",
    agent_id="Forge",
    at=AT,
    policy="openlegion",
    by="offline",
    note="",
    first_index=0,
    last_index=9,
    messages_before=14,
    messages_after=5,
    characters_before=9_000,
    characters_after=2_000,
    tokens_before=2_400,
    tokens_after=700,
    facts=1,
    lost=1,
    took_ms=3,
    restored=False,
    summary_characters=900,
)


@pytest.mark.parametrize(
    ("moved", "says"),
    [
        ({}, ""),
        ({"summary_characters": 0}, "The summary is empty"),
        ({"by": "dropped", "summary_characters": 0}, "No summary was made"),
        ({"tokens_after": 2_400}, "no shorter than before"),
        ({"summary_characters": 90}, "shrank to 90 of 7,090"),
    ],
)
def test_empty_and_shrunken_summaries_raise_an_alarm(moved: dict[str, Any], says: str) -> None:
    assert says in summary_problem(replace(ROW, **moved)) and bool(says) == bool(
        summary_problem(replace(ROW, **moved))
    )


def test_the_gravest_fate_of_a_turn_counts() -> None:
    found = CompactionWhole(
        row=ROW,
        summary="",
        message=(),
        total=10,
        turns=(),
        previous_id=None,
        sentences=(SummarySentence(text="a", turns=(0, 1, 2)), SummarySentence(text="b", turns=(2, 40))),
        facts=(KeptFact(id="f", claim="x", category="fact", confidence=0.9, turns=(1, 2, 5)),),
        lost=(Lost(turn_index=2, text="y"),),
    )
    covered = covers_by_turn(found)
    assert list(covered) == list(range(10)) and covered[2].sentences == (0, 1)
    assert [covered[n].fate for n in (0, 1, 2, 5, 6)] == ["summary", "fact", "lost", "fact", "nothing"]
    assert count_fates(covered) == {"summary": 1, "fact": 2, "lost": 1, "nothing": 6}


def test_a_number_of_tokens_is_said_in_the_unit_that_fits() -> None:
    said = {
        732: "732",
        9_999: "9,999",
        66_432: "66.4k",
        999_949: "999.9k",
        999_999: "1.0M",
        1_200_000: "1.2M",
    }
    assert {number: short(number) for number in said} == said


def test_the_meter_shows_the_measure_whose_mark_is_nearest() -> None:
    marks = (Mark(of="tokens", at=600, does="flush"), Mark(of="tokens", at=700, does="compact"))
    fill = fill_of(ROW, marks, 1_000, None)
    assert fill is not None and (fill.of, fill.scale, fill.marks) == (
        "tokens",
        2_400,
        ((600, "flush"), (700, "compact")),
    )
    both = (Mark(of="messages", at=21, does="compact"), Mark(of="characters", at=9_001, does="compact"))
    near = fill_of(ROW, both, 1_000, None)
    assert near is not None and (near.of, near.before, near.after) == ("characters", 9_000, 2_000)
    assert fill_of(ROW, (), 1_000, None) is None


@given(st.sets(st.integers(0, 200), min_size=1, max_size=60))
def test_spans_name_every_turn_once(turns: set[int]) -> None:
    named: set[int] = set()
    for run in turn_ranges(tuple(turns)).removeprefix("turns ").removeprefix("turn ").split(", "):
        first, _, last = run.partition(" to ")
        run_of = set(range(int(first) - 1, int(last or first)))
        assert not named & run_of
        named |= run_of
    assert named == turns


@given(many=st.integers(1, 3_000), high=st.integers(40, 1_200), lost=st.data())
def test_the_strip_hides_no_loss_however_many_turns_share_a_cell(
    qapp: QApplication, many: int, high: int, lost: st.DataObject
) -> None:
    gone = lost.draw(st.sets(st.integers(0, many - 1), max_size=5))
    row = replace(ROW, last_index=many - 1)
    found = CompactionWhole(
        row=row,
        summary="",
        message=(),
        total=many,
        turns=(),
        previous_id=None,
        sentences=(),
        facts=(),
        lost=tuple(Lost(turn_index=turn, text="y") for turn in gone),
    )
    strip = Strip()
    strip.resize(28, high)
    strip.show_covers(covers_by_turn(found))
    cells = strip.binned()
    assert len(cells) == strip.cells() <= many
    assert bool(gone) == ("lost" in cells) and cells.count("lost") <= len(gone)
