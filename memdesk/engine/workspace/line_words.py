"""Words of one line of a file: the dates in it, whether it states anything, and its content with date, tags and links
taken off.

Lines that state nothing are templates that wait to be filled in, bookkeeping about the file, pointers to other files,
and words addressed to the agent. A row of a table becomes a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from memdesk.engine.extraction.lexicon import entries, pattern
from memdesk.engine.memory.line_links import normalised_words
from memdesk.model.instant import from_datetime

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janner enero ene janvier gennaio",
            "february feb februar febrero fevrier febbraio",
            "march mar marz maerz marzo mars",
            "april apr abril avril aprile",
            "may mai mayo maggio",
            "june jun juni junio juin giugno",
            "july jul juli julio juillet luglio",
            "august aug agosto aout",
            "september sep sept septiembre septembre settembre",
            "october oct okt oktober octubre octobre ottobre",
            "november nov noviembre novembre",
            "december dec dez dezember diciembre dic decembre dicembre",
        ),
        1,
    )
    for name in names.split()
}
_PLAIN = str.maketrans("äéûôâ", "aeuoa")
_MONTH = r"(?P<month{n}>[^\W\d_]{{3,10}})\.?"
_DATES = re.compile(
    r"(?<![\d-])(?P<year1>(?:19|20)\d\d)(?P<joint>[-/.])(?P<month1>\d{1,2})(?P=joint)(?P<day1>\d{1,2})(?![\d-])"
    r"|(?P<year2>(?:19|20)\d\d)年(?P<month2>\d{1,2})月(?P<day2>\d{1,2})日"
    r"|(?<![\d.])(?P<day3>\d{1,2})\.(?P<month3>\d{1,2})\.(?P<year3>(?:19|20)\d\d)(?!\d)"
    rf"|\b(?P<day4>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: (?:of"
    rf"|de))? {_MONTH.format(n=4)},?(?: de)? (?P<year4>(?:19|20)\d\d)\b"
    rf"|\b{_MONTH.format(n=5)} (?P<day5>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year5>(?:19|20)\d\d)\b"
    r"|(?<=-)(?P<year6>20\d\d)(?P<month6>\d\d)(?P<day6>\d\d)(?=-)"
    r"|(?<![\d/.-])(?P<first>\d{1,2})(?P<slash>[/-])(?P<second>\d{1,2})(?P=slash)(?P<year7>(?:19|20)\d\d)(?![\d/-])",
    re.IGNORECASE,
)
_FORMS = 6
_WITHOUT_YEAR = re.compile(
    rf"\b(?P<day1>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: (?:of|de))? {_MONTH.format(n=1)}(?![\w-])"
    rf"|\b{_MONTH.format(n=2)} (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.-])"
    r"|(?P<month3>\d{1,2})月(?P<day3>\d{1,2})[日号]"
    r"|(?<![\d/])(?P<month4>\d{1,2})/(?P<day4>\d{1,2}) ?[(（][月火水木金土日]",
    re.IGNORECASE,
)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """Day as written from `start` to `end` of a text."""

    start: int
    end: int
    day: date


def days_in(text: str) -> Iterator[WrittenDay]:
    """Yield the full dates in a text, in order: 2026-02-11, 2026年2月11日, 11 February 2026, 11.02.2026, and
    the date in an id such as LRN-20260211-001."""
    for found in _DATES.finditer(text):
        if _is_version(found, text):
            continue
        try:
            yield WrittenDay(found.start(), found.end(), _day(found))
        except ValueError:
            continue


def names_day_after(text: str, day: date) -> bool:
    """Return True if a text names a day after this one, with its year or, later in the same year, without."""
    if any(each.day > day for each in days_in(text)):
        return True
    for found in _WITHOUT_YEAR.finditer(text):
        form = next(n for n in range(1, 5) if found[f"day{n}"])
        month = found[f"month{form}"].casefold().translate(_PLAIN)
        number = int(month) if month.isdigit() else _MONTHS.get(month, 0)
        if (number, int(found[f"day{form}"])) > (day.month, day.day):
            return True
    return False


def _day(found: re.Match[str]) -> date:
    """Return the day that a match gives. Raises ValueError if there is none."""
    if found["year7"]:
        return _with_slashes(int(found["first"]), int(found["second"]), int(found["year7"]))
    form = next(n for n in range(1, _FORMS + 1) if found[f"day{n}"])
    month = found[f"month{form}"].casefold().translate(_PLAIN)
    number = int(month) if month.isdigit() else _MONTHS.get(month, 0)
    return date(int(found[f"year{form}"]), number, int(found[f"day{form}"]))


def _with_slashes(first: int, second: int, year: int) -> date:
    """Return the day of 25/03/2026 or 03/25/2026. Raises ValueError for 02/03/2026: it is March or February."""
    if first != second and first <= _MONTHS["dec"] and second <= _MONTHS["dec"]:
        raise ValueError
    return date(year, min(first, second), max(first, second))


def _is_version(found: re.Match[str], text: str) -> bool:
    """Return True for a number with points whose parts are not padded, as programs count their versions: 2026.4.1.

    In Chinese and Japanese dates are written so too."""
    parts = found["month1"], found["day1"]
    return (
        found["joint"] == "."
        and any(len(part) == 1 for part in parts)
        and not _CJK.search(text[max(0, found.start() - 2) : found.end() + 3])
    )


def start_of(day: date) -> int:
    """Return the beginning of a day in UTC microseconds."""
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=UTC))


_PLACEHOLDERS = frozenset(entries("blanks", "placeholders"))
_BRACKETED = pattern("blanks", "bracketed", flags=0)
_PAIR = re.compile(r"^(?P<key>[^:：=]{1,60}?)\s*[:：=]\s*(?P<value>.*)$")
_DATE_ONLY = pattern("blanks", "date_only")
_FILED = pattern("blanks", "filed")
_LATEST = pattern("blanks", "latest")
_FILED_KEY = pattern("blanks", "filed_key")
_STATE_WORD = pattern("blanks", "state_word")
_GOES_ON = pattern("blanks", "goes_on")
_POINTER = pattern("blanks", "pointer", flags=0)
_TO_AGENT = pattern("blanks", "to_agent")
PART = pattern("blanks", "part")
"""Beginning of a line that gives the agent its part, `You are an expert in REST`."""
_OF_FILE = pattern("blanks", "of_file")
PLANS = pattern("blanks", "plans")
"""Headings over what is still to be done."""
_FILE_TELLS = pattern("blanks", "file_tells")
_REQUEST = pattern("blanks", "request")
_FINISHED = pattern("blanks", "finished")


def is_placeholder(words: str) -> bool:
    """Return True for a line, or a pair's value, that waits to be filled in."""
    pair = _PAIR.match(words)
    value = pair["value"] if pair else words
    return _is_blank(value) or _is_blank(words)


def _is_blank(value: str) -> bool:
    bare = value.strip(" *_`\"'“”.。")
    return not bare or bare.casefold() in _PLACEHOLDERS or _BRACKETED.match(bare) is not None


def is_bookkeeping(words: str) -> bool:
    """Return True for a line about the file or the entry only: a bare date, its update, its status."""
    if (
        _DATE_ONLY.match(words)
        or _GOES_ON.match(words)
        or _OF_FILE.match(words)
        or _FILE_TELLS.search(words)
        or _STATE_WORD.match(words)
    ):
        return True
    pair = _PAIR.match(words)
    if pair is None:
        return False
    key, value = pair["key"].strip(" *_"), pair["value"].strip(" *_")
    if _FILED.match(key):
        return _DATE_ONLY.match(value) is not None or (
            len(value.split()) <= 3 and _LATEST.match(key) is not None
        )
    return _FILED_KEY.match(key) is not None and _STATE_WORD.match(value) is not None


def is_entry_data(words: str) -> bool:
    """Return True for a pair of the kind that heads an entry of learnings: status, area, source."""
    pair = _PAIR.match(words)
    return pair is not None and _FILED_KEY.match(pair["key"].strip(" *_")) is not None


def points_elsewhere(body: str) -> bool:
    """Return True for a line that only names another file or page, with or without its description."""
    return _POINTER.match(body) is not None


def speaks_to_agent(words: str) -> bool:
    """Return True for a line that addresses the agent, as templates do, rather than stating a fact."""
    return _TO_AGENT.match(words) is not None


def is_request(words: str) -> bool:
    """Return True for a line that only records what was asked for."""
    return _REQUEST.match(words) is not None


def finished(words: str) -> str | None:
    """Return what a line records as done, None for a line that records no such thing."""
    found = _FINISHED.match(words)
    return words[found.end() :] or None if found else None


TERMINAL = (".", "!", "?", "。", "！", "？", "；", ";", ":", "：", "…")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_BOLD_ITEM = re.compile(r"(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)(?:\s*[(（][^()（）]*[)）])?")
"""Item that is in bold from end to end, but for a remark in brackets: a title of the items under it."""
_AFTER_STAMP = re.compile(
    r"(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?Z?[\])）*_`]*(?:\s*[-–—:：|,]+\s*|\s+(?!(?:is|was|to|and|or|bis"
    r"|a|until)\b|[-–—]?\s*\d)|$)"
)
_TIME = re.compile(
    r"^(?:\[\d{1,2}:\d\d(?::\d\d)?(?: ?UTC|Z)?\]\s*|(?:[01]?\d|2[0-3]):[0-5]\d(?::\d\d)?\s+(?![-–—]))"
)
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|#]{1,200})(?:#[^\[\]|]*)?(?:\|(?P<words>[^\[\]]+))?\]\]")
_TAG = re.compile(r"(?:^|(?<=\s))#(?P<name>[^\W\d][\w/-]*)")
_PICTOGRAM = re.compile("[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]+")
TO_DO = re.compile("[\u23f3\u231b\u2610\u2b1c\u2b1b\U0001f532\U0001f533\U0001f6a7\U0001f51c]\ufe0f?\\s*")
TICKED = re.compile("[\u2705\u2611\u2713\u2714]\ufe0f?\\s*")
_ORNAMENT = re.compile(rf"(?![\u274c\u2716\u2717\u2718\U0001f6ab\u26d4]){_PICTOGRAM.pattern}\s*")
"""Pictograms before the words of a line; one that negates them (a cross, no entry) is part of the statement."""
_SLANTED = re.compile(r"^_(?P<words>[^_\s][^_]{0,80}[:：])_(?=\s)")
"""Name of a value between low lines, `_Editor:_`."""


def without_pictograms(text: str) -> str:
    """Return a title without its pictograms."""
    return " ".join(_PICTOGRAM.sub(" ", text).split())


def unadorned(body: str) -> str:
    """Return a line without the pictograms before its words, and without the low lines around a value's name."""
    body = _SLANTED.sub(r"\g<words>", body)
    ornament = _ORNAMENT.match(body)
    return body[ornament.end() :] if ornament else body


def is_rule(line: str) -> bool:
    return "|" in line and "-" in line and _TABLE_RULE.match(line) is not None


def row_words(columns: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """Return a row as a statement about its first cell, in which the others are named by their columns.

    A second column of plain values needs no name: `Editor: Neovim`."""
    named = [
        (columns[n] if n < len(columns) else "", cell)
        for n, cell in enumerate(cells)
        if cell and not is_placeholder(cell)
    ]
    if not named or (len(named) == 1 and len(cells) > 1):
        return ""
    named.sort(key=lambda each: not normalised_words(each[1]))  # A column of stars or ticks names nothing.
    first, others = named[0][1], named[1:]
    if len(cells) == 2:
        return f"{first}: {others[0][1]}"
    parts = [f"{column}: {cell}" if column else cell for column, cell in others]
    return ", ".join((first, *parts))


def label_words(body: str) -> str | None:
    """Return the words of an item that only names the items under it, None if it states more."""
    plain = normalised_words(body)
    if plain.endswith((":", "：")):
        return plain
    if _BOLD_ITEM.fullmatch(body):
        return plain
    short = len(plain.split()) <= 3 and not plain.endswith(TERMINAL) and not re.search("[:：=]", plain)
    return plain if short and len(plain) <= 30 else None


def is_hint(body: str) -> bool:
    """Return True for a line that is in brackets or in italics from end to end: a remark on the file."""
    bare = body.strip()
    for opening, closing in (("(", ")"), ("（", "）"), ("[", "]"), ("_", "_"), ("*", "*"), ("<", ">")):
        inner = bare[1:-1]
        if len(bare) > 2 and bare[0] == opening and bare[-1] == closing and inner.strip():
            doubled = opening in "_*" and (inner[0] == opening or opening in inner.strip("_*"))
            return not doubled and closing not in inner.replace("\\" + closing, "")
    return False


def stamped(body: str) -> tuple[date | None, str]:
    """Return the date at the beginning of a line, and the text after it; a time in brackets is left out too."""
    bare = body.lstrip("*_`[(（ ")
    first = next(days_in(bare[:40]), None)
    after = _AFTER_STAMP.match(bare, first.end) if first is not None and not first.start else None
    if first is None or after is None or next(days_in(bare[after.end() : after.end() + 3]), None):
        time = _TIME.match(body)
        return None, body[time.end() :] if time else body
    return first.day, bare[after.end() :]


def linked(body: str) -> tuple[tuple[str, ...], str]:
    """Return the pages that a text names, and the text with their names in place of the links."""
    links = tuple(found["target"].strip() for found in _WIKI.finditer(body))
    return links, _WIKI.sub(lambda found: found["words"] or found["target"], body)


def tagged(body: str) -> tuple[str, tuple[str, ...]]:
    tags = tuple(found["name"] for found in _TAG.finditer(body))
    return (_TAG.sub("", body).strip(), tags) if tags else (body, ())
