"""The salience panel on a real service and real history: rows, days, keys, pointer, live changes, the table."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QToolTip

from memdesk.api import curation, memory, recall
from memdesk.client.client import Client
from memdesk.engine.browsing.heatmap import heatmap
from memdesk.engine.memory.curate import pin
from memdesk.engine.memory.remember import learn_fact, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall as ask_engine
from memdesk.files.places import Desk
from memdesk.gui import look
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.panels.salience import heat_grid as words
from memdesk.gui.panels.salience.heat_grid import ROW_PX, Bin, Days, bins, lay_out
from memdesk.gui.panels.salience.heat_rows import HeatRows, paint_name
from memdesk.gui.panels.salience.heat_view import fade_path, picture
from memdesk.gui.panels.salience_panel import SaliencePanel
from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground, row
from memdesk.model.browse import Find
from memdesk.model.curation import Pin, Retire
from memdesk.model.graph import AskSalience, Heatmap, HeatRow
from memdesk.model.instant import DAY
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact
from tests.bench.heatmap_frames import curves
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until

NAMES = (
    "Backup runbook",
    "Offsite disk",
    "Tram timetable",
    "Design tokens",
    "Helm values",
    "Lisbon lease",
    "Events table",
    "Window seats",
    "Penicillin allergy",
    "Kettle descaler",
    "Violin strings",
    "Ferry pass",
    "Orchard gate",
)
FILLERS = 140
IRIS, MARA = "agent:Iris", "person:Mara"
DAYS = Days(date(2026, 8, 22), 91, 30)


class PastClock:
    """Time as it was, turned by hand."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1000
        self.at = self.now

    def __call__(self) -> int:
        self.at += 1
        return self.at

    def go(self, days_ago: float) -> None:
        self.at = self.now - round(days_ago * DAY)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A desk where 13 memories were recalled week after week, each until another day, beside 140 nobody asked for."""
    folder, clock = tmp_path_factory.mktemp("history") / "desk", PastClock()
    clock.go(100)
    engine = open_engine(Desk(folder), clock=clock)
    for number, name in enumerate(NAMES):
        ask = NewFact(claim=f"{name} is known", channel="homelab", category=("fact", "decision")[number % 2])
        learned = learn_fact(engine, ask, author=IRIS).id
        if name == "Penicillin allergy":
            allergy = learned
    for week in range(8):
        clock.go(95 - 7 * week)
        for number, name in enumerate(NAMES):
            if number + 4 >= week:
                ask_engine(engine, Query(text=name, channel="homelab", limit=1), author=IRIS)
    clock.go(20)
    for number in range(FILLERS):
        upsert_entity(engine, NewEntity(name=f"Filler {number:03}", channel="attic"), author=IRIS)
    for name in NAMES[8:]:
        ask_engine(engine, Query(text=name, channel="homelab", limit=1), author=IRIS)
    pin(engine, Pin(id=allergy), author=MARA)
    engine.close()
    return folder


@pytest.fixture(scope="module")
def seen_only(history: Path) -> Iterator[Service]:
    """The real service on a copy of that desk, for tests that only look."""
    with tempfile.TemporaryDirectory(prefix="md-") as folder:
        yield from serving(history, Path(folder))


@pytest.fixture
def service(history: Path, short_folder: Path) -> Iterator[Service]:
    """The same on a copy of its own, for a test that changes it."""
    yield from serving(history, short_folder)


def serving(history: Path, folder: Path) -> Iterator[Service]:
    shutil.copytree(history, folder / "desk")
    running = Service(Desk(folder / "desk"))
    running.start()
    yield running
    if running.process is not None and running.process.poll() is None:
        running.stop()


@asynccontextmanager
async def shown(desk: Desk, *, size: tuple[int, int] = (1256, 830)) -> AsyncIterator[SaliencePanel]:
    """The panel beside its inspector, in a window of their own, with its first rows there."""
    session = Session(Client(desk))
    session.start()
    inspector = Inspector(session)
    panel = SaliencePanel(session, inspector)
    window = Ground("stage", layout=row(panel, inspector, gap=0))
    inspector.hide()
    inspector.shown.connect(inspector.show)
    window.resize(*size)
    window.show()
    window.activateWindow()
    try:
        await until(lambda: session.status and panel.rows.columns, "the first rows")
        yield panel
    finally:
        window.close()
        await session.close()
        window.deleteLater()


def scene(
    app: QApplication,
    service: Service,
    act: Callable[[SaliencePanel], Awaitable[None]],
    **more: tuple[int, int],
) -> None:
    """Act on the panel of a running service."""

    async def scenario() -> None:
        async with shown(service.desk, **more) as panel:
            await act(panel)

    drive(app, scenario)


def test_a_contradicted_memory_is_marked_and_says_so(qapp: QApplication) -> None:
    look.apply_theme(qapp, "dark")
    sound = next(curves(1))
    marked = replace(sound, question="p_1")

    def ground(row: HeatRow) -> set[str]:
        image = QImage(200, 20, QImage.Format.Format_RGB32)
        image.fill(look.c("stage"))
        painter = QPainter(image)
        paint_name(painter, QRectF(0, 0, 200, 20), row, 1)
        painter.end()
        return {image.pixelColor(x, y).name() for x in range(30, 48) for y in range(20)}

    assert look.c("warn").name() in ground(marked) - ground(sound)
    assert words.row_text(marked) == words.row_text(sound) + ", contradicted"


def chosen(panel: SaliencePanel) -> HeatRow:
    found = panel.canvas.record()
    assert found is not None
    return found


def titles(panel: SaliencePanel) -> list[str]:
    """Titles of the rows in view, from the top."""
    return [each.title for each, _ in panel.canvas.seen()]


async def filtered(panel: SaliencePanel, only: str, total: int) -> None:
    click(panel.filters.chips.button(only))
    await until(lambda: panel.rows.rowCount() == total, f"{total} rows")


def at(panel: SaliencePanel, place: int, x: float) -> QPoint:
    return QPoint(round(x), panel.canvas.y_of(place) + ROW_PX // 2)


# What is shown first.


def test_it_opens_on_what_was_recalled_often_where_it_can_still_be_saved(
    qapp: QApplication, seen_only: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        assert panel.rows.rowCount() == len(NAMES)
        assert panel.filters.chips.button("recalled").isChecked()
        assert panel.filters.chips.button("").label.count == str(len(NAMES) + FILLERS)
        assert panel.filters.chips.button("pinned").label.count == "1"
        assert not words.has_faded(chosen(panel))
        assert words.has_faded(panel.rows.row(panel.canvas.place - 1))  # type: ignore[arg-type]
        assert panel.detail.title.text() == chosen(panel).title
        assert not panel.inspector.isVisible()
        assert "decay 0.95" in panel.head.subtitle.text()

    scene(qapp, seen_only, act)


def test_all_rows_are_reached_though_only_some_are_held(qapp: QApplication, seen_only: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        await filtered(panel, "", len(NAMES) + FILLERS)
        last = panel.rows.rowCount() - 1
        panel.canvas.setFocus()
        press(panel.canvas, Qt.Key.Key_End)
        await until(lambda: panel.canvas.record() is not None, "the last row")
        assert panel.canvas.place == last and panel.canvas.in_view(last)
        press(panel.canvas, Qt.Key.Key_Home)
        assert panel.canvas.place == 0 and panel.canvas.top() == 0
        await until(lambda: panel.detail.title.text() == chosen(panel).title, "the first row's detail")

    scene(qapp, seen_only, act)


def test_an_empty_desk_says_what_raises_salience(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        session = Session(Client(running_service.desk))
        session.start()
        panel = SaliencePanel(session, Inspector(session))
        panel.show()
        await until(lambda: panel._empty.isVisible(), "the empty state")
        assert panel._empty.sentence.text() == "Nothing can fade yet."
        assert "every recall that returns it raises it" in panel._empty.detail.text()
        panel.close()
        await session.close()

    drive(qapp, scenario)


# Keyboard.


def test_letters_and_arrows_move_and_enter_opens_the_inspector(
    qapp: QApplication, seen_only: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        canvas, start = panel.canvas, panel.canvas.place
        canvas.setFocus()
        for key, step in (("j", 1), (Qt.Key.Key_Down, 2), ("k", 1), (Qt.Key.Key_Up, 0)):
            press(canvas, key)
            assert canvas.place == start + step
        assert canvas.accessibleDescription() == words.row_text(chosen(panel))
        assert not panel.inspector.isVisible()
        press(canvas, Qt.Key.Key_Return)
        await until(lambda: panel.inspector.memory_id == chosen(panel).id, "the inspector")
        press(canvas, "j")
        assert panel.inspector.memory_id == chosen(panel).id

    scene(qapp, seen_only, act)


def test_left_and_right_go_through_the_days_and_speak_their_values(
    qapp: QApplication, seen_only: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        canvas, today = panel.canvas, panel.canvas.days.today
        canvas.setFocus()
        press(canvas, Qt.Key.Key_Left)
        assert canvas.cell == today
        assert canvas.accessibleDescription().endswith(f", {chosen(panel).curve.now:.2f}")
        press(canvas, Qt.Key.Key_Left)
        yesterday = words.short(canvas.days.date(today - 1))
        value = chosen(panel).curve.past[-2]
        assert canvas.accessibleDescription() == f"{chosen(panel).title}, {yesterday}, {value:.2f}"
        for _ in range(3):
            press(canvas, Qt.Key.Key_Right)
        assert canvas.accessibleDescription().endswith(f"{chosen(panel).curve.ahead[1]:.2f} forecast")
        press(canvas, Qt.Key.Key_Escape)
        assert canvas.cell is None

    scene(qapp, seen_only, act)


def test_a_rescue_by_key_leaves_the_reading_place_and_can_be_undone(
    qapp: QApplication, service: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        canvas, session = panel.canvas, panel.session
        await filtered(panel, "", len(NAMES) + FILLERS)
        canvas.setFocus()
        saved, before, place = chosen(panel), titles(panel), canvas.place
        press(canvas, "r")
        await until(lambda: panel._chosen is not None and panel._chosen.curve.now > 0.89, "the rescue")
        await until(lambda: canvas.place > place, "the row to find its new place")
        assert session.deed is not None and session.deed.sentence == f"Rescued “{saved.title}”"
        assert panel.detail.title.text() == saved.title
        assert not panel.detail.rescue.isEnabled()
        assert titles(panel)[:5] == [title for title in before if title != saved.title][:5]
        following = before[before.index(saved.title) + 1]
        press(canvas, "j")
        assert chosen(panel).title == following
        session.undo()
        await until(lambda: panel.rows.row(place) and panel.rows.row(place).id == saved.id, "the undo")  # type: ignore[union-attr]

    scene(qapp, service, act)


def test_a_pin_by_key_holds_a_memory_and_the_filter_shows_it(qapp: QApplication, service: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        panel.canvas.setFocus()
        id = chosen(panel).id
        press(panel.canvas, "i")
        await until(lambda: panel._chosen is not None and panel._chosen.pinned, "the pin")
        assert panel._chosen is not None and panel._chosen.id == id
        assert panel.detail.pin.text() == "Unpin"
        assert panel.filters.chips.button("pinned").label.count == "2"
        await filtered(panel, "pinned", 2)
        panel.canvas.choose(panel.rows.place_of(id) or 0)
        press(panel.canvas, "i")
        await until(lambda: panel.rows.rowCount() == 1, "the pin to go")
        await until(lambda: panel._chosen and panel._chosen.id != id, "the other pinned memory")

    scene(qapp, service, act)


def test_the_canvas_keeps_its_letters_from_the_window(qapp: QApplication, seen_only: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        for key, taken in ((Qt.Key.Key_I, True), (Qt.Key.Key_R, True), (Qt.Key.Key_P, False)):
            event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
            event.ignore()
            QApplication.sendEvent(panel.canvas, event)
            assert event.isAccepted() == taken
        assert panel.canvas.property("canvas") is True

    scene(qapp, seen_only, act)


def test_in_the_window_a_letter_acts_once_on_the_row_and_not_on_the_inspector(
    qapp: QApplication, service: Service
) -> None:
    async def scenario() -> None:
        async with opened(service.desk) as window:
            panel = window.open_panel("salience")
            assert isinstance(panel, SaliencePanel)
            panel.take_focus()
            await until(lambda: panel.rows.columns, "the first rows")
            await until(panel.canvas.hasFocus, "the keyboard in the heatmap")
            other = panel.rows.row(panel.canvas.place + 1)
            assert other is not None
            window.inspector.show_memory(other.id)
            await until(lambda: window.inspector.view is not None, "the inspector")
            id, change = chosen(panel).id, window.session.deed
            press(panel.canvas, "i")
            await until(lambda: panel._chosen and panel._chosen.pinned, "the pin")
            assert panel._chosen is not None and panel._chosen.id == id
            assert window.session.deed is not change
            assert panel.filters.chips.button("pinned").label.count == "2"

    drive(qapp, scenario)


# Pointer.


def test_hovering_a_cell_tells_memory_day_and_value(qapp: QApplication, seen_only: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        canvas, place = panel.canvas, panel.canvas.place
        seen, grid = chosen(panel), panel.canvas.grid
        day = canvas.days.today - 3
        expected = f"{seen.title}, {words.short(canvas.days.date(day))}, {seen.curve.past[day]:.2f}"
        assert told(panel, place, grid.middle(day)) == expected
        assert told(panel, place, 100) == words.row_text(seen)
        assert told(panel, place, grid.rescue_x) == "Rescue it  R"
        hover(panel, place, grid.middle(day))
        assert panel.detail.chart._cell == day
        hover(panel, place, 100)
        assert panel.detail.chart._cell is None

    scene(qapp, seen_only, act)


def hover(panel: SaliencePanel, place: int, x: float) -> None:
    """Move the pointer there. QTest's own move runs the event loop, which kills the tasks of this one."""
    none, viewport = Qt.MouseButton.NoButton, panel.canvas.viewport()
    under = QPointF(at(panel, place, x))
    moved = QMouseEvent(
        QEvent.Type.MouseMove, under, viewport.mapToGlobal(under), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(viewport, moved)


def told(panel: SaliencePanel, place: int, x: float) -> str:
    """The tool tip at a place."""
    under, viewport = at(panel, place, x), panel.canvas.viewport()
    asked = QHelpEvent(QEvent.Type.ToolTip, under, viewport.mapToGlobal(under))
    QApplication.sendEvent(viewport, asked)
    said = QToolTip.text()
    QToolTip.hideText()
    return said


def test_a_click_chooses_a_row_and_opens_it(qapp: QApplication, seen_only: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        place = panel.canvas.place + 2
        click(panel.canvas.viewport(), at(panel, place, 100))
        assert panel.canvas.place == place
        await until(lambda: panel.inspector.memory_id == chosen(panel).id, "the inspector")
        assert panel.inspector.isVisible()

    scene(qapp, seen_only, act)


def test_the_columns_at_the_right_pin_and_rescue(qapp: QApplication, service: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        place, grid = panel.canvas.place + 1, panel.canvas.grid
        first = panel.rows.row(place)
        assert first is not None
        click(panel.canvas.viewport(), at(panel, place, grid.rescue_x))
        await until(lambda: panel._chosen and panel._chosen.curve.now > 0.89, "the rescue")
        assert panel._chosen is not None and panel._chosen.id == first.id
        second = panel.rows.row(place)
        assert second is not None
        click(panel.canvas.viewport(), at(panel, place, grid.pin_x))
        await until(lambda: panel._chosen and panel._chosen.pinned, "the pin")
        assert panel._chosen.id == second.id
        assert not panel.inspector.isVisible()

    scene(qapp, service, act)


def test_the_buttons_of_the_strip_act_on_the_chosen_row(qapp: QApplication, service: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        assert panel.detail.rescued_value.text().startswith("43 days")
        click(panel.detail.rescue)
        await until(lambda: not panel.detail.rescue.isEnabled(), "the rescue")
        assert panel.detail.rescue.toolTip() == "It is as strong as a rescue would make it."
        click(panel.detail.pin)
        await until(lambda: panel.detail.alone_value.text() == "does not fade pinned", "the pin")

    scene(qapp, service, act)


# Filters.


def test_filters_orders_and_kinds_narrow_the_rows(qapp: QApplication, seen_only: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        click(panel.filters.kinds._button(1))
        await until(lambda: panel._empty.isVisible(), "no entity recalled that often")
        assert panel._empty.sentence.text() == "Nothing was recalled 5 times yet."
        click(panel._empty.step)
        await until(lambda: panel.rows.rowCount() == len(NAMES) + FILLERS, "all rows")
        panel.filters.sort.set_value("name")
        panel.filters.sort.chosen.emit("name")
        await until(lambda: titles(panel)[:1] == ["Backup runbook is known"], "rows by name")
        assert panel.canvas.top() == 0
        panel.session.filter_channels(("attic",))
        await until(lambda: panel.rows.rowCount() == FILLERS, "one channel")

    scene(qapp, seen_only, act)


# Live.


def test_an_agents_recall_updates_a_row_and_what_is_read_stays_in_place(
    qapp: QApplication, service: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        await filtered(panel, "", len(NAMES) + FILLERS)
        panel.canvas.scroll_to(60)
        await until(lambda: len(titles(panel)) > 10, "the rows further down")
        reading, mark = titles(panel), chosen(panel).id
        faint = int(panel.filters.chips.button("below").label.count)
        async with Client(service.desk, agent="Iris") as agent:
            await agent.call(recall.SEARCH, Query(text="Violin strings", channel="homelab", limit=1))
        await until(lambda: panel.filters.chips.button("below").label.count == str(faint - 1), "the recall")
        assert titles(panel)[:10] == reading[:10]
        await until(lambda: panel._chosen and panel._chosen.id == mark, "the chosen row")

    scene(qapp, service, act)


def test_a_memory_that_is_retired_leaves_and_the_next_one_is_chosen(
    qapp: QApplication, service: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        gone, following = chosen(panel), panel.rows.row(panel.canvas.place + 1)
        assert following is not None
        await panel.session.do(curation.RETIRE, Retire(id=gone.id))
        await until(lambda: panel.rows.rowCount() == len(NAMES) - 1, "the row to leave")
        await until(lambda: panel._chosen and panel._chosen.id == following.id, "the next row")

    scene(qapp, service, act)


def test_select_finds_a_memory_wherever_it_stands(qapp: QApplication, seen_only: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        found = await panel.session.call(memory.FIND, Find(text="Filler 077", limit=1))
        panel.select(found.rows[0].id)
        await until(lambda: panel._chosen and panel._chosen.title == "Filler 077", "the memory")
        assert panel.filters.chips.button("").isChecked()
        assert panel.canvas.in_view(panel.canvas.place)

    scene(qapp, seen_only, act)


def test_what_is_shown_stays_while_the_service_is_away(qapp: QApplication, service: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        service.kill()
        await until(lambda: panel.session.is_away, "the service to be missed")
        assert titles(panel) and panel.detail.title.isVisible()
        assert not panel.detail.rescue.isEnabled() and not panel.detail.pin.isEnabled()
        assert "away" in panel.detail.pin.toolTip()

    scene(qapp, service, act)


# The table.


def test_the_same_rows_are_a_table_of_numbers(qapp: QApplication, service: Service) -> None:
    async def act(panel: SaliencePanel) -> None:
        panel.canvas.setFocus()
        seen = chosen(panel)
        press(panel.canvas, "t")
        assert panel.table.isVisible() and panel.table.hasFocus()
        assert panel.table.record() == seen
        model = panel.rows
        heads = [column.title for column in model.columns]
        assert heads[:6] == ["Memory", "Kind", "Channel", "Recalled", "Now", "Fades"]
        assert len(heads) == 6 + 13 + 5
        cells = [model.index(panel.canvas.place, place).data() for place in range(7)]
        assert cells[:6] == [
            seen.title,
            seen.category,
            "homelab",
            str(seen.recalled),
            f"{seen.curve.now:.2f}",
            words.fades_text(seen),
        ]
        week = [each for each in seen.curve.past[-7:] if each is not None]
        assert cells[6] == f"{sum(week) / 7:.2f}"
        press(panel.table, "j")
        assert panel._chosen is not None and panel._chosen.id == panel.table.record().id
        assert panel.detail.title.text() == panel._chosen.title
        press(panel.table, "r")
        await until(lambda: panel._chosen and panel._chosen.curve.now > 0.89, "the rescue")
        press(panel.table, "t")
        assert panel.canvas.isVisible() and panel.canvas.hasFocus()
        assert panel.canvas.in_view(panel.canvas.place)

    scene(qapp, service, act)


# Rows that are fetched as they are looked at.


@pytest.fixture(scope="module")
def answer(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Heatmap:
    folder = tmp_path_factory.mktemp("answer") / "desk"
    shutil.copytree(history, folder)
    engine = open_engine(Desk(folder))
    found = heatmap(engine, AskSalience(limit=500))
    engine.close()
    return found


def test_rows_asked_for_before_another_list_was_shown_are_ignored(
    answer: Heatmap, qapp: QApplication
) -> None:
    async def scenario() -> None:
        asked: list[tuple[int, int]] = []
        tasks = []

        async def fetch(first: int, limit: int) -> Sequence[HeatRow]:
            asked.append((first, limit))
            await until(lambda: go)
            return answer.rows[first : first + limit]

        go = False
        rows = HeatRows(fetch, lambda work: tasks.append(work))
        rows.show(replace(answer, rows=answer.rows[:100]), ())
        assert rows.row(3) == answer.rows[3]
        assert rows.row(120) is None and rows.row(121) is None
        assert len(tasks) == 1
        rows.show(replace(answer, total=50, rows=answer.rows[:50]), ())
        go = True
        await tasks[0]
        assert asked == [(100, 100)]
        assert rows.rowCount() == 50 and rows.row(120) is None and len(rows.by_id()) == 50

    drive(qapp, scenario)


# Days, grid and pictures.


def test_cells_are_counted_from_today_both_ways() -> None:
    daily, weekly = bins(DAYS, 1), bins(DAYS, 7)
    assert len(daily) == 121 and daily[90] == Bin(90, 91, False) and daily[91].is_ahead
    assert [cell.end - cell.first for cell in weekly] == [7] * 13 + [7, 7, 7, 7, 2]
    assert weekly[12].last == DAYS.today
    for cells in (daily, weekly):
        assert [day for cell in cells for day in range(cell.first, cell.end)] == list(range(121))


def test_days_and_weeks_are_said_as_people_say_them() -> None:
    assert words.days_text(DAYS, Bin(90, 91, False)) == "20 Nov"
    assert words.days_text(DAYS, Bin(84, 91, False)) == "14 to 20 Nov"
    assert words.days_text(DAYS, Bin(70, 77, False)) == "31 Oct to 6 Nov"


@pytest.mark.parametrize(
    ("in_days", "said"), [(22.4, "22 d"), (-18.6, "19 d ago"), (0.3, "today"), (None, "never")]
)
def test_fading_is_said_in_whole_days(answer: Heatmap, in_days: float | None, said: str) -> None:
    one = answer.rows[0]
    assert (
        words.fades_text(replace(one, curve=replace(one.curve, fades_in_days=in_days), pinned=False)) == said
    )


def test_days_are_whole_pixels_until_they_are_merged_to_weeks() -> None:
    wide, narrow = lay_out(1256, 1.0, DAYS), lay_out(1052, 1.0, DAYS)
    assert (wide.day_px, wide.bin_days, narrow.bin_days) == (6, 1, 7)
    assert wide.cells_right == 1256 - 258 and narrow.cells_right == 1052 - 258
    for width in range(480, 2600, 40):
        for dpr in (1.0, 1.5, 2.0):
            grid = lay_out(width, dpr, DAYS)
            assert grid.bin_days == 7 or grid.day_px >= 5
            edges = [grid.x(cell.first) * dpr for cell in grid.bins]
            assert edges == sorted(edges) and all(edge == round(edge) for edge in edges)
            assert grid.title_right > 52


def test_a_place_in_the_grid_is_found_again() -> None:
    for grid in (lay_out(1256, 1.0, DAYS), lay_out(900, 2.0, DAYS)):
        for place, cell in enumerate(grid.bins):
            middle = (grid.x(cell.first) + grid.x(cell.end)) / 2
            assert grid.bin_at(middle) == place and grid.part_at(middle) == "days"
        assert grid.bin_at(grid.cells_x - 1) is None and grid.bin_at(grid.cells_right + 1) is None
        parts = [grid.part_at(x) for x in (60, grid.now_right, grid.fades_right, grid.pin_x, grid.rescue_x)]
        assert parts == ["title", "now", "fades", "pin", "rescue"]


def test_cells_have_the_colour_of_their_value_and_forecasts_half_the_height(
    answer: Heatmap, qapp: QApplication
) -> None:
    for theme in ("dark", "light"):
        look.apply_theme(qapp, theme)
        strong = max(answer.rows, key=lambda each: each.curve.now)
        days, grid = Days.of(answer), lay_out(1256, 2.0, Days.of(answer))
        image = picture([strong, None], grid, answer.fade_below)
        x, ahead = (round((grid.middle(day) - grid.cells_x) * 2) - 2 for day in (days.today, days.back))
        expected, found = look.sequential(strong.curve.now), image.pixelColor(x, 20)
        for part in ("red", "green", "blue"):
            assert abs(getattr(expected, part)() - getattr(found, part)()) <= 3
        assert image.pixelColor(x, 6).alpha() == 255 and image.pixelColor(ahead, 6).alpha() == 0
        assert image.pixelColor(ahead, 20).alpha() == 255
        assert image.pixelColor(x, 62).alpha() == 0
    look.apply_theme(qapp, "dark")


def test_below_the_threshold_there_is_a_dash(answer: Heatmap, qapp: QApplication) -> None:
    faded = next(each for each in answer.rows if words.has_faded(each))
    grid = lay_out(1256, 1.0, Days.of(answer))
    image = picture([faded], grid, answer.fade_below)
    x = round(grid.middle(grid.days.today) - grid.cells_x)
    assert [image.pixelColor(x, y).alpha() for y in (8, 9, 10, 11)] == [0, 255, 255, 0]
    assert image.pixelColor(x, 10) == look.c("line2")


def test_the_line_of_fading_stands_where_each_row_crosses(answer: Heatmap) -> None:
    grid = lay_out(1256, 1.0, Days.of(answer))
    rows = [each for each in answer.rows if words.fade_day(each.curve, 0.1) is not None]
    path = fade_path(((place * 21.0, each) for place, each in enumerate(rows)), grid, 0.1, joined=True)
    elements = [path.elementAt(n) for n in range(path.elementCount())]
    points = {(each.x, each.y) for each in elements}
    for place, each in enumerate(rows):
        day = words.fade_day(each.curve, 0.1)
        assert day is not None
        assert (grid.x(day), place * 21.0 + 21) in points
        line = (*each.curve.past, *each.curve.ahead)
        assert all(value is None or value < 0.1 for value in line[day : grid.days.count])
        assert day == 0 or (line[day - 1] or 0) >= 0.1


# How far ahead, and in which order.


def test_the_forecast_reaches_90_days_and_its_filter_counts_what_fades_in_them(
    qapp: QApplication, seen_only: Service
) -> None:
    async def act(panel: SaliencePanel) -> None:
        chip = panel.filters.chips.button("ahead")
        assert chip.text() == "Fades in 30 days"
        soon = int(chip.label.count)
        panel.filters.ahead.set_value(90)
        panel.filters.ahead.chosen.emit(90)
        await until(lambda: chip.text() == "Fades in 90 days", "the longer forecast")
        assert panel.canvas.days.ahead == 90 and "90 ahead" in panel.head.subtitle.text()
        later = int(chip.label.count)
        assert later >= soon > 0
        await filtered(panel, "ahead", later)
        place = panel.canvas.place
        assert place == 0 and not words.has_faded(chosen(panel))

    scene(qapp, seen_only, act)


@pytest.mark.parametrize(("sort", "said"), [("channel", "by channel"), ("alike", "like courses together")])
def test_rows_are_grouped_by_channel_or_by_a_like_course(
    qapp: QApplication, seen_only: Service, sort: str, said: str
) -> None:
    async def act(panel: SaliencePanel) -> None:
        before = {row.id for row in panel.rows.by_id().values()}
        panel.filters.sort.set_value(sort)
        panel.filters.sort.chosen.emit(sort)
        await until(lambda: said in panel.axis.accessibleName(), "another order")
        asked = replace(panel.filters.ask(), limit=500)
        shown = await panel.session.call(memory.SALIENCE, asked)
        first = [panel.rows.row(place) for place in range(3)]
        assert [row.id for row in first if row is not None] == [row.id for row in shown.rows[:3]]
        assert {row.id for row in shown.rows} == before

    scene(qapp, seen_only, act)
