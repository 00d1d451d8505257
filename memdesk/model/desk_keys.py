"""Keys of the encrypted desks that this process has opened, by the desk's folder.

Whatever is written below such a folder is encrypted with its key, so no call can forget to pass one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

KEY_BYTES = 32
CLEAR_HEADER = b"SQLite format 3\0"
_keys: dict[Path, bytes] = {}


def use_key(folder: Path, key: bytes) -> None:
    """Use this key for every file below a desk's folder from now on."""
    _keys[folder.absolute()] = key


def drop_key(folder: Path) -> None:
    """Write files below a desk's folder in clear from now on."""
    _keys.pop(folder.absolute(), None)


def key_for(path: Path) -> bytes | None:
    """Return the key of the desk that a file or folder is in, None where no encrypted desk is open there."""
    if not _keys:
        return None
    place = path.absolute()
    return next((_keys[folder] for folder in (place, *place.parents) if folder in _keys), None)


def has_any() -> bool:
    """Return True if this process has opened an encrypted desk."""
    return bool(_keys)


def is_clear(database: Path) -> bool:
    """Return True if a file begins as a database in clear does."""
    try:
        with database.open("rb") as file:
            return file.read(len(CLEAR_HEADER)) == CLEAR_HEADER
    except OSError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEncryption:
    """Request to encrypt a desk, or to write it in clear.

    passphrase: of the key, "" to keep the key in the system's keyring. backups: what becomes of the backups there are:
    keep, move (into the desk's new state) or remove."""

    passphrase: str = ""
    backups: str = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class EncryptionMoved:
    """Outcome of a move. encrypted: the desk's state now. moved, removed, kept: names of backups by what became of
    them; the kept ones are in the state before.

    in_clear: folders of the desk whose files stay in clear. key: the new key in hexadecimal digits if only a keyring
    has it, for a person to write down; else ""."""

    encrypted: bool
    moved: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    in_clear: tuple[str, ...] = ()
    key: str = ""
