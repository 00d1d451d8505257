"""Kind of answer that a query asks for, and texts that may contain it: a time for "when", a number for "how
many".

Plain words of English, Chinese and Japanese, searched only among the best hits."""

from __future__ import annotations

import re
from typing import Literal

Wanted = Literal["time", "number"]

_ASKS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "time",
        re.compile(
            r"\b(?:when|how long|how old|(?:what|which) (?:date|day|week|month|year|time)s?)\b"
            "|什么时候|什麼時候|何时|何時|几点|幾點|哪年|哪天|多久|いつ|何日|何月|何年"
        ),
    ),
    (
        "number",
        re.compile(r"\bhow (?:many|much|often)\b|多少|几个|幾個|几次|幾次|いくつ|いくら|何回|何人|何個"),
    ),
)
_HOLDS: dict[Wanted, re.Pattern[str]] = {
    "time": re.compile(
        r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|days?|weeks?|weekends?|months?|years?|mornings?"
        r"|nights?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
        r"|september|october|november|december|\d{4})\b|\d[:年月日時时点點]"
        "|昨天|今天|明天|去年|今年|明年|上周|下周|上个月|以前|昨日|今日|明日|先週|来週|先月|来月"
    ),
    "number": re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|once|twice|few|several"
        r"|couple|many)\b|[一二三四五六七八九十百千万两]"
    ),
}


def wanted(query: str) -> Wanted | None:
    """Return the kind of answer a query asks for; None if it does not ask for a time or a number."""
    plain = query.lower()
    return next((kind for kind, pattern in _ASKS if pattern.search(plain)), None)


def holds(text: str, kind: Wanted) -> bool:
    """Return True if a text contains an answer of this kind: a time or a number."""
    return _HOLDS[kind].search(text.lower()) is not None
