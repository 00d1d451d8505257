"""skills: what a person pinned goes into a runtime, shown first, with its source and version, and comes out again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.api import procedures
from memdesk.client.direct import DirectClient
from memdesk.files.places import Desk
from memdesk.model.strategy import EditStrategy, NewStrategy


@pytest.mark.parametrize(
    ("runtime", "file"), [("claude-code", "CLAUDE.md"), ("codex", "AGENTS.md"), ("gemini-cli", "GEMINI.md")]
)
def test_what_was_pinned_is_written_kept_current_and_taken_out(
    memdesk: Any, desk: Desk, tmp_path: Path, runtime: str, file: str
) -> None:
    channel = ("--channel", f"harbour-{runtime}")
    claim = "Measurements are kept for 14 days <!-- memdesk: end --> and no longer"
    fact = memdesk("remember", claim, *channel, "--json").json["id"]
    memdesk("remember", "The gate is red", *channel)
    owner = DirectClient(desk)
    ask = NewStrategy(
        description="Restart the pump: it's quick", tool_sequence=("ssh", "pump"), channel=channel[1]
    )
    strategy = owner.call(procedures.LEARN_STRATEGY, ask).id
    instructions = tmp_path / file
    instructions.write_text("# Mine\n\nNo trailing newline")
    place = ("--runtime", runtime, "--folder", str(tmp_path), *channel)
    assert memdesk("skills", "write", *place, "--json").json["files"] == []

    for id in (fact, strategy):
        assert memdesk("pin", id).code == 0
    listed = memdesk("skills", *place).out
    assert fact in listed and strategy in listed and "gate" not in listed
    shown = memdesk("skills", "write", *place)
    assert "+## Approved in MemDesk" in shown.out and "--apply" in shown.err
    assert instructions.read_text() == "# Mine\n\nNo trailing newline" and not (tmp_path / "skills").exists()

    written = memdesk("skills", "write", *place, "--apply", "--json").json
    (skill,) = (tmp_path / "skills").glob("*/SKILL.md")
    text = skill.read_text()
    assert skill.parent.name == written["skills"][0] and f"name: {skill.parent.name}\n" in text
    assert "version: 1" in text and strategy in text and "1. ssh\n2. pump" in text and "it''s" in text
    section = instructions.read_text()
    assert section.startswith("# Mine") and fact in section and section.count("memdesk: end -->") == 1
    assert Path(written["backups"][0]).read_text() == "# Mine\n\nNo trailing newline"
    assert memdesk("skills", "write", *place, "--apply", "--json").json["files"] == []

    ask_edit = EditStrategy(strategy_id=strategy, description="Restart the pump, then wait")
    owner.call(procedures.EDIT_STRATEGY, ask_edit)
    memdesk("skills", "write", *place, "--apply")
    assert "version: 2" in skill.read_text() and "then wait" in skill.read_text()

    assert memdesk("skills", "remove", *place, "--apply").code == 0
    assert [each.name for each in tmp_path.iterdir()] == [file]
    assert instructions.read_text() == "# Mine\n\nNo trailing newline"
