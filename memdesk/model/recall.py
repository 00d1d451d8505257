"""Recall: what is asked, and what comes back with its reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kinds import RECALLED

TECHNIQUES = ("hybrid", "entities", "expansion", "hyde", "self_query", "rerank")
"""What a recall may use beside vectors: AgentX's RecallLayer, and a reranker."""
WEIGHTS = ("episodic", "facts", "entities", "procedural", "recency")
"""What a query may weigh for itself, by AgentX's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A recall. The active channel and `_global` are searched; `every_channel` searches all of the user's.

    text: a question, or words. kinds: which of turn, fact, entity, passage, strategy and goal may come back; the first
    four when left out. since, until: only memories of that time (UTC), the end left out. time_window_hours: only those
    of the last hours. tags, categories: only memories that carry one of them. min_confidence: of facts, 0 to 1.
    techniques: which of hybrid, entities, expansion, hyde, self_query and rerank to use. weights: of episodic, facts,
    entities, procedural and recency, 0 to 1. floor: the relevance that the best hit must reach, 0 to 1.
    per_conversation: turns of one conversation before others have their turn, 0 for any. recent_turns: last turns of
    `conversation_id` to bring along. limit: hits at most. What is left out is as the settings say. tiers: facts alone,
    by category first (OpenLegion). session_id: the agent's session, for the audit.
    """

    text: str
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    kinds: tuple[str, ...] = RECALLED
    limit: int | None = None
    every_channel: bool = False
    since: datetime | None = None
    until: datetime | None = None
    time_window_hours: float | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    min_confidence: float = 0.0
    techniques: tuple[str, ...] | None = None
    weights: dict[str, float] = field(default_factory=dict)
    floor: float | None = None
    per_conversation: int | None = None
    recent_turns: int | None = None
    tiers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """One named share of a score; the parts of a hit add up to it."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a memory comes from: a turn of a conversation, or lines of a file, counted from 1.

    version: the hash of the file's text in which they stand; line: what a fact was read from, as it stands there.
    """

    turn_id: str | None = None
    conversation_id: str | None = None
    conversation_title: str | None = None
    turn_index: int | None = None
    speaker: str | None = None
    agent_id: str | None = None
    document_id: str | None = None
    path: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    version: str | None = None
    line: str = ""
    quote: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that came back. ranks: at which place each way of searching found it, from 1.

    relevance: how much it has to do with the query whatever else was found, 0 to 1.
    """

    id: str
    kind: str
    text: str
    channel: str
    score: float
    parts: tuple[ScorePart, ...]
    provenance: Provenance
    category: str = ""
    confidence: float | None = None
    salience: float | None = None
    at: datetime | None = None
    relevance: float = 0.0
    ranks: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """What a technique did in one recall. added: those it found that nothing before it had found.

    note: what it read or why it stepped aside, "" when there is nothing to say.
    """

    name: str
    took_ms: float
    found: int = 0
    added: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A memory that ranked and yet was left out. by: floor, duplicate, diversity or limit."""

    id: str
    kind: str
    text: str
    score: float
    by: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownStrategy:
    """A way of doing something that worked before. success_rate: 0 to 1."""

    id: str
    description: str
    context_pattern: str
    tool_sequence: tuple[str, ...]
    success_rate: float
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalUnderWay:
    """A goal under way. priority: 1 (least) to 5."""

    id: str
    description: str
    priority: int
    channel: str
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentTurn:
    """One of the last turns of the conversation under way."""

    id: str
    turn_index: int
    role: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The answer to a recall. `notices` says in sentences what was off, such as a missing embedder.

    strategies, goals, profile (by aspect and name), recent: what else an agent should know now. techniques: what each
    did. cut: what nearly came back. crossed: hits from other channels than the one asked in. cached: whether the same
    recall was answered a moment ago and nothing has changed since.
    """

    query: str
    hits: tuple[Hit, ...]
    channels: tuple[str, ...]
    took_ms: float
    notices: tuple[str, ...] = ()
    strategies: tuple[KnownStrategy, ...] = ()
    goals: tuple[GoalUnderWay, ...] = ()
    profile: dict[str, dict[str, Any]] = field(default_factory=dict)
    recent: tuple[RecentTurn, ...] = ()
    techniques: tuple[Technique, ...] = ()
    cut: tuple[Cut, ...] = ()
    crossed: int = 0
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Why a memory is or is not recalled: the query as it would be asked, and the memory's id."""

    query: Query
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage that a memory passes or falls at, in a sentence and in numbers.

    left: how many memories go on from here; None where a stage only looks, as each way of searching does.
    """

    name: str
    passed: bool
    says: str
    left: int | None = None
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The stages in order. `place`: where the memory comes back, from 1; None where it does not."""

    id: str
    kind: str
    text: str
    place: int | None
    says: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSalient:
    """What an agent should have in mind before anything is asked: the strongest of a channel and `_global`.

    by: `boost` (OpenLegion: use and how long ago, facts alone), or `salience` (AgentX's salient core: facts and
    entities of at least 0.6). limit: of each kind.
    """

    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    by: str = "boost"
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Salient:
    """A strong memory. boost: 1 for one never recalled, 10 at most."""

    id: str
    kind: str
    text: str
    channel: str
    category: str
    confidence: float
    salience: float
    boost: float
    recalled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SalientList:
    """The strongest first."""

    rows: tuple[Salient, ...]
