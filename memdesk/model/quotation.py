"""Claims that quote: what somebody said in their own words, with the question it answers.

They are written and read here alone, so that a comparison of claims takes no "said" for a statement."""

from __future__ import annotations

import re

_FORMS = (
    re.compile(r"(?:Asked “(?P<question>.+?)”, )?(?:.{1,60} said|the answer was): “(?P<said>.+)”", re.DOTALL),
    re.compile(r"(?:被问“(?P<question>.+?)”，)?(?:.{1,40}说|答)：“(?P<said>.+)”", re.DOTALL),
    re.compile(
        r"(?:「(?P<question>.+?)」と聞かれて、)?(?:.{1,40}は|答えは)「(?P<said>.+)」(?:と言った)?", re.DOTALL
    ),
)
_PERSONAL = re.compile(
    r"\b(?:I|me|my|mine|we|us|our|you|your|he|him|his|she|her|they|them|their|it|its|this|that)\b(?:'\w+)?"
    r"|[我你您咱他她它这那私俺僕君彼]|うち|あなた|それ|これ",
    re.IGNORECASE,
)


def quoting(tongue: str, said: str, *, speaker: str = "", question: str = "") -> str:
    """Return a claim with these words, in the language zh, ja or en; without speaker and question the words alone."""
    if not speaker and not question:
        return said
    match tongue:
        case "zh":
            asked, told = f"被问“{question}”，", f"{speaker}说：“{said}”" if speaker else f"答：“{said}”"
        case "ja":
            asked = f"「{question}」と聞かれて、"
            told = f"{speaker}は「{said}」と言った" if speaker else f"答えは「{said}」"
        case _:
            asked = f"Asked “{question}”, "
            told = f"{speaker} said: “{said}”" if speaker else f"the answer was: “{said}”"
    return f"{asked if question else ''}{told}"


def stated(claim: str) -> str:
    """Return what a claim states by itself: the words quoted, or the claim if it quotes nothing.

    "" for words that their question or their speaker gives their meaning: no other claim can be held against them."""
    for form in _FORMS:
        found = form.fullmatch(claim)
        if found:
            return "" if found["question"] or _PERSONAL.search(found["said"]) else found["said"]
    return claim
