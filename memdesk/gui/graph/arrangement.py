"""Where everything of a graph lies, in px: pure geometry over text widths, to be checked without a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from memdesk.gui.graph.order import LEFT, RIGHT, Branch, Remembered, forests, sides
from memdesk.model.channel import GLOBAL
from memdesk.model.graph import Graph

MARGIN_PX = 16
TOP_PX = 12
REGION_GAP_PX = 12
HEAD_PX = 34
FOOT_PX = 10
ROW_PX = 28
GROUP_GAP_PX = 6
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A whole drawing. middle: x of the centre, whose y follows the view. reading: ids from top left to bottom right.

    sides: the column of each channel, to be remembered."""

    width: float
    height: float
    middle: float
    pill: float
    spots: Mapping[str, Spot]
    regions: tuple[Region, ...]
    reading: tuple[str, ...]
    sides: Mapping[str, int]


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
    graph: Graph, remembered: Remembered, words: Words, size: tuple[float, float], channels: Sequence[str]
) -> Arrangement:
    """Lay a graph out in a canvas of this size; the height grows beyond it where the rows need more.

    remembered: ranks of at least every node of the graph. channels: the order of regions in a column."""
    width, view = size
    rows = forests(graph.nodes, graph.center, remembered.ranks)
    place = {channel: number for number, channel in enumerate(channels)}
    order = sorted(rows, key=lambda channel: (place.get(channel, len(place)), channel))
    heights = {channel: region_height(rows[channel]) for channel in order}
    one = len(rows) < 2 or width < ONE_COLUMN_BELOW_PX
    chosen = dict.fromkeys(rows, RIGHT) if one else sides(heights, remembered.sides, GLOBAL)
    pill = min(PILL_MOST_PX, words.center + 2 * PILL_PAD_PX)
    widths = _widths(rows, chosen, words, width, pill)
    spots: dict[str, Spot] = {}
    regions: list[Region] = []
    foot = 0.0
    for side in (LEFT, RIGHT):
        column = [channel for channel in order if chosen[channel] == side]
        x = MARGIN_PX if side == LEFT else width - MARGIN_PX - widths.right
        wide = widths.left if side == LEFT else widths.right
        for region in _stacked(column, {each: rows[each] for each in column}, (x, wide), side, view):
            regions.append(region)
            spots.update(_spots(region, rows[region.channel]))
            foot = max(foot, region.box.bottom())
    return Arrangement(
        width=width, height=max(view, foot + TOP_PX), middle=widths.middle, pill=pill, spots=spots,
        regions=tuple(regions), reading=tuple(spots), sides={} if one else chosen,
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


def _spots(region: Region, rows: Sequence[Branch]) -> dict[str, Spot]:
    y = region.box.y() + HEAD_PX
    made = {}
    for row, gap in zip(rows, _gaps(rows), strict=True):
        y += GROUP_GAP_PX if gap else 0
        made[row.id] = _spot(region, row, y)
        y += ROW_PX
    return made


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
        sides=after.sides,
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
