"""switch: put the desk in the place of the MCP memory server in a client's settings, once its graph is on the desk."""

from __future__ import annotations

import argparse
import asyncio
import copy
import difflib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memdesk.api.tools import calls
from memdesk.api.tools.toolsets import MCP_MEMORY
from memdesk.cli.command import Command, Context
from memdesk.files.atomic import create, write_atomic
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, NotFound, Refused, StorageFailed
from memdesk.model.message import message
from memdesk.model.tools import TakeInGraph

AGENT, CHANNEL = "mcp-memory", "memory"
"""Name of the agent and the channel where no option names others."""
MEMORY_PATH = "MEMORY_FILE_PATH"
"""Variable of the server's environment with the path of its file."""
REVISION = "2025-11-25"
"""Revision of the protocol in which the graph is read back."""
BACKUP = "{name}.before-memdesk-{at:%Y%m%dT%H%M%S%f}"
SHOWN = 5
_SERVER = re.compile(r"@modelcontextprotocol/server-memory|\bmcp-server-memory\b|\bmcp/memory\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Switched:
    """Result of a switch. entities, observations, relations: of the server's file, each found on the desk again when
    the graph was read over MCP; carried: its other lines. repeated: parts of the file that say the same again.

    diff: the change of the settings; backup: the copy made before it, "" where nothing was applied."""

    file: str
    memory: str
    server: str
    channel: str
    entities: int
    observations: int
    relations: int
    carried: int
    repeated: int
    diff: str
    applied: bool
    backup: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Server in the settings: the names that lead to it, and what is under them."""

    keys: tuple[str, ...]
    server: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphInFile:
    """Graph of the server's file: entities by name, and relations, each once."""

    entities: dict[str, dict[str, Any]]
    relations: list[dict[str, Any]]
    others: int
    repeated: int

    @property
    def observations(self) -> int:
        return sum(len(each["observations"]) for each in self.entities.values())


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the client's settings with the server in them")
    parser.add_argument(
        "--memory", metavar="FILE", help=f"the server's file (default: its {MEMORY_PATH} in the settings)"
    )
    parser.add_argument("--apply", action="store_true", help="make the change; without it, it is only shown")


def switch(context: Context) -> int:
    """Show what would change in a client's settings that run the MCP memory server; with --apply, bring its graph onto
    the desk, read it back over MCP, and only if nothing is missing change the settings. A copy of them is kept, and
    the server's file stays as it is."""
    args = context.args
    path = Path(os.path.realpath(Path(args.file).expanduser()))
    before, settings = _settings_in(path)
    entry = _entry_in(settings, path)
    memory = _memory_of(entry, args.memory, path)
    text = _text_of(memory)
    graph = graph_in(text)
    channel, agent = args.channel or CHANNEL, args.agent or AGENT
    after = (
        json.dumps(_changed(settings, entry, context, channel, agent), indent=2, ensure_ascii=False) + "\n"
    )
    backup = ""
    if args.apply:
        asked = TakeInGraph(text=text, channel=channel, agent_id=agent)
        context.call(calls.IMPORT_GRAPH, asked)
        _prove(graph, asyncio.run(_read_back(context.desk, channel, agent)), channel)
        backup = str(path.with_name(BACKUP.format(name=path.name, at=datetime.now().astimezone())))
        create(Path(backup), before.encode())
        write_atomic(path, after.encode())
    done = Switched(
        file=str(path),
        memory=str(memory),
        server=entry.keys[-1],
        channel=channel,
        entities=len(graph.entities),
        observations=graph.observations,
        relations=len(graph.relations),
        carried=graph.others,
        repeated=graph.repeated,
        diff="".join(_lines(before, after, path)),
        applied=bool(args.apply),
        backup=backup,
    )
    context.out.answer(done, _outcome_lines(done))
    return 0


def graph_in(text: str) -> GraphInFile:
    """Return the graph as the server shows it. Raises Refused for a line that is not JSON, or lacks its fields."""
    entities: dict[str, dict[str, Any]] = {}
    relations: dict[str, dict[str, Any]] = {}
    others = repeated = 0
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            kind = value.get("type") if isinstance(value, dict) else None
            if kind == "entity":
                repeated += _add(entities, value)
            elif kind == "relation":
                ends = {name: value[name] for name in ("from", "to", "relationType")}
                repeated += json.dumps(ends) in relations
                relations.setdefault(json.dumps(ends), ends)
            else:
                others += 1
        except (ValueError, KeyError, TypeError) as wrong:
            raise Refused(
                message("Line {count} of the server's file is torn, or no line of its graph.", count=number),
                next=message("Nothing is changed; mend the line."),
            ) from wrong
    return GraphInFile(
        entities=entities, relations=list(relations.values()), others=others, repeated=repeated
    )


def _add(entities: dict[str, dict[str, Any]], line: Mapping[str, Any]) -> int:
    """Add an entity's line to those of its name; return how many of its observations were there."""
    observations: list[str] = line["observations"]
    new = {"name": line["name"], "entityType": line["entityType"], "observations": []}
    kept = entities.setdefault(line["name"], new)
    fresh = [each for each in dict.fromkeys(observations) if each not in kept["observations"]]
    kept["observations"] += fresh
    return len(observations) - len(fresh)


async def _read_back(desk: Desk, channel: str, agent: str) -> dict[str, Any]:
    """Return the graph as the agent reads it over MCP."""
    from memdesk.client.client import Client

    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "read_graph", "arguments": {}},
    }
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
    }
    path = calls.mcp_path(MCP_MEMORY.name, channel=channel, agent_id=agent)
    async with Client(desk) as client:
        status, answer = await client.post(path, json.dumps(asked).encode(), headers)
    result = json.loads(answer).get("result", {})
    if "structuredContent" not in result:
        raise StorageFailed(
            message("The graph cannot be read over MCP: HTTP {status}.", status=status),
            next=message("Nothing is changed."),
        )
    graph: dict[str, Any] = result["structuredContent"]
    return graph


def _prove(graph: GraphInFile, read: Mapping[str, Any], channel: str) -> None:
    """Raise Refused unless everything of the file is in the graph that was read, to the byte."""
    there = {each["name"]: each for each in read["entities"]}
    missing = []
    for name, each in graph.entities.items():
        found = there.get(name, {"observations": []})
        held = set(found["observations"])
        missing += [f"{name}: {text[:80]}" for text in each["observations"] if text not in held]
        if found.get("entityType") != each["entityType"]:
            missing.append(f"the entity {name} of the type {each['entityType']}")
    relations = {json.dumps(each) for each in read["relations"]}
    missing += [
        f"{each['from']} {each['relationType']} {each['to']}"
        for each in graph.relations
        if json.dumps(each) not in relations
    ]
    if missing:
        shown = "; ".join(missing[:SHOWN])
        more = f", and {len(missing) - SHOWN:,} more" if len(missing) > SHOWN else ""
        raise Refused(
            message(
                "{count} of the server's graph {verb} not read back: {list}.",
                count=f"{len(missing):,}",
                verb="is" if len(missing) == 1 else "are",
                list=shown + more,
            ),
            next=message(
                "The settings are as before. What reads like an instruction waits in `memdesk review`; "
                "the rest is in the channel {channel}.",
                channel=channel,
            ),
            details={"missing": missing},
        )


def _entry_in(settings: Mapping[str, Any], path: Path) -> Entry:
    found = list(_servers(settings, ()))
    if len(found) != 1:
        raise NotFound(
            message("{path} runs no MCP memory server.", path=path)
            if not found
            else message("{path} runs more than one MCP memory server.", path=path),
            next=message(
                "Name settings whose one server has @modelcontextprotocol/server-memory in its command."
            ),
        )
    return found[0]


def _servers(value: Any, keys: tuple[str, ...]) -> Iterator[Entry]:
    if not isinstance(value, dict):
        return
    words = [value.get("command"), *(value.get("args") or ())] if "command" in value else []
    if any(isinstance(word, str) and _SERVER.search(word) for word in words):
        yield Entry(keys, value)
        return
    for name, each in value.items():
        yield from _servers(each, (*keys, name))


def _memory_of(entry: Entry, named: str | None, path: Path) -> Path:
    configured = named or (entry.server.get("env") or {}).get(MEMORY_PATH)
    if not configured:
        raise BadAsk(
            message("{path} does not say where the server keeps its file.", path=path),
            next=message(
                "Name it with --memory; by default it is memory.jsonl in the folder of the server's package."
            ),
        )
    return Path(str(configured)).expanduser()


def _text_of(memory: Path) -> str:
    try:
        return memory.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise Refused(
            message("{memory} cannot be read: {wrong}.", memory=memory, wrong=wrong),
            next=message("Name the file with --memory."),
        ) from wrong


def _settings_in(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
        settings = json.loads(text)
    except (OSError, ValueError) as wrong:
        raise Refused(
            message("{path} cannot be read as JSON: {wrong}.", path=path, wrong=wrong),
            next=message("Nothing is changed."),
        ) from wrong
    if not isinstance(settings, dict):
        raise Refused(message("{path} holds no JSON object.", path=path), next=message("Nothing is changed."))
    return text, settings


def _changed(
    settings: Mapping[str, Any], entry: Entry, context: Context, channel: str, agent: str
) -> dict[str, Any]:
    """Return the settings with the desk under the server's own name, so that what was allowed to it stays allowed."""
    found = shutil.which("memdesk")
    words = [found] if found else [sys.executable, "-m", "memdesk"]
    named = context.args.desk or os.environ.get("MEMDESK_DESK")
    desk = ["--desk", str(Path(named).expanduser().absolute())] if named else []
    options = ["mcp", "--set", MCP_MEMORY.name, "--channel", channel, "--agent", agent, *desk]
    env = {name: value for name, value in (entry.server.get("env") or {}).items() if name != MEMORY_PATH}
    kept = {name: value for name, value in entry.server.items() if name not in ("command", "args", "env")}
    changed = copy.deepcopy(dict(settings))
    around: Any = changed
    for key in entry.keys[:-1]:
        around = around[key]
    around[entry.keys[-1]] = {**kept, "command": words[0], "args": [*words[1:], *options]} | (
        {"env": env} if env else {}
    )
    return changed


def _lines(before: str, after: str, path: Path) -> Iterator[str]:
    kept: Sequence[str] = before.splitlines(keepends=True)
    for line in difflib.unified_diff(kept, after.splitlines(keepends=True), str(path), str(path)):
        yield line if line.endswith("\n") else line + "\n"


def _outcome_lines(done: Switched) -> Iterator[str]:
    yield from done.diff.splitlines()
    held = f"{done.entities:,} entities, {done.observations:,} observations and {done.relations:,} relations"
    beside = f", and {done.carried:,} other lines" if done.carried else ""
    again = f" {done.repeated:,} that the file says twice count once." if done.repeated else ""
    if not done.applied:
        yield f"{done.memory} has {held}{beside}.{again} Nothing is changed yet; --apply makes this change."
        return
    yield f"{held[:1].upper()}{held[1:]}{beside} are on the desk, and were read back over MCP to the letter.{again}"
    yield f"{done.file} is changed; what was there is kept in {done.backup}. Start the client anew."


COMMANDS = (Command(name="switch", run=switch, declare=_declare, scope=("channel", "agent")),)
