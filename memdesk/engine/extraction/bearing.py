"""Check that a quote carries a claim: its names, its numbers, its denial and most of its words.

It is a check by words, for claims that a model wrote: a true quote next to another claim proves nothing."""

from __future__ import annotations

import re
from collections.abc import Collection

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.normal_forms import content
from memdesk.engine.extraction.times import has_time

_STEM = 4
"""Letters that two forms of a word share: works, worked, working."""
_CARRIED = 0.5
"""Least share of the claim's other words that must be in the quote or in the turn it answers."""
_SHORT = 4
"""Words up to which a quote is an answer, whose question may carry the claim's words."""
_DATE = re.compile(
    r"\b(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)(?: \d{1,2})?(?:,? \d{4})?\b"
    r"|\b\d{4}-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b"
)
_POINTS = re.compile(
    r"\b(?:he|she|they|him|her|his|them|their|it|its|this|that|there)\b|[他她它]", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,.;!?，。；！？]|\b(?:but|and|because)\b")


def carries(quote: str, claim: str, *, before: str, spoken: str, speakers: Collection[str]) -> bool:
    """Return True if the quote bears the claim.

    before: the turn that the quote answers. spoken: all turns shown. speakers: names that "I" and "you" stand for."""
    plain = _DATE.sub(" ", claim) if has_time(quote) or _DATE.search(quote) else claim
    known = {part.casefold() for name in speakers for part in name.split()}
    said, asked = _stems(quote), _stems(before)
    answer = len(WORD.findall(quote)) <= _SHORT
    around = said | asked if answer else said
    if any(number not in _numbers(quote) | _numbers(before) for number in _numbers(plain)):
        return False
    names = {m.group().removesuffix("'s").casefold() for m in re.finditer(r"\b[A-Z][\w'-]+", plain)} - known
    first = WORD.match(plain)
    if first and first.group().casefold() in w.FUNCTION:
        names.discard(first.group().casefold())
    pointing = answer or _POINTS.search(quote) is not None
    text = quote.casefold()
    if any(name not in text and not (pointing and name in spoken.casefold()) for name in names):
        return False
    rest = [
        word
        for word in content(plain).words
        if word not in names | known | w.FUNCTION and not _is_number(word)
    ]
    carried = sum(_stem(word) in around for word in rest)
    return carried >= _CARRIED * len(rest) and _agrees(quote, claim)


def _agrees(quote: str, claim: str) -> bool:
    """Return True if claim and quote, or the clause of it nearest to the claim, are both denied or neither."""
    denied = content(claim).denied
    if content(quote).denied == denied:
        return True
    clauses = [part for part in _CLAUSE.split(quote) if part.strip()]
    nearest = max(clauses, key=lambda part: len(_stems(part) & _stems(claim)), default=quote)
    return content(nearest).denied == denied


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in content(text).words}


def _stem(word: str) -> str:
    return word[:_STEM] if word.isascii() else word


def _is_number(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _numbers(text: str) -> set[str]:
    return {word for word in content(text).words if _is_number(word)}
