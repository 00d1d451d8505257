"""compact: a policy tried on a file of messages, of any shape that runtimes keep, on a desk that is left alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.cli.context import messages_in
from tests.cli.conftest import Run
from tests.conftest import until
from tests.sealed import processes

LINES = (
    "The staging database is called Bramble.",
    "Noted.",
    "The budget is 4200 euros, and we decided on Postgres 16.",
    "Understood.",
    *("And then?", "Then the next one.") * 10,
)
SAID = [{"role": ("user", "assistant")[n % 2], "content": line} for n, line in enumerate(LINES)]


def transcript(messages: list[dict[str, Any]]) -> str:
    """As Claude Code keeps one."""
    lines = [{"type": each["role"], "uuid": f"u{n}", "message": each} for n, each in enumerate(messages)]
    return "\n".join(map(json.dumps, [{"type": "summary", "summary": "Of before"}, *lines]))


SHAPES: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "list": json.dumps,
    "request": lambda messages: json.dumps({"model": "m", "messages": messages}),
    "lines": lambda messages: "\n".join(map(json.dumps, messages)) + "\n",
    "transcript": transcript,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_messages_are_read_from_a_file_of_any_shape(tmp_path: Path, shape: str) -> None:
    (tmp_path / "talk").write_text(SHAPES[shape](SAID))
    assert messages_in(tmp_path / "talk", "talk") == tuple(SAID)


def test_a_file_is_compacted_and_nothing_of_it_stays(memdesk: Run, tmp_path: Path) -> None:
    (tmp_path / "talk").write_text(transcript(SAID))
    ran = memdesk(
        "compact", str(tmp_path / "talk"), "--policy", "agenticx", "--out", str(tmp_path / "shorter")
    )
    assert ran.code == 0, ran.err
    assert "agenticx: compacted." in ran.out and "Bramble" in ran.out and "  kept  " in ran.out
    (messages,) = (line.split() for line in ran.out.splitlines() if line.startswith("messages"))
    shorter = json.loads((tmp_path / "shorter").read_text())
    assert messages[1:] == [str(len(SAID)), str(len(shorter))] == ["24", "9"]
    assert shorter[1:] == SAID[-8:] and shorter[0]["content"].startswith("[compacted]")
    status = memdesk("status", "--json").json
    assert (status["turns"], status["facts"]) == (0, 0)


def test_a_policy_that_sees_no_need_leaves_the_messages_and_may_be_forced(
    memdesk: Run, tmp_path: Path
) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(SAID))
    asked = ("compact", str(tmp_path / "talk.json"), "--policy", "custom")
    assert "24 messages stay as they are; --force" in memdesk(*asked).out
    done = memdesk(*asked, "--force", "--json").json
    assert done["compacted"]["action"] == "compacted" and done["compaction"]["row"]["policy"] == "custom"


def test_a_flush_tells_the_facts_that_it_kept(memdesk: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(SAID))
    ran = memdesk("compact", str(tmp_path / "talk.json"), "--policy", "openlegion", "--window", "300")
    assert "openlegion: flushed." in ran.out and "  kept  " in ran.out and "4200 euros" in ran.out


def test_the_desks_own_settings_hold(memdesk: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(SAID[:12]))
    memdesk("settings", "custom_messages", "10")
    memdesk("settings", "context_policy", "custom")
    try:
        assert "custom: compacted." in memdesk("compact", str(tmp_path / "talk.json")).out
    finally:
        memdesk("settings", "--reset", "custom_messages")
        memdesk("settings", "--reset", "context_policy")


@pytest.mark.parametrize("held", ["", "[]", "null", "[1]", "{}", '{"messages": {}}', "Good morning.", '"a"'])
def test_a_file_without_messages_is_refused_by_its_name(memdesk: Run, tmp_path: Path, held: str) -> None:
    (tmp_path / "odd").write_text(held)
    ran = memdesk("compact", str(tmp_path / "odd"))
    assert ran.code != 0 and "odd holds no messages." in ran.err and "Next: " in ran.err


def test_what_is_no_message_is_refused_by_its_place(memdesk: Run, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text(json.dumps([*SAID[:2], {"content": "nobody"}]))
    assert "`messages[2]` has no role." in memdesk("compact", str(tmp_path / "odd")).err
    assert "nowhere" in memdesk("compact", str(tmp_path / "nowhere")).err


def others(pid: int, places: Path) -> list[int]:
    """Processes beside the named one that have the folder for their temporary files."""
    return [each for each in processes(os.fsencode(places)) if each != pid]


@pytest.fixture
def heard_interrupts() -> Iterator[None]:
    """Let commands hear Ctrl-C, which a shell has its background processes ignore, and all that these start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_an_early_ctrl_c_leaves_neither_a_service_nor_a_folder(
    tmp_path: Path, heard_interrupts: None
) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(SAID))
    places = tmp_path / "tmp"
    places.mkdir()
    words = [sys.executable, "-m", "memdesk", "compact", str(tmp_path / "talk.json")]

    def interrupted() -> bool:
        """Whether the signal came in time: a slow machine may see the service when all is done."""
        with subprocess.Popen(
            words, env={**os.environ, "TMPDIR": str(places)}, stderr=subprocess.PIPE
        ) as process:
            service = until(lambda: others(process.pid, places), "the service on its way")[0]
            # It is held for a moment, so that it cannot have answered before the signal comes.
            os.kill(service, signal.SIGSTOP)
            process.send_signal(signal.SIGINT)
            os.kill(service, signal.SIGCONT)
            _, said = process.communicate(timeout=60)
        assert process.returncode in (0, 130) and b"Traceback" not in said
        until(lambda: not others(process.pid, places), "the end of its service")
        return process.returncode == 130

    until(interrupted, "a signal that comes in time")
    assert list(places.glob("memdesk-*")) == []
