"""Cells of some rows as one picture. Filling pixels from a table of levels costs a twentieth of painting
rectangles, and a picture is moved by scrolling without being drawn again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from memdesk.gui import look
from memdesk.gui.salience.grid import ROW_PX, Grid
from memdesk.model.heatmap import HeatRow

CELL = (1, 19)
HALF = (5, 15)
DASH = (9, 11)
"""First and end px, within a row, of a measured cell, a forecast cell and the dash of a faded cell."""
DASH_PERIOD_PX = 6
NOTHING, FADED, FIRST = 0, 1, 2
STEPS = 256 - FIRST
"""Number of steps of the scale from 0 to 1; in an indexed picture, level 0 is clear and level 1 is the dash
of a faded cell."""

BLOCK_ROWS = 20
BLOCKS_KEPT = 8

Levels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


class Blocks:
    """Pictures of twenty rows each, kept until forget()."""

    def __init__(self, rows: Callable[[int, int], Sequence[HeatRow | None]]) -> None:
        self._rows = rows
        self._kept: dict[int, QImage] = {}

    def forget(self) -> None:
        """Drop the pictures, because rows, grid or colours have changed."""
        self._kept.clear()

    def block(self, number: int, grid: Grid, fade_below: float) -> QImage:
        """Return the picture of one block."""
        if number not in self._kept:
            if len(self._kept) >= BLOCKS_KEPT:
                self._kept.clear()
            first = number * BLOCK_ROWS
            self._kept[number] = picture(self._rows(first, first + BLOCK_ROWS), grid, fade_below)
        return self._kept[number]


def picture(rows: Sequence[HeatRow | None], grid: Grid, fade_below: float) -> QImage:
    """Return the cells of consecutive rows on a clear ground, at the grid's device pixel ratio; a missing row
    is left clear."""
    lines = _lines(_levels(rows, grid, fade_below), grid)
    place, zone = _zones(len(rows), grid.dpr)
    pixels = np.ascontiguousarray(lines[zone, place])
    high, wide = pixels.shape
    indexed = QImage(pixels.tobytes(), wide, high, wide, QImage.Format.Format_Indexed8)
    indexed.setColorTable([0, look.c("line2").rgb(), *look.sequential_table(STEPS)])
    made = indexed.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(grid.dpr)
    return made


def _levels(rows: Sequence[HeatRow | None], grid: Grid, fade_below: float) -> Levels:
    """Return levels of shape (rows, cells)."""
    strength = _strengths(rows, grid)
    known = ~np.isnan(strength)
    scaled = FIRST + np.rint(np.clip(np.nan_to_num(strength), 0, 1) * (STEPS - 1))
    shown = np.where(strength < fade_below, FADED, scaled)
    return np.where(known, shown, NOTHING).astype(np.uint8)


def _strengths(rows: Sequence[HeatRow | None], grid: Grid) -> NDArray[np.float64]:
    """Return salience of shape (rows, cells), the mean of a cell's days; NaN if unknown."""
    unborn = (None,) * grid.days.count
    series = [unborn if row is None else (*row.curve.past, *row.curve.ahead) for row in rows]
    by_day = np.array(series, np.float64)
    if grid.bin_days == 1:
        return by_day
    starts = [cell.first for cell in grid.bins]
    total = np.add.reduceat(np.nan_to_num(by_day), starts, axis=1)
    days = np.add.reduceat(~np.isnan(by_day), starts, axis=1, dtype=np.float64)
    return np.divide(total, days, out=np.full_like(total, np.nan), where=days > 0)


def _lines(levels: Levels, grid: Grid) -> Levels:
    """Return device pixel lines of shape (4, rows, pixels): clear; with measured cells; with forecast cells
    too; with dashes too."""
    cell, solid, dashed = _columns(grid)
    past = np.array([not each.is_ahead for each in grid.bins])[cell]
    spread = levels[:, cell]
    both = np.where(solid & (spread >= FIRST), spread, NOTHING).astype(np.uint8)
    whole = np.where(past, both, NOTHING).astype(np.uint8)
    middle = np.where(dashed & (spread == FADED), np.uint8(FADED), both)
    return np.stack([np.zeros_like(both), whole, both, middle])


def _columns(grid: Grid) -> tuple[NDArray[np.intp], Mask, Mask]:
    """Return for each device pixel across: its cell, True if the cell is filled there, True if a dash is."""
    edges = [round((grid.x(each.first) - grid.cells_x) * grid.dpr) for each in grid.bins]
    edges.append(round((grid.cells_right - grid.cells_x) * grid.dpr))
    widths = np.diff(edges)
    cell = np.repeat(np.arange(len(grid.bins)), widths)
    pixel = np.arange(edges[-1])
    gaps = np.array([_gap(grid, ahead=each.is_ahead) for each in grid.bins])
    solid = pixel < (np.array(edges[1:]) - gaps)[cell]
    if grid.bin_days == 1:
        return cell, solid, pixel < (np.array(edges[1:]) - _gap(grid, ahead=False))[cell]
    period = round(DASH_PERIOD_PX * grid.dpr)
    return cell, solid, pixel % period < period - round(grid.dpr)


def _gap(grid: Grid, *, ahead: bool) -> int:
    """Return the device pixels between a cell and the next; a third of a forecast day stays clear."""
    return math.ceil(min(3.0, grid.day_px * grid.bin_days / 3) * grid.dpr) if ahead else round(grid.dpr)


def _zones(rows: int, dpr: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each device pixel down: its row, and the number of its line, 0 to 3."""
    y = (np.arange(round(rows * ROW_PX * dpr)) + 0.5) / dpr
    place = np.minimum((y // ROW_PX).astype(np.intp), rows - 1)
    inside = y - place * ROW_PX
    zone = sum(((inside >= top) & (inside < end)).astype(np.intp) for top, end in (CELL, HALF, DASH))
    return place, np.asarray(zone, np.intp)
