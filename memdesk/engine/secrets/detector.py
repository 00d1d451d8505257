"""Detection of secrets in a text: formats with a known shape, and values that the words before them call a secret.

A text is first searched for the literals of each rule; only a rule with a literal in the text is tried."""

from __future__ import annotations

import math
import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from memdesk.engine.secrets.credentials import is_placeholder, named_secrets
from memdesk.engine.secrets.found import PLACEHOLDER, Found

RULES_NAME = "1"
"""Version of the rules: a desk is searched again for stored secrets when it changes."""
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_GITHUB_CHECK = 6
"""Last characters of a token of GitHub: the CRC-32 of those before them, in base 62."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Format of a secret. random: the least entropy in bits a character; needs: a word that the text must have.

    anywhere: it may be short or have spaces; other formats are looked for only in a text with a long word."""

    kind: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    random: float
    check: str
    needs: str
    anywhere: bool

    def found(self, text: str) -> Iterator[Found]:
        for match in self.pattern.finditer(text):
            group = "secret" if "secret" in self.pattern.groupindex else 0
            value = match[group]
            if _CHECKS[self.check](value) or (
                self.check != "userinfo" and entropy(value) >= self.random and not is_placeholder(value)
            ):
                yield Found(*match.span(group), self.kind)


def find(text: str) -> list[Found]:
    """Return the secrets of a text in their order. Of two that overlap, the earlier and longer one is returned."""
    short, long = _rules()
    found = [each for rule in short if _may_have(rule, text) for each in rule.found(text)]
    if words := _LONG.findall(text):
        joined = " ".join(words)
        found += [each for rule in long if _may_have(rule, joined) for each in rule.found(text)]
    found += named_secrets(text)
    if not found:
        return []
    found = [*found, *_repeated(text, found)]
    taken = [match.span() for match in PLACEHOLDER.finditer(text)] + [
        match.span() for match in _IMAGE.finditer(text)
    ]
    kept: list[Found] = []
    for each in sorted(found, key=lambda found: (found.start, -found.end)):
        if all(each.end <= start or each.start >= end for start, end in taken):
            kept.append(each)
            taken.append((each.start, each.end))
    return kept


def _repeated(text: str, found: list[Found]) -> Iterator[Found]:
    """Yield the other places of secrets that were found: a password that is called one once may be there twice."""
    for each in found:
        value = text[each.start : each.end]
        if len(value) >= REPEATED_CHARACTERS and text.count(value) > 1:
            places = re.finditer(re.escape(value), text)
            yield from (Found(*place.span(), each.kind) for place in places)


def entropy(text: str) -> float:
    """Return the entropy of a text's characters, in bits a character (Shannon)."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def has_github_check(token: str) -> bool:
    """Return True if a token ends with the check digits that GitHub gives its tokens."""
    body, check = token.partition("_")[2][:-_GITHUB_CHECK], token[-_GITHUB_CHECK:]
    left, digits = zlib.crc32(body.encode()), ""
    for _ in range(_GITHUB_CHECK):
        left, rest = divmod(left, 62)
        digits = _BASE62[rest] + digits
    return digits == check


REPEATED_CHARACTERS = 6
"""Least length of a secret whose other places in the text are hidden too."""
_LONG = re.compile(r"[!-~]{16,}")
_IMAGE = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=]+")


def _is_userinfo(password: str) -> bool:
    """Return True if the password of an address is one, not its name."""
    return not (
        is_placeholder(password)
        or password.startswith(("$", "%", ":"))
        or (password.isupper() and password.isalpha())
    )


_CHECKS: dict[str, Callable[[str], bool]] = {
    "": lambda _: False,
    "always": lambda _: True,
    "github": has_github_check,
    "userinfo": _is_userinfo,
}


def _may_have(rule: Rule, text: str) -> bool:
    for literal in rule.literals:
        if literal in text:
            return not rule.needs or rule.needs in text.casefold()
    return False


@cache
def _rules() -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Return (rules for any text, rules for a text with a long word)."""
    raw = tomllib.loads((resources.files(__package__) / "rules.toml").read_text("utf-8"))
    rules = [
        Rule(
            kind=each["kind"],
            literals=tuple(each["literals"]),
            pattern=re.compile(each["pattern"], re.DOTALL | re.ASCII),
            random=each.get("random", 0.0),
            check=each.get("check", ""),
            needs=each.get("needs", ""),
            anywhere=each.get("anywhere", False),
        )
        for each in raw["rule"]
    ]
    return tuple(each for each in rules if each.anywhere), tuple(each for each in rules if not each.anywhere)
