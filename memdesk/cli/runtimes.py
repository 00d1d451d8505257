"""Runtimes that the desk can be connected to: where their settings are, and the entries that call MemDesk."""

from __future__ import annotations

import copy
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

import platformdirs

from memdesk.client import hook
from memdesk.files.places import Desk
from memdesk.model.hook import Moment

Settings = dict[str, Any]
SERVER = "memdesk"
"""Name of our MCP server in a runtime's settings."""
MOMENTS: dict[str, Moment] = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "PostToolUseFailure": "tool",
    "SubagentStop": "subagent-stop",
    "Stop": "stop",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compact",
    "SessionEnd": "session-end",
}
"""Moment that a hook reports for each event of Claude Code. PreToolUse is left out: what it says, PostToolUse says too,
with the result."""
CODEX_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "SubagentStop",
    "Stop",
    "PreCompact",
    "PostCompact",
)
TIMEOUT_SECONDS = 20
"""Seconds after which the runtime stops a hook; ours ends earlier."""
_OURS = re.compile(r"(memdesk\S*\s+hook|client/hook\.py'?)\s+(" + "|".join(get_args(Moment)) + r")\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskCommand:
    """Command by which the runtime calls us. words: the command up to `mcp`. The other fields become its options.

    place: the desk with its socket. desk: its folder, if it is not the usual one. token_file: names the agent's token,
    which so is in no command, diff or list of processes."""

    words: tuple[str, ...]
    agent: str
    channel: str | None
    desk: str | None
    place: Desk
    token_file: str | None = None

    def command(self, *words: str) -> tuple[str, ...]:
        place = [("--agent", self.agent), ("--channel", self.channel), ("--desk", self.desk)]
        place.append(("--token-file", self.token_file))
        return (*self.words, *words, *(word for name, value in place if value for word in (name, value)))

    def hook(self, moment: Moment) -> tuple[str, ...]:
        """Return the command of a hook: the small client alone, without the packages of the environment."""
        fixed = (sys.executable, "-I", "-S", hook.__file__, moment, "--socket", str(self.place.socket))
        given = [("--agent", self.agent), ("--channel", self.channel), ("--desk", str(self.place.folder))]
        given.append(("--token-file", self.token_file))
        return (*fixed, *(word for name, value in given if value for word in (name, value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Runtime that the desk can be connected to.

    file: where its settings are. added, removed: return its settings with our entries and without them. set:
    its default tool set. also: a further command that the user runs with the runtime's own program; {mcp} is
    replaced by our MCP command. afterwards: what the user must know after the change."""

    name: str
    file: Callable[[], Path]
    added: Callable[[Settings, DeskCommand, str], Settings]
    removed: Callable[[Settings], Settings]
    set: str
    also: str
    afterwards: str


def with_hooks(
    settings: Settings, program: DeskCommand, _set: str, events: Collection[str] = tuple(MOMENTS)
) -> Settings:
    """Return the settings with our hooks, in the format of Claude Code and Codex. Raises TypeError or
    AttributeError for settings of another shape."""
    changed = without_hooks(settings)
    hooks = changed.setdefault("hooks", {})
    for event in events:
        command = " ".join(_quoted(word) for word in program.hook(MOMENTS[event]))
        handler = {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}
        hooks.setdefault(event, []).append({"hooks": [handler]})
    return changed


def without_hooks(settings: Settings) -> Settings:
    """Return the settings without our hooks, and without containers that only our hooks filled."""
    changed = copy.deepcopy(settings)
    hooks = changed.get("hooks", {})
    for event in tuple(hooks):
        groups = []
        for group in hooks[event]:
            kept = [each for each in group.get("hooks", ()) if not _OURS.search(str(each.get("command", "")))]
            if len(kept) == len(group.get("hooks", ())):
                groups.append(group)
            elif kept:
                groups.append({**group, "hooks": kept})
        if groups or not hooks[event]:
            hooks[event] = groups
        else:
            del hooks[event]
    if "hooks" in changed and not hooks and settings.get("hooks"):
        del changed["hooks"]
    return changed


def with_server(
    settings: Settings,
    program: DeskCommand,
    set: str,
    keys: Sequence[str],
    more: Mapping[str, str] = MappingProxyType({}),
) -> Settings:
    """Return the settings with our MCP server. keys: the names that lead to their servers. more: further fields of an
    entry. Raises TypeError or AttributeError for settings of another shape."""
    changed = copy.deepcopy(settings)
    first, *rest = program.command("mcp", "--set", set)
    servers = changed
    for key in keys:
        servers = servers.setdefault(key, {})
    servers[SERVER] = {**more, "command": first, "args": rest}
    return changed


def without_server(settings: Settings, keys: Sequence[str]) -> Settings:
    """Return the settings without our MCP server, and without containers that only it filled."""
    changed = copy.deepcopy(settings)
    around = [changed]
    for key in keys:
        around.append(around[-1].get(key, {}))
    if around[-1].pop(SERVER, None) is None:
        return changed
    for outer, key in zip(reversed(around[:-1]), reversed(keys), strict=True):
        if not outer[key]:
            del outer[key]
    return changed


def _quoted(word: str) -> str:
    """Return a word quoted for the shell; words without special characters stay as they are."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def _home(variable: str, folder: str) -> Path:
    named = os.environ.get(variable)
    return Path(named).expanduser() if named else Path.home() / folder


def _settings_of(program: str) -> Path:
    """Return the folder of a desktop program's settings on this system."""
    return platformdirs.user_config_path(program, appauthor=False, roaming=True)


RUNTIMES = (
    Runtime(
        name="claude-code",
        file=lambda: _home("CLAUDE_CONFIG_DIR", ".claude") / "settings.json",
        added=with_hooks,
        removed=without_hooks,
        set="mcp-memory",
        also=f"claude mcp add --scope user {SERVER} -- {{mcp}}",
        afterwards="The next session of Claude Code has it.",
    ),
    Runtime(
        name="codex",
        file=lambda: _home("CODEX_HOME", ".codex") / "hooks.json",
        added=partial(with_hooks, events=CODEX_EVENTS),
        removed=without_hooks,
        set="mcp-memory",
        also=f"codex mcp add {SERVER} -- {{mcp}}",
        afterwards="Codex asks you to trust the hooks when it starts next.",
    ),
    Runtime(
        name="openclaw",
        file=lambda: _home("OPENCLAW_STATE_DIR", ".openclaw") / "openclaw.json",
        added=partial(with_server, keys=("mcp", "servers")),
        removed=partial(without_server, keys=("mcp", "servers")),
        set="openclaw",
        also="",
        afterwards="Start OpenClaw's gateway anew.",
    ),
    Runtime(
        name="cursor",
        file=lambda: Path.home() / ".cursor" / "mcp.json",
        added=partial(with_server, keys=("mcpServers",)),
        removed=partial(without_server, keys=("mcpServers",)),
        set="mcp-memory",
        also="",
        afterwards="Cursor lists the server under Settings, MCP.",
    ),
    Runtime(
        name="claude-desktop",
        file=lambda: _settings_of("Claude") / "claude_desktop_config.json",
        added=partial(with_server, keys=("mcpServers",)),
        removed=partial(without_server, keys=("mcpServers",)),
        set="mcp-memory",
        also="",
        afterwards="Start Claude Desktop anew.",
    ),
    Runtime(
        name="vscode",
        file=lambda: _settings_of("Code") / "User" / "mcp.json",
        added=partial(with_server, keys=("servers",), more={"type": "stdio"}),
        removed=partial(without_server, keys=("servers",)),
        set="mcp-memory",
        also="",
        afterwards="VS Code asks you to trust the server when it starts it first.",
    ),
    Runtime(
        name="gemini-cli",
        file=lambda: Path.home() / ".gemini" / "settings.json",
        added=partial(with_server, keys=("mcpServers",)),
        removed=partial(without_server, keys=("mcpServers",)),
        set="mcp-memory",
        also="",
        afterwards="The next session of Gemini CLI has it.",
    ),
)
BY_NAME = {runtime.name: runtime for runtime in RUNTIMES}
