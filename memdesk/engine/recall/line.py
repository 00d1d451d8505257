"""Memories laid out on a line, turns beside their neighbours, so that lending to neighbours is one convolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
"""One number per item, in the order of the items."""
Rows = NDArray[np.float32]
"""One vector per item, in the order of the items."""

RADIUS = 4
"""How many turns away a turn can still lend: one more changes nothing on LoCoMo."""
GAP_US = 6 * 3600 * 1_000_000
"""Turns of one conversation with more than six hours between them are not about the same thing."""
_APART = RADIUS + 1


@dataclass(slots=True, kw_only=True)
class Item:
    """One memory that may be returned. seq: its number in the text index. kind: turn, fact, entity or passage.

    conversation, index and speaker: where a turn stands, None for the other kinds. at: UTC microseconds. confidence,
    salience: 0-1, 1 where the kind has none. here: of the active channel rather than `_global`. Not frozen,
    because a recall makes hundreds, and a frozen one takes three times as long to make.
    """

    seq: int
    kind: str
    text: str
    at: int
    conversation: str | None = None
    index: int | None = None
    speaker: str | None = None
    confidence: float = 1.0
    salience: float = 1.0
    here: bool = True


@dataclass(frozen=True)
class Line:
    """Items with a slot each: turns of one conversation as far apart as their indexes, all else out of reach."""

    items: Sequence[Item]

    def spread(self, values: Values, kernel: Values) -> Values:
        """Values with what neighbours lend. kernel[RADIUS + d] is the share of a value that reaches d turns later."""
        laid = np.zeros(self._length)
        laid[self._slots] = values
        return np.convolve(laid, kernel, mode="same")[self._slots]

    def joined(self, rows: Rows, at: NDArray[np.intp], lent: Mapping[int, float]) -> Rows:
        """Vectors of the items at these positions with what neighbours among them lend.

        lent[d] is the share of a vector that reaches d turns later.
        """
        slots = self._slots[at]
        standing = np.full(self._length, -1)
        standing[slots] = np.arange(len(rows))
        out = rows.copy()
        for turns, share in lent.items():
            lender = standing[slots - turns]
            borrows = np.flatnonzero(lender >= 0)
            out[borrows] += rows[lender[borrows]] * np.float32(share)
        return out

    def from_seqs(self, values: Mapping[int, float]) -> Values:
        """Values given by seq, 0 where none is given."""
        return np.array([values.get(item.seq, 0.0) for item in self.items], dtype=np.float64)

    def flags(self, seqs: Sequence[int]) -> Values:
        """1 for the items with these seqs, 0 for the rest; seqs that are not here are passed over."""
        flags = np.zeros(len(self.items))
        flags[[self.place[seq] for seq in seqs if seq in self.place]] = 1.0
        return flags

    @cached_property
    def seqs(self) -> NDArray[np.int64]:
        """The number of each item."""
        return np.array([item.seq for item in self.items], dtype=np.int64)

    @cached_property
    def at(self) -> NDArray[np.int64]:
        """The time of each item in UTC microseconds."""
        return np.array([item.at for item in self.items], dtype=np.int64)

    @cached_property
    def place(self) -> dict[int, int]:
        """Seq -> position among the items."""
        return {item.seq: position for position, item in enumerate(self.items)}

    @cached_property
    def _length(self) -> int:
        return int(self._slots.max(initial=0)) + _APART

    @cached_property
    def _slots(self) -> NDArray[np.intp]:
        slots = np.zeros(len(self.items), dtype=np.intp)
        slot, before = 0, None
        for position in sorted(range(len(self.items)), key=self._order):
            item = self.items[position]
            slot += _distance(before, item)
            slots[position], before = slot, item
        return slots

    def _order(self, position: int) -> tuple[str, int, int]:
        item = self.items[position]
        return (item.conversation or "", -1 if item.index is None else item.index, item.seq)


def _distance(before: Item | None, item: Item) -> int:
    if (
        before is None
        or before.index is None
        or item.index is None
        or before.conversation != item.conversation
        or abs(item.at - before.at) > GAP_US
    ):
        return _APART
    return min(item.index - before.index, _APART)
