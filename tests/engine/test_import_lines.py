"""Every line of a curated file becomes a fact, with its headings, its day and its kind, or has a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.line_links import ties_of_facts
from memdesk.engine.memory.rows import fact_rows
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.fact import FACT
from memdesk.store import records
from tests.engine.conftest import Clock
from tests.fixtures.folders import HERE, Judged, folder
from tests.fixtures.intake.worlds import look, take

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
