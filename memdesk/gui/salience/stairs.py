"""Line where memories fade: down the rows, at the day from which each stays below the threshold."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QPainterPath

from memdesk.gui.salience.days import crossing
from memdesk.gui.salience.grid import ROW_PX, Grid
from memdesk.model.heatmap import HeatRow


def stairs(
    rows: Iterable[tuple[float, HeatRow | None]], grid: Grid, fade_below: float, *, joined: bool
) -> QPainterPath:
    """Return the line through consecutive rows, given with the y of their tops.

    joined: rows are in the order of fading, so that one row's line leads to the next."""
    path = QPainterPath()
    drawing = False
    for top, row in rows:
        x = None if row is None else _x(row, grid, fade_below)
        if x is None:
            if drawing and joined and row is not None and not row.pinned:
                path.lineTo(grid.cells_right, top)
            drawing = False
            continue
        if drawing and joined:
            path.lineTo(x, top)
        else:
            path.moveTo(x, top)
        drawing = True
        if x > grid.cells_x:
            path.lineTo(x, top + ROW_PX)
        else:
            path.moveTo(x, top + ROW_PX)
    return path


def _x(row: HeatRow, grid: Grid, fade_below: float) -> float | None:
    """Return the x where a row fades; None if that is beyond the days shown."""
    day = crossing(row.curve, fade_below)
    return None if day is None else grid.x(day)
