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
from typing import Any

from memdesk.model.message import message

ID_CHARACTERS = 8
PLACEHOLDER = re.compile(r"\[secret: (?P<kind>[A-Za-z0-9 -]{1,40}) (?P<id>[A-Z2-7]{8})(?P<again>\*?)\]")
"""Placeholder of a secret: its kind and its id. again: the file has the same placeholder as its own text."""
MARK = "[secret: "


@dataclass(frozen=True, slots=True)
class Found:
    """Secret in a text: where it starts and ends, and its kind in words."""

    start: int
    end: int
    kind: str


def placeholder(kind: str, id: str, *, again: bool = False) -> str:
    """Return the text that is stored in place of a secret."""
    return f"{MARK}{kind} {id}{'*' if again else ''}]"


REACH = 160
"""Characters after a word in which its value is looked for."""
AROUND = 48
"""Characters around a stem that its complete word may have."""
GAP = 60
"""Characters that may name what a password opens: "the password of the router in the attic is"."""
CARD_REACH = 80
_UNLIKE_CJK = r"\u3000-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "‘": "’"}
_VALUE = re.compile(rf"[^\s\"'`<>“”„«»,;{_UNLIKE_CJK}][^\s\"'`<>“”„«»{_UNLIKE_CJK}]*")
_WORD = re.compile(r"\S+")
_ATTACHED = re.compile(r"(?P<value>[!-~]{6,100})(?:是|が|は)")
_UNIT = re.compile(r"\d{1,4}[-–+]?(?:\D{0,2}\d{1,3})?[-–]?[^\W\d_]{2,}(?:-[^\W\d_]+)*$")
_NAME = re.compile(r"[a-z]+(?:[._][a-z]+)+$|[\w.]+\(|[a-z]+(?:[A-Z][a-z]+)+$")
_DATE = re.compile(r"\d{1,4}([-./:])\d{1,2}(?:\1\d{1,4})?\D?$")
_STRONG = re.compile(r"[!#$%^&*?@+=~|\\]")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)
_TOKEN = re.compile(r"[\w./+=~:%-]{12,}$", re.ASCII)
_SUFFIX = re.compile(r"[_-](?:prod|production|dev|test|staging|value|\d+|root|admin|user)\b", re.IGNORECASE)
_DIGITS = re.compile(r"(?<![\d.,/-])\d(?:[ -]?\d){12,18}(?![\d-]|[.,/]\d)")
_PIN = re.compile(r"\d{4,8}(?!\w|[.,:-]\d)")
_WORDS = re.compile(r"[a-z]{3,8}(?:[ ,]+[a-z]{3,8}){11,23}")


def named_secrets(text: str) -> Iterator[Found]:
    """Yield the values of a text that its words call a secret."""
    folded = text.casefold()
    for name, seek in _SEEKERS:
        if any(stem in folded for stem in _words()[name]["stems"]):
            yield from seek(text)


def is_placeholder(value: str) -> bool:
    """Return True if a value is the placeholder of a secret: `sk-...`, `<your key>`, `$TOKEN`, `********`."""
    values = _words()["values"]
    return (
        value.casefold().strip("\"'`()[]{}<>.") in values["stop"]
        or any(part in value for part in values["parts"])
        or len(set(value)) < min(4, len(value) - 1)
        or value.startswith(("$", "%(", "@", "&"))
        and value[1:].replace("_", "").isalnum()
        and value.isascii()
    )


_LOGIN = re.compile(
    r"(?:credentials?|credenciais|credenciales|identifiants|credenziali|zugangsdaten|log-?in|账号密码|帐号密码|ログイン)"
    r"(?: (?:of|for|to|at|on|für|zum|zur|beim|von|des|der|de|del|da|do|du|para|pour|per|di) [\w .'-]{2,40})?"
    r"\s*[:：=]\s*[\w.@-]{2,40}\s*[/|,，]\s*(?P<value>\S{6,120})",
    re.IGNORECASE,
)
"""User and password in one value: `Credentials: admin / …`, `Login of the portal: admin / …`."""


def _passwords(text: str) -> Iterator[Found]:
    yield from _after_words(text, "password", "password", _is_password)
    for match in _words_in(text, "password"):
        if (span := _value_before(text, match.start())) and _is_password(text[slice(*span)], "link"):
            yield Found(*span, "password")


def _logins(text: str) -> Iterator[Found]:
    for match in _LOGIN.finditer(text):
        if _is_password(match["value"].lstrip("@"), "assigned"):
            yield Found(*match.span("value"), "password")


def _tokens(text: str) -> Iterator[Found]:
    yield from _after_words(text, "token", "token", _is_token)


def _pins(text: str) -> Iterator[Found]:
    def is_pin(value: str, how: str) -> bool:
        return how != "near" and _PIN.fullmatch(value) is not None

    yield from _after_words(text, "pin", "PIN", is_pin)


def _phrases(text: str) -> Iterator[Found]:
    for match in _words_in(text, "phrase"):
        start = match.end()
        if (words := _WORDS.search(text, start, start + 300)) and words.start() - start < 30:
            yield Found(*words.span(), message("seed phrase"))


def _cards(text: str) -> Iterator[Found]:
    for match in _DIGITS.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not _is_card(digits):
            continue
        around = text[max(0, match.start() - CARD_REACH) : match.end() + CARD_REACH].casefold()
        if " " in match[0] or "-" in match[0] or any(stem in around for stem in _words()["card"]["stems"]):
            yield Found(*match.span(), message("card number"))


_SEEKERS: tuple[tuple[str, Callable[[str], Iterator[Found]]], ...] = (
    ("password", _passwords),
    ("login", _logins),
    ("token", _tokens),
    ("pin", _pins),
    ("phrase", _phrases),
    ("digits", _cards),
)


def _after_words(text: str, words: str, kind: str, judge: Callable[[str, str], bool]) -> Iterator[Found]:
    """Yield the value after each of these words, if the judge accepts it for the way it is linked.

    The way is `assigned` (a sign between them), `quoted` (so too, in quotes), `link` (a verb) or `near` (nothing)."""
    for match in _words_in(text, words):
        end = match.end()
        if text[end : end + 1] in ("_", "-") and (suffix := _SUFFIX.match(text, end)):
            end = suffix.end()
        rest = text[end : end + REACH]
        for how, pattern in _links(words):
            if (link := pattern.match(rest)) is None:
                continue
            if (span := _value_at(text, end + link.end())) is None:
                continue
            start, stop, quoted = span
            way = "quoted" if quoted and how != "near" else how
            if judge(text[start:stop], way):
                yield Found(start, stop, kind)
                break


def _words_in(text: str, words: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a kind of words, looking only where the text has a stem of them."""
    folded, pattern, last = text.lower(), _after(words), -1
    if len(folded) != len(text):
        yield from pattern.finditer(text)
        return
    places = {place for stem in _words()[words]["stems"] for place in _places(folded, stem)}
    for place in sorted(places):
        for match in pattern.finditer(text, max(0, place - AROUND), place + AROUND):
            if match.start() > last:
                last = match.start()
                yield match


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _value_at(text: str, start: int) -> tuple[int, int, bool] | None:
    """Return (start, end, True if quoted) of the value at a place; None if there is none."""
    opening = text[start : start + 1]
    if opening in _QUOTES:
        closing = text.find(_QUOTES[opening], start + 1, start + 1 + 120)
        line = text.find("\n", start + 1, start + 1 + 120)
        if closing > start + 1 and not 0 <= line < closing:
            return start + 1, closing, True
        start += 1
    match = _VALUE.match(text, start, start + 500)
    if match is None:
        return None
    value = re.split(r"[,;](?=\s|$)|&(?=\w+=)|\\[nrt\"]", match[0])[0].rstrip(".,;:)]}")
    return (start, start + len(value), False) if value else None


def _value_before(text: str, end: int) -> tuple[int, int] | None:
    """Return (start, end) of a value whose word comes after it, as in "X is the password"; None if there is none."""
    start = max(0, end - REACH)
    words, back = list(_WORD.finditer(text, start, end)), _words()["reverse"]
    if words and (attached := _ATTACHED.fullmatch(words[-1][0])):
        return words[-1].start() + attached.start("value"), words[-1].start() + attached.end("value")
    for _ in range(3):
        if words and words[-1][0].casefold() in back["articles"]:
            words.pop()
    if len(words) < 2 or words[-1][0].casefold() not in back["links"]:
        return None
    value = words[-2][0].strip("\"'`“”„«»「」()")
    begins = words[-2].start() + words[-2][0].index(value) if value else 0
    return (begins, begins + len(value)) if len(value) >= 6 else None


def _is_password(value: str, how: str) -> bool:
    """Return True if a value after a word for password is one: not a word of the sentence, a name or a length."""
    if not 4 <= len(value) <= 120 or is_placeholder(value) or "://" in value or _DATE.match(value):
        return False
    if value.startswith(("/", "~/", "./", "--", "http", "(")) or re.match(r"\S+@\S+\.\w{2,}$", value):
        return False
    if _NAME.match(value) or _UNIT.match(value):
        return False
    digit, letter = any(c.isdigit() for c in value), any(c.isalpha() for c in value)
    inner = any(c.isupper() for c in value[1:]) and any(c.islower() for c in value)
    strong = _STRONG.search(value.rstrip("!?")) is not None and (letter or digit)
    if how == "quoted":
        return " " not in value or 3 <= value.count(" ") + 1 <= 8 and value.islower()
    if how == "near":
        return len(value) >= 6 and letter and digit and (strong or not re.match(r"[A-Za-z]\d+$", value))
    if strong or (digit and letter and len(value) >= 5) or (inner and len(value) >= 8 and "-" not in value):
        return True
    if digit and not letter:
        return len(value) >= 6 and value.isdigit() and how in ("assigned", "link", "shell")
    return (how == "shell" and value.isalpha() and len(value) >= 5) or (
        value.count("-") >= 3 and value.replace("-", "").isalpha() and value.islower()
    )


def _is_token(value: str, how: str) -> bool:
    """Return True if a value after a word for a token or key is one: long, of letters and digits, and no name."""
    if is_placeholder(value) or "://" in value or value.startswith(("/", "./", "~/")) or how == "near":
        return False
    if _UUID.match(value):
        return True
    if not _TOKEN.match(value) or _NAME.match(value):
        return False
    parts = [part for part in re.split(r"[-_./:=+%~]", value) if part]
    mixed = any(
        len(part) >= 8
        and re.search(r"\d", part)
        and re.search(r"[A-Za-z]", part)
        and not re.fullmatch(r"[A-Za-z]+\d{1,4}|\d+[A-Za-z]+|v?\d+[a-z]\d+", part)
        for part in parts
    )
    if not mixed and len(value) >= 24:
        mixed = (
            re.search(r"\d", value) is not None
            and re.search(r"[a-z]", value) is not None
            and (re.search(r"[A-Z]", value) is not None and _bits(value) >= 4.0)
        )
    return mixed and len(value) >= 16 and _bits(value) >= 2.8


def _bits(value: str) -> float:
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def _is_card(digits: str) -> bool:
    """Return True for a number with an issuer's beginning, its length and a right check digit (ISO/IEC 7812)."""
    if digits in _words()["values"]["test_cards"] or len(set(digits)) < 4:
        return False
    two, three, four = int(digits[:2]), int(digits[:3]), int(digits[:4])
    lengths: tuple[int, ...] = ()
    if digits[0] == "4":
        lengths = (13, 16, 19)
    elif 51 <= two <= 55 or 2221 <= four <= 2720:
        lengths = (16,)
    elif two in (34, 37):
        lengths = (15,)
    elif four == 6011 or two in (62, 65) or 644 <= three <= 649 or 3528 <= four <= 3589:
        lengths = (16, 17, 18, 19)
    elif two in (36, 38, 39) or 300 <= three <= 305:
        lengths = (14, 16, 19)
    elif two in (50, 56, 57, 58, 63, 67) or four in range(2200, 2205):
        lengths = (16, 18, 19)
    return len(digits) in lengths and _luhn(digits)


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        total += digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4)
    return total % 10 == 0


@cache
def _words() -> dict[str, Any]:
    raw: dict[str, Any] = tomllib.loads((resources.files(__package__) / "words.toml").read_text("utf-8"))
    raw["digits"] = {"stems": tuple("3456")}
    raw["reverse"] = {name: frozenset(found) for name, found in raw["reverse"].items()}
    raw["values"] = {
        name: frozenset(found) if name != "parts" else tuple(found) for name, found in raw["values"].items()
    }
    return raw


@cache
def _after(words: str) -> re.Pattern[str]:
    """Return the pattern of a word, with what may come before it in a name of a variable."""
    ways = sorted(_words()[words]["words"], key=len, reverse=True)
    spaced = "|".join(way for way in ways if way[0] < "\u3000")
    joined = "|".join(way for way in ways if way[0] >= "\u3000")
    before = r"(?:(?<![^\W_])|(?<=[\u3000-\uffff])|(?<=[a-z])(?=[A-Z]))"
    return re.compile(
        rf"{before}(?:{spaced})(?![^\W_\u3000-\uffff])" + (f"|{joined}" if joined else ""), re.IGNORECASE
    )


@cache
def _links(words: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    link = _words()["links"]
    verbs, more = "|".join(link["words"]), "|".join(link["more"])
    of, near = "|".join(sorted(link["of"], key=len, reverse=True)), "|".join(link["near"])
    verb = rf"(?:\b(?:{verbs})\b(?:\s+(?:{more})\b)*\s*[:：]?\s*|(?:{near})\s*)"
    gap = rf"(?:(?:\s+|(?<=[\u3000-\uffff]))(?:{of})(?![^\W_\u3000-\uffff])[^.!?\n。：:=]{{0,{GAP}}}?)"
    user = r"(?:[A-Za-z][\w.-]{0,40}/(?=\S{6}))?"
    sign = rf"[\"'`\]\)*]*[^\S\n]*(?:=>|:=|==?|:|：|->|→|(?<![ ])>)[^\S\n]*{user}\**[^\S\n]*"
    # What names the thing it opens, and the sign that follows, are in one line: the next line may say something else.
    linked = rf"(?:(?:{gap}[^\S\n]*|\s*){verb}|{gap}?[^\S\n]*[:：=]\s*)"
    found = [
        ("shell", re.compile(r"=(?=[A-Za-z]+(?:\s|$))")),
        ("assigned", re.compile(sign)),
        ("link", re.compile(linked, re.IGNORECASE)),
        ("near", re.compile(r"[^\S\n]+")),
    ]
    return tuple(found)


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
