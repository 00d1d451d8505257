"""Layout of a graph in px: a region for each channel, a row for each memory, the centre between the columns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.panels.graph.graph_data import Scene
from memdesk.gui.widgets.paint import text_width
from memdesk.model.channel import GLOBAL
from memdesk.model.graph import Graph, GraphNode
from memdesk.model.hidden import revealed

LEFT, RIGHT = -1, 1
"""Columns of regions left and right of the centre, as the sign of their x offset."""
ROW_PX = 28
GROUP_GAP_PX = 6
"""Gap around every group of a root and its descendants."""
INDENT_PX = 28
DEEPEST = 5
"""Depth below which rows are not indented further, so that words keep their room."""
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


MARGIN_PX = 16
TOP_PX = 12
REGION_GAP_PX = 12
FOOTER_PX = 10
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
TITLE_PX, TEXT_PX, COUNT_PX = 13, 12, 11
SIGN_PX = 20
WIDTHS_KEPT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Former drawing around the same centre: each record's rank, and the column of each channel."""

    ranks: Mapping[str, int] = field(default_factory=dict)
    sides: Mapping[str, int] = field(default_factory=dict)

    def with_nodes(self, nodes: Sequence[GraphNode]) -> Remembered:
        """Return the same with new nodes ranked behind all known ones."""
        ids = dict.fromkeys((*self.ranks, *(node.id for node in nodes)))
        return Remembered(ranks={id: rank for rank, id in enumerate(ids)}, sides=self.sides)

    def with_sides(self, sides: Mapping[str, int]) -> Remembered:
        """Return the same with the columns now in use; a channel that is hidden for a while keeps its own."""
        return Remembered(ranks=self.ranks, sides={**self.sides, **sides})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A node in its region. depth: number of its ancestors. parent: id of the row that it is indented under,
    None for a root. top: distance below the first row, in px."""

    node: GraphNode
    depth: int
    parent: str | None
    top: float


Rows = tuple[Row, ...]
"""Rows of a channel in reading order: each is followed by its descendants."""


def group_rows(graph: Graph, ranks: Mapping[str, int]) -> dict[str, Rows]:
    """Return the rows of each channel, siblings by rank. A row is indented under the one it was reached from
    if both are in one channel."""
    nodes = {node.id: node for node in graph.nodes}
    roots, children = dict[str, list[GraphNode]](), dict[str, list[GraphNode]]()
    for node in sorted(graph.nodes, key=lambda each: ranks[each.id]):
        if node.id == graph.center:
            continue
        parent = nodes.get(node.parent or "")
        # Hops grow from parent to child, so that following parents always ends.
        if (
            parent is None
            or parent.id == graph.center
            or parent.channel != node.channel
            or parent.hop >= node.hop
        ):
            roots.setdefault(node.channel, []).append(node)
        else:
            children.setdefault(parent.id, []).append(node)
    return {channel: _in_order(each, children) for channel, each in roots.items()}


def _in_order(roots: Sequence[GraphNode], children: Mapping[str, Sequence[GraphNode]]) -> Rows:
    rows, top = list[Row](), 0.0
    waiting: list[tuple[GraphNode, int, str | None]] = [(node, 0, None) for node in reversed(roots)]
    while waiting:
        node, depth, parent = waiting.pop()
        under = children.get(node.id, ())
        if rows and depth == 0 and (under or rows[-1].depth > 0):
            top += GROUP_GAP_PX
        rows.append(Row(node=node, depth=depth, parent=parent, top=top))
        top += ROW_PX
        waiting += [(child, depth + 1, node.id) for child in reversed(under)]
    return tuple(rows)


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
    """Box of a channel, its column and its rows."""

    channel: str
    box: QRectF
    side: int
    rows: Rows

    @property
    def start(self) -> float:
        """Top of the first row."""
        return self.box.y() + HEAD_PX

    def spot(self, row: Row) -> Spot:
        """Return the spot of a row, which reads away from the centre: its shape is at the inner edge of the
        region, its words outwards of it."""
        y, side = self.start + row.top, self.side
        near, far = (self.box.left(), self.box.right())[::side]
        x = near + side * (SHAPE_PX + min(row.depth, DEEPEST) * INDENT_PX)
        end, words = far - side * EDGE_PX, x + side * LABEL_PX
        return Spot(
            id=row.node.id,
            side=side,
            depth=row.depth,
            parent=row.parent,
            area=_upright(x - side * HALO_PX, y + 2, end, y + ROW_PX - 2),
            shape=QPointF(x, y + ROW_PX / 2),
            label=_upright(words, y, end, y + ROW_PX),
        )


def _upright(x: float, top: float, other_x: float, bottom: float) -> QRectF:
    """Return the rectangle between two verticals, in either order."""
    return QRectF(QPointF(min(x, other_x), top), QPointF(max(x, other_x), bottom))


class Spots(Mapping[str, Spot]):
    """Spot of each row of some regions by its id, in reading order, computed when it is read."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._rows = {row.node.id: (region, row) for region in regions for row in region.rows}
        self._made = dict[str, Spot]()

    def __getitem__(self, id: str) -> Spot:
        if id not in self._made:
            region, row = self._rows[id]
            self._made[id] = region.spot(row)
        return self._made[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, id: object) -> bool:
        return id in self._rows


@dataclass(frozen=True, kw_only=True, eq=False)
class Arrangement:
    """Layout of a full drawing. middle: x of the centre, whose y follows the view. pill: width of the centre.

    regions: boxes of channels, from top left to bottom right. sides: the column of each channel, to be
    remembered."""

    width: float
    height: float
    middle: float
    pill: float
    regions: Sequence[Region]
    spots: Mapping[str, Spot]
    sides: Mapping[str, int]

    @property
    def reading(self) -> tuple[str, ...]:
        """Ids of all rows in the order of the regions."""
        return tuple(self.spots)

    def looks_like(self, other: Arrangement) -> bool:
        """Return True if every row and region has the same place in another arrangement."""
        mine, others = ([(each.channel, each.box) for each in it.regions] for it in (self, other))
        return (self.middle, self.pill, mine, self.reading) == (
            other.middle,
            other.pill,
            others,
            other.reading,
        )

    def in_band(self, top: float, bottom: float) -> list[Spot]:
        """Return the rows between two heights, also those that are partly outside."""
        found = []
        for region in self.regions:
            first = bisect_left(region.rows, top - ROW_PX - region.start, key=_top)
            end = bisect_right(region.rows, bottom - region.start, key=_top)
            found += [self.spots[row.node.id] for row in region.rows[first:end]]
        return found

    def nearest(self, side: int, y: float) -> Spot | None:
        """Return the row of a column whose middle is nearest to a height, None if the column is empty."""
        rows = ((region, row) for region in self.regions if region.side == side for row in region.rows)
        found = min(rows, key=lambda it: abs(it[0].start + it[1].top + ROW_PX / 2 - y), default=None)
        return None if found is None else self.spots[found[1].node.id]

    @cached_property
    def _lasts(self) -> Mapping[str | None, str]:
        """Last child of each row that has children."""
        return {row.parent: row.node.id for region in self.regions for row in region.rows}

    def hanging(self, seen: Sequence[Spot]) -> list[Spot]:
        """Return the rows whose elbows may cross the visible rows: those with a parent among the visible rows
        and their ancestors, and the last child of each of them."""
        found, done = dict[str, Spot](), set[str]()
        for spot in seen:
            id: str | None = spot.id
            while id is not None and id not in done:
                done.add(id)
                above, last = self.spots[id].parent, self._lasts.get(id)
                for each in (id if above is not None else None, last):
                    if each is not None:
                        found[each] = self.spots[each]
                id = above
        return list(found.values())


def _top(row: Row) -> float:
    return row.top


def arrange(
    rows: Mapping[str, Rows],
    sides: Mapping[str, int],
    center: float,
    size: tuple[float, float],
    channels: Sequence[str],
    width_of: Callable[[GraphNode], float] | None = None,
) -> Arrangement:
    """Arrange rows in a canvas of this size; the drawing becomes higher than the canvas if the rows need it.

    rows: of each channel. sides: columns that channels have already. center: the width of the centre's words.
    channels: the order of regions in a column. width_of: measures the words of a row."""
    width, view = size
    place = {channel: number for number, channel in enumerate(channels)}
    order = sorted(rows, key=lambda channel: (place.get(channel, len(place)), channel))
    heights = {channel: HEAD_PX + FOOTER_PX + rows[channel][-1].top + ROW_PX for channel in order}
    one = len(rows) < 2 or width < ONE_COLUMN_BELOW_PX
    chosen = dict.fromkeys(rows, RIGHT) if one else choose_sides(heights, sides, GLOBAL)
    pill = min(PILL_MOST_PX, center + 2 * PILL_PAD_PX)
    wanted = {LEFT: 0.0, RIGHT: 0.0}
    for channel in order:
        wide = _wanted_width(rows[channel], width_of or row_width)
        wanted[chosen[channel]] = max(wanted[chosen[channel]], wide)
    left, right, middle = _share_width(wanted[LEFT], wanted[RIGHT], width, pill)
    regions = [
        region
        for side, x, wide in ((LEFT, MARGIN_PX, left), (RIGHT, width - MARGIN_PX - right, right))
        for region in _stack(
            {each: heights[each] for each in order if chosen[each] == side}, rows, (x, wide), side, view
        )
    ]
    bottom = max((region.box.bottom() for region in regions), default=0.0)
    return Arrangement(
        width=width,
        height=max(view, bottom + TOP_PX),
        middle=middle,
        pill=pill,
        regions=tuple(regions),
        spots=Spots(regions),
        sides={} if one else chosen,
    )


def _wanted_width(rows: Rows, width_of: Callable[[GraphNode], float]) -> float:
    widest = max(min(row.depth, DEEPEST) * INDENT_PX + width_of(row.node) for row in rows)
    return max(float(COLUMN_LEAST_PX), SHAPE_PX + LABEL_PX + EDGE_PX + SIGN_PX + widest)


def _share_width(left: float, right: float, width: float, pill: float) -> tuple[float, float, float]:
    """Return the widths of the columns and the middle of the gutter between them. Columns are as wide as their
    words need, if there is room; otherwise the smaller one is, and the other has the rest, or both have half."""
    room = width - 2 * MARGIN_PX
    if not left and not right:
        return 0.0, 0.0, width / 2
    if not left:
        right = max(0.0, min(max(right, 2 * COLUMN_LEAST_PX), room - pill - GUTTER_LEAST_PX / 2))
    else:
        share = room - max(GUTTER_PX, pill + 90)
        if left + right > share:
            left, right = (
                (left, share - left)
                if left < share / 2
                else (share - right, right)
                if right < share / 2
                else (share / 2, share / 2)
            )
    return left, right, MARGIN_PX + left + (room - left - right) / 2


def _stack(
    heights: Mapping[str, float], rows: Mapping[str, Rows], span: tuple[float, float], side: int, view: float
) -> Iterator[Region]:
    """Stack regions with a little growth, centred if the canvas is higher than they are."""
    spare = view - 2 * TOP_PX - sum(heights.values()) - REGION_GAP_PX * (len(heights) - 1)
    breath = min(BREATH_PX, max(0.0, spare / max(1, len(heights))))
    y = TOP_PX + max(0.0, spare - breath * len(heights)) / 2
    for channel, high in heights.items():
        box = QRectF(span[0], round(y), span[1], round(high + breath))
        yield Region(channel=channel, box=box, side=side, rows=rows[channel])
        y += high + breath + REGION_GAP_PX


def choose_sides(heights: Mapping[str, float], before: Mapping[str, int], first: str) -> dict[str, int]:
    """Return the column of each channel, so that both columns are about equally high.

    before: columns that channels have already; they keep them unless that leaves one column empty. first: the
    channel that is at the left when no column is known yet."""
    known = {channel: before[channel] for channel in heights if channel in before}
    if len(heights) > 1 and len(known) == len(heights) and len(set(known.values())) == 1:
        known = {}
    chosen = dict(known)
    filled = {side: sum(heights[each] for each in chosen if chosen[each] == side) for side in (LEFT, RIGHT)}
    for channel in sorted(heights.keys() - known.keys(), key=lambda each: (-heights[each], each)):
        side = LEFT if filled[LEFT] < filled[RIGHT] else RIGHT
        chosen[channel] = side
        filled[side] += heights[channel]
    if not known and len(heights) > 1 and chosen.get(first) == RIGHT:
        return {channel: -side for channel, side in chosen.items()}
    return chosen


def row_text(node: GraphNode) -> str:
    """Return the text of a row."""
    title = revealed(node.title)
    if node.question:
        return tr("Contradicted: {title}", title=title)
    return tr("{title} (past)", title=title) if node.past else title


def row_font(node: GraphNode) -> QFont:
    """Return the font of a row's text."""
    return look.font(TEXT_PX, italic=node.past)


def row_width(node: GraphNode) -> float:
    """Return the width of a row's text in px. A row is measured once for all scales and drawings."""
    return _width(row_text(node), look.font(TEXT_PX).pixelSize(), node.past)


@lru_cache(maxsize=WIDTHS_KEPT)
def _width(text: str, px: int, past: bool) -> float:
    return text_width(text, look.font(TEXT_PX, italic=past))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedScene:
    """Scene with its places. Points are in the drawing's own px, before it is scaled and scrolled.

    rows: of each channel. remembered: ranks and columns to keep in the next drawing around the same centre."""

    scene: Scene
    rows: Mapping[str, Rows]
    arrangement: Arrangement
    remembered: Remembered

    @property
    def center(self) -> str:
        """Id of the centre."""
        return self.scene.graph.center or ""

    def at(self, point: QPointF) -> str | None:
        """Return the row at a point; its full height counts, so that the pointer is never between two rows."""
        for spot in self.arrangement.in_band(point.y() - ROW_PX, point.y() + ROW_PX):
            if spot.area.adjusted(0, -2, 0, 2).contains(point):
                return spot.id
        return None

    def area(self, id: str) -> QRectF | None:
        """Return the ground of a row; None for the centre and for a record that is not drawn."""
        spots = self.arrangement.spots
        return spots[id].area if id in spots else None

    # Moving from row to row.

    @property
    def last(self) -> str:
        """Last row in reading order, or the centre if there are none."""
        return self._read(len(self.arrangement.spots))

    def step(self, id: str | None, by: int) -> str:
        """Return the row before or after a row in reading order, which begins at the centre and does not wrap
        around."""
        if id is not None and id in self.arrangement.spots:
            return self._read(self.arrangement.reading.index(id) + 1 + by)
        return self._read(by if id == self.center else 0)

    def _read(self, number: int) -> str:
        """Return the id at a place in reading order, the centre first."""
        reading = self.arrangement.reading
        number = min(number, len(reading))
        return reading[number - 1] if number > 0 else self.center

    def beside(self, id: str | None, side: int, middle: float) -> str:
        """Return the id to the left (-1) or right (1): the centre, or from the centre the row nearest to it.
        A row already on that side is returned itself.

        middle: present y of the centre, as it follows the view."""
        spots = self.arrangement.spots
        if id is None or id not in spots:
            return self._nearest(side, middle)
        return self.center if spots[id].side != side else id

    def _nearest(self, side: int, y: float) -> str:
        nearest = self.arrangement.nearest(side, y)
        return self.center if nearest is None else nearest.id

    def page(self, id: str | None, by: float) -> str:
        """Return the row about `by` px further down its column."""
        spots = self.arrangement.spots
        if id is None or id not in spots:
            return self.step(id, 1)
        spot = spots[id]
        return self._nearest(spot.side, spot.shape.y() + by - ROW_PX * (1 if by > 0 else -1))


def place_scene(
    scene: Scene, size: tuple[float, float], channels: Sequence[str], before: PlacedScene | None = None
) -> PlacedScene:
    """Arrange a scene with the measured widths of its words. before: the former drawing, if any; if it has
    the same centre, rows that stay keep their places."""
    remembered = Remembered()
    if before is not None and before.center == scene.graph.center:
        remembered = before.remembered
    if before is not None and before.scene.graph is scene.graph:
        rows = before.rows
    else:
        remembered = remembered.with_nodes(scene.graph.nodes)
        rows = group_rows(scene.graph, remembered.ranks)
    center = max(
        text_width(scene.center.title, look.font(TITLE_PX, 600)),
        text_width(scene.counted, look.font(COUNT_PX)),
    )
    arrangement = arrange(rows, remembered.sides, center, size, channels)
    return PlacedScene(
        scene=scene, rows=rows, arrangement=arrangement, remembered=remembered.with_sides(arrangement.sides)
    )
