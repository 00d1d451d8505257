"""hook: the command that a runtime calls at the moments of a session.

A hook never blocks the runtime: where the desk is away or slow, the runtime gets nothing and goes on."""

from __future__ import annotations

import argparse
from typing import get_args

from memdesk.cli.command import Command, Context
from memdesk.client import hook
from memdesk.model.project import Moment


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moment", choices=get_args(Moment), help="when it is called")
    parser.add_argument("--budget", type=int, metavar="N", help="tokens that may be told, at most")
    parser.add_argument("--token-file", metavar="FILE", help="the agent's token (or MEMDESK_TOKEN)")
    parser.add_argument("--seconds", type=float, metavar="S", help="how long it may take at most")


def react(context: Context) -> int:
    """Read a runtime's JSON from standard input, store the conversation, and answer with the memory that fits
    it.

    Claude Code and Codex call this command; `memdesk install` sets it up. Without --channel, the memory is that of the
    project in the working folder. On any failure the command still exits normally and prints the reason on
    standard error."""
    args = context.args
    options = {
        "--socket": context.desk.socket,
        "--desk": context.desk.folder,
        "--agent": args.agent,
        "--channel": args.channel,
        "--user": args.user,
        "--budget": args.budget,
        "--seconds": args.seconds,
        "--token-file": args.token_file,
    }
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return hook.main([args.moment, *given])


COMMANDS = (Command(name="hook", run=react, declare=_declare, scope=("channel", "user", "agent")),)
