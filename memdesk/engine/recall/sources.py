"""What the items of a pool stand for, by search number: records, made of rows only where somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from memdesk.store.connection import Row
from memdesk.store.search import turn_of


class Sources(MutableMapping[int, Any]):
    """Search number -> record. A pool holds hundreds of turns and returns ten, so turns wait as rows."""

    def __init__(self) -> None:
        self._records: dict[int, Any] = {}
        self._turns: dict[int, Row] = {}

    def add_turn(self, seq: int, row: Row) -> None:
        """Keep a turn as a row of `search.turns_around`."""
        self._turns[seq] = row

    def __getitem__(self, seq: int) -> Any:
        if seq in self._turns:
            self._records[seq] = turn_of(self._turns.pop(seq))
        return self._records[seq]

    def __setitem__(self, seq: int, record: Any) -> None:
        self._turns.pop(seq, None)
        self._records[seq] = record

    def __delitem__(self, seq: int) -> None:
        if self._turns.pop(seq, None) is None:
            del self._records[seq]

    def __contains__(self, seq: object) -> bool:
        return seq in self._turns or seq in self._records

    def __iter__(self) -> Iterator[int]:
        yield from self._records
        yield from self._turns

    def __len__(self) -> int:
        return len(self._records) + len(self._turns)
