"""Lexicons: words and patterns that the rules of extraction read, one text file a language or a kind of rule, to be
corrected by hand.

A file has sections, each a name in brackets on its own line and words or alternatives of a pattern after it; " # "
begins a comment. A line that is indented continues the line before it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text separated by white space."""
    return frozenset(words.split())


@cache
def _sections(language: str) -> dict[str, list[str]]:
    """Return the lines of each section."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in (_FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        text = line.split(" # ")[0].rstrip()
        if text.startswith("[") and text.endswith("]"):
            name = text[1:-1]
            found[name] = []
        elif text and not text.startswith("# "):
            found[name].append(text)
    return found


def section(language: str, name: str) -> str:
    """Return the text of one section of a language's lexicon, on one line."""
    return " ".join(line.strip() for line in _sections(language)[name])


def words(language: str, name: str) -> frozenset[str]:
    """Return the words of one section of a language's lexicon."""
    return word_set(section(language, name))


def entries(language: str, name: str) -> list[str]:
    """Return the entries of one section, which semicolons separate."""
    return section(language, name).strip("; ").split("; ")


def pairs(language: str, name: str) -> dict[str, str]:
    """Return the words of one section, each `go=went`, by the first of its two."""
    return dict(pair.split("=") for pair in section(language, name).split())


def pattern(language: str, name: str, *, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Return the regular expression whose alternatives are the lines of one section."""
    lines = (line if line.startswith(" ") else f"|{line}" for line in _sections(language)[name])
    return re.compile("".join(line.strip() for line in lines).removeprefix("|"), flags)


def phrases(language: str, name: str) -> str:
    """Return a regular expression of the phrases of one section, which commas separate: complete words of languages
    with spaces, signs of Chinese and Japanese."""
    listed = [each for each in re.split(r",\s|,$", section(language, name)) if each.strip()]
    spaced = "|".join(each.strip() for each in listed if not _UNSPACED.search(each))
    others = [each.strip() for each in listed if _UNSPACED.search(each)]
    return "|".join([rf"(?<!\w)(?:{spaced})(?!\w)"] * bool(spaced) + others)


def numbers(language: str, name: str) -> dict[str, float]:
    """Return the numbers of one section of a lexicon by the word before each."""
    pairs = section(language, name).split()
    return {word: float(number) for word, number in zip(pairs[::2], pairs[1::2], strict=True)}
