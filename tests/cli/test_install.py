"""install: the change is shown first, made when told to, and leaves everything else in a runtime's settings alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.cli.runtimes import BY_NAME, RUNTIMES, DeskCommand
from memdesk.files.places import Desk

PROGRAM = DeskCommand(
    words=("/opt/my tools/memdesk",),
    agent="iris",
    channel=None,
    desk=None,
    place=Desk(Path("/home/mara/my desk")),
)
OTHERS = {
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
    },
}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A visitor's home, without a runtime's settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def commands(settings: dict[str, Any], event: str) -> list[str]:
    return [each["command"] for group in settings["hooks"][event] for each in group["hooks"]]


def test_without_apply_the_change_is_only_shown(memdesk: Any, home: Path) -> None:
    ran = memdesk("install", "claude-code")
    assert ran.code == 0 and "+" in ran.out and "hook.py prompt" in ran.out and "--apply" in ran.err
    assert "claude mcp add" in ran.out
    assert not (home / ".claude").exists()


def test_it_comes_goes_and_comes_again_beside_what_others_put_there(memdesk: Any, home: Path) -> None:
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps(OTHERS, indent=2) + "\n")
    done = memdesk("install", "claude-code", "--apply", "--channel", "tidepool", "--json").json
    settings = json.loads(file.read_text())
    assert done["applied"] and json.loads(Path(done["backup"]).read_text()) == OTHERS
    assert commands(settings, "Stop")[0] == "say done" and "hook.py stop" in commands(settings, "Stop")[1]
    assert settings["model"] == "opus" and commands(settings, "PreToolUse") == ["check"]
    assert all(
        "--channel tidepool" in commands(settings, each)[-1] for each in ("SessionStart", "PreCompact")
    )
    assert memdesk("install", "claude-code", "--apply", "--channel", "tidepool", "--json").json["diff"] == ""
    moved = memdesk("install", "claude-code", "--apply", "--channel", "lisbon", "--json").json
    assert moved["applied"] and len(commands(json.loads(file.read_text()), "Stop")) == 2
    assert memdesk("install", "claude-code", "--uninstall", "--apply").code == 0
    assert json.loads(file.read_text()) == OTHERS


@pytest.mark.parametrize("runtime", [runtime.name for runtime in RUNTIMES])
def test_every_runtime_is_plugged_in_where_it_had_no_settings_and_out_again(
    memdesk: Any, home: Path, runtime: str
) -> None:
    done = memdesk("install", runtime, "--apply", "--json").json
    file = Path(done["file"])
    assert done["applied"] and file.is_relative_to(home) and "memdesk" in file.read_text()
    memdesk("install", runtime, "--apply", "--uninstall")
    assert json.loads(file.read_text()) == {}


def test_openclaw_gets_the_desk_as_a_server_of_tools(memdesk: Any, home: Path) -> None:
    memdesk("install", "openclaw", "--apply")
    server = json.loads((home / ".openclaw" / "openclaw.json").read_text())["mcp"]["servers"]["memdesk"]
    assert server["args"][server["args"].index("--set") + 1] == "openclaw"


def test_a_file_behind_a_link_is_changed_where_it_lies(memdesk: Any, home: Path) -> None:
    real = home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    real.chmod(0o640)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(real)
    assert memdesk("install", "claude-code", "--apply").code == 0
    assert (home / ".claude" / "settings.json").is_symlink() and "hook.py stop" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": {}, // mine\n}',
        '["a list"]',
        '{"hooks": ["a list"]}',
        '{"hooks": {"Stop": [7]}}',
        "\x00\xff",
    ],
)
def test_a_file_that_is_not_understood_is_left_as_it_is(memdesk: Any, home: Path, text: str) -> None:
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(text, encoding="latin-1")
    ran = memdesk("install", "claude-code", "--apply")
    assert ran.code == 6 and ran.err
    assert file.read_text(encoding="latin-1") == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
handlers = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=20)})
groups = st.fixed_dictionaries({"hooks": st.lists(handlers, min_size=1, max_size=2)})
claude_settings = st.fixed_dictionaries(
    {},
    optional={
        "env": json_values,
        "hooks": st.dictionaries(
            st.sampled_from(["Stop", "SessionStart", "Notification"]),
            st.lists(groups, min_size=1, max_size=2),
            min_size=1,
        ),
    },
)
openclaw_settings = st.fixed_dictionaries(
    {},
    optional={
        "agents": json_values,
        "mcp": st.fixed_dictionaries(
            {"servers": st.dictionaries(st.sampled_from(["files", "web"]), json_values, min_size=1)}
        ),
    },
)


@given(st.sampled_from(["claude-code", "codex"]), claude_settings)
def test_hooks_that_are_put_in_and_taken_out_leave_no_trace(name: str, settings: dict[str, Any]) -> None:
    runtime = BY_NAME[name]
    plugged = runtime.added(settings, PROGRAM, runtime.set)
    assert runtime.added(plugged, PROGRAM, runtime.set) == plugged
    assert runtime.removed(plugged) == settings == runtime.removed(settings)


@pytest.mark.parametrize(
    ("runtime", "file", "keys"),
    [
        ("cursor", ".cursor/mcp.json", ("mcpServers",)),
        ("gemini-cli", ".gemini/settings.json", ("mcpServers",)),
        ("vscode", "Code/User/mcp.json", ("servers",)),
        ("claude-desktop", "Claude/claude_desktop_config.json", ("mcpServers",)),
    ],
)
def test_programs_that_speak_mcp_get_a_server_of_their_own_agent(
    memdesk: Any, home: Path, runtime: str, file: str, keys: tuple[str, ...]
) -> None:
    done = memdesk("install", runtime, "--apply", "--json").json
    assert done["file"].endswith(file)
    found = json.loads(Path(done["file"]).read_text())
    for key in keys:
        found = found[key]
    args = found["memdesk"]["args"]
    assert args[args.index("--agent") + 1] == runtime and Path(found["memdesk"]["command"]).is_absolute()


@given(openclaw_settings)
def test_a_server_that_is_put_in_and_taken_out_leaves_no_trace(settings: dict[str, Any]) -> None:
    runtime = BY_NAME["openclaw"]
    plugged = runtime.added(settings, PROGRAM, runtime.set)
    assert runtime.removed(plugged) == settings == runtime.removed(settings)
