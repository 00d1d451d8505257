"""Records of a pool's items, by search number: a turn is read in full only when it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

from memdesk.model.document import Document
from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.procedure import STRATEGY
from memdesk.model.turn import TURN
from memdesk.store import records, search
from memdesk.store.connection import Connection

_UNCHECKED = {kind.record: kind for kind in (FACT, ENTITY, GOAL, STRATEGY)}
"""Kinds of which a pool contains hundreds of records, read without an integrity check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSource:
    """Passage of a document, with the document."""

    document: Document
    heading: str
    first_line: int
    last_line: int
    text: str


class Sources(MutableMapping[int, Any]):
    """Mapping of search numbers to records. A pool has hundreds of turns and returns ten, so turns are read
    when needed."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._records: dict[int, Any] = {}
        self._unread: set[int] = set()

    def add_turns(self, seqs: Iterable[int]) -> None:
        """Add turns found by `search.turns_around`, without reading them."""
        self._unread.update(seqs)

    def read(self, seqs: Iterable[int]) -> None:
        """Read these turns in one statement: reading them separately costs a statement each."""
        for turn in records.many(self._db, TURN, "seq", [seq for seq in seqs if seq in self._unread]):
            self[turn.seq] = turn

    def damaged(self, seqs: Iterable[int]) -> set[int]:
        """Return the search numbers of these whose rows are damaged. Found memories are checked here, before
        they are shown."""
        wanted = list(seqs)
        self.read(wanted)
        found = {seq for seq in wanted if seq in self._unread}
        by_kind: dict[str, dict[int, int]] = {}
        for seq in wanted:
            kind = _UNCHECKED.get(type(self._records.get(seq)))
            if kind is not None:
                by_kind.setdefault(kind.name, {})[seq] = self._records[seq].seq
        sound = records.sound(self._db, {name: seqs.values() for name, seqs in by_kind.items()})
        found |= {seq for seqs in by_kind.values() for seq, own in seqs.items() if own not in sound}
        passages = [seq for seq in wanted if isinstance(self._records.get(seq), PassageSource)]
        return found | (set(passages) - search.sound_passages(self._db, passages))

    def __getitem__(self, seq: int) -> Any:
        if seq in self._unread:
            self.read((seq,))
        return self._records[seq]

    def __setitem__(self, seq: int, record: Any) -> None:
        self._unread.discard(seq)
        self._records[seq] = record

    def __delitem__(self, seq: int) -> None:
        if seq in self._unread:
            self._unread.remove(seq)
        else:
            del self._records[seq]

    def __contains__(self, seq: object) -> bool:
        return seq in self._unread or seq in self._records

    def __iter__(self) -> Iterator[int]:
        yield from self._records
        yield from self._unread

    def __len__(self) -> int:
        return len(self._records) + len(self._unread)
