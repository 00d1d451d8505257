"""Relevance of a memory alone, independent of the other results: it lets a recall answer "nothing relevant".

The fused score is relative: its best hit has a high score even if no hit is good. Relevance is computed from
the query alone, so one floor fits every query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from memdesk.engine.recall.evidence import Laid, rarity
from memdesk.engine.recall.line import Line, Values

FLOOR = 0.25
"""Least relevance of a recall's best hit: below it, no hit is relevant. On LoCoMo it rejects four of five
off-topic queries, and none that has an answer (tests/bench/README.md). It applies to the best hit: applied
to each hit, it would cost 3 points."""
TELLING_SIZE = 400
"""Least number of memories assumed when the rarity of a word is computed: the size of the conversations on
which the floor was measured. In a desk of one memory every word is in half of them or in none, which does
not measure its rarity."""
UNRELATED, SAME = 0.15, 0.6
"""Cosines of the bundled table between texts that have nothing to do with each other, and that say the same."""


def relevance(
    line: Line, *, terms: Sequence[Laid], rows: int, cosines: Mapping[int, float]
) -> dict[int, float]:
    """Return seq -> 0 to 1 for every item of the line: the probability that words or meaning relate it to the
    query.

    The share of the query's terms that an item's window contains, each term weighed by its rarity and kin
    counting less, and the calibrated cosine are joined as independent evidence: 1 - (1 - share) * (1 -
    meaning). terms: every term of the query, also those that no item contains, because they identify an
    off-topic query. rows: how many memories were searched. cosines: by seq; without vectors the words alone
    count."""
    doubt = (1 - _share(line, terms, rows)) * (1 - _calibrated(line.from_seqs(cosines)))
    return dict(zip(line.seqs.tolist(), (1 - doubt).tolist(), strict=True))


def _share(line: Line, terms: Sequence[Laid], rows: int) -> Values:
    """Return the part of the query's rarity in each item's window; a neighbour's word counts by its share in
    the window."""
    held, asked = np.zeros(len(line.items)), 0.0
    for each in terms:
        weight = rarity(each.posting.frequency, max(rows, TELLING_SIZE))
        held += weight * np.minimum(1.0, each.windows)
        asked += weight
    return held / asked if asked else held


def _calibrated(cosines: Values) -> Values:
    clipped: Values = np.clip((cosines - UNRELATED) / (SAME - UNRELATED), 0.0, 1.0)
    return clipped
