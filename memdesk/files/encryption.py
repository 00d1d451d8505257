"""Encryption of a desk: its key, and its small files beside the database, which are encrypted with it.

The key is random, and kept in the system's keyring or encrypted with a passphrase in `encryption.json`. That file names
no secret. It says how the key is kept and recognises a wrong one before any file is touched. A copy is among the
backups, which have the same key.

Small files are encrypted by AES-256-GCM of the package `cryptography`. One in clear is read as it is, so a desk can be
moved file by file."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memdesk.files import keyring_access
from memdesk.files.atomic import overwrite_removed, write_atomic
from memdesk.files.places import Desk
from memdesk.model import desk_keys
from memdesk.model.desk_keys import KEY_BYTES, is_clear
from memdesk.model.errors import NotAllowed, StorageFailed
from memdesk.model.extras import install_extra
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


KEY_VARIABLE = "MEMDESK_DESK_KEY"
"""Variable of the environment with the passphrase, or the key itself, for services without a keyring or terminal."""
KEYRING_SERVICE = "memdesk-desk-key"
_SCRYPT = {"n": 2**16, "r": 8, "p": 1, "maxmem": 2**27}
"""scrypt's parameters (RFC 7914): 64 MB and about 200 ms, once a start of the service."""
_PACKAGES = ("sqlcipher3", "cryptography")
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFile:
    """Content of `encryption.json`. check: digest that recognises the key. keyring: it is in the system's keyring.

    salt, wrapped: the key encrypted with a passphrase, in base64; "" where it has none."""

    check: str
    keyring: bool = False
    salt: str = ""
    wrapped: str = ""

    @property
    def by_passphrase(self) -> bool:
        return bool(self.wrapped)


def is_encrypted(desk: Desk) -> bool:
    """Return True if a desk's database is encrypted, or will be when a replacement that was decided is finished."""
    if read_key_file(desk) is None:
        return False
    place = desk.database
    if desk.replacement_note.exists() and desk.replacement.exists():
        place = desk.replacement
    return not is_clear(place)


def read_key_file(desk: Desk) -> KeyFile | None:
    """Return how a desk's key is kept, None for a desk that never was encrypted. Raises StorageFailed."""
    for file in (desk.encryption, desk.backups / desk.encryption.name):
        try:
            return KeyFile(**json.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError) as wrong:
            raise StorageFailed(
                message("{file} cannot be read: {wrong}.", file=file, wrong=wrong),
                next=message(
                    "Put it back from a copy of the desk's folder; without it a passphrase opens nothing."
                ),
            ) from wrong
    return None


def unlock(desk: Desk, *, given: str | None = None, backups: bool = False) -> None:
    """Use the key of an encrypted desk in this process from now on. given: as in `find_key`. backups: also if only
    backups are encrypted.

    Raises NotAllowed, with `encrypted` in its details where a person has to be asked for the passphrase, and
    StorageFailed."""
    if desk_keys.key_for(desk.folder) is not None or not (
        is_encrypted(desk) or (backups and encrypted_backups(desk))
    ):
        return
    key = find_key(desk, given=given)
    if key is None:
        raise NotAllowed(
            message("This desk is encrypted, and its passphrase was not given."),
            next=message(
                "Open it with `memdesk open` or `memdesk serve`, or give the passphrase in {key_variable}.",
                key_variable=KEY_VARIABLE,
            ),
            details={"encrypted": True},
        )
    desk_keys.use_key(desk.folder, key)


def encrypted_backups(desk: Desk) -> bool:
    """Return True if a backup is encrypted."""
    return any(not is_clear(file) for file in desk.backups.glob("*.db"))


def need_packages() -> None:
    """Raise StorageFailed where the extra is not installed."""
    if missing := [name for name in _PACKAGES if find_spec(name) is None]:
        raise StorageFailed(
            message(
                "An encrypted desk needs the package {missing}, which is not installed.", missing=missing[0]
            ),
            next=install_extra("encryption"),
        )


def find_key(desk: Desk, *, given: str | None = None) -> bytes | None:
    """Return the key of an encrypted desk from `given`, the environment or the keyring; None where a person has to be
    asked.

    given: a passphrase or the key in hexadecimal digits. Raises NotAllowed where it is wrong, StorageFailed."""
    need_packages()
    known = read_key_file(desk)
    if known is None:
        raise StorageFailed(
            message("{encryption} is missing.", encryption=desk.encryption),
            next=message("Put it back from a copy of the desk's folder."),
        )
    if said := given or os.environ.get(KEY_VARIABLE):
        return _opened(known, said)
    if not known.keyring:
        return None
    kept = keyring_access.get(KEYRING_SERVICE, known.check)
    if kept is None and known.by_passphrase:
        return None
    if kept is None:
        raise StorageFailed(
            message("The system's keyring has no key for this desk."),
            next=message(
                "Unlock it, or give the key that `memdesk encrypt` showed in {key_variable}.",
                key_variable=KEY_VARIABLE,
            ),
        )
    return _checked(known, _key_in(kept))


def new_key(desk: Desk, *, passphrase: str) -> bytes:
    """Return a key for a desk, after it was kept: encrypted with a passphrase, or with "" in the system's keyring.

    A key that the desk had before is used again, for its backups have it. Raises StorageFailed, NotAllowed."""
    need_packages()
    before = read_key_file(desk) if encrypted_backups(desk) else None
    if before is None:
        key = secrets.token_bytes(KEY_BYTES)
    elif before.by_passphrase and passphrase:
        key = _opened(before, passphrase)
    elif (found := find_key(desk)) is not None:
        key = found
    else:
        raise NotAllowed(
            message("This desk was encrypted before with a passphrase, and its backups still are."),
            next=message(
                "Give that passphrase with --passphrase, or remove {what} and them.",
                what=desk.backups / desk.encryption.name,
            ),
        )
    kept = before or KeyFile(check=_check_of(key))
    if passphrase:
        salt = secrets.token_bytes(16)
        wrapped = encrypt(_stretched(passphrase, salt), key)
        kept = replace(kept, salt=_text(salt), wrapped=_text(wrapped))
    else:
        keyring_access.put(KEYRING_SERVICE, kept.check, key.hex())
        kept = replace(kept, keyring=True)
    for file in (desk.backups / desk.encryption.name, desk.encryption):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(file, json.dumps(asdict(kept), indent=1).encode() + b"\n")
    return key


def forget_key(desk: Desk, *, backups_too: bool) -> None:
    """Remove the desk's key file after it was decrypted. backups_too: no backup has the key any more."""
    known = read_key_file(desk)
    desk.encryption.unlink(missing_ok=True)
    if backups_too:
        (desk.backups / desk.encryption.name).unlink(missing_ok=True)
        if known is not None and known.keyring:
            keyring_access.remove(KEYRING_SERVICE, known.check)


def _opened(known: KeyFile, given: str) -> bytes:
    if len(given) == 2 * KEY_BYTES and _HEX.issuperset(given) and _check_of(_key_in(given)) == known.check:
        return _key_in(given)
    if not known.by_passphrase:
        raise NotAllowed(
            message("That is not this desk's key."),
            next=message("Nothing was changed; it has 64 hexadecimal digits."),
        )
    try:
        key = decrypt(_stretched(given, base64.b64decode(known.salt)), base64.b64decode(known.wrapped))
    except ValueError:
        raise NotAllowed(
            message("That is not the passphrase of this desk's encryption."),
            next=message("Nothing was changed; try again."),
        ) from None
    return _checked(known, key)


def _checked(known: KeyFile, key: bytes) -> bytes:
    if _check_of(key) != known.check:
        raise NotAllowed(
            message("The key that was found is another desk's."), next=message("Nothing was changed.")
        )
    return key


def _key_in(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise StorageFailed(
            message("The system's keyring holds something else than this desk's key.")
        ) from None


def _check_of(key: bytes) -> str:
    return hashlib.blake2b(key, digest_size=8, person=b"memdesk check").hexdigest()


def _stretched(passphrase: str, salt: bytes) -> bytes:
    cost: dict[str, Any] = _SCRYPT
    return hashlib.scrypt(passphrase.encode("utf-8", "surrogatepass"), salt=salt, dklen=KEY_BYTES, **cost)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
