"""Cached picture of the rows in tiles: each is painted when it is first visible, and only copied while a
person scrolls."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPixmap

from memdesk.gui.look import c

TILE_PX = 160
"""Height of a tile: high enough that few rows cross two tiles, low enough that another tile is painted within
a frame."""
KEPT_VIEWS = 3
"""Number of view heights of which the tiles are kept."""
Paint = Callable[[QPainter, tuple[float, float]], None]
"""Paint(painter, band) paints the part of the drawing between two heights."""


class Picture:
    """Tiles of the drawing by their number from its top, in the device's own pixels."""

    def __init__(self) -> None:
        self._tiles: dict[int, QPixmap] = {}
        self._shape: tuple[int, float, float] = (0, 1.0, 1.0)

    def drop(self) -> None:
        """Drop all tiles, as the drawing has changed."""
        self._tiles.clear()

    def blit(
        self, painter: QPainter, view: tuple[float, float], width: int, scale: float, paint: Paint
    ) -> None:
        """Copy the view, a band of the drawing `width` view px wide; paint the tiles that are not cached."""
        device = painter.device()
        shape = (width, scale, device.devicePixelRatioF() if device else 1.0)
        if shape != self._shape:
            self._shape, self._tiles = shape, {}
        top, foot = view[0] * scale, view[1] * scale
        for number in range(math.floor(top / TILE_PX), math.ceil(foot / TILE_PX)):
            tile = self._tiles.pop(number, None) or self._painted(number, paint)
            self._tiles[number] = tile
            painter.drawPixmap(QPointF(0, round(number * TILE_PX - top)), tile)
        while len(self._tiles) * TILE_PX > KEPT_VIEWS * (foot - top) + 2 * TILE_PX:
            del self._tiles[next(iter(self._tiles))]

    def _painted(self, number: int, paint: Paint) -> QPixmap:
        width, scale, dpr = self._shape
        made = QPixmap(round(width * dpr), round(TILE_PX * dpr))
        made.setDevicePixelRatio(dpr)
        made.fill(c("stage"))
        painter = QPainter(made)
        painter.translate(0, -number * TILE_PX)
        painter.scale(scale, scale)
        paint(painter, (number * TILE_PX / scale, (number + 1) * TILE_PX / scale))
        painter.end()
        return made
