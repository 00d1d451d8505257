"""Entries that call MemDesk in the settings of a runtime: put in and taken out, everything else left as it is."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args

from memdesk.client import hook
from memdesk.files.places import Desk
from memdesk.model.project import Moment

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

    @property
    def start(self) -> tuple[str, ...]:
        """Command that starts the desk's service, if none runs."""
        return (sys.executable, "-m", "memdesk", "status", "--desk", str(self.place.folder))

    def hook(self, moment: Moment) -> tuple[str, ...]:
        """Return the command of a hook: the small client alone, without the packages of the environment."""
        fixed = (sys.executable, "-I", "-S", hook.__file__, moment, "--socket", str(self.place.socket))
        given = [("--agent", self.agent), ("--channel", self.channel), ("--desk", str(self.place.folder))]
        given.append(("--token-file", self.token_file))
        return (*fixed, *(word for name, value in given if value for word in (name, value)))


def with_hooks(
    settings: Settings, program: DeskCommand, events: Collection[str] = tuple(MOMENTS)
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


def with_slot(settings: Settings, program: DeskCommand) -> Settings:
    """Return the settings of OpenClaw with our plugin in its memory slot. What had the slot is noted in our entry.

    Raises TypeError or AttributeError for settings of another shape."""
    changed = without_slot(settings)
    plugins = changed.setdefault("plugins", {})
    slots = plugins.setdefault("slots", {})
    config = {
        "socket": str(program.place.socket),
        "start": list(program.start),
        "agent": program.agent,
        "channel": program.channel,
        "tokenFile": program.token_file,
        "replaced": slots.get("memory"),
    }
    slots["memory"] = SERVER
    plugins.setdefault("entries", {})[SERVER] = {
        "enabled": True,
        # Without it the host gives a plugin no answers to keep.
        "hooks": {"allowConversationAccess": True},
        "config": {name: value for name, value in config.items() if value},
    }
    if isinstance(plugins.get("allow"), list):
        plugins["allow"].append(SERVER)
    return changed


def without_slot(settings: Settings) -> Settings:
    """Return the settings of OpenClaw without our plugin and without our MCP server, which came before it."""
    changed = without_server(settings, ("mcp", "servers"))
    plugins = changed.get("plugins", {})
    ours = plugins.get("entries", {}).pop(SERVER, None)
    slots = plugins.get("slots", {})
    if slots.get("memory") == SERVER:
        replaced = ours["config"].get("replaced") if ours else None
        slots.update({"memory": replaced}) if replaced else slots.pop("memory")
    if isinstance(plugins.get("allow"), list) and SERVER in plugins["allow"]:
        plugins["allow"].remove(SERVER)
    if ours is not None:
        for name in ("slots", "entries"):
            if plugins.get(name) == {}:
                del plugins[name]
        if not plugins:
            del changed["plugins"]
    return changed


def _quoted(word: str) -> str:
    """Return a word quoted for the shell; words without special characters stay as they are."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else "'" + word.replace("'", "'\\''") + "'"
