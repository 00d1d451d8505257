"""Lines of a file compared by their words: differences between two texts, and a line rewritten, removed or
brought back.

Pure, so that every case can be tested with two texts. A line is recognised by its normalised words, wherever
it is in the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

from memdesk.engine.extraction.notes import cleaned
from memdesk.files.manner import plain
from memdesk.files.merge import lines_of, merge, opcodes

ALIKE = 0.5
"""Share of equal characters above which a line in the place of another counts as the same one, edited."""
COMPARED_AT_MOST = 2_500
"""Limit of line pairs compared within one replaced stretch; above it no line counts as edited."""
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_BEFORE_WORDS = re.compile(r"\s*(?:#{1,6}\s+|(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Differences between two texts by their lines' words. gone, fresh: words with their first line numbers,
    from 1.

    became: the new words of each removed line that was edited."""

    gone: dict[str, int]
    fresh: dict[str, int]
    became: dict[str, str]


def said(line: str) -> str:
    """Return the words of a line without indentation, bullet and emphasis; "" for a line without a letter or
    digit."""
    bullet = _BULLET.match(line)
    told = cleaned(line[bullet.end() :] if bullet else line)
    return told if any(letter.isalnum() for letter in told) else ""


def standing(text: str) -> dict[str, tuple[int, ...]]:
    """Return the words of each line of a text, with the numbers of the lines that have them."""
    found: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(lines_of(plain(text)), 1):
        if words := said(line):
            found[words] = (*found.get(words, ()), number)
    return found


def moves(before: str, after: str) -> Moves:
    """Return the differences between two texts. A line that only moved is neither gone nor fresh."""
    was, now = standing(before), standing(after)
    gone = {words: numbers[0] for words, numbers in was.items() if words not in now}
    fresh = {words: numbers[0] for words, numbers in now.items() if words not in was}
    return Moves(
        gone=gone,
        fresh=fresh,
        became=_became(lines_of(plain(before)), lines_of(plain(after)), gone, fresh)
        if gone and fresh
        else {},
    )


def rewritten(line: str, was: str, now: str) -> str:
    """Return the line with `now` in place of `was`; a line without `was` gets `now` after its indentation and
    bullet."""
    if was in line or was == now:
        return line.replace(was, now, 1)
    found = _BEFORE_WORDS.match(line)
    return (found.group() if found else "") + now


def exchanged(text: str, words: frozenset[str], change: Callable[[str], str | None]) -> str:
    """Return a plain text with each line that has one of these words changed, or left out where `change`
    returns None."""
    told = ((change(line) if said(line) in words else line) for line in lines_of(plain(text)))
    return "\n".join(line for line in told if line is not None)


def brought_back(text: str, version: str, number: int, line: str) -> str:
    """Return a plain text with a line at its place in an earlier version; at the end, where that place is not
    found.

    number: the line's number in that version, from 1, in any wording."""
    there = lines_of(plain(version))
    words = frozenset({said(there[number - 1])} if 0 < number <= len(there) else ())
    without, within = exchanged(version, words, lambda _: None), exchanged(version, words, lambda _: line)
    both = merge(without, within, plain(text))
    if not both.clashes and said(line) in standing(both.text):
        return both.text
    told = plain(text)
    return told + ("" if not told or told.endswith("\n") else "\n") + line + "\n"


def _became(
    before: list[str], after: list[str], gone: dict[str, int], fresh: dict[str, int]
) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for tag, a, b, x, y in opcodes(before, after):
        if tag != "replace":
            continue
        old = [words for words, number in gone.items() if a < number <= b]
        new = [words for words, number in fresh.items() if x < number <= y]
        if len(old) * len(new) <= COMPARED_AT_MOST:
            pairs |= _paired(old, new)
    return pairs


def _paired(old: list[str], new: list[str]) -> dict[str, str]:
    """Return each old line with the new one most like it; the most similar pairs are chosen first."""
    ratios = sorted(
        ((SequenceMatcher(None, one, other, autojunk=False).ratio(), one, other) for one in old for other in new),
        key=lambda each: -each[0],
    )  # fmt: skip
    pairs: dict[str, str] = {}
    for ratio, one, other in ratios:
        if ratio >= ALIKE and one not in pairs and other not in pairs.values():
            pairs[one] = other
    return pairs
