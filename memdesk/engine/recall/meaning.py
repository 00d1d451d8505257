"""Nearness of meaning: the query against each item together with the turns around it.

What a turn means is often said by its neighbours ("Yes, just yesterday!"), as it is with words; and turns of one desk
share a tone that tells nothing about any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memdesk.engine.recall.line import Line, Rows
from memdesk.store.search import Vector

LENT = {-1: 0.3, 1: 0.5, 2: 0.3}
"""What the meaning of the next turn, of the last and of the one before it adds to a turn's own. Any shares between a
fifth and a half do within half a point on LoCoMo; with none it is a point less."""
NEUTRAL = 20
"""How many memories that mean nothing stand for the doubt in the common tone of a few: so five memories keep nearly
all of their own."""


def meaning(line: Line, seqs: Sequence[int], vectors: Rows, query: Vector) -> dict[int, float]:
    """Seq -> cosine of the query with an item's window, both without the common tone; items without a vector are out.

    vectors: one unit vector for each of `seqs`, which are of the line. Only turns lend and borrow.
    """
    if not seqs:
        return {}
    at = np.array([line.place[seq] for seq in seqs])
    windows = line.joined(vectors, at, LENT)
    length = np.sqrt(np.einsum("ij,ij->i", windows, windows))
    length[length == 0] = 1.0
    tone = (1 / length) @ windows / (len(at) + NEUTRAL)
    cosines = _cosines(windows @ np.stack([query - tone, tone], axis=1) / length[:, None], query, tone)
    return dict(zip(seqs, cosines.tolist(), strict=True))


def _cosines(products: Rows, query: Vector, tone: Vector) -> Vector:
    """Cosines of unit windows with the query, all less the tone, from the products of each window with
    (query - tone, tone): the windows less the tone need never be written down."""
    asked = query - tone
    apart = 1 - 2 * products[:, 1] + tone @ tone
    lengths = np.sqrt(np.maximum(apart, 1e-12)) * (np.linalg.norm(asked) or 1.0)
    cosines: Vector = (products[:, 0] - asked @ tone) / lengths
    return cosines
