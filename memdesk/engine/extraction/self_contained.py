"""Signs that an English claim cannot be understood alone: it points outside itself, breaks off, or passes."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.lexicon import pattern, words
from memdesk.engine.extraction.third_person import is_finite, is_past

RESOLVED = re.compile(r" \([^()]*\b(?:19|20)\d\d\)")
"""Date that represents a relative time: "yesterday (7 May 2023)"."""
_POINTED = pattern("self_contained", "pointed", flags=0)
_TIMES = (
    r"(?:week|weekend|month|year|summer|winter|spring|autumn|fall|morning|evening|afternoon"
    r"|season|time|day|\w+day)\b"
)
_OUTSIDE = re.compile(
    rf"\b(?:this|(?<!all )these|(?<!all )those|(?:at|in|on|to|for|from|with|of|about|off|by"
    rf"|into|made|painted|bought|got|love|loves|like|likes|took|went) that)"
    rf" (?!{_TIMES}|(?:is|was|are|were)\b)[\w'-]+",
    re.IGNORECASE,
)
_POINTING = pattern("self_contained", "pointing", flags=0)
_THAT = pattern("self_contained", "that", flags=0)
_COMPLEMENTISERS = words("self_contained", "complementisers")
_LAST_CHAT = pattern("self_contained", "last_chat", flags=0)
_MOMENTARY = pattern("self_contained", "momentary")
_HEARSAY = pattern("self_contained", "hearsay")
_ELLIPTIC = pattern("self_contained", "elliptic")
"""Activity whose object another turn names, and comparison with it."""
_INTRODUCED = re.compile(r"\b(?:named|called)\b|[,\"']\s*[A-Z]")
_LAST = pattern("self_contained", "last")
_UNFIT = pattern("self_contained", "unfit")
"""Words that need a complement: "allergic" to what?"""
_BARE = re.compile(r"[A-Z]\w+ (?:is|are) [A-Z]\w+")


def points_outside(claim: str) -> bool:
    """Return True for "this bowl" and for a claim that breaks off: what is meant was seen or said elsewhere."""
    text = claim
    if _LAST.search(RESOLVED.sub("", claim)):
        return True
    if _POINTED.search(text) or _POINTING.search(text) or _LAST_CHAT.search(text):
        return True
    for pointed in _THAT.finditer(text):
        before, after = pointed["before"].lower(), pointed["after"]
        shown = is_past(before) or before.endswith("ing") or before in w.VERBS or before in w.SAME_PAST
        if (
            shown
            and before not in _COMPLEMENTISERS
            and not is_finite(after)
            and after not in w.FUNCTION
            and after not in w.VAGUE
        ):
            return True
    match = _OUTSIDE.search(text)
    return match is not None and not _INTRODUCED.search(text, match.end())


def is_passing(claim: str) -> bool:
    """Return True for a momentary statement, and for reported speech."""
    return _MOMENTARY.search(claim) is not None or _HEARSAY.search(claim) is not None


ASIDE = re.compile(
    r"^(?:At|In|On|During|After|Before|With|For) (?:the|that|this|those|these) (?![^,]*[A-Z])[^,]{2,40}, "
)
"""Place or time named by another sentence: "At the event, …"."""
_HERE = pattern("self_contained", "here")
_NO_SUBJECT = pattern("self_contained", "no_subject", flags=0)
"""Fragment, or a reply that goes on: "Probably running club and …"."""
_QUOTING = pattern("self_contained", "quoting", flags=0)
"""Words that report speech of a scene, as in "was like no way"."""
_OF_WHAT = re.compile(r"^[A-Z][\w-]+'s (?:favou?rites?|faves?|top pick) (?:is|are|was|were)\b")
_DROPPED = pattern("self_contained", "dropped", flags=0)
"""Plan that did not come to be: "was going to fly"."""
_BROKEN = pattern("self_contained", "broken")
"""Two verbs without a joint, a word twice: the sentence was mistyped, or retelling it went wrong."""


_SUPPOSED = pattern("self_contained", "supposed", flags=0)
"""Act that did not take place: "would buy an island"."""
_NOUN_LEFT_OUT = pattern("self_contained", "noun_left_out")
"""Object that another turn names: "has three", "liked the one about trains", "had to do that"."""
_OF_THE_MOMENT = pattern("self_contained", "of_the_moment", flags=0)
"""Act that is over in an hour, without its day."""
_SIMILE = pattern("self_contained", "simile", flags=0)
_DANGLING = pattern("self_contained", "dangling", flags=0)
"""Opening that leans on the sentence before it."""


_HOLLOW_OBJECT = pattern("self_contained", "hollow_object", flags=0)
"""Act with an object that could be any: "went to a place", "is a huge fan"."""


_LEFT_OVER = pattern("self_contained", "left_over", flags=0)
"""Number, "theirs" or auxiliary whose noun or verb another turn has: "has 2 left", "hasn't either"."""
_UNSURE = pattern("self_contained", "unsure", flags=0)
"""Doubt, notice or courtesy of the conversation itself."""


def is_self_contained(claim: str) -> bool:
    """Return False for a claim that points outside itself, lacks a complement, or is true for a moment only."""
    return not (
        "[" in claim  # a template's placeholder: "I'm [name]"
        or _LEFT_OVER.search(claim)
        or _UNSURE.search(claim)
        or points_outside(claim)
        or _ELLIPTIC.search(RESOLVED.sub("", claim))
        or is_passing(claim)
        or _UNFIT.search(claim)
        or _BARE.fullmatch(claim)
        or ASIDE.match(claim)
        or _HERE.search(claim)
        or _OF_WHAT.match(claim)
        or _NO_SUBJECT.match(claim)
        or _QUOTING.search(claim)
        or _BROKEN.search(claim)
        or _DROPPED.search(claim)
        or _HOLLOW_OBJECT.search(claim)
        or _SUPPOSED.search(claim)
        or _NOUN_LEFT_OUT.search(claim)
        or _OF_THE_MOMENT.search(claim)
        or _SIMILE.search(claim)
        or _DANGLING.match(claim)
    )
