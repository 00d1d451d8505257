"""Times and counts as a person reads them: local, short, the full time in the tool tip."""

from __future__ import annotations

from datetime import datetime

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In English as the rest of the desk is; strftime would follow the machine's locale."""
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def local(when: datetime) -> datetime:
    """The same moment in this machine's zone."""
    return when.astimezone()


def offset_minutes() -> int:
    """This machine's zone as minutes east of UTC now: where the viewer's days begin."""
    offset = datetime.now().astimezone().utcoffset()
    return 0 if offset is None else round(offset.total_seconds() / 60)


def day(when: datetime, *, now: datetime | None = None) -> str:
    """“20 Nov”, with the year when it is another one."""
    here, today = local(when), local(now or datetime.now().astimezone())
    year = "" if here.year == today.year else f" {here.year}"
    return f"{here.day} {MONTHS[here.month - 1][:3]}{year}"


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
    here = local(when)
    month = MONTHS[here.month - 1]
    return f"{WEEKDAYS[here.weekday()]} {here.day} {month} {here:%Y, %H:%M:%S}"


def ago(when: datetime, *, now: datetime | None = None) -> str:
    """“just now”, “2 min ago”, “3 h ago”, “yesterday”, “5 days ago”, then the day."""
    current = local(now or datetime.now().astimezone())
    passed = (current - when).total_seconds()
    if passed < MINUTE:
        return "just now"
    if passed < HOUR:
        return f"{int(passed // MINUTE)} min ago"
    if passed < DAY:
        return f"{int(passed // HOUR)} h ago"
    days = (current.date() - local(when).date()).days
    if days <= 1:
        return "yesterday"
    return f"{days} days ago" if days < 30 else day(when, now=current)


def span(seconds: float) -> str:
    """“40 s”, “3 min”, “2 h”, “5 d”: how long, in one unit."""
    if seconds < MINUTE:
        return f"{int(seconds)} s"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)} min"
    return f"{int(seconds // HOUR)} h" if seconds < DAY else f"{int(seconds // DAY)} d"


def count(number: int) -> str:
    """“9,640”."""
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """“1 event”, “5,833 events”."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
