"""Scene with its layout: the row at a point, and the rows next to a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from memdesk.gui import look
from memdesk.gui.panels.graph.forest import ROW_PX, Forest, Remembered, Source, update_forests
from memdesk.gui.panels.graph.graph_layout import Arrangement, arrange
from memdesk.gui.panels.graph.graph_scene import Scene, changed
from memdesk.gui.panels.graph.painters import COUNT_PX, TITLE_PX, face_px, pill_words, row_width
from memdesk.gui.widgets.paint import text_width
from memdesk.model.graph import GraphNode


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedScene:
    """Scene with its places. Points are in the drawing's own px, before it is scaled and scrolled.

    remembered: ranks and columns to keep in the next drawing around the same centre. face_px: the size of the
    font that rows were measured in."""

    scene: Scene
    arrangement: Arrangement
    remembered: Remembered
    face_px: int

    @property
    def center(self) -> str:
        """Id of the centre."""
        return self.scene.graph.center or ""

    def at(self, point: QPointF) -> str | None:
        """Return the row at a point; its full height counts, so that the pointer is never between two rows."""
        for spot in self.arrangement.spots.in_band(point.y() - ROW_PX, point.y() + ROW_PX):
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
        number = self.arrangement.spots.number(id or "")
        if number is not None:
            return self._read(number + 1 + by)
        return self._read(by if id == self.center else 0)

    def _read(self, number: int) -> str:
        """Return the id at a place in reading order, the centre first."""
        spots = self.arrangement.spots
        number = min(number, len(spots))
        return spots.read(number - 1) if number > 0 else self.center

    def beside(self, id: str | None, side: int, middle: float) -> str:
        """Return the id to the left (-1) or right (1): the centre, or from the centre the row nearest to it.
        A row already on that side is returned itself.

        middle: present y of the centre, as it follows the view."""
        spots = self.arrangement.spots
        if id is None or id not in spots:
            return self._nearest(side, middle)
        return self.center if spots[id].side != side else id

    def _nearest(self, side: int, y: float) -> str:
        nearest = self.arrangement.spots.nearest(side, y)
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
    the same centre, rows that stay keep their places, and only differences are computed."""
    measured_px = face_px()
    remembered, forests, known = Remembered(), dict[str, Forest](), tuple[GraphNode, ...]()
    if before is not None and before.center == scene.graph.center:
        remembered = before.remembered
        if before.face_px == measured_px:
            forests, known = dict(before.arrangement.spots.forests), before.scene.graph.nodes
    gone, come = changed(known, scene.graph.nodes)
    remembered = remembered.with_nodes(come)
    source = Source(nodes=scene.nodes, center=scene.graph.center, ranks=remembered.ranks, width=row_width)
    forests = update_forests(forests, gone, come, source)
    arrangement = arrange(forests, remembered, _center_width(scene), size, channels)
    return PlacedScene(
        scene=scene,
        arrangement=arrangement,
        remembered=remembered.with_sides(arrangement.sides),
        face_px=measured_px,
    )


def _center_width(scene: Scene) -> float:
    title, count = pill_words(scene)
    return max(text_width(title, look.font(TITLE_PX, 600)), text_width(count, look.font(COUNT_PX)))
