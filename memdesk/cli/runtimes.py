"""Changes that `install` makes to each runtime's settings, as pure functions from one JSON object to another.

Only entries that call `memdesk` are ever changed; the rest of the file is kept."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Settings = dict[str, Any]
SERVER = "memdesk"
"""Name of our MCP server in a runtime's settings."""
MOMENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "Stop": "stop",
    "PreCompact": "pre-compact",
}
"""Hook command for each event of Claude Code and Codex."""
TIMEOUT_SECONDS = 20
"""Seconds after which the runtime stops a hook; ours ends earlier."""
_OURS = re.compile(r"memdesk\S*\s+hook\s+(session-start|prompt|stop|pre-compact)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Command by which the runtime calls us. words: the command up to `hook` or `mcp`. The other fields
    become its options."""

    words: tuple[str, ...]
    agent: str
    channel: str | None
    desk: str | None

    def command(self, *words: str) -> tuple[str, ...]:
        place = [("--agent", self.agent), ("--channel", self.channel), ("--desk", self.desk)]
        return (*self.words, *words, *(word for name, value in place if value for word in (name, value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Runtime that the desk can be connected to.

    file: where its settings are. added, removed: return its settings with our entries and without them. set:
    its default tool set. also: a further command that the user runs with the runtime's own program; {mcp} is
    replaced by our MCP command. afterwards: what the user must know after the change."""

    name: str
    file: Callable[[], Path]
    added: Callable[[Settings, Program, str], Settings]
    removed: Callable[[Settings], Settings]
    set: str
    also: str
    afterwards: str


def with_hooks(settings: Settings, program: Program, _set: str) -> Settings:
    """Return the settings with our hooks, in the format of Claude Code and Codex. Raises TypeError or
    AttributeError for settings of another shape."""
    changed = without_hooks(settings)
    hooks = changed.setdefault("hooks", {})
    for event, moment in MOMENTS.items():
        command = " ".join(_quoted(word) for word in program.command("hook", moment))
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


def with_server(settings: Settings, program: Program, set: str) -> Settings:
    """Return the settings with our MCP server, in the format of OpenClaw."""
    changed = copy.deepcopy(settings)
    first, *rest = program.command("mcp", "--set", set)
    servers = changed.setdefault("mcp", {}).setdefault("servers", {})
    servers[SERVER] = {"command": first, "args": rest}
    return changed


def without_server(settings: Settings) -> Settings:
    """Return the settings without our MCP server, and without containers that only it filled."""
    changed = copy.deepcopy(settings)
    servers = changed.get("mcp", {}).get("servers", {})
    if servers.pop(SERVER, None) is None:
        return changed
    if not servers:
        del changed["mcp"]["servers"]
    if not changed["mcp"]:
        del changed["mcp"]
    return changed


def _quoted(word: str) -> str:
    """Return a word quoted for the shell; words without special characters stay as they are."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def _home(variable: str, folder: str) -> Path:
    named = os.environ.get(variable)
    return Path(named).expanduser() if named else Path.home() / folder


RUNTIMES = (
    Runtime(
        name="claude-code", file=lambda: _home("CLAUDE_CONFIG_DIR", ".claude") / "settings.json",
        added=with_hooks, removed=without_hooks, set="mcp-memory",
        also=f"claude mcp add --scope user {SERVER} -- {{mcp}}",
        afterwards="The next session of Claude Code has it.",
    ),
    Runtime(
        name="codex", file=lambda: _home("CODEX_HOME", ".codex") / "hooks.json",
        added=with_hooks, removed=without_hooks, set="mcp-memory", also=f"codex mcp add {SERVER} -- {{mcp}}",
        afterwards="Codex asks you to trust the hooks when it starts next.",
    ),
    Runtime(
        name="openclaw", file=lambda: _home("OPENCLAW_STATE_DIR", ".openclaw") / "openclaw.json",
        added=with_server, removed=without_server, set="openclaw", also="",
        afterwards="Start OpenClaw's gateway anew.",
    ),
)  # fmt: skip
BY_NAME = {runtime.name: runtime for runtime in RUNTIMES}
