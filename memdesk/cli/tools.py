"""tools, tool, mcp: list the tool sets that agents know, call one of their tools, or serve a set over MCP."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.api.tools import calls
from memdesk.api.tools.toolsets import NAMES
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, tallied
from memdesk.client.wire import agent_token
from memdesk.files.agent_config import agenticx_workspace
from memdesk.files.atomic import write_atomic
from memdesk.files.reading import MEGABYTE, read_text
from memdesk.model.errors import BadAsk, Refused
from memdesk.model.kind import new_id
from memdesk.model.message import message
from memdesk.model.project import EnterProject
from memdesk.model.status import Nothing
from memdesk.model.tools import (
    DIALECTS,
    FORMATS,
    SCOPES,
    AskGraphFile,
    AskTools,
    TakeInGraph,
    ToolList,
    ToolsetList,
)

AGENTICX = "agenticx"
OF_WORKSPACES = ("agenticx", "agentix", "agnx", "openclaw", "openlegion")
"""Sets of agents with a workspace of their own: their memory is the agent's, wherever it works."""
FILE_BYTES = 60 * MEGABYTE
"""Largest file read: the most that the service accepts in one call, less what JSON adds."""


def _declare_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", nargs="?", metavar="SET", help="one set; without it, the sets that there are")
    parser.add_argument(
        "--export", metavar="FILE", help="mcp-memory: write the channel's graph into a .jsonl"
    )
    parser.add_argument("--import", metavar="FILE", dest="taken", help="mcp-memory: bring in a .jsonl")
    parser.add_argument(
        "--format", choices=FORMATS, default="mcp", help="with --json: whose shape (default: mcp)"
    )
    _declare_place(parser)


def show(context: Context) -> int:
    """List the sets of tools, or the tools of one set; with --json in the format that a model vendor expects."""
    if context.args.export or context.args.taken:
        return _exchange(context)
    if context.args.set is None:
        sets = context.call(calls.SETS, Nothing())
        context.out.answer(sets, _set_lines(context.out, sets))
        return 0
    ask = _asked(context.args)
    found = context.call(calls.LIST, ask)
    plain = found if context.args.format == "mcp" else context.call(calls.LIST, replace(ask, format="mcp"))
    context.out.answer(found, _tool_lines(context.out, plain))
    return 0


def _asked(args: argparse.Namespace) -> AskTools:
    options = _options(args)
    return AskTools(
        set=args.set,
        format=args.format,
        agent_id=args.agent,
        cwd=options["cwd"],
        memory=args.memory,
        memories_enabled=None if args.memories is None else args.memories == "on",
        allowed_tools=tuple(args.allow),
        disallowed_tools=tuple(args.disallow),
    )


def _exchange(context: Context) -> int:
    """Export or import the MCP memory server's file."""
    args = context.args
    if args.set != "mcp-memory":
        raise BadAsk(
            message("Only the set mcp-memory has a file."),
            next=message("memdesk tools mcp-memory --export FILE"),
        )
    return _export(context) if args.export else _import(context)


def _export(context: Context) -> int:
    ask = AskGraphFile(channel=context.channel, user_id=context.user)
    out = context.call(calls.EXPORT_GRAPH, ask)
    write_atomic(Path(context.args.export).expanduser(), out.text.encode())
    context.out.answer(out, [f"{counted(out.entities, 'entity', 'entities')} in {context.args.export}."])
    return 0


def _import(context: Context) -> int:
    name = context.args.taken
    text = read_text(Path(name).expanduser(), name, limit_bytes=FILE_BYTES).text
    ask = TakeInGraph(text=text, channel=context.channel, user_id=context.user, agent_id=context.args.agent)
    done = context.call(calls.IMPORT_GRAPH, ask)
    counts = {"entities": done.entities, "observations": done.observations, "relations": done.relations}
    context.out.answer(done, [f"Brought in: {tallied(counts)}."])
    return 0


def _set_lines(out: Output, sets: ToolsetList) -> Iterator[str]:
    rows = [(row.name, str(len(row.tools)), row.says) for row in sets.rows]
    yield from out.table(("SET", "TOOLS", "WHAT IT IS"), rows)


def _tool_lines(out: Output, found: ToolList) -> Iterator[str]:
    rows = [(tool["name"], tool["description"]) for tool in found.tools]
    yield from out.table(("TOOL", "WHAT IT DOES"), rows)


def _declare_call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", help="such as mcp-memory")
    parser.add_argument("name", metavar="NAME", help="such as read_graph")
    parser.add_argument(
        "arguments", nargs="?", default="{}", metavar="JSON", help="its arguments; - reads them"
    )
    _declare_place(parser)


def _declare_place(parser: argparse.ArgumentParser) -> None:
    """Add the options, besides channel, user and agent, that select the memory a tool works on."""
    parser.add_argument("--cwd", metavar="DIR", help="the folder that the agent works in")
    parser.add_argument("--memory", choices=SCOPES, help="agentix: the scope of a sub-agent's memory")
    parser.add_argument(
        "--memories", choices=("on", "off"), help="agentix: memories_enabled (default: as the settings say)"
    )
    parser.add_argument(
        "--allow", action="append", default=[], metavar="TOOL", help="agentix: one of its allowed_tools"
    )
    parser.add_argument(
        "--disallow", action="append", default=[], metavar="TOOL", help="agentix: one of its disallowed_tools"
    )
    parser.add_argument("--dialect", choices=DIALECTS, help="anthropic: whose words the memory tool uses")


def _place_of(args: argparse.Namespace) -> dict[str, str | list[str]]:
    """Return the fields of a ToolPlace that were given. Raises Refused where AgenticX keeps no files."""
    place = {"channel": args.channel, "user_id": args.user, "agent_id": args.agent, "dialect": args.dialect}
    options = _options(args)
    return {name: value for name, value in (place | options).items() if value not in (None, [])}


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options that decide which tools an agent has, and the folder it works in."""
    folder = Path(args.cwd).expanduser().absolute() if args.cwd else None
    if folder is None and args.set == AGENTICX:
        folder = agenticx_workspace(os.environ, Path.home())
    return {
        "cwd": None if folder is None else str(folder),
        "memory": args.memory,
        "memories_enabled": None if args.memories is None else str(args.memories == "on").lower(),
        "allowed_tools": args.allow,
        "disallowed_tools": args.disallow,
    }


def call(context: Context) -> int:
    """Call a tool with JSON arguments and print its answer. The exit code is 6 when the tool reports an
    error."""
    args = context.args
    said = context.call(calls.call_of(args.set, args.name, **_place_of(args)), _arguments(args.arguments))
    if said.is_error and not context.out.json:
        context.out.note(said.text)
    else:
        context.out.answer(said, said.text.split("\n"))
    return Refused.exit_code if said.is_error else 0


def _arguments(given: str) -> dict[str, Any]:
    try:
        found = json.loads(sys.stdin.read() if given == "-" else given)
    except ValueError as wrong:
        raise BadAsk(message("The arguments are not JSON: {wrong}.", wrong=wrong)) from None
    if not isinstance(found, dict):
        raise BadAsk(
            message("The arguments must be a JSON object."),
            next=message('Such as \'{{"names": ["Alice"]}}\'.'),
        )
    return found


def _declare_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--set", required=True, choices=NAMES, help="the set of tools to serve")
    parser.add_argument(
        "--session", metavar="ID", help="the agent's session and conversation (default: one for each start)"
    )
    parser.add_argument("--token-file", metavar="FILE", help="the agent's token (or MEMDESK_TOKEN)")
    _declare_place(parser)


def speak(context: Context) -> int:
    """Serve one set of tools, the agent's files and the facts over standard input and output, until input
    ends.

    Without --channel, the memory is that of the project that the client names as its root, else of the project in the
    working folder; an agent with a workspace of its own has its own."""
    args = context.args
    session = args.session or new_id("mcp", time.time_ns() // 1000)
    path = calls.mcp_path(args.set, **_place_of(args), session_id=session, conversation_id=session)
    token = agent_token(args.token_file)
    # A token says whose it is; without one the set's own name is better than none.
    agent = args.agent or (None if token else args.set)
    # A service on another computer cannot look into the working folder.
    own = args.channel or args.set in OF_WORKSPACES or context.desk.service is not None
    project = None if own else EnterProject(folder=_working_folder(args.cwd), user_id=context.user)
    return context.rooms.speak_mcp(context.desk, path, agent, token, project)


def _working_folder(named: str | None) -> str:
    """Return the folder named, else the one the runtime started us in; "" for the home folder and those around it,
    where programs of the desktop start their servers."""
    folder = Path(named).expanduser().absolute() if named else Path.cwd()
    return "" if folder in (Path.home(), *Path.home().parents) else str(folder)


COMMANDS = (
    Command(name="tools", run=show, declare=_declare_list, scope=("channel", "user", "agent")),
    Command(name="tool", run=call, declare=_declare_call, scope=("channel", "user", "agent")),
    Command(name="mcp", run=speak, declare=_declare_mcp, scope=("channel", "user", "agent")),
)
