"""Line of memories, with turns next to their neighbours, so that sharing with neighbours is one convolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
"""Array of one number per item, in the order of the items."""
Rows = NDArray[np.float32]
"""Matrix of one vector per item, in the order of the items."""

RADIUS = 4
"""Most turns over which a turn can share with another: one more changes no result on LoCoMo."""
GAP_US = 6 * 3600 * 1_000_000
"""Longest gap between related turns: turns of one conversation more than six hours apart have different
subjects."""
_APART = RADIUS + 1
_FAR = np.iinfo(np.intp).max


@dataclass(slots=True)
class Item:
    """Memory that may be returned. seq: its number in the text index. kind: turn, fact, entity or passage.

    conversation, index and speaker: position of a turn, None for the other kinds. at: UTC microseconds.
    confidence, salience: 0-1, 1 if the kind has none. here: of the active channel, not `_global`. returned: False for
    a turn that only lends to the facts read from it. Not frozen, because a recall makes hundreds, and a frozen one
    takes three times as long to make."""

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
    returned: bool = True


@dataclass(frozen=True)
class Line:
    """Items in numbered slots: turns of one conversation as far apart as their indexes, all others out of
    reach."""

    items: Sequence[Item]

    def spread(self, values: Values, kernel: Values) -> Values:
        """Return the values with shares from neighbours. kernel[RADIUS + d] is the share of a value that
        reaches d turns later."""
        laid = np.zeros(self._length)
        laid[self._slots] = values
        return np.convolve(laid, kernel, mode="same")[self._slots]

    def likeness(self, rows: Rows, at: NDArray[np.intp], reach: int) -> list[Values]:
        """Return products of the items' vectors with those of the items 1, 2, ... `reach` slots later, 0 if
        there is none.

        rows: one vector for each of the positions `at`."""
        order = np.argsort(self._slots[at])
        rows, at = rows[order], at[order]
        slots = self._slots[at]
        found = [np.zeros(len(self.items)) for _ in range(reach)]
        # What is that many slots later is at most that many items later.
        for later in range(1, reach + 1):
            products = np.einsum("ij,ij->i", rows[:-later], rows[later:])
            apart = slots[later:] - slots[:-later]
            for slot in range(later, reach + 1):
                here = np.flatnonzero(apart == slot)
                found[slot - 1][at[here]] = products[here]
        return found

    def from_seqs(self, values: Mapping[int, float]) -> Values:
        """Return values given by seq as an array, 0 for items without one."""
        return np.array([values.get(item.seq, 0.0) for item in self.items], dtype=np.float64)

    def flags(self, seqs: Sequence[int]) -> Values:
        """Return 1 for the items with these seqs, 0 for the rest; seqs that are not in the line are ignored."""
        flags = np.zeros(len(self.items))
        flags[[self.place[seq] for seq in seqs if seq in self.place]] = 1.0
        return flags

    @cached_property
    def seqs(self) -> NDArray[np.int64]:
        """Return the search number of each item."""
        return np.array([item.seq for item in self.items], dtype=np.int64)

    @cached_property
    def at(self) -> NDArray[np.int64]:
        """Return the time of each item in UTC microseconds."""
        return np.array([item.at for item in self.items], dtype=np.int64)

    @cached_property
    def place(self) -> dict[int, int]:
        """Return seq -> position among the items."""
        return {item.seq: position for position, item in enumerate(self.items)}

    @cached_property
    def runs(self) -> NDArray[np.intp]:
        """Return the number of the run of each item: turns of one conversation with no gap longer than GAP_US, every
        other item by itself."""
        order, steps = self._order
        runs = np.empty(len(order), np.intp)
        runs[order] = np.cumsum(steps == _FAR)
        return runs

    @cached_property
    def _length(self) -> int:
        return int(np.max(self._slots, initial=0)) + _APART

    @cached_property
    def _slots(self) -> NDArray[np.intp]:
        """Return the slot of each item, from _APART: turns of one conversation by their distance, all others
        _APART apart."""
        order, steps = self._order
        slots = np.empty(len(order), np.intp)
        slots[order] = np.cumsum(np.minimum(steps, _APART))
        return slots

    @cached_property
    def _order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the items by conversation and index, and the distance of each from the one before it: _FAR if they are
        not of one run."""
        if not self.items:
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        talks: dict[str | None, int] = {None: 0}
        talk = np.array([talks.setdefault(item.conversation, len(talks)) for item in self.items])
        index = np.array([-1 if item.index is None else item.index for item in self.items])
        order = np.lexsort((self.seqs, index, talk))
        talk, index, at = talk[order], index[order], self.at[order]
        beside = (talk[1:] == talk[:-1]) & (index[:-1] >= 0) & (np.abs(np.diff(at)) <= GAP_US)
        return order, np.r_[_FAR, np.where(beside, np.diff(index), _FAR)]
