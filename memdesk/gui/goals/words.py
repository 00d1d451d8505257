"""How a goal is said and shown: its status, how much it matters, and when it is due."""

from __future__ import annotations

from datetime import datetime

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.model.goals import GoalRow

STATUSES = {
    "active": (marked("active"), "goals", "acc"),
    "blocked": (marked("blocked"), "pause", "warn"),
    "completed": (marked("completed"), "check", "ok"),
    "abandoned": (marked("abandoned"), "cross", "t3"),
}
"""The word, the icon and its tone of each status."""


def status(name: str) -> str:
    """A status in a word."""
    return tr(STATUSES[name][0]) if name in STATUSES else name


def icon(name: str) -> tuple[str, str]:
    """(icon, its tone) of a status."""
    return STATUSES.get(name, ("", "info", "t3"))[1:]


def due(goal: GoalRow) -> str:
    """When it is due, or when it ended: “24 Nov”, “overdue, 20 Nov”."""
    if goal.completed_at is not None:
        return tr("ended {day}", day=times.day(goal.completed_at))
    if goal.deadline is None:
        return ""
    return tr("overdue, {day}", day=times.day(goal.deadline)) if goal.overdue else times.day(goal.deadline)


def deadline_text(deadline: datetime | None) -> str:
    """A deadline as a person types it: the day alone where it is the day's end."""
    if deadline is None:
        return ""
    here = times.local(deadline)
    return f"{here:%Y-%m-%d}" if (here.hour, here.minute) == (23, 59) else f"{here:%Y-%m-%d %H:%M}"


def read_deadline(text: str) -> datetime | None:
    """What a person typed as a deadline: “2026-11-30”, which means its end, or “2026-11-30 18:00”; None for nothing.

    Raises ValueError for anything else.
    """
    said = " ".join(text.split())
    if not said:
        return None
    when = datetime.fromisoformat(said)
    if len(said) <= len("2026-11-30"):
        when = when.replace(hour=23, minute=59)
    return when.astimezone()
