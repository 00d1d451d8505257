"""Small files of a desk next to its database: encrypted with the desk's key where the desk is encrypted.

AES-256-GCM of the package `cryptography`. A file in clear is read as it is, so a desk can be moved file by file."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from memdesk.files.atomic import overwrite_removed, write_atomic
from memdesk.model import desk_keys
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message

_SEALED = b"memdesk sealed 1\n"
_NONCE_BYTES = 12


def write_sealed(path: Path, data: bytes) -> None:
    """Write a file in one step, encrypted if its desk is. Raises StorageFailed."""
    key = desk_keys.key_for(path)
    write_atomic(path, data if key is None else encrypt(key, data))


def read_sealed(path: Path) -> bytes:
    """Return the content of a file, decrypted. Raises OSError, and StorageFailed where the key is missing or
    another."""
    data = path.read_bytes()
    if not data.startswith(_SEALED):
        return data
    key = desk_keys.key_for(path)
    if key is None:
        raise StorageFailed(
            message("{path} is encrypted, and its desk is not open in this process.", path=path)
        )
    try:
        return decrypt(key, data)
    except ValueError as wrong:
        raise StorageFailed(
            message("{path} is damaged, or was encrypted with another key.", path=path),
            next=message("Put the file back from a copy of the desk's folder."),
        ) from wrong


def is_sealed(path: Path) -> bool:
    """Return True if a file is encrypted. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(_SEALED)) == _SEALED


def seal(path: Path) -> None:
    """Encrypt a file that is in clear, if its desk is encrypted. Raises OSError, StorageFailed."""
    if desk_keys.key_for(path) is not None and not is_sealed(path):
        with overwrite_removed(path):
            write_sealed(path, path.read_bytes())


def unseal(path: Path) -> None:
    """Decrypt a file that is encrypted. Raises OSError, StorageFailed."""
    if is_sealed(path):
        write_atomic(path, read_sealed(path))


def encrypt(key: bytes, data: bytes) -> bytes:
    """Return data encrypted and authenticated with a key of 32 bytes."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(_NONCE_BYTES)
    return _SEALED + nonce + AESGCM(_derived(key)).encrypt(nonce, data, _SEALED)


def decrypt(key: bytes, data: bytes) -> bytes:
    """Return what `encrypt` was given. Raises ValueError where the key is another, or the data was altered."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    body = data[len(_SEALED) :]
    try:
        return AESGCM(_derived(key)).decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], _SEALED)
    except (InvalidTag, ValueError) as wrong:
        raise ValueError(message("another key, or altered data")) from wrong


def _derived(key: bytes) -> bytes:
    """Return the key for small files: SQLCipher uses the desk's own."""
    return hashlib.blake2b(key, digest_size=32, person=b"memdesk files").digest()
