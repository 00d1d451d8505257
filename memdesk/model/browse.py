"""Memory as a person browses it: lists, one record whole, a conversation. Browsing never counts as recalling."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.history import EventRow, FieldMove
from memdesk.model.recall import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRow:
    """A fact as listed. `salience` is its strength now and `confidence` how sure it still is; `recalled` and
    `conversations` are counts."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsPage:
    first: int
    total: int
    rows: tuple[FactRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One line of the search box's answers."""

    id: str
    kind: str
    title: str
    channel: str
    category: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundList:
    rows: tuple[Found, ...]


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
    """A fact that holds today and was read from these turns, by their index."""

    id: str
    claim: str
    category: str
    confidence: float
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCall:
    """A tool that was called in a turn. success: None where nobody can tell. error: what it said when it failed."""

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
    """What came of some turns of a conversation."""

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
    """One change of this record: who, when, and which fields moved how."""

    event: EventRow
    moves: tuple[FieldMove, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A neighbour in the graph. `outgoing` says which way the relation points."""

    id: str
    kind: str
    title: str
    channel: str
    category: str
    relation: str
    outgoing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A possible duplicate. `similarity` is the cosine of the two texts, 0 to 1."""

    id: str
    title: str
    channel: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """One condition of promotion: what was found, what is asked, whether it is met."""

    name: str
    found: float
    needed: float

    @property
    def met(self) -> bool:
        return self.found >= self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceCurve:
    """Salience by day: `past` ends today, `ahead` starts tomorrow and assumes no recall. None before birth.

    recall_days: indexes into `past` on which it was recalled, with repeats.
    """

    past: tuple[float | None, ...]
    ahead: tuple[float, ...]
    recall_days: tuple[int, ...]
    now: float
    fades_in_days: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """One record whole: what it says, why it is believed, who used it, how it came to be so."""

    id: str
    kind: str
    label: str
    title: str
    category: str
    channel: str
    agent_id: str | None
    created_at: datetime
    retired: bool
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposed:
    """A fact that cannot be true together with another, and why."""

    id: str
    title: str
    channel: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionPreview:
    """What promoting a fact would do: what `_global` already holds, and how it stands against the thresholds.

    held: the same claim already in `_global`. conflicts: what `_global` says to the contrary. readers: agents that will
    see it from then on.
    """

    fact: FactRow
    held: FactRow | None
    similar: tuple[Similar, ...]
    thresholds: tuple[Threshold, ...]
    readers: tuple[str, ...]
    conflicts: tuple[Opposed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFacts:
    """Facts, newest first. channels: empty for all that are not archived. text: only claims with it.

    tags: only facts that carry any of them. state: current, retired, all.
    """

    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    text: str = ""
    state: str = "current"
    first: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """The search box: like a recall, but a look only; nothing is reinforced. channels: empty for all."""

    text: str
    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspect:
    """utc_offset_minutes: the viewer's zone, which decides where a day of the salience curve begins."""

    id: str
    utc_offset_minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadConversation:
    conversation_id: str
    first: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AskBeside:
    """What came of the turns from one index to another, both in it."""

    conversation_id: str
    first_index: int
    last_index: int
