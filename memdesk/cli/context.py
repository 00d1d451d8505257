"""compactions, seen and sessions: what compaction replaced in agents' contexts, what they were given, and
their sessions."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from memdesk.api import context as calls
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain
from memdesk.model.context import (
    AskArchive,
    AskCompaction,
    CompactionRow,
    CompactionWhole,
    ListCompactions,
    RestoreArchive,
)
from memdesk.model.prompt import AskSeen, ListSeen, SeenRow

COMPACTIONS_HEAD = ("ID", "AT", "POLICY", "BY", "MESSAGES", "TOKENS", "FACTS", "LOST", "CONVERSATION")
SEEN_HEAD = ("ID", "AT", "WHO", "TURN", "TOKENS", "PIECES", "FOR")


def _declare_compactions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="the compaction to show; without it, they are listed"
    )
    parser.add_argument("--find", metavar="WORDS", help="of one: the archived messages that hold these words")
    parser.add_argument(
        "--archive", action="store_true", help="of one: all archived messages, a JSON object a line"
    )
    parser.add_argument("--restore", action="store_true", help="of one: take it back")
    parser.add_argument("--conversation", metavar="ID", help="list: only of this conversation")
    parser.add_argument("--session", metavar="ID", help="list: only of this session")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="at most (default: 20)")


def compactions(context: Context) -> int:
    """List compactions, or show one with the messages it replaced and its summary, print its archive, or take
    it back."""
    args = context.args
    if args.id is None:
        return _list(context)
    if args.restore:
        done = context.call(calls.RESTORE, RestoreArchive(compaction_id=args.id, user_id=context.user))
        back = f"{counted(len(done.messages), 'message')} stand in the place of the summary again; "
        context.out.answer(done, [f"{back}`memdesk undo {done.change}` takes that back."])
        return 0
    if args.archive or args.find is not None:
        return _archive(context)
    whole = context.call(
        calls.COMPACTION, AskCompaction(compaction_id=args.id, user_id=context.user, limit=1000)
    )
    context.out.answer(whole, whole_lines(context.out, whole))
    return 0


def _list(context: Context) -> int:
    args = context.args
    ask = ListCompactions(
        user_id=context.user,
        conversation_id=args.conversation,
        session_id=args.session,
        limit=args.limit,
        channels=(args.channel,) if args.channel else (),
    )
    found = context.call(calls.COMPACTIONS, ask)
    none = "Nothing was compacted yet; an agent does it with context/compact."
    context.out.listing(found, COMPACTIONS_HEAD, [_row(row) for row in found.rows], none=none)
    return 0


def _archive(context: Context) -> int:
    args = context.args
    ask = AskArchive(compaction_id=args.id, user_id=context.user, text=args.find or "", limit=1000)
    found = context.call(calls.ARCHIVE, ask)
    context.out.answer(found, (json.dumps(row.message, ensure_ascii=False) for row in found.rows))
    if not found.rows and not context.out.json:
        context.out.note("No archived message holds these words.")
    return 0


def _row(row: CompactionRow) -> tuple[str, ...]:
    what = f"{row.title} (restored)" if row.restored else row.title
    return (
        row.id,
        local(row.at),
        row.policy,
        row.by,
        f"{row.messages_before} → {row.messages_after}",
        f"{row.tokens_before:,} → {row.tokens_after:,}",
        str(row.facts),
        str(row.lost),
        what,
    )


def whole_lines(out: Output, whole: CompactionWhole) -> Iterator[str]:
    row = whole.row
    yield out.styled(f"{plain(row.title)}: turns {row.first_index} to {row.last_index}, by {row.by}", "bold")
    if row.note:
        yield out.styled(plain(row.note), "dim")
    for number, sentence in enumerate(whole.sentences):
        turns = ", ".join(map(str, sentence.turns))
        yield f"  {number:>3}  {plain(sentence.text)}  {out.styled(f'[{turns}]', 'dim')}"
    for fact in whole.facts:
        yield f"  kept  {plain(fact.claim)}  {out.styled(fact.id, 'dim')}"
    for lost in whole.lost:
        yield f"  lost  {plain(lost.text)}  {out.styled(f'[{lost.turn_index}]', 'dim')}"


def _declare_seen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", nargs="?", type=int, metavar="ID", help="the one to show; without it, they are listed"
    )
    parser.add_argument("--conversation", metavar="ID", help="list: only in this conversation")
    parser.add_argument(
        "--turn", type=int, metavar="N", help="list: only before this turn of the conversation"
    )
    parser.add_argument("--session", metavar="ID", help="list: only in this session")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="list: at most (default: 20)")


def seen(context: Context) -> int:
    """List the memory that agents were given before their turns, or print one such text exactly."""
    args = context.args
    if args.id is not None:
        whole = context.call(calls.SEEN, AskSeen(id=args.id, user_id=context.user))
        context.out.answer(whole, (line for piece in whole.pieces for line in (piece.text, "")))
        return 0
    ask = ListSeen(
        user_id=context.user,
        conversation_id=args.conversation,
        session_id=args.session,
        turn_index=args.turn,
        limit=args.limit,
        agents=(args.agent,) if args.agent else (),
    )
    found = context.call(calls.PROMPTS, ask)
    none = "No agent was told anything yet; an agent asks with context/prompt."
    context.out.listing(found, SEEN_HEAD, [_seen(row) for row in found.rows], none=none)
    return 0


def _seen(row: SeenRow) -> tuple[str, ...]:
    turn = "" if row.turn_index is None else str(row.turn_index)
    return (
        str(row.id),
        local(row.at),
        row.author,
        turn,
        f"{row.tokens:,} of {row.budget_tokens:,}",
        " ".join(row.pieces),
        row.query,
    )


COMMANDS = (
    Command(name="compactions", run=compactions, declare=_declare_compactions, scope=("channel", "user")),
    Command(name="seen", run=seen, declare=_declare_seen, scope=("user", "agent")),
)
