"""Memory as a person browses it: lists, one record in full, a conversation. Browsing never counts as a
recall."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.history import EventRow, FieldMove
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name
from memdesk.model.recall import Provenance
from memdesk.model.trust import BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRow:
    """Fact as listed. `salience` is its strength now and `confidence` its confidence after decay; `recalled`
    and `conversations` are counts. context: the headings above the line it was read from, outermost first.
    origin, trust: the door it came through, and how far it is trusted, 0 to 1. question: the open question about what
    contradicts it, "" for none."""

    id: str
    claim: str
    category: str
    channel: str
    agent_id: str | None
    confidence: float
    source: str
    temporal: str | None
    salience: float
    recalled: int
    conversations: int
    pinned: bool
    created_at: datetime
    retired_at: datetime | None = None
    promoted_from: str | None = None
    superseded_by: str | None = None
    key: str | None = None
    value: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    tags: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    origin: str = ""
    trust: float = BEFORE
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsPage:
    first: int
    total: int
    rows: tuple[FactRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Hit of the search box."""

    id: str
    kind: str
    title: str
    channel: str
    category: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundList:
    """Hits of the search box. first_day, last_day: the days of a query that names a time and nothing else, such as
    "last week"."""

    rows: tuple[Found, ...]
    first_day: date | None = None
    last_day: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRow:
    id: str
    turn_index: int
    role: str
    speaker: str
    content: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationView:
    """A conversation with its turns in order, from `first` on."""

    id: str
    title: str
    channel: str
    agent_id: str | None
    started_at: datetime
    total: int
    first: int
    turns: tuple[TurnRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedFact:
    """Current fact derived from turns of a conversation. turns: their indexes."""

    id: str
    claim: str
    category: str
    confidence: float
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCall:
    """Tool call made in a turn. success: None if unknown. error: its error message if it failed."""

    id: str
    turn_index: int
    tool_name: str
    task_type: str
    success: bool | None
    latency_ms: int | None
    error: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideTurns:
    """Current facts derived from some turns of a conversation, and the tool calls made in them."""

    facts: tuple[DerivedFact, ...]
    calls: tuple[TurnCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledBy:
    agent: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Change of this record: its event, and the fields it changed with their old and new values."""

    event: EventRow
    moves: tuple[FieldMove, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Neighbour in the graph. `outgoing` is True if the relation points to it. relation_id: the record of the
    relation, "" for a promotion or a supersession, which are fields of a fact."""

    id: str
    kind: str
    title: str
    channel: str
    category: str
    relation: str
    outgoing: bool
    relation_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """Possible duplicate. `similarity` is the cosine of the two texts, 0 to 1."""

    id: str
    title: str
    channel: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Condition of promotion. found: the fact's value. needed: the value required."""

    name: str
    found: float
    needed: float

    @property
    def met(self) -> bool:
        return self.found >= self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceCurve:
    """Salience by day: `past` ends today, `ahead` starts tomorrow and assumes no recall. None on days before
    its creation.

    recall_days: indexes into `past` on which it was recalled, with repeats."""

    past: tuple[float | None, ...]
    ahead: tuple[float, ...]
    recall_days: tuple[int, ...]
    now: float
    fades_in_days: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Record in full: its fields, provenance, use by agents, versions, relations and possible duplicates.

    origin, trust: the door it came through, and how far it is trusted, 0 to 1; None for a kind that keeps none.
    quarantined: it is retired only until a question about it is answered. known_as: other names of an entity."""

    id: str
    kind: str
    label: str
    title: str
    category: str
    channel: str
    agent_id: str | None
    created_at: datetime
    retired: bool
    quarantined: bool
    pinned: bool
    fields: tuple[FieldValue, ...]
    about: tuple[Related, ...] = ()
    related: tuple[Related, ...] = ()
    provenance: Provenance | None = None
    context: tuple[TurnRow, ...] = ()
    recalled: int = 0
    recalled_by: tuple[RecalledBy, ...] = ()
    last_recalled_at: datetime | None = None
    curve: SalienceCurve | None = None
    versions: tuple[Version, ...] = ()
    duplicates: tuple[Similar, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    fact: FactRow | None = None
    tags: tuple[str, ...] = ()
    known_as: tuple[str, ...] = ()
    origin: str = ""
    trust: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposed:
    """Fact that cannot be true together with another, and the reason."""

    id: str
    title: str
    channel: str
    reason: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionPreview:
    """Preview of a promotion: similar facts in `_global`, and the fact's values for each promotion threshold.

    held: the same claim already in `_global`. conflicts: facts in `_global` that contradict it. readers:
    agents that will see the promoted fact."""

    fact: FactRow
    held: FactRow | None
    similar: tuple[Similar, ...]
    thresholds: tuple[Threshold, ...]
    readers: tuple[str, ...]
    conflicts: tuple[Opposed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFacts:
    """Facts, newest first. channels: empty for all that are not archived. text: only claims that contain it.

    tags: only facts with any of them. state: current, retired, all."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    categories: tuple[Name, ...] = ()
    tags: tuple[Name, ...] = ()
    text: str = ""
    state: str = "current"
    first: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Query of the search box: like a recall, but without reinforcement. channels: empty for all."""

    text: str
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    kinds: tuple[Name, ...] = ()
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspect:
    """Request for one record in full.

    utc_offset_minutes: the viewer's time zone, which decides where a day of the salience curve begins."""

    id: Name
    utc_offset_minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadConversation:
    conversation_id: Name
    first: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AskBeside:
    """Request for the facts and tool calls of a range of turns, both indexes included."""

    conversation_id: Name
    first_index: int
    last_index: int
