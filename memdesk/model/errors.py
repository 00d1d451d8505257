"""Every error a person or an agent may meet. Each carries a code, a sentence and a next step.

MemDeskError
├── the world's fault: tell the person
│   ├── BadAsk            the question makes no sense as asked                  422
│   ├── NotAllowed        an agent asked for what only the owner may do         403
│   ├── NotFound          no such memory, file or change                        404
│   ├── Conflict          somebody changed it since                             409
│   ├── Refused           an import or a file that cannot be taken in           422
│   ├── EmbedderUnavailable  vectors are off, words still answer                503
│   ├── ModelUnavailable  the language model gave no answer, rules do what they can 503
│   ├── ServiceAway       nobody answers on the desk's socket                   503
│   ├── DeskBusy          another service holds this desk                       409
│   └── StorageFailed     the disk or the database failed; nothing was written  507
└── ours
    ├── NewerDesk         the desk was written by a newer MemDesk               409
    └── BugError          what should not happen                                500
"""

from __future__ import annotations

from typing import Any, ClassVar


class MemDeskError(Exception):
    """Root of the tree. `says` is for a person, `next` is what to try, `details` is for programs."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    default_next: ClassVar[str] = ""

    def __init__(self, says: str, *, next: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(says)
        self.says = says
        self.next = next or self.default_next
        self.details = details or {}


class BadAsk(MemDeskError):
    """The question makes no sense as asked."""

    code = "bad_ask"
    status = 422
    exit_code = 2


class NotAllowed(MemDeskError):
    """An agent asked for what only the desk's owner may do."""

    code = "not_allowed"
    status = 403
    exit_code = 3
    default_next = "Present the desk's owner token, or do it from the window or the command line."


class NotFound(MemDeskError):
    """No such memory, file or change."""

    code = "not_found"
    status = 404
    exit_code = 4
    default_next = "Look for it with memory.find, or with `memdesk facts` and `memdesk log`."


class Conflict(MemDeskError):
    """Somebody changed it since. `details` holds what was expected and what was found."""

    code = "conflict"
    status = 409
    exit_code = 5
    default_next = "Look at both versions and decide again."


class Refused(MemDeskError):
    """A file or folder that cannot be taken in; nothing of it was."""

    code = "refused"
    status = 422
    exit_code = 6


class EmbedderUnavailable(MemDeskError):
    """Vectors are off; callers fall back to words alone and say so."""

    code = "embedder_unavailable"
    status = 503
    exit_code = 7


class ModelUnavailable(MemDeskError):
    """The language model gave no usable answer; callers go on without it and say so."""

    code = "model_unavailable"
    status = 503
    exit_code = 13
    default_next = "Check model_url and model_name in the settings, or leave them empty to go without."


class ServiceAway(MemDeskError):
    """Nobody answers on the desk's socket."""

    code = "service_away"
    status = 503
    exit_code = 8
    default_next = "Start it with `memdesk serve`, or look into the desk's logs folder."


class DeskBusy(MemDeskError):
    """Another service holds this desk."""

    code = "desk_busy"
    status = 409
    exit_code = 9
    default_next = "Use the running service, or end it with `memdesk stop`."


class StorageFailed(MemDeskError):
    """The disk or the database failed; the change was not written."""

    code = "storage_failed"
    status = 507
    exit_code = 10
    default_next = "Free some disk space or check the folder's permissions, then try again."


class NewerDesk(MemDeskError):
    """The desk was written by a newer MemDesk; it is left as it was."""

    code = "newer_desk"
    status = 409
    exit_code = 11
    default_next = "Install the newer MemDesk, or open another desk with --desk."


class Cancelled(MemDeskError):
    """A person stopped a job; what it had finished stays."""

    code = "cancelled"
    status = 409
    exit_code = 12


class BugError(MemDeskError):
    """What should not happen. The log in the desk's folder says more."""

    code = "bug"
    status = 500
    exit_code = 70
    default_next = "The desk's log has the details; your memory was not changed."


WORLD: tuple[type[MemDeskError], ...] = (
    BadAsk,
    NotAllowed,
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
BY_CODE: dict[str, type[MemDeskError]] = {error.code: error for error in WORLD}
