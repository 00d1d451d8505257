"""Recall: the query, and the answer with its hits, scores and reasons. The recap of a user."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import RECALLED
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name
from memdesk.model.profile import TraitMark
from memdesk.model.trust import BEFORE

TECHNIQUES = ("hybrid", "entities", "expansion", "hyde", "self_query", "rerank")
"""Techniques that a recall may use in addition to vectors: those of AgentX's RecallLayer, and a reranker."""
WEIGHTS = ("episodic", "facts", "entities", "procedural", "recency")
"""Weights that a query may set, by AgentX's names."""

ANSWERED, NEAR, NOTHING = "answered", "near", "nothing"
"""Answers of a recall: its hits answer the query, are near it but about someone else, or there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Query of a recall. The active channel and `_global` are searched; `every_channel` searches all of the
    user's.

    text: a question, or words. kinds: which of turn, fact, entity, passage, strategy and goal may be
    returned; the first four when left out. since, until: only memories of that time (UTC), the end left out.
    time_window_hours: only those of the last hours. tags, categories: only memories with one of them.
    min_confidence: of facts, 0 to 1. techniques: which of hybrid, entities, expansion, hyde, self_query and
    rerank to use. weights: of episodic, facts, entities, procedural and recency, 0 to 1. floor: the relevance
    that the best hit must reach, 0 to 1. per_conversation: turns of one conversation before hits from others
    are preferred, 0 for any. recent_turns: last turns of `conversation_id` to return as well. limit: hits at
    most. Options left out follow the settings. tiers: facts alone, by category first (OpenLegion).
    session_id: the agent's session, for the audit."""

    text: str
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    conversation_id: Name | None = None
    session_id: FilledName | None = None
    kinds: tuple[Name, ...] = RECALLED
    limit: int | None = None
    every_channel: bool = False
    since: datetime | None = None
    until: datetime | None = None
    time_window_hours: float | None = None
    tags: tuple[Name, ...] = ()
    categories: tuple[Name, ...] = ()
    min_confidence: float = 0.0
    techniques: tuple[Name, ...] | None = None
    weights: dict[str, float] = field(default_factory=dict)
    floor: float | None = None
    per_conversation: int | None = None
    recent_turns: int | None = None
    tiers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """Named part of a score; the parts of a hit add up to its score."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Origin of a memory: a turn of a conversation, or lines of a file, counted from 1.

    version: the hash of the file's text that contains them; line: the exact line that a fact was read from;
    headings: the titles above it, outermost first."""

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
    headings: tuple[str, ...] = ()
    quote: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Memory returned by a recall. ranks: its rank in each search method that found it, from 1.

    relevance: its relevance to the query, independent of the other hits, 0 to 1. source, trust: the door it came
    through, and how far it is trusted by the agent that asked, 0 to 1; below 0.5 it is to be told as quoted."""

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
    trust: float = BEFORE
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """Report of a technique in one recall. added: memories that no earlier technique had found.

    note: its interpretation of the query or why it was skipped, "" for none."""

    name: str
    took_ms: float
    found: int = 0
    added: int = 0
    note: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Ranked memory that was left out. by: floor, duplicate, diversity or limit."""

    id: str
    kind: str
    text: str
    score: float
    by: str
    because: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownStrategy:
    """Strategy for a similar task. success_rate: 0 to 1."""

    id: str
    description: str
    context_pattern: str
    tool_sequence: tuple[str, ...]
    success_rate: float
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalUnderWay:
    """Active goal. priority: 1 (least) to 5."""

    id: str
    description: str
    priority: int
    channel: str
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentTurn:
    """Recent turn of the current conversation."""

    id: str
    turn_index: int
    role: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Answer to a recall. `notices` are sentences about problems, such as a missing embedder.

    answer: `answered`, `near` if the hits are about someone or something else or too weak, or `nothing`; reason: why,
    "" if answered.
    strategies, goals, profile (by aspect and name), recent: other memory an agent should know now. profile_marks:
    entries that are not trusted.
    techniques: the report of each. cut: ranked memories that were left out. crossed: hits from other channels
    than the one queried. cached: whether the same recall was answered a moment ago and nothing has changed
    since. replica_behind_s: the most that the replica it was read from was behind; None if it was read in the desk's
    database itself."""

    query: str
    hits: tuple[Hit, ...]
    channels: tuple[str, ...]
    took_ms: float
    notices: tuple[Message, ...] = ()
    strategies: tuple[KnownStrategy, ...] = ()
    goals: tuple[GoalUnderWay, ...] = ()
    profile: dict[str, dict[str, Any]] = field(default_factory=dict)
    profile_marks: tuple[TraitMark, ...] = ()
    recent: tuple[RecentTurn, ...] = ()
    techniques: tuple[Technique, ...] = ()
    cut: tuple[Cut, ...] = ()
    crossed: int = 0
    cached: bool = False
    answer: str = ANSWERED
    reason: Message = NO_MESSAGE
    replica_behind_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Request to explain why a memory is or is not recalled: the query, and the memory's id."""

    query: Query
    id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Stage of a recall that a memory passes or fails, in a sentence and in numbers.

    left: how many memories remain after it; None if the stage removes none, as with each search method."""

    name: str
    passed: bool
    says: Message
    left: int | None = None
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Stages of a recall for one memory, in order. `place`: its position among the hits, from 1; None if it
    is not returned."""

    id: str
    kind: str
    text: str
    place: int | None
    says: Message
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSalient:
    """Request for memory to give an agent before it asks: the strongest of a channel and `_global`.

    by: `boost` (OpenLegion: number and age of recalls, facts alone), or `salience` (AgentX's salient core:
    facts and entities of at least 0.6). limit: of each kind."""

    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    by: str = "boost"
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Salient:
    """Strong memory. boost: 1 for one never recalled, 10 at most. source, trust: as of a hit; agent_id: whose it
    is."""

    id: str
    kind: str
    text: str
    channel: str
    category: str
    confidence: float
    salience: float
    boost: float
    recalled: int
    source: str = ""
    trust: float = BEFORE
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SalientList:
    """Strong memories, the strongest first."""

    rows: tuple[Salient, ...]


EXTRACTS = "extracts"
"""Source of a recap without a language model: facts, goals and sentences, word for word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecap:
    """Request for a recap of a user's earlier conversations in a channel and `_global`.

    topic: what it is about; "" for the user's background, preferences and goals. conversation_id: the conversation
    under way, which is left out. limit: most turns, 30 at most."""

    topic: str = ""
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: Name | None = None
    conversation_id: Name | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTurn:
    """Turn of the user in another conversation. source, trust: as of a hit."""

    id: str
    conversation_id: str
    turn_index: int
    at: datetime
    text: str
    source: str
    trust: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PastFact:
    """Fact that bears on the topic. source, trust: as of a hit."""

    id: str
    claim: str
    confidence: float
    source: str
    trust: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """Recap of a user's history.

    summary: made of what is trusted alone; "" where there is nothing. by: the language model that wrote it, or
    `extracts`. note: why the model did not, "" if it did or was not asked."""

    topic: str
    summary: str
    by: str
    turns: tuple[PastTurn, ...]
    facts: tuple[PastFact, ...]
    note: Message = NO_MESSAGE
