"""The desk's owner: the passphrase that confirms what is dangerous."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPassphrase:
    """Passphrase to set. passphrase: "" removes it."""

    passphrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConfirmation:
    """Request to have the person confirm an act that a command carries out itself. what: a short sentence."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Answer to a request for confirmation: the person, or nothing that asks, allowed it."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAct:
    """Answer of the window to an act that waits for a click. id: as in the desk's status. allow: true to go on."""

    id: str
    allow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassphraseSet:
    """State of the passphrase. is_set: dangerous calls ask for it, except from the window."""

    is_set: bool
