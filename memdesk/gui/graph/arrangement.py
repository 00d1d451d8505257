"""Layout of a graph in px: pure geometry over counted rows, which can be checked without a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from memdesk.gui.graph.forest import Forest
from memdesk.gui.graph.order import LEFT, RIGHT, Remembered, sides
from memdesk.gui.graph.signs import SIGN_PX
from memdesk.gui.graph.spots import EDGE_PX, HEAD_PX, LABEL_PX, SHAPE_PX, Region, Spots
from memdesk.model.channel import GLOBAL

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
    chosen = dict.fromkeys(forests, RIGHT) if one else sides(heights, remembered.sides, GLOBAL)
    pill = min(PILL_MOST_PX, center + 2 * PILL_PAD_PX)
    widths = _widths(forests, chosen, width, pill)
    spans = {LEFT: (MARGIN_PX, widths.left), RIGHT: (width - MARGIN_PX - widths.right, widths.right)}
    regions = [
        region
        for side, span in spans.items()
        for region in _stacked([each for each in order if chosen[each] == side], forests, span, side, view)
    ]
    foot = max((region.box.bottom() for region in regions), default=0.0)
    return Arrangement(
        width=width, height=max(view, foot + TOP_PX), middle=widths.middle, pill=pill,
        spots=Spots(tuple(regions), forests, remembered.ranks), sides={} if one else chosen,
    )  # fmt: skip


def region_height(forest: Forest) -> float:
    """Return the least height of a region with these rows."""
    return HEAD_PX + FOOT_PX + forest.height


def _widths(forests: Forests, chosen: Mapping[str, int], width: float, pill: float) -> _Widths:
    """Return columns as wide as their words need, if there is room; the gutter between them takes the rest."""
    wish = {
        side: max((_wish(forests[each]) for each in forests if chosen[each] == side), default=0.0)
        for side in (LEFT, RIGHT)
    }
    room = width - 2 * MARGIN_PX
    if not forests:
        return _Widths(left=0, right=0, middle=width / 2)
    if not wish[LEFT]:
        right = max(0.0, min(max(wish[RIGHT], 2 * COLUMN_LEAST_PX), room - pill - GUTTER_LEAST_PX / 2))
        return _Widths(left=0, right=right, middle=MARGIN_PX + (room - right) / 2)
    share = room - max(GUTTER_PX, pill + 90)
    left, right = _shared(wish[LEFT], wish[RIGHT], share)
    return _Widths(left=left, right=right, middle=MARGIN_PX + left + (room - left - right) / 2)


def _wish(forest: Forest) -> float:
    return max(float(COLUMN_LEAST_PX), SHAPE_PX + LABEL_PX + EDGE_PX + SIGN_PX + forest.widest)


def _shared(left: float, right: float, room: float) -> tuple[float, float]:
    """Divide a room between two wanted widths: both as wanted, or the smaller one and the rest, or halves."""
    half = room / 2
    if left + right <= room:
        return left, right
    if left < half:
        return left, room - left
    return (room - right, right) if right < half else (half, half)


def _stacked(
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
