"""AgentX's tools on a real desk: history without the conversation at hand, facts, goals, and the working state."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from memdesk.api.tools.tool import misfits
from memdesk.api.tools.toolsets import toolset
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import pin
from memdesk.engine.memory.remember import learn_fact, store_turns
from memdesk.engine.toolsets.toolset import carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.engine.undo import undo
from memdesk.model.curation import Pin, Undo
from memdesk.model.fact import FACT, Fact
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.tools import ToolAnswer, ToolCall, ToolPlace
from memdesk.store import records

HERE = ToolPlace(channel="atlas", conversation_id="now")


def asked(
    engine: Engine, tool: str, *, place: ToolPlace = HERE, owner: bool = False, **arguments: Any
) -> ToolAnswer:
    declared = toolset("agentx").named(tool)
    assert declared is not None
    author = "person:Mara" if owner else "agent:Iris"
    call = ToolCall(agent="Iris", author=author, owner=owner, place=place, arguments=arguments)
    said = carry_out(engine, WORKING["agentx"], tool, call, misfits(declared, arguments))
    assert json.loads(said.text)["success"] is not said.is_error
    return said


def fails(engine: Engine, tool: str, **more: Any) -> str:
    said = asked(engine, tool, **more)
    assert said.is_error and said.data is None
    return str(json.loads(said.text)["error"])


def fact(engine: Engine, id: str) -> Fact:
    with engine.store.reading() as db:
        found: Fact = records.need(db, FACT, id)
        return found


@pytest.fixture
def told(engine: Engine) -> Engine:
    """Two conversations of the project, of which one is at hand."""
    turns = [
        NewTurn(conversation_id="then", channel="atlas", role=role, content=content)
        for role, content in (
            ("user", "The leak in the harbour cache comes from the retry loop"),
            ("assistant", "Then the retry loop of the harbour cache should be bounded"),
            ("user", "x" * 2_000),
        )
    ]
    turns.append(
        NewTurn(conversation_id="now", channel="atlas", role="user", content="Look at the harbour cache")
    )
    turns += [NewTurn(conversation_id="long", channel="atlas", content=f"turn {n}") for n in range(40)]
    store_turns(engine, NewTurns(turns=tuple(turns)), author="agent:Iris")
    return engine


def test_history_tells_what_the_user_said_elsewhere_and_the_facts(told: Engine) -> None:
    learned = learn_fact(
        told, NewFact(claim="The harbour cache is bounded", channel="atlas"), author="agent:Iris"
    )
    data = asked(told, "recall_user_history", topic="harbour cache leak").data
    first = data["user_turns"][0]
    assert first["content"] == "The leak in the harbour cache comes from the retry loop"
    assert {turn["conversation_id"] for turn in data["user_turns"]} == {"then"}
    assert all(len(turn["content"]) <= 600 for turn in data["user_turns"])
    assert [each["fact_id"] for each in data["facts"]] == [learned.id]
    general = asked(told, "recall_user_history", limit=500).data
    assert general["topic"] is None and 0 < general["turn_count"] <= 30


def test_a_thread_is_read_around_a_turn_or_from_its_end(told: Engine) -> None:
    latest = asked(told, "read_thread", conversation_id="long").data
    assert [turn["index"] for turn in latest["turns"]] == list(range(25, 40))
    around = asked(told, "read_thread", conversation_id="long", around=20).data
    assert [turn["index"] for turn in around["turns"]] == list(range(14, 27))
    few = asked(told, "read_thread", conversation_id="long", around=20, limit=5).data
    assert [turn["index"] for turn in few["turns"]] == list(range(18, 23))
    one = asked(told, "read_thread", conversation_id="long", around=20, limit=1).data
    assert [turn["index"] for turn in one["turns"]] == [20]
    narrow = asked(told, "read_thread", conversation_id="long", around=0, radius=1).data
    assert [turn["content"] for turn in narrow["turns"]] == ["turn 0", "turn 1"]
    assert len(asked(told, "read_thread", conversation_id="then").data["turns"][2]["content"]) == 1_500
    assert fails(told, "read_thread", conversation_id="none") == "Conversation not found: none"
    other = ToolPlace(user_id="jun")
    assert fails(told, "read_thread", conversation_id="then", place=other) == "Conversation not found: then"


def test_a_fact_is_learned_lifted_let_go_and_each_is_undone(engine: Engine) -> None:
    learned = asked(engine, "remember_fact", claim="Mara drinks green tea")
    id = learned.data["fact_id"]
    assert asked(engine, "remember_fact", claim="Mara drinks green tea").data["repeated"]
    lifted = asked(engine, "remember_fact", fact_id=id)
    assert fact(engine, id).salience == 0.9
    gone = asked(engine, "forget_fact", fact_id=id)
    assert (gone.data["mode"], fact(engine, id).temporal) == ("soft", "past")
    undo(engine, Undo(change=gone.change), author="agent:Iris")
    retired = asked(engine, "forget_fact", fact_id=id, hard=True)
    assert (retired.data["mode"], fact(engine, id).retired_at is not None) == ("retired", True)
    for change in (retired.change, lifted.change, learned.change):
        undo(engine, Undo(change=change), author="person:Mara")
    assert fails(engine, "forget_fact", fact_id=id) == "Fact not found"


def test_what_a_person_decided_and_what_lies_elsewhere_is_not_an_agents_to_forget(engine: Engine) -> None:
    mine = learn_fact(engine, NewFact(claim="Jun sails", channel="atlas"), author="person:Mara")
    pinned = learn_fact(engine, NewFact(claim="Jun rows", channel="atlas"), author="agent:Iris")
    pin(engine, Pin(id=pinned.id), author="person:Mara")
    far = learn_fact(engine, NewFact(claim="Jun swims", channel="harbor"), author="agent:Iris")
    for id in (mine.id, pinned.id):
        assert fails(engine, "forget_fact", fact_id=id).startswith("A person pinned or wrote this fact")
    for tool in ("forget_fact", "remember_fact"):
        assert fails(engine, tool, fact_id=far.id) == "Fact not found"
    assert asked(engine, "forget_fact", fact_id=mine.id, owner=True).data["success"]


def test_a_fact_is_named_or_told_and_not_both(engine: Engine) -> None:
    for arguments in ({}, {"fact_id": "f_1", "claim": "x"}, {"claim": "  "}):
        assert fails(engine, "remember_fact", **arguments) == "Give a fact_id or a claim, and not both."


def test_a_goal_is_set_shown_and_completed(told: Engine) -> None:
    goal = asked(
        told, "add_goal", description="Bound the retry loop", priority=5, deadline="2027-01-31T09:30:00Z"
    )
    part = asked(
        told, "add_goal", description="Write a test", parent_goal_id=goal.data["goal_id"], goal_id="g-1"
    )
    assert asked(told, "add_goal", description="Write a test", goal_id="g-1").change is None
    shown = asked(told, "scratchpad_note").data["active_goals"]
    assert [(each["description"], each["priority"]) for each in shown] == [
        ("Bound the retry loop", 5),
        ("Write a test", 3),
    ]
    done = asked(told, "complete_goal", goal_id=part.data["goal_id"], result="It is red")
    assert done.data["status"] == "completed"
    undo(told, Undo(change=done.change), author="person:Mara")
    assert len(asked(told, "scratchpad_note").data["active_goals"]) == 2
    assert "There is no goal" in fails(told, "complete_goal", goal_id="none")
    assert "deadline must be a time" in fails(told, "add_goal", description="x", deadline="soon")
    assert "must be at most 5" in fails(told, "add_goal", description="x", priority=9)


def test_checkpoints_and_notes_stay_with_their_conversation(engine: Engine) -> None:
    for number in range(10):
        said = asked(engine, "checkpoint", summary=f"step {number}", decisions=["yes"], next_step="on")
    assert said.data["checkpoint_count"] == 8
    asked(engine, "scratchpad_note", note="look at the cache")
    state = asked(engine, "scratchpad_note", read=True).data
    assert [each["summary"] for each in state["checkpoints"]] == [f"step {number}" for number in range(2, 10)]
    assert [each["note"] for each in state["notes"]] == ["look at the cache"]
    assert asked(engine, "checkpoint", summary="anew", replace=True).data["checkpoint_count"] == 1
    elsewhere = asked(
        engine, "scratchpad_note", place=ToolPlace(channel="atlas", conversation_id="other")
    ).data
    assert elsewhere["notes"] == elsewhere["checkpoints"] == []
    nowhere = ToolPlace(channel="atlas")
    assert fails(engine, "checkpoint", summary="x", place=nowhere).startswith("Checkpoint requires an active")
    assert fails(engine, "checkpoint", summary=" ") == "summary is required"


def test_notes_of_many_at_once_are_all_kept(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda n: asked(engine, "scratchpad_note", note=f"note {n}"), range(40)))
    assert len(asked(engine, "scratchpad_note").data["notes"]) == 40


def test_wrong_arguments_answer_in_agentx_own_shape(engine: Engine) -> None:
    assert fails(engine, "read_thread") == (
        "Invalid arguments for read_thread (conversation_id): expected string, got undefined"
    )
