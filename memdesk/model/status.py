"""The desk's own state: its counts, its health and its running jobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.history import EventRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelRow:
    """Channel with its counts. `number` picks the colour: 0 is `_global`."""

    name: str
    number: int
    facts: int
    entities: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """Agent with its last activity. `doing` is the last operation it requested, at `last_seen`."""

    name: str
    doing: str
    last_seen: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """State of a job since the service started. state: waiting, running, done, failed, cancelled. total 0:
    not known yet.

    dry: whether it changes nothing, and only lists the changes it would make."""

    id: str
    name: str
    state: str
    says: str
    done: int = 0
    total: int = 0
    result: dict[str, Any] = field(default_factory=dict)
    dry: bool = False

    @property
    def open(self) -> bool:
        """Return True if the job has not ended yet."""
        return self.state in ("waiting", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingNotice:
    """Notice that a person must answer: it stays from `at` on, through every restart, until answered."""

    id: str
    says: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingNotices:
    rows: tuple[StandingNotice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerNotice:
    """Report that a notice was read and dealt with. The same loss or damage does not raise it again."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """State of the desk and its service. notices: problems, in sentences. standing: those of them that stay
    until answered."""

    version: str
    desk: str
    socket: str
    pid: int
    started_at: datetime
    person: str
    sqlite: str
    vectors: bool
    embedder: str
    notices: tuple[str, ...]
    facts: int
    entities: int
    turns: int
    conversations: int
    documents: int
    unembedded: int
    unconsolidated: int
    channels: tuple[ChannelRow, ...]
    agents: tuple[AgentRow, ...]
    jobs: tuple[JobState, ...]
    last_change: EventRow | None
    standing: tuple[StandingNotice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """Setting with its present value. low and high: its range, None if it has none. choices: empty if it has
    none.

    changed: whether it differs from its default. why: its purpose, and the reason for its default."""

    name: str
    value: bool | int | float | str
    default: bool | int | float | str
    unit: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    why: str
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingList:
    """Every setting, in the order of the reference."""

    rows: tuple[SettingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSettings:
    """Request to change settings from now on, all of them or none. values: by name; reset: names to reset to
    their default."""

    values: dict[str, bool | int | float | str] = field(default_factory=dict)
    reset: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """Result of changing settings. change: the event that records it, None when nothing changed. rows: the
    changed settings."""

    change: int | None
    rows: tuple[SettingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskJob:
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """Request without parameters."""
