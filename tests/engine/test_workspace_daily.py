"""Daily logs: every dialect of a day file, the calendar, and one day over all agents."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.day_files import calendar, day, entries_of, split_time
from memdesk.model.workspace import AskCalendar, AskDay
from tests.fixtures.intake.worlds import changes, copy_of, take


def told(text: str) -> list[tuple[int, str, str, str]]:
    return [(entry.line, entry.time, entry.section, entry.text) for entry in entries_of(text)]


def test_bullets_under_headings() -> None:
    text = "# 2026-03-01\n\n## Session Facts (2026-03-01)\n- 用户请求: 帮我整理\n- 完成事项: 已完成\n"
    assert told(text) == [
        (4, "", "Session Facts", "用户请求: 帮我整理"),
        (5, "", "Session Facts", "完成事项: 已完成"),
    ]


def test_blocks_under_a_time() -> None:
    text = "# 2026-03-01\n\n## 09:30\n\nHelped.\n\nTwice:\n- a\n- b\n\n## 10:05\n\nDeployed.\n"
    assert told(text) == [(3, "09:30", "", "Helped.\n\nTwice:\n- a\n- b"), (11, "10:05", "", "Deployed.")]


def test_lines_with_a_time_in_brackets_and_without() -> None:
    assert told("- [14:03] Cat fed\n- 15:10 Cat out\n- **16:00** – cat in\n* plain\n1. first\n") == [
        (1, "14:03", "", "Cat fed"),
        (2, "15:10", "", "Cat out"),
        (3, "16:00", "", "cat in"),
        (4, "", "", "plain"),
        (5, "", "", "first"),
    ]


def test_plain_paragraphs_and_japanese_bullets() -> None:
    assert told("# 2026-03-01\n\nTalked about\nthe router.\n\n散歩した。\n\n・買い物\n・洗濯\n") == [
        (3, "", "", "Talked about\nthe router."),
        (6, "", "", "散歩した。"),
        (8, "", "", "買い物"),
        (9, "", "", "洗濯"),
    ]


def test_a_template_with_labels_and_nested_notes() -> None:
    text = "# Daily Memory\n- Date: 2026-03-01\n- Notes:\n  - one\n  - two\n    and more\n- Loose\n- Label:\n- Last\n"
    assert told(text) == [
        (4, "", "Notes", "one"),
        (5, "", "Notes", "two\nand more"),
        (7, "", "", "Loose"),
        (8, "", "", "Label:"),
        (9, "", "", "Last"),
    ]


def test_nested_bullets_fences_boxes_and_rules() -> None:
    text = (
        "---\ntitle: x\n---\n## Work\n- [x] done\n  - a part\n- [ ] 9:05 pm open\n---\n"
        "```\n# no heading\n- no bullet\n```\n"
        "<!-- hidden -->\n## Next\nlast"
    )
    assert told(text) == [
        (5, "", "Work", "done\n- a part"),
        (7, "21:05", "Work", "open"),
        (9, "", "Work", "```\n# no heading\n- no bullet\n```"),
        (15, "", "Next", "last"),
    ]


def test_what_looks_like_a_time_and_is_none() -> None:
    assert split_time("25:10 odd") == ("", "25:10 odd")
    assert split_time("3:1 ratio") == ("", "3:1 ratio")
    assert split_time("12:30am snack") == ("00:30", "snack")
    assert split_time("９月の予定") == ("", "９月の予定")
    assert split_time("09：30 会議") == ("09:30", "会議")


def test_an_empty_day_tells_nothing() -> None:
    assert told("") == told("# 2026-03-01\n\n## Heading\n\n") == []


def test_the_calendar_counts_entries_and_a_day_shows_them(engine: Engine, tmp_path: Path) -> None:
    take(engine, copy_of("harbour", tmp_path))
    take(engine, copy_of("shared", tmp_path))
    assert [(d.day.day, d.entries) for d in calendar(engine, AskCalendar()).days] == [(1, 3), (2, 2), (3, 2)]
    second = day(engine, AskDay(day=date(2026, 3, 2)))
    assert [(entry.time, entry.text) for entry in second.entries] == [
        ("14:03", "桟橋の予約を確認した"),
        ("15:10", "Price list sent"),
    ]
    assert (second.previous, second.next) == (date(2026, 3, 1), date(2026, 3, 3))
    assert [file.path for file in second.files] == ["memory/2026-03-02.md"]


def test_days_can_be_asked_of_one_agent(engine: Engine, tmp_path: Path) -> None:
    take(engine, copy_of("harbour", tmp_path))
    take(engine, copy_of("shared", tmp_path))
    assert [d.day.day for d in calendar(engine, AskCalendar(agents=("nils",))).days] == [3]
    assert day(engine, AskDay(day=date(2026, 3, 2), agents=("nils",))).entries == ()


def test_a_line_written_outside_shows_at_once_and_is_recorded(engine: Engine, tmp_path: Path) -> None:
    harbour = copy_of("harbour", tmp_path)
    take(engine, harbour)
    before = changes(engine)
    with (harbour / "memory" / "2026-03-02.md").open("a") as file:
        file.write("- [16:00] Locked up\n")
    assert len(day(engine, AskDay(day=date(2026, 3, 2))).entries) == 3
    assert changes(engine) == before + 1
    assert calendar(engine, AskCalendar()).days[1].entries == 3


def test_a_day_whose_file_is_gone_tells_what_it_told(engine: Engine, tmp_path: Path) -> None:
    harbour = copy_of("harbour", tmp_path)
    take(engine, harbour)
    (harbour / "memory" / "2026-03-02.md").unlink()
    assert len(day(engine, AskDay(day=date(2026, 3, 2))).entries) == 2
