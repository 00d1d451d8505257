"""Files of an agent get their notes by themselves, whatever door a turn or a call comes through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.context.compactor import compact
from memdesk.engine.context.prompt import context
from memdesk.engine.engine import Engine
from memdesk.engine.memory.procedures import record_invocation
from memdesk.engine.memory.remember import learn_fact, store_turn, store_turns
from memdesk.engine.runtimes.hooks import react
from memdesk.model.context import Compact
from memdesk.model.fact import FACT
from memdesk.model.project import HookEvent
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.tool_call import NewToolCall
from memdesk.store import records
from tests.engine.conftest import Clock
from tests.engine.tools import Agent, bytes_of, opened

AUTHOR = "agent:iris"
TALK = (
    ("user", "Hello there, iris, good to see you"),
    ("assistant", "Good morning, how may I be of service?"),
    ("user", "Please set up the build for the harbour project, with tests"),
    ("assistant", "I looked at the folder and will begin with it."),
    ("user", "remember that the port is 8099"),
    ("assistant", "The build is configured and the tests pass."),
)
LINES = (
    "- 用户请求: Please set up the build for the harbour project, with tests",
    "- 用户要求记住: remember that the port is 8099",
    "- 完成事项: The build is configured and the tests pass.",
)


def by_turns(engine: Engine) -> None:
    for role, text in TALK:
        turn = NewTurn(role=role, content=text, conversation_id="c-1", agent_id="iris")
        store_turn(engine, turn, author=AUTHOR)


def by_one_call(engine: Engine) -> None:
    turns = (NewTurn(role=role, content=text, conversation_id="c-1") for role, text in TALK)
    store_turns(engine, NewTurns(turns=tuple(turns)), author=AUTHOR)


def by_compaction(engine: Engine) -> None:
    messages = tuple({"role": role, "content": text} for role, text in TALK)
    compact(engine, Compact(messages=messages, channel="harbour", agent_id="iris"), author=AUTHOR)


def by_hooks(engine: Engine) -> None:
    said = '{{"session_id": "s-1", "cwd": "/somewhere", "{}": "{}"}}'
    for role, text in TALK:
        moment, name = ("prompt", "prompt") if role == "user" else ("stop", "last_assistant_message")
        event = HookEvent(moment=moment, said=said.format(name, text), channel="harbour", agent_id="iris")
        react(engine, event, author=AUTHOR)


@pytest.mark.parametrize("door", [by_turns, by_one_call, by_compaction, by_hooks])
def test_the_facts_of_an_agenticx_session_are_kept_by_every_door(
    engine: Engine, tmp_path: Path, door: Callable[[Engine], None]
) -> None:
    root = opened(engine, tmp_path / "iris", {"IDENTITY.md": "- Name: iris\n", "MEMORY.md": "# Memory\n"})
    door(engine)
    days = [text.decode() for path, text in bytes_of(root).items() if path.startswith("memory/")]
    assert len(days) == 1 and all(days[0].count(line) == 1 for line in LINES)
    assert (root / "MEMORY.md").read_text().count(LINES[1]) == 1


def test_of_several_workspaces_the_one_of_the_turns_channel_keeps_its_facts(
    engine: Engine, tmp_path: Path
) -> None:
    files = {"IDENTITY.md": "- Name: iris\n", "MEMORY.md": "# Memory\n"}
    roots = {name: opened(engine, tmp_path / name / "iris", files, channel=name) for name in ("pier", "lock")}
    for role, text in TALK:
        turn = NewTurn(role=role, content=text, conversation_id="c-9", agent_id="iris", channel="lock")
        store_turn(engine, turn, author=AUTHOR)
    assert [name for name, root in roots.items() if LINES[1] in (root / "MEMORY.md").read_text()] == ["lock"]


@pytest.fixture
def legion(engine: Engine, tmp_path: Path) -> Path:
    return opened(
        engine,
        tmp_path / "iris",
        {"SOUL.md": "# Identity\n", "INSTRUCTIONS.md": "# Be kind\n", "MEMORY.md": "# Memory\n"},
    )


def test_corrections_and_failed_tools_become_learnings_that_the_next_session_is_told(
    engine: Engine, legion: Path, clock: Clock
) -> None:
    for role, text in (
        ("user", "no, do not answer that yet"),
        ("assistant", "The meeting is\non Tuesday."),
        ("user", "Actually, it is on Wednesday"),
        ("user", "What about lunch?"),
    ):
        store_turn(
            engine, NewTurn(role=role, content=text, conversation_id="c-1", agent_id="iris"), author=AUTHOR
        )
    for success, error in ((True, ""), (False, "exit 127")):
        call = NewToolCall(tool_name="exec", tool_input={"cmd": "ls"}, success=success, error_message=error)
        record_invocation(engine, call, author=AUTHOR)
    learned = {
        path: text.decode() for path, text in bytes_of(legion).items() if path.startswith("learnings/")
    }
    assert learned.keys() == {"learnings/errors.md", "learnings/corrections.md"}
    assert learned["learnings/corrections.md"].count("Original:") == 1
    assert (
        "Original: The meeting is on Tuesday.\n  Correction: Actually, it is on Wednesday"
        in (learned["learnings/corrections.md"])
    )
    assert '**exec**: exit 127\n  Context: {"cmd": "ls"}' in learned["learnings/errors.md"]
    Agent(engine=engine, set="openlegion").says(
        "record_learning", kind="error", subject="fetch", text="no route to host"
    )
    told = context(engine, AskContext(agent_id="iris", format="openlegion"), author=AUTHOR).text
    assert "## Learnings from Past Sessions" in told
    assert all(each in told for each in ("on Wednesday", "exit 127", "no route to host"))


@pytest.mark.parametrize(
    ("given", "kept"), [(" Project  X ", "project x"), ("WORK", "work"), ("decision", "decision")]
)
def test_the_name_of_a_category_is_tidied(engine: Engine, given: str, kept: str) -> None:
    made: Any = learn_fact(engine, NewFact(claim="The mast is new", category=given), author=AUTHOR)
    with engine.store.reading() as db:
        assert records.need(db, FACT, made.id).category == kept


@pytest.mark.parametrize(("characters", "warned"), [(2_400, False), (3_800, True)])
def test_an_openlegion_context_that_is_nearly_full_is_warned_of(
    engine: Engine, characters: int, warned: bool
) -> None:
    messages = tuple({"role": role, "content": "tea " * (characters // 8)} for role in ("user", "assistant"))
    ask = Compact(messages=messages, policy="openlegion", window_tokens=1_000)
    notices = compact(engine, ask, author=AUTHOR).notices
    assert any(each.startswith("CONTEXT WARNING: the context is at ") for each in notices) is warned
