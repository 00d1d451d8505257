"""Files on the command line: how a folder was recognised, a line learned, and what an agent's prompt gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home") / ".agenticx" / "avatars" / "smith" / "workspace"
    (folder / "memory").mkdir(parents=True)
    (folder / "IDENTITY.md").write_text("# Smith\n\nPatient.\n")
    (folder / "MEMORY.md").write_text("# MEMORY.md\n\n- The pool has 25 connections per node\n")
    (folder / "memory" / "2026-03-01.md").write_text("# Daily Memory\n\n- Sam measured the north wall\n")
    return folder


def test_no_workspace_is_said_with_what_would_bring_one(memdesk: Any) -> None:
    ran = memdesk("workspaces")
    assert ran.code == 0 and "memdesk import" in ran.err


def test_a_preview_and_the_list_say_how_a_folder_was_recognised(memdesk: Any, folder: Path) -> None:
    because = "because it is the workspace of an avatar in .agenticx"
    told = memdesk("import", str(folder), "--preview").out
    assert f"{folder} is AgenticX, {because}" in told
    (place,) = memdesk("import", str(folder), "--json").json["preview"]["places"]
    assert (place["layout"], place["agent_id"], place["registered"]) == ("AgenticX", "smith", False)
    assert because.removeprefix("because ") in memdesk("workspaces").out
    (row,) = memdesk("workspaces", "--json").json["rows"]
    assert row["path"] == str(folder)


def test_a_line_is_learned_by_file_and_number(memdesk: Any, folder: Path) -> None:
    day = folder / "memory" / "2026-03-01.md"
    memdesk("import", str(folder))
    learned = memdesk("remember", "--line", f"{day}:3", "--json").json
    assert learned["claim"] == "Sam measured the north wall" and learned["line"] == 3
    assert "Known already" in memdesk("remember", "--line", f"{day}:3").out
    memdesk("edit", learned["fact_id"], "Sam measured the south wall")
    assert day.read_text() == "# Daily Memory\n\n- Sam measured the south wall\n"
    memdesk("retire", learned["fact_id"])
    assert day.read_text() == "# Daily Memory\n\n"


@pytest.fixture
def crew(tmp_path: Path) -> Path:
    folder = tmp_path / "crew"
    folder.mkdir()
    lines = "# The boat leaves at seven\n\n- The winch is greased on Mondays\n- Noor keeps the spare keys\n"
    (folder / "MEMORY.md").write_text(lines)
    return folder


def test_a_preview_lists_each_line_and_why_it_makes_no_fact(memdesk: Any, crew: Path) -> None:
    seen = memdesk("import", str(crew), "--preview", "--lines").out
    assert "3 lines: 2 facts, 1 not: heading (1)" in seen
    assert "- MEMORY.md:1 # The boat leaves at seven (heading)" in seen
    assert "+ MEMORY.md:3 - The winch is greased on Mondays" in seen
    assert "MEMORY.md:3" not in memdesk("import", str(crew), "--preview").out


def test_an_import_learns_the_lines_that_a_person_takes_in_and_not_those_left_out(
    memdesk: Any, crew: Path
) -> None:
    choice = ("--with", "MEMORY.md:1", "--without", "MEMORY.md:4")
    seen = memdesk("import", str(crew), "--preview", "--lines", *choice).out
    assert "3 lines: 2 facts, 1 not: left out by you (1)" in seen
    brought = memdesk(
        *("import", str(crew), "--yes", "--channel", "quay"),
        *("--with", "MEMORY.md:1", "--without", "MEMORY.md:4"),
    )
    assert brought.code == 0
    rows = memdesk("facts", "--channel", "quay", "--json").json["rows"]
    assert {row["claim"] for row in rows} == {"The boat leaves at seven", "The winch is greased on Mondays"}


@pytest.mark.parametrize("line", ["MEMORY.md:9", "NOTES.md:1", "MEMORY.md:2", "MEMORY.md"])
@pytest.mark.parametrize("option", ["--with", "--without"])
def test_a_line_that_no_file_has_is_refused(memdesk: Any, crew: Path, option: str, line: str) -> None:
    ran = memdesk("import", str(crew), "--preview", option, line)
    assert ran.code == 2 and line.partition(":")[0] in ran.err


def test_a_person_says_which_system_keeps_a_folder(memdesk: Any, crew: Path) -> None:
    (place,) = memdesk("import", str(crew), "--preview", "--as", "agnx", "--json").json["preview"]["places"]
    assert (place["layout"], place["why"]) == ("agnx", "you said so")
    refused = memdesk("import", str(crew), "--preview", "--as", "Rolodex")
    assert refused.code == 2 and "no layout Rolodex" in refused.err
    names = refused.err.partition("These are: ")[2].strip().rstrip(".").split(", ")
    assert "OpenClaw" in names and len(names) == len(set(names))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("remember",), "nothing to remember"),
        (("remember", "--line", "MEMORY.md"), "FILE:N"),
        (("remember", "--line", "/nowhere/MEMORY.md:1"), "no workspace of this desk"),
    ],
)
def test_what_names_no_line_is_refused_with_a_next_step(
    memdesk: Any, words: tuple[str, ...], says: str
) -> None:
    ran = memdesk(*words)
    assert ran.code != 0 and says in ran.err


def test_what_a_prompt_gets_is_printed(memdesk: Any, folder: Path) -> None:
    memdesk("import", str(folder))
    assert "Patient." in memdesk("prompt", "start", "--agent", "smith").out
    told = memdesk("prompt", "recall", "how many connections has the pool?", "--agent", "smith").out
    assert told.startswith("## 相关历史记忆(自动召回)\n- ") and "25 connections" in told
    assert memdesk("prompt", "recall", "--agent", "smith").out.strip() == ""
