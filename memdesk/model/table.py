"""The table of facts, entities, goals and strategies: filtered, sorted, and read one window at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTable:
    """Window of the table. kind: fact, entity, goal or strategy. Empty tuples mean all.

    categories: of facts; types of entities. sources: origins of the claim (facts). tags: rows with any of
    them. text: only titles that contain it. state: current, past, retired (or superseded), quarantined,
    pinned, all; of goals also active, blocked, completed, abandoned. confidence_from, confidence_below:
    bounds of a fact's confidence now, the upper one left out. since, until: bounds of when it was learned.
    sort: created, title, category, channel, source, state, confidence, salience, recalled or priority, as the
    kind has it. descending: the highest first. upto: the `newest` of an earlier page, so that later rows do
    not shift the window."""

    kind: str = "fact"
    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    text: str = ""
    state: str = "current"
    confidence_from: float | None = None
    confidence_below: float | None = None
    since: datetime | None = None
    until: datetime | None = None
    sort: str = "created"
    descending: bool = True
    upto: int | None = None
    first: int = 0
    limit: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """Memory as the table shows it. Columns that its kind lacks are None.

    category: of a fact; the type of an entity. state: current, past, superseded, retired or quarantined; of a
    goal its status. confidence: a fact's confidence now; of a strategy its share of successes. recalled: how
    often; of a strategy, how often used."""

    id: str
    kind: str
    title: str
    category: str
    channel: str
    agent_id: str | None
    state: str
    created_at: datetime
    source: str | None = None
    confidence: float | None = None
    salience: float | None = None
    recalled: int | None = None
    priority: int | None = None
    pinned: bool = False
    promoted_from: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """Page of the table: rows `first` to `first + len(rows)` of `total`. newest: the value of `upto` that
    keeps this state.

    categories, sources: how many rows of the kind there are of each, regardless of other filters; given with
    the first window alone."""

    first: int
    total: int
    newest: int
    rows: tuple[TableRow, ...]
    categories: dict[str, int] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)
