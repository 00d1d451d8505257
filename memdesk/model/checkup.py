"""Checkup of a desk: findings about facts that may no longer be right, and their request."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

FOUND = (
    "poisoned",
    "secret",
    "contradiction",
    "expired",
    "duplicate",
    "misplaced",
    "orphaned",
    "junk",
    "unused",
)
"""Kinds of findings, those that may do most harm first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCheckup:
    """Request for findings about a user's current facts, best first. channels: empty for all."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Finding of a checkup. kind: one of FOUND. id: the fact, the newer of two; other_id: the older, else None.

    score: 0 to 1, for the order. reason: in a sentence. channel: of the fact; suggested: the channel where a misplaced
    fact belongs. asked: it is or was in the review queue."""

    kind: str
    id: str
    title: str
    channel: str
    reason: Message
    score: float
    other_id: str | None = None
    other_title: str = ""
    suggested: str = ""
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckupList:
    """Findings, best first. checked: number of facts looked at. more: there are further findings."""

    rows: tuple[Finding, ...]
    checked: int
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """Claim of a checked source with its place: the file and line, or the conversation. Secrets are masked."""

    claim: str
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFinding:
    """Finding about a source that is not imported. kind: one of FOUND. advice: the next step, in a sentence.

    other: the second claim of a pair, None for a finding about one."""

    kind: str
    reason: Message
    advice: str
    claim: CheckedClaim
    other: CheckedClaim | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """Checkup of a folder or an export that was not imported. says: the recognised source. counts: findings by kind.

    facts: number of claims that were read. skipped: parts that could not be read. page: the report as an HTML page of
    its own."""

    path: str
    says: str
    files: int
    facts: int
    skipped: int
    counts: dict[str, int]
    rows: tuple[CheckedFinding, ...]
    page: str
