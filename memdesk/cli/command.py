"""What a command is, and what it gets to work with."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from memdesk.cli.output import Output
from memdesk.client.client import Client
from memdesk.client.find import find_or_start
from memdesk.contract.endpoint import Endpoint
from memdesk.files.places import Desk
from memdesk.model.backup import BackupList, RestoreBackup, RestoreOutcome
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.doctor import Examination, Repaired

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


class Rooms(Protocol):
    """What the command line starts and may not import: the program's entry point brings them together."""

    def serve(self, desk: Desk, ready: Callable[[], None]) -> None:
        """Serve a desk in this process until it is told to stop. Raises DeskBusy when another one does."""

    def open_window(self, desk: Desk, *, tour: bool = False) -> int:
        """Show a desk's window until it is closed, with a tour if asked. Raises Refused where there can be none."""

    def speak_mcp(self, desk: Desk, path: str, agent: str) -> int:
        """Answer MCP on standard input and output, posting to a path, until input ends; returns the exit code."""

    def backups(self, desk: Desk) -> BackupList:
        """The desk's backups, whether or not the desk can be opened."""

    def restore(self, desk: Desk, ask: RestoreBackup) -> RestoreOutcome:
        """Put a backup in the desk's place. Raises DeskBusy while a service holds the desk."""

    def examine(self, desk: Desk) -> Examination:
        """Look a desk through, however damaged, whether or not a service is at work."""

    def repair(self, desk: Desk) -> Repaired:
        """Repair a desk. Raises DeskBusy while a service holds it."""

    def play_sample(self, desk: Desk) -> dict[str, int]:
        """Build the sample desk in an empty folder; returns what it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One run of one command."""

    desk: Desk
    args: argparse.Namespace
    out: Output
    rooms: Rooms

    @property
    def channel(self) -> str:
        """The channel to write to: the one named, else `_global`."""
        return self.args.channel or GLOBAL

    @property
    def user(self) -> str:
        return self.args.user or LOCAL_USER

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask the desk's service, which is started if it is not running."""
        return self.talk(lambda client: client.call(endpoint, ask))

    def talk(self, conversation: Callable[[Client], Awaitable[Answer]]) -> Answer:
        """Have several calls over one connection."""

        async def connected() -> Answer:
            async with await find_or_start(self.desk) as client:
                return await conversation(client)

        return asyncio.run(connected())


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One word of the command line.

    declare: adds its arguments. run: carries it out; returns the exit code. scope: which of channel, user and agent
    it takes.
    """

    name: str
    says: str
    run: Callable[[Context], int]
    declare: Callable[[argparse.ArgumentParser], None] = lambda _: None
    scope: tuple[str, ...] = ()
