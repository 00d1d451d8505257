"""Times and counts as a person reads them: local, short, in the language of the window, the full time in the tip."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QDate, QDateTime, QLocale, QTime

from memdesk.gui.language import LOCALES, spoken, tr

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In English, as a person may type them in any language."""
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
PATTERN = "a date as Qt writes it"


def local(when: datetime) -> datetime:
    """The same moment in this machine's zone."""
    return when.astimezone()


def offset_minutes() -> int:
    """This machine's zone as minutes east of UTC now: where the viewer's days begin."""
    offset = datetime.now().astimezone().utcoffset()
    return 0 if offset is None else round(offset.total_seconds() / 60)


def dated(when: date, pattern: str) -> str:
    """A date, or a local time, by one of Qt's patterns with the names of the window's language: “d MMM”."""
    language = QLocale(LOCALES[spoken()])
    here = QDate(when.year, when.month, when.day)
    if not isinstance(when, datetime):
        return language.toString(here, pattern)
    return language.toString(QDateTime(here, QTime(when.hour, when.minute, when.second)), pattern)


def date_of(when: date, *, today: date | None = None) -> str:
    """“20 Nov”, with the year when it is another one."""
    same = when.year == (today or datetime.now().astimezone()).year
    return dated(when, tr("d MMM", PATTERN) if same else tr("d MMM yyyy", PATTERN))


def long_date(when: date) -> str:
    """“Friday 20 November 2026”."""
    return dated(when, tr("dddd d MMMM yyyy", PATTERN))


def month(when: date) -> str:
    """“Nov”."""
    return dated(when, tr("MMM", PATTERN))


def weekday(when: date) -> str:
    """“Friday”."""
    return dated(when, "dddd")


def day(when: datetime, *, now: datetime | None = None) -> str:
    """“20 Nov”, with the year when it is another one."""
    return date_of(local(when), today=local(now or datetime.now().astimezone()))


def minute(when: datetime) -> str:
    """“20 Nov 09:04”."""
    return f"{day(when)} {local(when):%H:%M}"


def second(when: datetime) -> str:
    """“20 Nov 09:04:12”."""
    return f"{day(when)} {local(when):%H:%M:%S}"


def clock(when: datetime) -> str:
    """“09:04”."""
    return f"{local(when):%H:%M}"


def full(when: datetime) -> str:
    """“Friday 20 November 2026, 09:04:12”, for tool tips."""
    return dated(local(when), tr("dddd d MMMM yyyy, HH:mm:ss", PATTERN))


def ago(when: datetime, *, now: datetime | None = None) -> str:
    """“just now”, “2 min ago”, “3 h ago”, “yesterday”, “5 days ago”, then the day."""
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
    """“40 s”, “3 min”, “2 h”, “5 d”: how long, in one unit."""
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return tr("%Ln s", "", whole)
    if whole < HOUR:
        return tr("%Ln min", "", whole // MINUTE)
    return tr("%Ln h", "", whole // HOUR) if whole < DAY else tr("%Ln d", "", whole // DAY)


def count(number: int) -> str:
    """“9,640”."""
    return f"{number:,}"
