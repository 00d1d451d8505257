"""Words of one line of a file: its date, tags and links taken off, a row of a table as a statement."""

from __future__ import annotations

import re
from datetime import date

from memdesk.engine.memory.line_links import normalised_words
from memdesk.engine.workspace.blanks import is_placeholder
from memdesk.engine.workspace.dates import days_in

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
