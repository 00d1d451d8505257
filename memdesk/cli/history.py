"""log, audit, verify: the timeline of changes and recalls, the audit log, and the hash chain that verifies
them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace

from memdesk.api import history
from memdesk.api.endpoint import Face
from memdesk.cli.command import Command, Context
from memdesk.cli.declared import ask_of, declare_ask
from memdesk.cli.jobs import followed
from memdesk.cli.output import counted, local, plain
from memdesk.model.errors import StorageFailed
from memdesk.model.history import AskAudit, AuditRow, EventDetail, SegmentList, Verification
from memdesk.model.status import Nothing

AUDIT_HEAD = ("ROW", "TIME", "OPERATION", "TYPE", "AUTHOR", "CHANNEL", "WHAT")
DAYS_HEAD = ("DAY", "ROWS", "LAST CHANGE", "STATE")


def event_lines(detail: EventDetail) -> Iterator[str]:
    """Yield the lines that show one event to a person: the changed fields, the reasons, and what undoing it
    would do."""
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


ROWS = Face(
    "audit",
    defaults={"limit": 30},
    options={"operations": "op", "memory_types": "type"},
    left_out=("success",),
    help={
        "operations": "only this operation, such as retrieve",
        "memory_types": "only this memory type, such as semantic",
        "authors": "only this author, such as agent:iris",
        "after": "the page after this row",
        "session_id": "only this session",
        "conversation_id": "only this conversation",
        "since": "only from this time on",
        "until": "only from before this time",
    },
)


def _declare_audit(parser: argparse.ArgumentParser) -> None:
    declare_ask(parser, AskAudit, ROWS)
    parser.add_argument("--failed", action="store_true", help="only what was refused")
    parser.add_argument("--days", action="store_true", help="list the log's days instead")


def audit(context: Context) -> int:
    """List rows of the audit log, newest first, or its days."""
    return _days(context) if context.args.days else _rows(context)


def _rows(context: Context) -> int:
    ask = replace(ask_of(context, AskAudit, ROWS), success=False if context.args.failed else None)
    page = context.call(history.AUDIT, ask)
    rows = [_audit_row(row) for row in page.rows]
    context.out.listing(page, AUDIT_HEAD, rows, none="No rows.")
    if not context.out.json and page.next is not None:
        context.out.note(f"Older rows: --after {page.next}.")
    return 0


def _audit_row(row: AuditRow) -> tuple[str, ...]:
    what = row.title or row.query_text or row.error_message or ""
    return (
        str(row.id),
        local(row.timestamp),
        row.operation + ("" if row.success else " (refused)"),
        row.memory_type,
        row.author,
        row.source_channel or "",
        what,
    )


def _days(context: Context) -> int:
    found: SegmentList = context.call(history.SEGMENTS, Nothing())
    rows = [
        (
            each.day.isoformat(),
            f"{each.rows:,}",
            "" if each.last_change is None else str(each.last_change),
            f"dropped {local(each.dropped_at)}" if each.dropped_at else "closed" if each.closed else "open",
        )
        for each in found.rows
    ]
    context.out.answer(found, context.out.table(DAYS_HEAD, rows) if rows else [])
    if not context.out.json:
        context.out.note(f"Level {found.level}; days are kept for {found.retention_days:,} days.")
    return 0


def verify(context: Context) -> int:
    """Check the desk completely: pages, rows, indexes, files and journal. The command fails if anything is
    not as it was written."""
    job = followed(context, context.call(history.VERIFY, Nothing()))
    found = Verification.in_result(job.result)
    context.out.answer(found, _verified(found))
    return 0 if found.whole else StorageFailed.exit_code


def _verified(found: Verification) -> Iterator[str]:
    yield f"{found.holding:,} of {counted(found.changes, 'change')} hold, in {found.took_ms / 1000:.1f} s."
    if found.erased:
        yield f"  {found.erased:,} of them were erased and hold as links."
    if found.first_break is not None:
        yield f"  broken    {plain(found.first_break.says)}"
    yield f"  {counted(found.rows, 'row')} of memory and indexes read."
    for each in found.findings:
        yield f"  {each.part:<9} {plain(each.says)} {plain(each.next)}"
    if found.found > len(found.findings):
        yield f"  and {found.found - len(found.findings):,} more."
    if found.changes:
        yield f"  stands at change {found.last_change}, {found.hash}"


COMMANDS = (
    Command(name="audit", run=audit, declare=_declare_audit, scope=("channel", "user")),
    Command(name="verify", run=verify),
)
