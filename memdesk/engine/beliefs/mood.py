"""Mood of a clause: what was so, and what is wished or possible, are not what is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memdesk.engine.beliefs.lexicon import Lexicon, shared

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
