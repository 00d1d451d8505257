"""Times and counts as a person reads them: local, short, in the language of the window, the full time in the tip."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QDate, QDateTime, QLocale, QTime

from memdesk.gui.language import LOCALES, spoken, tr

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""English weekday names, which a person may type in any language of the window."""
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
    language = QLocale(LOCALES[spoken()])
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


def ago(when: datetime, *, now: datetime | None = None) -> str:
    """Format a past time as “just now”, “2 min ago”, “3 h ago”, “yesterday”, “5 days ago”; after 30 days, as
    the day."""
    current = local(now or datetime.now().astimezone())
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
