"""Passphrase and token of the desk's owner: the passphrase as a salted scrypt hash in its own file, or not set."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from memdesk.files import keyring_access
from memdesk.files.atomic import write_atomic
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message

SALT_BYTES = 16
_COST = {"n": 2**14, "r": 8, "p": 1}
"""scrypt's parameters (RFC 7914): 16 MB and about 50 ms for each try."""


def set_passphrase(file: Path, passphrase: str) -> None:
    """Store a passphrase; an empty one removes it. Raises StorageFailed."""
    if not passphrase:
        try:
            file.unlink(missing_ok=True)
        except OSError as refused:
            raise StorageFailed(
                message("{file} cannot be removed: {strerror}.", file=file, strerror=refused.strerror)
            ) from refused
        return
    salt = secrets.token_bytes(SALT_BYTES)
    write_atomic(file, f"{salt.hex()} {_hash(passphrase, salt).hex()}\n".encode())


def is_set(file: Path) -> bool:
    """Return True if a passphrase is set."""
    return file.exists()


def matches(file: Path, passphrase: str) -> bool:
    """Return True if this is the passphrase. Raises StorageFailed where the file cannot be read."""
    try:
        salt, kept = map(bytes.fromhex, file.read_text(encoding="ascii").split())
    except (OSError, ValueError) as wrong:
        raise StorageFailed(
            message("The passphrase's file {file} cannot be read: {wrong}.", file=file, wrong=wrong),
            next=message("Remove the file and set another."),
        ) from wrong
    return secrets.compare_digest(_hash(passphrase, salt), kept)


def _hash(passphrase: str, salt: bytes) -> bytes:
    return hashlib.scrypt(passphrase.encode("utf-8", "surrogatepass"), salt=salt, **_COST)


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
