"""Notices that remain until a person answers them, in a file outside the database, so that damage to it
cannot hide them.

The service writes the file; the command line reads it, so that every command can show the open notices."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from memdesk.files.atomic import write_atomic
from memdesk.model.errors import MemDeskError, NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.message import Message, message
from memdesk.model.status import StandingNotice

LOST, DAMAGED, OPENED, UNSWEPT = "lost", "damaged", "opened", "unswept"
NAMED_AT_MOST = 5
ITEMS_AT_MOST = 10_000

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Item:
    """Item that a notice is about. label: its name for a person. at: UTC microseconds."""

    notice: str
    item: str
    label: str
    at: int
    answered: bool = False


class Notices:
    """Notices of one desk, by id: `lost`, `damaged`, `opened` and `unswept`, each with all its items. Thread-safe."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()
        self._items = {(each.notice, each.item): each for each in _read(file)}

    def note(self, notice: str, item: str, label: str, at: int) -> bool:
        """Add an item to a notice, once; return False if it could not be written to the disk."""
        with self._lock:
            if (notice, item) in self._items or len(self._items) >= ITEMS_AT_MOST:
                return True
            self._items[notice, item] = _Item(notice, item, label, at)
            return self._keep()

    def standing(self) -> tuple[StandingNotice, ...]:
        """Return the unanswered notices."""
        with self._lock:
            return tuple(_open_notices(self._items.values()))

    def items(self, notice: str) -> tuple[str, ...]:
        """Return the items of an unanswered notice."""
        with self._lock:
            return tuple(
                each.item for each in self._items.values() if each.notice == notice and not each.answered
            )

    def answer(self, notice: str) -> None:
        """Mark a notice as answered; the same items never raise it again. Raises NotFound when it is not
        open."""
        with self._lock:
            found = [each for each in self._items.values() if each.notice == notice and not each.answered]
            if not found:
                raise NotFound(
                    message("No notice “{notice}” stands.", notice=notice),
                    next=message("`memdesk notices` lists those that do."),
                )
            for each in found:
                each.answered = True
            self._keep()

    def forget(self, notice: str) -> None:
        """Delete the items of a notice, as after a repair; items found again raise it again."""
        with self._lock:
            self._items = {key: each for key, each in self._items.items() if each.notice != notice}
            self._keep()

    def _keep(self) -> bool:
        said = json.dumps([asdict(each) for each in self._items.values()], ensure_ascii=False, indent=1)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomic(self._file, said.encode("utf-8", "replace"))
        except (MemDeskError, OSError) as wrong:
            log.warning("a notice could not be written down: %s", wrong)
            return False
        return True


def standing(file: Path) -> tuple[StandingNotice, ...]:
    """Read the unanswered notices of a desk from its file."""
    return tuple(_open_notices(_read(file)))


def _read(file: Path) -> list[_Item]:
    try:
        return [_Item(**each) for each in json.loads(file.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as wrong:
        log.warning("the notices in %s could not be read: %s", file, wrong)
        return []


def _open_notices(items: Iterable[_Item]) -> Iterator[StandingNotice]:
    known = [each for each in items if not each.answered]
    for notice, says in ((LOST, _lost), (DAMAGED, _damaged), (OPENED, _opened), (UNSWEPT, _unswept)):
        found = [each for each in known if each.notice == notice]
        if found:
            yield StandingNotice(
                id=notice,
                says=says([each.label for each in found]),
                at=to_datetime(min(each.at for each in found)),
            )


def _lost(labels: Sequence[str]) -> Message:
    return message(
        "The database lacked its last {what} when it was opened: a file was damaged or put back. "
        "`memdesk verify` says where, and a backup may have them.",
        what=labels[-1],
    )


def _damaged(labels: Sequence[str]) -> Message:
    named: Message | str = ", ".join(labels[:NAMED_AT_MOST])
    if len(labels) > NAMED_AT_MOST:
        more = f"{len(labels) - NAMED_AT_MOST:,}"
        named = message("{named} and {count} more", named=named, count=more)
    return message(
        "Damage of the disk was found in {named}, and what is damaged is left out of every answer. "
        "`memdesk verify` says what else is; a backup may have it whole.",
        named=named,
    )


def _opened(labels: Sequence[str]) -> Message:
    return message(
        "Other users could open the desk's folder (mode {what}); it is closed now. "
        "Who may have read it cannot be known: the owner's token is in it. Delete owner.token to get another.",
        what=labels[-1],
    )


def _unswept(_labels: Sequence[str]) -> Message:
    return message(
        "This desk is from before passwords and keys were masked, and may have some in clear. "
        "`memdesk secrets sweep`, or the panel Secrets, masks them and says what is left where."
    )
