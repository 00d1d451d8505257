"""Tokens of an English sentence for finding names: capitals, joins and positions."""

from __future__ import annotations

import re

from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.words import word_set

_ADDRESS = re.compile(r"\b(?:https?|ftp|file)://\S+|\bwww\.\S+")
_OPENING = "\"'([{*-–—:/|>#•"
_MONTHS_AND_NAMES = word_set("april june jan jun")
_BEFORE_MONTHS = word_set(
    """
    in by until since of early late mid next last this on before after from during every
    """
)


class Token:
    """Word with the features of its spelling.

    joined: only a space separates it from the word before. opens: its capital is the one at the start of a
    sentence."""

    __slots__ = ("bare", "capital", "joined", "opens", "possessive", "small", "start")

    def __init__(self, text: str, start: int, *, joined: bool) -> None:
        self.start = start
        self.joined = joined
        self.possessive = text.endswith(("'s", "'S"))
        self.bare = text[:-2] if self.possessive else text
        self.small = self.bare.lower()
        self.opens = False
        self.capital = self.bare != self.small and "@" not in text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def tokenised(text: str) -> list[Token]:
    """Return the words of a sentence in order, without web addresses."""
    text = _ADDRESS.sub(_blank, text) if "://" in text or "www." in text else text
    found: list[Token] = []
    end = -1
    for match in WORD.finditer(text):
        joined = end >= 0 and text[end : match.start()] in (" ", " & ")
        token = Token(match.group(), match.start(), joined=joined)
        token.opens = token.capital and _opens(text, token.start)
        found.append(token)
        end = match.end()
    for at, token in enumerate(found):
        if token.small in _MONTHS_AND_NAMES and _is_month(found, at):
            token.capital = False
    return found


def _is_month(tokens: list[Token], at: int) -> bool:
    """Return True for June in "in June" and "12 June", False for a person called June."""
    before = tokens[at - 1].small if at else ""
    after = tokens[at + 1].small if at + 1 < len(tokens) else ""
    return before in _BEFORE_MONTHS or before.isdigit() or after[:1].isdigit()


def _opens(text: str, start: int) -> bool:
    """Return True at the start of a sentence, a quotation or a line, where any word has a capital."""
    before = text[start - 3 if start > 3 else 0 : start].rstrip(" ")[-1:]
    return not before or before in _OPENING
