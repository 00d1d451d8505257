"""Layout of a graph in px: pure geometry over counted rows, which can be checked without a window."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.forest import (
    DEEPEST,
    INDENT_PX,
    LEFT,
    NONE,
    RIGHT,
    ROW_PX,
    Forest,
    Ints,
    Remembered,
    choose_sides,
)
from memdesk.gui.widgets.paint import CENTER, draw_text, text_width
from memdesk.model.channel import GLOBAL

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
            id=forest.ids[place],
            side=region.side,
            depth=depth,
            parent=None if parent == NONE else forest.ids[parent],
            area=_upright(x - region.side * HALO_PX, y + 2, end, y + ROW_PX - 2),
            shape=QPointF(x, y + ROW_PX / 2),
            label=_upright(words, y, end, y + ROW_PX),
        )

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


SIGN_PX = 20
COUNT_PX = 11
COUNT_PAD_PX = 8


@dataclass(frozen=True, slots=True)
class Hidden:
    """Number of an open row's neighbours that are left out. is_least: there are more, which were not counted."""

    count: int = 0
    is_least: bool = False

    def __bool__(self) -> bool:
        return self.count > 0 or self.is_least

    @property
    def short(self) -> str:
        """Count as “+37”, or as “>4,952” if there are more that were not counted."""
        return f"{'>' if self.is_least else '+'}{self.count:,}"

    @property
    def said(self) -> str:
        """Count as part of a sentence."""
        if self.is_least:
            return tr("more than %Ln connection(s) not shown", "", self.count)
        return tr("%Ln connection(s) not shown", "", self.count)


NOTHING = Hidden()
Opened = Mapping[str, Hidden]
"""Open rows, and the neighbours that each leaves out."""


def paint_signs(painter: QPainter, spot: Spot, opened: Opened, *, looked_at: bool) -> float:
    """Paint a row's signs and return their width in px. The count of neighbours left out is always shown, the
    button only on a selected or hovered row."""
    hidden = opened.get(spot.id, NOTHING)
    if hidden:
        draw_text(painter, _count_area(spot, hidden), hidden.short, look.font(COUNT_PX), c("t3"), CENTER)
    if looked_at:
        area = _sign_area(spot)
        icon = "minus" if spot.id in opened else "plus"
        icons.paint(painter, icon, QPointF(area.x() + 2, round(area.center().y() - 8)), "t2")
    return (SIGN_PX if looked_at or hidden else 0) + (_count_area(spot, hidden).width() if hidden else 0)


def grows_at(spot: Spot, opened: Opened, point: QPointF) -> bool:
    """Return True if a press at a point adds neighbours."""
    hidden = opened.get(spot.id, NOTHING)
    if hidden and _count_area(spot, hidden).contains(point):
        return True
    return spot.id not in opened and _sign_area(spot).contains(point)


def shrinks_at(spot: Spot, opened: Opened, point: QPointF) -> bool:
    """Return True if a press at a point removes neighbours."""
    return spot.id in opened and _sign_area(spot).contains(point)


def _sign_area(spot: Spot) -> QRectF:
    x = spot.area.left() if spot.side == LEFT else spot.area.right() - SIGN_PX
    return QRectF(x, spot.area.top(), SIGN_PX, spot.area.height())


def _count_area(spot: Spot, hidden: Hidden) -> QRectF:
    """Return the area of the count: next to the sign, towards the words."""
    sign, wide = _sign_area(spot), text_width(hidden.short, look.font(COUNT_PX)) + COUNT_PAD_PX
    return QRectF(sign.right() if spot.side == LEFT else sign.left() - wide, sign.top(), wide, sign.height())


MARGIN_PX = 16
TOP_PX = 12
REGION_GAP_PX = 12
FOOT_PX = 10
COLUMN_LEAST_PX = 240
GUTTER_PX = 236
GUTTER_LEAST_PX = 190
ONE_COLUMN_BELOW_PX = 680
"""Width of the canvas below which all regions are in one column, since two columns could not show words."""
BREATH_PX = 40
"""Greatest growth of a region in a canvas with spare height."""
PILL_HEIGHT_PX = 48
PILL_PAD_PX = 20
PILL_MOST_PX = 270


Forests = Mapping[str, Forest]
"""Rows of each channel."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrangement:
    """Layout of a full drawing. middle: x of the centre, whose y follows the view. pill: width of the centre.

    sides: the column of each channel, to be remembered."""

    width: float
    height: float
    middle: float
    pill: float
    spots: Spots
    sides: Mapping[str, int]

    @property
    def regions(self) -> Sequence[Region]:
        """Boxes of channels, from top left to bottom right."""
        return self.spots.regions

    @property
    def reading(self) -> tuple[str, ...]:
        """Ids of all rows in the order of the regions."""
        return tuple(self.spots)

    def looks_like(self, other: Arrangement) -> bool:
        """Return True if every row and region has the same place in another arrangement."""
        return (
            (self.middle, self.pill, self.regions) == (other.middle, other.pill, other.regions)
            and self.spots.lone == other.spots.lone
            and all(
                forest is other.spots.forests[channel] or forest.ids == other.spots.forests[channel].ids
                for channel, forest in self.spots.forests.items()
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Widths:
    left: float
    right: float
    middle: float


def arrange(
    forests: Forests,
    remembered: Remembered,
    center: float,
    size: tuple[float, float],
    channels: Sequence[str],
) -> Arrangement:
    """Arrange rows in a canvas of this size; the drawing becomes higher than the canvas if the rows need it.

    remembered: ranks of at least every row, and columns that channels have already. center: the width of the
    centre's words. channels: the order of regions in a column. The time depends on the number of channels,
    not of rows."""
    width, view = size
    place = {channel: number for number, channel in enumerate(channels)}
    order = sorted(forests, key=lambda channel: (place.get(channel, len(place)), channel))
    heights = {channel: region_height(forests[channel]) for channel in order}
    one = len(forests) < 2 or width < ONE_COLUMN_BELOW_PX
    chosen = dict.fromkeys(forests, RIGHT) if one else choose_sides(heights, remembered.sides, GLOBAL)
    pill = min(PILL_MOST_PX, center + 2 * PILL_PAD_PX)
    widths = _widths(forests, chosen, width, pill)
    spans = {LEFT: (MARGIN_PX, widths.left), RIGHT: (width - MARGIN_PX - widths.right, widths.right)}
    regions = [
        region
        for side, span in spans.items()
        for region in _stack([each for each in order if chosen[each] == side], forests, span, side, view)
    ]
    foot = max((region.box.bottom() for region in regions), default=0.0)
    return Arrangement(
        width=width,
        height=max(view, foot + TOP_PX),
        middle=widths.middle,
        pill=pill,
        spots=Spots(tuple(regions), forests, remembered.ranks),
        sides={} if one else chosen,
    )


def region_height(forest: Forest) -> float:
    """Return the least height of a region with these rows."""
    return HEAD_PX + FOOT_PX + forest.height


def _widths(forests: Forests, chosen: Mapping[str, int], width: float, pill: float) -> _Widths:
    """Return columns as wide as their words need, if there is room; the gutter between them takes the rest."""
    wish = {
        side: max((_wanted_width(forests[each]) for each in forests if chosen[each] == side), default=0.0)
        for side in (LEFT, RIGHT)
    }
    room = width - 2 * MARGIN_PX
    if not forests:
        return _Widths(left=0, right=0, middle=width / 2)
    if not wish[LEFT]:
        right = max(0.0, min(max(wish[RIGHT], 2 * COLUMN_LEAST_PX), room - pill - GUTTER_LEAST_PX / 2))
        return _Widths(left=0, right=right, middle=MARGIN_PX + (room - right) / 2)
    share = room - max(GUTTER_PX, pill + 90)
    left, right = _share_width(wish[LEFT], wish[RIGHT], share)
    return _Widths(left=left, right=right, middle=MARGIN_PX + left + (room - left - right) / 2)


def _wanted_width(forest: Forest) -> float:
    return max(float(COLUMN_LEAST_PX), SHAPE_PX + LABEL_PX + EDGE_PX + SIGN_PX + forest.widest)


def _share_width(left: float, right: float, room: float) -> tuple[float, float]:
    """Divide a room between two wanted widths: both as wanted, or the smaller one and the rest, or halves."""
    half = room / 2
    if left + right <= room:
        return left, right
    if left < half:
        return left, room - left
    return (room - right, right) if right < half else (half, half)


def _stack(
    column: Sequence[str],
    forests: Forests,
    span: tuple[float, float],
    side: int,
    view: float,
) -> list[Region]:
    """Stack regions with a little growth, centred if the canvas is higher than they are."""
    least = [region_height(forests[channel]) for channel in column]
    spare = view - 2 * TOP_PX - sum(least) - REGION_GAP_PX * (len(column) - 1)
    breath = min(BREATH_PX, max(0.0, spare / max(1, len(column))))
    y = TOP_PX + max(0.0, spare - breath * len(column)) / 2
    made = []
    for channel, high in zip(column, least, strict=True):
        box = QRectF(span[0], round(y), span[1], round(high + breath))
        made.append(Region(channel=channel, box=box, side=side, rows=len(forests[channel])))
        y += high + breath + REGION_GAP_PX
    return made
