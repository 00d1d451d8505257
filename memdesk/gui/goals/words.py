"""Texts and icons of a goal: its status, its due date and its deadline."""

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
"""Label, icon and tone of each status."""


def status(name: str) -> str:
    """Return the label of a status."""
    return tr(STATUSES[name][0]) if name in STATUSES else name


def icon(name: str) -> tuple[str, str]:
    """Return (icon, its tone) of a status."""
    return STATUSES.get(name, ("", "info", "t3"))[1:]


def due(goal: GoalRow) -> str:
    """Return the due date or the end of a goal: “24 Nov”, “overdue, 20 Nov”, “ended 24 Nov”; empty if it has
    none."""
    if goal.completed_at is not None:
        return tr("ended {day}", day=times.day(goal.completed_at))
    if goal.deadline is None:
        return ""
    return tr("overdue, {day}", day=times.day(goal.deadline)) if goal.overdue else times.day(goal.deadline)


def deadline_text(deadline: datetime | None) -> str:
    """Return a deadline in the form a person types; only the date if the time is 23:59."""
    if deadline is None:
        return ""
    here = times.local(deadline)
    return f"{here:%Y-%m-%d}" if (here.hour, here.minute) == (23, 59) else f"{here:%Y-%m-%d %H:%M}"


def read_deadline(text: str) -> datetime | None:
    """Return a typed deadline: “2026-11-30”, meaning 23:59 of that day, or “2026-11-30 18:00”; None if empty.

    Raises ValueError for anything else."""
    said = " ".join(text.split())
    if not said:
        return None
    when = datetime.fromisoformat(said)
    if len(said) <= len("2026-11-30"):
        when = when.replace(hour=23, minute=59)
    return when.astimezone()
