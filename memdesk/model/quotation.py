"""Write claims that quote a speaker, with the question that is answered, and tell them from other claims.

Only this module knows their form, so that a comparison of claims takes no "said" for a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

_EXCHANGE = re.compile(
    r"(?P<before>(?:[“「].+?[”」] – ){1,2})(?:[^“「]{1,60}[:：] ?)?[“「].+[”」]", re.DOTALL
)
_SAID = (
    re.compile(r".{1,60} said: “(?P<said>.+)”", re.DOTALL),
    re.compile(r".{1,40}说：“(?P<said>.+)”", re.DOTALL),
    re.compile(r".{1,40}は「(?P<said>.+)」と言った", re.DOTALL),
)
_PERSONAL = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|you|your|he|him|his|she|her|they|them|their|it|its|this|that)\b(?:'\w+)?"
    r"|[我你您咱他她它这那私俺僕君彼]|うち|あなた|それ|これ",
    re.IGNORECASE,
)


def quoting(tongue: str, said: str, *, speaker: str = "", before: Sequence[str] = ()) -> str:
    """Return a claim with these words, in the language zh, ja or en; with nothing else the words alone.

    before: what was said before and tells what they are about, at most two parts. It comes first, so that the end of a
    claim answers: “Who runs it?” – Ana: “Bo, since May.”"""
    opens, closes = ("「", "」") if tongue == "ja" else ("“", "”")
    quote = f"{opens}{said}{closes}"
    if before:
        name = f"{speaker}{': ' if tongue == 'en' else '：'}" if speaker else ""
        return "".join(f"{opens}{each}{closes} – " for each in before) + name + quote
    if not speaker:
        return said
    forms = {"zh": f"{speaker}说：{quote}", "ja": f"{speaker}は{quote}と言った"}
    return forms.get(tongue, f"{speaker} said: {quote}")


def answer_at(claim: str) -> int:
    """Return the place where the last words of a quoted exchange begin, with the name of their speaker; 0 if the claim
    quotes no exchange."""
    found = _EXCHANGE.fullmatch(claim)
    return found.end("before") if found else 0


def stated(claim: str) -> str:
    """Return what a claim states by itself: the words quoted, or the claim if it quotes nothing.

    "" for words that what was said before or their speaker gives their meaning: no other claim can be held against
    them."""
    if answer_at(claim):
        return ""
    for form in _SAID:
        found = form.fullmatch(claim)
        if found:
            return "" if _PERSONAL.search(found["said"]) else found["said"]
    return claim
