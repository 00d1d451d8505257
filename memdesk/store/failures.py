"""Errors of the database as MemDesk's own: damage, a disk that refuses writes, and texts that cannot be stored."""

from __future__ import annotations

from memdesk.model.errors import BadAsk, MemDeskError, StorageFailed
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store import binding

_DISK_CODES = frozenset((8, 10, 13, 14))
"""Primary codes of SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN."""


def failed(error: Exception, *, says: Message) -> StorageFailed:
    """Return the error for a failed database operation; for a damaged file it suggests restoring a backup."""
    mend = (
        message("Keep a copy of the file, then restore the desk's folder from a backup.")
        if is_damage(error)
        else NO_MESSAGE
    )
    wrong = StorageFailed(says, next=mend)
    wrong.__cause__ = error
    return wrong


def why(error: Exception) -> str:
    return "its tables have names that are no text" if isinstance(error, UnicodeDecodeError) else str(error)


def is_damage(error: Exception) -> bool:
    # What is wrong with the file itself comes as this very class, all else as one derived from it. SQLite repeats
    # damaged names in what it says, and Python cannot read them then.
    return type(error) is binding.sqlite.DatabaseError or isinstance(error, UnicodeDecodeError)


def is_refused_by_disk(error: BaseException | None) -> bool:
    """Return True if the disk or its file system refused a write, regardless of the data."""
    if not isinstance(error, binding.sqlite.OperationalError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    # Where this Python does not know the code, the sentence has to do.
    return (
        code & 0xFF in _DISK_CODES
        if code is not None
        else any(word in str(error) for word in ("disk", "readonly"))
    )


def explained(error: Exception) -> Exception:
    if isinstance(error, MemDeskError):
        return error
    if isinstance(error, UnicodeEncodeError):
        return BadAsk(message("The text holds half a character (a lone surrogate), which cannot be stored."))
    if isinstance(error, binding.sqlite.Error):
        return failed(error, says=message("The desk could not be written: {error}.", error=why(error)))
    return error
