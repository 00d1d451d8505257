"""Order of curves that puts similar ones next to each other, so that a heatmap shows groups instead of noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FLOOR = 1e-12


def alike_order(curves: NDArray[np.float64]) -> list[int]:
    """Return the positions of rows in an order in which neighbours are similar.

    curves: one row per memory, one column per day, NaN for days not known yet, which count as 0. Rows are
    ordered by their angle in the plane of the two leading principal components (Friendly, “Corrgrams”, The
    American Statistician 2002), cut open at the widest gap. Rows with equal curves keep their input order."""
    count = len(curves)
    if count < 3 or curves.shape[1] < 2:
        return list(range(count))
    values = np.nan_to_num(curves)
    values = values - values.mean(axis=0)
    _, vectors = np.linalg.eigh(values.T @ values)
    leading = vectors[:, [-1, -2]]
    # An eigenvector's sign is arbitrary; this one makes the same desk look the same each time.
    leading = leading * np.where(leading.sum(axis=0) < 0, -1.0, 1.0)
    plane = values @ leading
    if float(np.abs(plane).max()) < FLOOR:
        return list(range(count))
    angle = np.arctan2(plane[:, 1], plane[:, 0])
    order = np.argsort(np.round(angle, 9), kind="stable")
    gaps = np.diff(angle[order], append=angle[order[0]] + 2 * np.pi)
    cut = int(np.argmax(gaps)) + 1
    return [int(place) for place in np.roll(order, -cut)]
