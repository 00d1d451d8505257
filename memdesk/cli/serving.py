"""serve, stop: run the desk's service in the foreground, and end it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from memdesk.cli.command import Command, Context
from memdesk.cli.unlocking import unlock
from memdesk.client.find import stop_service


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Output of `serve --json`, printed once the socket answers."""

    desk: str
    socket: str
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Output of `stop --json`. pid: the process that ended, None when none ran."""

    desk: str
    pid: int | None


def serve(context: Context) -> int:
    """Serve the desk in the foreground until SIGTERM, Ctrl-C or `memdesk stop`.

    The passphrase of an encrypted desk is asked for, or read from a line of standard input."""
    desk = context.desk
    unlock(desk)
    serving = Serving(desk=str(desk.folder), socket=str(desk.socket), pid=os.getpid())

    def ready() -> None:
        if context.out.json:
            context.out.answer(serving, ())
        else:
            context.out.note(f"MemDesk serves {serving.desk} on {serving.socket} (Ctrl-C ends it).")

    context.rooms.serve(desk, ready)
    return 0


def stop(context: Context) -> int:
    """Stop the desk's service and wait until it has released the desk."""
    desk = context.desk
    pid = asyncio.run(stop_service(desk))
    says = (
        f"The service of {desk.folder} (process {pid}) ended."
        if pid
        else f"No service runs on {desk.folder}."
    )
    context.out.answer(Stopped(desk=str(desk.folder), pid=pid), [says])
    return 0


COMMANDS = (Command(name="serve", run=serve), Command(name="stop", run=stop))
