"""Secrets of a desk: the list of them, what a person may do with one, and the results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.names import FilledName, Name

STATES = ("kept", "allowed", "erased")
"""States of a secret: masked with its value kept, not a secret after all, or erased for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSecrets:
    """Request for the secrets of the desk, newest first. state: kept, allowed or erased, "" for all."""

    state: Name = ""
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRow:
    """Secret of the desk. kind: such as AWS key. came: where it came from, in words. files: files of workspaces that
    have it in clear. record: the memory it was first in, "" if it is in none."""

    id: str
    kind: str
    state: str
    came: str
    record: str
    title: str
    files: tuple[str, ...]
    found_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretList:
    """Secrets, newest first. kept: how many of all are masked."""

    rows: tuple[SecretRow, ...]
    kept: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealSecret:
    """Request to see one secret in clear. The audit log records it."""

    id: FilledName


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """Secret in clear."""

    id: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepSecrets:
    """Request to take secrets out of the desk. ids: those that are meant; empty for all that are stored in clear.

    erase: forget the values for good, for which `ids` must be given. Without it they are masked, and can be revealed.
    backups: delete the backups that have one of them, with all other data in them. files: also write the placeholder
    into the files of workspaces."""

    ids: tuple[Name, ...] = ()
    erase: bool = False
    backups: bool = False
    files: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowSecret:
    """Request to treat a value as no secret from now on; its text is put back where it was masked."""

    id: FilledName
