"""File sizes and counts in words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

from PySide6.QtCore import QDate, QDateTime, QLocale, QTime

from memdesk.gui.language import LOCALES, current_language, marked, marked_words, tr

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
PATTERN = "a date as Qt writes it"


def local(when: datetime) -> datetime:
    """Return the same moment in this machine's time zone."""
    return when.astimezone()


def offset_minutes() -> int:
    """Return this machine's current offset in minutes east of UTC, which determines where the viewer's days
    begin."""
    offset = datetime.now().astimezone().utcoffset()
    return 0 if offset is None else round(offset.total_seconds() / 60)


def dated(when: date, pattern: str) -> str:
    """Format a date, or a local time, by one of Qt's patterns with names in the window's language: “d MMM”."""
    language = QLocale(LOCALES[current_language()])
    here = QDate(when.year, when.month, when.day)
    if not isinstance(when, datetime):
        return language.toString(here, pattern)
    return language.toString(QDateTime(here, QTime(when.hour, when.minute, when.second)), pattern)


def date_of(when: date, *, today: date | None = None) -> str:
    """Format a date as “20 Nov”, with the year if it is not the current one."""
    same = when.year == (today or datetime.now().astimezone()).year
    return dated(when, tr("d MMM", PATTERN) if same else tr("d MMM yyyy", PATTERN))


def long_date(when: date) -> str:
    """Format a date as “Friday 20 November 2026”."""
    return dated(when, tr("dddd d MMMM yyyy", PATTERN))


def month(when: date) -> str:
    """Format a date's month as “Nov”."""
    return dated(when, tr("MMM", PATTERN))


def weekday(when: date) -> str:
    """Format a date's weekday as “Friday”."""
    return dated(when, "dddd")


def day(when: datetime, *, now: datetime | None = None) -> str:
    """Format a time's day as “20 Nov”, with the year if it is not the current one."""
    return date_of(local(when), today=local(now or datetime.now().astimezone()))


def minute(when: datetime) -> str:
    """Format a time as “20 Nov 09:04”."""
    return f"{day(when)} {local(when):%H:%M}"


def second(when: datetime) -> str:
    """Format a time as “20 Nov 09:04:12”."""
    return f"{day(when)} {local(when):%H:%M:%S}"


def clock(when: datetime) -> str:
    """Format a time as “09:04”."""
    return f"{local(when):%H:%M}"


def full(when: datetime) -> str:
    """Format a time as “Friday 20 November 2026, 09:04:12”, for tool tips."""
    return dated(local(when), tr("dddd d MMMM yyyy, HH:mm:ss", PATTERN))


def ago(when: datetime) -> str:
    """Format a past time as “just now”, “2 min ago”, “3 h ago”, “yesterday”, “5 days ago”; after 30 days, as
    the day."""
    current = datetime.now().astimezone()
    passed = (current - when).total_seconds()
    if passed < MINUTE:
        return tr("just now")
    if passed < HOUR:
        return tr("%Ln min ago", "", int(passed // MINUTE))
    if passed < DAY:
        return tr("%Ln h ago", "", int(passed // HOUR))
    days = (current.date() - local(when).date()).days
    if days <= 1:
        return tr("yesterday")
    return tr("%Ln days ago", "", days) if days < 30 else day(when, now=current)


def span(seconds: float) -> str:
    """Format a duration in one unit: “40 s”, “3 min”, “2 h”, “5 d”."""
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return tr("%Ln s", "", whole)
    if whole < HOUR:
        return tr("%Ln min", "", whole // MINUTE)
    return tr("%Ln h", "", whole // HOUR) if whole < DAY else tr("%Ln d", "", whole // DAY)


def count(number: int) -> str:
    """Format a number as “9,640”."""
    return f"{number:,}"


LOOKED_AT = ("files", "skipped", "known")
"""Counts of an import that are not about imported records."""
UNITS = ("B", "KB", "MB", "GB", "TB")
STEP = 1024
TABLES = {
    "files": marked("%Ln file(s)"),
    "documents": marked("%Ln file(s)"),
    "conversations": marked("%Ln conversation(s)"),
    "turns": marked("%Ln turn(s)"),
    "facts": marked("%Ln fact(s)"),
    "entities": marked("%Ln entit(y|ies)"),
    "relations": marked("%Ln relation(s)"),
    "goals": marked("%Ln goal(s)"),
    "strategies": marked("%Ln strateg(y|ies)"),
    "outcomes": marked("%Ln outcome(s)"),
    "tool_calls": marked("%Ln tool call(s)"),
    "tool calls": marked("%Ln tool call(s)"),
    "aliases": marked("%Ln other name(s)"),
    "other names": marked("%Ln other name(s)"),
    "channels": marked("%Ln channel(s)"),
    "proposals": marked("%Ln question(s) of the review"),
    "tags": marked("%Ln tag(s)"),
    "workspaces": marked("%Ln folder(s)"),
    "compactions": marked("%Ln compaction(s)"),
    "sessions": marked("%Ln session(s)"),
    "traits": marked("%Ln line(s) of a profile"),
    "versions": marked("%Ln version(s) of a file"),
    "memories": marked("%Ln fact(s)"),
    "scratch notes": marked("%Ln note(s) of a scratchpad"),
    "tool_invocations": marked("%Ln tool call(s)"),
}
"""Counted names of records, by the name that the service uses."""


def short_path(path: str) -> str:
    """Return a path with ~ for the home folder."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path


def size(size_bytes: int) -> str:
    """Return a size in words: “812 B”, “4.2 KB”, “1.3 GB”."""
    value, unit = float(size_bytes), 0
    while value >= STEP and unit < len(UNITS) - 1:
        value, unit = value / STEP, unit + 1
    return f"{value:.0f} {UNITS[unit]}" if unit == 0 or value >= 100 else f"{value:.1f} {UNITS[unit]}"


def came_in(counts: Mapping[str, object]) -> str:
    """Return the new records of an import in words, such as “9 files, 12 facts”, without the counts of
    LOOKED_AT."""
    return counted({name: number for name, number in counts.items() if name not in LOOKED_AT})


def counted(counts: Mapping[str, object]) -> str:
    """Return counts in words, such as “9 files, 12 facts”; zeros and the change number are left out."""
    found = (
        one(name, number)
        for name, number in counts.items()
        if name != "change" and isinstance(number, int) and number
    )
    return tr(", ").join(dict.fromkeys(found))


def one(name: str, number: int) -> str:
    """Return one count in words: “12 facts”."""
    known = TABLES.get(name)
    return tr(known, "", number) if known else f"{count(number)} {name.replace('_', ' ')}"


_TABLES = marked_words(
    "Channels, Conversations, Turns, Facts, Entities, Relations, Goals, Strategies, Outcomes, Tool calls, Tags, "
    "Sessions, Compactions"
)
NAMES = {name.lower().replace(" ", "_"): name for name in _TABLES} | {
    "aliases": marked("Other names"),
    "traits": marked("Lines of profiles"),
    "proposals": marked("Questions of the review"),
    "workspaces": marked("Folders"),
    "documents": marked("Files"),
}
"""Headings for the records of a table."""


def name(table: str) -> str:
    """Return the heading of a table: “Tool calls”."""
    return tr(NAMES[table]) if table in NAMES else table.replace("_", " ").capitalize()


def turn_ranges(turns: Sequence[int]) -> str:
    """Return turn ranges in words: “turn 4”, “turns 10 to 30, 38”, numbered from 1."""
    runs: list[tuple[int, int]] = []
    for turn in sorted(set(turns)):
        if runs and turn == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], turn)
        else:
            runs.append((turn, turn))
    said = tr(", ").join(
        f"{first + 1}" if first == last else tr("{first} to {last}", first=f"{first + 1}", last=f"{last + 1}")
        for first, last in runs
    )
    return tr("turn(s) {which}", "", len(set(turns)), which=said) if runs else ""
