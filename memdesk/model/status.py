"""The desk's own state: its counts, its health and its running jobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from memdesk.model.history import EventRow
from memdesk.model.message import NO_MESSAGE, Details, Message
from memdesk.model.names import Name
from memdesk.model.team import OWNER


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

    dry: whether it changes nothing, and only lists the changes it would make. author: who requested it, "" for a job
    of the desk."""

    id: str
    name: str
    state: str
    says: Message
    done: int = 0
    total: int = 0
    result: Details = field(default_factory=dict)
    dry: bool = False
    author: str = ""

    @property
    def open(self) -> bool:
        """Return True if the job has not ended yet."""
        return self.state in ("waiting", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingNotice:
    """Notice that a person must answer: it stays from `at` on, through every restart, until answered."""

    id: str
    says: Message
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingNotices:
    """Notices that wait for an answer."""

    rows: tuple[StandingNotice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerNotice:
    """Report that a notice was read and dealt with. The same loss or damage does not raise it again."""

    id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaState:
    """State of the replica that recall reads. ok: it is read; says, next: whether and why not, and what to do then.
    behind_s: the most it is behind the desk's database, None if unknown."""

    ok: bool
    says: Message
    next: Message = NO_MESSAGE
    behind_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingAct:
    """Dangerous act that waits for a click in the window. says: what is asked. who: the program that asks, with its
    process. until: when it is given up."""

    id: str
    says: str
    who: str
    at: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """State of the desk and its service. notices: problems, in sentences. standing: those of them that stay
    until answered. encrypted: the desk's files are, all but those of workspaces. asking: dangerous acts that wait
    for a click in the window. role, users: of the member who asks; no users for whoever may ask about all. replica: the
    one that recall reads, None if none is set."""

    version: str
    desk: str
    socket: str
    pid: int
    started_at: datetime
    person: str
    sqlite: str
    vectors: bool
    embedder: str
    notices: tuple[Message, ...]
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
    encrypted: bool = False
    asking: tuple[WaitingAct, ...] = ()
    role: str = OWNER
    users: tuple[str, ...] = ()
    replica: ReplicaState | None = None


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
    reset: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """Result of changing settings. change: the event that records it, None when nothing changed. rows: the
    changed settings."""

    change: int | None
    rows: tuple[SettingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskJob:
    """Request for one job."""

    id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """Process of a service that ends."""

    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """Request without parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySize:
    """Size of the memory. records: rows of every kind, retired ones too. Sizes in bytes."""

    records: dict[str, int]
    database_bytes: int
    wal_bytes: int
    working_keys: int
    working_bytes: int
    working_expired: int
    working_evicted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Statistics of one recall technique, or of complete recalls (`recall`), since the service started.
    Percentiles in milliseconds.

    runs: how often it ran; aside: how often it was skipped or failed; found and added: memories found, and
    those that no earlier technique had found."""

    runs: int
    aside: int
    found: int
    added: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheUse:
    """Use of a cache. rate: hits among all lookups, 0 to 1; None before the first lookup."""

    hits: int
    misses: int
    rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationLag:
    """Time from a conversation's last turn to its consolidation, in seconds, over the newest `measured`
    conversations.

    waiting: conversations with unread turns; oldest_waiting_s: how long the oldest such turn has waited."""

    measured: int
    p50_s: float
    p95_s: float
    p99_s: float
    waiting: int
    oldest_waiting_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayDay:
    """Counts of the job decay on one UTC day: entities and facts that lost strength, and entities it retired."""

    day: date
    faded_entities: int
    faded_facts: int
    retired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobUse:
    """Runs of one job by final state (without dry runs), and its latest run: when it ended and its duration."""

    runs: dict[str, int]
    last_finished: datetime | None
    last_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteUse:
    """Use of the write queue since the service started. groups: commits; pieces: writes in them; refused by
    error code."""

    groups: int
    pieces: int
    per_group: float
    refused: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """All metrics at one moment. events: how many the timeline has, by operation.

    errors: answers that were errors since the service started, by code."""

    at: datetime
    memory: MemorySize
    recall: dict[str, Latency]
    caches: dict[str, CacheUse]
    consolidation: ConsolidationLag
    decay: tuple[DecayDay, ...]
    jobs: dict[str, JobUse]
    writes: WriteUse
    events: dict[str, int]
    errors: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Use of one model on one day for one purpose. day: a local date; role: language, embedder or reranker.

    purpose: `recall`, `job:consolidate`, … guessed: the model did not report some token counts, so they were
    estimated from characters."""

    day: str
    role: str
    model: str
    purpose: str
    calls: int
    failures: int
    tokens_in: int
    tokens_out: int
    guessed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelState:
    """State of one model role. stage: of the language model's work, for a stage that has its own model: extraction,
    judgement, summary or recap; else "". model: "" for none. key: where its key was found, never the key.

    says: its state, in a sentence. failed: it was checked, and gave no answer. rests_for_s: seconds for
    which it is not called after failures. spent_today and day_tokens: tokens since midnight, and the daily limit; 0
    for no limit."""

    role: str
    model: str
    url: str
    key: str
    says: Message
    rests_for_s: float
    spent_today: int
    day_tokens: int
    failed: bool = False
    stage: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsState:
    """State of every model role, in order."""

    rows: tuple[ModelState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSpending:
    """Request for the ledger of the last days. days: how many, including today."""

    days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The ledger, newest day first."""

    rows: tuple[Spent, ...]
