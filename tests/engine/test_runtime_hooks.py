"""Sessions of runtimes, replayed with transcripts that are late, torn, shortened and doubled: all is kept once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.engine.engine import Engine
from memdesk.engine.opening import open_engine
from memdesk.engine.runtimes.hooks import react
from memdesk.files.places import Desk
from memdesk.files.transcripts import Places
from memdesk.model.errors import BadAsk
from memdesk.model.project import HookAnswer, HookEvent, Moment
from memdesk.model.session import SESSION
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.turn import TURN
from memdesk.store import records
from tests.engine.conftest import Clock

AUTHOR = "agent:claude-code"


@dataclass
class Runtime:
    """Runtime with one session. pending: lines that it has not written to its transcript yet."""

    engine: Engine
    transcript: Path
    session: str = "s1"
    pending: list[str] = field(default_factory=list)
    number: int = 0

    def event(self, moment: Moment, **said: Any) -> HookAnswer:
        told = {"session_id": self.session, "transcript_path": str(self.transcript), "cwd": "/home/mara/pier"}
        return react(
            self.engine,
            HookEvent(moment=moment, said=json.dumps(told | said), agent_id="claude-code"),
            author=AUTHOR,
        )

    def line(self, role: str, *blocks: dict[str, Any], **more: Any) -> None:
        self.number += 1
        entry = {
            "type": role,
            "uuid": f"{self.session}-{self.number}",
            "timestamp": f"2026-03-02T08:{self.number // 60 % 60:02}:{self.number % 60:02}Z",
            "message": {"role": role, "content": list(blocks)},
        }
        self.pending.append(json.dumps(entry | more))

    def say(self, role: str, text: str, **more: Any) -> None:
        self.line(role, {"type": "text", "text": text}, **more)

    def call(self, id: str, tool: str, given: Any, output: str) -> None:
        self.line("assistant", {"type": "tool_use", "id": id, "name": tool, "input": given})
        self.line("user", {"type": "tool_result", "tool_use_id": id, "content": output})

    def write(self, count: int | None = None) -> None:
        """Write the first lines that are pending, all by default."""
        count = len(self.pending) if count is None else count
        with self.transcript.open("a") as file:
            file.writelines(line + "\n" for line in self.pending[:count])
        del self.pending[:count]

    def tear(self) -> None:
        """Write half of the first pending line; the other half comes with the next."""
        if self.pending:
            half = len(self.pending[0]) // 2
            with self.transcript.open("a") as file:
                file.write(self.pending[0][:half])
            self.pending[0] = self.pending[0][half:]


def stored(engine: Engine) -> Counter[tuple[str, str]]:
    with engine.store.reading() as db:
        return Counter((turn.role, turn.content) for turn in records.find(db, TURN))


def calls(engine: Engine) -> Counter[str]:
    with engine.store.reading() as db:
        return Counter(call.id for call in records.find(db, TOOL_CALL))


@pytest.fixture
def runtime(engine: Engine, tmp_path: Path) -> Runtime:
    return Runtime(engine, tmp_path / "s1.jsonl")


def test_an_answer_is_kept_when_the_transcript_is_late_and_not_twice_when_it_comes(runtime: Runtime) -> None:
    runtime.event("prompt", prompt="Is the pump on?")
    runtime.say("user", "Is the pump on?")
    runtime.say("assistant", "It is.")
    runtime.event("stop", last_assistant_message="It is.")
    once = Counter({("user", "Is the pump on?"): 1, ("assistant", "It is."): 1})
    assert stored(runtime.engine) == once
    runtime.write()
    runtime.event("session-end")
    assert stored(runtime.engine) == once


def test_a_tool_call_becomes_an_invocation_of_the_conversation_once(runtime: Runtime) -> None:
    runtime.event("prompt", prompt="List the files.")
    runtime.event(
        "tool", tool_name="Bash", tool_input={"command": "ls"}, tool_response="a.py", tool_use_id="t1"
    )
    runtime.event("tool", tool_name="Read", tool_input={"p": "a"}, error="not there", tool_use_id="t2")
    runtime.call("t1", "Bash", {"command": "ls"}, "a.py")
    runtime.call("t3", "Bash", {"command": "pwd"}, "/home")
    runtime.write()
    runtime.event("stop", last_assistant_message="Done.")
    assert calls(runtime.engine) == Counter({"t1": 1, "t2": 1, "t3": 1})
    with runtime.engine.store.reading() as db:
        failed = records.need(db, TOOL_CALL, "t2")
        talk = records.need(db, SESSION, "s1").conversation_id
    assert (failed.success, failed.error_message, failed.conversation_id) == (0, "not there", talk)


def test_the_report_of_a_sub_agent_is_kept_and_its_steps_are_not(runtime: Runtime, tmp_path: Path) -> None:
    runtime.event("prompt", prompt="Look for leaks.")
    own = Runtime(runtime.engine, tmp_path / "agent-a7.jsonl", session="a7")
    own.say("assistant", "Let me look.", isSidechain=True)
    own.call("t9", "Grep", {"pattern": "open("}, "3 found")
    own.say("assistant", "Three files stay open.", isSidechain=True)
    own.write()
    for _ in range(2):
        runtime.event(
            "subagent-stop",
            agent_id="a7",
            agent_type="auditor",
            agent_transcript_path=str(own.transcript),
            last_assistant_message="Three files stay open.",
        )
    assert stored(runtime.engine) == Counter(
        {("user", "Look for leaks."): 1, ("assistant", "Three files stay open."): 1}
    )
    assert calls(runtime.engine) == Counter({"t9": 1})
    with runtime.engine.store.reading() as db:
        assert "auditor" in {turn.speaker for turn in records.find(db, TURN)}


def test_a_session_that_ended_without_an_event_is_read_to_its_end_by_the_next(
    runtime: Runtime, tmp_path: Path
) -> None:
    runtime.event("prompt", prompt="Is the pump on?")
    runtime.say("user", "Is the pump on?")
    runtime.say("assistant", "It is, since noon.")
    runtime.write()
    Runtime(runtime.engine, tmp_path / "s2.jsonl", session="s2").event("session-start")
    assert stored(runtime.engine)["assistant", "It is, since noon."] == 1


def test_text_that_no_record_may_have_is_kept_with_a_sign_in_its_place(runtime: Runtime) -> None:
    runtime.event("prompt", prompt="A \0 and a \ud800 surrogate")
    runtime.call("t1", "Bash", {"command": "x\0y"}, "\udfff")
    runtime.write()
    runtime.event("stop")
    assert stored(runtime.engine) == Counter({("user", "A \ufffd and a \ufffd surrogate"): 1})
    assert calls(runtime.engine) == Counter({"t1": 1})


def test_a_secret_in_a_prompt_a_transcript_or_a_tool_is_masked_before_it_is_stored(runtime: Runtime) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5"
    password = "password is Tr0ub4dor&3x!"
    runtime.event("prompt", prompt=f"My {password}, remember")
    runtime.say("user", f"My {password}, remember")
    runtime.say("assistant", f"Your {password}.")
    runtime.call("t1", "Bash", {"command": f"export API_KEY={secret}"}, "done")
    runtime.write()
    runtime.event("stop")
    everything = repr(stored(runtime.engine))
    assert "Tr0ub4dor" not in everything and sum(stored(runtime.engine).values()) == 2


def test_an_output_that_is_too_long_is_kept_with_its_beginning(runtime: Runtime) -> None:
    runtime.event("prompt", prompt="Show the log.")
    runtime.call("t1", "Bash", {"command": "cat log"}, "line\n" * 100_000)
    runtime.write()
    runtime.event("stop")
    with runtime.engine.store.reading() as db:
        output = json.loads(records.need(db, TOOL_CALL, "t1").tool_output or "")
    assert len(output) > 10_000 and output.startswith("line\n")


def test_a_change_of_folder_within_a_session_changes_no_channel(runtime: Runtime) -> None:
    first = runtime.event("session-start", cwd="/home/mara/pier").channel
    assert runtime.event("prompt", cwd="/home/mara/other", prompt="Hello there").channel == first == "pier"


@pytest.mark.parametrize("said", ["", "{", "[]", "7", '{"session_id": 7}', '{"session_id": " "}', "[" * 9999])
def test_an_event_without_a_session_is_refused(engine: Engine, said: str) -> None:
    with pytest.raises(BadAsk):
        react(engine, HookEvent(moment="stop", said=said), author=AUTHOR)


TEXTS = st.sampled_from(["ok", "Yes.", "The pump is on.", "Look again", "It leaks at the flange."])
STEPS = st.one_of(
    st.tuples(st.just("said"), TEXTS),
    st.tuples(st.just("tool"), st.sampled_from(["Bash", "Read", "Grep"])),
)
TURNS = st.lists(st.tuples(TEXTS, st.lists(STEPS, max_size=4), TEXTS), min_size=1, max_size=5)
FAULTS = st.sampled_from(["none", "late", "torn", "doubled", "shortened", "restart", "event twice"])


@given(turns=TURNS, faults=st.lists(FAULTS, min_size=1, max_size=12))
def test_whatever_happens_to_a_transcript_each_turn_and_call_is_kept_once(
    tmp_path_factory: pytest.TempPathFactory,
    turns: list[tuple[str, list[tuple[str, str]], str]],
    faults: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("replay")
    with closing(open_engine(Desk(folder / "desk"), clock=Clock())) as engine:
        runtime = Runtime(engine, folder / "s1.jsonl")
        if "shortened" in faults:
            # A service that starts anew knows only what the transcript still has.
            faults = [each for each in faults if each != "restart"]
        fault = _cycle(faults)
        wanted: Counter[tuple[str, str]] = Counter()
        called: set[str] = set()
        for number, (prompt, steps, answer) in enumerate(turns):
            wanted["user", prompt] += 1
            runtime.event("prompt", prompt=prompt)
            runtime.say("user", prompt)
            for place, (kind, text) in enumerate(steps):
                if kind == "said":
                    # A text is followed by a call: one that ends a turn is its answer.
                    wanted["assistant", text] += 1
                    runtime.say("assistant", text)
                id = f"t{number}-{place}"
                called.add(id)
                runtime.call(id, "Bash", {"n": place}, "done")
                if place % 2:
                    runtime.event("tool", tool_name="Bash", tool_input={}, tool_use_id=id)
            wanted["assistant", answer] += 1
            runtime.say("assistant", answer)
            _disturb(runtime, next(fault))
            for _ in range(2 if next(fault) == "event twice" else 1):
                runtime.event("stop", last_assistant_message=answer)
        runtime.write()
        runtime.event("session-end")
        assert stored(engine) == wanted
        assert calls(engine) == Counter(called)


def _cycle(faults: list[str]) -> Iterator[str]:
    while True:
        yield from faults


def _disturb(runtime: Runtime, fault: str) -> None:
    """Write what is pending, with this fault."""
    if fault == "late":
        runtime.write(len(runtime.pending) // 2)
    elif fault == "torn":
        runtime.write(max(0, len(runtime.pending) - 1))
        runtime.tear()
    elif fault == "doubled":
        whole = list(runtime.pending)
        runtime.write()
        runtime.pending = whole
        runtime.write()
    elif fault == "shortened":
        runtime.write()
        runtime.event("pre-compact")
        text = runtime.transcript.read_text().splitlines(keepends=True)
        runtime.transcript.write_text("".join(text[len(text) // 2 :]))
    elif fault == "restart":
        runtime.engine.transcripts = Places()
        runtime.write()
    else:
        runtime.write()
