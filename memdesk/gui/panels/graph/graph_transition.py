"""Animations of the graph: the transition from one drawing to another, and the fading tint of new rows."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, fields, replace

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QVariantAnimation, Signal

from memdesk.gui import look
from memdesk.gui.panels.graph.graph_layout import LEFT, RIGHT, Arrangement, Spot
from memdesk.gui.panels.graph.graph_rows import pill_area

TURN_MS = 220
FADE_MS = 600
MOVED_AT_MOST = 400
"""Greatest number of rows that move; a larger drawing changes at once."""


def appearing(before: Arrangement, after: Arrangement) -> frozenset[str]:
    """Return the rows, and the channels of regions, that do not move to a drawing but appear in it: new ones,
    and those that change their column, whose words change direction."""
    then, now = _sides(before), _sides(after)
    return frozenset(name for name, side in now.items() if then.get(name) != side)


def _sides(arrangement: Arrangement) -> dict[str, int]:
    """Return the column of each channel and of each row."""
    rows = {id: spot.side for id, spot in arrangement.spots.items()}
    return rows | {region.channel: region.side for region in arrangement.regions}


@dataclass(frozen=True, kw_only=True, eq=False)
class Moving(Arrangement):
    """Arrangement between two others."""

    before: Arrangement
    after: Arrangement

    def in_band(self, top: float, bottom: float) -> list[Spot]:
        """Return the rows that are between two heights at the begin or at the end of the transition."""
        ends = (spot.id for each in (self.after, self.before) for spot in each.in_band(top, bottom))
        return [self.spots[id] for id in dict.fromkeys(ends) if id in self.spots]


def interpolate(before: Arrangement, after: Arrangement, share: float, new: Set[str]) -> Arrangement:
    """Return the drawing in transition from one arrangement to another, share from 0 to 1. new: the rows and
    channels that are at their final places."""
    boxes = {region.channel: region.box for region in before.regions}
    final = {field.name: getattr(after, field.name) for field in fields(Arrangement)}
    regions = tuple(
        region
        if region.channel in new
        else replace(region, box=_mid_box(boxes[region.channel], region.box, share))
        for region in after.regions
    )
    spots = {
        id: spot if id in new else _mid_spot(before.spots[id], spot, share)
        for id, spot in after.spots.items()
    }
    moved = {
        "middle": _mid(before.middle, after.middle, share),
        "pill": _mid(before.pill, after.pill, share),
        "regions": regions,
        "spots": spots,
    }
    return Moving(**(final | moved), before=before, after=after)


def _mid_spot(before: Spot, after: Spot, share: float) -> Spot:
    return replace(
        after,
        shape=QPointF(before.shape + (after.shape - before.shape) * share),
        area=_mid_box(before.area, after.area, share),
        label=_mid_box(before.label, after.label, share),
    )


def _mid_box(before: QRectF, after: QRectF, share: float) -> QRectF:
    return QRectF(
        _mid(before.x(), after.x(), share),
        _mid(before.y(), after.y(), share),
        _mid(before.width(), after.width(), share),
        _mid(before.height(), after.height(), share),
    )


def _mid(before: float, after: float, share: float) -> float:
    return before + (after - before) * share


class Transition(QObject):
    """Transition from one arrangement to another in 220 ms. `moved` asks for a repaint; with reduced motion
    it never runs."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._before: Arrangement | None = None
        self._pill_before = 0.0
        self._share = 1.0
        self.new: frozenset[str] = frozenset()
        self._run = QVariantAnimation(self)
        self._run.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._run.setStartValue(0.0)
        self._run.setEndValue(1.0)
        self._run.valueChanged.connect(self._go_on)

    @property
    def is_running(self) -> bool:
        """True while rows are moving."""
        return self._share < 1.0

    @property
    def share(self) -> float:
        """Progress, 0 to 1; also the opacity of the rows and channels in `new`, which appear."""
        return self._share

    def start(self, before: Arrangement, after: Arrangement, pill_y: float) -> None:
        """Begin at the places of an arrangement, with the pill at this height."""
        self.stop()
        lasts_ms = look.motion_ms(TURN_MS)
        if lasts_ms and max(len(before.spots), len(after.spots)) <= MOVED_AT_MOST:
            self._before, self._pill_before = before, pill_y
            self.new, self._share = appearing(before, after), 0.0
            self._run.setDuration(lasts_ms)
            self._run.start()

    def stop(self) -> None:
        """Jump to the end."""
        self._run.stop()
        self._share, self.new = 1.0, frozenset()

    def _go_on(self, share: float) -> None:
        self._share = share
        self.moved.emit()

    def arrangement(self, after: Arrangement) -> Arrangement:
        """Return the arrangement at this moment."""
        if not self.is_running or self._before is None:
            return after
        return interpolate(self._before, after, self._share, self.new)

    def pill_y(self, after: float) -> float:
        """Return the pill's height at this moment."""
        return _mid(self._pill_before, after, self._share) if self.is_running else after


def transition_start(before: Arrangement, old: str, new: str, old_at: QPointF) -> tuple[Arrangement, float]:
    """Return the start of a transition to another centre, as the arrangement and the pill's height: the old
    centre is a row at the place of its pill, and the pill is at the new centre's row."""
    pill = pill_area(before, old_at)
    side = LEFT if old_at.x() < before.width / 2 else RIGHT
    row = Spot(id=old, area=pill, shape=old_at, label=pill, side=side, depth=0, parent=None)
    from_row = before.spots.get(new)
    middle = before.middle if from_row is None else from_row.shape.x()
    height = old_at.y() if from_row is None else from_row.shape.y()
    return replace(before, spots={**before.spots, old: row}, middle=middle), height


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
