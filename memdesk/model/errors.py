"""Errors reported to people and agents. Each has a code, a sentence and a next step.

All derive from MemDeskError. Caused by the request or the system, with the HTTP status:
- BadAsk (422): the request is not valid.
- NotAllowed (403): only the desk's owner may do this.
- TooMany (429): an agent calls more often than the settings allow.
- NotFound (404): no such memory, file or change.
- Conflict (409): the record has changed since it was read.
- Refused (422): an import or a file that cannot be read.
- EmbedderUnavailable (503): no vectors; search uses words only.
- ModelUnavailable (503): the language model gave no usable answer; rules are used where possible.
- ServiceAway (503): no service answers on the desk's socket.
- DeskBusy (409): another service is using this desk.
- StorageFailed (507): the disk or the database failed; nothing was written.
- Cancelled (409): a person stopped a job; its finished work stays.

Caused by MemDesk itself:
- NewerDesk (409): the desk was written by a newer MemDesk.
- BugError (500): an internal error."""

from __future__ import annotations

from typing import Any, ClassVar

from memdesk.model.message import NO_MESSAGE, Message, message, verbatim


class MemDeskError(Exception):
    """Base class of MemDesk's errors. `says` is for a person, `next` is the suggested action, `details` is
    for programs."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    default_next: ClassVar[Message] = NO_MESSAGE

    def __init__(
        self, says: Message, *, next: Message = NO_MESSAGE, details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(says)
        self.says = verbatim(says)
        self.next = verbatim(next or self.default_next)
        self.details = details or {}

    @property
    def sentence(self) -> str:
        """What happened and the suggested action, as one text."""
        return f"{self.says} {self.next}".rstrip()


class BadAsk(MemDeskError):
    """The request is not valid."""

    code = "bad_ask"
    status = 422
    exit_code = 2


class NotAllowed(MemDeskError):
    """An agent requested an operation that only the desk's owner may perform."""

    code = "not_allowed"
    status = 403
    exit_code = 3
    default_next = message("Present the desk's owner token, or do it from the window or the command line.")


class TooMany(MemDeskError):
    """An agent calls more often than the settings allow. `details` contains `retry_after_s`, the seconds to wait."""

    code = "too_many"
    status = 429
    exit_code = 14


class NotFound(MemDeskError):
    """No such memory, file or change."""

    code = "not_found"
    status = 404
    exit_code = 4
    default_next = message("Look for it with memory.find, or with `memdesk facts` and `memdesk log`.")


class Conflict(MemDeskError):
    """The record has changed since it was read. `details` contains the expected and the found values."""

    code = "conflict"
    status = 409
    exit_code = 5
    default_next = message("Look at both versions and decide again.")


class Refused(MemDeskError):
    """A file or folder cannot be imported; nothing of it was imported."""

    code = "refused"
    status = 422
    exit_code = 6


class EmbedderUnavailable(MemDeskError):
    """The embedder is unavailable; search uses words only and reports that."""

    code = "embedder_unavailable"
    status = 503
    exit_code = 7


class ModelUnavailable(MemDeskError):
    """The language model gave no usable answer; callers continue without it and report that."""

    code = "model_unavailable"
    status = 503
    exit_code = 13
    default_next = message(
        "Check model_url and model_name in the settings, or leave them empty to go without."
    )


class ServiceAway(MemDeskError):
    """No service answers on the desk's socket."""

    code = "service_away"
    status = 503
    exit_code = 8
    default_next = message("Start it with `memdesk serve`, or look into the desk's logs folder.")


class DeskBusy(MemDeskError):
    """Another service is using this desk."""

    code = "desk_busy"
    status = 409
    exit_code = 9
    default_next = message("Use the running service, or end it with `memdesk stop`.")


class StorageFailed(MemDeskError):
    """The disk or the database failed; the change was not written."""

    code = "storage_failed"
    status = 507
    exit_code = 10
    default_next = message("Free some disk space or check the folder's permissions, then try again.")


class NewerDesk(MemDeskError):
    """The desk was written by a newer MemDesk; it was not changed."""

    code = "newer_desk"
    status = 409
    exit_code = 11
    default_next = message("Install the newer MemDesk, or open another desk with --desk.")


class Cancelled(MemDeskError):
    """A person stopped a job; its finished work stays."""

    code = "cancelled"
    status = 409
    exit_code = 12


class BugError(MemDeskError):
    """Internal error in MemDesk. The log in the desk's folder has the details."""

    code = "bug"
    status = 500
    exit_code = 70
    default_next = message("The desk's log has the details; your memory was not changed.")


ALL_ERRORS: tuple[type[MemDeskError], ...] = (
    BadAsk,
    NotAllowed,
    TooMany,
    NotFound,
    Conflict,
    Refused,
    EmbedderUnavailable,
    ModelUnavailable,
    ServiceAway,
    DeskBusy,
    StorageFailed,
    NewerDesk,
    Cancelled,
    BugError,
)
BY_CODE: dict[str, type[MemDeskError]] = {error.code: error for error in ALL_ERRORS}
