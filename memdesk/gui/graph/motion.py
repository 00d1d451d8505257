"""Animations of the graph: the transition from one drawing to another, and the fading tint of new rows."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QVariantAnimation, Signal

from memdesk.gui import look
from memdesk.gui.graph.arrangement import Arrangement
from memdesk.gui.graph.edges_painter import pill_area
from memdesk.gui.graph.order import LEFT, RIGHT
from memdesk.gui.graph.spots import Spot
from memdesk.gui.graph.turning import Appearing, between

TURN_MS = 220
FADE_MS = 600


class Turn(QObject):
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
        return between(self._before, after, self._share)

    def appearing(self, after: Arrangement) -> tuple[Container[str], float]:
        """Return the rows and channels that do not move but appear, and their present opacity, 0 to 1."""
        if not self.is_running or self._before is None:
            return frozenset(), 1.0
        return Appearing(self._before, after), self._share

    def pill_y(self, after: float) -> float:
        """Return the pill's height at this moment."""
        return self._pill_before + (after - self._pill_before) * self._share if self.is_running else after


def recentred(before: Arrangement, old: str, new: str, old_at: QPointF) -> tuple[Arrangement, float]:
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
