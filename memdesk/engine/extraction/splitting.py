"""Split an English sentence: where it begins and ends, and its clauses, without comments and names addressed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.third_person import is_finite

_STOP = re.compile(r"\s*[,.!:;~\-–—…]*\s*")
_OWN = w.SUBJECTS | w.POSSESSIVES
_GREETING = word_set("hey hi hello thanks thx congrats congratulations wow dear bye")
_PHRASE = re.compile(
    r"(?:by the way|you know(?: what)?|(?:on|in) (?:an?|that)"
    r" (?:different|other|separate|similar|related|brighter|lighter) (?:note|subject)"
    r"|speaking of(?: which)?(?=,)|i mean|to be honest|to be fair|guess what|in fact"
    r"|of course|for sure|for me"
    r"|no worries|long time no (?:see|talk|chat)|as for me|as you know|like i said|no way"
    r"|oh my (?:god|gosh|goodness|word)"
    r"|on another note|in other news|just so you know|quick (?:note|update)|one more thing|good (?:morning"
    r"|afternoon|evening|news)|as (?:always|usual)|all in all|on top of that"
    r"|at the end of the day|not gonna lie"
    r"|thank you(?: so much)?|thanks (?:a lot|so much|again)|for context|some context|for now|to clarify"
    r"|let me correct that|that's wrong|scratch that|no problem|besides that|before that|other than that"
    r"|apart from that|for example|for instance|aside from that|after that|since then|because of that"
    r"|with that said|that said"
    r"|that being said|since (?:we|our|the|i|you)\b[^,.]{0,24}?\b(?:talked|chatted|spoke|met"
    r"|chat|time|conversation"
    r"|saw you|seen you)(?: last)?|(?:that|it|this)(?:'?s| is| was| sounds)(?: \w+){1,4}(?=, (?:I|my|we|our)\b))"
    r"\b[,:!.\s-]*",
    re.IGNORECASE,
)
_LAST = re.compile(r"([,\s])\s*([A-Za-z']+(?: [A-Za-z']+)?)[\s,.!~]*$")
_TAGS = word_set(
    """
    too lol haha though btw man buddy right thanks dude bro guys huh eh yeah please as-well you-know
    thank-you of-course for-sure so-far cheers i-think i-guess
    """
)
_SEAM = re.compile(
    r"\s*(?:--+|—)\s*|\s[-–]\s+|(?<=[A-Za-z])-\s+|\s*\.\.+\s*|(?:,\s*(?:and|but|so|plus)\s+|\s+(?:and|but"
    r"|so)\s+)(?:(?:now|then|also|recently|today|luckily|unfortunately|instead|lately|eventually|finally)\s+)?"
    r"(?=(?:I|[Ww]e|[Mm]y|[Oo]ur|[Ii]m|[Ii]ve)(?:'\w+)?\s)|,\s+(?=(?:I|[Ww]e|[Ii]m|[Ii]ve)(?:'\w+)?\s)"
    r"|,\s+(?=(?:my|our) (?:[\w'-]+ ){1,2}(?:is|was|are|were|has|have|had|just|also|broke|got"
    r"|went|came|left|fell|lost|won|[a-z]+ed)\b)"
    r"|,?\s+(?:because|'cause|cause|cuz)\s+(?=(?:I|my|our|we)\b)|\s+when\s+(?=(?:my|our) )"
    r"|,\s+since\s+(?=I\b)|\s+now that\s+(?=I)"
)
_COMMENT = re.compile(
    r"(?:\s*,\s*(?:(?:and|but|so|plus)\s+)?|\s+(?:and|but|so)\s+)(?:it|that|this|they)(?:'s"
    r"|'re|'ll| was| were| is"
    r"| are| had| has| really| made| makes| felt| feels| helped| helps| gives| gave| means"
    r"| meant| went| looks"
    r"| turned| reminds| keeps| brought| loved| all)\b|(?:\s*,\s*(?:(?:and|but|so)\s+)?"
    r"|\s+(?:and|but|so)\s+)(?:he"
    r"|she)(?:'s| is| was)(?: so| really| very| doing| all| just| the)? (?:fine|ok|okay|great"
    r"|good|happy|adorable"
    r"|sweet|cute|amazing|awesome|well|better|best)\b|\s*,\s*(?:and |but |so )?(?:there's"
    r"|you(?:'d|'ll|'re| should"
    r"| would| can| know| will| might))\b|\s*,?\s+(?:if|in case|when(?:ever)?|whether) you\b"
    r"|,?\s+(?:(?:because|cause|since) )?(?:that'd|thatd|that'll|they're|they are|it's|it is|it was"
    r"|that's|thats|that was)(?: be)? (?:\w+ly |so |really"
    r" |pretty |super |very |kind of |such an? |the |an? )*(?:best|sick|cool|great|fun|awesome"
    r"|amazing|nice|good|crazy|weird"
    r"|funny|hard|tough|worst|adorable|cute|insane|wild|beautiful|delicious|perfect|hilarious|ridiculous)\b"
    r"|\s*,\s*(?:so|such|what|how|really|super|maybe|hopefully|so no|no wonder|ask|remind|tell|let me|let's|please"
    r"|by the way|which (?:was|is|made|makes|felt"
    r"|has been|means)|hope|can't wait|take a look|check|thanks|y'know)\b",
    re.IGNORECASE,
)
_STRETCHED = re.compile(r"(.)\1{2,}")
"""Letters written three times or more: "ohhhhh"."""
_LAUGHTER = re.compile(r"x+d+|a?(?:h+a+){2,}h*|a*h+a+h+|l+o+l+|e+w+|o+m+g+")
_DASH = re.compile("[-–—.]")
_LIST = re.compile(
    r"(?:(?:like|including|such as|mostly|especially) )?(?!(?:so|it|that|which|really|i|we|they"
    r"|you)\b)(?:[\w'-]+ ){0,4}[\w'-]+(?:, (?:[\w'-]+ ){0,4}[\w'-]+)*,? (?:and|or) "
    r"(?:[\w'-]+ ){0,4}[\w'-]+[.!]?$",
    re.IGNORECASE,
)
"""Items that a dash announces: "some time for myself - running, reading or the violin"."""
_SHORTEST_HEAD = 12


def opening(text: str, start: int, called: frozenset[str]) -> int:
    """Return the offset at which the sentence proper begins: after interjections, connectives and names
    addressed.

    called: names in lower case that may be addressed."""
    at, greeted = start, False
    while True:
        phrase = _PHRASE.match(text, at)
        if phrase:
            at = phrase.end()
            continue
        word = WORD.match(text, at)
        if not word:
            return _skip_marks(text, at)
        stop = _STOP.match(text, word.end())
        assert stop is not None
        small, marked = _STRETCHED.sub(r"\1\1", word.group().lower()), bool(stop.group().strip())
        if not _droppable(small, marked, greeted, called, text, stop.end()):
            return at
        greeted = small in _GREETING
        at = stop.end()


def _skip_marks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " ,.!:;-–—*_~…)]\"'":
        at += 1
    return at


def _droppable(
    small: str, marked: bool, greeted: bool, called: frozenset[str], text: str, after: int
) -> bool:
    if small in called:
        return marked or greeted
    if _LAUGHTER.fullmatch(small):
        return True
    if small not in w.OPENERS:
        return False
    if small not in w.COMMA_OPENERS or marked:
        return True
    following = WORD.match(text, after)
    return following is not None and following.group().lower() in _OWN


def closing(text: str, start: int, end: int, called: frozenset[str]) -> int:
    """Return the offset at which the sentence proper ends: before tags, laughter and names addressed."""
    while end > start:
        end = start + len(text[start:end].rstrip(" ,;:-–—~*_…!."))
        last = _LAST.search(text, max(start, end - 40), end)
        if not last:
            return end
        words = last.group(2).lower().split()
        if "-".join(words) in _TAGS or (last.group(1) == "," and words[-1] in called and len(words) == 1):
            end = last.start()
        elif words[-1] in _TAGS and len(words) == 2:
            end = last.start(2) + len(words[0])
        else:
            return end
    return end


def clauses(text: str, start: int, end: int, *, comments: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the offsets of clauses: split at dashes and before a new "I"; comments: also leave out those that
    state something of a thing."""
    for seam in _SEAM.finditer(text, start, end):
        if _DASH.search(seam.group()) and _announces(text[seam.end() : _tail(text, seam.end(), end)]):
            continue
        head = text[start : seam.start()]
        if _DASH.search(seam.group()) or _has_verb(head) or _SHORT_ANSWER.match(head):
            yield from _without_comment(text, start, seam.start(), comments=comments)
            start = seam.end()
    yield from _without_comment(text, start, end, comments=comments)


_SHORT_ANSWER = re.compile(
    r"(?:I|we) (?:can't|can|do|don't|did|didn't|know|will|won't|am|was|have|haven't|would"
    r"|wouldn't|love to|wish)$",
    re.IGNORECASE,
)


def _tail(text: str, start: int, end: int) -> int:
    """Return the offset of the dash that closes a list, or the end."""
    dash = _CLOSING_DASH.search(text, start, end)
    return dash.start() if dash else end


_CLOSING_DASH = re.compile(r"\s*(?:--+|—)\s*|\s[-–]\s+")


def _announces(tail: str) -> bool:
    return _LIST.match(tail) is not None and not any(
        is_finite(m.group().lower()) for m in WORD.finditer(tail)
    )


def _has_verb(head: str) -> bool:
    """Return True if the words before "and I" contain a verb, unlike "My sister and I"."""
    return len(head) >= _SHORTEST_HEAD and any(is_finite(m.group().lower()) for m in WORD.finditer(head))


_FACTUAL = re.compile(
    r",? (?:and|but) (?:it|they) (?:has|have|runs?|uses?|needs?|listens?|lives?|costs?|must"
    r"|is (?:on|in|at)|are (?:on|in|at))\b"
    r"|,? (?:and|but) (?:it|they)(?:'s|'re| is| are) (?:hosted|deployed|stored|written|built|running|based|mounted)\b",
    re.IGNORECASE,
)


def _without_comment(text: str, start: int, end: int, *, comments: bool) -> Iterator[tuple[int, int]]:
    comment = _COMMENT.search(text, start + _SHORTEST_HEAD, end)
    if comment and not comments and _FACTUAL.match(text, comment.start(), end):
        comment = None
    if comment:
        end = comment.start()
    if end > start:
        yield start, end
