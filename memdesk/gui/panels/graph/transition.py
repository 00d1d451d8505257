"""Animations of the graph: the transition from one drawing to another, and the fading tint of new rows."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QVariantAnimation, Signal

from memdesk.gui import look
from memdesk.gui.panels.graph.forest import LEFT, RIGHT, Forest
from memdesk.gui.panels.graph.graph_layout import Arrangement, Region, Spot, Spots
from memdesk.gui.panels.graph.painters import pill_area


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
            else replace(region, box=_interpolate_box(boxes[region.channel], region.box, share))
            for region in after.regions
        )

    def _spot(self, region: Region, forest: Forest, place: int) -> Spot:
        spot = super()._spot(region, forest, place)
        return (
            spot
            if spot.id in self._new
            else _interpolate_spot(self._before.spots[spot.id], spot, self._share)
        )

    def in_band(self, top: float, foot: float) -> list[Spot]:
        """Return the rows that are between two heights at the begin or at the end of the transition."""
        ends = {spot.id: spot for spot in super().in_band(top, foot)}
        starts = (spot.id for spot in self._before.spots.in_band(top, foot))
        return [*ends.values(), *(self[id] for id in starts if id not in ends and id in self)]


def interpolate(before: Arrangement, after: Arrangement, share: float) -> Arrangement:
    """Return the drawing in transition from one arrangement to another, share from 0 to 1.

    Appearing rows and regions (see Appearing) are at their final places."""
    return replace(
        after,
        middle=_mid(before.middle, after.middle, share),
        pill=_mid(before.pill, after.pill, share),
        spots=MovingSpots(before, after, share),
    )


def _interpolate_spot(before: Spot, after: Spot, share: float) -> Spot:
    return replace(
        after,
        shape=QPointF(before.shape + (after.shape - before.shape) * share),
        area=_interpolate_box(before.area, after.area, share),
        label=_interpolate_box(before.label, after.label, share),
    )


def _interpolate_box(before: QRectF, after: QRectF, share: float) -> QRectF:
    ends = (
        (before.left(), after.left()),
        (before.top(), after.top()),
        (before.width(), after.width()),
        (before.height(), after.height()),
    )
    return QRectF(*(_mid(one, other, share) for one, other in ends))


def _mid(before: float, after: float, share: float) -> float:
    return before + (after - before) * share


TURN_MS = 220
FADE_MS = 600


class Transition(QObject):
    """Transition from one arrangement to another in 220 ms. `moved` asks for a repaint; with reduced motion
    it never runs."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._before: Arrangement | None = None
        self._pill_before = 0.0
        self._share = 1.0
        self._run = QVariantAnimation(self)
        self._run.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._run.setStartValue(0.0)
        self._run.setEndValue(1.0)
        self._run.valueChanged.connect(self._go_on)

    @property
    def is_running(self) -> bool:
        """True while rows are moving."""
        return self._share < 1.0

    def start(self, before: Arrangement, pill_y: float) -> None:
        """Begin at these places, with the pill at this height."""
        self._run.stop()
        self._before, self._pill_before = before, pill_y
        lasts_ms = look.motion_ms(TURN_MS)
        if lasts_ms:
            self._run.setDuration(lasts_ms)
            self._share = 0.0
            self._run.start()
        else:
            self._share = 1.0

    def stop(self) -> None:
        """Jump to the end."""
        self._run.stop()
        self._share = 1.0

    def _go_on(self, share: float) -> None:
        self._share = share
        self.moved.emit()

    def arrangement(self, after: Arrangement) -> Arrangement:
        """Return the arrangement at this moment."""
        if not self.is_running or self._before is None:
            return after
        return interpolate(self._before, after, self._share)

    def appearing(self, after: Arrangement) -> tuple[Container[str], float]:
        """Return the rows and channels that do not move but appear, and their present opacity, 0 to 1."""
        if not self.is_running or self._before is None:
            return frozenset(), 1.0
        return Appearing(self._before, after), self._share

    def pill_y(self, after: float) -> float:
        """Return the pill's height at this moment."""
        return self._pill_before + (after - self._pill_before) * self._share if self.is_running else after


def transition_start(before: Arrangement, old: str, new: str, old_at: QPointF) -> tuple[Arrangement, float]:
    """Return the start of a transition to another centre, as the arrangement and the pill's height: the old
    centre is a row at the place of its pill, and the pill is at the new centre's row."""
    pill = pill_area(before, old_at)
    side = LEFT if old_at.x() < before.width / 2 else RIGHT
    row = Spot(id=old, area=pill, shape=old_at, label=pill, side=side, depth=0, parent=None)
    from_row = before.spots.get(new)
    middle = before.middle if from_row is None else from_row.shape.x()
    height = old_at.y() if from_row is None else from_row.shape.y()
    return replace(before, spots=before.spots.with_lone(row), middle=middle), height


class Fade(QObject):
    """Tint of new rows, fading in 600 ms. `moved` asks for a repaint."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ids: frozenset[str] = frozenset()
        self._share = 0.0
        self._run = QVariantAnimation(self)
        self._run.setStartValue(1.0)
        self._run.setEndValue(0.0)
        self._run.valueChanged.connect(self._go_on)

    def start(self, ids: frozenset[str]) -> None:
        """Tint these rows."""
        self._run.stop()
        self._ids = ids
        self._run.setDuration(look.motion_ms(FADE_MS))
        self._run.start()

    def _go_on(self, share: float) -> None:
        self._share = share
        self.moved.emit()

    def shares(self) -> Mapping[str, float]:
        """Return the remaining share of the tint per new row, 1 to 0."""
        return dict.fromkeys(self._ids, self._share) if self._share > 0 else {}
