"""Disguises of a text undone: invisible characters, look-alike letters, spaced and torn words, and encodings."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote

_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝһквмнтАЕОРСУХІЈЅКВМНТαεορυνικτΑΕΟΡΥΝΙΚΤΒΗΜΖ",
    "aeopcyxijsdqwhkbmhtAEOPCYXIJSKBMHTaeopuviktAEOPYNIKTBHMZ",
)
"""Cyrillic and Greek letters that look like Latin ones."""
_LEET = str.maketrans("01345789@$!", "oleastb9as" + "i")
_LEET_I = str.maketrans("01345789@$!", "oieastb9as" + "i")
_TAGS = re.compile("[\U000e0020-\U000e007e]{3,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"\b(?:[0-9a-fA-F]{2}[ :]?){12,}\b")
_SINGLES = re.compile(r"(?:(?<=\s)|^)(?:\w(?:[ .·_*-]\w){2,}|\w(?:[.·_*]\w)+)(?!\w)")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CJK_GAP = re.compile(rf"(?<=[{_CJK}，。、])[ \t・·.\u3000]+(?=[{_CJK}，。、])")
_TORN = re.compile(r"(?<=[a-z])-(?=[a-z])", re.IGNORECASE)
_LETTERS_AND_DIGITS = re.compile(r"\b(?=\w*[a-z])(?=\w*[013457@$])[\w@$!]+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_DECODED_AT_LEAST = 8
TORN_AT_LEAST, MISTYPED_AT_LEAST, LEET_AT_LEAST = 3, 3, 3
"""Words that must be disguised before their disguise is undone: fewer occur in honest text."""


def folded(text: str) -> str:
    """Return a text for comparison: one case, no accents, one space between words, nothing invisible."""
    if text.isascii():
        # It has none of what the rest undoes, which takes a hundred times as long.
        return " ".join(text.lower().split())
    seen = "".join(
        " " if each.isspace() else each
        for each in unicodedata.normalize("NFKC", text)
        if each.isspace() or unicodedata.category(each) != "Cf"
    )
    bare = "".join(e for e in unicodedata.normalize("NFKD", seen.casefold()) if not unicodedata.combining(e))
    return " ".join(unicodedata.normalize("NFC", bare).replace("’", "'").split())


def hidden(text: str) -> Iterator[str]:
    """Yield what a text says under each disguise that it may wear; nothing for a text that wears none."""
    yield from _tags(text)
    plain = folded(text)
    yield plain[::-1]
    yield codecs.encode(plain, "rot13")
    for undone in (_latin(text), _gathered(text), _CJK_GAP.sub("", plain), unquote(html.unescape(text))):
        if undone != text and (seen := folded(undone)) != plain:
            yield seen
    if len(_TORN.findall(plain)) >= TORN_AT_LEAST:
        yield _TORN.sub("", plain)
    if len(_LETTERS_AND_DIGITS.findall(plain)) >= LEET_AT_LEAST:
        for table in (_LEET, _LEET_I):
            yield _LETTERS_AND_DIGITS.sub(lambda match, to=table: match[0].translate(to), plain)  # type: ignore[misc]


def decoded(text: str) -> Iterator[str]:
    """Yield the texts that are encoded in a text as base64 or hexadecimal."""
    for match in _BASE64.finditer(text):
        body = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        with_padding = body + "=" * (-len(body) % 4)
        try:
            yield from _readable(base64.b64decode(with_padding, validate=True))
        except (binascii.Error, ValueError):
            continue
    for match in _HEX.finditer(text):
        digits = re.sub(r"[ :]", "", match[0])
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def mistyped(text: str, words: frozenset[str]) -> str | None:
    """Return a text with the letters of mistyped words in order; None if fewer than three are mistyped.

    words: those that a mistyped one is compared with, folded."""
    right = _by_letters(words)
    count = 0

    def corrected(match: re.Match[str]) -> str:
        nonlocal count
        word = match[0]
        if word in words or len(word) < 4 or (known := right.get(_letters(word))) is None or known == word:
            return word
        count += 1
        return known

    undone = _WORD.sub(corrected, folded(text))
    return undone if count >= MISTYPED_AT_LEAST else None


@cache
def _by_letters(words: frozenset[str]) -> dict[str, str]:
    return {_letters(word): word for word in words if len(word) > 3}


def _letters(word: str) -> str:
    return "".join(sorted(set(word)))


def _tags(text: str) -> Iterator[str]:
    for match in _TAGS.finditer(text):
        yield folded("".join(chr(ord(each) - 0xE0000) for each in match[0]))


def _latin(text: str) -> str:
    """Return a text that is mostly Latin with its look-alike letters as Latin ones."""
    if text.isascii():
        return text
    letters = [each for each in text if each.isalpha()]
    latin = sum(each.isascii() for each in letters)
    return text.translate(_LOOKALIKES) if latin * 2 >= len(letters) else text


def _gathered(text: str) -> str:
    """Return a text with the letters of its spaced words put together: several spaces part two words."""
    parted = re.sub(r"[ \t]{2,}|(?<=[.·_*]\w) (?=\w[.·_*])", "\n", text)
    joined = _SINGLES.sub(lambda match: re.sub(r"[ .·_*-]", "", match[0]), parted)
    return joined if joined != parted else text


def _readable(data: bytes) -> Iterator[str]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    plain = sum(each.isalnum() or each in " ./:-@,'~_|&;\n" for each in text)
    if len(text) >= _DECODED_AT_LEAST and plain >= 0.9 * len(text) and re.search(r"[a-z]{3}.*[ /]", text):
        yield folded(text)
