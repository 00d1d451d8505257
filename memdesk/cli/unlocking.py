"""Question for the passphrase of an encrypted desk, where neither the keyring nor the environment has the key."""

from __future__ import annotations

import sys

from memdesk.cli.confirming import asked
from memdesk.files import desk_key
from memdesk.files.places import Desk
from memdesk.model.errors import NotAllowed

QUESTION = "The passphrase of this desk's encryption: "


def unlock(desk: Desk, *, only_terminal: bool = False, backups: bool = False) -> None:
    """Use the key of an encrypted desk in this process, and ask for its passphrase if nothing else has it.

    only_terminal: do not read it from standard input, which may be a command's own. backups: also if only backups are
    encrypted. Raises NotAllowed,
    StorageFailed."""
    try:
        desk_key.unlock(desk, backups=backups)
    except NotAllowed as unknown:
        if not unknown.details.get("encrypted") or (only_terminal and not sys.stdin.isatty()):
            raise
        given = asked(QUESTION)
        if not given:
            raise
        desk_key.unlock(desk, given=given, backups=backups)
