"""Words of a question as those of a statement: "where do you live" becomes "I live"."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import section
from memdesk.engine.extraction.third_person import is_finite, singular


def parted(rest: str, aux: str) -> tuple[str | None, str]:
    """Return (subject, verb and its complement) of the words after "where do" or "how old is"."""
    words = rest.split()
    if not words:
        return None, ""
    first = words[0].lower()
    if first in ("it", "this", "that", "there", "there's", "they", "these", "those"):
        return None, ""
    size = 1
    if first in ("your", "the", "my", "our", "his", "her"):
        size = next(
            (
                at
                for at in range(2, len(words))
                if is_finite(words[at].lower()) or words[at].lower() in w.FUNCTION
            ),
            len(words),
        )
        size = min(size, 4) if len(words) > 4 else size
        if any(word.lower().startswith("favo") for word in words[:4]):
            words = re.split(r" (?:growing up|as a|when you|ever|of all|you)\b", " ".join(words))[0].split()
            size = len(words)
    elif words[0][0].isupper():
        size = next(
            (at for at in range(1, len(words)) if not (words[at][0].isupper() or words[at] == "and")),
            len(words),
        )
    return spoken(" ".join(words[:size])), spoken(" ".join(words[size:]))


_SWAP = {
    "you": "I",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "you're": "I'm",
    "you've": "I've",
    "you'll": "I'll",
}


def spoken(text: str) -> str:
    """Return words of the asker as the one who answers would use them: "your sister" becomes "my sister"."""
    return WORD.sub(lambda m: _SWAP.get(m.group().lower(), m.group()), text)


def be(subject: str, aux: str) -> str:
    if subject == "I":
        return "was" if aux in ("was", "were") else "am"
    return {"'s": "is", "'re": "are", "do": "is", "does": "is"}.get(aux, aux)


def agreed(subject: str, aux: str, verb: str) -> str:
    """Return subject and verb in the order of a statement: "did you meet" becomes "I met"."""
    if aux in ("do", "does", "did"):
        head, _, tail = verb.partition(" ")
        form = head if subject == "I" and aux != "did" else _past(head) if aux == "did" else singular(head)
        return f"{subject} {form} {tail}".strip()
    if aux in ("will", "can", "has", "have"):
        return f"{subject} {'have' if subject == 'I' and aux == 'has' else aux} {verb}".strip()
    return f"{subject} {be(subject, aux)} {verb}".strip()


_PAST = dict(pair.split("=") for pair in section("english", "irregular_pasts").split())


def _past(verb: str) -> str:
    small = verb.lower()
    if small in _PAST or small in w.SAME_PAST:
        return _PAST.get(small, small)
    if small.endswith("e"):
        return small + "d"
    return small[:-1] + "ied" if small.endswith("y") and small[-2:-1] not in "aeiou" else small + "ed"
