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
from memdesk.cli.command import Command, Context, DeskOperations, Parser, unknown_command, wrong_usage
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


GROUPS: tuple[tuple[str, tuple[Word, ...]], ...] = (
    (
        "Read memory",
        (
            Word("who", "say who an agent is, by the records that say so", ("cli.agents",)),
            Word("learnings", "list the errors and corrections that agents keep", ("api.workspace",)),
            Word("strategies", "list strategies, or find those for a task", ("api.procedures",)),
            Word("timeline", "every memory by the moment it is of", ("api.memory",)),
            Word("conversations", "list conversations, or read one", ("cli.memory", "api.memory")),
            Word("recap", "sum up what a user said in earlier conversations", ("cli.recall",)),
            Word("facts", "list facts", ("api.memory",)),
            Word("show", "one memory or one change whole", ("cli.memory",)),
            Word("recall", "recall memories, with reasons", ("cli.recall",)),
            Word("explain", "say why a memory is or is not recalled", ("cli.recall",)),
            Word("salient", "show the strongest memories of a channel", ("api.recall",)),
            Word("seen", "show what agents were told before their turns", ("cli.context",)),
            Word("compactions", "show what gave way to summaries, and bring it back", ("cli.context",)),
            Word("prompt", "print what an agent's prompt gets from its files", ("cli.workspace",)),
        ),
    ),
    (
        "Add memory",
        (
            Word("reprocess", "extract facts from a conversation again", ("api.memory",)),
            Word("remember", "learn a fact", ("cli.memory",)),
            Word("entity", "make or complete an entity", ("api.memory",)),
            Word("relate", "relate two memories", ("api.memory",)),
            Word("profile", "show or change the profile of a user", ("api.profile",)),
            Word("goals", "list goals; set, end or reopen one", ("api.goals",)),
            Word("learning", "keep an error or a correction for an agent", ("api.workspace",)),
            Word("write-day", "add an entry to an agent's day file", ("api.workspace",)),
            Word("consolidate", "extract facts from new turns now", ("api.upkeep",)),
            Word("compact", "try a policy on a file of messages", ("cli.context",)),
        ),
    ),
    (
        "Correct memory",
        (
            Word("act", "change all memories that words describe, as one run", ("cli.curation",)),
            Word("effect", "show which recent recalls a change would alter", ("cli.recall",)),
            Word("edit-relation", "change the type of a relation", ("api.curation",)),
            Word("edit-entity", "rename, retype or describe an entity", ("api.curation",)),
            Word("edit", "correct a fact", ("api.curation",)),
            Word("promote", "copy a project fact to _global", ("cli.curation",)),
            Word("demote", "take a promotion back out of _global", ("api.curation",)),
            Word("retire", "hide a memory from recall", ("api.curation",)),
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
            Word("undo", "take a change back", ("cli.curation",)),
            Word("redo", "take the latest undo back", ("cli.curation",)),
            Word(
                "revoke",
                "take out all that comes from a session, agent, tool, file or import",
                ("cli.curation",),
            ),
            Word("erase", "erase everything of one user, for good", ("cli.curation",)),
        ),
    ),
    (
        "Answer questions",
        (
            Word(
                "questions",
                "list questions kept as tests; keep, run or forget one",
                ("cli.recall", "api.questions"),
            ),
            Word("review", "list the questions that wait, or answer one", ("cli.review",)),
            Word("checkup", "check all facts, and ask about findings", ("cli.review",)),
            Word("secrets", "list the secrets that were found; show, sweep or allow one", ("api.secrets",)),
            Word("standing", "decide once for all questions of a source", ("cli.review",)),
            Word("notices", "what waits for your answer, such as memory found lost", ("api.upkeep",)),
        ),
    ),
    (
        "Look back",
        (
            Word("tool-calls", "list the tool calls of agents", ("api.procedures",)),
            Word("log", "the audit timeline", ("api.history",)),
            Word("past", "list the facts that differ from an earlier moment", ("api.history",)),
            Word("put-back", "put facts back to what they were before a change", ("api.history",)),
            Word("audit", "the audit log, row by row", ("cli.history",)),
            Word("verify", "whether everything is what was written", ("cli.history",)),
        ),
    ),
    (
        "Channels and agents",
        (
            Word("channels", "list channels; make, rename, merge or archive one", ("api.channels",)),
            Word("projects", "list projects; give one another channel", ("api.projects",)),
            Word(
                "agents",
                "list agents; make or revoke a token, give or withdraw a grant",
                ("cli.agents", "api.agents"),
            ),
            Word(
                "team",
                "list, invite or revoke members, or join the desk of others",
                ("api.team", "cli.agents"),
            ),
            Word("owner", "the passphrase for what is dangerous, and the owner's token", ("cli.agents",)),
            Word("sessions", "list agents' sessions, make one, or begin one anew", ("api.context",)),
            Word("items", "list what agents' frameworks keep in their stores", ("api.items",)),
        ),
    ),
    (
        "Connect agents",
        (
            Word(
                "install",
                "connect the desk to Claude Code, Codex, OpenClaw, Cursor and others",
                ("cli.install",),
            ),
            Word("discover", "look for memory that agents keep on this machine", ("api.workspace",)),
            Word("switch", "put the desk in the place of the MCP memory server", ("cli.switching",)),
            Word("skills", "write pinned strategies and facts into a runtime", ("cli.install",)),
            Word("mcp", "serve a set of tools over MCP, for a runtime's settings", ("cli.tools",)),
            Word("hook", "what Claude Code and Codex call at the moments of a session", ("cli.hook",)),
            Word("tools", "list the tools that agents know, by set", ("cli.tools",)),
            Word("tool", "call one of those tools", ("cli.tools",)),
        ),
    ),
    (
        "Files",
        (
            Word("import", "bring memory in from files", ("cli.workspace",)),
            Word("export", "write memory into a file for another desk or program", ("cli.workspace",)),
            Word("workspaces", "list agents' folders and how each was recognised", ("api.workspace",)),
        ),
    ),
    (
        "The desk",
        (
            Word("open", "show the window", ("cli.serving",)),
            Word("demo", "try MemDesk on a sample desk", ("cli.serving",)),
            Word("serve", "serve the desk in the foreground", ("cli.serving",)),
            Word("stop", "end the desk's service", ("cli.serving",)),
            Word("status", "what the desk holds, what works, what runs", ("cli.upkeep",)),
            Word("doctor", "say what is wrong with the desk, and repair it", ("cli.doctor",)),
            Word("backup", "list backups, make one, put one in place", ("cli.backup",)),
            Word("copy", "copy the desk into a database, or back into a folder", ("cli.backup",)),
            Word("encrypt", "encrypt the desk, with its backups", ("cli.backup",)),
            Word("decrypt", "write an encrypted desk in clear", ("cli.backup",)),
            Word("settings", "list the settings, explain or change one", ("cli.upkeep",)),
            Word(
                "models",
                "the models at work, whether they answer, their tokens",
                ("cli.upkeep", "api.models"),
            ),
            Word("jobs", "list the jobs, run one, pause one, see their history", ("cli.jobs", "api.jobs")),
            Word("metrics", "the desk in numbers", ("cli.upkeep",)),
        ),
    ),
    (
        "MemDesk itself",
        (
            Word("completion", "print the completion for bash, zsh or fish", ("cli.completion",)),
            Word("licences", "list the packages MemDesk is made of, with their licences", ("cli.licences",)),
        ),
    ),
)
"""Headings of the help, each with its commands."""
WORDS = tuple(word for _, words in GROUPS for word in words)
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
    out = terminal(json="--json" in arguments)
    try:
        _refuse_bytes(arguments)
        args, command = parsed(arguments)
        out = terminal(json=args.json)
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


def parser(named: Collection[str] | None = None) -> Parser:
    """Return the parser. Common options may come before the command or after it.

    named: the commands that it knows; all by default."""
    whole = Parser(
        prog="memdesk",
        usage="memdesk COMMAND [OPTIONS]",
        description="See, judge and correct what AI agents remember.",
        epilog=f"{_commands()}\n\n{_exit_codes()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    whole.add_argument("--version", action="version", version=f"memdesk {__version__}")
    _common(whole, tuple(SCOPES))
    words = whole.add_subparsers(
        dest="word", metavar="COMMAND", required=True, help=argparse.SUPPRESS, prog="memdesk"
    )
    for word in WORDS:
        if named is None or word.name in named:
            _declare(words, word)
    return whole


def _declare(words: argparse._SubParsersAction[Parser], word: Word) -> None:
    """Add the command of a word, or its group: each action is a command, and LIST may be left out."""
    commands = {each.name.partition(" ")[2]: each for each in commands_named(word)}
    usual = commands.get("") or commands.get(LIST)
    about = usual.help if usual and len(commands) == 1 else f"{word.summary[:1].upper()}{word.summary[1:]}."
    group = words.add_parser(word.name, description=about)
    if usual is not None:
        _fill(group, usual)
    else:
        _common(group, ())
    if actions := {name: each for name, each in commands.items() if name}:
        choices = group.add_subparsers(
            metavar="ACTION", required=usual is None, title="actions", prog=group.prog
        )
        for name, each in actions.items():
            _fill(choices.add_parser(name, help=each.help.splitlines()[0], description=each.help), each)


def _fill(parser: Parser, command: Command) -> None:
    _common(parser, command.scope)
    command.declare(parser)
    parser.set_defaults(command=command, parser=parser)


def _common(word: argparse.ArgumentParser, scope: Sequence[str]) -> None:
    """Add the common options. They are absent unless given, so the command's parser does not reset one given
    before it."""
    absent = argparse.SUPPRESS
    word.add_argument(
        "--desk",
        metavar="DIR",
        default=absent,
        help="the desk's folder, database or service (or MEMDESK_DESK)",
    )
    word.add_argument("--json", action="store_true", default=absent, help="answers and errors as JSON")
    for name in scope:
        word.add_argument(f"--{name}", metavar="NAME", default=absent, help=SCOPES[name])


def parsed(arguments: Sequence[str]) -> tuple[argparse.Namespace, Command]:
    """Return the arguments and their command. Raises BadAsk with the sentence that says what is wrong."""
    word = _word_in(arguments)
    if word and word not in {each.name for each in WORDS}:
        raise unknown_command(word, [each.name for each in WORDS], "memdesk")
    args, left = parser([word]).parse_known_args(arguments)
    command: Command = args.command
    if left:
        raise args.parser.unknown(left)
    for name in SCOPES:
        if name in args and name not in command.scope:
            raise wrong_usage(f"{command.name} takes no --{name}", args.parser.prog)
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


def _commands() -> str:
    """Return the commands under their headings."""
    width = max(len(word.name) for word in WORDS)
    lines = (
        (f"\n{title}:", *(f"  {word.name:<{width}}  {word.summary}" for word in words))
        for title, words in GROUPS
    )
    return "\n".join(line for group in lines for line in group).lstrip()


def _exit_codes() -> str:
    lines = [f"  {error.exit_code:<4} {(error.__doc__ or '').splitlines()[0]}" for error in ALL_ERRORS]
    return "\n".join(("exit codes:", "  0    Done.", *lines, f"  {INTERRUPTED:<4} Interrupted with Ctrl-C."))
