"""Parser for the entries of a day file, in every dialect agents write. Pure text in, entries out, so that
each dialect can be tested.

Known dialects: bullets under headings (AgenticX), `## HH:MM` blocks (agnx), `- [HH:MM] line` (OpenLegion), `-
HH:MM line`, and plain paragraphs (OpenClaw)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_RULE = re.compile(r"^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_COMMENT = re.compile(r"^\s*<!--.*-->\s*$")
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•][ \t]+|・[ \t]*|\d{1,3}[.)][ \t]+|\d{1,3}、)(.*)$")
_CHECKBOX = re.compile(r"^\[[ xX]\][ \t]+")
_TIME = re.compile(
    r"^\**[\[(]?(\d{1,2})[:：]([0-5]\d)(?:[:：][0-5]\d)?[ \t]*([ap]m)?[ \t]*(?:UTC|Z)?[\])]?\**"
    r"(?=$|[\s:：–—\-|,，、])[\s:：–—\-|,，、]*",
    re.IGNORECASE,
)
_DATE_NOTE = re.compile(r"[ \t]*[(（]\d{4}-\d{2}-\d{2}[^)）]*[)）]")
_DATE_LABEL = re.compile(r"^(?:date|日期|日付)[ \t]*[:：][ \t]*\d{4}\D\d{1,2}\D\d{1,2}\D?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLine:
    """Entry of a day file. line: its number, from 1. time: HH:MM or "". section: the heading above it."""

    line: int
    time: str
    section: str
    text: str


@dataclass(slots=True)
class _Open:
    """Entry that is still being read. block: everything up to the next heading belongs to it."""

    line: int
    time: str
    section: str
    indent: int
    block: bool = False
    parts: list[str] = field(default_factory=list)

    def is_label(self) -> bool:
        """Return True if this is only a label for the entries nested under it, such as `- Notes:`."""
        words = [part for part in self.parts if part]
        return len(words) == 1 and words[0][-1:] in (":", "：")

    def closed(self) -> Iterator[DayLine]:
        text = "\n".join(self.parts).strip()
        if text:
            yield DayLine(line=self.line, time=self.time, section=self.section, text=text)


def entries_of(text: str) -> tuple[DayLine, ...]:
    """Return every entry of a day file, in file order."""
    return tuple(_Reader().read(text.splitlines()))


class _Reader:
    """Reader that goes through a day file line by line, with at most one entry open."""

    def __init__(self) -> None:
        self.section = ""
        self.label = ""
        self.label_indent = 0
        self.entry: _Open | None = None
        self.fenced = False
        self.after_blank = True
        self.titled = False

    def read(self, lines: list[str]) -> Iterator[DayLine]:
        start = _front_matter(lines)
        for number, line in enumerate(lines[start:], start + 1):
            yield from self._meet(number, line)
        yield from self._close()

    def _meet(self, number: int, line: str) -> Iterator[DayLine]:
        if _FENCE.match(line) or self.fenced:
            self.fenced ^= bool(_FENCE.match(line))
            yield from self._text(number, line, inside=True)
        elif head := _HEADING.match(line):
            yield from self._close()
            self._head(number, len(head[1]), head[2])
        elif not line.strip() or _COMMENT.match(line):
            self._blank()
        elif _RULE.match(line):
            yield from self._close()
        elif (bullet := _BULLET.match(line)) and not (self.entry and self.entry.block):
            yield from self._bullet(number, len(bullet[1].expandtabs(4)), bullet[2].strip())
        else:
            yield from self._text(number, line, inside=False)
        self.after_blank = not line.strip()

    def _close(self) -> Iterator[DayLine]:
        if self.entry is not None:
            yield from self.entry.closed()
            self.entry = None

    def _head(self, number: int, level: int, title: str) -> None:
        time, rest = split_time(title)
        self.section, self.label = _DATE_NOTE.sub("", rest).strip(), ""
        if time:
            self.entry = _Open(number, time, self.section, 0, block=True)
        elif level == 1 and not self.titled:
            self.section = ""
        self.titled = True

    def _blank(self) -> None:
        if self.entry is not None and self.entry.parts:
            self.entry.parts.append("")

    def _bullet(self, number: int, indent: int, text: str) -> Iterator[DayLine]:
        entry = self.entry
        if entry is not None and indent > entry.indent:
            if not entry.is_label():
                entry.parts.append("- " + text)
                return
            self.label, self.label_indent, self.entry = entry.parts[0].rstrip(":："), entry.indent, None
        elif indent <= self.label_indent:
            self.label = ""
        yield from self._close()
        if _DATE_LABEL.match(text):
            return
        time, rest = split_time(_CHECKBOX.sub("", text))
        self.entry = _Open(number, time, self.label or self.section, indent, parts=[rest] if rest else [])

    def _text(self, number: int, line: str, *, inside: bool) -> Iterator[DayLine]:
        entry = self.entry
        indented = line[:1] in (" ", "\t")
        if entry is None or not (entry.block or inside or indented or not self.after_blank):
            yield from self._close()
            time, rest = split_time(line.strip())
            self.entry = _Open(number, time, self.section, 0, parts=[rest] if rest else [])
        else:
            entry.parts.append(line.rstrip() if inside or entry.block else line.strip())


def split_time(text: str) -> tuple[str, str]:
    """Return a leading time of day as HH:MM, and the rest of the text: `[9:05 pm] tea` is ("21:05", "tea")."""
    found = _TIME.match(text)
    if found is None:
        return "", text
    hour, half = int(found[1]), (found[3] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23:
        return "", text
    return f"{hour:02}:{found[2]}", text[found.end() :].strip()


def _front_matter(lines: list[str]) -> int:
    """Return the number of lines of YAML front matter at the beginning of a file."""
    if not lines or lines[0].strip() != "---":
        return 0
    return next((n for n, line in enumerate(lines[1:50], 2) if line.strip() == "---"), 0)
