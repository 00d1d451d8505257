"""Goals: what is to be reached, in what order it matters, what waits for what, and what became of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing import history
from memdesk.engine.browsing.details import get_goal, list_goals
from memdesk.engine.engine import Engine
from memdesk.engine.memory import goals
from memdesk.engine.memory.curate import restore, retire
from memdesk.engine.memory.goals import block, unblock
from memdesk.engine.memory.remember import store_turn
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.curation import Restore, Retire, Undo
from memdesk.model.errors import BadAsk, Conflict, MemDeskError, NotFound
from memdesk.model.goal import (
    AskGoal,
    BlockGoal,
    CompleteGoal,
    GoalChanged,
    GoalView,
    ListGoals,
    NewGoal,
    ReopenGoal,
    UpdateGoal,
)
from memdesk.model.history import AskHistory
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import KINDS
from memdesk.model.remember import NewTurn
from memdesk.store.goals import active
from tests.effort import examples
from tests.engine.conftest import Clock

IRIS = "agent:Iris"
MARA = "person:Mara"


def add(engine: Engine, description: str = "Find a flat", **more: Any) -> str:
    return goals.add(engine, NewGoal(description=description, **more), author=IRIS).id


def end(engine: Engine, goal_id: str, **more: Any) -> GoalChanged:
    return goals.complete(engine, CompleteGoal(goal_id=goal_id, **more), author=IRIS)


def wait(engine: Engine, goal_id: str, blocker_id: str) -> GoalChanged:
    return block(engine, BlockGoal(goal_id=goal_id, blocker_id=blocker_id), author=IRIS)


def seen(engine: Engine, goal_id: str) -> GoalView:
    return get_goal(engine, AskGoal(goal_id=goal_id))


def status(engine: Engine, goal_id: str) -> str:
    return seen(engine, goal_id).goal.status


def names(engine: Engine, **ask: Any) -> list[str]:
    return [row.description for row in list_goals(engine, ListGoals(**ask)).rows]


def test_active_goals_come_by_priority_then_by_deadline(engine: Engine, clock: Clock) -> None:
    now = to_datetime(clock())
    add(engine, "someday", priority=1)
    add(engine, "soon", deadline=now + timedelta(days=9))
    add(engine, "sooner", deadline=now + timedelta(days=1))
    add(engine, "first", priority=5)
    assert names(engine) == ["first", "sooner", "soon", "someday"]
    with engine.store.reading() as db:
        found = active(db, "local", ("_global",), limit=2)
    assert [goal.description for goal in found] == ["first", "sooner"]


def test_active_goals_are_read_of_the_user_and_the_channels_asked_for(engine: Engine) -> None:
    add(engine, "here", channel="lisbon")
    add(engine, "everywhere")
    add(engine, "elsewhere", channel="homelab")
    add(engine, "another's", user_id="jun")
    with engine.store.reading() as db:
        found = active(db, "local", ("lisbon", "_global"))
    assert {goal.description for goal in found} == {"here", "everywhere"}


def test_a_list_is_filtered_by_status_channel_conversation_and_deadline(engine: Engine, clock: Clock) -> None:
    store_turn(engine, NewTurn(content="We need a flat", conversation_id="c"), author=IRIS)
    now = to_datetime(clock())
    add(engine, "said", conversation_id="c")
    due = add(engine, "due", channel="lisbon", deadline=now + timedelta(days=1))
    end(engine, due, channel="lisbon", status="abandoned")
    assert names(engine, conversation_id="c") == ["said"]
    assert names(engine, statuses=("abandoned", "completed")) == ["due"]
    assert names(engine, statuses=(), channels=("lisbon",)) == ["due"]
    assert names(engine, statuses=(), due_before=now + timedelta(days=2)) == ["due"]
    assert list_goals(engine, ListGoals(statuses=(), first=1, limit=1)).total == 2


def test_a_deadline_that_passed_is_shown_and_changes_nothing(engine: Engine, clock: Clock) -> None:
    id = add(engine, deadline=to_datetime(clock()) + timedelta(days=1))
    assert not seen(engine, id).goal.overdue
    clock.pass_days(2)
    assert seen(engine, id).goal.overdue and status(engine, id) == "active"
    end(engine, id)
    assert not seen(engine, id).goal.overdue


def test_completing_sets_when_and_with_what_result(engine: Engine, clock: Clock) -> None:
    id = add(engine)
    done = end(engine, id, result="Rua das Flores 12")
    goal = seen(engine, id).goal
    assert (done.status, goal.status, goal.result) == ("completed", "completed", "Rua das Flores 12")
    assert goal.completed_at is not None and goal.completed_at > goal.created_at
    again = end(engine, id, result="Rua das Flores 12")
    assert again.repeated and again.change is None


def test_a_goal_blocked_by_a_reason_has_not_ended(engine: Engine) -> None:
    id = add(engine)
    end(engine, id, status="blocked", result="waiting for the visa")
    goal = seen(engine, id).goal
    assert (goal.status, goal.result, goal.completed_at) == ("blocked", "waiting for the visa", None)


def test_only_its_user_completes_a_goal_and_in_no_other_channel_than_its_own(engine: Engine) -> None:
    id = add(engine, channel="lisbon")
    for stranger in ({"channel": "homelab"}, {"user_id": "jun"}, {"channel": "lisbon", "user_id": "jun"}):
        with pytest.raises(NotFound):
            end(engine, id, **stranger)
    with pytest.raises(NotFound):
        get_goal(engine, AskGoal(goal_id=id, user_id="jun"))
    assert end(engine, id, channel=" lisbon ").status == "completed"
    assert end(engine, add(engine, channel="lisbon")).status == "completed"


def test_a_completed_parent_leaves_its_open_parts_open_and_names_them(engine: Engine) -> None:
    parent = add(engine, "Move")
    open_part, done_part = (add(engine, name, parent_id=parent) for name in ("Pack", "Rent a van"))
    deep = add(engine, "Buy boxes", parent_id=open_part)
    end(engine, done_part)
    ended = end(engine, parent)
    assert {ref.id for ref in ended.still_open} == {open_part, deep}
    assert (status(engine, open_part), status(engine, deep)) == ("active", "active")
    assert {ref.id for ref in seen(engine, parent).subgoals} == {open_part, done_part}
    assert seen(engine, open_part).parent is not None


def test_parts_may_end_with_their_goal_and_undo_opens_them_all(engine: Engine) -> None:
    parent = add(engine, "Move")
    part = add(engine, "Pack", parent_id=parent)
    deep = add(engine, "Buy boxes", parent_id=part)
    ended = end(engine, parent, status="abandoned", with_subgoals=True)
    assert ended.still_open == ()
    assert {status(engine, id) for id in (parent, part, deep)} == {"abandoned"}
    undo(engine, Undo(change=ended.change), author=MARA)
    assert {status(engine, id) for id in (parent, part, deep)} == {"active"}


def test_a_goal_waits_for_its_blockers_and_is_active_when_the_last_has_ended(engine: Engine) -> None:
    visa, money = add(engine, "Get the visa"), add(engine, "Save money")
    move = add(engine, "Move", blocked_by=(visa,))
    assert wait(engine, move, money).status == "blocked"
    assert wait(engine, move, money).repeated
    assert end(engine, visa).freed == ()
    freed = end(engine, money, status="abandoned").freed
    assert [ref.id for ref in freed] == [move] and status(engine, move) == "active"
    view = seen(engine, move)
    assert {ref.id for ref in view.waits_for} == {visa, money}
    assert [ref.id for ref in seen(engine, visa).holds_up] == [move]


def test_a_reason_of_its_own_keeps_a_goal_blocked_when_its_blockers_end(engine: Engine) -> None:
    visa = add(engine, "Get the visa")
    move = add(engine, "Move", blocked_by=(visa,))
    end(engine, move, status="blocked", result="no van before May")
    assert end(engine, visa).freed == ()
    assert status(engine, move) == "blocked"
    assert goals.reopen(engine, ReopenGoal(goal_id=move), author=IRIS).status == "active"


def test_reopening_a_blocker_blocks_what_waits_for_it_again(engine: Engine) -> None:
    visa = add(engine, "Get the visa")
    move = add(engine, "Move", blocked_by=(visa,))
    end(engine, visa, result="granted")
    goals.reopen(engine, ReopenGoal(goal_id=visa), author=IRIS)
    goal = seen(engine, visa).goal
    assert (goal.status, goal.result, goal.completed_at) == ("active", "", None)
    assert status(engine, move) == "blocked"


def test_unblocking_makes_active_and_blocking_anew_blocks_again(engine: Engine) -> None:
    visa, move = add(engine, "Get the visa"), add(engine, "Move")
    wait(engine, move, visa)
    ask = BlockGoal(goal_id=move, blocker_id=visa)
    assert unblock(engine, ask, author=IRIS).status == "active"
    assert (
        history.page(engine, AskHistory(limit=1)).rows[0].title == "“Move” waits no longer for “Get the visa”"
    )
    assert unblock(engine, ask, author=IRIS).repeated
    assert wait(engine, move, visa).status == "blocked"
    assert len(seen(engine, move).waits_for) == 1


def test_a_goal_whose_blocker_was_retired_can_be_freed(engine: Engine) -> None:
    visa, move = add(engine, "Get the visa"), add(engine, "Move")
    wait(engine, move, visa)
    retire(engine, Retire(id=visa), author=MARA)
    assert seen(engine, move).waits_for == ()
    assert unblock(engine, BlockGoal(goal_id=move, blocker_id=visa), author=IRIS).status == "active"


def test_goals_never_wait_in_a_circle(engine: Engine) -> None:
    first, second, third = (add(engine, name) for name in ("one", "two", "three"))
    wait(engine, first, second)
    wait(engine, second, third)
    with pytest.raises(Conflict, match="waits for this goal"):
        wait(engine, third, first)
    with pytest.raises(BadAsk):
        wait(engine, first, first)


def test_a_goal_is_never_a_part_of_itself(engine: Engine) -> None:
    top = add(engine, "Move")
    part = add(engine, "Pack", parent_id=top)
    deep = add(engine, "Buy boxes", parent_id=part)
    for parent in (deep, top):
        with pytest.raises(Conflict, match="part of itself"):
            goals.update(engine, UpdateGoal(goal_id=top, parent_id=parent), author=IRIS)
    goals.update(engine, UpdateGoal(goal_id=deep, no_parent=True), author=IRIS)
    goals.update(engine, UpdateGoal(goal_id=top, parent_id=deep), author=IRIS)
    assert [ref.id for ref in seen(engine, deep).subgoals] == [top]


def test_goals_that_an_undo_brought_into_a_circle_can_still_be_read_and_ended(engine: Engine) -> None:
    one, two = add(engine, "one"), add(engine, "two")
    goals.update(engine, UpdateGoal(goal_id=one, parent_id=two), author=IRIS)
    freed = goals.update(engine, UpdateGoal(goal_id=one, no_parent=True), author=IRIS)
    goals.update(engine, UpdateGoal(goal_id=two, parent_id=one), author=IRIS)
    undo(engine, Undo(change=freed.change), author=MARA)
    assert [ref.id for ref in seen(engine, one).subgoals] == [two]
    assert end(engine, one, with_subgoals=True).change is not None
    assert status(engine, two) == "completed"


def test_what_a_goal_says_can_be_changed_and_the_rest_stays(engine: Engine, clock: Clock) -> None:
    due = to_datetime(clock()) + timedelta(days=3)
    id = add(engine, "Find a flat", priority=2, deadline=due)
    changed = goals.update(
        engine, UpdateGoal(goal_id=id, priority=5, description=" Find  a house "), author=IRIS
    )
    goal = seen(engine, id).goal
    assert (goal.description, goal.priority, goal.deadline) == ("Find a house", 5, due)
    assert goals.update(engine, UpdateGoal(goal_id=id, priority=5), author=IRIS).repeated
    goals.update(engine, UpdateGoal(goal_id=id, no_deadline=True), author=IRIS)
    assert seen(engine, id).goal.deadline is None
    with pytest.raises(Conflict):
        undo(engine, Undo(change=add_change(engine, id)), author=MARA)
    undo(engine, Undo(change=changed.change), author=MARA)
    assert seen(engine, id).goal.description == "Find a flat"


def add_change(engine: Engine, id: str) -> int:
    with engine.store.reading() as db:
        return int(db.value("SELECT min(change) FROM edits WHERE record = ?", (id,)))


@pytest.mark.parametrize(
    "bad",
    [
        {"description": " "},
        {"description": "x" * 3000},
        {"priority": 0},
        {"priority": 6},
        {"blocked_by": ("x",) * 99},
    ],
)
def test_a_goal_out_of_range_is_refused(engine: Engine, bad: dict[str, Any]) -> None:
    with pytest.raises(BadAsk):
        add(engine, **{"description": "fine", **bad})


@pytest.mark.parametrize(
    "strange", [{"parent_id": "g_0"}, {"conversation_id": "c_0"}, {"blocked_by": ("g_0",)}]
)
def test_a_goal_that_hangs_on_nothing_known_is_refused(engine: Engine, strange: dict[str, Any]) -> None:
    with pytest.raises(NotFound):
        add(engine, **strange)


def test_another_users_goal_is_no_parent_and_no_blocker(engine: Engine) -> None:
    theirs = add(engine, user_id="jun")
    for way in ({"parent_id": theirs}, {"blocked_by": (theirs,)}):
        with pytest.raises(NotFound):
            add(engine, **way)


@pytest.mark.parametrize("ask", [{"status": "active"}, {"status": "done"}, {"result": "x" * 20_000}])
def test_an_end_that_is_none_is_refused(engine: Engine, ask: dict[str, Any]) -> None:
    id = add(engine)
    with pytest.raises(BadAsk):
        end(engine, id, **ask)


def test_the_callers_own_id_makes_a_retry_harmless(engine: Engine) -> None:
    ask = NewGoal(description="Find a flat", goal_id="plan-7")
    assert not goals.add(engine, ask, author=IRIS).repeated
    assert goals.add(engine, ask, author=IRIS).repeated
    with pytest.raises(Conflict):
        add(engine, "Something else", goal_id="plan-7")


def test_a_call_repeated_under_its_key_does_nothing_more_whatever_happened_since(engine: Engine) -> None:
    new = NewGoal(description="Find a flat", retry_key="call-1")
    id = goals.add(engine, new, author=IRIS).id
    assert goals.add(engine, new, author=IRIS).id == id
    first = end(engine, id, result="found", retry_key="call-2")
    goals.reopen(engine, ReopenGoal(goal_id=id), author=MARA)
    again = end(engine, id, result="found", retry_key="call-2")
    assert (again.repeated, again.change, again.status) == (True, first.change, "active")
    with pytest.raises(Conflict, match="another call"):
        end(engine, add(engine, "Other"), retry_key="call-2")


WHICH = st.integers(0, 4)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.none() | WHICH, st.lists(WHICH, max_size=2)),
        st.tuples(st.just("update"), WHICH, st.none() | WHICH, st.integers(1, 5)),
        st.tuples(
            st.just("complete"), WHICH, st.sampled_from(["completed", "abandoned", "blocked"]), st.booleans()
        ),
        st.tuples(st.just("reopen"), WHICH),
        st.tuples(st.just("block"), WHICH, WHICH),
        st.tuples(st.just("unblock"), WHICH, WHICH),
    ),
    max_size=14,
)


@settings(max_examples=examples(40))
@given(steps=STEPS)
def test_any_goal_verbs_taken_back_in_reverse_restore_every_state(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder) / "desk"), clock=Clock())
        try:
            _there_and_back(engine, steps)
        finally:
            engine.close()


def _there_and_back(engine: Engine, steps: list[tuple[Any, ...]]) -> None:
    known = [add(engine, f"goal {n}") for n in range(5)]
    states, changes = [_state(engine)], []
    for name, *ask in steps:
        try:
            changed = VERBS[name](engine, known, *ask)
        except MemDeskError:
            assert _state(engine) == states[-1]
            continue
        if changed.change is not None:
            changes.append(changed.change)
            states.append(_state(engine))
    _waiting_goals_are_blocked(engine)
    while changes:
        assert _state(engine) == states.pop()
        undo(engine, Undo(change=changes.pop()), author=MARA)
    assert _state(engine) == states.pop()


def _waiting_goals_are_blocked(engine: Engine) -> None:
    """Whoever waits for an open goal is not active; whoever is blocked waits for one, or has a reason."""
    for row in list_goals(engine, ListGoals(statuses=())).rows:
        waits = any(each.status in ("active", "blocked") for each in seen(engine, row.id).waits_for)
        assert not (row.status == "active" and waits)


def _state(engine: Engine) -> dict[str, list[Any]]:
    with engine.store.reading() as db:
        found = {kind.name: db.rows(f"SELECT * FROM {kind.table} ORDER BY seq") for kind in KINDS}
        found["searchable"] = db.rows("SELECT seq, kind, text_hash FROM searchable ORDER BY seq")
    return found


def _add(engine: Engine, known: list[str], parent: int | None, blockers: list[int]) -> GoalChanged:
    ask = NewGoal(
        description="another",
        parent_id=None if parent is None else known[parent],
        blocked_by=tuple(known[n] for n in blockers),
    )
    changed = goals.add(engine, ask, author=IRIS)
    known.append(changed.id)
    return changed


def _update(engine: Engine, known: list[str], which: int, parent: int | None, priority: int) -> GoalChanged:
    ask = UpdateGoal(
        goal_id=known[which], priority=priority, parent_id=None if parent is None else known[parent]
    )
    return goals.update(engine, ask, author=IRIS)


def _complete(engine: Engine, known: list[str], which: int, status: str, below: bool) -> GoalChanged:
    return end(engine, known[which], status=status, with_subgoals=below, result="because" if below else "")


VERBS: dict[str, Callable[..., GoalChanged]] = {
    "add": _add,
    "update": _update,
    "complete": _complete,
    "reopen": lambda engine, known, n: goals.reopen(engine, ReopenGoal(goal_id=known[n]), author=IRIS),
    "block": lambda engine, known, n, by: wait(engine, known[n], known[by]),
    "unblock": lambda engine, known, n, by: unblock(
        engine, BlockGoal(goal_id=known[n], blocker_id=known[by]), author=IRIS
    ),
}


def test_a_goal_that_waits_only_for_a_retired_one_is_active_until_that_comes_back(engine: Engine) -> None:
    first = add(engine, "Buy bread")
    then = add(engine, "Feed the gulls", blocked_by=(first,))
    retired = retire(engine, Retire(id=first), author=MARA)
    assert status(engine, then) == "active"
    restore(engine, Restore(id=first), author=MARA)
    assert status(engine, then) == "blocked"
    undo(engine, Undo(), author=MARA)
    undo(engine, Undo(change=retired.change), author=MARA)
    assert (status(engine, first), status(engine, then)) == ("active", "blocked")
