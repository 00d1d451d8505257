"""File to import, read and parsed only once for all formats that examine it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from memdesk.engine.interop.parsing import NOT_JSON, parsed
from memdesk.files.reading import Left, TextFile, read_text
from memdesk.model.errors import Refused

HEAD_BYTES = 1024
SQLITE, ZIP, PDF = b"SQLite format 3\0", b"PK\x03\x04", b"%PDF-"
"""First bytes of files that are not text."""
_LINES = (".jsonl", ".ndjson")
_BAD_LINES_NAMED = 20


class Peek:
    """Path with its content, read on demand. `name`: its name in messages; limit_bytes: larger files are
    refused."""

    def __init__(self, path: Path, name: str, *, limit_bytes: int) -> None:
        self.path, self.name, self.limit_bytes = path, name, limit_bytes
        self.tables: dict[str, frozenset[str]] | None = None
        """Columns by table, once a database has been examined; else None."""

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """First bytes of a regular file, empty if it cannot be read."""
        try:
            if not self.path.is_file():
                return b""
            with self.path.open("rb") as file:
                return file.read(HEAD_BYTES)
        except OSError:
            return b""

    @cached_property
    def file(self) -> TextFile:
        """Text of the file. Raises Refused, naming it."""
        return read_text(self.path, self.name, limit_bytes=self.limit_bytes)

    @cached_property
    def modified_at(self) -> int:
        """Modification time of the file, UTC microseconds. Raises Refused, naming it."""
        try:
            return self.path.stat().st_mtime_ns // 1000
        except OSError as error:
            raise Refused(f"{self.name} could not be read.") from error

    @cached_property
    def json(self) -> Any:
        """Single JSON value of this file, NOT_JSON if it has none or is JSON Lines."""
        if not self._is_text or self.suffix in _LINES or self.file.text.lstrip()[:1] not in ("{", "[", '"'):
            return NOT_JSON
        return parsed(self.file.text)

    @cached_property
    def lines(self) -> tuple[tuple[tuple[int, Any], ...], tuple[Left, ...]]:
        """(the JSON values of a JSON Lines file with their line numbers, from 1; the lines left out, at most
        20 of them)."""
        if not self._is_text or not (self.suffix in _LINES or self._looks_like_lines):
            return (), ()
        values: list[tuple[int, Any]] = []
        bad: list[int] = []
        last = 0
        for number, line in enumerate(self.file.text.split("\n"), 1):
            if line.strip():
                last = number
                value = parsed(line)
                if value is NOT_JSON:
                    bad.append(number)
                else:
                    values.append((number, value))
        return tuple(values), tuple(self._left(number, number == last) for number in bad[:_BAD_LINES_NAMED])

    @property
    def first(self) -> dict[str, Any]:
        """First JSON object: the value itself, the first item of its list, or the object of the first line;
        empty if none."""
        value = self.json
        if value is NOT_JSON:
            value = next((value for _, value in self.lines[0]), None)
        elif isinstance(value, list):
            value = next(iter(value), None)
        return value if isinstance(value, dict) else {}

    @property
    def _is_text(self) -> bool:
        return not (self.is_folder or self.head.startswith((SQLITE, ZIP, PDF)))

    @property
    def _looks_like_lines(self) -> bool:
        """True if the text is JSON Lines; False for one object over several lines whose end is missing."""
        start = self.file.text.lstrip()
        return self.json is NOT_JSON and start[:1] == "{" and parsed(start.split("\n", 1)[0]) is not NOT_JSON

    def _left(self, number: int, last: bool) -> Left:
        why = "The last line is torn; it comes in once it is whole." if last else "The line is not JSON."
        return Left(name=f"{self.name}, line {number}", why=why)
