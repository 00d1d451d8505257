"""Secrets: list those that were found, look at one, take them out of the desk, or say that one is none."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.secret import (
    AllowSecret,
    AskSecrets,
    Revealed,
    RevealSecret,
    SecretList,
    SweepSecrets,
)
from memdesk.model.status import JobState
from memdesk.model.team import OWNER

LIST = Get(
    "secrets.list",
    AskSecrets,
    SecretList,
    "Secrets that were found, without their values",
    "memory.secret_sweep:list_secrets",
    role=OWNER,
    face=Face(
        "secrets list",
        about="List the secrets that were found, without their values.",
        columns="ID {id} | KIND {kind} | STATE {state} | CAME WITH {came} | MEMORY {title}",
        none="No secret was found.",
        help={"state": "only kept, allowed or erased ones", "limit": "secrets at most (default: 200)"},
    ),
)
REVEAL = Post(
    "secrets.reveal",
    RevealSecret,
    Revealed,
    "One secret in clear; the audit log records it",
    "memory.secret_sweep:reveal",
    role=OWNER,
    face=Face(
        "secrets reveal",
        about="Show one secret in clear; the audit log records it.",
        positional=("id",),
        help={"id": "the id in its placeholder"},
        line="{value}",
    ),
)
ALLOW = Post(
    "secrets.allow",
    AllowSecret,
    Revealed,
    "Treat a value as no secret, and show it again",
    "memory.secret_sweep:allow",
    role=OWNER,
    face=Face(
        "secrets allow",
        about="Treat a value as no secret from now on, and put it back where it was masked.",
        positional=("id",),
        help={"id": "the id in its placeholder"},
        line="{kind} {id} is no secret from now on.",
    ),
)
SWEEP = Post(
    "secrets.sweep",
    SweepSecrets,
    JobState,
    "Start taking secrets out of the desk everywhere",
    "memory.secret_sweep:sweep",
    role=OWNER,
    act="sweep",
    check="memory.secret_sweep:check",
    face=Face(
        "secrets sweep",
        about="Find secrets that are stored in clear and mask them everywhere, or erase some for good.",
        positional=("ids",),
        help={
            "ids": "which secrets; without one, all that are stored in clear",
            "erase": "forget their values for good",
            "backups": "also delete the backups that have one, with all else in them",
            "files": "also write the placeholders into the files of workspaces",
        },
        line="{says}",
    ),
)
