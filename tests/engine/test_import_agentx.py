"""AgentX's envelope comes in with ids, supersession and counts, goes out again, and merging twice changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.model.curation import EditFact, UndoRun
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.strategy import OUTCOME
from memdesk.store import archiving, records
from tests.fixtures.intake.worlds import MARA, changes, events, look, take
from tests.fixtures.interop.rich import furnish, rows, send

SAMPLE = Path(__file__).parent.parent / "fixtures" / "interop" / "agentx.json"


@pytest.fixture
def envelope(tmp_path: Path) -> Path:
    path = tmp_path / "agentx-memory.json"
    path.write_text(SAMPLE.read_text())
    return path


def by_id(engine: Engine) -> dict[str, dict[str, Any]]:
    """Every record but channels, without the moments of its coming."""
    volatile = ("salience_at", "consolidated_at", "patterns_at")
    return {
        row["id"]: {name: value for name, value in row.items() if name not in volatile}
        for kind, found in rows(engine).items()
        if kind != "channel"
        for row in found
    }


def edited(path: Path, edit: Callable[[dict[str, Any]], None]) -> Path:
    value = json.loads(path.read_text())
    edit(value["export"])
    path.write_text(json.dumps(value))
    return path


def test_a_preview_counts_what_comes_in(engine: Engine, envelope: Path) -> None:
    told = look(engine, envelope)
    counts = {
        "conversations": 1,
        "turns": 2,
        "facts": 3,
        "entities": 2,
        "goals": 2,
        "outcomes": 4,
        "tool calls": 1,
    }
    assert told.says == "AgentX export" and told.skipped == ()
    assert {name: told.counts[name] for name in counts} == counts
    assert told.channel == "quay, _global"
    assert changes(engine) == 0
    assert take(engine, envelope)["facts"] == 3


def test_ids_supersession_parents_and_counts_are_kept(engine: Engine, envelope: Path) -> None:
    take(engine, envelope)
    with engine.store.reading() as db:
        facts = {fact.id: fact for fact in records.find(db, FACT)}
        assert facts["fact-1"].superseded_by == "fact-2" and facts["fact-1"].temporal == "past"
        assert (facts["fact-3"].channel, facts["fact-2"].superseded_by) == ("_global", None)
        goals = {goal.id: goal for goal in records.find(db, GOAL)}
        assert (goals["goal-2"].parent_id, goals["goal-2"].result) == ("goal-1", "ordered")
        outcomes = records.find(db, OUTCOME, strategy_id="strat-1")
        assert sorted(each.success for each in outcomes) == [0, 1, 1, 1]
        assert [each.conversation_id for each in outcomes if each.conversation_id] == ["conv-9d1f0c6e"]
        used = {id: use.access_count for id, _, use in archiving.uses(db, None)}
    assert used == {"ent-crane": 3, "fact-1": 1}


def test_merging_twice_changes_nothing(engine: Engine, envelope: Path) -> None:
    take(engine, envelope)
    number = changes(engine)
    assert take(engine, envelope)["known"] > 10
    assert changes(engine) == number


def test_it_goes_out_and_an_empty_desk_becomes_the_same(
    engine: Engine, other: Engine, envelope: Path, tmp_path: Path
) -> None:
    take(engine, envelope)
    send(engine, "agentx", tmp_path / "out.json")
    take(other, tmp_path / "out.json")
    assert by_id(other) == by_id(engine)
    out = json.loads((tmp_path / "out.json").read_text())
    assert out["facts"][0]["flagged_for_review"] is True and out["turns"][0]["reactions"] == 2
    assert out["conversations"][0]["mood"] == "dry"
    assert (out["strategies"][0]["success_count"], out["strategies"][0]["failure_count"]) == (3, 1)


def test_a_desk_of_its_own_goes_out_and_comes_back(engine: Engine, other: Engine, tmp_path: Path) -> None:
    furnish(engine, tmp_path)
    send(engine, "agentx", tmp_path / "out.json", channel="quay")
    take(other, tmp_path / "out.json")
    assert look(engine, tmp_path / "out.json").items == ()
    here = {
        row["claim"]: row["superseded_by"]
        for row in rows(engine)["fact"]
        if row["channel"] == "quay" and row["retired_at"] is None
    }
    assert {row["claim"]: row["superseded_by"] for row in rows(other)["fact"]} == here


def test_one_run_takes_it_back(engine: Engine, envelope: Path) -> None:
    take(engine, envelope)
    last = events(engine)[-1].id
    assert undo_run(engine, UndoRun(change=last), author=MARA, progress=ignore_progress)["left"] == {}
    assert by_id(engine) == {}


def test_what_was_corrected_here_is_told_and_left(engine: Engine, envelope: Path) -> None:
    take(engine, envelope)
    edit_fact(engine, EditFact(fact_id="fact-3", claim="Sam prefers coffee"), author=MARA)
    (left,) = look(engine, envelope).skipped
    assert left.name == "Fact fact-3" and "Sam prefers coffee" in left.why


def test_another_users_copy_is_another_memory(engine: Engine, envelope: Path) -> None:
    take(engine, envelope)
    assert take(engine, envelope, user_id="tom")["facts"] == 3
    assert {row["id"] for row in rows(engine)["fact"]} >= {"fact-1", "tom/fact-1"}


def test_a_fact_whose_successor_is_elsewhere_is_not_current(engine: Engine, envelope: Path) -> None:
    def drop(export: dict[str, Any]) -> None:
        export["facts"] = [fact for fact in export["facts"] if fact["id"] != "fact-2"]

    take(engine, edited(envelope, drop))
    (fact,) = (row for row in rows(engine)["fact"] if row["id"] == "fact-1")
    assert fact["superseded_by"] is None and fact["retired_at"] is not None


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda export: export.update(schema_version=2), "AgentX export of version 2"),
        (lambda export: export["facts"][0].pop("claim"), "facts 1 has no `claim`"),
        (lambda export: export["facts"][1].update(confidence="sure"), "`confidence` is not a number"),
        (lambda export: export.update(goals={"a": 1}), "`goals` is not a list"),
        (lambda export: export["turns"][0].update(timestamp="soon"), "`timestamp` is not a time"),
        (lambda export: export["strategies"][0].update(success_count=10**6), "is more than 10,000"),
    ],
)
def test_what_is_not_of_the_format_is_named_and_nothing_comes_in(
    engine: Engine, envelope: Path, edit: Callable[[dict[str, Any]], None], says: str
) -> None:
    path = edited(envelope, edit)
    for call in (look, take):
        with pytest.raises(Refused, match=says) as refused:
            call(engine, path)
        assert "agentx-memory.json" in refused.value.says
    assert changes(engine) == 0
