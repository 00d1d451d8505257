"""Salience: how strong a memory is now, how a recall lifts it, when it will have faded; and how sure a claim still is.

Computed when read. Sources: AgentX's exponential forgetting (0.95 a day) and thresholds; the lift is ours.
"""

from __future__ import annotations

import math
import sys

from memdesk.model.fact import CERTAINTY
from memdesk.model.instant import DAY
from memdesk.model.settings import Settings

WEEK = 7 * DAY
BOOST_AT_MOST = 10.0
INFERRED_BELOW = CERTAINTY["implied"]
"""Extracted facts less sure than this were inferred, or uncertain from the start (AgentX's calibration)."""


def faded(value: float, elapsed_us: int, settings: Settings) -> float:
    """What is left of `value` after some time without recall."""
    return float(value * settings.decay_per_day ** (max(0, elapsed_us) / DAY))


def lifted(value: float, settings: Settings) -> float:
    """What one recall makes of `value`: a share of the way to 1."""
    return value + (1 - value) * settings.recall_lift


def boost(recalls: int, days: float) -> float:
    """OpenLegion's boost of a memory recalled so often, last so many days ago: 1 for one never recalled, 10 at most."""
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
    """Salience at `moment`. base: as set on the record; used: (salience, time) as the last recall left it.

    Whichever of the two is newer counts. Pinned memory does not fade.
    """
    value, since = used if used is not None and used[1] >= base_at else (base, base_at)
    return value if pinned else faded(value, moment - since, settings)


def fades_in_days(value: float, settings: Settings, *, pinned: bool) -> float | None:
    """Days until `value` falls below the fading threshold; negative when it has, None when it never will."""
    if pinned or settings.decay_per_day >= 1 or settings.fade_below <= 0:
        return None
    # Nothing at all would have faded for ever, which JSON cannot say.
    left = max(value, sys.float_info.min)
    return math.log(settings.fade_below / left) / math.log(settings.decay_per_day)


def confidence_at(
    moment: int, confidence: float, *, source: str, confirmed_at: int, pinned: bool, settings: Settings
) -> float:
    """How sure a claim is at `moment`: what was inferred loses a share each whole week that nothing confirmed it.

    confidence: as stored. confirmed_at: when it was learned, rescued or last recalled, whichever is latest. Facts that
    were told, implied by what was said, or pinned stay as sure as they were (AgentX decays inferred facts weekly).
    """
    if pinned or source != "extraction" or confidence >= INFERRED_BELOW:
        return confidence
    weeks = max(0, moment - confirmed_at) // WEEK
    return float(confidence * settings.fact_decay_per_week**weeks)
