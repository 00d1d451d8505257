"""What the items of a pool stand for, by search number: turns are read whole only where somebody looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

from memdesk.model.turn import TURN
from memdesk.store import records
from memdesk.store.connection import Connection


class Sources(MutableMapping[int, Any]):
    """Search number -> record. A pool holds hundreds of turns and returns ten, so turns wait unread."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._records: dict[int, Any] = {}
        self._unread: set[int] = set()

    def add_turns(self, seqs: Iterable[int]) -> None:
        """Hold turns that `search.turns_around` found, unread."""
        self._unread.update(seqs)

    def read(self, seqs: Iterable[int]) -> None:
        """Read these turns at once, where many are looked at: one by one costs a statement each."""
        for turn in records.many(self._db, TURN, "seq", [seq for seq in seqs if seq in self._unread]):
            self[turn.seq] = turn

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
