"""Entry point of the command line: the list of commands, and the exit code of a run.

A command's module is imported when it is named, so that no run pays for the others."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from memdesk import __version__
from memdesk.cli.command import Command, Context, DeskOperations
from memdesk.cli.output import Output, plain, terminal
from memdesk.files.places import Desk, desk_at
from memdesk.model.errors import ALL_ERRORS, BadAsk, MemDeskError
from memdesk.model.message import message


@dataclass(frozen=True, slots=True)
class Word:
    """First word of a command. modules: below `memdesk`, those in `cli` with its Commands, those in `api` with the
    calls that declare them."""

    name: str
    summary: str
    modules: tuple[str, ...]


WORDS = (
    Word("remember", "learn a fact", ("cli.memory",)),
    Word("facts", "list facts", ("api.memory",)),
    Word("show", "one memory or one change whole", ("cli.memory",)),
    Word("recall", "recall memories, with reasons", ("cli.recall",)),
    Word("explain", "say why a memory is or is not recalled", ("cli.recall",)),
    Word("salient", "show the strongest memories of a channel", ("api.recall",)),
    Word("promote", "copy a project fact to _global", ("cli.curation",)),
    Word("edit", "correct a fact", ("api.curation",)),
    Word("retire", "hide a memory from recall", ("api.curation",)),
    Word("undo", "take a change back", ("cli.curation",)),
    Word("redo", "take the latest undo back", ("cli.curation",)),
    Word("demote", "take a promotion back out of _global", ("api.curation",)),
    Word("restore", "bring a retired memory back", ("api.curation",)),
    Word("forget", "make a fact past and faint", ("api.curation",)),
    Word("move", "move a memory to another channel", ("api.curation",)),
    Word("merge", "merge a memory into another", ("cli.curation",)),
    Word("tag", "tag a memory, or list the tags there are", ("cli.curation",)),
    Word("rename-tag", "rename a tag everywhere", ("api.curation",)),
    Word("link", "link a fact to an entity", ("api.curation",)),
    Word("unlink", "remove a fact's link to an entity", ("api.curation",)),
    Word("pin", "keep a memory from fading", ("api.curation",)),
    Word("trust", "trust a memory from elsewhere", ("api.curation",)),
    Word("rescue", "bring back a fading memory", ("api.curation",)),
    Word("act", "change all memories that words describe, as one run", ("cli.acting",)),
    Word("entity", "make or complete an entity", ("api.memory",)),
    Word("relate", "relate two memories", ("api.memory",)),
    Word("profile", "show or change the profile of a user", ("api.profile",)),
    Word("goals", "list goals; set, end or reopen one", ("api.goals",)),
    Word("revoke", "take out all that comes from a session, agent, tool, file or import", ("cli.revoking",)),
    Word("erase", "erase everything of one user, for good", ("cli.erasing",)),
    Word("review", "list the questions that wait, or answer one", ("cli.review",)),
    Word("checkup", "check all facts, and ask about findings", ("cli.review",)),
    Word("secrets", "list the secrets that were found; show, sweep or allow one", ("api.secrets",)),
    Word("standing", "decide once for all questions of a source", ("cli.standing",)),
    Word("channels", "list channels; make, rename, merge or archive one", ("api.channels",)),
    Word("projects", "list projects; give one another channel", ("api.projects",)),
    Word("compactions", "show what gave way to summaries, and bring it back", ("cli.context",)),
    Word("seen", "show what agents were told before their turns", ("cli.context",)),
    Word("items", "list what agents' frameworks keep in their stores", ("api.items",)),
    Word("sessions", "list agents' sessions, make one, or begin one anew", ("api.context",)),
    Word("compact", "try a policy on a file of messages", ("cli.compact",)),
    Word("log", "the audit timeline", ("api.history",)),
    Word("audit", "the audit log, row by row", ("cli.history",)),
    Word("verify", "whether everything is what was written", ("cli.history",)),
    Word("import", "bring memory in from files", ("cli.workspace",)),
    Word("discover", "look for memory that agents keep on this machine", ("api.workspace",)),
    Word("workspaces", "list agents' folders and how each was recognised", ("api.workspace",)),
    Word("prompt", "print what an agent's prompt gets from its files", ("cli.workspace",)),
    Word("write-day", "add an entry to an agent's day file", ("api.workspace",)),
    Word("learning", "keep an error or a correction for an agent", ("api.workspace",)),
    Word("export", "write memory into a file for another desk or program", ("cli.exports",)),
    Word("jobs", "list the jobs, run one, pause one, see their history", ("cli.jobs", "api.jobs")),
    Word("models", "the models at work, whether they answer, their tokens", ("cli.models", "api.models")),
    Word("tools", "list the tools that agents know, by set", ("cli.tools",)),
    Word("tool", "call one of those tools", ("cli.tools",)),
    Word("mcp", "serve a set of tools over MCP, for a runtime's settings", ("cli.mcp",)),
    Word("hook", "what Claude Code and Codex call at the moments of a session", ("cli.hook",)),
    Word("skills", "write pinned strategies and facts into a runtime", ("cli.skills",)),
    Word("install", "connect the desk to Claude Code, Codex, OpenClaw, Cursor and others", ("cli.install",)),
    Word("switch", "put the desk in the place of the MCP memory server", ("cli.switching",)),
    Word(
        "agents",
        "list agents; make or revoke a token, give or withdraw a grant",
        ("cli.agents", "api.agents"),
    ),
    Word("owner", "the passphrase for what is dangerous, and the owner's token", ("cli.owner",)),
    Word("backup", "list backups, make one, put one in place", ("cli.backup",)),
    Word("encrypt", "encrypt the desk, with its backups", ("cli.encryption",)),
    Word("decrypt", "write an encrypted desk in clear", ("cli.encryption",)),
    Word("doctor", "say what is wrong with the desk, and repair it", ("cli.doctor",)),
    Word("status", "what the desk holds, what works, what runs", ("cli.upkeep",)),
    Word("notices", "what waits for your answer, such as memory found lost", ("api.upkeep",)),
    Word("metrics", "the desk in numbers", ("cli.upkeep",)),
    Word("settings", "list the settings, explain or change one", ("cli.upkeep",)),
    Word("consolidate", "extract facts from new turns now", ("api.upkeep",)),
    Word("serve", "serve the desk in the foreground", ("cli.serving",)),
    Word("stop", "end the desk's service", ("cli.serving",)),
    Word("open", "show the window", ("cli.window",)),
    Word("demo", "try MemDesk on a sample desk", ("cli.window",)),
)
LIST = "list"
"""Action of a group that is also the group without an action."""
SCOPES = {
    "channel": "the channel (default: _global to write and recall, all to list)",
    "user": "whose memory (default: local)",
    "agent": "the agent it belongs to",
}
INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""


def main(arguments: Sequence[str], rooms: DeskOperations) -> int:
    """Run one command and return its exit code, which `memdesk --help` explains."""
    args, command = _parsed(arguments)
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
    if not desk.notices.exists():
        return
    from memdesk.files import notices

    for notice in notices.standing(desk.notices):
        out.note(f"memdesk: {plain(notice.says)} `memdesk notices answer {notice.id}` when it is dealt with.")


def commands_named(word: Word) -> Iterator[Command]:
    """Yield the command of a word, or the actions of its group."""
    for path in word.modules:
        module = import_module(f"memdesk.{path}")
        if path.startswith("api."):
            from memdesk.cli.declared import commands_of

            found: Collection[Command] = tuple(commands_of(module))
        else:
            found = module.COMMANDS
        yield from (each for each in found if each.name.partition(" ")[0] == word.name)


def parser(named: Collection[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser. Common options may come before the command or after it.

    named: the commands whose arguments are needed; all by default."""
    whole = argparse.ArgumentParser(
        prog="memdesk",
        description="See, judge and correct what AI agents remember.",
        epilog=_exit_codes(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    whole.add_argument("--version", action="version", version=f"memdesk {__version__}")
    _common(whole, tuple(SCOPES))
    words = whole.add_subparsers(dest="word", metavar="COMMAND", required=True, title="commands")
    for word in WORDS:
        if named is None or word.name in named:
            _declare(words, word)
        else:
            words.add_parser(word.name, help=word.summary)
    return whole


def _declare(words: argparse._SubParsersAction[argparse.ArgumentParser], word: Word) -> None:
    """Add the command of a word, or its group: each action is a command, and LIST may be left out."""
    commands = {each.name.partition(" ")[2]: each for each in commands_named(word)}
    usual = commands.get("") or commands.get(LIST)
    about = usual.help if usual and len(commands) == 1 else f"{word.summary[:1].upper()}{word.summary[1:]}."
    group = words.add_parser(word.name, help=word.summary, description=about)
    if usual is not None:
        _fill(group, usual)
    else:
        _common(group, ())
    if actions := {name: each for name, each in commands.items() if name}:
        choices = group.add_subparsers(metavar="ACTION", required=usual is None, title="actions")
        for name, each in actions.items():
            _fill(choices.add_parser(name, help=each.help.splitlines()[0], description=each.help), each)


def _fill(parser: argparse.ArgumentParser, command: Command) -> None:
    _common(parser, command.scope)
    command.declare(parser)
    parser.set_defaults(command=command)


def _common(word: argparse.ArgumentParser, scope: Sequence[str]) -> None:
    """Add the common options. They are absent unless given, so the command's parser does not reset one given
    before it."""
    absent = argparse.SUPPRESS
    word.add_argument("--desk", metavar="DIR", default=absent, help="the desk's folder (or MEMDESK_DESK)")
    word.add_argument("--json", action="store_true", default=absent, help="answers and errors as JSON")
    for name in scope:
        word.add_argument(f"--{name}", metavar="NAME", default=absent, help=SCOPES[name])


def _parsed(arguments: Sequence[str]) -> tuple[argparse.Namespace, Command]:
    whole = parser([_word_in(arguments)])
    args = whole.parse_args(arguments)
    command: Command = args.command
    for name in SCOPES:
        if name in args and name not in command.scope:
            whole.error(f"{command.name} takes no --{name}")
    for name, absent in (("desk", None), ("json", False), *((name, None) for name in SCOPES)):
        setattr(args, name, getattr(args, name, absent))
    return args, command


def _word_in(arguments: Sequence[str]) -> str:
    """Return the first word that is neither an option nor the value of a common one; "" where there is none."""
    valued = [f"--{name}" for name in ("desk", *SCOPES)]
    is_value = False
    for each in arguments:
        if not is_value and not each.startswith("-"):
            return each
        # argparse takes a beginning of an option for it.
        is_value = not is_value and any(option.startswith(each) for option in valued)
    return ""


def _refuse_bytes(arguments: Sequence[str]) -> None:
    for given in arguments:
        try:
            given.encode()
        except UnicodeEncodeError:
            raise BadAsk(
                message("An argument is not valid UTF-8."), next=message("Check the terminal's encoding.")
            ) from None


def _exit_codes() -> str:
    lines = [f"  {error.exit_code:<4} {(error.__doc__ or '').splitlines()[0]}" for error in ALL_ERRORS]
    return "\n".join(("exit codes:", "  0    Done.", *lines, f"  {INTERRUPTED:<4} Interrupted with Ctrl-C."))
