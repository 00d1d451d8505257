"""The desk's own state: what it holds, what works, what runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.history import EventRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelRow:
    """`number` picks the colour: 0 is `_global`."""

    name: str
    number: int
    facts: int
    entities: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """`doing` is the last operation this agent asked for, at `last_seen`."""

    name: str
    doing: str
    last_seen: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """A job of this service's life. state: waiting, running, done, failed, cancelled. total 0: not known yet.

    dry: whether it changes nothing, and only lists what it would change.
    """

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
        """Whether it has not ended yet."""
        return self.state in ("waiting", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingNotice:
    """Something a person has to answer: it stands since `at`, through every restart, until somebody does."""

    id: str
    says: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingNotices:
    rows: tuple[StandingNotice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerNotice:
    """Say that a notice was read and dealt with. The same loss or damage does not raise it again."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """notices: what is off, in sentences. standing: those of them that stay until they are answered."""

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
    """One setting as it stands. low and high: its range, None for what has none; choices: empty for what has none.

    changed: whether it differs from its default. why: what it does, and why its default is so.
    """

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
    """Change settings from now on, all of them or none. values: by name; reset: names that go back to their default."""

    values: dict[str, bool | int | float | str] = field(default_factory=dict)
    reset: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """change: the event that says so, None when everything was so already. rows: what is another now."""

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
    """An ask without a question."""
