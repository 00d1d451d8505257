"""serve, stop, mcp: run the desk's service in the foreground, end it, or serve the desk over MCP for a runtime."""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

from memdesk.api.tools import calls
from memdesk.api.tools.toolsets import NAMES
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import unlock
from memdesk.cli.tools import declare_place, place_of
from memdesk.client.find import stop_service
from memdesk.client.wire import agent_token
from memdesk.model.errors import BadAsk
from memdesk.model.kind import new_id
from memdesk.model.message import message
from memdesk.model.project import EnterProject
from memdesk.model.team import Listen

OF_WORKSPACES = ("agenticx", "agentix", "agnx", "openclaw", "openlegion")
"""Sets of agents with a workspace of their own: their memory is the agent's, wherever it works."""


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--set", required=True, choices=NAMES, help="the set of tools to serve")
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
    # A service on another computer cannot look into the working folder.
    own = args.channel or args.set in OF_WORKSPACES or context.desk.service is not None
    project = None if own else EnterProject(folder=_working_folder(args.cwd), user_id=context.user)
    return context.rooms.speak_mcp(context.desk, path, agent, token, project)


def _working_folder(named: str | None) -> str:
    """Return the folder named, else the one the runtime started us in; "" for the home folder and those around it,
    where programs of the desktop start their servers."""
    folder = Path(named).expanduser().absolute() if named else Path.cwd()
    return "" if folder in (Path.home(), *Path.home().parents) else str(folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Output of `serve --json`, printed once the socket answers. listens: the address for members, "" for none."""

    desk: str
    socket: str
    pid: int
    listens: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Output of `stop --json`. pid: the process that ended, None when none ran."""

    desk: str
    pid: int | None


def _declare_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--listen", metavar="HOST:PORT", help="also answer members there, with their tokens")
    parser.add_argument("--certificate", metavar="FILE", default="", help="for TLS: the chain, in PEM")
    parser.add_argument("--key", metavar="FILE", default="", help="its key, if the chain's file has none")


def serve(context: Context) -> int:
    """Serve the desk in the foreground until SIGTERM, Ctrl-C or `memdesk stop`.

    With --listen, members whom `memdesk team invite` gave a token are answered over the network; other computers only
    with TLS. The passphrase of an encrypted desk is asked for, or read from a line of standard input."""
    return serve_desk(context, _listen(context.args))


def serve_desk(context: Context, listen: Listen | None = None) -> int:
    """Serve the desk in the foreground, over the network too if asked. Returns the exit code."""
    desk = context.desk
    desk.need_here()
    unlock(desk)
    serving = Serving(
        desk=str(desk.folder),
        socket=str(desk.socket),
        pid=os.getpid(),
        listens="" if listen is None else listen.address,
    )

    def ready() -> None:
        if context.out.json:
            context.out.answer(serving, ())
        else:
            where = " and ".join(filter(None, (serving.socket, serving.listens)))
            context.out.note(f"MemDesk serves {serving.desk} on {where} (Ctrl-C ends it).")

    context.rooms.serve(desk, ready, listen)
    return 0


def _listen(args: argparse.Namespace) -> Listen | None:
    """Return where members are answered. Raises BadAsk for what is no HOST:PORT, or a certificate without one."""
    if args.listen is None and not (args.certificate or args.key):
        return None
    host, _, port = (args.listen or "").rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 65_536:
        raise BadAsk(
            message("--listen takes an address and a port."),
            next=message("For example: --listen 0.0.0.0:8443 --certificate chain.pem --key key.pem"),
        )
    return Listen(host=host.strip("[]"), port=int(port), certificate=args.certificate, key=args.key)


def stop(context: Context) -> int:
    """Stop the desk's service and wait until it has released the desk."""
    desk = context.desk
    desk.need_here()
    pid = asyncio.run(stop_service(desk))
    says = (
        f"The service of {desk.folder} (process {pid}) ended."
        if pid
        else f"No service runs on {desk.folder}."
    )
    context.out.answer(Stopped(desk=str(desk.folder), pid=pid), [says])
    return 0


COMMANDS = (
    Command(name="serve", run=serve, declare=_declare_serve),
    Command(name="stop", run=stop),
    Command(name="mcp", run=speak, declare=_declare, scope=("channel", "user", "agent")),
)
