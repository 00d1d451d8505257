"""How relevant a memory is in itself, whatever else was found: what lets a recall answer "nothing relevant".

The fused score is relative: its best hit looks good even where nothing is. This number compares with nothing but the
query, so one floor serves every query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from memdesk.engine.recall.evidence import Laid, rarity
from memdesk.engine.recall.line import Line, Values

FLOOR = 0.25
"""A recall whose best hit is under this has found nothing relevant: on LoCoMo four of five off-topic queries, and none
that has an answer (tests/bench/README.md). It is for the best hit: held against each, it would cost 3 points."""
TELLING_SIZE = 400
"""Among fewer memories a word is taken to be as rare as among so many, the size of the conversations the floor was
measured on: in a desk of one memory every word stands in half of them or in none, which says nothing of the word."""
UNRELATED, SAME = 0.15, 0.6
"""Cosines of the bundled table between texts that have nothing to do with each other, and that say the same."""


def relevance(
    line: Line, *, terms: Sequence[Laid], rows: int, cosines: Mapping[int, float]
) -> dict[int, float]:
    """Seq -> 0 to 1 for every item of the line: the chance that words or meaning tie it to the query.

    The share of the query's telling terms that an item's window holds, each term weighed by its rarity and kin
    counting less, and the calibrated cosine, joined as independent witnesses: 1 - (1 - share) * (1 - meaning).
    terms: every term of the query, those that nothing holds too, for they are what a strange query is known by.
    rows: how many memories were searched. cosines: by seq; without vectors the words witness alone.
    """
    doubt = (1 - _share(line, terms, rows)) * (1 - _calibrated(line.from_seqs(cosines)))
    return dict(zip(line.seqs.tolist(), (1 - doubt).tolist(), strict=True))


def _share(line: Line, terms: Sequence[Laid], rows: int) -> Values:
    """The part of the query's rarity that stands in each item's window, a neighbour's word counting as it lends."""
    held, asked = np.zeros(len(line.items)), 0.0
    for each in terms:
        weight = rarity(each.posting.frequency, max(rows, TELLING_SIZE))
        held += weight * np.minimum(1.0, each.windows)
        asked += weight
    return held / asked if asked else held


def _calibrated(cosines: Values) -> Values:
    clipped: Values = np.clip((cosines - UNRELATED) / (SAME - UNRELATED), 0.0, 1.0)
    return clipped
