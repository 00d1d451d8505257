"""Comparison of names: case, width, punctuation, aliases, initials, typing errors. Pure."""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

NEARLY = 0.88
"""Share of common letters (difflib) from which two names may be one: Postgres and PostgreSQL have 0.89."""
LETTERS_AT_LEAST = 6
"""Fewest letters of a name that is only nearly the same as another: Anna and Hanna are two names."""
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_ENDS = 4
"""Letters at either end that nearly equal names usually share."""


@dataclass(frozen=True, kw_only=True)
class Names:
    """Names and type of an entity, for comparison."""

    name: str
    aliases: tuple[str, ...]
    type: str

    @cached_property
    def folded(self) -> str:
        return folded(self.name)

    @cached_property
    def all_folded(self) -> frozenset[str]:
        return frozenset(filter(None, map(folded, (self.name, *self.aliases))))

    @cached_property
    def words(self) -> list[str]:
        return _WORD.findall(_plain(self.name))

    @cached_property
    def digits(self) -> list[str]:
        return _DIGITS.findall(self.folded)

    @cached_property
    def initials(self) -> str:
        """First letters of a name of several words, "" for a single word."""
        return "".join(word[0] for word in self.words) if len(self.words) > 1 else ""

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys that this name shares with every name it could match."""
        found = {f"name {each}" for each in self.all_folded}
        found |= {f"begins {self.folded[:_ENDS]}", f"ends {self.folded[-_ENDS:]}"}
        found |= {f"word {word}" for word in self.words if len(word) > 2}
        return frozenset(found | {f"name {self.initials}"} if self.initials else found)


def alike(one: Names, other: Names) -> str | None:
    """Return the reason why two names may mean one thing, in words; None if there is none. Numbers must
    agree."""
    if one.folded == other.folded:
        return "the same name but for case, width or punctuation"
    if common := one.all_folded & other.all_folded:
        return f"both go by “{_as_written(min(common), one)}”"
    if one.digits != other.digits:
        return None
    for short, long in ((one, other), (other, one)):
        if _abbreviates(short, long):
            return f"“{short.name}” may be short for “{long.name}”"
    share = _likeness(one, other)
    return None if share is None else f"nearly the same name ({share:.2f})"


def folded(name: str) -> str:
    """Return a name in lower case, without spaces and punctuation, with compatibility forms replaced by
    ordinary ones."""
    return "".join(_WORD.findall(_plain(name))).replace("_", "")


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _as_written(form: str, names: Names) -> str:
    return next(each for each in (names.name, *names.aliases) if folded(each) == form)


def _abbreviates(short: Names, long: Names) -> bool:
    """Return True if the short name is an acronym of the long one ("UN"), or has words cut to initials ("M.
    Lindqvist")."""
    if len(short.folded) > 1 and short.folded == long.initials and short.name.isupper():
        return True
    cut, whole = short.words, long.words
    if len(cut) != len(whole) or len(cut) < 2 or short.type != long.type:
        return False
    pairs = list(zip(cut, whole, strict=True))
    return all(a == b or (len(a) == 1 and b.startswith(a)) for a, b in pairs) and any(
        a == b for a, b in pairs
    )


def _likeness(one: Names, other: Names) -> float | None:
    """Return the share of common letters of two nearly equal names of one type, None if they differ more."""
    if one.type != other.type or min(len(one.folded), len(other.folded)) < LETTERS_AT_LEAST:
        return None
    matcher = difflib.SequenceMatcher(None, one.folded, other.folded, autojunk=False)
    if matcher.real_quick_ratio() < NEARLY or matcher.quick_ratio() < NEARLY:
        return None
    share = matcher.ratio()
    return share if share >= NEARLY else None
