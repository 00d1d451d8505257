"""agents list, who, owner, team join: the agents with what each may do, who one of them is, the owner's passphrase, and
the token with which this computer calls a desk of another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from memdesk.api import agents, owner, upkeep
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import asked
from memdesk.cli.output import Output, local, plain
from memdesk.client.direct import DirectClient
from memdesk.files.atomic import write_atomic
from memdesk.files.passphrase import move_to_file, move_to_keyring
from memdesk.files.places import desk_at
from memdesk.model.agent import (
    AgentInfo,
    AgentList,
    AskPortrait,
    FolderRead,
    NewPassphrase,
    Portrait,
    PortraitLine,
)
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.message import message
from memdesk.model.recall import Provenance
from memdesk.model.status import Nothing


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help="ask for none any more")


def change(context: Context) -> int:
    """Set or remove the passphrase that erasing, restoring, exporting, tokens and grants ask for.

    The window does not ask: who sits at it sees what is done. Only a hash is kept, in the desk's folder. A program that
    runs as you can delete that file: the passphrase stops mistakes and agents, not an attacker with your account."""
    new = "" if context.args.remove else _new()
    said = context.call(owner.PASSPHRASE, NewPassphrase(passphrase=new))
    context.out.answer(
        said, ["The passphrase is set." if said.is_set else "There is no passphrase any more."]
    )
    return 0


def _new() -> str:
    first = asked("The new passphrase: ")
    if sys.stdin.isatty() and asked("Again: ") != first:
        raise BadAsk(message("The two are not the same, so nothing was changed."))
    if not first:
        raise BadAsk(message("A passphrase has at least one letter."), next=message("--remove removes it."))
    return first


def _declare_keyring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--back", action="store_true", help="move it back into its file")


def keep(context: Context) -> int:
    """Move the owner's token into the system's keyring, or back into its file.

    Needs the extra `keyring`. Commands and the window then need a session in which the keyring is unlocked."""
    file = context.desk.owner_token
    try:
        move_to_file(file) if context.args.back else move_to_keyring(file)
    except FileNotFoundError:
        raise NotFound(
            message("This desk has no owner's token yet."),
            next=message("The first start makes it: `memdesk open`."),
        ) from None
    where = str(file) if context.args.back else "the system's keyring"
    context.out.answer({"token": where}, [f"The owner's token is in {where}."])
    return 0


def show(context: Context) -> int:
    """List the agents, whether each signs with a token or is a guest, and its grants.

    Without grants an agent reads every channel of the user `local`, and writes into every channel but `_global`: a
    claim that it addresses to `_global` becomes a question in review."""
    found = context.call(agents.LIST, Nothing())
    context.out.answer(found, _lines(context.out, found))
    return 0


def _lines(out: Output, found: AgentList) -> Iterator[str]:
    if not found.rows:
        yield "No agent has called yet."
        return
    rows = [
        (plain(row.agent), _token(row), row.channel, _seen(row), f"{row.changes:,}") for row in found.rows
    ]
    yield from out.table(("AGENT", "SIGNS WITH", "ITS CHANNEL", "LAST SEEN", "EVENTS"), rows)
    for row in found.rows:
        for each in row.grants:
            yield f"{plain(row.agent)} may {plain(each.says)} ({each.id}, given by {plain(each.author)})"


def _token(row: AgentInfo) -> str:
    return "its name (guest)" if row.token_since is None else f"a token since {local(row.token_since)}"


def _seen(row: AgentInfo) -> str:
    return "" if row.seen_at is None else local(row.seen_at)


def _declare_who(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", default="", metavar="AGENT", help="its name; without one, the newest of the desk"
    )
    parser.add_argument(
        "--lines", type=int, default=5, metavar="N", help="lines of each part at most (default: 5)"
    )
    parser.add_argument(
        "--days", type=int, default=60, metavar="N", help="days whose entries are counted (default: 60)"
    )


def who(context: Context) -> int:
    """Say who an agent is: its identity, people, rules, projects, contradictions and secrets, each with its source.

    Every line is read from a record of the desk; no language model takes part."""
    args = context.args
    ask = AskPortrait(agent=args.name, lines=args.lines, days=args.days, user_id=context.user)
    found = context.call(agents.PORTRAIT, ask)
    context.out.answer(found, _portrait(context.out, found))
    return 0


def _portrait(out: Output, found: Portrait) -> Iterator[str]:
    yield out.styled(plain(found.says), "bold")
    if found.next:
        yield plain(found.next)
    if found.folder is not None:
        yield from _folder(found.folder)
    for part in found.parts:
        yield ""
        yield out.styled(plain(part.says), "bold")
        for line in part.lines:
            yield from _line(out, line)


def _folder(folder: FolderRead) -> Iterator[str]:
    yield f"{plain(folder.path)}, {plain(folder.layout)}, added {local(folder.added_at)}"
    others = ", ".join(f"{count:,} {reason}" for reason, count in folder.others.items())
    yield f"{folder.lines:,} lines: {folder.facts:,} are facts" + (f"; {plain(others)}" if others else "")


def _line(out: Output, line: PortraitLine) -> Iterator[str]:
    count = f"{line.count:,} facts" if line.count else ""
    source = ", ".join(filter(None, (plain(line.note), count, _source(line.source))))
    yield f"  {plain(line.text)}  {out.styled(source, 'dim')}".rstrip()
    if line.other:
        yield f"  {plain(line.other)}  {out.styled(_source(line.other_source), 'dim')}  ({line.id})"


def _source(source: Provenance | None) -> str:
    """Return where a line was read: a line of a file, or a turn of a conversation."""
    if source is None:
        return ""
    if source.path:
        return plain(f"{source.path} {source.first_line or ''}".rstrip())
    return plain(f"{source.conversation_title or source.conversation_id}, turn {source.turn_index}")


def _declare_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("service", metavar="ADDRESS", help="its address: https://HOST:PORT")


def join(context: Context) -> int:
    """Keep the token that a desk's owner made for you, so that commands and the window of this account send it.

    The token is asked for, or read from a line of standard input, and tried before it is kept. `memdesk owner keyring
    --desk ADDRESS` moves it into the system's keyring. A program may give one in MEMDESK_TOKEN instead."""
    desk = desk_at(context.args.service)
    if desk.service is None:
        raise BadAsk(
            message("{service} is not the address of a desk's service.", service=context.args.service),
            next=message("It is https://HOST:PORT; http only on this computer."),
        )
    token = asked("The token: ").strip()
    if not token.isascii() or not token.isprintable() or not token:
        raise BadAsk(
            message("That is not a token."),
            next=message("`memdesk team invite NAME --role ROLE` prints one."),
        )
    DirectClient(desk, token=token).call(upkeep.STATUS, Nothing())
    write_atomic(desk.owner_token, f"{token}\n".encode())
    context.out.answer(
        {"service": desk.service, "token": str(desk.owner_token)},
        [f"Joined. `memdesk --desk {desk.service} open` shows it; MEMDESK_DESK names it for every command."],
    )
    return 0


COMMANDS = (
    Command(name="agents list", run=show),
    Command(name="who", run=who, declare=_declare_who, scope=("user",)),
    Command(name="owner passphrase", run=change, declare=_declare),
    Command(name="owner keyring", run=keep, declare=_declare_keyring),
    Command(name="team join", run=join, declare=_declare_join),
)
