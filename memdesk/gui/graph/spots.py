"""Places of the rows of a drawing, computed when a row is looked at: of 50,000 rows some fifty are visible at
a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from memdesk.gui.graph.forest import DEEPEST, INDENT_PX, NONE, ROW_PX, Forest, Ints
from memdesk.gui.graph.order import LEFT

HEAD_PX = 34
"""Height of a region's header, above its rows."""
SHAPE_PX = 20
"""Distance from a region's inner edge to the middle of its shapes."""
HALO_PX = 12
"""Half the width of a selected shape, with the ring around it."""
LABEL_PX = 14
"""Distance from the middle of a shape to its words."""
EDGE_PX = 12
"""Distance between words and the region's outer edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Place of a row. area: its ground; shape: the middle of its shape; label: its words.

    side: the column, which is also the direction away from the centre. depth, parent: as in its forest."""

    id: str
    area: QRectF
    shape: QPointF
    label: QRectF
    side: int
    depth: int
    parent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Box of a channel and its number of rows."""

    channel: str
    box: QRectF
    side: int
    rows: int


class Spots(Mapping[str, Spot]):
    """Spot of each row by its id, in reading order. regions: in reading order. forests: the rows of each
    channel.

    ranks: the rank of at least each row. lone: a spot that belongs to no region."""

    def __init__(
        self,
        regions: Sequence[Region],
        forests: Mapping[str, Forest],
        ranks: Mapping[str, int],
        lone: Spot | None = None,
    ) -> None:
        self.regions, self.forests, self.ranks, self.lone = regions, forests, ranks, lone
        self._grown = [(region, forests[region.channel]) for region in regions]
        self._firsts = list(accumulate((len(forest) for _, forest in self._grown), initial=0))
        self._made: dict[str, Spot] = {}

    def __getitem__(self, id: str) -> Spot:
        if id in self._made:
            return self._made[id]
        if self.lone is not None and id == self.lone.id:
            return self.lone
        return self._at(*self._place(id))

    def __iter__(self) -> Iterator[str]:
        return (id for _, forest in self._grown for id in forest.ids)

    def __len__(self) -> int:
        return self._firsts[-1]

    def __contains__(self, id: object) -> bool:
        return self.number(str(id)) is not None or (self.lone is not None and id == self.lone.id)

    @cached_property
    def _numbers(self) -> Ints:
        """Reading number of each row by rank, from 0; NONE for a record that is not drawn."""
        made = np.full(len(self.ranks), NONE, dtype=np.int64)
        for first, (_, forest) in zip(self._firsts[:-1], self._grown, strict=True):
            made[forest.ranks] = np.arange(first, first + len(forest))
        return made

    def _place(self, id: str) -> tuple[int, int]:
        """Return the number of a row's region and the row's place in it. Raises KeyError."""
        number = self.number(id)
        if number is None:
            raise KeyError(id)
        region = bisect_right(self._firsts, number) - 1
        return region, number - self._firsts[region]

    def _at(self, number: int, place: int) -> Spot:
        region, forest = self._grown[number]
        id = forest.ids[place]
        if id not in self._made:
            self._made[id] = self._spot(region, forest, place)
        return self._made[id]

    def _spot(self, region: Region, forest: Forest, place: int) -> Spot:
        """Compute the spot of a row, which reads away from the centre: its shape is at the inner edge of the
        region, its words outwards of it."""
        depth, parent = int(forest.depths[place]), int(forest.parents[place])
        y = region.box.y() + HEAD_PX + float(forest.tops[place])
        near, far = region.box.left(), region.box.right()
        if region.side == LEFT:
            near, far = far, near
        x = near + region.side * (SHAPE_PX + min(depth, DEEPEST) * INDENT_PX)
        end, words = far - region.side * EDGE_PX, x + region.side * LABEL_PX
        return Spot(
            id=forest.ids[place], side=region.side, depth=depth,
            parent=None if parent == NONE else forest.ids[parent],
            area=_upright(x - region.side * HALO_PX, y + 2, end, y + ROW_PX - 2),
            shape=QPointF(x, y + ROW_PX / 2),
            label=_upright(words, y, end, y + ROW_PX),
        )  # fmt: skip

    def in_band(self, top: float, foot: float) -> list[Spot]:
        """Return the rows between two heights, also those that are partly outside."""
        found = []
        for number, (region, forest) in enumerate(self._grown):
            if region.box.top() <= foot and region.box.bottom() >= top:
                start = region.box.y() + HEAD_PX
                first = int(forest.tops.searchsorted(top - ROW_PX - start))
                end = int(forest.tops.searchsorted(foot - start, side="right"))
                found += [self._at(number, place) for place in range(first, end)]
        return found

    def nearest(self, side: int, y: float) -> Spot | None:
        """Return the row of a column whose middle is nearest to a height, None if the column is empty."""
        around = []
        for number, (region, forest) in enumerate(self._grown):
            if region.side == side:
                place = int(forest.tops.searchsorted(y - ROW_PX / 2 - region.box.y() - HEAD_PX))
                near = (each for each in (place - 1, place) if 0 <= each < len(forest))
                around += [self._at(number, each) for each in near]
        return min(around, key=lambda spot: abs(spot.shape.y() - y), default=None)

    def hanging(self, seen: Sequence[Spot]) -> list[Spot]:
        """Return the rows whose elbows may cross the visible rows: those with a parent among the visible rows
        and their ancestors, and the last child of each of them."""
        found: dict[str, Spot] = {}
        for spot in seen:
            if self.lone is not None and spot.id == self.lone.id:
                continue
            number, place = self._place(spot.id)
            forest = self._grown[number][1]
            while place != NONE and forest.ids[place] not in found:
                last, above = int(forest.lasts[place]), int(forest.parents[place])
                if last != NONE:
                    found.setdefault(forest.ids[last], self._at(number, last))
                if above != NONE:
                    found[forest.ids[place]] = self._at(number, place)
                place = above
        return list(found.values())

    # Reading order.

    def number(self, id: str) -> int | None:
        """Return the reading number of a row, from 0; None for a record that is not drawn."""
        rank = self.ranks.get(id)
        number = NONE if rank is None else int(self._numbers[rank])
        return None if number == NONE else number

    def read(self, number: int) -> str:
        """Return the id of the row with a reading number."""
        region = bisect_right(self._firsts, number) - 1
        return self._grown[region][1].ids[number - self._firsts[region]]

    def with_lone(self, spot: Spot) -> Spots:
        """Return the same with a spot that belongs to no region."""
        return Spots(self.regions, self.forests, self.ranks, spot)


def _upright(x: float, top: float, other_x: float, foot: float) -> QRectF:
    """Return the rectangle between two verticals, in either order."""
    return QRectF(QPointF(min(x, other_x), top), QPointF(max(x, other_x), foot))
