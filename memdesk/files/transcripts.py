"""Transcripts of Claude Code and Codex: one JSON object a line, with what was said and the tools that were called.

One that is being written is read on from where its last reading ended."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeGuard

from memdesk.files.reading import opened_file, storable
from memdesk.model.message import message

CHARACTERS = 1_000_000
"""Length limit of one message, the same as that of a turn."""
_NOT_SAID = re.compile(
    r"\s*(<(command-|local-command|system-reminder|environment_context|user_instructions|bash-|ide_)|# AGENTS\.md )"
)
"""Text that a runtime writes in the user's name: commands, their output, open files and instructions."""
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Message of the user or the agent. id: the same each time the transcript is read. aside: from a sub-agent."""

    id: str
    role: str
    text: str
    at: datetime | None
    model: str | None
    aside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """Call of a tool. given: its input, any JSON."""

    id: str
    tool: str
    given: Any
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """Result of the call with this id. failed: None if unknown."""

    id: str
    output: Any
    failed: bool | None


Entry = Said | Called | Returned


def entries(line: bytes) -> Iterator[Entry]:
    """Yield what a line says; nothing for a line that is damaged, or a note of the runtime."""
    try:
        entry = read_json(line)
    except ValueError:
        return
    if isinstance(entry, dict):
        yield from _claude_code(entry)
        yield from _codex(entry)


def is_complete(line: bytes) -> bool:
    """Return True for a line that is a complete JSON value, even if no line end follows it."""
    try:
        read_json(line)
    except ValueError:
        return False
    return True


def read_json(text: str | bytes) -> Any:
    """Return the value of a JSON text, with U+FFFD for each character that no text of the desk may have: NUL, and half
    of a pair of surrogates. Raises ValueError, also where it is nested too deep."""
    try:
        value = json.loads(text)
        # Only an escape can say one of them.
        is_escaped = b"\\u" in text if isinstance(text, bytes) else "\\u" in text
        return storable(value) if is_escaped else value
    except RecursionError:
        raise ValueError(message("it is nested too deep")) from None


def session_in(said: str) -> str | None:
    """Return the session that an event of a runtime is about, None where it names none."""
    try:
        event = read_json(said)
    except ValueError:
        return None
    id = event.get("session_id") if isinstance(event, dict) else None
    return id if _filled(id) else None


def is_spoken(text: str) -> bool:
    """Return False for a blank text, and for one that a runtime writes in the user's name."""
    return bool(text.strip()) and not _NOT_SAID.match(text)


def normalised(text: str) -> str:
    """Return a text by which a message is recognised in another place: without differences of white space."""
    return " ".join(text.split())


def _claude_code(entry: dict[str, Any]) -> Iterator[Entry]:
    message = entry.get("message")
    if entry.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return
    if any(entry.get(name) for name in ("isMeta", "isCompactSummary")):
        return
    at, content = _moment(entry.get("timestamp")), message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            yield from _block(block, at)
    yield from _said(
        entry.get("uuid"),
        entry["type"],
        _text(content, ("text",)),
        entry.get("timestamp"),
        message.get("model"),
        aside=bool(entry.get("isSidechain")),
    )


def _block(block: dict[str, Any], at: datetime | None) -> Iterator[Entry]:
    if block.get("type") == "tool_use" and _filled(block.get("id")) and _filled(block.get("name")):
        yield Called(id=block["id"], tool=block["name"], given=block.get("input"), at=at)
    elif block.get("type") == "tool_result" and _filled(block.get("tool_use_id")):
        content = block.get("content")
        output = _text(content, ("text",)) or content
        failed = block.get("is_error")
        yield Returned(id=block["tool_use_id"], output=output, failed=failed is True)


def _codex(entry: dict[str, Any]) -> Iterator[Entry]:
    payload = entry.get("payload")
    if entry.get("type") != "response_item" or not isinstance(payload, dict):
        return
    kind, call = payload.get("type"), payload.get("call_id") or payload.get("id")
    at = _moment(entry.get("timestamp"))
    if kind == "message":
        text = _text(payload.get("content"), ("input_text", "output_text", "text"))
        yield from _said(payload.get("id"), payload.get("role"), text, entry.get("timestamp"), None)
    elif kind in _CALLS and _filled(call):
        name = payload.get("name")
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        yield Called(id=call, tool=name if _filled(name) else "shell", given=_parsed(given), at=at)
    elif kind in _RESULTS and _filled(call):
        output = _parsed(payload.get("output"))
        yield Returned(id=call, output=output, failed=_exit_failed(output))


def _exit_failed(output: Any) -> bool | None:
    """Return True or False where a result has an exit code or says whether it succeeded."""
    if not isinstance(output, dict):
        return None
    about = output.get("metadata")
    code = about.get("exit_code") if isinstance(about, dict) else None
    if isinstance(code, int):
        return code != 0
    succeeded = output.get("success")
    return not succeeded if isinstance(succeeded, bool) else None


def _parsed(value: Any) -> Any:
    """Return a value that a runtime wrote as JSON inside a string; other values as they are."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value


def _said(
    id: Any, role: Any, text: str, timestamp: Any, model: Any, *, aside: bool = False
) -> Iterator[Said]:
    if role not in ("user", "assistant") or not is_spoken(text):
        return
    if not _filled(id):
        id = hashlib.sha256(f"{timestamp}\0{role}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]
    yield Said(
        id=id,
        role=role,
        text=text[:CHARACTERS],
        at=_moment(timestamp),
        model=model if isinstance(model, str) else None,
        aside=aside,
    )


def _filled(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value.strip())


def _text(content: Any, kinds: tuple[str, ...]) -> str:
    """Return the text of a message: its blocks of these kinds, without those that the runtime added."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") in kinds]
    spoken = [text for text in texts if isinstance(text, str)]
    return "\n\n".join([text for text in spoken if is_spoken(text)] or spoken)


def _moment(said: Any) -> datetime | None:
    try:
        when = datetime.fromisoformat(said)
    except (TypeError, ValueError):
        return None
    return when if when.tzinfo else None


LINE_BYTES = 16 * 1024 * 1024
"""Longest line that is read, such as a picture in a message; the rest of a longer one is skipped."""
ENTRIES_AT_ONCE = 400
FILES_KEPT = 500
"""Transcripts whose place is remembered. A place that is forgotten costs another reading, and stores nothing twice."""


@dataclass(slots=True)
class Place:
    """Position up to which a transcript was read. file: its device and inode. open: calls that have no result yet.

    early: how often each text of the session was stored before the transcript had it, None until it was looked up;
    recognised: ids of the messages that turned out to be these."""

    file: tuple[int, int] = (0, 0)
    offset: int = 0
    open: dict[str, Called] = field(default_factory=dict)
    early: Counter[tuple[str, str]] | None = None
    recognised: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Places:
    """Places in the transcripts that a desk follows, the last used kept. Thread-safe."""

    def __init__(self) -> None:
        self._places: dict[Path, Place] = {}
        self._lock = threading.Lock()

    @contextmanager
    def at(self, path: Path) -> Iterator[Place]:
        """Yield the place in a transcript, which no other thread reads meanwhile."""
        with self._lock:
            place = self._places.pop(path, None) or Place()
            self._places[path] = place
            if len(self._places) > FILES_KEPT:
                del self._places[next(iter(self._places))]
        with place.lock:
            yield place

    def is_behind(self, path: Path) -> bool:
        """Return True if a transcript has grown since it was read."""
        with self._lock:
            place = self._places.get(path)
        try:
            return place is None or path.stat().st_size != place.offset
        except OSError:
            return False


def read_on(path: Path, place: Place) -> Iterator[tuple[list[Entry], int]]:
    """Yield what was added to a transcript, in portions, each with the offset after it.

    A last line without its end is read if it is complete, and waits otherwise. A file that is shorter than before, or
    another one, is read from its beginning. Raises Refused for a file that cannot be read."""
    with opened_file(path, path.name) as file:
        about = os.fstat(file.fileno())
        here = (about.st_dev, about.st_ino)
        if place.file != here or about.st_size < place.offset:
            place.file, place.offset = here, 0
            place.open.clear()
        offset = file.seek(place.offset)
        found: list[Entry] = []
        while line := file.readline(LINE_BYTES):
            ended = line.endswith(b"\n")
            if not ended and len(line) < LINE_BYTES and not is_complete(line):
                break
            offset += len(line)
            found.extend(entries(line))
            if len(found) >= ENTRIES_AT_ONCE:
                yield found, offset
                found = []
        yield found, offset


def messages(path: Path) -> list[Said]:
    """Return all turns of a transcript, oldest first, without its sub-agents. Raises Refused for a file that
    cannot be read."""
    return [
        each
        for found, _ in read_on(path, Place())
        for each in found
        if isinstance(each, Said) and not each.aside
    ]
