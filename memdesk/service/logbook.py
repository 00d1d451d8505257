"""Log of the service: one rotating private file in the desk's folder. It records events, never memory."""

from __future__ import annotations

import faulthandler
import io
import logging
import logging.handlers
import os
import sys
from pathlib import Path
from types import TracebackType

from memdesk.model.errors import StorageFailed
from memdesk.service.sockets import PRIVATE_FILE, closed_folder

LOG_BYTES = 1_000_000
LOG_FILES = 3
FORMAT = "%(asctime)s %(levelname)s [%(process)d] %(name)s: %(message)s"


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """Rotating log whose files only their owner can read."""

    def _open(self) -> io.TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


def _note_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log the exception that ends the service, since a background process has no other place for it."""
    logging.getLogger(__name__).critical("the service died", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


def open_log(file: Path) -> None:
    """Send MemDesk's messages, libraries' warnings and hard crashes to the desk's log. Raises StorageFailed."""
    closed_folder(file.parent)
    try:
        handler = _PrivateLog(file, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8")
    except OSError as refused:
        raise StorageFailed(f"The log {file} cannot be written: {refused.strerror}.") from refused
    handler.setFormatter(logging.Formatter(FORMAT))
    logging.captureWarnings(True)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("memdesk").setLevel(logging.INFO)
    sys.excepthook = _note_uncaught
    faulthandler.enable(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC))
