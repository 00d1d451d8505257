"""Daily logs: a day is found by date, by key and by pointer, is read line by line, and its lines become facts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import memory, upkeep, workspace
from memdesk.client.client import Client
from memdesk.gui import look
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels.daily.day_lines import (
    SECTION,
    SHOWN_AT_ONCE,
    Heading,
    Line,
    More,
    by_time,
    category_of,
    channel_of,
    claim_of,
    names_in,
    temporal_of,
    with_line,
)
from memdesk.gui.panels.daily.heat_strip import Days, HeatStrip, full, share, short
from memdesk.gui.panels.daily_panel import DailyPanel
from memdesk.gui.widgets import Control, Empty
from memdesk.gui.widgets.paper import PITCH_PX, plain_line, strip_markdown, wrap_text
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.interop import AskImport
from memdesk.model.status import AskJob
from memdesk.model.workspace import DayEntry
from tests.gui.driving import click, drive, opened, press, until

CTRL = Qt.KeyboardModifier.ControlModifier
TODAY = date.today()
LEASE = "Mara: the lease must start on 1 January, moving the fixed costs is not worth two weeks."
IRIS = f"""# Log

## Lisbon flat viewings
- 12:31 Ana Ribeiro confirmed Graça on Friday 17:00.
- 12:58 {LEASE}

## 和陈阿姨商量行程
- 19:04 用户请求：帮陈阿姨订十二月二十日从上海飞里斯本的机票，要靠过道的座位。
"""
FORGE = """## Deploy checklist
- 09:12 Chart values read the pool size from the runbook.
"""


def days_ago(days: int) -> date:
    return TODAY - timedelta(days=days)


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """Two agents with logs of two days ago; one of them wrote nine days ago too."""
    for agent, text in (("iris", IRIS), ("forge", FORGE)):
        (tmp_path / agent / "memory").mkdir(parents=True)
        (tmp_path / agent / "IDENTITY.md").write_text(f"# IDENTITY\n\n- **Name:** {agent.capitalize()}\n")
        (tmp_path / agent / "memory" / f"{days_ago(2)}.md").write_text(text)
    (tmp_path / "iris" / "memory" / f"{days_ago(9)}.md").write_text(
        "- 08:00 Nothing due.\n- 22:40 Nothing due.\n"
    )
    return tmp_path


Act = Callable[[Window, DailyPanel], Awaitable[None]]


def on_the_panel(app: QApplication, service: Any, folders: Path, act: Act) -> None:
    """Bring both agents' folders in, open the panel on the latest day, and act."""

    async def scenario() -> None:
        async with Client(service.desk) as client:
            for agent in ("iris", "forge"):
                job = await client.call(workspace.IMPORT, AskImport(path=str(folders / agent)))
                while job.open:
                    await asyncio.sleep(0.02)
                    job = await client.call(upkeep.JOB, AskJob(id=job.id))
                assert job.state == "done", job.says
        async with opened(service.desk) as window:
            panel = window.open_panel("daily")
            assert isinstance(panel, DailyPanel)
            await shown(panel, days_ago(2))
            await act(window, panel)

    drive(app, scenario)


async def shown(panel: DailyPanel, day: date) -> None:
    await until(lambda: panel.day is not None and panel.day.day == day, f"{day}")


def lines(panel: DailyPanel) -> list[str]:
    return [row.entry.text for row in panel.lines.rows.rows() if isinstance(row, Line)]


def headings(panel: DailyPanel) -> list[tuple[str, str]]:
    return [(row.title, row.agent) for row in panel.lines.rows.rows() if isinstance(row, Heading)]


def day_of(panel: DailyPanel) -> date:
    assert panel.day is not None
    return panel.day.day


def choose(panel: DailyPanel, text: str) -> None:
    """Choose the line that holds these words, by the keyboard's focus and the row's place."""
    panel.lines.setFocus()
    rows = panel.lines.rows.rows()
    panel.lines.choose(
        next(n for n, row in enumerate(rows) if isinstance(row, Line) and text in row.entry.text)
    )


# Reading.


def test_the_latest_day_is_read_through_the_day_agent_by_agent(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        assert headings(panel) == [
            ("Deploy checklist", "Forge"),
            ("Lisbon flat viewings", "Iris"),
            ("和陈阿姨商量行程", "Iris"),
        ]
        assert LEASE in lines(panel) and len(lines(panel)) == 4
        assert panel.head.subtitle.text() == "2 days with entries"

    on_the_panel(qapp, running_service, folders, act)


def test_one_agents_lines_can_be_shown_alone_and_as_they_are_written(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        assert panel.bar.agents is not None
        click(panel.bar.agents.findChildren(Control)[1])
        assert headings(panel) == [("Deploy checklist", "Forge")]
        click(panel.bar.view.findChildren(Control)[1])
        await until(lambda: [file.text for file in panel.sources.files] == [FORGE], "the source")
        click(panel.bar.agents.findChildren(Control)[0])
        await until(lambda: len(panel.sources.files) == 2, "both sources")

    on_the_panel(qapp, running_service, folders, act)


def test_a_line_an_agent_writes_into_its_file_appears_by_itself(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        choose(panel, LEASE)
        path = folders / "forge" / "memory" / f"{days_ago(2)}.md"
        path.write_text(FORGE + "- 09:40 Load shed test passed at 1.4 times peak.\n")
        await until(lambda: len(lines(panel)) == 5, "the new line")
        assert panel.lines.record().entry.text == LEASE
        assert panel.strip.days.entries[days_ago(2)] == 5

    on_the_panel(qapp, running_service, folders, act)


# From day to day.


def test_a_day_is_found_by_typing_its_date(qapp: QApplication, running_service: Any, folders: Path) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        choose(panel, LEASE)
        press(panel.lines, "/")
        assert panel.jump.hasFocus()
        press(panel.jump, "no day at all")
        press(panel.jump, Qt.Key.Key_Return)
        await until(lambda: panel.jump.error() == "no day", "that it is none")
        panel.jump.selectAll()
        press(panel.jump, "9 days ago")
        press(panel.jump, Qt.Key.Key_Return)
        await shown(panel, days_ago(9))
        assert lines(panel) == ["Nothing due.", "Nothing due."] and panel.strip.day == days_ago(9)

    on_the_panel(qapp, running_service, folders, act)


def test_an_empty_day_leads_to_the_nearest_days_with_entries(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        panel.select(days_ago(5).isoformat())
        await shown(panel, days_ago(5))
        assert panel.empty_day.isVisible() and full(days_ago(5), TODAY) in panel.empty_day.sentence.text()
        click(panel.empty_day.before)
        await shown(panel, days_ago(9))
        click(panel.bar.after)
        await shown(panel, days_ago(2))
        press(panel.strip, "t")
        await shown(panel, TODAY)

    on_the_panel(qapp, running_service, folders, act)


def test_the_arrows_move_by_a_day_and_by_a_week(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        panel.strip.setFocus()
        press(panel.strip, Qt.Key.Key_Left)
        await shown(panel, days_ago(9))
        press(panel.strip, Qt.Key.Key_Down)
        await shown(panel, days_ago(8))
        press(panel.strip, Qt.Key.Key_End)
        await shown(panel, TODAY)
        press(panel.strip, Qt.Key.Key_Right)
        assert panel.strip.day == TODAY

    on_the_panel(qapp, running_service, folders, act)


def test_a_search_that_found_a_log_opens_its_day(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        assert panel.day is not None
        document = panel.day.files[0].document_id
        panel.select(days_ago(9).isoformat())
        await shown(panel, days_ago(9))
        window.go("daily", document)
        await shown(panel, days_ago(2))

    on_the_panel(qapp, running_service, folders, act)


def test_a_desk_without_logs_tells_how_to_bring_them_in(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = window.open_panel("daily")
            (empty,) = panel.findChildren(Empty)
            await until(empty.isVisible, "the sentence")
            assert empty.step.text() == "Import memory"
            empty.step.click()
            await until(lambda: not panel.isVisible(), "the import")

    drive(qapp, scenario)


# A fact from a line.


def test_a_fact_is_made_of_a_line_by_keyboard_alone_and_can_be_undone(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        choose(panel, LEASE)
        press(panel.lines, Qt.Key.Key_Return)
        assert panel.aside.is_open and panel.form.claim.text() == LEASE
        assert panel.form.category.value() == "constraint"
        panel.form.claim.set_text("The Lisbon lease starts on 1 January")
        panel.form.channel.set_value("_global")
        panel.form.about.setText("Lisbon lease, Mara")
        press(panel.form.claim.editor, Qt.Key.Key_Return, CTRL)
        await until(lambda: not panel.aside.is_open, "the form to close")
        fact = (await window.session.call(memory.FACTS, ListFacts(text="lease starts"))).rows[0]
        assert (fact.claim, fact.channel, fact.category) == (
            "The Lisbon lease starts on 1 January",
            "_global",
            "constraint",
        )
        assert fact.confidence == 0.95 and panel.lines.record().fact == fact.id
        assert panel.lines.hasFocus() and not panel.lines.make.isVisible()
        assert window.session.deed and "The Lisbon lease" in window.session.deed.sentence
        press(panel.lines, Qt.Key.Key_Return)
        await until(lambda: window.inspector.memory_id == fact.id, "the fact in the inspector")
        await until(lambda: isinstance(window.inspector.view, MemoryView), "its source")
        view = window.inspector.view
        assert isinstance(view, MemoryView) and view.seen.provenance is not None
        assert view.seen.provenance.document_id == panel.lines.record().entry.document_id
        assert LEASE in view.seen.provenance.quote
        day, path = day_of(panel), view.seen.provenance.path
        panel.open_day(day - timedelta(days=40))
        await until(lambda: day_of(panel) != day, "another day")
        shown = window.inspector.view  # It may have been read again meanwhile.
        assert isinstance(shown, MemoryView)
        (link,) = [each for each in shown.findChildren(Control) if each.text() == path]
        click(link)
        await until(lambda: day_of(panel) == day, "the day of the line")
        click(window.status_line.undo)
        await until(lambda: window.session.deed and window.session.deed.op == "undo", "the undo")
        assert not (await window.session.call(memory.FACTS, ListFacts(text="lease starts"))).rows
        await until(window.inspector._gone.isVisible, "the inspector to say so")
        await until(lambda: not any(isinstance(row, Line) and row.fact for row in panel.lines.rows.rows()))

    on_the_panel(qapp, running_service, folders, act)


def test_one_key_makes_a_fact_of_a_line_and_one_puts_it_into_the_long_term_file(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    kept = folders / "iris" / "MEMORY.md"
    kept.write_text("# Memory\n\n- Mara drinks tea.\n\n## Auto-extracted\n\n- By itself.\n")

    async def act(window: Window, panel: DailyPanel) -> None:
        choose(panel, "Graça on Friday")
        press(panel.lines, "f")
        await until(lambda: panel.lines.record().fact, "the fact")
        facts = (await window.session.call(memory.FACTS, ListFacts(text="Graça"))).rows
        assert [fact.claim for fact in facts] == ["Ana Ribeiro confirmed Graça on Friday 17:00."]
        assert not panel.aside.is_open and panel.lines.keep.isVisible()
        press(panel.lines, "m")
        await until(lambda: panel.lines.record() and panel.lines.record().kept, "its mark")
        assert not panel.lines.keep.isVisible()
        claim = "- Ana Ribeiro confirmed Graça on Friday 17:00."
        assert kept.read_text() == (
            f"# Memory\n\n- Mara drinks tea.\n\n{SECTION}\n\n{claim}\n\n## Auto-extracted\n\n- By itself.\n"
        )
        assert window.session.deed and "Into MEMORY.md of Iris" in window.session.deed.sentence
        click(window.status_line.undo)
        await until(lambda: panel.lines.record() and not panel.lines.record().kept, "the undo")
        assert claim not in kept.read_text()
        choose(panel, "Chart values")
        press(panel.lines, "m")
        await until(lambda: "Forge keeps no MEMORY.md" in window.notice.sentence.text(), "why not")

    on_the_panel(qapp, running_service, folders, act)


def test_two_lines_made_facts_in_quick_succession_are_two_facts(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        for words in ("Graça", "lease"):
            choose(panel, words)
            press(panel.lines, "f")
        assert panel.day is not None
        entries = panel.day.entries
        await until(lambda: sum(bool(panel.becoming.line(each).fact) for each in entries) == 2, "the facts")
        facts = (await window.session.call(memory.FACTS, ListFacts())).rows
        known = {fact.claim for fact in facts}
        assert {"Ana Ribeiro confirmed Graça on Friday 17:00.", claim_of(LEASE)} <= known

    on_the_panel(qapp, running_service, folders, act)


def test_words_are_found_on_every_day_and_the_strip_shows_where(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        panel.lines.setFocus()
        press(panel.lines, Qt.Key.Key_F, CTRL)
        assert panel.finder.hasFocus()
        press(panel.finder, "nothing DUE")
        await until(lambda: panel.finder.lines == {days_ago(9): 2}, "the day that says it")
        assert (
            panel.strip.days.entries == {days_ago(9): 2} and panel.head.subtitle.text() == "2 lines on 1 day"
        )
        await until(panel.empty_day.isVisible, "that the open day does not")
        assert "says “nothing DUE”" in panel.empty_day.sentence.text()
        press(panel.finder, Qt.Key.Key_Return)
        await shown(panel, days_ago(9))
        await until(lambda: lines(panel) == ["Nothing due."] * 2, "its lines")
        press(panel.lines, Qt.Key.Key_Escape)
        await until(lambda: not panel.finder.words, "the search to end")
        assert len(panel.strip.days.entries) == 2
        panel.finder.setText("机票")
        await until(lambda: panel.finder.lines == {days_ago(2): 1}, "Chinese words")

    on_the_panel(qapp, running_service, folders, act)


def test_what_was_learned_on_a_day_stands_among_its_lines(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    learnings = folders / "forge" / "learnings"
    learnings.mkdir()
    (learnings / "errors.md").write_text(
        f"# Errors\n\n- [{days_ago(2)} 07:30] **k6**: the target is no result.\n  Context: LT-4\n"
        f"- [{days_ago(1)} 07:30] **k6**: another day.\n"
    )

    async def act(window: Window, panel: DailyPanel) -> None:
        assert headings(panel)[0] == ("Learned from errors", "Forge")
        assert lines(panel)[0] == "**k6**: the target is no result.\nContext: LT-4"
        assert panel.overview.figures._lessons.text() == "1"

    on_the_panel(qapp, running_service, folders, act)


def test_a_line_goes_behind_those_of_its_section_and_a_new_section_to_the_end() -> None:
    assert with_line("", "One") == f"{SECTION}\n\n- One\n"
    assert with_line("# Memory\n", "One") == f"# Memory\n\n{SECTION}\n\n- One\n"
    text = f"# Memory\n\n{SECTION}\n\n- One\n\n## Dates\n"
    assert with_line(text, "Two") == f"# Memory\n\n{SECTION}\n\n- One\n- Two\n\n## Dates\n"


def test_a_claim_that_is_known_is_not_made_twice(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        for text in (LEASE, "Ana Ribeiro"):
            choose(panel, text)
            click(panel.lines.make)
            panel.form.claim.set_text("The lease starts on 1 January")
            panel.form.channel.set_value("_global")
            panel.form.about.clear()
            click(panel.form.save)
            await until(panel.form.save.isEnabled, "the answer")
        assert panel.aside.is_open and panel.form.note == "_global knows this already."
        assert (await window.session.call(memory.FACTS, ListFacts(text="lease starts"))).total == 1
        press(panel.form, Qt.Key.Key_Escape)
        assert not panel.aside.is_open

    on_the_panel(qapp, running_service, folders, act)


# The strip.


@pytest.fixture
def strip(qtbot: Any, qapp: QApplication) -> HeatStrip:
    look.apply_theme(qapp, "dark")
    made = HeatStrip()
    qtbot.addWidget(made)
    made.show()
    made.show_days({days_ago(n): n for n in range(1, 200)}, TODAY)
    return made


def test_the_strip_ends_with_this_week_and_follows_a_day_far_back(strip: HeatStrip) -> None:
    assert strip.days.place(TODAY).column() == 12 and strip.days.place(TODAY).row() == TODAY.weekday()
    assert strip.reaches() == (True, False)
    strip.page(-13)
    assert not strip.days.place(TODAY).isValid() and strip.reaches() == (True, True)
    strip.show_days(strip.days.entries, days_ago(150))
    assert strip.days.place(days_ago(150)).isValid()


def test_a_cell_says_its_day_and_number_to_pointer_and_screen_reader(strip: HeatStrip) -> None:
    index = strip.days.place(days_ago(11))
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert strip.days.data(index, role) == f"{short(days_ago(11), TODAY)}, 11 entries"
    assert strip.days.data(strip.days.place(TODAY), Qt.ItemDataRole.ToolTipRole).endswith("no entries")


def test_a_pressed_cell_opens_its_day(qtbot: Any, strip: HeatStrip) -> None:
    rect = strip.visualRect(strip.days.place(days_ago(7)))
    with qtbot.waitSignal(strip.picked) as told:
        qtbot.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.center()))
    assert told.args == [days_ago(7)]


def test_a_day_that_dwarfs_the_others_does_not_make_them_one_colour() -> None:
    days = Days()
    days.entries = {days_ago(n): 10 + n % 20 for n in range(60)}
    assert days.most == 29
    days.entries = {**days.entries, days_ago(61): 1467}
    assert days.most < 30
    assert share(0, 10) == 0 < share(1, 10) < share(10, 10) == share(99, 10) == 1


# Words.


def test_a_line_becomes_a_claim_without_markdown_or_label() -> None:
    assert (
        claim_of("**Decision:** use `pg_repack`,\n  see [the runbook](x.md)")
        == "use pg_repack, see the runbook"
    )
    assert claim_of("用户请求：帮陈阿姨订机票") == "帮陈阿姨订机票"
    assert len(claim_of("x" * 5000)) == 2000


def test_first_guesses_about_a_line_are_the_plain_ones() -> None:
    assert [
        category_of(text) for text in (LEASE, "Decided on Vinga Flytt", "Mara prefers trains", "It rained")
    ] == [
        "constraint",
        "decision",
        "preference",
        "fact",
    ]
    assert [temporal_of(text) for text in ("The ferry is due on 5 December", "Pool size is 25")] == [
        "future",
        "current",
    ]
    assert channel_of("Lisbon move: viewings", "…", ["_global", "lisbon-move", "family"]) == "lisbon-move"
    assert channel_of("Viewings", "nothing named", ["_global", "lisbon-move"]) is None
    assert names_in(" Mara, 陈阿姨、Jun,, Mara ") == ("Mara", "陈阿姨", "Jun")


def test_marks_stand_where_the_words_are_even_behind_emoji() -> None:
    assert strip_markdown("👍 **yes** and `no`") == ("👍 yes and no", ((3, 3, "bold"), (11, 2, "code")))
    assert (
        plain_line("## Class of 2011\n\n- **Reunion** at #4, see `C#`")
        == "Class of 2011 - Reunion at #4, see C#"
    )


def test_wrapped_lines_of_any_script_keep_their_pitch(qapp: QApplication) -> None:
    look.apply_theme(qapp, "dark")
    assert wrap_text("Latin", 400).height == PITCH_PX
    mixed = wrap_text("帮陈阿姨订十二月二十日从上海飞里斯本的机票，要靠过道的座位。" * 3, 300)
    baselines = [mixed.layout.lineAt(n).y() + mixed.layout.lineAt(n).ascent() for n in range(mixed.lines)]
    assert {round(b - a) for a, b in zip(baselines, baselines[1:], strict=False)} == {PITCH_PX}
    assert wrap_text("word " * 4000, 300).cut


def entry(line: int, time: str, section: str, document: str = "d") -> DayEntry:
    return DayEntry(
        document_id=document, agent_id="Iris", line=line, time=time, section=section, text=f"{line}"
    )


def test_a_group_without_times_stays_behind_the_one_above_it_in_its_file() -> None:
    entries = [
        entry(1, "19:00", "evening"),
        entry(2, "", "notes"),
        entry(3, "09:00", "morning"),
        entry(1, "12:00", "noon", "other"),
    ]
    assert [group[0].section for group in by_time(entries)] == ["morning", "noon", "evening", "notes"]


def test_a_very_long_day_is_shown_in_parts(qapp: QApplication, running_service: Any, folders: Path) -> None:
    long = "## Load test\n" + "".join(f"- {n // 60:02}:{n % 60:02} sample {n}\n" for n in range(1200))
    (folders / "forge" / "memory" / f"{days_ago(2)}.md").write_text(long)

    async def act(window: Window, panel: DailyPanel) -> None:
        assert len(lines(panel)) == SHOWN_AT_ONCE
        rows = panel.lines.rows.rows()
        assert rows[-1] == More(next=500, left=703)
        panel.lines.setFocus()
        press(panel.lines, Qt.Key.Key_End)
        press(panel.lines, Qt.Key.Key_Return)
        assert len(lines(panel)) == 2 * SHOWN_AT_ONCE

    on_the_panel(qapp, running_service, folders, act)


def test_the_file_of_a_day_is_edited_as_any_other_file(
    qapp: QApplication, running_service: Any, folders: Path
) -> None:
    async def act(window: Window, panel: DailyPanel) -> None:
        panel.bar.agents and panel.bar.agents.choose("Forge")
        panel.lines.setFocus()
        press(panel.lines, Qt.Key.Key_E, CTRL)
        files: Any = window.stage.panel
        await until(lambda: window.stage.panel is not panel and window.stage.panel.editor.file, "the editor")
        files = window.stage.panel
        path = f"memory/{days_ago(2)}.md"
        assert files.editor.file.path == path and "daily log" in files.head.subtitle.text()
        assert path in [line.file.path for line in files.files.files()]
        files.editor.page.editor.setPlainText(FORGE + "- 09:30 Written by hand.\n")
        files.save_file()
        file = folders / "forge" / path
        await until(lambda: "Written by hand" in file.read_text() and window.session.deed, "the save")
        window.session.undo()
        await until(lambda: file.read_text() == FORGE, "the undo")

    on_the_panel(qapp, running_service, folders, act)
