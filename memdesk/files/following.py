"""Transcripts that are being written: each is read on from where its last reading ended."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from memdesk.files.reading import opened_file
from memdesk.files.transcripts import Called, Entry, Said, entries, is_complete

LINE_BYTES = 16 * 1024 * 1024
"""Longest line that is read, such as a picture in a message; the rest of a longer one is skipped."""
ENTRIES_AT_ONCE = 400
FILES_KEPT = 500
"""Transcripts whose place is remembered. A place that is forgotten costs another reading, and stores nothing twice."""


@dataclass(slots=True)
class Place:
    """Where the reading of a transcript ended. file: its device and inode. open: calls that have no result yet.

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
