"""Mark outside the database that records its newest event, because SQLite drops the tail of a damaged WAL
silently.

Written after the commits, at most once a second and at the end, without waiting for the disk: it may be older
than the database, never newer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memdesk.files.notices import LOST, Notices

log = logging.getLogger(__name__)
LAG_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Mark:
    """Position of the database. event: the number of the newest event; hash: the chain's hash at the newest
    change up to it."""

    event: int
    hash: bytes


class MarkKeeper:
    """Writer of the mark of one store. position: returns (event, hash); call it only between commits.

    found: the mark read when the desk was opened. lost: events up to the mark that the database no longer
    has; differs: the database has another hash at the mark. hash_at: the chain's hash at the newest change up
    to an event."""

    def __init__(
        self, file: Path, position: Callable[[], tuple[int, bytes]], hash_at: Callable[[int], bytes | None]
    ) -> None:
        self._file, self._position = file, position
        self._noted = position()
        self.found = read_mark(file)
        self.lost = max(0, 0 if self.found is None else self.found.event - self._noted[0])
        self.differs = self.found is not None and (hash_at(self.found.event) or b"") != self.found.hash
        self._held = self.differs or self.lost > 0
        if self.lost:
            log.error("the database lacks the last %d events that it once held", self.lost)
        elif self.differs:
            log.error("the database holds other events than it once did")
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def committed(self) -> None:
        """Note a commit. Called on the writer thread."""
        self._noted = self._position()
        if self._timer is None:
            self._timer = threading.Timer(LAG_SECONDS, self.write)
            self._timer.daemon = True
            self._timer.start()

    def write(self) -> None:
        """Write the mark as of the last commit. If the disk refuses it, only a possible warning is lost."""
        with self._lock:
            self._timer = None
            if self._held:
                return
            event, hash = self._noted
            temporary = self._file.with_suffix(".new")
            try:
                self._file.parent.mkdir(mode=0o700, exist_ok=True)
                temporary.write_text(line_of(Mark(event, hash)), encoding="ascii")
                temporary.replace(self._file)
            except OSError as error:
                log.warning("the mark of the last change could not be written: %s", error.strerror)

    def hand_over(self, notices: Notices, at: int) -> None:
        """Raise a notice about a loss. Until the notice is on the disk, the mark that shows the loss is kept."""
        if self.found is not None and self._held:
            label = "event" if self.lost == 1 else f"{self.lost:,} events" if self.lost else "events"
            self._held = not notices.note(LOST, f"{self.found.event} {self.found.hash.hex()}", label, at)

    def known(self) -> tuple[Mark, ...]:
        """Return the mark read when the desk was opened, and the mark as it is now."""
        return tuple(mark for mark in (self.found, read_mark(self._file)) if mark is not None)

    def close(self) -> None:
        """Write the mark for the last time."""
        timer = self._timer
        if timer is not None:
            timer.cancel()
        self.write()


def line_of(mark: Mark) -> str:
    """Return the text of a mark, as written to its file."""
    return f"{mark.event} {mark.hash.hex()}\n"


def read_mark(file: Path) -> Mark | None:
    """Return the mark as last written, None if there is none that can be read."""
    try:
        return mark_in(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def mark_in(text: str) -> Mark:
    """Parse a mark from its text. Raises ValueError."""
    event, hash = text.split(" ")
    return Mark(int(event), bytes.fromhex(hash))
