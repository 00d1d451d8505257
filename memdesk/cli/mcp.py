"""mcp: serve the desk over the Model Context Protocol, for a runtime that starts its servers itself."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from memdesk.api.tools import calls
from memdesk.api.tools.toolsets import BY_NAME
from memdesk.cli.command import Command, Context
from memdesk.cli.tools import declare_place, place_of
from memdesk.client.wire import agent_token
from memdesk.model.kind import new_id
from memdesk.model.project import EnterProject

OF_WORKSPACES = ("agenticx", "agentix", "agnx", "openclaw", "openlegion")
"""Sets of agents with a workspace of their own: their memory is the agent's, wherever it works."""


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--set", required=True, choices=BY_NAME, help="the set of tools to serve")
    parser.add_argument(
        "--session", metavar="ID", help="the agent's session and conversation (default: one for each start)"
    )
    parser.add_argument("--token-file", metavar="FILE", help="the agent's token (or MEMDESK_TOKEN)")
    declare_place(parser)


def speak(context: Context) -> int:
    """Serve one set of tools, the agent's files and the facts over standard input and output, until input
    ends.

    Without --channel, the memory is that of the project that the client names as its root, else of the project in the
    working folder; an agent with a workspace of its own has its own."""
    args = context.args
    session = args.session or new_id("mcp", time.time_ns() // 1000)
    path = calls.mcp_path(args.set, **place_of(args), session_id=session, conversation_id=session)
    token = agent_token(args.token_file)
    # A token says whose it is; without one the set's own name is better than none.
    agent = args.agent or (None if token else args.set)
    own = args.channel or args.set in OF_WORKSPACES
    project = None if own else EnterProject(folder=_working_folder(args.cwd), user_id=context.user)
    return context.rooms.speak_mcp(context.desk, path, agent, token, project)


def _working_folder(named: str | None) -> str:
    """Return the folder named, else the one the runtime started us in; "" for the home folder and those around it,
    where programs of the desktop start their servers."""
    folder = Path(named).expanduser().absolute() if named else Path.cwd()
    return "" if folder in (Path.home(), *Path.home().parents) else str(folder)


COMMANDS = (Command(name="mcp", run=speak, declare=_declare, scope=("channel", "user", "agent")),)
