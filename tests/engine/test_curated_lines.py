"""Lines of curated files as people and agents write them: one statement each, of the right kind and time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.workspace.day_lines import lasts
from memdesk.engine.workspace.page import read_page
from memdesk.engine.workspace.statements import Subjects, statement_of
from memdesk.model.browse import ListFacts
from tests.fixtures.intake.worlds import take

SUBJECTS = Subjects(writer="Tessel", person="Ines")


def _stated(text: str) -> list[str]:
    return [line.words for line in read_page(text.splitlines()).lines if line.words]


def test_lines_that_each_name_their_value_are_statements_of_their_own() -> None:
    text = (
        "**Cause**: The pump of the second greenhouse ran dry for eleven hours\n"
        "**Answer**: Ines moved the float switch down by forty centimetres\n"
        "**Still open:** a spare pump\n"
        "\n"
        "Time zone: Europe/Amsterdam, and half a year in the Azores with the boat\n"
        "Working hours: seven to three\n"
    )
    assert _stated(text) == [
        "Cause: The pump of the second greenhouse ran dry for eleven hours",
        "Answer: Ines moved the float switch down by forty centimetres",
        "Still open: a spare pump",
        "Time zone: Europe/Amsterdam, and half a year in the Azores with the boat",
        "Working hours: seven to three",
    ]


def test_a_sentence_broken_into_lines_stays_one_statement() -> None:
    text = "The tulip fields north of the canal are leased from the parish until\nspring, and the lease names Ines."
    assert len(_stated(text)) == 1


def test_a_sentence_that_leads_to_a_list_is_its_label() -> None:
    text = "Keep the cold store below four degrees for the whole of the season with:\n- the old compressor\n- fans"
    page = read_page(text.splitlines())
    assert [line.words for line in page.lines if line.words] == ["the old compressor", "fans"]
    assert page.lines[1].headings[0].startswith("Keep the cold store")


def test_a_quoted_line_is_read_without_its_mark() -> None:
    assert _stated("> The order book is in the cold store\n> > and so is the seal") == [
        "The order book is in the cold store",
        "and so is the seal",
    ]


def test_an_item_under_a_statement_has_it_as_its_context_and_is_not_about_the_owner() -> None:
    page = read_page(
        ["# About Ines", "- **Father:** Piet, retired", "  - Emergency contact", "- Early riser"]
    )
    (_, _, under, after) = page.lines
    assert under.headings[-1] == "Father: Piet, retired" and after.headings == ("About Ines",)
    of_person = Subjects(writer="Tessel", person="Ines", of_person=True)
    claims = [statement_of(each, of_person, date(2026, 4, 1)).claim for each in (under, after)]
    assert claims == ["Emergency contact", "Ines: Early riser"]


@pytest.mark.parametrize(
    ("heading", "line", "category", "temporal"),
    [
        ("重要事件", "首次上线，与馆长谈了一夜", "event", "past"),
        ("关键日期", "开始搭建暖房", "event", "past"),
        ("重要事件", "硬件：旧水泵", "fact", "current"),
        ("Milestones", "First harvest of the new field", "event", "past"),
        ("技术环境", "水泵已连接", "fact", "current"),
        ("重要约定", "改东西前先备份", "constraint", "current"),
        ("NeverMindTheBulbs", "Player of the pirate kingdom", "fact", "current"),
    ],
)
def test_a_heading_and_its_day_decide_the_kind_of_a_line(
    heading: str, line: str, category: str, temporal: str
) -> None:
    text = [f"## {heading}", "### 2026-02-07", f"- {line}"]
    (read,) = [each for each in read_page(text).lines if each.words]
    stated = statement_of(read, SUBJECTS, date(2026, 4, 1))
    assert (stated.category, stated.temporal) == (category, temporal)


@pytest.mark.parametrize(
    ("line", "category", "temporal"),
    [
        ("Course Two (ages 9-12): Team-based garden work", "fact", "current"),
        ("/plan auto - balanced choice", "fact", "current"),
        ("seed.py – Syncs saved orders with the shop", "fact", "current"),
        ("Irrigation - Not needed until the dry months", "fact", "current"),
        ("What to call him: Drew", "fact", "current"),
        ("Drew moving the ledgers to the new barn", "fact", "current"),
        ("Inspired by a game of the seventies", "fact", "current"),
        ("Gets frustrated when pumps fail, as expected", "fact", "current"),
        ("Technical (Docker, DO droplets, git)", "fact", "current"),
        ("If the float was replaced, the alarm must be set too", "constraint", "current"),
        ("Backup: encrypted archive on the boat", "fact", "current"),
        ("Backup: moved to the boat", "event", "past"),
        ("Moved the bulbs to the cold store", "event", "past"),
        ("Most buyers don't ask for certificates", "fact", "current"),
        ("Don't ask buyers for certificates", "constraint", "current"),
        ("特别贵的球茎在二号库", "fact", "current"),
        ("别在周末给客户发邮件", "constraint", "current"),
        ("他申请了出口许可", "event", "past"),
    ],
)
def test_the_kind_and_time_of_a_line(line: str, category: str, temporal: str) -> None:
    (read,) = [each for each in read_page([f"- {line}"]).lines if each.words]
    stated = statement_of(read, SUBJECTS, date(2026, 4, 1))
    assert (stated.category, stated.temporal) == (category, temporal)


@pytest.mark.parametrize(
    ("heading", "line", "category", "temporal"),
    [
        ("Formerly", "the windmill pump", "fact", "past"),
        ("Previous growers", "Jacob Kwint, lilies only", "fact", "past"),
        ("Früher", "wohnt über der Scheune", "fact", "past"),
        ("Antes", "el riego con cubos", "fact", "past"),
        ("从前的做法", "用木箱运球茎", "fact", "past"),
        ("Formerly", "Never water at noon", "constraint", "current"),
        ("Previous decisions", "Bulbs go by boat", "decision", "current"),
        ("旧金山", "每周三送货", "fact", "current"),
        ("Forbidden", "pick flowers of the north bed", "constraint", "current"),
        ("Forbidden", "pack damp bulbs", "constraint", "current"),
        ("切勿", "中午浇水", "constraint", "current"),
        ("Milestones", "2026-02-07: lease of the barn signed", "event", "past"),
        ("Milestones", "2031-02-07: end of the lease", "fact", "future"),
        ("Barn", "The hoist (removed in 2025)", "fact", "past"),
        ("Barn", "Loan of the ladder till 2025", "fact", "past"),
        ("Barn", "Loan of the ladder till 2029", "fact", "current"),
        ("Scheune", "Leiter bestellt am 07.02.2026", "event", "past"),
        ("Scheune", "Leiter am 07.02.2026 geplant", "fact", "future"),
        ("Grange", "2026-02-07 : échelle réparée par Piet", "event", "past"),
        ("Regels", "Why: the frost killed the bulbs of two years", "event", "past"),
        ("Grange", "Ne pas arroser à midi", "constraint", "current"),
        ("Granja", "Si hiela, tapar los bulbos", "constraint", "current"),
        ("Barn", "If the frost comes early, cover the beds", "constraint", "current"),
        ("Barn", "Weigh the bulbs before each sale", "constraint", "current"),
        ("Barn", "Every crate needs a label", "constraint", "current"),
        ("Barn", "Sort and label take an hour", "fact", "current"),
    ],
)
def test_what_is_over_or_forbidden_is_told_by_a_title_a_remark_or_a_date(
    heading: str, line: str, category: str, temporal: str
) -> None:
    text = [f"## {heading}", f"- {line}"]
    (read,) = [each for each in read_page(text).lines if each.words]
    stated = statement_of(read, SUBJECTS, date(2026, 4, 1))
    assert (stated.category, stated.temporal) == (category, temporal)


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("She wrote on 2026-02-14 that she prefers letters", date(2026, 2, 14)),
        ("Correction of 2026-02-14: the barn has two doors", date(2026, 2, 14)),
        ("Decided on 2026-02-14 to keep bees", date(2026, 2, 14)),
        ("Decided to keep bees from the hives of 2026-05-14", None),
        ("Never sow before 2026-05-14", None),
    ],
)
def test_a_day_that_is_over_dates_what_was_said_of_it_though_it_holds_still(line: str, day: date) -> None:
    (read,) = [each for each in read_page([f"- {line}"]).lines if each.words]
    assert statement_of(read, SUBJECTS, date(2026, 4, 1)).start == day


def test_what_waits_to_be_filled_in_or_casts_the_agent_is_no_statement() -> None:
    text = (
        "- Sown: DD/MM/YYYY\n- Avatar: _(a path, a link (http) or a data URI)_\n- ~~The hoist jams~~ fixed\n"
        "\nYou are an expert in bulbs.\n\nÀ faire : tailler les haies\n\nupdated_at: 2026-02-02\n"
    )
    assert _stated(text) == []


def test_the_agent_that_names_itself_is_named_once() -> None:
    (read,) = [each for each in read_page(["- I am Tessel, keeper of the order book"]).lines if each.words]
    assert statement_of(read, SUBJECTS, date(2026, 4, 1)).claim == "Tessel is keeper of the order book"


def test_what_is_struck_out_or_points_to_a_file_is_no_statement() -> None:
    text = "- ~~Pump house~~ — closed\n- ~~Port 80~~ Port 8321\n→ All of it in `memory/people.md`\n"
    assert _stated(text) == ["Port 8321"]


@pytest.mark.parametrize(("known", "called"), [("", "Ines"), ("Mara", "Mara")])
def test_the_owner_is_called_as_the_file_says_while_the_desk_knows_only_the_account(
    engine: Engine, tmp_path: Path, known: str, called: str
) -> None:
    engine.use(replace(engine.settings, person=known))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "USER.md").write_text("# USER.md\n\n- **Name:** Ines (Ines Vroom)\n- Likes short answers\n")
    take(engine, folder)
    assert f"{called} likes short answers" in {row.claim for row in facts(engine, ListFacts()).rows}


_LASTING = (
    ("Decisions", "Seed orders go through the co-operative"),
    ("", "We decided to heat with wood chips"),
    ("", "Decision: oak instead of larch"),
    ("", "Entscheidung: Lärche statt Eiche"),
    ("Lessons Learned", "The float switch sticks below five degrees"),
    ("学到的教训", "水泵低于五度会卡住"),
    ("", "Ines prefers letters to calls"),
    ("", "Never water the bulbs after six"),
    ("", "Only Ines may open the cold store"),
    ("", "Vet phone: 0511 555 0142"),
    ("Pump", "Port: 8321"),
    ("", "The dairy buys six cheeses every week"),
    ("", "The auction needs a second van on 18 May"),
    ("", "Der Notar schließt im August"),
    ("", "La bomba usa gasóleo"),
    ("", "仓库的水泵不支持远程启动"),
    ("", "Piet is allergic to walnuts"),
    ("", "Bulbs need turning after every frost"),
    (
        "Lessons Learned",
        "Lesson: where the pump stops at night, look at the float switch first, then at the fuse box",
    ),
    ("", "REMEMBER: If the float was replaced, the alarm must be set too"),
    ("", "Ines asked Tessel to remember that her sister keeps bees"),
    ("Fixed pumps", "Port: 8321"),
    ("", "Pump station running on port 8321, one operator"),
    ("", "Tide gauge unreachable from the barge"),
    ("Irrigation Design", "North beds, then south beds (gravity only)"),
    ("新水泵 完成", "用途: 给二号库供水"),
    ("", "主仓库：https://bulbs.example/main"),
    ("提案の詳細", "試験期間は費用ゼロ、送料のみ"),
    ("", "The rent of the studio went up to 920 euros"),
    ("", "The tax office moved to Kiel"),
    ("", "每月押金涨到三千元"),
    ("", "Lunas Tierärztin ist Dr. Hoff"),
)
_PASSING = (
    ("", "Checked the pumps, all of them are healthy"),
    ("", "Pushed the catalogue to the printer"),
    ("", "The pump is working again"),
    ("", "Status: three of four done"),
    ("", "Catalogue: waiting for the printer"),
    ("", "08:15 AM: Heartbeat triggered, list is stable"),
    ("", "[05:08] The disk check is green"),
    ("Next Steps", "The catalogue needs a cover"),
    ("明日计划", "优化水泵的启动流程"),
    ("", "检查水泵状态，无异常"),
    ("", "“This is the best harvest I have ever seen”"),
    ("", "It looks good so far"),
    ("", "Score: 14 against 3"),
    ("", "Commit: 29a7fda"),
    ("", "Auth token: [REDACTED]"),
    ("", "The page needs to be printed"),
    ("", "カタログの確認と整理を実施。"),
    ("", "Der Katalog wurde gedruckt"),
    ("", "Decision: print the catalogue tomorrow"),
    ("Session Stats", "Four systems run on the boat"),
    ("", "Asked Ines if they want the cover now or later"),
    ("", "Ines shared a repo: bulbs/catalogue"),
    ("", "This should be treated as a rule for the shop"),
    ("Decisions", "Iteration 2: the cover FAILED the check"),
    ("Decisions", "Next steps: print the catalogue"),
    ("Open Issues", "The order date is required in the form"),
    ("出店決定！", "手順書を共有チャンネルに投稿"),
    ("", "日次レポート: アクセス0"),
    ("", "Coverage went up to 81 percent"),
    ("Completed", "The rent of the studio went up to 920 euros"),
)


@pytest.mark.parametrize(
    ("heading", "line", "believed"),
    [(*each, True) for each in _LASTING] + [(*each, False) for each in _PASSING],
)
def test_a_line_of_a_days_log_is_believed_if_it_stays_true(heading: str, line: str, believed: bool) -> None:
    text = ["# 2026-04-03", f"## {heading or 'Glasshouse'}", f"- {line}"]
    (read,) = [each for each in read_page(text).lines if each.words] or [None]
    assert (read is not None and lasts(read)) == believed


def test_a_line_with_a_password_or_key_is_no_fact_and_says_why() -> None:
    text = "- Portal login: ines / [secret: password VNJAFQL7]\n- The portal closes on Sundays\n"
    page = read_page(text.splitlines())
    assert [(line.words, str(line.why)) for line in page.lines] == [
        ("", "a password or key"),
        ("The portal closes on Sundays", ""),
    ]
