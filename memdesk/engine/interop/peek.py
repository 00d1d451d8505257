"""A look into a file that is to be imported, read and parsed once however many formats ask about it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from memdesk.engine.interop.parsing import NOT_JSON, parsed
from memdesk.files.reading import Left, TextFile, read_text
from memdesk.model.errors import Refused

HEAD_BYTES = 1024
SQLITE, ZIP, PDF = b"SQLite format 3\0", b"PK\x03\x04", b"%PDF-"
"""How files begin that are no text."""
_LINES = (".jsonl", ".ndjson")
_BAD_LINES_NAMED = 20


class Peek:
    """A path with its content at hand. `name` is how the import speaks of it; limit_bytes refuses what is larger."""

    def __init__(self, path: Path, name: str, *, limit_bytes: int) -> None:
        self.path, self.name, self.limit_bytes = path, name, limit_bytes
        self.tables: dict[str, frozenset[str]] | None = None
        """Of a database, once somebody has looked."""

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """The first bytes of a regular file, empty where there are none to be had."""
        try:
            if not self.path.is_file():
                return b""
            with self.path.open("rb") as file:
                return file.read(HEAD_BYTES)
        except OSError:
            return b""

    @cached_property
    def file(self) -> TextFile:
        """The file's text. Raises Refused, naming it."""
        return read_text(self.path, self.name, limit_bytes=self.limit_bytes)

    @cached_property
    def modified_at(self) -> int:
        """When the file was last written, UTC microseconds. Raises Refused, naming it."""
        try:
            return self.path.stat().st_mtime_ns // 1000
        except OSError as error:
            raise Refused(f"{self.name} could not be read.") from error

    @cached_property
    def json(self) -> Any:
        """The one JSON value this file holds, NOT_JSON when it holds none, or many on lines of their own."""
        if not self._is_text or self.suffix in _LINES or self.file.text.lstrip()[:1] not in ("{", "[", '"'):
            return NOT_JSON
        return parsed(self.file.text)

    @cached_property
    def lines(self) -> tuple[tuple[tuple[int, Any], ...], tuple[Left, ...]]:
        """Every line that holds a JSON value, with its number from 1, and what was left out."""
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
        """The JSON object itself, the first of its list, or the object on the first line; empty when none."""
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
        """Whether this is JSON line by line: one object over several lines whose end is missing is not."""
        start = self.file.text.lstrip()
        return self.json is NOT_JSON and start[:1] == "{" and parsed(start.split("\n", 1)[0]) is not NOT_JSON

    def _left(self, number: int, last: bool) -> Left:
        why = "The last line is torn; it comes in once it is whole." if last else "The line is not JSON."
        return Left(name=f"{self.name}, line {number}", why=why)
