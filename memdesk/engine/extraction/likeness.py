"""Content of a claim, independent of its wording: its informative words in order, and a flag for a denial.

Vectors of a small model do not distinguish "likes" from "dislikes" or 9:00 from 10:00; this module does, and
is used in addition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memdesk.engine.extraction.language import HAN, LATIN, WORD
from memdesk.engine.extraction.values import NUMBERS
from memdesk.engine.extraction.words import VERBS, word_set

REMEMBERED = 8_192
"""Number of claims whose content is cached: a job compares the same facts with one new claim after another."""
_EMPTY = word_set(
    """
    a an the is are am was were be been being has have had do does did will 's that just also really very
    actually currently now already so too currently still their his her its
    """
)
_DENIALS = word_set("not no never cannot nor neither without none nothing nobody")
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_STOPPED = re.compile(rf"\b(?:stopped|quit|gave up) (?P<doing>[{LATIN}]+ing)\b", re.IGNORECASE)
_STRESS = re.compile(
    r"\b(?:any ?(?:more|longer)|after all|at all|at the moment|at present|these days|right now|again)\b",
    re.IGNORECASE,
)
"""Phrases that add no content: "doesn't eat meat any more", "is not allergic after all"."""
_QUALIFIERS = word_set(
    "every each on in at with daily often sometimes usually for since during before after when"
)
_HAN_CHAR = re.compile(f"[{HAN}\u3040-\u30ff]")
_HAN_EMPTY = frozenset("的了着呢吧啊也都就很是")
_HAN_NO_DENIAL = re.compile(
    "不过|不仅|不但|不错|不同|不久|不断|没关系|特别|别人|别的|区别|级别|未来|非常|除非|无论|无锡"
)
_HAN_DENIAL = re.compile("不再|不|没有|没|未|别|无|禁止|从不|ない|ません|なかった")


@dataclass(frozen=True, slots=True)
class Content:
    """Informative words of a claim in order. denied: True for an odd number of denials among them."""

    words: tuple[str, ...]
    denied: bool


@lru_cache(REMEMBERED)
def content(claim: str) -> Content:
    """Return the content of a claim. Names, numbers, dates and their order remain; articles and auxiliaries
    do not."""
    told = _STOPPED.sub(lambda match: f"not {_plain(match['doing'])}", claim.replace("’", "'"))
    words, denials = _english(_STRESS.sub("", _NO_LONGER.sub(" not ", told)))
    characters, more = _han(claim)
    return Content((*words, *characters), (denials + more) % 2 == 1)


def same_content(one: str, other: str) -> bool:
    """Return True if two claims have the same words in the same order, and both or neither are denied."""
    return content(one) == content(other)


def denies(one: str, other: str) -> bool:
    """Return True if one claim is the denial of the other: "eats meat" and "doesn't eat meat".

    A denial also covers qualified forms: "doesn't drink coffee" denies "drinks coffee every morning"."""
    here, there = content(one), content(other)
    if here.denied == there.denied or not here.words:
        return False
    denied, held = (here, there) if here.denied else (there, here)
    rest = held.words[len(denied.words) :]
    return held.words[: len(denied.words)] == denied.words and (not rest or rest[0] in _QUALIFIERS)


def ends(claim: str) -> bool:
    """Return True for a claim that a past state has ended: "stopped playing the cello"."""
    return _STOPPED.search(claim) is not None


def _plain(doing: str) -> str:
    """Return the verb of an "-ing" form, if it is known: playing, making, running."""
    stem = doing.lower()[:-3]
    doubled = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return next((verb for verb in (stem, f"{stem}e", doubled) if verb in VERBS), doing)


def _english(text: str) -> tuple[list[str], int]:
    words: list[str] = []
    denials = 0
    for match in WORD.finditer(text):
        word = match.group().lower()
        if word in _DENIALS or word.endswith(("n't", "dont")):
            denials += 1
        elif word not in _EMPTY:
            words.append(base(word))
    return words, denials


def base(word: str) -> str:
    """Return a word without the s of a plural, a possessive or a third person, and number words as digits."""
    word = NUMBERS.get(word, word).removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    return (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    )


def _han(text: str) -> tuple[list[str], int]:
    counted = _HAN_NO_DENIAL.sub("", text)
    denials = len(_HAN_DENIAL.findall(counted))
    kept = _HAN_DENIAL.sub("", text) if denials else text
    return [char for char in _HAN_CHAR.findall(kept) if char not in _HAN_EMPTY], denials
