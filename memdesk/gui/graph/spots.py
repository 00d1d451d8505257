"""Where the rows of a drawing lie, worked out when a row is looked at: of 50,000 rows some fifty are seen at once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from memdesk.gui.graph.order import LEFT, Branch

ROW_PX = 28
INDENT_PX = 28
DEEPEST = 5
"""Rows that hang deeper are not indented further, so that words keep their room."""
SHAPE_PX = 20
"""From a region's inner edge to the middle of its shapes."""
HALO_PX = 12
"""Half the width a selected shape takes, with the ring around it."""
LABEL_PX = 14
"""From the middle of a shape to its words."""
EDGE_PX = 12
"""Between words and the region's outer edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where one row lies. area: its ground; shape: the middle of its shape; label: its words.

    side: the column, which is also the direction away from the centre. depth, parent: as in its Branch."""

    id: str
    area: QRectF
    shape: QPointF
    label: QRectF
    side: int
    depth: int
    parent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The box of one channel and how many rows it holds."""

    channel: str
    box: QRectF
    side: int
    rows: int


Place = tuple[Region, Branch, float]
"""A row, its region, and the y of its top."""


class Spots(Mapping[str, Spot]):
    """The spot of each row by its id, in reading order. columns: rows from the top, by their side."""

    def __init__(self, columns: Mapping[int, Sequence[Place]]) -> None:
        self._places = {place[1].id: place for column in columns.values() for place in column}
        self._tops = {side: [y for _, _, y in column] for side, column in columns.items()}
        self._ids = {side: [row.id for _, row, _ in column] for side, column in columns.items()}
        self._made: dict[str, Spot] = {}
        self._last: dict[str, str] = {
            row.parent: row.id
            for column in columns.values()
            for _, row, _ in column
            if row.parent is not None
        }

    def __getitem__(self, id: str) -> Spot:
        if id not in self._made:
            self._made[id] = _spot(*self._places[id])
        return self._made[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, id: object) -> bool:
        return id in self._places

    def in_band(self, top: float, foot: float) -> list[Spot]:
        """The rows between two heights, also those that reach into it."""
        found = []
        for side, tops in self._tops.items():
            first, end = bisect_left(tops, top - ROW_PX), bisect_right(tops, foot)
            found += [self[id] for id in self._ids[side][first:end]]
        return found

    def nearest(self, side: int, y: float) -> Spot | None:
        """The row of a column whose middle is nearest to a height."""
        tops = self._tops.get(side, [])
        place = bisect_left(tops, y - ROW_PX / 2)
        around = [self[self._ids[side][each]] for each in (place - 1, place) if 0 <= each < len(tops)]
        return min(around, key=lambda spot: abs(spot.shape.y() - y), default=None)

    def hanging(self, seen: Sequence[Spot]) -> list[Spot]:
        """Of rows that are seen those that hang under another, and the last of each family that passes by them."""
        found: dict[str, Spot] = {}
        for spot in seen:
            step: Spot | None = spot
            while step is not None and step.id not in found:
                if step.id in self._last:
                    found.setdefault(self._last[step.id], self[self._last[step.id]])
                if step.parent is None:
                    break
                found[step.id] = step
                step = self[step.parent]
        return list(found.values())


def _spot(region: Region, row: Branch, y: float) -> Spot:
    """A row reads away from the centre: its shape at the inner edge of the region, its words outside of it."""
    inside = SHAPE_PX + min(row.depth, DEEPEST) * INDENT_PX
    near, far = region.box.left(), region.box.right()
    if region.side == LEFT:
        near, far = far, near
    x, end = near + region.side * inside, far - region.side * EDGE_PX
    words = x + region.side * LABEL_PX
    return Spot(
        id=row.id, side=region.side, depth=row.depth, parent=row.parent,
        area=_upright(x - region.side * HALO_PX, y + 2, end, y + ROW_PX - 2),
        shape=QPointF(x, y + ROW_PX / 2),
        label=_upright(words, y, end, y + ROW_PX),
    )  # fmt: skip


def _upright(x: float, top: float, other_x: float, foot: float) -> QRectF:
    """The rectangle between two verticals, whichever stands at the left."""
    return QRectF(QPointF(min(x, other_x), top), QPointF(max(x, other_x), foot))
