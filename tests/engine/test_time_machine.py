"""Facts as of an earlier moment: the differences to now, and the return of chosen ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.memory import curate
from memdesk.engine.memory.goals import add as add_goal
from memdesk.engine.memory.goals import complete
from memdesk.engine.memory.graph_edits import edit_entity
from memdesk.engine.memory.profiles import set_trait
from memdesk.engine.memory.remember import learn_fact, relate, upsert_entity
from memdesk.engine.memory.scope import move
from memdesk.engine.memory.time_machine import differences, put_back
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo, undo_run
from memdesk.model.curation import EditEntity, EditFact, Move, Pin, Restore, Retire, Undo, UndoRun
from memdesk.model.errors import BadAsk
from memdesk.model.goal import CompleteGoal, NewGoal
from memdesk.model.instant import to_datetime
from memdesk.model.profile import SetTrait
from memdesk.model.remember import NewEntity, NewFact, NewRelation
from memdesk.model.timeline import AskPast, MemoryDifference, PutBack
from tests.engine.conftest import Clock
from tests.fixtures.intake.worlds import take

MARA = "person:Mara"


def learn(engine: Engine, claim: str, channel: str = "harbour") -> tuple[str, int]:
    learned = learn_fact(engine, NewFact(claim=claim, channel=channel), author="agent:Forge")
    assert learned.change is not None
    return learned.id, learned.change


def told(rows: tuple[MemoryDifference, ...]) -> dict[str, tuple[str, str]]:
    return {
        row.id: tuple(f"{each.title}, {each.state}" if each else "" for each in (row.then, row.now))  # type: ignore[misc]
        for row in rows
    }


def test_what_is_otherwise_since_a_moment_is_listed_and_what_is_chosen_is_put_back_in_one_run(
    engine: Engine,
) -> None:
    ids = [learn(engine, f"Crane {number} is blue")[0] for number in range(5)]
    learn(engine, "A shed", "yard")
    curate.retire(engine, Retire(id=ids[4]), author=MARA)
    _, first = learn(engine, "The moment")
    curate.edit_fact(engine, EditFact(fact_id=ids[0], claim="Crane 0 is red"), author=MARA)
    curate.retire(engine, Retire(id=ids[1]), author=MARA)
    move(engine, Move(id=ids[2], channel="yard"), author=MARA)
    curate.pin(engine, Pin(id=ids[3]), author=MARA)
    curate.pin(engine, Pin(id=ids[3], pinned=False), author=MARA)
    curate.restore(engine, Restore(id=ids[4]), author=MARA)
    new, _ = learn(engine, "The ferry is white")
    found = differences(engine, AskPast(before=first + 1))
    assert told(found.rows) == {
        new: ("", "The ferry is white, current"),
        ids[4]: ("Crane 4 is blue, retired", "Crane 4 is blue, current"),
        ids[2]: ("Crane 2 is blue, current", "Crane 2 is blue, current"),
        ids[1]: ("Crane 1 is blue, current", "Crane 1 is blue, retired"),
        ids[0]: ("Crane 0 is blue, current", "Crane 0 is red, current"),
    }
    assert found.total == 5 and not found.is_cut
    assert {row.id for row in differences(engine, AskPast(before=first + 1, text="ferry")).rows} == {new}
    assert {row.id for row in differences(engine, AskPast(before=first + 1, channels=("yard",))).rows} == {
        ids[2]
    }
    before = told(found.rows)
    done = put_back(engine, PutBack(ids=(*ids, new), before=first + 1), author=MARA)
    assert done.changed == 5 and set(done.left) == {ids[3]}
    assert told(differences(engine, AskPast(before=first + 1)).rows) == {
        new: ("", "The ferry is white, retired")
    }
    again = put_back(engine, PutBack(ids=(new,), before=first + 1), author=MARA)
    assert again.changed == 0 and set(again.left) == {new}
    assert done.change is not None
    undo_run(engine, UndoRun(change=done.change), author=MARA, progress=ignore_progress)
    assert told(differences(engine, AskPast(before=first + 1)).rows) == before


def test_a_moment_is_a_time_or_a_change_and_has_to_be_said(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(engine, "Before")
    now = to_datetime(engine.clock())
    assert not differences(engine, AskPast(at=now)).rows
    assert len(differences(engine, AskPast(before=0)).rows) == 1
    learn(engine, "After")
    monkeypatch.setattr("memdesk.engine.memory.time_machine.EDITS_READ", 1)
    assert differences(engine, AskPast(before=0)).is_cut
    for wrong in (AskPast(), AskPast(before=1, limit=0)):
        with pytest.raises(BadAsk):
            differences(engine, wrong)


def test_two_moments_are_compared_with_each_other(engine: Engine, clock: Clock) -> None:
    (crane, _), (shed, _) = learn(engine, "The crane is blue"), learn(engine, "The shed is open")
    first = to_datetime(clock())
    curate.edit_fact(engine, EditFact(fact_id=crane, claim="The crane is red"), author=MARA)
    ferry, _ = learn(engine, "The ferry is white")
    second = to_datetime(clock())
    curate.edit_fact(engine, EditFact(fact_id=crane, claim="The crane is green"), author=MARA)
    curate.retire(engine, Retire(id=shed), author=MARA)
    learn(engine, "The tug is new")
    assert told(differences(engine, AskPast(at=first, until=second)).rows) == {
        ferry: ("", "The ferry is white, current"),
        crane: ("The crane is blue, current", "The crane is red, current"),
    }
    assert len(differences(engine, AskPast(at=first)).rows) == 4
    with pytest.raises(BadAsk, match="Exchange"):
        differences(engine, AskPast(at=second, until=first))


def test_entities_goals_and_strategies_are_compared_and_put_back_too(engine: Engine) -> None:
    pier = upsert_entity(engine, NewEntity(name="Pier", channel="harbour"), author=MARA).id
    plan = add_goal(engine, NewGoal(description="Paint the pier", channel="harbour"), author=MARA)
    assert plan.change is not None
    before = plan.change + 1
    edit_entity(engine, EditEntity(entity_id=pier, name="Quay", description="Where boats lie"), author=MARA)
    complete(engine, CompleteGoal(goal_id=plan.id, result="It is blue"), author=MARA)
    late = upsert_entity(engine, NewEntity(name="Crane", channel="harbour"), author=MARA).id
    assert told(differences(engine, AskPast(before=before, kind="entity")).rows) == {
        late: ("", "Crane, current"),
        pier: ("Pier, current", "Quay, current"),
    }
    (goal,) = differences(engine, AskPast(before=before, kind="goal")).rows
    assert told((goal,)) == {plan.id: ("Paint the pier, active", "Paint the pier, completed")}
    assert goal.now is not None and goal.now.more == "It is blue"
    for kind, ids in (("entity", (pier, late)), ("goal", (plan.id,))):
        done = put_back(engine, PutBack(ids=ids, before=before, kind=kind), author=MARA)
        assert done.changed == len(ids) and not done.left
    assert told(differences(engine, AskPast(before=before, kind="entity")).rows) == {
        late: ("", "Crane, retired")
    }
    assert not differences(engine, AskPast(before=before, kind="goal")).rows
    assert done.change is not None
    undo_run(engine, UndoRun(change=done.change), author=MARA, progress=ignore_progress)
    assert told(differences(engine, AskPast(before=before, kind="goal")).rows) == told((goal,))
    for wrong in (AskPast(before=1, kind="turn"), AskPast(before=1, kind="")):
        with pytest.raises(BadAsk, match="entity"):
            differences(engine, wrong)


def test_a_fact_that_is_gone_is_listed_as_it_was_and_left_with_the_reason(engine: Engine) -> None:
    id, change = learn(engine, "The ferry is white")
    gone = undo(engine, Undo(change=change), author=MARA)
    asked = AskPast(before=gone.change)
    assert told(differences(engine, asked).rows) == {id: ("The ferry is white, current", "")}
    done = put_back(engine, PutBack(ids=(id,), before=gone.change), author=MARA)
    assert done.changed == 0 and "undo the change" in done.left[id]


def test_the_profile_and_the_links_of_an_entity_are_compared_and_put_back(engine: Engine) -> None:
    set_trait(engine, SetTrait(aspect="preferences", name="tea", value="green"), author=MARA)
    ends = [upsert_entity(engine, NewEntity(name=name), author=MARA).id for name in ("Mara", "Quay")]
    link = relate(engine, NewRelation(source=ends[0], target=ends[1], type="WORKS_FOR"), author=MARA).id
    _, moment = learn(engine, "The moment")
    set_trait(engine, SetTrait(aspect="preferences", name="tea", value="black"), author=MARA)
    set_trait(engine, SetTrait(aspect="expertise", name="cranes", value="some"), author=MARA)
    curate.retire(engine, Retire(id=link), author=MARA)

    def found(kind: str) -> dict[str, MemoryDifference]:
        return {
            (row.now or row.then).title: row  # type: ignore[union-attr]
            for row in differences(engine, AskPast(before=moment + 1, kind=kind)).rows
        }

    traits = found("trait")
    assert set(traits) == {"tea", "cranes"} and traits["cranes"].then is None
    assert traits["tea"].then and traits["tea"].now
    assert "green" in traits["tea"].then.more and "black" in traits["tea"].now.more
    (linked,) = found("relation").values()
    assert str(linked.then) == "current: Mara works for Quay" and str(linked.now).startswith("retired")
    for kind, rows in (("trait", traits.values()), ("relation", [linked])):
        ask = PutBack(ids=tuple(row.id for row in rows), before=moment + 1, kind=kind)
        done = put_back(engine, ask, author=MARA)
        assert (done.changed, done.left) == (len(ask.ids), {})
        assert all(row.now is None or row.now.state == "retired" for row in found(kind).values())
        assert done.run is not None
        undo_run(engine, UndoRun(run=done.run), author=MARA, progress=ignore_progress)
    assert set(found("trait")) == {"tea", "cranes"}


def test_a_file_is_compared_by_the_lines_that_one_moment_has_alone(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "MEMORY.md"
    file.write_text("# MEMORY\n\n- The pool size is 25\n- The crane is blue\n")
    take(engine, folder)
    _, moment = learn(engine, "The moment")
    file.write_text("# MEMORY\n\n- The pool size is 40\n- The crane is blue\n")
    take(engine, folder)
    (row,) = differences(engine, AskPast(before=moment + 1, kind="document")).rows
    assert row.then and row.now and row.then.title == "folder / MEMORY.md"
    assert (row.then.more, row.now.more) == ("- The pool size is 25", "- The pool size is 40")
    left = put_back(engine, PutBack(ids=(row.id,), before=moment + 1, kind="document"), author=MARA).left
    assert "versions" in left[row.id]


def test_files_of_one_name_are_told_apart_by_their_agent_which_the_filter_finds(
    engine: Engine, tmp_path: Path
) -> None:
    _, moment = learn(engine, "The moment")
    for agent in ("Iris", "Forge"):
        file = tmp_path / agent / "MEMORY.md"
        file.parent.mkdir()
        file.write_text("# MEMORY\n\n- The crane is blue\n")
        take(engine, file.parent, agent_id=agent)
    asked = AskPast(before=moment + 1, kind="document")
    titles = {row.now.title for row in differences(engine, asked).rows if row.now}
    assert titles == {"Iris / MEMORY.md", "Forge / MEMORY.md"}
    (row,) = differences(engine, replace(asked, text="iris")).rows
    assert row.now and row.now.title == "Iris / MEMORY.md"
