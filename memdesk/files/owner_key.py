"""Owner's token of a desk: in its own file, or in the system's keyring, where the file then only says so."""

from __future__ import annotations

from pathlib import Path

from memdesk.files import keyring_access
from memdesk.files.atomic import write_atomic
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message

IN_KEYRING = message("in the system's keyring")
"""Content of the file while the keyring has the token."""
SERVICE = "memdesk-owner"
"""Service name in the keyring; the user name is the desk's folder."""


def read_owner_token(file: Path) -> str:
    """Return the token. Raises FileNotFoundError, PermissionError, and StorageFailed where it cannot be read or the
    keyring does not give it."""
    try:
        token = file.read_text(encoding="ascii").strip()
    except (FileNotFoundError, PermissionError):
        raise
    except (OSError, UnicodeDecodeError) as wrong:
        raise StorageFailed(
            message("The owner token {file} cannot be read: {refused}.", file=file, refused=wrong)
        ) from wrong
    return _in_keyring(file) if token == IN_KEYRING else token


def move_to_keyring(file: Path) -> None:
    """Move the token into the keyring. Raises StorageFailed where there is none, or it refuses; the file then stays."""
    token = read_owner_token(file)
    keyring_access.put(SERVICE, str(file.parent), token)
    write_atomic(file, f"{IN_KEYRING}\n".encode())


def move_to_file(file: Path) -> None:
    """Move the token back into its file. Raises StorageFailed."""
    write_atomic(file, f"{read_owner_token(file)}\n".encode())


def _in_keyring(file: Path) -> str:
    token = keyring_access.get(SERVICE, str(file.parent))
    if token is None:
        raise StorageFailed(
            message("The system's keyring has no owner token for {parent}.", parent=file.parent),
            next=message("Unlock it; or remove {file}, and the service makes a new token.", file=file),
        )
    return token
