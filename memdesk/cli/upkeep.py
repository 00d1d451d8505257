"""status, consolidate, serve, stop: the desk's state, and its service."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import follow
from memdesk.cli.output import Output, counted, local, plain, tallied
from memdesk.client.client import Client
from memdesk.client.find import stop_service
from memdesk.contract import upkeep
from memdesk.model.status import JobState, Nothing, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What `serve --json` prints once the socket answers."""

    desk: str
    socket: str
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """What `stop --json` prints. pid: the process that ended, None when none ran."""

    desk: str
    pid: int | None


def status(context: Context) -> int:
    """Say what the desk holds, what works and what runs."""
    found = context.call(upkeep.STATUS, Nothing())
    context.out.answer(found, _status_lines(context.out, found))
    return 0


def _status_lines(out: Output, found: Status) -> Iterator[str]:
    yield f"MemDesk {found.version}, desk of {plain(found.person)}"
    yield f"  desk      {plain(found.desk)}"
    yield f"  socket    {plain(found.socket)}"
    yield f"  service   process {found.pid}, since {local(found.started_at)}"
    vectors = f"vectors of {plain(found.embedder)}" if found.vectors else "words only"
    yield f"  search    SQLite {found.sqlite}, {vectors}"
    yield "  holds     " + ", ".join(
        (
            counted(found.facts, "fact"),
            counted(found.entities, "entity", "entities"),
            f"{counted(found.turns, 'turn')} of {counted(found.conversations, 'conversation')}",
            counted(found.documents, "file"),
        )
    )
    talks, texts = counted(found.unconsolidated, "conversation"), counted(found.unembedded, "text")
    yield f"  waiting   {talks} for extraction, {texts} for a vector"
    if found.last_change is not None:
        last = found.last_change
        yield f"  last      change {last.id}, {local(last.at)}: {last.op} by {plain(last.author)}: {plain(last.title)}"
    for job in found.jobs:
        yield f"  job       {job.name}, {job.state}: {plain(job.says)}"
    for notice in found.notices:
        yield f"  notice    {plain(notice)}"
    if found.channels:
        yield ""
        rows = [(c.name, f"{c.facts:,}", f"{c.entities:,}", f"{c.turns:,}") for c in found.channels]
        yield from out.table(("CHANNEL", "FACTS", "ENTITIES", "TURNS"), rows)


def consolidate(context: Context) -> int:
    """Extract facts from new turns now, and wait for it."""
    job = context.talk(lambda client: _consolidated(client, context.out))
    context.out.answer(job, [f"Consolidated: {tallied(job.result)}."])
    return 0


async def _consolidated(client: Client, out: Output) -> JobState:
    return await follow(client, await client.call(upkeep.CONSOLIDATE, Nothing()), out)


def serve(context: Context) -> int:
    """Serve the desk in the foreground until SIGTERM, Ctrl-C or `memdesk stop`."""
    desk = context.desk
    serving = Serving(desk=str(desk.folder), socket=str(desk.socket), pid=os.getpid())

    def ready() -> None:
        if context.out.json:
            context.out.answer(serving, ())
        else:
            context.out.note(f"MemDesk serves {serving.desk} on {serving.socket} (Ctrl-C ends it).")

    context.rooms.serve(desk, ready)
    return 0


def stop(context: Context) -> int:
    """End the desk's service and wait until it let go of the desk."""
    desk = context.desk
    pid = asyncio.run(stop_service(desk))
    says = (
        f"The service of {desk.folder} (process {pid}) ended."
        if pid
        else f"No service runs on {desk.folder}."
    )
    context.out.answer(Stopped(desk=str(desk.folder), pid=pid), [says])
    return 0


COMMANDS = (
    Command(name="status", says="what the desk holds, what works, what runs", run=status),
    Command(name="consolidate", says="extract facts from new turns now", run=consolidate),
    Command(name="serve", says="serve the desk in the foreground", run=serve),
    Command(name="stop", says="end the desk's service", run=stop),
)
