"""The doctor on the command line: with a service or without, and about what runtimes call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdesk.files.places import Desk
from memdesk.store import binding

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No runtime of the developer's is looked at."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def areas(memdesk: Run) -> set[str]:
    found = json.loads(memdesk("doctor", "--json").out)
    return {each["area"] for each in found["findings"] if not each["ok"]} - {"libraries"}


def test_a_desk_that_is_well_is_told_so_while_its_service_runs(memdesk: Run) -> None:
    memdesk("remember", "Cranes lift cargo")
    shown = memdesk("doctor").out
    assert "Every row is what was written." in shown and "The journal is what was written." in shown
    assert areas(memdesk) == set()
    assert "nothing that a repair could mend" in memdesk("doctor", "--repair").out


def test_damage_is_shown_planned_and_repaired_and_the_service_runs_again(memdesk: Run, desk: Desk) -> None:
    memdesk("remember", "Tugs pull ships")
    memdesk("stop")
    raw = binding.sqlite.connect(str(desk.database))
    raw.execute("UPDATE facts SET claim = 'Tugs sink ships' WHERE claim LIKE 'Tugs%'")
    raw.commit()
    raw.close()
    assert areas(memdesk) >= {"rows"}
    planned = memdesk("doctor", "--repair")
    assert planned.code == 1 and "1. Keep the database as it is" in planned.out
    assert areas(memdesk) >= {"rows"}
    memdesk("status")
    done = memdesk("doctor", "--repair", "--yes")
    assert (done.code, "lost 0" in done.out) == (0, True)
    assert areas(memdesk) == set()
    assert "Tugs pull ships" in memdesk("facts").out


def test_a_runtime_that_calls_a_program_or_a_desk_that_moved_is_named(memdesk: Run, home: Path) -> None:
    hook = {"type": "command", "command": "/gone/bin/memdesk hook stop --agent claude-code"}
    (home / "settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    server = {"command": "python3", "args": ["-m", "memdesk", "mcp", "--desk", "/gone/desk"]}
    (home / "openclaw.json").write_text(json.dumps({"mcp": {"servers": {"memdesk": server}}}))
    shown = memdesk("doctor").out
    assert "calls /gone/bin/memdesk, which is not there." in shown
    assert "names the desk /gone/desk, which is not there." in shown
    assert areas(memdesk) == {"hooks"}
