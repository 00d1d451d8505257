"""The salience heatmap: memories by day, how strong each was, and when each will fade."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from memdesk.model.browse import SalienceCurve
from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatRow:
    id: str
    kind: str
    title: str
    category: str
    channel: str
    pinned: bool
    recalled: int
    last_recalled_at: datetime | None
    last_recalled_by: str | None
    curve: SalienceCurve
    rescued_fades_in_days: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heatmap:
    """Heatmap rows from `first` on, of `total`. Day 0 of every curve is `start`; today is the last day of
    `past`.

    counts: how many rows each of the filters recalled, fading, ahead, below and pinned would leave."""

    start: date
    days_back: int
    days_ahead: int
    first: int
    total: int
    counts: dict[str, int]
    rows: tuple[HeatRow, ...]
    fade_below: float
    decay_per_day: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSalience:
    """Request for heatmap rows. kinds: entity, fact. sort: fades, salience, recalled, newest, name, channel,
    or alike, which groups memories with similar curves. only: recalled, below, fading (within 7 days),
    ahead (within `days_ahead`), pinned or empty. utc_offset_minutes: the viewer's time zone, which decides
    where a day begins."""

    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("entity", "fact")
    sort: str = "fades"
    only: str = ""
    days_back: int = 91
    days_ahead: int = 30
    utc_offset_minutes: int = 0
    first: int = 0
    limit: int = 100
