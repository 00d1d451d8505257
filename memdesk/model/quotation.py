"""Write claims that quote a speaker, with the turns before, and recognise such claims.

Only this module knows their form, so that a comparison of claims takes no "said" for a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = r"(?:[^“「”」\n]{1,60}[:：] ?)?"
"""Name of a speaker before their words, if known."""
_OPENING = re.compile(rf"{_NAME}[“「]")
_NAMED = re.compile(rf"^(?:… )?{_NAME}(?=[“「])")
_NEXT = re.compile(rf"(?<=[”」]) (?:– (?={_NAME}[“「])|(?=… {_NAME}[“「]))")
"""Break between two turns: – if one follows the other, … if others came between them."""
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


def quoting(
    tongue: str, said: str, *, speaker: str = "", before: Sequence[tuple[str, str]] = (), gap: int = 0
) -> str:
    """Return a claim with these words, in the language zh, ja or en; with nothing else the words alone.

    speaker: their speaker, "" if unknown. before: speakers and words of the turns before, which give them a meaning.
    They come first, so that the end of a claim answers: Ana: “Who runs it?” – Bo: “Jun, since May.”
    gap: how many of the turns are said before others that are left out, 0 if none are."""
    opens, closes = ("「", "」") if tongue == "ja" else ("“", "”")
    if before:
        colon = ": " if tongue == "en" else "："
        parts = [
            f"{who}{colon if who else ''}{opens}{words}{closes}" for who, words in (*before, (speaker, said))
        ]
        runs = (parts[:gap], parts[gap:]) if gap else (parts,)
        return " … ".join(" – ".join(run) for run in runs)
    if not speaker:
        return said
    quote = f"{opens}{said}{closes}"
    forms = {"zh": f"{speaker}说：{quote}", "ja": f"{speaker}は{quote}と言った"}
    return forms.get(tongue, f"{speaker} said: {quote}")


def turns_of(claim: str) -> list[str]:
    """Return the turns of a quoted exchange, each with its speaker if known; the claim alone if it quotes none.

    One before which others were left out begins with "… "."""
    if not claim.endswith(("”", "」")) or not _OPENING.match(claim):
        return [claim]
    return _NEXT.split(claim)


def answer_at(claim: str) -> int:
    """Return the place where the last turn of a quoted exchange begins; 0 if the claim quotes no exchange."""
    *before, last = turns_of(claim)
    return len(claim) - len(last.removeprefix("… ")) if before else 0


def without_other_names(claim: str) -> str:
    """Return a claim without the speakers before the last one of an exchange: it is not about them."""
    *before, last = turns_of(claim)
    return " – ".join([*(_NAMED.sub("", turn, count=1) for turn in before), last])


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
