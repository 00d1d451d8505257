"""Salience: the present strength of a memory, its rise by a recall and its decay; also the decay of
confidence.

Computed on reading. Sources: AgentX's exponential forgetting (0.95 a day) and thresholds; the rise by a
recall is ours."""

from __future__ import annotations

import math
import sys

from memdesk.model.fact import EXTRACTED
from memdesk.model.instant import DAY
from memdesk.model.settings import Settings

WEEK = 7 * DAY
BOOST_AT_MOST = 10.0
INFERRED_BELOW = 0.75
"""Confidence below which an extracted fact fades if nothing confirms it: inferred or uncertain by its words (AgentX's
calibration), or with a chance below three in four."""


def faded(value: float, elapsed_us: int, settings: Settings) -> float:
    """Return the rest of `value` after some time without recall."""
    return float(value * settings.decay_per_day ** (max(0, elapsed_us) / DAY))


def lifted(value: float, settings: Settings) -> float:
    """Return `value` after one recall: raised by a share of its distance to 1."""
    return value + (1 - value) * settings.recall_lift


def boost(recalls: int, days: float) -> float:
    """Return OpenLegion's boost by number of recalls and days since the last: 1 for a memory never recalled,
    10 at most."""
    return min(BOOST_AT_MOST, 1 + math.log(1 + recalls) * max(0.1, 1 - 0.05 * days))


def at(
    moment: int,
    *,
    base: float,
    base_at: int,
    used: tuple[float, int] | None,
    pinned: bool,
    settings: Settings,
) -> float:
    """Return salience at `moment`. base: as set on the record; used: (salience, time) as the last recall left
    it.

    The newer of the two counts, the recall if they are equal. Pinned memory does not fade."""
    value, since = used if used is not None and used[1] >= base_at else (base, base_at)
    return value if pinned else faded(value, moment - since, settings)


def fades_in_days(value: float, settings: Settings, *, pinned: bool) -> float | None:
    """Return the days until `value` falls below the fading threshold; negative if it has, None if it never will."""
    if pinned or settings.decay_per_day >= 1 or settings.fade_below <= 0:
        return None
    # Nothing at all would have faded for ever, which JSON cannot say.
    left = max(value, sys.float_info.min)
    return math.log(settings.fade_below / left) / math.log(settings.decay_per_day)


def confidence_at(
    moment: int, confidence: float, *, source: str, confirmed_at: int, pinned: bool, settings: Settings
) -> float:
    """Return a claim's confidence at `moment`: an inferred claim loses a share for each full week without
    confirmation.

    confidence: as stored. confirmed_at: the latest time it was learned, rescued or recalled. Facts that were
    stated explicitly, implied by a statement, or pinned keep their confidence (AgentX decays inferred facts
    weekly)."""
    if pinned or source != EXTRACTED or confidence >= INFERRED_BELOW:
        return confidence
    weeks = max(0, moment - confirmed_at) // WEEK
    return float(confidence * settings.fact_decay_per_week**weeks)
