"""Relative times: "last Friday", "in two weeks", 下周三 and 先月 are followed by their date, counted from the time
of the turn."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import pairwise

from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import entries, numbers, section, words
from memdesk.engine.extraction.third_person import is_past, is_past_verb

Found = tuple[str, date] | None
"""Wording of a date and its first day; None if the words give none."""

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_COUNTED = "a an one/two couple/three few/four several/five/six/seven/eight/nine/ten/eleven/twelve"
_NUMBERS = {word: number for number, same in enumerate(_COUNTED.split("/"), start=1) for word in same.split()}
_ROUGH = ("few", "several", "couple")
_WEEKDAY = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|mon|tues?|weds?|thurs?|fri|sat|sun(?= |$|[,.)])"
_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_COUNTS = "|".join(word for word in _NUMBERS if word not in _ROUGH)
_COUNT = rf"\d{{1,3}}|{_COUNTS}|(?:a )?(?:few|couple(?: of)?)|several"
_ORDINALS = section("values", "ordinals").split()
"""Days of a month in words, the first one first."""
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_END_OF_DAY = (
    r"\b(?=$|[,.;!?”]| (?:at|in|and|but|or|between|from|to|for|with|because|after|before|until|around"
    r"|I|we|he|she|they|is|was|will)\b)"
)
"""Lookahead behind the day of a month, so that "on the first one" is no date."""
_ENGLISH_DAYS = {
    day: int(away) for day, _, away in (each.partition("=") for each in entries("times", "english_days"))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """Claim with the dates of its relative times. start: UTC microsecond at which the first of them begins; end:
    the one after which "until June" is over."""

    claim: str
    start: int | None = None
    end: int | None = None


def add_dates(claim: str, at: int, zone: tzinfo, *, past: bool) -> Dated:
    """Return the claim with a date after its first relative time, as seen in zone at that UTC microsecond.

    past: the claim is about the past, so that "on Friday" is the last one, not the next."""
    try:
        day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).astimezone(zone).date()
        for pattern, read, form in _READERS:
            for match in pattern.finditer(claim):
                told = _is_told(claim, match.start(), match.end()) or _SINCE.search(claim, 0, match.end())
                gone = bool(told or (past and not _is_to_come(claim, match.start())))
                gone &= not _is_rescheduled(claim, match)
                found = read(match, day, gone)
                other = read(match, day, not gone)
                if found and other and _is_other_nearer(found[1], other[1], day, past_verb=bool(told)):
                    found = other
                if found:
                    text = f"{claim[: match.end()]}{form.format(found[0])}{claim[match.end() :]}"
                    if _UNTIL.search(claim, 0, match.end()):
                        last = _months(found[1], 1) if read is _in_month else found[1] + timedelta(days=1)
                        return Dated(claim=text, end=_instant(last, zone))
                    return Dated(claim=text, start=_instant(found[1], zone))
    except (OverflowError, ValueError):  # beyond the years a calendar holds
        pass
    return Dated(claim=claim)


def _is_other_nearer(found: date, other: date, day: date, *, past_verb: bool) -> bool:
    """Return True if the other of the two dates of a name is meant, as it is much nearer to the day of the turn.

    Instead of a past date in a clause without a past verb, as the tense is that of another clause: "I got the job,
    starting 12 January". Instead of one almost a year ahead: "the fire in March", said in April. past_verb:
    the clause has one."""
    away, other_away = (found - day).days, (other - day).days
    if away > 0:
        return away > _ALMOST_A_YEAR and other_away <= 0
    return not past_verb and away < -7 and other_away < -away


def _is_told(claim: str, begin: int, end: int) -> bool:
    """Return True if the clause of a time has a past verb: "is our contact, she took over in January".

    False for what was put off to a time or arranged for it: "we moved it to 4 May"."""
    before, after = _clause(claim[:begin]), re.split("[,;.!?]", claim[end:])[0]
    words = [match.group().lower() for match in WORD.finditer(before)]
    told = [
        at
        for at, (last, word) in enumerate(pairwise(["", *words]))
        if is_past_verb(last, word) or (word in _UNCHANGED and last in _SUBJECTS)
    ]
    if told:
        named = _WHEN_TOLD.match(claim, begin, end) is None
        if named and words[told[-1]] in _TELLING and _ADDRESSED.issuperset(words[told[-1] + 1 :]):
            return False
        since = [word for word in words[told[-1] + 1 :] if word not in _ARTICLES]
        intended = "to" in since and words[told[-1]] in _INTENDED
        return not intended and _FUTURE.isdisjoint(since[-1:])
    following = [match.group().lower() for match in WORD.finditer(after)][:2]
    return any(is_past_verb(last, word) for last, word in pairwise(["", *following]))


def _clause(before: str) -> str:
    return re.split("[,;.!?]", before)[-1]


def _is_rescheduled(claim: str, match: re.Match[str]) -> bool:
    """Return True for the new time of a plan: "moved to Monday the fifth of August", "they gave me till June"."""
    said = [each.group().lower() for each in WORD.finditer(_clause(claim[: match.start()]))]
    before = [word for word in said if word not in _ARTICLES and word not in _DAYS][-1:]
    until = match.group().lower().split()[0]
    return not _RESCHEDULED.isdisjoint(said) and not _FUTURE.isdisjoint([*before, until])


def _is_to_come(claim: str, begin: int) -> bool:
    """Return True for a time to which something is put off (改到五月四号), and in a clause of the present: "She was
    admitted, she starts in September"."""
    clause = _clause(claim[:begin])
    verbs = [verb for found in _SUBJECT_VERB.findall(clause) for verb in found if verb]
    present = any(not is_past(verb) and verb not in _KNOWING for verb in verbs)
    return present or clause.endswith(_ARRANGED)


_WEEKS_AWAY = 9
"""Weeks within which "Tuesday the 28th" is: in one farther away the speaker has mixed up the days."""
_ALMOST_A_YEAR = 300
"""Days ahead of a date that is more likely the one just gone."""
_ARRANGED = ("到", "定在", "推迟至")
_FUTURE = frozenset(("for", "to", "until", "till"))
"""Words right before a time to which something is put off or for which it is meant."""
_TELLING = frozenset(("said", "told", "wrote", "dated"))
"""Past verbs right before a time that is their object: "The doctor said 20 August"."""
_ADDRESSED = frozenset(("the", "by", "around", "about", "me", "us", "him", "her", "them"))
"""Words between these verbs and the time."""
_WHEN_TOLD = re.compile(r"(?:in|on|since|early|late|mid)\b", re.IGNORECASE)
"""Words that begin the time of a remark: "The doctor said in August that"."""
_SUBJECT_VERB = re.compile(
    r"\b(?:I|[Ww]e|[Yy]ou|[Tt]hey) ([a-z]+)"
    r"|\b(?:[Hh]e|[Ss]he|[Ii]t|(?!(?:My|Our|Your|His|Her|Its|Their|The|This|That|These|Those|An?) )[A-Z][a-z]+)"
    r" ([a-z]+s)\b"
)
"""Verb behind its subject."""
_KNOWING = words("times", "knowing")
"""Verbs of the present whose object may be past: "I remember the fire in March"."""
_ARTICLES = frozenset(("the", "a", "in", "on", "by"))
_INTENDED = words("times", "intended")
"""Past verbs of which what follows "to" may still be to come."""
_RESCHEDULED = words("times", "rescheduled")
"""Past verbs of giving a plan another time."""
_UNCHANGED = words("times", "unchanged")
"""Verbs whose past is spelt like their present."""
_SUBJECTS = frozenset(("i", "we", "he", "she", "they"))
_SINCE = re.compile(r"\bsince \S+(?: \S+){0,4}$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|through|by) (?:the )?(?:end of )?\S+(?: \S+)?$", re.IGNORECASE)


def has_time(claim: str) -> bool:
    """Return True if a claim names a relative time."""
    return any(pattern.search(claim) for pattern, _, _ in _READERS)


def _instant(day: date, zone: tzinfo) -> int:
    moment = datetime.combine(day, time(), tzinfo=zone)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _long(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _months(day: date, count: int) -> date:
    months = day.year * 12 + day.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _named_day(match: re.Match[str], day: date, past: bool) -> Found:
    when = day + timedelta(days=_ENGLISH_DAYS[match.group().lower()])
    return _long(when), when


def _neighbouring(match: re.Match[str], day: date, past: bool) -> Found:
    """Read "last week", "next Friday", "this past weekend"."""
    way, unit = match["way"].lower(), match["unit"].lower()
    step = -1 if way in ("last", "this past", "the past") else 1 if way in ("next", "this coming") else 0
    if unit == "week":
        start = _monday(day) + timedelta(days=7 * step)
        return f"week of {_long(start)}", start
    if unit == "weekend":
        return _weekend(day, step, past=past)
    if unit == "month":
        start = _months(day, step)
        return f"{start:%B %Y}", start
    if unit == "year":
        return str(day.year + step), date(day.year + step, 1, 1)
    if unit in _SEASONS:
        return _season(unit, day, step, past=past)
    return _weekday(unit, day, step or (-1 if past else 1), today=step == 0)


def _weekend(day: date, step: int, *, past: bool) -> Found:
    start = _monday(day) + timedelta(days=5)
    if step < 0 or (step == 0 and past and day.weekday() < 5):
        start -= timedelta(days=7)
    elif step > 0:
        start += timedelta(days=7)
    return f"weekend of {_long(start)}", start


def _season(unit: str, day: date, step: int, *, past: bool) -> Found:
    month = _SEASONS[unit]
    year = day.year
    if step < 0 and day.month < month + 3:
        year -= 1
    elif step > 0 and day.month >= month:
        year += 1
    return f"{unit} {year}", date(year, month, 1)


def _weekday(unit: str, day: date, way: int, *, today: bool = False) -> Found:
    index = next((i for i, name in enumerate(_DAYS) if name.startswith(unit[:3].lower())), None)
    if index is None:
        return None
    distance = (index - day.weekday()) * way % 7 or (0 if today else 7)
    when = day + timedelta(days=distance * way)
    return _long(when), when


def _number(text: str) -> int:
    last = text.lower().removeprefix("a ").removesuffix(" of")
    return _NUMBERS.get(last) or int(last)


def _distant(match: re.Match[str], day: date, past: bool) -> Found:
    """Read "two weeks ago" and "in three months"; "found a club in two days" is how long it took."""
    if past and match["ahead"]:
        return None
    way = 1 if match["ahead"] else -1
    count, unit = match["count"] or match["later"], match["unit"] or match["span"]
    number = _number(count)
    start = _moved(day, way * number, unit.lower())
    rough = "around " if any(word in count.lower() for word in _ROUGH) else ""
    if unit == "day":
        return f"{rough}{_long(start)}", start
    if unit == "weekend":
        start += timedelta(days=5)
        return f"{rough}weekend of {_long(start)}", start
    if unit == "week":
        return f"{rough}week of {_long(start)}", start
    return (f"{rough}{start:%B %Y}", start) if unit == "month" else (f"{rough}{start.year}", start)


def _moved(day: date, count: int, unit: str) -> date:
    if unit == "day":
        return day + timedelta(days=count)
    if unit in ("week", "weekend"):
        return _monday(day) + timedelta(days=7 * count)
    return _months(day, count) if unit == "month" else date(day.year + count, 1, 1)


def _on_weekday(match: re.Match[str], day: date, past: bool) -> Found:
    """Read "on Tuesday" and "Tuesday the 28th"."""
    if match["day"]:
        return _weekday(match["day"], day, -1 if past else 1)
    way, of_month = -1 if past else 1, _day_of_month(match["of_month"])
    first = _weekday(match["named"], day, way, today=True)
    days = (first[1] + timedelta(weeks=way * n) for n in range(_WEEKS_AWAY)) if first else ()
    return next(((_long(each), each) for each in days if each.day == of_month), None)


def _in_month(match: re.Match[str], day: date, past: bool) -> Found:
    month = _MONTHS.index(match["month"][:3].lower()) + 1
    start = _nearest(day, month, 1, past=past)
    return str(start.year), start


def _on_date(match: re.Match[str], day: date, past: bool) -> Found:
    month = _MONTHS.index((match["month"] or match["after"])[:3].lower()) + 1
    start = _nearest(day, month, _day_of_month(match["day"] or match["before"]), past=past)
    return str(start.year), start


def _day_of_month(text: str) -> int:
    """Return 9 for "9", "9th" and "ninth"."""
    small = text.lower()
    return _ORDINALS.index(small) + 1 if small in _ORDINALS else int(re.sub(r"\D", "", small))


def _on_day(match: re.Match[str], day: date, past: bool) -> Found:
    """Read "on the ninth": the next such day, or the last one."""
    of_month = _day_of_month(match["day"])
    start = _months(day, 0).replace(day=of_month)
    if past == (start > day) and start != day:
        start = _months(day, -1 if past else 1).replace(day=of_month)
    return f"{start:%B %Y}", start


def _nearest(day: date, month: int, of_month: int, *, past: bool) -> date:
    """Return the last such day if past, else the next."""
    here = date(day.year, month, of_month)
    if past:
        return here if here <= day else here.replace(year=day.year - 1)
    ended = (here.replace(day=28) if of_month == 1 else here) < day
    return here.replace(year=day.year + 1) if ended else here


_HAN_NUMBERS = {char: number for number, char in enumerate("一二三四五六七八九十", start=1)} | {
    "两": 2,
    "几": 3,
}
_HAN_DAYS, _HAN_YEARS = (
    {word: int(away) for word, away in numbers("times", name).items()} for name in ("days_away", "years_away")
)
_HAN_WAYS = {"上": -1, "先": -1, "这": 0, "本": 0, "今": 0, "下": 1, "来": 1, "": 0}
_HAN_WEEK = (
    {char: index for index, char in enumerate("一二三四五六日")}
    | {"天": 6}
    | dict(zip("月火水木金土日", range(7), strict=True))
)


def _han_day(match: re.Match[str], day: date, past: bool) -> Found:
    when = day + timedelta(days=_HAN_DAYS[match.group()])
    return when.isoformat(), when


def _han_year(match: re.Match[str], day: date, past: bool) -> Found:
    year = day.year + _HAN_YEARS[match["year"]]
    months = match["month"]
    if not months:
        return str(year), date(year, 1, 1)
    month = _han_number(months)
    return f"{year}-{month:02}", date(year, month, 1)


def _han_number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    tens, _, ones = text.rpartition("十")
    number = _HAN_NUMBERS.get(ones, 0)
    return number + 10 * (_HAN_NUMBERS.get(tens, 1)) if "十" in text else number


def _han_date(match: re.Match[str], day: date, past: bool) -> Found:
    start = _nearest(day, _han_number(match["month"]), _han_number(match["day"]), past=past)
    return start.isoformat(), start


def _han_month(match: re.Match[str], day: date, past: bool) -> Found:
    start = _months(day, _HAN_WAYS[match["way"]])
    return f"{start:%Y-%m}", start


def _han_week(match: re.Match[str], day: date, past: bool) -> Found:
    """Read 上周, 下周三 and 来週; a bare weekday is as likely every such day."""
    way, of_week = match["way"], match["day"]
    if not of_week:
        start = _monday(day) + timedelta(days=7 * _HAN_WAYS[way])
        return f"{start.isoformat()} 那周", start
    index = _HAN_WEEK[of_week]
    when = _monday(day) + timedelta(days=7 * _HAN_WAYS[way] + index)
    return when.isoformat(), when


def _ja_week(match: re.Match[str], day: date, past: bool) -> Found:
    way, of_week = match["way"] or "", match["day"]
    if not of_week:
        start = _monday(day) + timedelta(days=7 * _HAN_WAYS[way])
        return f"{start.isoformat()} の週", start
    return _han_week(match, day, past)


def _han_ago(match: re.Match[str], day: date, past: bool) -> Found:
    unit = {"天": "day", "日": "day", "周": "week", "週間": "week", "月": "month", "年": "year"}[
        match["unit"][-2:].lstrip("个ヶか")
    ]
    start = _moved(day, -_han_number(match["count"]), unit)
    return (
        start.isoformat()
        if unit in ("day", "week")
        else f"{start:%Y-%m}"
        if unit == "month"
        else str(start.year)
    ), start


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date, bool], Found], str], ...] = (
    (
        re.compile(rf"\b(?:{'|'.join(sorted(_ENGLISH_DAYS, key=len, reverse=True))})\b", re.IGNORECASE),
        _named_day,
        " ({})",
    ),
    (
        re.compile(
            rf"\b(?P<way>last|next|this past|the past|this coming|this) (?P<unit>week(?:end)?|month"
            rf"|year|{'|'.join(_SEASONS)}|{_WEEKDAY})\b(?! ago| of\b)",
            re.IGNORECASE,
        ),
        _neighbouring,
        " ({})",
    ),
    (
        re.compile(
            rf"\b(?:(?P<count>{_COUNT}) (?P<unit>day|week|weekend|month|year)s? ago"
            rf"|(?P<ahead>in )(?P<later>{_COUNT}) (?P<span>day|week|month|year)s?(?:' time)?(?=$|[,.;]"
            rf"| (?:for|with|to|on|at)\b))",
            re.IGNORECASE,
        ),
        _distant,
        " ({})",
    ),
    (
        re.compile(
            rf"\b(?:(?P<day>\d{{1,2}}|{_ORDINAL})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})"
            rf"|(?P<after>{_MONTH}) (?:the )?(?P<before>\d{{1,2}}|{_ORDINAL})(?:st|nd|rd|th)?)\b(?!,? ?\d|:|-)",
            re.IGNORECASE,
        ),
        _on_date,
        " ({})",
    ),
    (
        re.compile(
            rf"\b(?:on|until|till|by|from) the (?P<day>{_ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)){_END_OF_DAY}",
            re.IGNORECASE,
        ),
        _on_day,
        " ({})",
    ),
    (
        re.compile(
            rf"\b(?P<named>{_WEEKDAY}),? the (?P<of_month>{_ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)){_END_OF_DAY}"
            rf"|\b(?:on|by|until|till|this|come|comes?) (?P<day>{_WEEKDAY})\b(?!s| night|,? the (?:{_ORDINAL}|\d))",
            re.IGNORECASE,
        ),
        _on_weekday,
        " ({})",
    ),
    (
        re.compile(
            rf"\b(?:in|since|until|till|by|from|end of|start of|early|late|mid-?) ?"
            rf"(?P<month>(?!may\b|march\b)(?:{_MONTH})|May|March)\b(?!,? \d| of)",
            re.IGNORECASE,
        ),
        _in_month,
        " ({})",
    ),
    (re.compile("|".join(sorted(_HAN_DAYS, key=len, reverse=True))), _han_day, "（{}）"),
    (
        re.compile(
            f"(?P<year>{'|'.join(sorted(_HAN_YEARS, key=len, reverse=True))})(?:の)?(?:(?P<month>1[0-2]"
            f"|[1-9]|十[一二]?|[一二三四五六七八九])月)?"
        ),
        _han_year,
        "（{}）",
    ),
    (
        re.compile(
            "(?<![\\d年])(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?P<day>[1-3]?\\d"
            "|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
        ),
        _han_date,
        "（{}）",
    ),
    (re.compile("(?P<way>上|下|这|本|先|来|今)个?月(?!曜)"), _han_month, "（{}）"),
    (
        re.compile(
            "(?<![每一二三四五六七八九十两几\\d])(?P<way>上|下|这|本)(?:个?(?:周|星期"
            "|礼拜))(?P<day>[一二三四五六日天]?)(?![年岁末围])"
        ),
        _han_week,
        "（{}）",
    ),
    (re.compile("(?P<way>先|来|今)週(?:の?(?P<day>[月火水木金土日])曜日?)?"), _ja_week, "（{}）"),
    (
        re.compile(
            "(?P<count>\\d{1,2}|[一二三四五六七八九十两几]{1,2})(?P<unit>天|日|个?周|週間|(?:个|ヶ"
            "|か)月|年)(?:之)?前"
        ),
        _han_ago,
        "（{}）",
    ),
)
"""Readers of relative times in the order tried: pattern, its meaning, and the form of its date."""
