"""Output of answers: JSON records for programs, aligned lines for people. Data goes to stdout, the rest to
stderr."""

from __future__ import annotations

import argparse
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TextIO

import msgspec

from memdesk.api.endpoint import Wrong
from memdesk.model.errors import MemDeskError
from memdesk.model.hidden import revealed

_AGO = re.compile(r"(\d{1,6})([mhdw])")
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def moment(text: str) -> datetime:
    """Return the time of a day, a time, or an age such as 30m, 24h, 7d or 2w.

    A time without a zone is in the local zone. For argparse: raises ArgumentTypeError."""
    try:
        if ago := _AGO.fullmatch(text):
            return datetime.now().astimezone() - int(ago[1]) * _UNITS[ago[2]]
        when = datetime.fromisoformat(text)
        return when if when.tzinfo else when.astimezone()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; write 2026-01-31, 2026-01-31T09:30, or 7d for seven days ago"
        ) from None


YES = ("y", "yes")
"""Answers to `ask` that agree."""
GAP = "  "
Style = Literal["bold", "dim", "yellow"]
_STYLES: dict[Style, str] = {"bold": "1", "dim": "2", "yellow": "33"}
"""SGR parameters of ECMA-48."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Output streams of a command. json: answers as JSON on stdout, errors as JSON on stderr."""

    json: bool = False
    out: TextIO
    err: TextIO

    def answer(self, record: Any, lines: Iterable[str]) -> None:
        """Write the command's answer: the complete record for programs, the lines for people."""
        if self.json:
            self.out.buffer.write(
                msgspec.json.format(msgspec.json.encode(record, enc_hook=str), indent=2) + b"\n"
            )
        else:
            self.out.writelines(line.rstrip() + "\n" for line in lines)
        self.out.flush()

    def listing(self, record: Any, head: Sequence[str], rows: Sequence[Sequence[str]], *, none: str) -> None:
        """Write a table as the answer, or, for people, a sentence where it has no rows."""
        self.answer(record, self.table(head, rows) if rows else [])
        if not rows and not self.json:
            self.note(none)

    def note(self, sentence: str) -> None:
        """Write a sentence that is not part of the answer to stderr."""
        self.err.write(sentence.rstrip() + "\n")
        self.err.flush()

    def ask(self, question: str) -> str:
        """Write a question to stderr and return the line typed after it, in small letters."""
        self.err.write(question)
        self.err.flush()
        return sys.stdin.readline().strip().lower()

    def progress(self, sentence: str) -> None:
        """Write a progress line that the next one overwrites; nothing is written if stderr is not a terminal."""
        if self.err.isatty():
            self.err.write("\r\x1b[K" + fitted(sentence, columns_of(self.err)))
            self.err.flush()

    def error(self, wrong: MemDeskError) -> None:
        if self.json:
            said = Wrong(code=wrong.code, says=wrong.says, next=wrong.next, details=wrong.details)
            self.note(msgspec.json.encode(said, enc_hook=str).decode())
            return
        self.note(f"memdesk: {plain(wrong.says)}")
        if wrong.next:
            self.note(f"Next: {plain(wrong.next)}")

    def styled(self, text: str, style: Style) -> str:
        """Return the text in a style, if stdout is a terminal that accepts colour (https://no-color.org)."""
        wanted = self.out.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if wanted and text else text

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
        """Return aligned columns under a head; on a terminal the last column is cut at the right edge."""
        cells = [[plain(cell) for cell in row] for row in rows]
        widths = [max(map(width, column)) for column in zip(head, *cells, strict=True)]
        room = columns_of(self.out) - sum(widths[:-1]) - len(GAP) * (len(head) - 1)
        lines = [[*row[:-1], fitted(row[-1], max(room, 20))] for row in cells] if self.out.isatty() else cells
        return [self.styled(_aligned(head, widths), "dim"), *(_aligned(row, widths) for row in lines)]


def terminal(*, json: bool) -> Output:
    """Return the process's own output. Characters that the terminal's encoding lacks are written as `?`."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    return Output(json=json, out=sys.stdout, err=sys.stderr)


def columns_of(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return 100


def plain(text: str) -> str:
    """Return text on one line, with the names of characters that nobody sees and without those that could control a
    terminal, because agents write memory."""
    spaced = revealed(" ".join(text.split()))
    return "".join(letter if _shown(letter) else "�" for letter in spaced)


def _shown(letter: str) -> bool:
    return letter.isprintable() or unicodedata.category(letter) in ("Zs", "Cf", "Mn")


def width(text: str) -> int:
    """Return the columns that a text takes: two for the wide letters of Chinese, Japanese and Korean, none
    for combining marks."""
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def fitted(text: str, columns: int) -> str:
    """Return text cut to a number of columns, ending in an ellipsis if it was cut."""
    if width(text) <= columns:
        return text
    kept, used = "", 1
    for letter in text:
        used += _columns(letter)
        if used > columns:
            break
        kept += letter
    return kept.rstrip() + "…"


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def local(when: datetime | None) -> str:
    """Return a time in the local time zone, to the minute; "" for None."""
    return "" if when is None else when.astimezone().strftime("%Y-%m-%d %H:%M")


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 turn`, `2,400 turns`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tallied(counts: Mapping[str, object]) -> str:
    """Return counts under plural names as one phrase, such as `1 file, 12 turns`; zeros are left out."""
    shown = (
        counted(number, singular(name), name)
        for name, number in counts.items()
        if isinstance(number, int) and number
    )
    return plain(", ".join(shown)) or "nothing"


def singular(name: str) -> str:
    if name.endswith("ies"):
        return name.removesuffix("ies") + "y"
    return name.removesuffix("es") if name.endswith("ses") else name.removesuffix("s")


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(padded(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip()
