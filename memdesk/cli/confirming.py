"""Questions that confirm a dangerous command: for the owner's passphrase, or for a name;
and the question for the passphrase of an encrypted desk."""

from __future__ import annotations

import getpass
import os
import sys

from memdesk.api import owner
from memdesk.cli.output import plain
from memdesk.client.direct import DirectClient, answers
from memdesk.files import encryption, passphrase
from memdesk.files.autostart import window_process
from memdesk.files.places import Desk
from memdesk.model.agent import AskConfirmation
from memdesk.model.errors import BadAsk, NotAllowed
from memdesk.model.message import message

PASSPHRASE_VARIABLE = "MEMDESK_PASSPHRASE"
"""Variable of the environment with the owner's passphrase, for scripts."""
WAITS = "Waiting for a click in the desk's window (Ctrl-C gives up)."


def asked(question: str) -> str:
    """Return an answer that the terminal does not show, or a line of standard input."""
    return getpass.getpass(question) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def given_passphrase() -> str:
    """Return the passphrase from the environment or the terminal; "" where there is neither."""
    known = os.environ.get(PASSPHRASE_VARIABLE, "")
    return known or (asked("The desk's passphrase: ") if sys.stdin.isatty() else "")


def clicks_confirm(desk: Desk) -> bool:
    """Return True if dangerous acts of this process wait for a click: a window is open, and no passphrase is set."""
    return window_process(desk) not in (0, os.getpid()) and not passphrase.is_set(desk.owner_passphrase)


def confirm(desk: Desk, name: str, *, flag: bool) -> None:
    """Ask the person to confirm a dangerous command: by the passphrase if one is set, by a click if the desk's window
    is open, else by typing a name.

    flag: the command's --yes, which stands for the name. Raises NotAllowed, BadAsk."""
    file = desk.owner_passphrase
    if passphrase.is_set(file):
        if not passphrase.matches(file, given_passphrase()):
            raise NotAllowed(
                message("This asks for the desk's passphrase."),
                next=message(
                    "Type it, or give it in {passphrase_variable}.", passphrase_variable=PASSPHRASE_VARIABLE
                ),
            )
        return
    if clicks_confirm(desk) and answers(desk):
        print(f"memdesk: {WAITS}", file=sys.stderr, flush=True)
        DirectClient(desk).call(owner.CONFIRM, AskConfirmation(what=f"memdesk {name}"))
        return
    if flag:
        return
    if sys.stdin.isatty():
        print(f"Type {plain(name)} to go on: ", end="", file=sys.stderr, flush=True)
    if not sys.stdin.isatty() or sys.stdin.readline().strip() != name:
        raise BadAsk(
            message("This was not confirmed, so nothing was done."), next=message("A script passes --yes.")
        )


QUESTION = "The passphrase of this desk's encryption: "


def unlock(desk: Desk, *, only_terminal: bool = False, backups: bool = False) -> None:
    """Use the key of an encrypted desk in this process, and ask for its passphrase if nothing else has it.

    only_terminal: do not read it from standard input, which may be a command's own. backups: also if only backups are
    encrypted. Raises NotAllowed,
    StorageFailed."""
    try:
        encryption.unlock(desk, backups=backups)
    except NotAllowed as unknown:
        if not unknown.details.get("encrypted") or (only_terminal and not sys.stdin.isatty()):
            raise
        given = asked(QUESTION)
        if not given:
            raise
        encryption.unlock(desk, given=given, backups=backups)
