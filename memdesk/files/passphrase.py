"""Passphrase of the desk's owner: kept as a salted scrypt hash in its own file, or not set."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

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
