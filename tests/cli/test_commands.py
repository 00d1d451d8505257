"""Every command through the real program: what a script reads, what a person sees, how errors end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from memdesk.api.endpoint import Wrong
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, NotFound, StorageFailed
from tests.conftest import PATIENCE_S, until
from tests.warm import Begun

TEA = "Mara prefers green tea over coffee"


def learn(memdesk: Any, claim: str = TEA, channel: str = "atlas") -> str:
    return str(memdesk("remember", claim, "--channel", channel, "--json").json["id"])


def test_a_fact_is_remembered_recalled_with_its_reasons_and_listed(memdesk: Any) -> None:
    fact = learn(memdesk)
    bundle = memdesk("recall", "what", "does", "Mara", "drink", "--channel", "atlas", "--json").json
    hit = next(hit for hit in bundle["hits"] if hit["id"] == fact)
    assert (hit["kind"], hit["text"], hit["channel"]) == ("fact", TEA, "atlas")
    assert sum(part["value"] for part in hit["parts"]) == pytest.approx(hit["score"])
    assert "quote" in hit["provenance"]
    assert memdesk("facts", "--json").json["rows"][0]["id"] == fact
    assert memdesk("recall", "tea", "--json").json["hits"], "a person asks every channel"
    assert memdesk("recall", "tea", "--channel", "_global", "--json").json["hits"] == []
    assert memdesk("recall", "tea", "--agent", "iris", "--json").json["hits"] == [], "an agent asks its own"


def test_a_person_reads_aligned_lines_and_a_pipe_gets_no_colours(memdesk: Any) -> None:
    learn(memdesk, TEA, "letters")
    learn(memdesk, "陈阿姨 sends osmanthus cake every autumn", "letters")
    said = memdesk("facts", "--channel", "letters")
    head, first, second = said.out.splitlines()
    assert head.index("CLAIM") == second.index(TEA)
    assert "陈阿姨" in first
    assert "\x1b" not in said.out


def test_promote_shows_the_thresholds_and_undo_takes_it_back(memdesk: Any) -> None:
    fact = learn(memdesk, "Jun is allergic to penicillin")
    promoted = memdesk("promote", fact, "--reason", "everyone should know", "--json").json
    assert promoted["preview"]["thresholds"]
    shown = memdesk("show", promoted["id"], "--json").json
    assert (promoted["title"], promoted["files"], shown["channel"]) == (shown["title"], [], "_global")
    # The original may have its vector before the copy, and comes first until that has one.
    assert memdesk("jobs", "run", "embedding").code == 0
    assert memdesk("recall", "penicillin", "--json").json["hits"][0]["id"] == promoted["id"]
    event = memdesk("show", str(promoted["change"]), "--json").json
    assert event["details"]["reason"] == "everyone should know"
    undone = memdesk("undo", "--json").json
    assert undone["undid"] == promoted["change"]
    assert memdesk("recall", "penicillin", "--channel", "_global", "--json").json["hits"] == []
    assert memdesk("redo", "--json").json["undid"] == undone["change"]
    memdesk("undo")


def test_edit_and_retire_are_in_the_log(memdesk: Any) -> None:
    fact = learn(memdesk, "Mara prefers black tea")
    memdesk("edit", fact, "Mara prefers white tea", "--confidence", "0.7")
    memdesk("retire", fact, "--reason", "out of date")
    rows = memdesk("log", "--record", fact, "--json").json["rows"]
    assert [row["op"] for row in rows] == ["retire", "update", "learn"]
    assert memdesk("facts", "white tea", "--json").json["rows"] == []
    assert (
        memdesk("facts", "--state", "retired", "--json").json["rows"][0]["claim"] == "Mara prefers white tea"
    )
    assert "Mara prefers white tea" in memdesk("show", fact).out


def test_the_log_is_narrowed_to_words_a_conversation_a_session_and_a_run(
    memdesk: Any, tmp_path: Path
) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(
        json.dumps(
            [
                {"role": "user", "content": "Where do herons sleep?"},
                {"role": "assistant", "content": "Standing."},
            ]
        )
    )
    memdesk("import", str(chat), "--channel", "pond")
    learn(memdesk, "The pump runs at night")
    (brought,) = memdesk("log", "--op", "import", "--json").json["rows"]
    assert {row["run"] for row in memdesk("log", "--run", brought["run"], "--json").json["rows"]} == {
        brought["run"]
    }
    assert memdesk("log", "--text", "PUMP runs at nig", "--json").json["total"] == 1
    for narrowed in ("--conversation", "--session"):
        assert memdesk("log", narrowed, "nobody", "--json").json["total"] == 0


def test_status_tells_where_the_socket_is(memdesk: Any, desk: Desk) -> None:
    status = memdesk("status", "--json").json
    assert status["socket"] == str(desk.socket)
    assert Path(status["socket"]).is_socket()
    assert status["socket"] in memdesk("status").out


def test_an_import_is_previewed_carried_out_and_changes_nothing_the_second_time(
    memdesk: Any, tmp_path: Path
) -> None:
    chat = tmp_path / "chat.jsonl"
    turns = [("user", "I moved to Lisbon in March."), ("assistant", "Lisbon, noted.")]
    chat.write_text("".join(json.dumps({"role": role, "content": said}) + "\n" for role, said in turns))
    assert "2 turns" in memdesk("import", str(chat), "--preview").out
    before = memdesk("status", "--json").json["turns"]
    first = memdesk("import", str(chat), "--channel", "home", "--json").json
    assert (first["job"]["state"], first["preview"]["channel"]) == ("done", "home")
    assert memdesk("status", "--json").json["turns"] == before + 2
    again = memdesk("import", str(chat), "--channel", "home")
    assert (again.code, memdesk("status", "--json").json["turns"]) == (0, before + 2)


def test_consolidation_waits_until_it_is_done(memdesk: Any) -> None:
    assert memdesk("consolidate", "--json").json["state"] == "done"
    assert "Consolidated" in memdesk("consolidate").out


def test_options_may_stand_before_the_command(memdesk: Any, short_folder: Path) -> None:
    other = str(short_folder / "other")
    try:
        assert memdesk("--json", "--desk", other, "--channel", "atlas", "remember", TEA).code == 0
        assert memdesk("facts", "--desk", other, "--json").json["total"] == 1
    finally:
        memdesk("stop", "--desk", other)


def test_an_error_is_a_sentence_a_next_step_and_an_exit_code(memdesk: Any) -> None:
    missing = memdesk("promote", "f_nothing")
    assert missing.code == NotFound.exit_code
    assert missing.out == ""
    assert missing.err.startswith("memdesk: ")
    assert "\nNext: " in missing.err


def test_an_error_is_json_where_json_was_asked_for(memdesk: Any) -> None:
    missing = memdesk("retire", "nothing", "--json")
    assert json.loads(missing.err)["code"] == NotFound.code
    assert set(json.loads(missing.err)) == set(Wrong.__slots__)


@pytest.mark.parametrize(
    "words",
    [
        ("remember", " "),
        ("remember", "x", "--confidence", "7"),
        ("recall", "x", "--since", "yesterday"),
        ("status", "--channel", "atlas"),
        ("--agent", "iris", "facts"),
        ("forget",),
        (),
    ],
)
def test_what_makes_no_sense_ends_with_2(memdesk: Any, words: tuple[str, ...]) -> None:
    said = memdesk(*words)
    assert (said.code, said.out) == (BadAsk.exit_code, "")
    assert said.err


def test_a_second_service_is_refused_with_the_first_ones_process(memdesk: Any) -> None:
    pid = memdesk("status", "--json").json["pid"]
    second = memdesk("serve")
    assert second.code == 9
    assert str(pid) in second.err


def test_serve_ends_cleanly_on_a_signal_and_leaves_no_socket(short_folder: Path) -> None:
    desk = Desk(short_folder / "desk")
    for stop in (signal.SIGTERM, signal.SIGINT):
        service = Begun(["serve", "--desk", str(desk.folder)])
        assert str(desk.socket) in until(service.errors, "its first words")
        service.send_signal(stop)
        assert (service.wait(PATIENCE_S), len(service.errors().splitlines())) == (0, 1)
        assert not desk.socket.exists()


def test_stopping_twice_is_no_error(memdesk: Any) -> None:
    memdesk("status")
    assert memdesk("stop", "--json").json["pid"]
    assert memdesk("stop", "--json").json["pid"] is None


def test_a_reader_that_leaves_early_is_no_error(memdesk: Any, desk: Desk) -> None:
    for number in range(3):
        learn(memdesk, f"Claim {number}")
    shell = f"{sys.executable} -m memdesk facts --desk {desk.folder} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_program_as_a_process_writes_data_to_stdout_alone(memdesk: Any, program: Any) -> None:
    fact = program("remember", TEA, "--json")
    assert (json.loads(fact.out)["repeated"], fact.err) == (False, "")
    again = program("remember", TEA, "--json", LC_ALL="C", PYTHONUTF8="0")
    assert json.loads(again.out)["repeated"]
    assert program("retire", "nothing").out == ""


def test_an_argument_that_is_no_text_is_refused(program: Any) -> None:
    said = program("remember", "\udcff")
    assert (said.code, said.out) == (BadAsk.exit_code, "")
    assert "UTF-8" in said.err


def test_the_window_without_a_display_says_how_to_see_it(
    memdesk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    said = memdesk("open")
    assert said.code == 6
    assert "xvfb-run" in said.err and "serve --desk" in said.err


def test_an_export_is_narrowed_and_counted_before_it_is_written(memdesk: Any, tmp_path: Path) -> None:
    memdesk("remember", "The gate is red", "--channel", "quay", "--agent", "Iris")
    memdesk("remember", "The crane is oiled on Mondays", "--channel", "quay")
    said = memdesk("export", "archive", "--kind", "fact", "--agent", "Iris", "--count")
    assert said.code == 0 and "Would go out: 1 channel, 1 fact." in said.out
    file = tmp_path / "hers.zip"
    assert memdesk("export", "archive", str(file), "--kind", "fact", "--agent", "Iris").code == 0
    assert b"crane" not in zipfile.ZipFile(file).read("facts.jsonl")
    assert "Nothing" not in memdesk("export", "mem0", "--count", "--since", "2001-01-31").out
    refused = memdesk("export", "archive", "--kind", "turn", "--count")
    assert refused.code == BadAsk.exit_code and "These are: conversation, fact" in refused.err


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that takes no file, whoever asks")
def test_what_a_job_failed_of_is_told_once_with_its_next_step(memdesk: Any) -> None:
    said = memdesk("export", "mem0", "/proc/memories.json")
    assert said.code == StorageFailed.exit_code
    assert said.err.count("Free some disk space") == said.err.count("Next: ") == 1
