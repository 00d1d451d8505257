"""Nearness of meaning: the query against each item together with the turns around it.

The meaning of a turn often depends on its neighbours ("Yes, just yesterday!"), as with words; and the turns
of one desk have a common tone that does not distinguish them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memdesk.engine.recall.line import RADIUS, Line, Rows, Values
from memdesk.store.search import Vector

LENT = {-1: 0.3, 0: 1.0, 1: 0.5, 2: 0.3}
"""Shares of the next turn, of the turn itself, of the last and of the one before it in a window's meaning.
Values between a fifth and a half give results within half a point on LoCoMo; without any the result is a
point lower."""
NEUTRAL = 20
"""Number of neutral memories added to the mean, because the common tone of a few memories is uncertain: five
memories then keep nearly all of their own meaning."""


def meaning(line: Line, seqs: Sequence[int], vectors: Rows, query: Vector) -> dict[int, float]:
    """Return seq -> cosine of the query with an item's window, both without the common tone, for items with a
    vector.

    vectors: one unit vector for each of `seqs`, which are of the line. Only turns share with neighbours. A
    window is a sum of vectors, so its products are sums of theirs, and windows are never materialised."""
    if not seqs:
        return {}
    at = np.array([line.place[seq] for seq in seqs])

    def lent(values: Values) -> Values:
        laid = np.zeros(len(line.items))
        laid[at] = values
        windows: Values = line.spread(laid, _WINDOW)[at]
        return windows

    lengths = _lengths(line, at, vectors)
    laid = np.zeros(len(line.items))
    laid[at] = 1 / lengths
    shares = line.spread(laid, _WINDOW[::-1])[at]
    tone = (shares.astype(np.float32) @ vectors) / np.float32(len(at) + NEUTRAL)
    asked = query - tone
    products = lent(vectors @ asked) / lengths
    apart = 1 - 2 * lent(vectors @ tone) / lengths + tone @ tone
    cosines = (products - asked @ tone) / (np.sqrt(np.maximum(apart, 1e-12)) * (np.linalg.norm(asked) or 1.0))
    return dict(zip(seqs, cosines.tolist(), strict=True))


def _lengths(line: Line, at: NDArray[np.intp], vectors: Rows) -> Values:
    """Return the length of each window, computed from the products of the vectors it sums."""
    squares = np.zeros(len(line.items))
    squares[at] = 1.0
    squares = line.spread(squares, _SQUARES[0])
    for kernel, products in zip(_SQUARES[1:], line.likeness(vectors, at, len(_SQUARES) - 1), strict=True):
        squares += line.spread(products, kernel)
    lengths: Values = np.sqrt(np.maximum(squares[at], 1e-12))
    return lengths


def _kernel(shares: Mapping[int, float]) -> Values:
    """Return the kernel of these shares for `Line.spread`; keys: how many turns later a share reaches."""
    kernel = np.zeros(2 * RADIUS + 1)
    for turns, share in shares.items():
        kernel[RADIUS + turns] = share
    return kernel


_WINDOW = _kernel(LENT)
_SQUARES = tuple(
    _kernel(
        {
            turns: (2 if apart else 1) * share * LENT[turns - apart]
            for turns, share in LENT.items()
            if turns - apart in LENT
        }
    )
    for apart in range(max(LENT) - min(LENT) + 1)
)
"""Kernels by distance: the amount that the product of two turns that far apart adds to the squared length of
a window."""
