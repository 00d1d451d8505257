"""Split an English sentence: where it begins and ends, and its clauses, without comments and names addressed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import pattern, word_set, words
from memdesk.engine.extraction.third_person import is_finite

_STOP = re.compile(r"\s*[,.!:;~\-–—…]*\s*")
_OWN = w.SUBJECTS | w.POSSESSIVES
_GREETING = word_set("hey hi hello thanks thx congrats congratulations wow dear bye")
_PHRASE = pattern("splitting", "phrase")
_LAST = re.compile(r"([,\s])\s*([A-Za-z']+(?: [A-Za-z']+)?)[\s,.!~]*$")
_TAGS = words("splitting", "tags")
_SEAM = pattern("splitting", "seam", flags=0)
_COMMENT = pattern("splitting", "comment")
_STRETCHED = re.compile(r"(.)\1{2,}")
"""Letters written three times or more: "ohhhhh"."""
_LAUGHTER = re.compile(r"x+d+|a?(?:h+a+){2,}h*|a*h+a+h+|l+o+l+|e+w+|o+m+g+")
_DASH = re.compile("[-–—.]")
_LIST = pattern("splitting", "list")
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


_SHORT_ANSWER = pattern("splitting", "short_answer")


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


_FACTUAL = pattern("splitting", "factual")


def _without_comment(text: str, start: int, end: int, *, comments: bool) -> Iterator[tuple[int, int]]:
    comment = _COMMENT.search(text, start + _SHORTEST_HEAD, end)
    if comment and not comments and _FACTUAL.match(text, comment.start(), end):
        comment = None
    if comment:
        end = comment.start()
    if end > start:
        yield start, end
