"""Entry point of the command line: the list of commands, and the exit code of a run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from memdesk import __version__
from memdesk.cli import (
    backup,
    channels,
    compact,
    context,
    curation,
    doctor,
    erasing,
    exports,
    history,
    hook,
    install,
    jobs,
    mcp,
    memory,
    models,
    recall,
    review,
    standing,
    tidying,
    tools,
    upkeep,
    window,
    workspace,
)
from memdesk.cli.command import Command, Context, DeskOperations
from memdesk.cli.output import Output, plain, terminal
from memdesk.files import notices
from memdesk.files.places import Desk, desk_at
from memdesk.model.errors import ALL_ERRORS, BadAsk, MemDeskError

COMMANDS: tuple[Command, ...] = (
    *memory.COMMANDS,
    *recall.COMMANDS,
    *curation.COMMANDS,
    *tidying.COMMANDS,
    *erasing.COMMANDS,
    *review.COMMANDS,
    *standing.COMMANDS,
    *channels.COMMANDS,
    *context.COMMANDS,
    *compact.COMMANDS,
    *history.COMMANDS,
    *workspace.COMMANDS,
    *exports.COMMANDS,
    *jobs.COMMANDS,
    *models.COMMANDS,
    *tools.COMMANDS,
    *mcp.COMMANDS,
    *hook.COMMANDS,
    *install.COMMANDS,
    *backup.COMMANDS,
    *doctor.COMMANDS,
    *upkeep.COMMANDS,
    *window.COMMANDS,
)
SCOPES = {
    "channel": "the channel (default: _global to write and recall, all to list)",
    "user": "whose memory (default: local)",
    "agent": "the agent it belongs to",
}
INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""


def main(arguments: Sequence[str], rooms: DeskOperations) -> int:
    """Run one command and return its exit code, which `memdesk --help` explains."""
    args = _parsed(arguments)
    command = next(each for each in COMMANDS if each.name == args.command)
    out = terminal(json=args.json)
    try:
        _refuse_bytes(arguments)
        context = Context(desk=desk_at(args.desk), args=args, out=out, rooms=rooms)
        try:
            return command.run(context)
        finally:
            _print_notices(context.desk, out)
    except MemDeskError as wrong:
        out.error(wrong)
        return wrong.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has seen enough; Python would complain again when it flushes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _print_notices(desk: Desk, out: Output) -> None:
    """Print the notices that wait for an answer to standard error, after every command."""
    for notice in notices.standing(desk.notices):
        out.note(f"memdesk: {plain(notice.says)} `memdesk notices answer {notice.id}` when it is dealt with.")


def parser() -> argparse.ArgumentParser:
    """Return the parser of every command. Common options may come before the command or after it."""
    whole = argparse.ArgumentParser(
        prog="memdesk",
        description="See, judge and correct what AI agents remember.",
        epilog=_exit_codes(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    whole.add_argument("--version", action="version", version=f"memdesk {__version__}")
    _common(whole, tuple(SCOPES))
    words = whole.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    for command in COMMANDS:
        word = words.add_parser(command.name, help=command.says, description=command.run.__doc__)
        _common(word, command.scope)
        command.declare(word)
    return whole


def _common(word: argparse.ArgumentParser, scope: Sequence[str]) -> None:
    """Add the common options. They are absent unless given, so the command's parser does not reset one given
    before it."""
    absent = argparse.SUPPRESS
    word.add_argument("--desk", metavar="DIR", default=absent, help="the desk's folder (or MEMDESK_DESK)")
    word.add_argument("--json", action="store_true", default=absent, help="answers and errors as JSON")
    for name in scope:
        word.add_argument(f"--{name}", metavar="NAME", default=absent, help=SCOPES[name])


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    whole = parser()
    args = whole.parse_args(arguments)
    command = next(each for each in COMMANDS if each.name == args.command)
    for name in SCOPES:
        if name in args and name not in command.scope:
            whole.error(f"{command.name} takes no --{name}")
    for name, absent in (("desk", None), ("json", False), *((name, None) for name in SCOPES)):
        setattr(args, name, getattr(args, name, absent))
    return args


def _refuse_bytes(arguments: Sequence[str]) -> None:
    for given in arguments:
        try:
            given.encode()
        except UnicodeEncodeError:
            raise BadAsk("An argument is not valid UTF-8.", next="Check the terminal's encoding.") from None


def _exit_codes() -> str:
    lines = [f"  {error.exit_code:<4} {(error.__doc__ or '').splitlines()[0]}" for error in ALL_ERRORS]
    return "\n".join(("exit codes:", "  0    Done.", *lines, f"  {INTERRUPTED:<4} Interrupted with Ctrl-C."))
