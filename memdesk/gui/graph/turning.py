"""Drawing in transition to another: only visible rows are computed, so that a drawing of any size can be
animated."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

from memdesk.gui.graph.arrangement import Arrangement
from memdesk.gui.graph.forest import Forest
from memdesk.gui.graph.spots import Region, Spot, Spots


@dataclass(frozen=True, slots=True)
class Appearing(Container[str]):
    """Rows, and channels of regions, that do not move to a drawing but appear in it: new ones, and those that
    change their column, whose words change direction."""

    before: Arrangement
    after: Arrangement

    def __contains__(self, name: object) -> bool:
        then, now = _side(self.before, str(name)), _side(self.after, str(name))
        return now is not None and then != now


def _side(arrangement: Arrangement, name: str) -> int | None:
    """Return the column of a channel's region or of a row, None if neither is drawn."""
    for region in arrangement.regions:
        if region.channel == name:
            return region.side
    return arrangement.spots[name].side if name in arrangement.spots else None


class MovingSpots(Spots):
    """Spots between those of two drawings, share from 0 to 1. Rows that only pass through the view, and are
    in it at neither end, are not painted."""

    def __init__(self, before: Arrangement, after: Arrangement, share: float) -> None:
        super().__init__(after.spots.regions, after.spots.forests, after.spots.ranks)
        self._before, self._share = before, share
        self._new = Appearing(before, after)
        boxes = {region.channel: region.box for region in before.regions}
        self.regions = tuple(
            region
            if region.channel in self._new
            else replace(region, box=_box_between(boxes[region.channel], region.box, share))
            for region in after.regions
        )

    def _spot(self, region: Region, forest: Forest, place: int) -> Spot:
        spot = super()._spot(region, forest, place)
        return spot if spot.id in self._new else _between(self._before.spots[spot.id], spot, self._share)

    def in_band(self, top: float, foot: float) -> list[Spot]:
        """Return the rows that are between two heights at the begin or at the end of the transition."""
        ends = {spot.id: spot for spot in super().in_band(top, foot)}
        starts = (spot.id for spot in self._before.spots.in_band(top, foot))
        return [*ends.values(), *(self[id] for id in starts if id not in ends and id in self)]


def between(before: Arrangement, after: Arrangement, share: float) -> Arrangement:
    """Return the drawing in transition from one arrangement to another, share from 0 to 1.

    Appearing rows and regions (see Appearing) are at their final places."""
    return replace(
        after, middle=_mid(before.middle, after.middle, share), pill=_mid(before.pill, after.pill, share),
        spots=MovingSpots(before, after, share),
    )  # fmt: skip


def _between(before: Spot, after: Spot, share: float) -> Spot:
    return replace(
        after, shape=QPointF(before.shape + (after.shape - before.shape) * share),
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
