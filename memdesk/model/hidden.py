"""Characters that nobody sees, and their names: they can hide words in a text or make it look like another."""

from __future__ import annotations

import re
import unicodedata

_NAMES = {
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "HCF",
    0x1160: "HJF",
    0x17B4: "KIV",
    0x17B5: "KIV",
    0x180E: "MVS",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LSEP",
    0x2029: "PSEP",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x3164: "HF",
    0xFEFF: "BOM",
    0xFFA0: "HHF",
}
_SUSPECT = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"
_EMOJI_STYLE = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_BLACK_FLAG = "\U0001f3f4"
_JOINING_SCRIPTS = (
    (0x0600, 0x08FF),  # Arabic, Syriac, N'Ko, Mandaic
    (0x0900, 0x0DFF),  # scripts of India
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x1800, 0x18AF),  # Mongolian
    (0xFB50, 0xFDFF),  # forms of Arabic letters
    (0xFE70, 0xFEFC),
)
"""Scripts in which joiners are part of a word's spelling."""


def revealed(text: str) -> str:
    """Return a text for display in which every character that nobody sees is its name in marks, such as ‹ZWSP›.

    Characters that belong to an emoji or to the spelling of a script stay, and so do tabs and line ends."""
    if text.isascii() and text.isprintable() or not _SUSPECT.search(text):
        return text
    return _SUSPECT.sub(lambda found: _shown(text, found.start()), text)


def hidden_names(text: str) -> str:
    """Return the names of the characters of a text that nobody sees, "" if there are none."""
    if text.isascii() and text.isprintable():
        return ""
    shown = (_shown(text, found.start()) for found in _SUSPECT.finditer(text))
    return " ".join(name for name in shown if len(name) > 1)


def original(text: str, start: int, end: int) -> str:
    """Return the part of a text that its revealed form shows between two places, such as a selection."""
    if revealed(text) == text:
        return text[start:end]
    kept, place = "", 0
    for number, letter in enumerate(text):
        shown = _shown(text, number) if _SUSPECT.match(letter) else letter
        if place < end and place + len(shown) > start:
            kept += letter
        place += len(shown)
    return kept


def _shown(text: str, at: int) -> str:
    letter = text[at]
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if letter in _JOINERS and (_joins(before) and _joins(after)):
        return letter
    if letter == "\u200d" and (_is_emoji(before) or before in _EMOJI_STYLE) and _is_emoji(after):
        return letter
    if letter in _EMOJI_STYLE and before and (_takes_style(before) or after == _KEYCAP):
        return letter
    if _is_ideograph(before) and ("\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"):
        return letter
    if "\u180b" <= letter <= "\u180f" and _joins(before):
        return letter
    if 0xE0020 <= ord(letter) <= 0xE007F and _in_flag(text, at):
        return letter
    return f"‹{_name(letter)}›"


def _name(letter: str) -> str:
    """Return the usual short name of a character, or its number; tags name the letter that they hide."""
    number = ord(letter)
    if 0xE0020 <= number < 0xE007F:
        return f"TAG {chr(number - 0xE0000)}"
    if 0xFE00 <= number <= 0xFE0F:
        return f"VS{number - 0xFDFF}"
    return _NAMES.get(number, f"U+{number:04X}")


def _joins(letter: str) -> bool:
    return bool(letter) and any(first <= ord(letter) <= last for first, last in _JOINING_SCRIPTS)


def _is_emoji(letter: str) -> bool:
    """Return True for a symbol that an emoji is built from, or the tone of its skin."""
    return bool(letter) and (unicodedata.category(letter) == "So" or "\U0001f3fb" <= letter <= "\U0001f3ff")


def _takes_style(letter: str) -> bool:
    """Return True for a sign that has a form as an emoji, such as ☎, ‼ or ↔."""
    return unicodedata.category(letter)[0] in "SP" or letter in "ℹⓂ㊗㊙"


def _is_ideograph(letter: str) -> bool:
    return bool(letter) and unicodedata.name(letter, "").startswith("CJK ")


def _in_flag(text: str, at: int) -> bool:
    """Return True if a tag belongs to the flag of a region: a black flag, at most six tags, and their end."""
    start = at
    while start > 0 and 0xE0020 <= ord(text[start - 1]) <= 0xE007E and at - start < 7:
        start -= 1
    flag = re.match("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f", text[start : start + 8])
    return text[start - 1 : start] == _BLACK_FLAG and flag is not None and at < start + flag.end()
