"""A scene with its places: what lies at a point, and which row is next to which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF

from memdesk.gui import look
from memdesk.gui.graph.arrangement import Arrangement, Words, arrange
from memdesk.gui.graph.edges_painter import COUNT_PX, TITLE_PX, pill_words
from memdesk.gui.graph.order import Remembered
from memdesk.gui.graph.rows_painter import plus_area, row_text
from memdesk.gui.graph.scene import Scene
from memdesk.gui.graph.spots import ROW_PX, Spots
from memdesk.gui.widgets.paint import text_width

WIDTHS_KEPT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """What is drawn and where. Points are in the drawing's own px, before it is scaled and scrolled."""

    scene: Scene
    arrangement: Arrangement

    @property
    def center(self) -> str:
        """Id of the centre."""
        return self.scene.graph.center or ""

    def at(self, point: QPointF) -> str | None:
        """The row at a point; its whole height counts, so that the pointer never falls between two rows."""
        for spot in self.arrangement.in_band(point.y() - ROW_PX, point.y() + ROW_PX):
            if spot.area.adjusted(0, -2, 0, 2).contains(point):
                return spot.id
        return None

    def plus_at(self, id: str, point: QPointF) -> bool:
        """Whether a point of a row is on its plus."""
        return plus_area(self.arrangement.spots[id]).contains(point)

    def area(self, id: str) -> QRectF | None:
        """The ground of a row; None for the centre and for what is not drawn."""
        spot = self.arrangement.spots.get(id)
        return None if spot is None else spot.area

    # Moving from row to row.

    @property
    def last(self) -> str:
        """The last row in reading order, or the centre where there are none."""
        reading = self.arrangement.reading
        return reading[-1] if reading else self.center

    def step(self, id: str | None, by: int) -> str:
        """The row before or after one in reading order, which begins at the centre and does not go round."""
        order = (self.center, *self.arrangement.reading)
        place = order.index(id) + by if id in order else 0
        return order[max(0, min(len(order) - 1, place))]

    def beside(self, id: str | None, side: int, middle: float) -> str:
        """What lies to the left (-1) or right (1): the centre, or from the centre the row nearest to it.

        middle: where the centre is now, as it follows the view."""
        spots = self.arrangement.spots
        if id is None or id not in spots:
            return self._nearest(side, middle)
        return self.center if spots[id].side != side else id

    def _nearest(self, side: int, y: float) -> str:
        spots = self.arrangement.spots
        nearest = spots.nearest(side, y) if isinstance(spots, Spots) else None
        return self.center if nearest is None else nearest.id

    def page(self, id: str | None, by: float) -> str:
        """The row about `by` px further down its column."""
        spot = self.arrangement.spots.get(id or "")
        if spot is None:
            return self.step(id, 1)
        return self._nearest(spot.side, spot.shape.y() + by - ROW_PX * (1 if by > 0 else -1))


def stood(
    scene: Scene,
    remembered: Remembered,
    size: tuple[float, float],
    channels: Sequence[str],
    before: Stand | None = None,
) -> Stand:
    """A scene laid out with the widths its words really have. before: how it stood until now, if it did."""
    rows = before.arrangement.rows if before is not None and before.scene is scene else None
    words = Words(row=_row_width(scene), center=_center_width(scene))
    return Stand(scene=scene, arrangement=arrange(scene.graph, remembered, words, size, channels, rows))


def _row_width(scene: Scene) -> Callable[[str], float]:
    px = look.font(12).pixelSize()

    def width(id: str) -> float:
        node = scene.nodes[id]
        return _width(row_text(node), px, node.past)

    return width


@lru_cache(maxsize=WIDTHS_KEPT)
def _width(text: str, px: int, past: bool) -> float:
    """A row is measured once for all scales and drawings; px, the size of its face, tells when that has changed."""
    return text_width(text, look.font(12, italic=past))


def _center_width(scene: Scene) -> float:
    title, count = pill_words(scene)
    return max(text_width(title, look.font(TITLE_PX, 600)), text_width(count, look.font(COUNT_PX)))
