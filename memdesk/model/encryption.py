"""Encryption of a desk: the request to encrypt it or to write it in clear, and the answer."""

from __future__ import annotations

from dataclasses import dataclass


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
