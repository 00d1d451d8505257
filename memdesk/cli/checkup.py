"""checkup: check all facts now, ask about findings, and list them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memdesk.api import checkup as calls
from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import follow
from memdesk.cli.output import Output, counted, plain
from memdesk.client.client import Client
from memdesk.model.checkup import AskCheckup, Finding
from memdesk.model.status import JobState, Nothing


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, default=50, help="findings at most (default: 50)")
    parser.add_argument("--look", action="store_true", help="only list the findings, ask about none")


def checkup(context: Context) -> int:
    """Check all facts, ask about the best findings in the review queue, and list them."""
    if not context.args.look:
        context.talk(lambda client: _checked(client, context.out))
    ask = AskCheckup(user_id=context.user, limit=context.args.limit)
    found = context.call(calls.FINDINGS, ask)
    context.out.answer(found, [line for row in found.rows for line in _lines(row)])
    if not context.out.json:
        more = " and more" if found.more else ""
        context.out.note(f"{counted(len(found.rows), 'finding')}{more} in {counted(found.checked, 'fact')}.")
    return 0


async def _checked(client: Client, out: Output) -> JobState:
    return await follow(client, await client.call(calls.START, Nothing()), out)


def _lines(found: Finding) -> Iterator[str]:
    yield f"{found.kind} in {plain(found.channel)}: “{plain(found.title)}” {found.id}"
    if found.other_id is not None:
        yield f"  other: “{plain(found.other_title)}” {found.other_id}"
    yield f"  {plain(found.reason)}"


COMMANDS = (
    Command(name="checkup", says="check all facts, and ask about findings", run=checkup, declare=_declare),
)
