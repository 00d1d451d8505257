"""install: the change is shown first, made when told to, and leaves everything else in a runtime's settings alone."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.client.plugs import entries, json5_text
from memdesk.client.plugs.entries import DeskCommand
from memdesk.client.plugs.runtimes import RUNTIMES
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
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR", "HERMES_HOME"):
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
    assert done["applied"] and json.loads(Path(done["backups"][0]).read_text()) == OTHERS
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
    assert [each.name for each in file.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("runtime", [runtime.name for runtime in RUNTIMES])
def test_every_runtime_is_plugged_in_where_it_had_no_settings_and_out_again(
    memdesk: Any, home: Path, runtime: str
) -> None:
    done = memdesk("install", runtime, "--apply", "--json").json
    file = Path(done["file"])
    assert done["applied"] and file.is_relative_to(home) and "memdesk" in file.read_text()
    assert memdesk("install", runtime, "--apply", "--json").json["diff"] == ""
    memdesk("install", runtime, "--apply", "--uninstall")
    assert not list(file.parent.rglob("*"))


def test_a_plugin_takes_the_place_of_the_hooks_and_the_hooks_its_place(memdesk: Any, home: Path) -> None:
    settings, plugin = home / ".claude" / "settings.json", home / ".claude" / "skills" / "memdesk"
    settings.parent.mkdir()
    settings.write_text(json.dumps(OTHERS))
    memdesk("install", "claude-code", "--apply")
    assert not plugin.exists() and "hook.py" in settings.read_text()
    shown = memdesk("install", "claude-code", "--plugin")
    assert "hooks/hooks.json" in shown.out and "claude mcp add" not in shown.out and not plugin.exists()
    memdesk("install", "claude-code", "--plugin", "--apply")
    assert json.loads(settings.read_text()) == OTHERS
    events = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(events) == set(entries.MOMENTS) and all(len(groups) == 1 for groups in events.values())
    assert "mcp" in json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["memdesk"]["args"]
    memdesk("install", "claude-code", "--apply")
    assert not plugin.exists() and "hook.py" in settings.read_text()
    memdesk("install", "claude-code", "--uninstall", "--apply")
    assert settings.read_text() == json.dumps(OTHERS)
    assert [each.name for each in settings.parent.iterdir()] == ["settings.json"]
    assert memdesk("install", "codex", "--plugin").code == 2


def test_openclaw_gets_the_desk_in_its_memory_slot_and_its_old_memory_back(memdesk: Any, home: Path) -> None:
    text = """{
  // mine
  agents: { defaults: { workspace: '~/.openclaw/workspace' } },
  plugins: {
    slots: { memory: "memory-lancedb" }, // until spring
    allow: ["memory-lancedb"],
  },
}
"""
    file = home / ".openclaw" / "openclaw.json"
    file.parent.mkdir()
    file.write_text(text)
    memdesk("install", "openclaw", "--apply")
    changed = file.read_text()
    plugins = json5_text.read(changed)["plugins"]
    assert plugins["slots"] == {"memory": "memdesk"} and plugins["allow"] == ["memory-lancedb", "memdesk"]
    assert plugins["entries"]["memdesk"]["config"]["replaced"] == "memory-lancedb"
    assert "// mine" in changed and "// until spring" in changed
    memdesk("install", "openclaw", "--apply", "--uninstall")
    assert file.read_text() == text and [each.name for each in file.parent.iterdir()] == ["openclaw.json"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model: x\n", "model: x\nmemory: # memdesk\n  provider: memdesk\n"),
        ("memory:\n  memory_enabled: true # on\nmodel: x\n", None),
        ("memory:\n  provider: ''\n", "memory:\n  provider: memdesk\n"),
        ("memory:\n  provider: honcho\n", ""),
        ("memory: {provider: ''}\n", ""),
    ],
)
def test_hermes_gets_its_provider_in_one_line(
    memdesk: Any, home: Path, text: str, expected: str | None
) -> None:
    file = home / ".hermes" / "config.yaml"
    file.parent.mkdir()
    file.write_text(text)
    ran = memdesk("install", "hermes", "--apply")
    if expected == "":
        assert ran.code == 6 and file.read_text() == text
        return
    assert "  provider: memdesk\n" in file.read_text() and expected in (None, file.read_text())
    assert "# on" in file.read_text() or "# on" not in text
    memdesk("install", "hermes", "--apply", "--uninstall")
    if expected is not None:
        assert file.read_text() == text


def test_codex_gets_its_server_beside_what_its_config_says(memdesk: Any, home: Path) -> None:
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_text('model = "o3" # mine\n\n[mcp_servers.docs]\ncommand = "docs"\n')
    memdesk("install", "codex", "--apply")
    servers = tomllib.loads(file.read_text())["mcp_servers"]
    assert set(servers) == {"docs", "memdesk"} and "mcp" in servers["memdesk"]["args"]
    assert (home / ".codex" / "skills" / "memdesk" / "SKILL.md").exists() and "# mine" in file.read_text()
    memdesk("install", "codex", "--apply", "--uninstall")
    assert file.read_text() == 'model = "o3" # mine\n\n[mcp_servers.docs]\ncommand = "docs"\n'
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]


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
        '{"hooks": {}, // mine\n',
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
        "plugins": st.fixed_dictionaries(
            {"entries": st.dictionaries(st.sampled_from(["files", "web"]), json_values, min_size=1)},
            optional={"slots": st.fixed_dictionaries({"memory": st.just("memory-core")})},
        ),
    },
)


@given(st.sampled_from([tuple(entries.MOMENTS), entries.CODEX_EVENTS]), claude_settings)
def test_hooks_that_are_put_in_and_taken_out_leave_no_trace(
    events: tuple[str, ...], settings: dict[str, Any]
) -> None:
    plugged = entries.with_hooks(settings, PROGRAM, events)
    assert entries.with_hooks(plugged, PROGRAM, events) == plugged
    assert entries.without_hooks(plugged) == settings == entries.without_hooks(settings)


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
def test_a_slot_and_a_server_that_are_put_in_and_taken_out_leave_no_trace(settings: dict[str, Any]) -> None:
    plugged = entries.with_slot(settings, PROGRAM)
    assert entries.with_slot(plugged, PROGRAM) == plugged
    assert entries.without_slot(plugged) == settings == entries.without_slot(settings)
    keys = ("mcp", "servers")
    served = entries.with_server(settings, PROGRAM, "openclaw", keys)
    assert entries.without_server(served, keys) == settings == entries.without_slot(served)
