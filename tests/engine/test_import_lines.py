"""Every line of a curated file becomes a fact, with its headings, its day and its kind, or has a reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import RECORDS, ItemPreview, lines_of
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.line_links import ties_of_facts
from memdesk.engine.memory.review_queue import propose
from memdesk.engine.memory.rows import fact_rows
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.engine.workspace.layouts import budget_of
from memdesk.engine.workspace.outside_edits import compare_folders
from memdesk.model.change import Change
from memdesk.model.curation import EditFact, Retire, UndoRun
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.interop import ImportItem, ImportPreview
from memdesk.model.message import message
from memdesk.model.review import Decide, Propose
from memdesk.store import records
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock
from tests.fixtures.folders import HERE, Judged, folder
from tests.fixtures.intake.worlds import MARA, contents, events, look, take

FOLDERS = sorted(path.stem for path in HERE.glob("*.txt"))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_read_as_a_careful_person_reads_it(
    engine: Engine, clock: Clock, tmp_path: Path, name: str
) -> None:
    clock.pass_days(520)
    system, judged = folder(name, tmp_path / name)
    told = look(engine, tmp_path / name)
    assert system in told.says
    accounted = {(each.file, row.number): row for each in told.coverage for row in each.rows}
    take(engine, tmp_path / name)
    found = _facts(engine, tmp_path / name)
    assert len(found) == told.counts["facts"]
    wrong = [complaint for each in judged for complaint in _complaints(each, accounted, found)]
    assert wrong == []


def _complaints(each: Judged, accounted: dict, found: dict) -> list[str]:
    row, fact = accounted.get((each.file, each.number)), found.get((each.file, each.number))
    if not each.text.strip() or (row is None and not each.categories):
        return []
    if row is None or row.fact != bool(each.categories) or row.fact != (fact is not None):
        return [f"{each.text}: {'no account' if row is None else row.why or 'a fact'}"]
    if fact is None:
        return [] if row.why else [f"{each.text}: no reason"]
    wrong = []
    if fact.category not in each.categories:
        wrong.append(f"{each.text}: {fact.category}")
    if (fact.temporal == "past") != each.past:
        wrong.append(f"{each.text}: {fact.temporal}")
    day = "" if fact.valid_from is None else f"{fact.valid_from:%Y-%m-%d}"
    if each.day and day != each.day:
        wrong.append(f"{each.text}: of {day}")
    return wrong


def _facts(engine: Engine, root: Path) -> dict:
    """Return the rows of all facts by the file and the number of the line they were read from."""
    with engine.store.reading() as db:
        rows = {row.id: row for row in fact_rows(engine, db, records.find(db, FACT))}
        homes = {each.id: Path(each.path) for each in records.find(db, WORKSPACE)}
        paths = {
            each.id: (homes[each.workspace_id] / each.path).relative_to(root).as_posix()
            for each in records.find(db, DOCUMENT)
        }
        return {
            (paths[tie.relation.target_id], tie.spot.number): rows[tie.fact.id]
            for tie in ties_of_facts(db, list(rows))
        }


LINES = """# Memory
## Harbour (2026-02-11)
- The north quay has nine berths
- Berths: TBD
| Ship | Berth |
|---|---|
| Alma | 4 |
- [ ] paint the bollards
- The north quay has nine berths
"""


def memory(at: Path, text: str = LINES) -> Path:
    """Write a workspace with this memory."""
    at.mkdir()
    (at / "IDENTITY.md").write_text("# Identity\n- Name: Runa\n")
    (at / "MEMORY.md").write_text(text)
    return at


def rows_of(told: ImportPreview, file: str) -> dict[int, tuple[bool, str]]:
    (found,) = (each for each in told.coverage if each.file == file)
    return {row.number: (row.fact, row.why) for row in found.rows}


def test_the_preview_accounts_for_each_line(engine: Engine, tmp_path: Path) -> None:
    told = look(engine, memory(tmp_path / "ws"))
    assert rows_of(told, "MEMORY.md") == {
        1: (False, "heading"),
        2: (False, "heading"),
        3: (True, ""),
        4: (False, "template"),
        5: (False, "table head"),
        6: (False, "table rule"),
        7: (True, ""),
        8: (False, "open task"),
        9: (False, "said in a line above"),
    }
    (found,) = (each for each in told.coverage if each.file == "MEMORY.md")
    assert (found.lines, found.facts, found.others["heading"]) == (9, 2, 2)


def test_a_person_takes_a_line_in_or_leaves_it_out(engine: Engine, tmp_path: Path) -> None:
    chosen = {"take": ("MEMORY.md:8",), "leave": ("MEMORY.md:3",)}
    told = look(engine, memory(tmp_path / "ws"), **chosen)
    assert rows_of(told, "MEMORY.md")[8] == (True, "")
    assert rows_of(told, "MEMORY.md")[3] == (False, "left out by you")
    take(engine, tmp_path / "ws", **chosen)
    with engine.store.reading() as db:
        claims = {fact.claim for fact in records.find(db, FACT)}
    assert claims == {"Name: Runa", "Alma: 4", "paint the bollards"}
    with pytest.raises(BadAsk, match="names no line"):
        look(engine, tmp_path / "ws", take=("MEMORY.md",))


def test_a_fact_has_the_headings_above_its_line_and_their_day(
    engine: Engine, clock: Clock, tmp_path: Path
) -> None:
    clock.pass_days(520)
    take(engine, memory(tmp_path / "ws"))
    fact = _facts(engine, tmp_path / "ws")["MEMORY.md", 3]
    assert fact.context == ("Memory", "Harbour (2026-02-11)")
    assert f"{fact.valid_from:%Y-%m-%d}" == f"{fact.created_at:%Y-%m-%d}" == "2026-02-11"


def test_what_is_dated_long_ago_is_not_as_strong_as_what_is_new(
    engine: Engine, clock: Clock, tmp_path: Path
) -> None:
    clock.pass_days(520)
    take(engine, memory(tmp_path / "ws", "- The crane is red\n### 2026-02-11\n- The quay is long and old\n"))
    found = _facts(engine, tmp_path / "ws")
    assert 0.4 < found["MEMORY.md", 3].salience / found["MEMORY.md", 1].salience < 0.9


def test_sixty_days_are_a_past_of_sixty_days_and_are_taken_back_together(
    engine: Engine, clock: Clock, tmp_path: Path
) -> None:
    clock.pass_days(520)
    folder = memory(
        tmp_path / "ws", "# Memory\n" + "".join(f"- Locker {n} belongs to Ina Wolff\n" for n in range(450))
    )
    (folder / "memory").mkdir()
    for n in range(60):
        day = f"2026-{3 + n // 30:02}-{n % 30 + 1:02}"
        (folder / "memory" / f"{day}.md").write_text(f"# {day}\n- Decided to keep ledger {n} for ten years\n")
    before = contents(engine)
    told = look(engine, folder)
    counts = take(engine, folder)
    assert counts["facts"] == told.counts["facts"] == 511
    days = {f"{each.created_at:%Y-%m-%d}" for each in _facts(engine, folder).values()}
    assert len(days) == 61
    undo_run(engine, UndoRun(run=str(events(engine)[-1].run)), author=MARA, progress=ignore_progress)
    assert contents(engine) == before


def test_an_empty_memory_is_recognised_and_registered(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "pilot" / ".agnx" / "memory").mkdir(parents=True)
    told = look(engine, tmp_path / "pilot")
    assert told.says == "Markdown as agnx keeps it"
    assert [place.layout for place in told.places] == ["agnx"]
    assert take(engine, tmp_path / "pilot")["workspaces"] == 1
    assert take(engine, tmp_path / "pilot")["known"] == 1


def test_a_line_that_is_edited_on_the_desk_keeps_its_marks(engine: Engine, tmp_path: Path) -> None:
    folder = memory(tmp_path / "ws", "| Ship | Berth |\n|---|---|\n| **Alma** | 4 |\n- The *north* quay\n")
    take(engine, folder)
    found = _facts(engine, folder)
    edit_fact(engine, EditFact(fact_id=found["MEMORY.md", 3].id, claim="Alma: 5"), author=MARA)
    edit_fact(engine, EditFact(fact_id=found["MEMORY.md", 4].id, claim="The north pier"), author=MARA)
    assert (folder / "MEMORY.md").read_text().splitlines()[2:] == ["| **Alma** | 5 |", "- The *north* pier"]


@pytest.mark.parametrize(
    ("path", "layout", "budget"),
    [
        ("MEMORY.md", "Hermes", 2_200),
        ("USER.md", "Hermes", 1_375),
        ("SOUL.md", "OpenClaw", 20_000),
        ("SOUL.md", "AgenticX", None),
        ("MEMORY.md", "AgenticX", 4_000),
        ("projectbrief.md", "Cline", None),
        ("SOUL.md", "workspace", 2_000),
    ],
)
def test_a_budget_is_that_of_the_files_own_system(path: str, layout: str, budget: int | None) -> None:
    assert budget_of(path, layout) == budget


WRAPPED = """# Memory
- The harbour office closes at five on weekdays and it opens again
  on Saturdays for the sailing school
- The crane is red
"""


def test_a_statement_over_two_lines_is_one_fact_that_follows_both(engine: Engine, tmp_path: Path) -> None:
    folder = memory(tmp_path / "ws", WRAPPED)
    take(engine, folder)
    fact = _facts(engine, folder)["MEMORY.md", 2]
    assert fact.claim.endswith("opens again on Saturdays for the sailing school")
    (folder / "MEMORY.md").write_text(WRAPPED.replace("Saturdays", "Sundays"))
    compare_folders(engine, [folder])
    with engine.store.reading() as db:
        facts = {each.claim: each for each in records.find(db, FACT)}
    now = next(each for claim, each in facts.items() if "Sundays" in claim)
    assert facts[fact.claim].superseded_by == now.id
    edit_fact(engine, EditFact(fact_id=now.id, claim="The harbour office is open all week"), author=MARA)
    assert (folder / "MEMORY.md").read_text() == (
        "# Memory\n- The harbour office is open all week\n- The crane is red\n"
    )


def test_a_statement_over_two_lines_leaves_the_file_with_both(engine: Engine, tmp_path: Path) -> None:
    folder = memory(tmp_path / "ws", WRAPPED)
    take(engine, folder)
    fact = _facts(engine, folder)["MEMORY.md", 2]
    retire(engine, Retire(id=fact.id), author=MARA)
    assert (folder / "MEMORY.md").read_text() == "# Memory\n- The crane is red\n"


def test_a_preview_counts_one_record_in_the_singular() -> None:
    counts = Counter(channels=1, entities=1, goals=2)
    (line,) = lines_of([ItemPreview(item=ImportItem(name="desk.zip", what=RECORDS), counts=counts)])
    assert line.what == "1 channel, 1 entity, 2 goals"


DAY = """# 2026-02-11
- Runa prefers slack water for the barge
- Checked the pumps, all of them are healthy
- Sealed the north hatch
- The barge carries gravel every Monday
- Painted the rudder blue
## Rudder of the old tender
"""


def as_before_the_rules(engine: Engine, claims: dict[str, str]) -> None:
    """Leave facts as older rules read their lines: with these claims, and no mark of a person's choice."""

    def verb(db: Connection) -> tuple[Change, None]:
        facts = [each for each in records.find(db, FACT) if each.claim in claims]
        edits = [records.update_edit(FACT, each, claim=claims[each.claim]) for each in facts]
        ties = ties_of_facts(db, [each.id for each in facts])
        edits += [each.at(replace(each.spot, chosen=False)) for each in ties]
        return Change(
            op="update", title=message("As before"), author="job:consolidate", edits=tuple(edits)
        ), None

    engine.store.decide(verb)


def claims_now(engine: Engine) -> set[str]:
    with engine.store.reading() as db:
        return {each.claim for each in records.find(db, FACT, retired_at=None, superseded_by=None)}


def test_files_are_read_again_once_after_the_rules_changed_and_what_a_person_decided_stays(
    engine: Engine, clock: Clock, tmp_path: Path
) -> None:
    (memory(tmp_path / "ws") / "memory").mkdir()
    (tmp_path / "ws/memory/2026-02-11.md").write_text(DAY)
    take(engine, tmp_path / "ws", take=tuple(f"memory/2026-02-11.md:{number}" for number in (3, 4, 6, 7)))
    painted, heading = "Painted the rudder blue", "Rudder of the old tender"
    checked, sealed = "Checked the pumps, all of them are healthy", "Sealed the north hatch"
    gravel, slack = "The barge carries gravel every Monday", "Runa prefers slack water for the barge"
    right = claims_now(engine)
    assert {checked, sealed, gravel, slack, painted, heading} <= right
    unmarked = {checked: checked, gravel: "Barge: gravel", painted: painted, heading: heading}
    as_before_the_rules(engine, unmarked)
    with engine.store.reading() as db:
        (asked,) = records.find(db, FACT, claim=painted)
    question = propose(
        engine, Propose(type="promotion", fact_id=asked.id, reason="Of use"), author="agent:iris"
    )
    decide(engine, Decide(id=question.id, decision="dismiss"), author=MARA)
    with engine.store.reading() as db:
        (told,) = records.find(db, FACT, claim=slack)
    edit_fact(engine, EditFact(fact_id=told.id, claim="Runa prefers the ebb for the barge"), author=MARA)
    before = claims_now(engine)

    plan = perform(engine, BY_NAME["reread"], author="clock", dry=True)
    assert (plan["facts"], claims_now(engine)) == (2, before)
    done = perform(engine, BY_NAME["reread"], author="clock")
    assert claims_now(engine) == right - {checked, slack} | {"Runa prefers the ebb for the barge"}
    assert perform(engine, BY_NAME["reread"], author="clock")["facts"] == 0
    clock.pass_days(400)
    assert perform(engine, BY_NAME["cleanup"], author="clock")["deleted"] == 0
    undo_run(engine, UndoRun(run=done["run"]), author=MARA, progress=ignore_progress)
    assert claims_now(engine) == before
