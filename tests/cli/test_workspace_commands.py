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
    learned = memdesk("remember", "--line", f"{day}:3", "--json").json
    assert learned["claim"] == "Sam measured the north wall" and learned["line"] == 3
    assert "Known already" in memdesk("remember", "--line", f"{day}:3").out
    memdesk("edit", learned["fact_id"], "Sam measured the south wall")
    assert day.read_text() == "# Daily Memory\n\n- Sam measured the south wall\n"
    memdesk("retire", learned["fact_id"])
    assert day.read_text() == "# Daily Memory\n\n"


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
    assert "Patient." in memdesk("prompt", "start", "--agent", "smith").out
    told = memdesk("prompt", "recall", "how many connections has the pool?", "--agent", "smith").out
    assert told.startswith("## 相关历史记忆(自动召回)\n- ") and "25 connections" in told
    assert memdesk("prompt", "recall", "--agent", "smith").out.strip() == ""
