"""Definition of a command, the context it runs in, and the parser of its words.

An error of the parser is one sentence with a next step, and suggests the word that was meant."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from memdesk.api.endpoint import Endpoint
from memdesk.cli.output import Output
from memdesk.files.places import Desk
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.errors import NotAllowed
from memdesk.model.message import Message

if TYPE_CHECKING:
    from memdesk.model.backup import (
        BackupList,
        DeskCopied,
        Examination,
        Repaired,
        RestoreBackup,
        RestoreOutcome,
    )
    from memdesk.model.checkup import CheckReport
    from memdesk.model.desk_keys import AskEncryption, EncryptionMoved
    from memdesk.model.interop import AskImport
    from memdesk.model.project import EnterProject
    from memdesk.model.team import Listen
import re
from collections.abc import Iterable
from typing import NoReturn

from memdesk.model.errors import BadAsk
from memdesk.model.message import message, verbatim

_CHOICE = re.compile(
    r"argument (?P<name>.+): invalid choice: (?P<given>'.*?'|\".*?\") \(choose from (?P<known>.*)\)"
)
_KIND = re.compile(r"argument (?P<name>.+): invalid (?P<kind>\w+) value: (?P<given>.+)")
_KINDS = {"int": "whole number", "float": "number", "fromisoformat": "day; write 2026-01-31"}
_VALUE = re.compile(r"argument (?P<name>.+?): (?P<problem>.*)")


class Parser(argparse.ArgumentParser):
    """Parser that raises BadAsk instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        raise wrong_usage(_sentence(message), self.prog)

    def unknown(self, words: Iterable[str]) -> BadAsk:
        """Return the error for words that the parser left over."""
        given = next((word for word in words if word.startswith("-")), "")
        if not given:
            return wrong_usage(f"There is one argument too many: {next(iter(words))}", self.prog)
        name = given.partition("=")[0]
        options = [option for action in self._actions for option in action.option_strings]
        return wrong_usage(f"There is no option {name}{_meant(name, options)}", self.prog)


def wrong_usage(sentence: str, program: str) -> BadAsk:
    """program: the words of the command whose help has the answer."""
    ended = sentence if sentence.endswith((".", "?")) else f"{sentence}."
    return BadAsk(verbatim(ended), next=message("`{program} --help` explains it.", program=program))


def unknown_command(word: str, known: Iterable[str], program: str) -> BadAsk:
    return wrong_usage(f"There is no command {word}{_meant(word, known)}", program)


def _meant(word: str, known: Iterable[str]) -> str:
    """Return the question for the nearest of the known words; a full stop where none is near."""
    from difflib import get_close_matches  # Three milliseconds, which only a mistake pays for.

    near = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f". Did you mean {near[0]}?" if near else "."


def _sentence(problem: str) -> str:
    """Return argparse's account of an error as a sentence."""
    if found := _CHOICE.fullmatch(problem):
        known = [word.strip("' ") for word in found["known"].split(",")]
        given = found["given"][1:-1]
        near = _meant(given, known)
        return f"{found['name']} cannot be {given}" + (near if near != "." else f"; it is {_one_of(known)}")
    if found := _KIND.fullmatch(problem):
        return f"{found['name']}: {found['given']} is no {_KINDS.get(found['kind'], found['kind'])}"
    if found := _VALUE.fullmatch(problem):
        return f"{found['name']}: {found['problem']}"
    return f"{problem[:1].upper()}{problem[1:]}"


def _one_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


class DeskOperations(Protocol):
    """Operations that the command line starts but may not import; the program's entry point supplies them."""

    def serve(self, desk: Desk, ready: Callable[[], None], listen: Listen | None = None) -> None:
        """Serve a desk in this process until the service is stopped, over the network too if asked. Raises DeskBusy
        when another service already runs."""

    def open_window(self, desk: Desk, *, tour: bool = False, tray: bool = False) -> int:
        """Show a desk's window until it is closed, with a tour or at first in the tray if asked. Raises Refused where
        no window can be shown."""

    def speak_mcp(
        self, desk: Desk, path: str, agent: str | None, token: str | None, project: EnterProject | None
    ) -> int:
        """Answer MCP on standard input and output, posting each message to `path` as this agent, until input ends;
        return the exit code. project: that of the working folder, whose channel is used; None where one is named."""

    def backups(self, desk: Desk) -> BackupList:
        """Return the desk's backups, whether or not the desk can be opened."""

    def restore(self, desk: Desk, ask: RestoreBackup) -> RestoreOutcome:
        """Replace the desk with a backup. Raises DeskBusy while a service uses the desk."""

    def examine(self, desk: Desk) -> Examination:
        """Examine a desk, however damaged, whether or not a service is running."""

    def repair(self, desk: Desk) -> Repaired:
        """Repair a desk. Raises DeskBusy while a service uses the desk."""

    def encrypt(self, desk: Desk, ask: AskEncryption) -> EncryptionMoved:
        """Encrypt a desk. Raises DeskBusy while a service uses the desk."""

    def decrypt(self, desk: Desk, ask: AskEncryption) -> EncryptionMoved:
        """Write an encrypted desk in clear. Raises DeskBusy while a service uses the desk."""

    def copy(self, source: Desk, target: Desk) -> DeskCopied:
        """Copy a desk into one without memory. Raises DeskBusy while a service uses one of them."""

    def check_path(
        self, ask: AskImport, progress: Callable[[int, int, Message], None] | None = None
    ) -> CheckReport:
        """Check a folder or an export without importing it, and without a service."""

    def play_sample(self, desk: Desk) -> dict[str, int]:
        """Build the sample desk in an empty folder; return the record counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Context of one run of a command: desk, arguments, output and operations."""

    desk: Desk
    args: argparse.Namespace
    out: Output
    rooms: DeskOperations

    @property
    def channel(self) -> str:
        """Channel to write to: the one given with --channel, else `_global`."""
        return self.args.channel or GLOBAL

    @property
    def user(self) -> str:
        return self.args.user or LOCAL_USER

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Send one request to the desk's service, starting the service if it is not running.

        The caller is the desk's owner, or the agent whose token MEMDESK_TOKEN holds."""
        from memdesk.client.direct import DirectClient, answers
        from memdesk.client.wire import agent_token

        if not answers(self.desk):
            import asyncio

            from memdesk.cli.confirming import unlock
            from memdesk.client.find import ensure_service

            unlock(self.desk, only_terminal=True)
            asyncio.run(ensure_service(self.desk))
        if endpoint.confirmed:
            from memdesk.cli.confirming import WAITS, clicks_confirm

            if clicks_confirm(self.desk):
                self.out.note(f"memdesk: {WAITS}")
        client = DirectClient(self.desk, token=agent_token())
        try:
            return client.call(endpoint, ask)
        except NotAllowed as refused:
            from memdesk.cli.confirming import given_passphrase

            if not refused.details.get("passphrase") or not (given := given_passphrase()):
                raise
            client.confirm(given)
            return client.call(endpoint, ask)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Command of the command line, or one action of a group, such as `channels create`.

    about: its help, by default the docstring of `run`. declare: adds its arguments to a parser. run: carries it out and
    returns the exit code. scope: the options among channel, user and agent that it takes."""

    name: str
    run: Callable[[Context], int]
    about: str = ""
    declare: Callable[[argparse.ArgumentParser], None] = lambda _: None
    scope: tuple[str, ...] = ()

    @property
    def help(self) -> str:
        return self.about or self.run.__doc__ or ""
