"""Daily logs by pointer and by keyboard: a day is found, read and searched, and a line becomes a fact."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.gui.panels.daily.day_lines import Line
from memdesk.gui.panels.daily_panel import DailyPanel
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.filled import DAY, FOLDER, LINE
from tests.gui.hands import CTRL, by_rail, click_row, deed, pick, segment


async def day_shown(panel: DailyPanel, day: date) -> None:
    await until(lambda: panel.day is not None and panel.day.day == day, f"{day}")


async def daily(window: Window) -> DailyPanel:
    panel = await by_rail(window, "daily")
    assert isinstance(panel, DailyPanel)
    await day_shown(panel, DAY)
    return panel


def place_of_line(panel: DailyPanel, words: str) -> int:
    rows = panel.lines.rows.rows()
    return next(n for n, row in enumerate(rows) if isinstance(row, Line) and words in row.entry.text)


def test_a_day_is_opened_by_its_cell_the_arrows_and_the_buttons(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await daily(window)
            earlier = DAY - timedelta(days=3)
            cell = panel.strip.visualRect(panel.strip.days.place(earlier)).center()
            click(panel.strip.viewport(), cell)
            await day_shown(panel, earlier)
            assert panel.empty_day.isVisible()
            click(panel.empty_day.after)
            await day_shown(panel, DAY)
            click(panel.today)
            await day_shown(panel, date.today())
            click(panel.bar.before)
            await day_shown(panel, DAY)
            panel.strip.setFocus()
            press(panel.strip, Qt.Key.Key_Up)
            await day_shown(panel, DAY - timedelta(days=1))
            press(panel.strip, "t")
            await day_shown(panel, date.today())

    drive(qapp, scenario)


def test_a_line_becomes_a_fact_by_pointer_alone_and_the_undo_takes_it_back(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await daily(window)
            click_row(panel.lines, place_of_line(panel, LINE))
            click(panel.lines.make)
            await until(lambda: panel.aside.is_open and panel.form.save.isVisible(), "the form")
            assert panel.form.claim.text() == LINE
            await pick(panel.form.channel, "harbour")
            click(segment(panel.form.category, "Event"))
            click(segment(panel.form.temporal, "Future"))
            await until(panel.form.save.isEnabled, "the form to be complete")
            click(panel.form.save)
            await until(lambda: panel.lines.record() and panel.lines.record().fact, "the fact")
            found = (await window.session.call(memory.FACTS, ListFacts(text="inspection"))).rows
            made = next(fact for fact in found if fact.claim == LINE)
            assert (made.channel, made.category) == ("harbour", "event")
            click(window.status_line.undo)
            await until(lambda: deed(window).startswith("Undone"), "the undo")
            await until(lambda: not panel.lines.record().fact, "the line without it")

    drive(qapp, scenario)


def test_one_key_keeps_a_line_in_the_long_term_file_and_ctrl_z_takes_it_out(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await daily(window)
            click_row(panel.lines, place_of_line(panel, "two ropes"))
            press(panel.lines, "m")
            await until(lambda: panel.lines.record() and panel.lines.record().kept, "its mark")
            kept = Path(full_service.desk.folder.parent, "iris", "MEMORY.md")
            assert "Ordered two ropes." in kept.read_text()
            press(panel.lines, Qt.Key.Key_Z, CTRL)
            await until(lambda: kept.read_text() == FOLDER["MEMORY.md"], "the file as it was")

    drive(qapp, scenario)


def test_words_are_found_and_the_file_is_read_as_it_is_written(
    qapp: QApplication, full_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await daily(window)
            click(panel.finder)
            press(panel.finder, "ropes")
            await until(lambda: panel.finder.lines == {DAY: 1}, "the day that says it")
            await until(
                lambda: (
                    [line.entry.text for line in panel.lines.rows.rows() if isinstance(line, Line)]
                    == ["Ordered two ropes."]
                )
            )
            press(panel.finder, Qt.Key.Key_Escape)
            await until(lambda: not panel.finder.words, "the search to end")
            click(segment(panel.bar.view, "Source"))
            written = FOLDER[f"memory/{DAY}.md"]
            await until(lambda: [file.text for file in panel.sources.files] == [written], "the file")
            click(segment(panel.bar.view, "Lines"))
            assert panel.lines.isVisible()
            click(panel.jump)
            press(panel.jump, "yesterday")
            press(panel.jump, Qt.Key.Key_Return)
            await until(panel.lines.hasFocus, "the lines of that day")

    drive(qapp, scenario)


def test_an_entry_is_added_to_the_open_day_and_taken_back(qapp: QApplication, full_service: Service) -> None:
    async def scenario() -> None:
        async with opened(full_service.desk) as window:
            panel = await daily(window)

            def mentions(words: str) -> bool:
                return panel.day is not None and any(words in each.text for each in panel.day.entries)

            panel.lines.setFocus()
            press(panel.lines, "n")
            await until(panel.entry.text.hasFocus, "the field")
            press(panel.entry.text, "The gate pump was replaced")
            press(panel.entry.text, Qt.Key.Key_Return)
            await until(lambda: mentions("gate pump"), "the entry")
            assert panel.entry.text.text() == "" and panel.day and panel.day.day == DAY
            press(panel.entry.text, Qt.Key.Key_Escape)
            await until(panel.lines.hasFocus, "the lines again")
            assert not panel.entry.isVisible()
            press(window, Qt.Key.Key_Z, CTRL)
            await until(lambda: not mentions("gate pump"), "the day as it was")

    drive(qapp, scenario)
