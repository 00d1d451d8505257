"""compactions, seen, sessions, compact: what compaction replaced in agents' contexts, what they were given, and their
sessions; and a compaction policy tried on a file of messages, on a temporary desk that is removed afterwards."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdesk.api import context as calls
from memdesk.api import memory
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk, scratch_folder
from memdesk.files.reading import MEGABYTE, read_text
from memdesk.files.transcripts import messages
from memdesk.model.browse import ListFacts
from memdesk.model.context import (
    AskArchive,
    AskCompaction,
    Compact,
    Compacted,
    CompactionRow,
    CompactionWhole,
    ListCompactions,
    Message,
    RestoreArchive,
)
from memdesk.model.errors import BadAsk
from memdesk.model.message import message as sentence
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
    for number, kept in enumerate(whole.sentences):
        turns = ", ".join(map(str, kept.turns))
        yield f"  {number:>3}  {plain(kept.text)}  {out.styled(f'[{turns}]', 'dim')}"
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


FILE_BYTES = 60 * MEGABYTE
"""Largest file read: the most that the service accepts in one call, less what JSON adds."""
SHOWN = 1000
"""Number of turns and facts asked for; the most that one call returns."""
COMPACT_HEAD = ("", "BEFORE", "AFTER")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Result of a trial. compaction: includes the turns that were replaced, None where nothing was compacted.
    facts: claims."""

    compacted: Compacted
    compaction: CompactionWhole | None
    facts: tuple[str, ...]


def _declare_compact(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="messages as JSON or JSON Lines, or a runtime's transcript"
    )
    parser.add_argument("--policy", choices=calls.POLICY_NAMES, help="which (default: as the settings say)")
    parser.add_argument("--window", type=int, metavar="TOKENS", help="what the model takes in")
    parser.add_argument("--force", action="store_true", help="compact whatever the policy says")
    parser.add_argument("--out", metavar="FILE", help="write the messages to go on with into a file")


def compact(context: Context) -> int:
    """Compact the messages of a file with a policy, and show which facts and details were kept and which may
    be lost.

    The settings and models of your desk are used; nothing is stored on the desk."""
    args = context.args
    ask = Compact(
        messages=messages_in(Path(args.file).expanduser(), args.file),
        policy=args.policy,
        window_tokens=args.window,
        force=args.force,
    )
    tried = asyncio.run(_tried(context.desk, ask))
    if args.out:
        kept = json.dumps(tried.compacted.messages, ensure_ascii=False, indent=2)
        write_atomic(Path(args.out).expanduser(), kept.encode("utf-8", "surrogatepass") + b"\n")
    context.out.answer(tried, _lines(context.out, tried))
    if not context.out.json:
        for notice in tried.compacted.notices:
            context.out.note(plain(notice))
    return 0


def messages_in(path: Path, shown: str) -> tuple[Message, ...]:
    """Return the messages of a file: a JSON list, a request with `messages`, JSON Lines, or a runtime's
    transcript.

    shown: the file's name for error messages. Raises BadAsk for a file without messages, Refused for one that
    cannot be read."""
    text = read_text(path, shown, limit_bytes=FILE_BYTES).text
    found = _json(text)
    if isinstance(found, dict) and "role" not in found:
        found = found.get("messages")
    elif found is None or isinstance(found, dict):
        lines = [_json(line) for line in text.splitlines() if line.strip()]
        whole = all(isinstance(line, dict) and "role" in line for line in lines)
        said = [] if whole else messages(path)
        found = lines if whole else [{"role": each.role, "content": each.text} for each in said]
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise BadAsk(
            sentence("{shown} holds no messages.", shown=shown),
            next=sentence(
                "It may be a JSON list of them, one a line, or a transcript of Claude Code or Codex."
            ),
        )
    return tuple(found)


def _json(text: str) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


async def _tried(desk: Desk, ask: Compact) -> Tried:
    with scratch_folder() as folder:
        beside = Desk(folder)
        if desk.settings.exists():
            shutil.copyfile(desk.settings, beside.settings)
        start = asyncio.create_task(ensure_service(beside))
        try:
            await asyncio.shield(start)
            async with Client(beside) as client:
                return await _asked(client, ask)
        finally:
            # Whoever presses Ctrl-C early: a service that is still starting cannot be told to end.
            await asyncio.wait({start})
            await stop_service(beside)


async def _asked(client: Client, ask: Compact) -> Tried:
    done = await client.call(calls.COMPACT, ask)
    learned = await client.call(memory.FACTS, ListFacts(limit=SHOWN))
    row, whole = done.compaction, None
    if row is not None:
        asked = AskCompaction(compaction_id=row.id, limit=SHOWN)
        whole = await client.call(calls.COMPACTION, asked)
    return Tried(compacted=done, compaction=whole, facts=tuple(each.claim for each in learned.rows))


def _lines(out: Output, tried: Tried) -> Iterator[str]:
    done = tried.compacted
    before, after = done.before, done.after
    yield out.styled(f"{before.policy}: {done.action}. {plain(before.because)}", "bold")
    rows = [
        (of, f"{getattr(before, of):,}", f"{getattr(after, of):,}")
        for of in ("messages", "characters", "tokens")
    ]
    yield from out.table(COMPACT_HEAD, rows)
    if tried.compaction is not None:
        yield from whole_lines(out, tried.compaction)
        return
    yield from (f"  kept  {plain(claim)}" for claim in tried.facts)
    if done.action == "none":
        yield f"{counted(before.messages, 'message')} stay as they are; --force compacts them all the same."


COMMANDS = (
    Command(name="compactions", run=compactions, declare=_declare_compactions, scope=("channel", "user")),
    Command(name="seen", run=seen, declare=_declare_seen, scope=("user", "agent")),
    Command(name="compact", run=compact, declare=_declare_compact),
)
