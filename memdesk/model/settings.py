"""Settings: one field each, with default, unit, range, reason and source. The file is `settings.toml` in the desk."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def setting(
    default: Any, why: str, *, unit: str = "", low: float | None = None, high: float | None = None
) -> Any:
    """A dataclass field that says what it does, in what unit, within what range, and why it is so by default."""
    return field(default=default, metadata={"why": why, "unit": unit, "low": low, "high": high})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a person may turn. Read once when the service starts."""

    person: str = setting("", "The name shown for you; empty takes the name of your account.")
    promote_confidence: float = setting(0.85, "A fact this sure may go to _global (AgentX).", low=0, high=1)
    promote_recalls: int = setting(5, "… once it was recalled this often (AgentX).", low=0, high=1000)
    promote_conversations: int = setting(
        2, "… and was said in this many conversations (AgentX).", low=0, high=1000
    )
    decay_per_day: float = setting(
        0.95, "Salience left after a day without recall (AgentX; half-life 13.5 days).", low=0.5, high=1
    )
    new_salience: float = setting(0.5, "Salience of a memory that was just learned (AgentX).", low=0, high=1)
    recall_lift: float = setting(
        0.25,
        "Share of the way to 1 that one recall lifts salience: four recalls take 0.3 past 0.75.",
        low=0,
        high=1,
    )
    rescue_salience: float = setting(
        0.9, "Salience after a person rescues a memory (AgentX's remember).", low=0, high=1
    )
    fade_below: float = setting(0.10, "Below this salience a memory counts as faded (AgentX).", low=0, high=1)
    consolidate_minutes: int = setting(
        15,
        "How often facts are extracted from new turns; 0 for never (AgentX).",
        unit="min",
        low=0,
        high=1440,
    )
    recall_limit: int = setting(10, "Hits a recall returns unless asked otherwise (AgentX).", low=1, high=100)
    speaker_boost: float = setting(
        0.15,
        "Score added to turns of a speaker named in the query; helps questions, costs on trick questions.",
        low=0,
        high=1,
    )
    import_file_megabytes: int = setting(
        32, "A larger file is refused by name when a folder is imported.", unit="MB", low=1, high=1024
    )


DEFAULTS = Settings()
NAMES: tuple[str, ...] = tuple(item.name for item in fields(Settings))
