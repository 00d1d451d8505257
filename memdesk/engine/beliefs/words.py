"""Words of a claim: cut apart, in their normal form, and the mood they give a clause: what was so, and what is wished
or possible, are not what is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memdesk.engine.beliefs.lexicon import Lexicon, known_words, lexicon, shared, stem
from memdesk.engine.beliefs.values import MARK

LESS = "less_"
"""Beginning of a word for what is liked less than another."""
REMEMBERED = 8_192
"""Number of words or claims that are kept once read: an index update and a comparison read the same ones."""
TOKEN = re.compile(r"[^\s,;()\[\]\"“”„«»¿?¡!，。；、！？「」（）|*`]+")
_OWNED = re.compile(r"(\w)['’]s?\b")
_HAN = re.compile("[\u3400-\u9fff]")
_UNREAL = shared("unreal")
_WISHED = re.compile(r"\b(?:want|wish|hope|plan)(?:s|es|ed)? to\b|\b(?:i|we|you|they) plan\b")
_PAST, _WAS, _BE = shared("past"), shared("was"), shared("copulas")
_PAST_ENDINGS = tuple(shared("past_endings"))
_PRESENT_VERBS = ("eed", "eeds")
"""Endings of present verbs that look like past ones: need, feed."""
_PAST_VERBS = {"en": ("ed",), "de": ("te",), "es": ("aba", "aban", "ía", "ían", "ó"), "fr": ("ait", "aient")}


def is_unreal(text: str, words: Lexicon) -> bool:
    """Return True for what is only planned, wished or nearly so: "Bo plans to quit Shell"."""
    if words.spaced:
        return not _UNREAL.isdisjoint(text.split()) or _WISHED.search(text) is not None
    return any(word in text for word in _UNREAL if not word.isascii())


def moods(cut: Sequence[str], words: Lexicon, *, verbs: Sequence[str], finite: str) -> Iterator[str]:
    """Yield "past" for what was so, and "unreal" for what may be, is wished, or will be.

    cut: the words of a clause. verbs: those of them that are its verb."""
    text = (" " if words.spaced else "").join(cut)
    if is_unreal(text, words):
        yield "unreal"
    if _is_past(frozenset(cut), text, words, verbs, finite):
        yield "past"


def _is_past(cut: frozenset[str], text: str, words: Lexicon, verbs: Sequence[str], finite: str) -> bool:
    if cut & _PAST or (cut & _WAS and not verbs):
        return True
    if not words.spaced:
        return text.endswith(_PAST_ENDINGS)
    ended = any(
        verb.endswith(_PAST_VERBS[words.language]) and not verb.endswith(_PRESENT_VERBS) for verb in verbs
    )
    return finite not in _BE and (ended or "used to" in text)


def normal(word: str, words: Lexicon) -> str:
    """Return the normal form of a word: a value as it is, else the word of its meaning or its stem."""
    if word.startswith(LESS):
        return LESS + _root(word.removeprefix(LESS), words.language)
    return word if word.startswith(MARK) else _root(word, words.language)


@lru_cache(REMEMBERED)
def _root(word: str, language: str) -> str:
    canonical = lexicon(language).canonical
    known = canonical.get(word)
    if known is None:
        root = stem(word, language)
        known = canonical.get(root, root)
    return known


def cut_words(text: str, words: Lexicon) -> list[str]:
    """Return the words of a text in order, without punctuation and possessive endings."""
    if words.spaced:
        return [unowned(each.strip(".:'’-")) or each for each in TOKEN.findall(text) if each.strip(".:'’-—–")]
    return [word for each in TOKEN.findall(text) for word in _pieces(each, words)]


def unowned(word: str) -> str:
    """Return a word without its possessive ending."""
    return _OWNED.sub(r"\1", word) if "'" in word or "’" in word else word


def _inside_compound(run: str, place: int) -> bool:
    """Return True for a character with another Han character before or after it, as in 人事部."""
    around = run[max(0, place - 1) : place] + run[place + 1 : place + 2]
    return _HAN.match(run[place]) is not None and _HAN.search(around) is not None


def _pieces(run: str, words: Lexicon) -> Iterator[str]:
    """Yield the words of a run without spaces: the longest known ones, and what is between them."""
    if run.startswith(("§", MARK, LESS)) or run.isascii():
        yield run
        return
    known, longest = known_words(words.language)
    start = place = 0
    while place < len(run):
        sizes = range(min(longest, len(run) - place), 0, -1)
        size = next((n for n in sizes if run[place : place + n] in known), 0)
        if size == 1 and words.language == "ja" and _inside_compound(run, place):
            size = 0
        if size == 0:
            place += 1
            continue
        if start < place:
            yield run[start:place]
        yield run[place : place + size]
        start = place = place + size
    if start < len(run):
        yield run[start:]
