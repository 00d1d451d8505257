"""log: the audit timeline."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from memdesk.cli.command import Command, Context
from memdesk.cli.output import counted, local, plain
from memdesk.cli.times import moment
from memdesk.contract import history
from memdesk.model.history import OPERATIONS, AskHistory, EventDetail, EventRow

HEAD = ("CHANGE", "TIME", "OPERATION", "AUTHOR", "CHANNEL", "WHAT")


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--op", action="append", choices=OPERATIONS, default=[], help="only this operation")
    parser.add_argument("--author", action="append", default=[], help="only this author, such as agent:iris")
    parser.add_argument("--text", default="", help="only titles that contain it")
    parser.add_argument("--record", metavar="ID", help="only what touched this memory")
    parser.add_argument("--since", type=moment, metavar="TIME", help="only from then on")
    parser.add_argument("--until", type=moment, metavar="TIME", help="only from before")
    parser.add_argument("--limit", type=int, default=30, help="rows at most (default: 30)")
    parser.add_argument("--first", type=int, default=0, help="rows to skip")


def log(context: Context) -> int:
    """List events, newest first."""
    args = context.args
    page = context.call(
        history.PAGE,
        AskHistory(
            first=args.first,
            limit=args.limit,
            after=args.since,
            before=args.until,
            operations=tuple(args.op),
            authors=tuple(args.author),
            channels=(args.channel,) if args.channel else (),
            text=args.text,
            record=args.record,
            user_id=args.user,
        ),
    )
    rows = [_row(event) for event in page.rows]
    context.out.answer(page, context.out.table(HEAD, rows) if rows else [])
    shown = page.first + len(rows)
    if not context.out.json and (shown < page.total or not rows):
        context.out.note(f"{shown:,} of {counted(page.total, 'event')} shown.")
    return 0


def _row(event: EventRow) -> tuple[str, ...]:
    fate = f" (undone by {event.undone_by})" if event.undone_by else ""
    return str(event.id), local(event.at), event.op, event.author, event.channel, event.title + fate


def event_lines(detail: EventDetail) -> Iterator[str]:
    """One event for a person: what moved, why, and what taking it back would do."""
    row = detail.row
    yield f"change {row.id}: {row.op} by {plain(row.author)} in {plain(row.channel)}, {local(row.at)}"
    yield f"  {plain(row.title)}"
    for name, value in detail.details.items():
        yield f"  {plain(name)}: {plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}"
    for move in detail.moves:
        before, after = (("—" if side is None else plain(side)) for side in (move.before, move.after))
        yield f"  {move.kind} {move.record} {move.field}: {before} → {after}"
    if detail.total_moves > len(detail.moves):
        yield f"  … and {counted(detail.total_moves - len(detail.moves), 'more field')}"
    for record in detail.returned:
        yield f"  returned {record.kind} {record.id}: {plain(record.title)}"
    if detail.if_undone:
        yield f"  if undone: {plain(detail.if_undone)}"
    if row.undone_by:
        yield f"  undone by change {row.undone_by}"


COMMANDS = (
    Command(name="log", says="the audit timeline", run=log, declare=_declare, scope=("channel", "user")),
)
