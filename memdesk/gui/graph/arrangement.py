"""Where everything of a graph lies, in px: pure geometry over text widths, to be checked without a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF

from memdesk.gui.graph.order import LEFT, RIGHT, Branch, Remembered, forests, sides
from memdesk.gui.graph.spots import (
    DEEPEST,
    EDGE_PX,
    INDENT_PX,
    LABEL_PX,
    ROW_PX,
    SHAPE_PX,
    Place,
    Region,
    Spot,
    Spots,
)
from memdesk.model.channel import GLOBAL
from memdesk.model.graph import Graph

MARGIN_PX = 16
TOP_PX = 12
REGION_GAP_PX = 12
HEAD_PX = 34
FOOT_PX = 10
GROUP_GAP_PX = 6
PLUS_PX = 20
COLUMN_LEAST_PX = 200
GUTTER_PX = 236
GUTTER_LEAST_PX = 190
ONE_COLUMN_BELOW_PX = 680
"""In a narrower canvas all regions stand in one column, or neither column could show words."""
BREATH_PX = 40
"""How much a region may grow to fill a canvas that has room."""
PILL_HEIGHT_PX = 48
PILL_PAD_PX = 20
PILL_MOST_PX = 230


Forests = Mapping[str, Sequence[Branch]]
"""The rows of each channel in reading order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A whole drawing. middle: x of the centre, whose y follows the view. reading: ids from top left to bottom right.

    sides: the column of each channel, to be remembered. rows: the forests that were laid out."""

    width: float
    height: float
    middle: float
    pill: float
    spots: Mapping[str, Spot]
    regions: tuple[Region, ...]
    reading: tuple[str, ...]
    sides: Mapping[str, int]
    rows: Forests = field(default_factory=dict)

    def in_band(self, top: float, foot: float) -> list[Spot]:
        """The rows between two heights, also those that reach into it."""
        if isinstance(self.spots, Spots):
            return self.spots.in_band(top, foot)
        return [spot for spot in self.spots.values() if top < spot.area.bottom() and spot.area.top() < foot]

    def hanging(self, seen: Sequence[Spot]) -> list[Spot]:
        """The rows to whom a line leads within the band that these are seen in."""
        if isinstance(self.spots, Spots):
            return self.spots.hanging(seen)
        return [spot for spot in self.spots.values() if spot.parent is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How wide words are: of a row by its id, and of the centre's title and count."""

    row: Callable[[str], float]
    center: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Widths:
    left: float
    right: float
    middle: float


def arrange(
    graph: Graph,
    remembered: Remembered,
    words: Words,
    size: tuple[float, float],
    channels: Sequence[str],
    rows: Forests | None = None,
) -> Arrangement:
    """Lay a graph out in a canvas of this size; the height grows beyond it where the rows need more.

    remembered: ranks of at least every node of the graph. channels: the order of regions in a column. rows: the forests
    of this very graph, where they are known from another size."""
    width, view = size
    rows = rows or forests(graph.nodes, graph.center, remembered.ranks)
    place = {channel: number for number, channel in enumerate(channels)}
    order = sorted(rows, key=lambda channel: (place.get(channel, len(place)), channel))
    heights = {channel: region_height(rows[channel]) for channel in order}
    one = len(rows) < 2 or width < ONE_COLUMN_BELOW_PX
    chosen = dict.fromkeys(rows, RIGHT) if one else sides(heights, remembered.sides, GLOBAL)
    pill = min(PILL_MOST_PX, words.center + 2 * PILL_PAD_PX)
    widths = _widths(rows, chosen, words, width, pill)
    columns: dict[int, list[Place]] = {}
    regions: list[Region] = []
    foot = 0.0
    for side in (LEFT, RIGHT):
        column = [channel for channel in order if chosen[channel] == side]
        x = MARGIN_PX if side == LEFT else width - MARGIN_PX - widths.right
        wide = widths.left if side == LEFT else widths.right
        columns[side] = []
        for region in _stacked(column, {each: rows[each] for each in column}, (x, wide), side, view):
            regions.append(region)
            columns[side] += _places(region, rows[region.channel])
            foot = max(foot, region.box.bottom())
    spots = Spots(columns)
    return Arrangement(
        width=width, height=max(view, foot + TOP_PX), middle=widths.middle, pill=pill, spots=spots,
        regions=tuple(regions), reading=tuple(spots), sides={} if one else chosen, rows=rows,
    )  # fmt: skip


def region_height(rows: Sequence[Branch]) -> float:
    """The least height of a region with these rows."""
    return HEAD_PX + FOOT_PX + ROW_PX * len(rows) + GROUP_GAP_PX * sum(_gaps(rows))


def _gaps(rows: Sequence[Branch]) -> list[bool]:
    """Whether there is a gap above each row: around every group of a root and what hangs under it."""
    starts = [row.depth == 0 for row in rows]
    return [
        place > 0 and starts[place] and (row.opens or not starts[place - 1]) for place, row in enumerate(rows)
    ]


def _widths(
    rows: Mapping[str, Sequence[Branch]], chosen: Mapping[str, int], words: Words, width: float, pill: float
) -> _Widths:
    """Columns as wide as their words want, if there is room; the gutter between them takes what is left."""
    wish = {
        side: max(
            (_wish(row, words) for each in rows if chosen[each] == side for row in rows[each]), default=0
        )
        for side in (LEFT, RIGHT)
    }
    room = width - 2 * MARGIN_PX
    if not rows:
        return _Widths(left=0, right=0, middle=width / 2)
    if not wish[LEFT]:
        right = max(0.0, min(max(wish[RIGHT], 2 * COLUMN_LEAST_PX), room - pill - GUTTER_LEAST_PX / 2))
        return _Widths(left=0, right=right, middle=MARGIN_PX + (room - right) / 2)
    share = room - max(GUTTER_PX, pill + 90)
    left, right = _shared(wish[LEFT], wish[RIGHT], share)
    return _Widths(left=left, right=right, middle=MARGIN_PX + left + (room - left - right) / 2)


def _wish(row: Branch, words: Words) -> float:
    depth = min(row.depth, DEEPEST)
    wide = SHAPE_PX + LABEL_PX + EDGE_PX + PLUS_PX + depth * INDENT_PX + words.row(row.id)
    return max(float(COLUMN_LEAST_PX), wide)


def _shared(left: float, right: float, room: float) -> tuple[float, float]:
    """Two wishes within a room: both as they are, or the smaller one and the rest, or halves."""
    half = room / 2
    if left + right <= room:
        return left, right
    if left < half:
        return left, room - left
    return (room - right, right) if right < half else (half, half)


def _stacked(
    column: Sequence[str],
    rows: Mapping[str, Sequence[Branch]],
    span: tuple[float, float],
    side: int,
    view: float,
) -> list[Region]:
    """Regions one below the other, breathing a little and centred where the canvas is higher than they are."""
    least = [region_height(rows[channel]) for channel in column]
    spare = view - 2 * TOP_PX - sum(least) - REGION_GAP_PX * (len(column) - 1)
    breath = min(BREATH_PX, max(0.0, spare / max(1, len(column))))
    y = TOP_PX + max(0.0, spare - breath * len(column)) / 2
    made = []
    for channel, high in zip(column, least, strict=True):
        box = QRectF(span[0], round(y), span[1], round(high + breath))
        made.append(Region(channel=channel, box=box, side=side, rows=len(rows[channel])))
        y += high + breath + REGION_GAP_PX
    return made


def _places(region: Region, rows: Sequence[Branch]) -> list[Place]:
    y = region.box.y() + HEAD_PX
    made = []
    for row, gap in zip(rows, _gaps(rows), strict=True):
        y += GROUP_GAP_PX if gap else 0
        made.append((region, row, y))
        y += ROW_PX
    return made


def between(before: Arrangement, after: Arrangement, share: float) -> Arrangement:
    """The drawing on its way from one arrangement to another, share from 0 to 1.

    What appears (see `appearing`) stands where it will be."""
    new = appearing(before, after)
    spots = {
        id: spot if id in new else _spot_between(before.spots[id], spot, share)
        for id, spot in after.spots.items()
    }
    boxes = {region.channel: region.box for region in before.regions if region.channel not in new}
    regions = tuple(
        Region(
            channel=region.channel, side=region.side, rows=region.rows,
            box=_box_between(boxes.get(region.channel, region.box), region.box, share),
        )
        for region in after.regions
    )  # fmt: skip
    return Arrangement(
        width=after.width, height=after.height, middle=_mid(before.middle, after.middle, share),
        pill=_mid(before.pill, after.pill, share), spots=spots, regions=regions, reading=after.reading,
        sides=after.sides, rows=after.rows,
    )  # fmt: skip


def appearing(before: Arrangement, after: Arrangement) -> frozenset[str]:
    """Rows, and channels of regions, that do not move there: newcomers, and what changes its column, whose words
    turn round."""
    sides = {id: spot.side for id, spot in before.spots.items()}
    sides |= {region.channel: region.side for region in before.regions}
    now = {id: spot.side for id, spot in after.spots.items()}
    now |= {region.channel: region.side for region in after.regions}
    return frozenset(name for name, side in now.items() if sides.get(name) != side)


def _spot_between(before: Spot, after: Spot, share: float) -> Spot:
    shape = before.shape + (after.shape - before.shape) * share
    return Spot(
        id=after.id, side=after.side, depth=after.depth, parent=after.parent, shape=shape,
        area=_box_between(before.area, after.area, share), label=_box_between(before.label, after.label, share),
    )  # fmt: skip


def _box_between(before: QRectF, after: QRectF, share: float) -> QRectF:
    ends = (
        (before.left(), after.left()), (before.top(), after.top()),
        (before.width(), after.width()), (before.height(), after.height()),
    )  # fmt: skip
    return QRectF(*(_mid(one, other, share) for one, other in ends))


def _mid(before: float, after: float, share: float) -> float:
    return before + (after - before) * share
