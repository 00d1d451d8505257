"""compact: try a compaction policy on a file of messages, on a temporary desk that is removed afterwards."""

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
from memdesk.cli.context import whole_lines
from memdesk.cli.output import Output, counted, plain
from memdesk.client.client import Client
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.atomic import write_atomic
from memdesk.files.following import messages
from memdesk.files.places import Desk, scratch_folder
from memdesk.files.reading import MEGABYTE, read_text
from memdesk.model.browse import ListFacts
from memdesk.model.context import AskCompaction, Compact, Compacted, CompactionWhole, Message
from memdesk.model.errors import BadAsk
from memdesk.model.message import message as sentence

FILE_BYTES = 60 * MEGABYTE
"""Largest file read: the most that the service accepts in one call, less what JSON adds."""
SHOWN = 1000
"""Number of turns and facts asked for; the most that one call returns."""
HEAD = ("", "BEFORE", "AFTER")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Result of a trial. compaction: includes the turns that were replaced, None where nothing was compacted.
    facts: claims."""

    compacted: Compacted
    compaction: CompactionWhole | None
    facts: tuple[str, ...]


def _declare(parser: argparse.ArgumentParser) -> None:
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
    yield from out.table(HEAD, rows)
    if tried.compaction is not None:
        yield from whole_lines(out, tried.compaction)
        return
    yield from (f"  kept  {plain(claim)}" for claim in tried.facts)
    if done.action == "none":
        yield f"{counted(before.messages, 'message')} stay as they are; --force compacts them all the same."


COMMANDS = (Command(name="compact", run=compact, declare=_declare),)
