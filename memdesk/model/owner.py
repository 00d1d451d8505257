"""The desk's owner: the passphrase that confirms what is dangerous."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPassphrase:
    """Passphrase to set. passphrase: "" removes it."""

    passphrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassphraseSet:
    """State of the passphrase. is_set: dangerous calls ask for it, except from the window."""

    is_set: bool
