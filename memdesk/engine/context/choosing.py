"""Choice of what is told: each thing once, the richer of two texts that say the same. Pure.

A text repeats another if nearly all its content words are in it, and every number, name and negation: a fact and the
turn it was read from, or an answer that only says back what was said."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memdesk.engine.recall.query_words import ROLES, content_words

REPEATED = 0.75
"""Share of a text's content words that are in another text if it says nothing more."""
RICHER_AT_MOST = 4
"""Factor by which the richer of two texts may be longer and still take the place of the shorter one."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot)\b|n['’]t\b|[不没沒无無]|\b(?:nicht|kein\w*|nie)\b", re.IGNORECASE
)
_WORD = re.compile(r"(?P<begins>^\W*|[.!?:;]\s+[\"“'(]*)?(?P<word>[^\W_]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """Words of a text by which it is compared. firm: those of which none may be missing in a repetition.

    negated: it denies something."""

    words: frozenset[str]
    firm: frozenset[str]
    negated: bool

    def is_in(self, other: Gist) -> bool:
        """Return True if a text says nothing that the other does not."""
        if self.negated != other.negated or not self.firm <= other.words:
            return False
        return len(self.words & other.words) >= math.ceil(REPEATED * len(self.words))


def gist(text: str, *, answers: bool = False) -> Gist:
    """Return the words of a text by which it is compared. answers: it is an agent's answer, of whose sentences the
    first words are no names."""
    words = content_words(text) - ROLES
    firm = (
        found["word"].lower()
        for found in _WORD.finditer(text)
        if found["word"][0].isdigit()
        or (found["word"][0].isupper() and not (answers and found["begins"] is not None))
    )
    return Gist(words=words, firm=words & frozenset(firm), negated=_NEGATION.search(text) is not None)


def once(gists: Sequence[Gist], sizes: Sequence[int], told: Iterable[Gist] = ()) -> tuple[int, ...]:
    """Return the positions of the texts to tell, best first, each thing once; a text without content words is left out.

    Of two that say the same the richer one is told, in the place of the better one, unless it is much longer. sizes:
    of the texts. told: what is told already."""
    before, chosen = list(told), list[int]()
    for place, each in enumerate(gists):
        if not each.words or any(each.is_in(other) for other in before):
            continue
        if any(each.is_in(gists[other]) for other in chosen):
            continue
        poorer = [n for n, other in enumerate(chosen) if gists[other].is_in(each)]
        if poorer and sizes[place] <= RICHER_AT_MOST * sizes[chosen[poorer[0]]]:
            chosen[poorer[0]] = place
            for n in reversed(poorer[1:]):
                del chosen[n]
        else:
            chosen.append(place)
    return tuple(chosen)
