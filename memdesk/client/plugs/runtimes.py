"""Runtimes that the desk can be connected to: their files, and what is put into each."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs

from memdesk.client.plugs import json5_text
from memdesk.client.plugs.entries import (
    CODEX_EVENTS,
    SERVER,
    DeskCommand,
    Settings,
    with_hooks,
    with_server,
    with_slot,
    without_hooks,
    without_server,
    without_slot,
)
from memdesk.files.places import resource
from memdesk.model.message import message

DESK_FILE = "desk.json"
"""File of Hermes' plugin with the place of the desk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """File of a runtime that an installation changes. added, removed: functions that return its text with and without
    our part; "" means that there is no file.

    They raise ValueError, TypeError, AttributeError or KeyError for a text of another shape. own: the file is wholly
    ours."""

    path: Path
    added: Callable[[str], str]
    removed: Callable[[str], str]
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plug:
    """Choice for one installation. folder: of the runtime's settings. set: of tools. plugin: as a plugin, where the
    runtime has both ways."""

    file: Path
    program: DeskCommand
    set: str
    plugin: bool = False

    @property
    def folder(self) -> Path:
        return self.file.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Runtime that the desk can be connected to.

    file: where its settings are. parts: the files that are changed. set: its default tool set. also: a further command
    that the user runs with the runtime's own program; {mcp} is replaced by our MCP command. afterwards: what the user
    must know after the change. has_plugin: it can be connected as a plugin instead."""

    name: str
    title: str
    file: Callable[[], Path]
    parts: Callable[[Plug], Iterator[Part]]
    set: str = "mcp-memory"
    also: str = ""
    afterwards: str
    has_plugin: bool = False


def settings_part(
    path: Path, added: Callable[[Settings], Settings], removed: Callable[[Settings], Settings]
) -> Part:
    """Return the part of a settings file in JSON, with or without comments."""

    def changed(text: str, change: Callable[[Settings], Settings]) -> str:
        settings = json5_text.read(text) if text.strip() else {}
        if not isinstance(settings, dict):
            raise TypeError(message("it holds no JSON object"))
        wanted = change(settings)
        if wanted == settings:
            return text
        if not text.strip():
            return json.dumps(wanted, indent=2, ensure_ascii=False) + "\n"
        # A file with nothing of others in it is one that we made.
        return json5_text.rewritten(text, wanted) if wanted else ""

    return Part(path=path, added=partial(changed, change=added), removed=partial(changed, change=removed))


def own_file(path: Path, text: str) -> Part:
    """Return a file that is wholly ours."""
    return Part(path=path, added=lambda _: text, removed=lambda _: "", own=True)


def package(folder: Path, name: str, made: dict[str, str]) -> Iterator[Part]:
    """Yield the files of one of our plugins. made: further files by name, or in place of one."""
    source = resource("plugins", name)
    found = {
        each.relative_to(source).as_posix(): each for each in sorted(source.rglob("*")) if each.is_file()
    }
    for path, each in found.items():
        if path not in made and "__pycache__" not in path:
            yield own_file(folder / path, each.read_text(encoding="utf-8"))
    for path, text in made.items():
        yield own_file(folder / path, text)


def absent(parts: Iterator[Part]) -> Iterator[Part]:
    """Yield the parts so that they are taken out in either direction."""
    for part in parts:
        yield Part(path=part.path, added=part.removed, removed=part.removed, own=part.own)


def _dumped(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _claude_code(plug: Plug) -> Iterator[Part]:
    """Yield the hooks in the settings, or the plugin, which Claude Code loads from its folder of skills.

    Never both, for then each event would come twice."""

    def hooks(settings: Settings) -> Settings:
        return with_hooks(settings, plug.program)

    made = {
        "hooks/hooks.json": _dumped(hooks({})),
        ".mcp.json": _dumped(with_server({}, plug.program, plug.set, ("mcpServers",))),
    }
    plugin = package(plug.folder / "skills" / SERVER, "claude-code", made)
    yield settings_part(plug.file, without_hooks if plug.plugin else hooks, without_hooks)
    yield from plugin if plug.plugin else absent(plugin)


def _codex(plug: Plug) -> Iterator[Part]:
    yield settings_part(
        plug.file, partial(with_hooks, program=plug.program, events=CODEX_EVENTS), without_hooks
    )
    yield Part(
        path=plug.folder / "config.toml", added=partial(_with_table, plug=plug), removed=_without_table
    )
    yield from package(plug.folder, "codex", {})


def _with_table(text: str, plug: Plug) -> str:
    """Return Codex' config.toml with our MCP server."""
    import tomlkit

    command = with_server({}, plug.program, plug.set, ())[SERVER]
    document = tomlkit.parse(text)
    servers = document.get("mcp_servers", {})
    if servers.get(SERVER) == command:
        return text
    document = tomlkit.parse(_without_table(text))
    if "mcp_servers" not in document:
        document.append("mcp_servers", tomlkit.table(is_super_table=True))
    table = tomlkit.table()
    table.update(command)
    document["mcp_servers"][SERVER] = table
    return tomlkit.dumps(document)


def _without_table(text: str) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    servers = document.get("mcp_servers")
    if servers is None or SERVER not in servers:
        return text
    del servers[SERVER]
    if not servers:
        del document["mcp_servers"]
    return tomlkit.dumps(document).rstrip() + "\n" if document else ""


def _openclaw(plug: Plug) -> Iterator[Part]:
    yield settings_part(plug.file, partial(with_slot, program=plug.program), without_slot)
    yield from package(plug.folder / "extensions" / SERVER, "openclaw", {})


def _hermes(plug: Plug) -> Iterator[Part]:
    program = plug.program
    section = {
        "socket": str(program.place.socket),
        "start": list(program.start),
        "agent": program.agent,
        "channel": program.channel,
        "token_file": program.token_file,
    }
    made = {DESK_FILE: _dumped({name: value for name, value in section.items() if value})}
    yield Part(path=plug.file, added=_with_provider, removed=_without_provider)
    yield from package(plug.folder / "plugins" / SERVER, "hermes", made)


_BLOCK = re.compile(r"^memory:[ \t]*(?:#[^\n]*)?\n((?:[ \t]+[^\n]*\n|[ \t]*\n|[ \t]*#[^\n]*\n)*)", re.M)
_PROVIDER = re.compile(r"^([ \t]+provider:)[ \t]*([^\s#]*)", re.M)
_OURS = f"memory: # {SERVER}\n  provider: {SERVER}\n"


def _with_provider(text: str) -> str:
    """Return Hermes' config.yaml with our provider; only its line is touched."""
    block = _BLOCK.search(text + "\n")
    if block is None:
        if re.search(r"^memory:", text, re.M):
            raise ValueError(message("its `memory` is not a block of lines"))
        return text + ("" if not text or text.endswith("\n") else "\n") + _OURS
    found = _PROVIDER.search(block[1])
    if found is None:
        indent = re.match(r"[ \t]*", block[1])
        line = f"{(indent[0] if indent else '') or '  '}provider: {SERVER}\n"
        return text[: block.start(1)] + line + text[block.start(1) :]
    if found[2] == SERVER:
        return text
    if found[2].strip("'\"") not in ("", "null", "~"):
        raise ValueError(message("it has the memory provider {found}; set it to '' first", found=found[2]))
    start = block.start(1) + found.start()
    return text[:start] + f"{found[1]} {SERVER}" + text[start + len(found[0]) :]


def _without_provider(text: str) -> str:
    if text.endswith(_OURS):
        return text.removesuffix(_OURS)
    return re.sub(rf"^([ \t]+provider:) {SERVER}\b", r"\1 ''", text, flags=re.M)


def _server(plug: Plug, keys: tuple[str, ...], more: dict[str, str] | None = None) -> Iterator[Part]:
    """Yield the settings of a program that only speaks MCP."""
    added = partial(with_server, program=plug.program, set=plug.set, keys=keys, more=more or {})
    yield settings_part(plug.file, added, partial(without_server, keys=keys))


def _home(variable: str, folder: str) -> Path:
    named = os.environ.get(variable)
    return Path(named).expanduser() if named else Path.home() / folder


def _settings_of(program: str) -> Path:
    """Return the folder of a desktop program's settings on this system."""
    return platformdirs.user_config_path(program, appauthor=False, roaming=True)


RUNTIMES = (
    Runtime(
        name="claude-code",
        title="Claude Code",
        file=lambda: _home("CLAUDE_CONFIG_DIR", ".claude") / "settings.json",
        parts=_claude_code,
        also=f"claude mcp add --scope user {SERVER} -- {{mcp}}",
        afterwards=message("The next session of Claude Code has it."),
        has_plugin=True,
    ),
    Runtime(
        name="codex",
        title="Codex",
        file=lambda: _home("CODEX_HOME", ".codex") / "hooks.json",
        parts=_codex,
        afterwards=message("Codex asks you to trust the hooks when it starts next."),
    ),
    Runtime(
        name="openclaw",
        title="OpenClaw",
        file=lambda: _home("OPENCLAW_STATE_DIR", ".openclaw") / "openclaw.json",
        parts=_openclaw,
        afterwards=message("Start OpenClaw's gateway anew."),
    ),
    Runtime(
        name="hermes",
        title="Hermes",
        file=lambda: _home("HERMES_HOME", ".hermes") / "config.yaml",
        parts=_hermes,
        afterwards=message("The next session of Hermes has it."),
    ),
    Runtime(
        name="cursor",
        title="Cursor",
        file=lambda: Path.home() / ".cursor" / "mcp.json",
        parts=partial(_server, keys=("mcpServers",)),
        afterwards=message("Cursor lists the server under Settings, MCP."),
    ),
    Runtime(
        name="claude-desktop",
        title="Claude Desktop",
        file=lambda: _settings_of("Claude") / "claude_desktop_config.json",
        parts=partial(_server, keys=("mcpServers",)),
        afterwards=message("Start Claude Desktop anew."),
    ),
    Runtime(
        name="vscode",
        title="VS Code",
        file=lambda: _settings_of("Code") / "User" / "mcp.json",
        parts=partial(_server, keys=("servers",), more={"type": "stdio"}),
        afterwards=message("VS Code asks you to trust the server when it starts it first."),
    ),
    Runtime(
        name="gemini-cli",
        title="Gemini CLI",
        file=lambda: Path.home() / ".gemini" / "settings.json",
        parts=partial(_server, keys=("mcpServers",)),
        afterwards=message("The next session of Gemini CLI has it."),
    ),
)
BY_NAME = {runtime.name: runtime for runtime in RUNTIMES}
