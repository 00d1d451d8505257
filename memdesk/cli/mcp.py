"""mcp: serve the desk over the Model Context Protocol, for a runtime that starts its servers itself."""

from __future__ import annotations

import argparse
import time

from memdesk.api.tools import calls
from memdesk.api.tools.toolsets import BY_NAME
from memdesk.cli.command import Command, Context
from memdesk.cli.tools import declare_place, place_of
from memdesk.client.wire import agent_token
from memdesk.model.kind import new_id


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--set", required=True, choices=BY_NAME, help="the set of tools to serve")
    parser.add_argument(
        "--session", metavar="ID", help="the agent's session and conversation (default: one for each start)"
    )
    parser.add_argument("--token-file", metavar="FILE", help="the agent's token (or MEMDESK_TOKEN)")
    declare_place(parser)


def speak(context: Context) -> int:
    """Serve one set of tools, the agent's files and the facts over standard input and output, until input
    ends."""
    args = context.args
    session = args.session or new_id("mcp", time.time_ns() // 1000)
    path = calls.mcp_path(args.set, **place_of(args), session_id=session, conversation_id=session)
    token = agent_token(args.token_file)
    # A token says whose it is; without one the set's own name is better than none.
    agent = args.agent or (None if token else args.set)
    return context.rooms.speak_mcp(context.desk, path, agent, token)


COMMANDS = (Command(name="mcp", run=speak, declare=_declare, scope=("channel", "user", "agent")),)
