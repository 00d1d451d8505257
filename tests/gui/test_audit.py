"""The audit timeline on a real service: live rows, filters, the brush, and taking changes back from it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memdesk.api import curation, history, memory
from memdesk.client.client import Client
from memdesk.gui import formatting
from memdesk.gui.done_action import change_sentence
from memdesk.gui.inspectors import event, fields
from memdesk.gui.inspectors.event import EventView
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels import audit_panel
from memdesk.gui.panels.audit import audit_table
from memdesk.gui.panels.audit.audit_chart import EVERYTHING, Brush
from memdesk.gui.panels.audit_panel import AuditPanel
from memdesk.gui.shell.status_line import PAST
from memdesk.gui.widgets import Control
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.curation import EditFact
from memdesk.model.history import OPERATIONS, AskHistogram, EventRow, FieldMove, Histogram, HistoryPage
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import KINDS
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from tests.conftest import Service
from tests.gui.driving import activated, click, drag, drive, opened, press, shared, until

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
CLAIM = "Every migration needs a down step"


async def learn(client: Client, claim: str = CLAIM, channel: str = "harbor-web") -> str:
    return (await client.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel))).id


async def talk(client: Client, number: int, conversation: str = "c-long") -> None:
    """So many turns, each a change of its own."""
    for place in range(number):
        turn = NewTurn(
            content=f"Turn {place} of a long talk", channel="tidepool", conversation_id=conversation
        )
        await client.call(memory.STORE_TURNS, NewTurns(turns=(turn,)))


async def timeline(window: Window) -> AuditPanel:
    """The panel with its first rows."""
    panel = window.open_panel("audit")
    assert isinstance(panel, AuditPanel)
    await until(lambda: panel.model.rowCount() and panel.model.row(0), "the first rows")
    return panel


def rows(panel: AuditPanel) -> list[EventRow]:
    """The rows that are here."""
    return [row for row in (panel.model.row(place) for place in range(panel.model.rowCount())) if row]


def cell(panel: AuditPanel, place: int, title: str) -> QPoint:
    """The middle of a cell."""
    titles = [column.title for column in panel.model.columns]
    return panel.table.visualRect(panel.model.index(place, titles.index(title))).center()


def test_what_an_agent_does_appears_at_once(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent)
            panel = await timeline(window)
            chosen = rows(panel)[0]
            panel.table.choose(0)
            await learn(agent, "Sessions live in Postgres")
            await until(lambda: rows(panel)[0].title == "Sessions live in Postgres", "the new row")
            assert panel.table.record().id == chosen.id

    drive(qapp, scenario)


def test_rows_a_person_has_scrolled_to_stay_and_newer_ones_wait(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await talk(agent, 70)
            panel = await timeline(window)
            bar = panel.table.verticalScrollBar()
            await until(lambda: panel.model.rowCount() >= 70 and bar.maximum() > 30, "the laid out rows")
            bar.setValue(30)
            top = panel.table.rowAt(1)
            read = panel.model.row(top)
            assert read is not None
            await learn(agent, "Something new")
            await until(panel.table.newer.isVisible, "the chip")
            assert bar.value() == 30
            await until(lambda: panel.model.row(top) is not None)
            assert panel.model.row(top).id == read.id  # type: ignore[union-attr]
            click(panel.table.newer)
            await until(lambda: rows(panel)[0].title == "Something new", "the new row")
            assert not panel.table.newer.isVisible() and bar.value() == 0

    drive(qapp, scenario)


def test_undo_in_a_row_strikes_it_out_and_tells_the_status_line(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            id = await learn(agent)
            panel = await timeline(window)
            await until(lambda: any(row.title == CLAIM for row in rows(panel)))
            place = next(n for n, row in enumerate(rows(panel)) if row.title == CLAIM)
            number = rows(panel)[place].id
            click(panel.table.viewport(), cell(panel, place, ""))
            await until(lambda: rows(panel)[0].op == "undo", "the undo in the timeline")
            struck = next(row for row in rows(panel) if row.id == number)
            assert struck.undone_by == rows(panel)[0].id
            assert audit_table.undo_word(struck) == "undone" and not audit_table.undoable(struck)
            assert window.session.deed is not None and window.session.deed.sentence == f"Undone: “{CLAIM}”"
            facts = await agent.call(memory.FACTS, ListFacts())
            assert id not in [fact.id for fact in facts.rows]

    drive(qapp, scenario)


def shows_event(window: Window, id: int) -> bool:
    view = window.inspector.view
    return isinstance(view, EventView) and view.seen.row.id == id


def test_ctrl_z_takes_back_the_last_act_of_the_person_and_u_the_event_that_is_shown(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            id = await learn(agent)
            await owner.call(curation.EDIT_FACT, EditFact(fact_id=id, claim="Migrations are written by hand"))
            learned = await agent.call(
                memory.LEARN_FACT, NewFact(claim="The office has a cat", channel="family")
            )
            panel = await timeline(window)
            await until(lambda: any(row.title == "The office has a cat" for row in rows(panel)))
            place = next(n for n, row in enumerate(rows(panel)) if row.title == "The office has a cat")
            panel.table.choose(place)
            await until(lambda: shows_event(window, rows(panel)[place].id), "the event")
            await activated(window)
            press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: rows(panel)[0].op == "undo", "the undo")
            facts = await agent.call(memory.FACTS, ListFacts())
            assert CLAIM in [fact.claim for fact in facts.rows]
            place = next(n for n, row in enumerate(rows(panel)) if row.title == "The office has a cat")
            panel.table.choose(place)
            await until(lambda: shows_event(window, rows(panel)[place].id), "the event")
            panel.table.setFocus()
            press(panel.table, "u")
            await until(lambda: rows(panel)[0].undoes == learned.change, "the undo of the shown event")
            facts = await agent.call(memory.FACTS, ListFacts())
            assert {fact.id for fact in facts.rows} == {id}

    drive(qapp, scenario)


def test_an_event_shows_what_moved_and_what_undoing_it_would_do(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            id = await learn(agent)
            done = await owner.call(curation.EDIT_FACT, EditFact(fact_id=id, confidence=0.7))
            window.inspector.show_event(done.change)
            await until(lambda: isinstance(window.inspector.view, EventView), "the event")
            view = window.inspector.view
            assert isinstance(view, EventView)
            moved = {each.name: each.after for each in event.field_changes(view.seen.moves) if each.moved}
            # What a person edits is trusted from then on.
            assert moved == {"confidence": "0.70", "trust": "1.00"}
            assert view.seen.if_undone and view.undo.isEnabled()
            click(view.open)
            await until(lambda: isinstance(window.inspector.view, MemoryView), "the memory")
            assert window.inspector.memory_id == id

    drive(qapp, scenario)


def test_enter_opens_the_memory_of_a_row(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            id = await learn(agent)
            panel = await timeline(window)
            await until(lambda: any(row.title == CLAIM for row in rows(panel)))
            place = next(n for n, row in enumerate(rows(panel)) if row.title == CLAIM)
            await activated(window)
            panel.table.setFocus()
            panel.table.choose(place)
            press(panel.table, Qt.Key.Key_Return)
            await until(lambda: window.inspector.memory_id == id, "the memory")

    drive(qapp, scenario)


def test_filters_narrow_the_rows_and_one_step_takes_them_all_away(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            id = await learn(agent)
            await talk(agent, 5)
            panel = await timeline(window)
            await until(lambda: panel.filters.chips.chip("store").isVisible(), "the chip of what was stored")
            every = panel.model.rowCount()
            click(panel.filters.chips.chip("store"))
            await until(lambda: {row.op for row in rows(panel)} == {"learn"}, "turns to be hidden")
            said = f"{len(rows(panel))} of {every} events"
            await until(lambda: panel.head.subtitle.text() == said, said)
            panel.filters.layers.set_value(("semantic",))
            panel.filters.layers.chosen.emit(("semantic",))
            await until(lambda: {row.layer for row in rows(panel)} == {"semantic"}, "one layer")
            await until(
                lambda: panel.head.subtitle.text().startswith("1 event since"), "the counts under the filter"
            )
            layers = panel.filters.layers
            await until(
                lambda: "Episodic" in "".join(each.text() for each in layers.menu().actions()), "both"
            )
            panel.filters.words.setText("no such words")
            await until(panel.rows.nothing.isVisible, "the empty state")
            click(panel.rows.nothing.step)
            await until(lambda: panel.model.rowCount() == every, "everything")
            panel.select(id)
            await until(
                lambda: panel.filters.one.isVisible() and panel.model.rowCount() < every,
                "one memory's events",
            )
            click(panel.filters.one)
            await until(lambda: panel.model.rowCount() == every, "everything again")

    drive(qapp, scenario)


def test_the_brush_narrows_to_a_range_and_a_double_click_widens_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent)
            panel = await timeline(window)
            brush = panel.filters.brush
            brush.show_histogram(histogram(datetime.now(UTC) - timedelta(hours=96)))
            drag(brush, QPoint(brush.width() // 4, 40), QPoint(brush.width() // 2, 40))
            after, before = brush.range()
            assert after is not None and before is not None and before - after >= timedelta(hours=20)
            await until(panel.rows.nothing.isVisible, "a range in which nothing happened")
            start = datetime.now(UTC) - timedelta(hours=96)
            brush.show_histogram(histogram(start))
            brush.set_range((start + timedelta(hours=10), None))
            await activated(window)
            brush.setFocus()
            # In the window Alt+Right is the inspector's way forward, but not while the brush has the focus.
            press(brush, Qt.Key.Key_Right, ALT)
            assert brush.range() == (start + timedelta(hours=11), None)
            brush.clear()
            await until(lambda: panel.model.rowCount() and panel.table.isVisible(), "everything")

    drive(qapp, scenario)


def histogram(start: datetime, buckets: int = 96) -> Histogram:
    """One learned fact an hour."""
    counts = tuple(tuple(int(op == "learn") for op in OPERATIONS) for _ in range(buckets))
    return Histogram(
        start=start,
        step_s=3600.0,
        operations=OPERATIONS,
        counts=counts,
        by_operation={"learn": buckets},
        by_author={},
        by_channel={},
        by_layer={},
    )


def test_the_brush_is_moved_by_keyboard(qapp: QApplication, qtbot: QtBot) -> None:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    brush = Brush()
    qtbot.addWidget(brush)
    brush.resize(1000, 108)
    brush.show_histogram(histogram(start))
    told: list[object] = []
    brush.ranged.connect(told.append)
    press(brush, Qt.Key.Key_Left, SHIFT)
    assert brush.range() == (None, start + timedelta(hours=95))
    press(brush, Qt.Key.Key_Right, ALT)
    press(brush, Qt.Key.Key_Right)
    assert brush.range() == (start + timedelta(hours=2), None)
    press(brush, Qt.Key.Key_Backspace)
    assert brush.range() == EVERYTHING and len(told) == 4


def test_a_handle_of_the_brush_never_passes_the_other(qapp: QApplication, qtbot: QtBot) -> None:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    brush = Brush()
    qtbot.addWidget(brush)
    brush.resize(1000, 108)
    brush.show_histogram(histogram(start))
    brush.set_range((start + timedelta(hours=10), start + timedelta(hours=20)))
    left, right = round(brush._x(10)), round(brush._x(20))
    drag(brush, QPoint(left, 40), QPoint(right + 200, 40))
    assert brush.range() == (start + timedelta(hours=19), start + timedelta(hours=20))
    drag(brush, QPoint(round(brush._x(20)), 40), QPoint(round(brush._x(30)), 40))
    assert brush.range() == (start + timedelta(hours=19), start + timedelta(hours=30))
    drag(brush, QPoint(round(brush._x(25)), 40), QPoint(round(brush._x(500)), 40))
    assert brush.range() == (start + timedelta(hours=85), None)


def test_a_busy_day_does_not_flatten_the_others(qapp: QApplication, qtbot: QtBot) -> None:
    busy, quiet = 40, 60
    counts = tuple((8000 if at == busy else 80 if at == quiet else 0,) for at in range(96))
    found = replace(histogram(datetime(2026, 11, 1, tzinfo=UTC)), operations=("learn",), counts=counts)
    brush = Brush()
    qtbot.addWidget(brush)
    brush.resize(1000, 108)
    brush.show_histogram(found)
    image = brush.grab().toImage()

    def high(bucket: int) -> int:
        left, right = brush._bar(bucket)
        fill = fields.fill("learn")
        return sum(image.pixelColor((left + right) // 2, y) == fill for y in range(brush.height()))

    assert high(busy) > high(quiet) > high(busy) / 12 and high(busy + 1) == 0


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("confidence", "0.7", "0.70"),
        ("pinned", "0", "no"),
        ("promoted_from", "f_01M1EJRRPZ00000000R3G6HC", "f_…R3G6HC"),
        ("channel", "harbor-web", "harbor-web"),
        ("claim", "", None),
    ],
)
def test_values_are_shown_as_a_person_reads_them(field: str, value: str, shown: str | None) -> None:
    assert fields.value_of(field, value) == shown


def test_bookkeeping_and_long_texts_have_no_cells() -> None:
    moves = [
        FieldMove(record="f_1", kind="fact", title="x", field=name, before="1", after="2")
        for name in ("salience_at", "created_at", "claim", "channel")
    ]
    assert [change.name for change in event.field_changes(moves)] == ["channel"]
    assert [move.field for move in fields.prose(moves)] == ["claim"]


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Deploys are on Fridays", "Updated “Deploys are on Fridays”"),
        ("“Setting up Iris” archived", "Updated “Setting up Iris” archived"),
        ("Mara says “always”", "Updated “Mara says ‘always’”"),
    ],
)
def test_a_title_that_quotes_is_not_quoted_twice(title: str, sentence: str) -> None:
    assert change_sentence(PAST["update"], title) == sentence


def counts(panel: AuditPanel, number: int) -> bool:
    return panel.model.rowCount() == number


def told_of(chip: Control, words: str) -> bool:
    return words in chip.toolTip()


def test_words_narrow_rows_bars_and_chips_alike(
    qapp: QApplication, running_service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Counted in pieces of two, as a word is that is everywhere.
    monkeypatch.setattr(audit_panel, "COUNTED_AT_ONCE", 2)

    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await learn(agent, "年度预算会议 is on Monday")
            await learn(agent, "The pump runs on Mondays")
            await talk(agent, 5)
            panel = await timeline(window)
            for words, number in (("monday", 2), ("预算", 1), ("turn", 5)):
                panel.filters.words.setText(words)
                await until(partial(counts, panel, number), words)
                histogram = await window.session.call(history.HISTOGRAM, AskHistogram(text=words))
                assert sum(histogram.by_operation.values()) == number
                chip = panel.filters.chips.chip("store" if words == "turn" else "learn")
                await until(partial(told_of, chip, f"{number} event"), "its count")
            panel.filters.words.setText("")
            await until(lambda: panel.model.rowCount() > 7, "everything")
            await panel._count(HistoryPage(first=0, total=7, rows=(), unsearched=5))
            assert panel.head.subtitle.text().endswith(" · 5 older events not indexed yet")

    drive(qapp, scenario)


UNSEEN = {"id", "seq"}


def test_every_field_of_every_record_has_a_name_in_words() -> None:
    columns = {column for kind in KINDS for column in kind.columns}
    assert columns - fields.BOOKKEEPING - UNSEEN <= set(fields.NAMES)


def test_days_of_a_claim_are_days_and_what_only_the_desk_reads_is_left_out() -> None:
    moves = [
        FieldMove(record="f_1", kind="fact", title="", field=name, before=None, after=value)
        for name, value in (("valid_from", "1795737600000000"), ("details", '{"ids": []}'))
    ]
    (cell,) = event.field_changes(moves)
    assert cell.name == "valid from" and cell.after == formatting.day(to_datetime(1795737600000000))
