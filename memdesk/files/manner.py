"""Encoding and line ends of a text file, and writing a text so that unchanged lines keep their bytes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from memdesk.files.merge import opcodes

_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """Encoding and line ends of a file. newline: its most common line end. ends: True if the last line has
    one."""

    encoding: str = "utf-8"
    bom: bytes = b""
    newline: str = "\n"
    ends: bool = True

    def exact(self, text: str) -> bytes:
        """Return a text as the file's bytes. Raises UnicodeEncodeError for half a character."""
        return self.bom + text.encode(self.encoding)

    def bare(self, text: str) -> bytes:
        """Return a text as bytes inside the file, without the byte order mark."""
        return text.encode(self.encoding)

    def kept(self, text: str) -> str:
        """Return a text with the file's line ends and final newline."""
        return self.ended(plain(text)).replace("\n", self.newline)

    def ended(self, text: str) -> str:
        """Return a plain text with a final newline if the file has one."""
        return text + "\n" if text and self.ends and not text.endswith("\n") else text

    def woven(self, was: str, text: str) -> str:
        """Return the text that replaces `was` in the file: unchanged lines keep their own line ends.

        was: the file's text with its line ends; text: the new one, with any."""
        new = self.ended(plain(text)).split("\n")
        if len(Counter(_END.findall(was))) <= 1:
            return self.newline.join(new)
        old = _END.split(was)
        ends = [*_END.findall(was), ""]
        kept = dict[int, str]()
        for tag, a, b, x, _ in opcodes(old, new):
            if tag == "equal":
                kept.update({x + n: ends[a + n] for n in range(b - a)})
        last = len(new) - 1
        return "".join(
            line + ("" if n == last else kept.get(n) or self.newline) for n, line in enumerate(new)
        )

    def added(self, was: str, text: str) -> str:
        """Return the text to append after `was`: starting on a new line, in the file's line ends."""
        more = plain(text)
        gap = "" if not was or was.endswith(("\n", "\r")) or more.startswith("\n") else "\n"
        return (gap + more).replace("\n", self.newline)


def manner_of(text: str, *, encoding: str, bom: bytes) -> Manner:
    """Return the manner of a file with this text. Among equally common line ends Unix's are taken, then
    Windows'."""
    counted = Counter(_END.findall(text))
    newline = max(("\n", "\r\n", "\r"), key=lambda end: counted[end])
    return Manner(encoding=encoding, bom=bom, newline=newline, ends=text.endswith(("\n", "\r")))


def plain(text: str) -> str:
    """Return the text with Unix line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
