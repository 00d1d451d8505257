"""hook: a runtime's session with memory, as Claude Code and Codex drive it, and what never gets in its way."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.api import memory
from memdesk.client import hook
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.files.transcripts import messages
from memdesk.model.remember import NewFact
from memdesk.model.timeline import AskTurnLog
from tests.conftest import Service

Hook = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def service(running_service: Service) -> Iterator[Service]:
    yield running_service


def called(desk: Desk, moment: str, said: Any, *words: str) -> subprocess.CompletedProcess[str]:
    """A hook as a runtime calls it."""
    given = said if isinstance(said, str) else json.dumps(said)
    program = [sys.executable, "-I", "-S", hook.__file__, moment, "--socket", str(desk.socket)]
    return subprocess.run(
        [*program, "--desk", str(desk.folder), "--agent", "claude-code", *words],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def line(role: str, text: str, uuid: str, **more: Any) -> str:
    """A line of Claude Code's transcript."""
    content: Any = (
        text if role == "user" else [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    )
    told = {"type": role, "uuid": uuid, "timestamp": datetime.now(UTC).isoformat()}
    return json.dumps({**told, "message": {"role": role, "content": content}, **more})


def rollout(role: str, text: str) -> str:
    """A line of Codex's."""
    kind = "input_text" if role == "user" else "output_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return json.dumps({"timestamp": "2026-03-02T08:00:00Z", "type": "response_item", "payload": payload})


def told_in(ran: subprocess.CompletedProcess[str]) -> str:
    answer = json.loads(ran.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] in ("SessionStart", "UserPromptSubmit")
    return str(answer["additionalContext"])


def turns(desk: Desk, channel: str) -> list[tuple[str, str]]:
    async def ask() -> list[tuple[str, str]]:
        async with Client(desk) as owner:
            page = await owner.call(memory.TURN_LOG, AskTurnLog(channels=(channel,)))
            return [(row.role, row.content) for row in reversed(page.rows)]

    return asyncio.run(ask())


def learn(desk: Desk, claim: str, channel: str) -> None:
    async def ask() -> None:
        async with Client(desk) as owner:
            await owner.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel))

    asyncio.run(ask())


def test_a_fact_of_one_session_is_told_in_the_next_after_a_restart(service: Service, tmp_path: Path) -> None:
    desk, transcript = service.desk, tmp_path / "one.jsonl"
    place = {"cwd": "/home/mara/tidepool", "transcript_path": str(transcript)}
    first = {"session_id": "one", **place}
    assert called(desk, "session-start", {**first, "source": "startup"}).returncode == 0
    assert called(desk, "prompt", {**first, "prompt": "The harbour pump is called Sirena."}).returncode == 0
    transcript.write_text(
        "\n".join(
            (
                line("user", "The harbour pump is called Sirena.", "u1"),
                line("assistant", "Noted.", "a1"),
                line("user", "<command-name>/clear</command-name>", "u2"),
                line("user", "Caveat", "u3", isMeta=True),
                line("assistant", "A sub-agent speaks.", "a2", isSidechain=True),
                json.dumps({"type": "summary", "summary": "A pump"}),
                "{half a li",
            )
        )
    )
    for _ in range(2):
        assert called(desk, "stop", first).stdout == ""
    assert called(desk, "pre-compact", {**first, "trigger": "auto"}).returncode == 0
    assert turns(desk, "tidepool") == [
        ("user", "The harbour pump is called Sirena."),
        ("assistant", "Noted."),
    ]
    service.stop()
    service.start()
    second = {"session_id": "two", "cwd": place["cwd"], "transcript_path": str(tmp_path / "two.jsonl")}
    asked = called(desk, "prompt", {**second, "prompt": "What is the harbour pump called?"})
    assert "Sirena" in told_in(asked)


def test_a_session_begins_with_what_is_strong_and_not_with_what_another_channel_holds(
    service: Service,
) -> None:
    learn(service.desk, "Tidepool deploys on Tuesdays", "tidepool")
    learn(service.desk, "The flat in Lisbon has no lift", "lisbon")
    told = told_in(called(service.desk, "session-start", {"session_id": "one"}, "--channel", "tidepool"))
    assert "Tuesdays" in told and "Lisbon" not in told


def test_a_runtime_without_a_transcript_is_kept_as_it_speaks(service: Service) -> None:
    said = {"session_id": "one", "cwd": "/home/mara/harbour", "transcript_path": None}
    called(service.desk, "prompt", {**said, "prompt": "Is the pump on?"})
    called(service.desk, "stop", {**said, "last_assistant_message": "It is."})
    assert turns(service.desk, "harbour") == [("user", "Is the pump on?"), ("assistant", "It is.")]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "{",
        "[]",
        "7",
        '{"session_id": 7}',
        '{"session_id": ""}',
        '{"session_id": "s", "prompt": {"a": 1}}',
        "[" * 9999,
    ],
)
@pytest.mark.parametrize("moment", ["prompt", "stop"])
def test_what_makes_no_sense_costs_the_runtime_nothing(
    memdesk: Any, monkeypatch: pytest.MonkeyPatch, said: str, moment: str
) -> None:
    memdesk("status")
    with TemporaryFile() as piped:
        piped.write(said.encode())
        piped.seek(0)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(piped))
        ran = memdesk("hook", moment)
    assert (ran.code, ran.out) == (0, "")


def test_a_transcript_that_is_not_there_costs_the_runtime_nothing(service: Service, tmp_path: Path) -> None:
    ran = called(service.desk, "stop", {"session_id": "one", "transcript_path": str(tmp_path / "none.jsonl")})
    assert (ran.returncode, ran.stdout) == (0, "") and "transcript" in ran.stderr


@pytest.mark.parametrize("moment", ["prompt", "stop", "pre-compact"])
def test_a_desk_that_is_away_costs_the_runtime_nothing(short_folder: Path, moment: str) -> None:
    started = time.monotonic()
    ran = called(Desk(short_folder / "desk"), moment, {"session_id": "one", "prompt": "Hello?"})
    assert (ran.returncode, ran.stdout) == (0, "") and "no service answers" in ran.stderr
    assert time.monotonic() - started < 10 and not (short_folder / "desk").exists()


def test_a_desk_that_hangs_is_not_waited_for(service: Service) -> None:
    assert service.process is not None
    service.process.send_signal(signal.SIGSTOP)
    try:
        started = time.monotonic()
        ran = called(service.desk, "prompt", {"session_id": "one", "prompt": "Hello?"}, "--seconds", "1")
        assert (ran.returncode, ran.stdout) == (0, "") and "too long" in ran.stderr
        assert time.monotonic() - started < 8
    finally:
        service.process.send_signal(signal.SIGCONT)


def test_a_hook_that_may_take_no_time_does_nothing(service: Service) -> None:
    said = {"session_id": "one", "prompt": "Hello?"}
    assert called(service.desk, "prompt", said).stderr == ""
    ran = called(service.desk, "prompt", said, "--seconds", "0")
    assert (ran.returncode, ran.stdout) == (0, "") and "too long" in ran.stderr


def test_codexs_rollout_is_read_too_and_its_messages_are_known_again(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_text(
        "\n".join(
            (
                json.dumps({"type": "session_meta", "payload": {"id": "s"}}),
                rollout("user", "<environment_context>\n</environment_context>"),
                rollout("user", "Where is the pump?"),
                json.dumps({"type": "response_item", "payload": {"type": "function_call", "name": "ls"}}),
                rollout("assistant", "In the harbour."),
            )
        )
    )
    once, again = messages(path), messages(path)
    assert [(each.role, each.text) for each in once] == [
        ("user", "Where is the pump?"),
        ("assistant", "In the harbour."),
    ]
    assert once == again and len({each.id for each in once}) == 2


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "message", "content", "role", "uuid", "payload", "text", "timestamp", "model"]
            ),
            inner | st.sampled_from(["user", "assistant", "text", "message", "response_item"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(anything, max_size=5))
def test_whatever_a_transcript_holds_reading_it_does_not_fail(tmp_path_factory: Any, told: list[Any]) -> None:
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in told))
    for said in messages(path):
        assert said.role in ("user", "assistant") and said.text.strip() and said.id


@pytest.mark.parametrize("transcript", ["pipe", "/dev/zero", "a\0b", "~nobody-of-this-name/one.jsonl"])
def test_a_transcript_that_is_no_file_costs_the_runtime_nothing(
    service: Service, tmp_path: Path, transcript: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    path = str(tmp_path / transcript) if transcript == "pipe" else transcript
    ran = called(service.desk, "stop", {"session_id": "one", "transcript_path": path}, "--seconds", "8")
    assert (ran.returncode, ran.stdout) == (0, "") and "the transcript cannot be read" in ran.stderr


def test_a_runtime_that_never_ends_its_input_is_not_waited_for(short_folder: Path) -> None:
    words = ["hook", "stop", "--seconds", "0.5", "--desk", str(short_folder / "desk")]
    with subprocess.Popen(
        [sys.executable, "-m", "memdesk", *words], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as hook:
        assert hook.wait(30) == 0 and hook.stderr is not None
        assert b"took too long" in hook.stderr.read()


def test_an_option_that_is_no_number_costs_the_runtime_nothing(short_folder: Path) -> None:
    done = called(Desk(short_folder / "desk"), "stop", {"session_id": "one"}, "--seconds", "soon")
    assert (done.returncode, done.stdout) == (0, "") and "ValueError" in done.stderr
