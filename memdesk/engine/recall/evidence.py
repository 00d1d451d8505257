"""Evidence of the query's words: BM25F over each turn and the turns around it, computed for each query. The items are
in a line, with turns next to their neighbours, so that sharing with neighbours is one convolution.

A dialogue spreads one subject over several turns ("Where was that?" "In Sweden."), so a turn is judged
together with its neighbours. Computing this over posting lists keeps only each turn's own words in the
index: storing a turn rewrites no other row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memdesk.store.search import Vector
from memdesk.store.words import is_run

Values = NDArray[np.float64]
"""Array of one number per item, in the order of the items."""
Rows = NDArray[np.float32]
"""Matrix of one vector per item, in the order of the items."""

RADIUS = 4
"""Most turns over which a turn can share with another: one more changes no result on LoCoMo."""
GAP_US = 6 * 3600 * 1_000_000
"""Longest gap between related turns: turns of one conversation more than six hours apart have different subjects."""
_APART = RADIUS + 1
_FAR = np.iinfo(np.intp).max


@dataclass(slots=True)
class Item:
    """Memory that may be returned. seq: its number in the text index. kind: turn, fact, entity or passage.

    conversation, index and speaker: position of a turn, None for the other kinds. at: UTC microseconds.
    confidence, salience: 0-1, 1 if the kind has none. here: of the active channel, not `_global`. returned: False for
    a turn that only lends to the facts read from it. Not frozen, because a recall makes hundreds, and a frozen one
    takes three times as long to make."""

    seq: int
    kind: str
    text: str
    at: int
    conversation: str | None = None
    index: int | None = None
    speaker: str | None = None
    confidence: float = 1.0
    salience: float = 1.0
    here: bool = True
    returned: bool = True


@dataclass(frozen=True)
class Line:
    """Items in numbered slots: turns of one conversation as far apart as their indexes, all others out of reach."""

    items: Sequence[Item]

    def spread(self, values: Values, kernel: Values) -> Values:
        """Return the values with shares from neighbours. kernel[RADIUS + d] is the share of a value that
        reaches d turns later."""
        laid = np.zeros(self._length)
        laid[self._slots] = values
        return np.convolve(laid, kernel, mode="same")[self._slots]

    def likeness(self, rows: Rows, at: NDArray[np.intp], reach: int) -> list[Values]:
        """Return products of the items' vectors with those of the items 1, 2, ... `reach` slots later, 0 if
        there is none.

        rows: one vector for each of the positions `at`."""
        order = np.argsort(self._slots[at])
        rows, at = rows[order], at[order]
        slots = self._slots[at]
        found = [np.zeros(len(self.items)) for _ in range(reach)]
        # What is that many slots later is at most that many items later.
        for later in range(1, reach + 1):
            products = np.einsum("ij,ij->i", rows[:-later], rows[later:])
            apart = slots[later:] - slots[:-later]
            for slot in range(later, reach + 1):
                here = np.flatnonzero(apart == slot)
                found[slot - 1][at[here]] = products[here]
        return found

    def from_seqs(self, values: Mapping[int, float]) -> Values:
        """Return values given by seq as an array, 0 for items without one."""
        return np.array([values.get(item.seq, 0.0) for item in self.items], dtype=np.float64)

    def flags(self, seqs: Sequence[int]) -> Values:
        """Return 1 for the items with these seqs, 0 for the rest; seqs that are not in the line are ignored."""
        flags = np.zeros(len(self.items))
        flags[[self.place[seq] for seq in seqs if seq in self.place]] = 1.0
        return flags

    @cached_property
    def seqs(self) -> NDArray[np.int64]:
        """Return the search number of each item."""
        return np.array([item.seq for item in self.items], dtype=np.int64)

    @cached_property
    def at(self) -> NDArray[np.int64]:
        """Return the time of each item in UTC microseconds."""
        return np.array([item.at for item in self.items], dtype=np.int64)

    @cached_property
    def place(self) -> dict[int, int]:
        """Return seq -> position among the items."""
        return {item.seq: position for position, item in enumerate(self.items)}

    @cached_property
    def runs(self) -> NDArray[np.intp]:
        """Return the number of the run of each item: turns of one conversation with no gap longer than GAP_US, every
        other item by itself."""
        order, steps = self._order
        runs = np.empty(len(order), np.intp)
        runs[order] = np.cumsum(steps == _FAR)
        return runs

    @cached_property
    def _length(self) -> int:
        return int(np.max(self._slots, initial=0)) + _APART

    @cached_property
    def _slots(self) -> NDArray[np.intp]:
        """Return the slot of each item, from _APART: turns of one conversation by their distance, all others
        _APART apart."""
        order, steps = self._order
        slots = np.empty(len(order), np.intp)
        slots[order] = np.cumsum(np.minimum(steps, _APART))
        return slots

    @cached_property
    def _order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the items by conversation and index, and the distance of each from the one before it: _FAR if they are
        not of one run."""
        if not self.items:
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        talks: dict[str | None, int] = {None: 0}
        talk = np.array([talks.setdefault(item.conversation, len(talks)) for item in self.items])
        index = np.array([-1 if item.index is None else item.index for item in self.items])
        order = np.lexsort((self.seqs, index, talk))
        talk, index, at = talk[order], index[order], self.at[order]
        beside = (talk[1:] == talk[:-1]) & (index[:-1] >= 0) & (np.abs(np.diff(at)) <= GAP_US)
        return order, np.r_[_FAR, np.where(beside, np.diff(index), _FAR)]


WINDOW: Values = np.array([0.1, 0.1, 0.2, 0.4, 1.0, 0.5, 0.3, 0.1, 0.1])
"""Shares of a hit that reach the turns from four before it to four after it. An answer depends more on the
question before it than a question on its answer. Flatter, steeper and symmetric windows lose about a point
each on LoCoMo."""
K1 = 1.0
B = 0.75
"""Length normalisation of BM25, as in FTS5; K1 is its saturation (Robertson & Zaragoza 2009)."""
KIN = 0.4
"""Weight of a word near in meaning to a word of the query: "children" for "kids". All values from 0.3 to 0.5
rank alike."""
POSTING_MAX = 2000
"""Most hits read of one term, newest first. A term with more is common and discriminates little."""
LONE_MAX = 500
"""Most hits read of a single Chinese or Japanese character, which discriminates less: the commonest is in
every third turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Rows that contain one term: seqs newest first, at most POSTING_MAX.

    frequency: number of searched rows with the term, estimated if the list was cut short. kin: the rows with
    words near it in meaning. optional: a word of a date, which a memory of that date need not contain; also
    a bigram across the end of a word."""

    seqs: Sequence[int]
    frequency: int
    kin: Sequence[int] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedPosting:
    """Posting mapped to a line. own: 1 for the items that contain the term itself. windows: amount of the
    term in each item's window, with kin counted as KIN."""

    posting: Posting
    own: Values
    windows: Values


def map_to_line(postings: Sequence[Posting], line: Line) -> list[MappedPosting]:
    """Return the postings mapped to the line of the items that may be returned."""
    found = []
    for each in postings:
        own = line.flags(each.seqs)
        hits = np.maximum(own, KIN * line.flags(each.kin)) if each.kin else own
        found.append(MappedPosting(posting=each, own=own, windows=line.spread(hits, WINDOW)))
    return found


def most_read(term: str) -> int:
    """Return the number of hits read of a term."""
    return LONE_MAX if len(term) == 1 and is_run(term) else POSTING_MAX


def posting(
    seqs: Sequence[int],
    kin: Sequence[int] = (),
    *,
    newest: int,
    rows: int,
    most: int = POSTING_MAX,
    optional: bool = False,
) -> Posting:
    """Return a posting of the newest `most` seqs of a term, in falling order; `rows` are searched, the newest
    is `newest`.

    For a list cut short, the rest is assumed to be as dense as the part read."""
    if len(seqs) < most:
        return Posting(seqs=seqs, frequency=len(seqs), kin=kin, optional=optional)
    density = len(seqs) / (newest - seqs[-1] + 1)
    frequency = min(rows, max(len(seqs), round(density * newest)))
    return Posting(seqs=seqs, frequency=frequency, kin=kin, optional=optional)


def strongest(postings: Sequence[Posting], *, rows: int, limit: int) -> list[int]:
    """Return the `limit` seqs with the most evidence in their own words, best first, newest first among equals."""
    lists = [(seqs, share * _weight(each, rows)) for each in postings for seqs, share in _filled(each)]
    if not lists:
        return []
    seqs, term_of = np.unique(
        np.concatenate([np.array(seqs, np.int64) for seqs, _ in lists]), return_inverse=True
    )
    own = np.bincount(term_of, weights=np.repeat([weight for _, weight in lists], [len(s) for s, _ in lists]))
    return [int(seq) for seq in seqs[np.lexsort((-seqs, -own))][:limit]]


def evidence(terms: Sequence[MappedPosting], line: Line, *, rows: int) -> dict[int, float]:
    """Return seq -> BM25F of an item with its window, over 0; items without evidence are left out.

    terms: the query's, mapped to the line of the items that may be returned, turns together with the
    neighbours RADIUS around them. rows: how many rows were searched. Only turns share words with neighbours;
    a fact, entity or passage counts alone."""
    total = np.zeros(len(line.items))
    norm = _length_norm(line)
    for each in terms:
        if each.windows.any():
            total += _reached(each, line, rows) * each.windows * (K1 + 1) / (each.windows + K1 * norm)
    return {seq: value for seq, value in zip(line.seqs.tolist(), total.tolist(), strict=True) if value > 0}


def _filled(each: Posting) -> list[tuple[Sequence[int], float]]:
    """Return the non-empty lists of a posting, each with the weight of a hit in it."""
    return [(seqs, share) for seqs, share in ((each.seqs, 1.0), (each.kin, KIN)) if seqs]


def _weight(each: Posting, rows: int) -> float:
    """Return the rarity of a term; for a term in no row, that of its kin."""
    return rarity(each.frequency or len(each.kin), rows)


def _reached(each: MappedPosting, line: Line, rows: int) -> float:
    """Return the rarity of a term among windows instead of rows."""
    hits = int(np.count_nonzero(each.own))
    # Kin widen what is in reach of a window, not how many windows the term itself reaches.
    windows = line.spread(each.own, WINDOW) if each.posting.kin else each.windows
    widened = int(np.count_nonzero(windows)) / hits if hits else RADIUS
    return rarity((each.posting.frequency or len(each.posting.kin)) * widened, rows)


def _length_norm(line: Line) -> Values:
    """Return BM25's length normalisation of each item against the mean of its kind; a turn is as long as its window."""
    lengths = line.spread(
        np.array([len(item.text) for item in line.items], dtype=float), np.ones(2 * RADIUS + 1)
    )
    kinds = np.array([item.kind for item in line.items])
    means = np.ones(len(line.items))
    for kind in set(kinds.tolist()):
        means[kinds == kind] = max(1.0, float(lengths[kinds == kind].mean()))
    return 1 - B + B * lengths / means


def rarity(frequency: float, rows: int) -> float:
    """Return the inverse document frequency in the form that is above 0 for common terms (Lucene's)."""
    frequency = min(frequency, rows)
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


WINDOW_SHARES = {-1: 0.3, 0: 1.0, 1: 0.5, 2: 0.3}
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


_WINDOW = _kernel(WINDOW_SHARES)
_SQUARES = tuple(
    _kernel(
        {
            turns: (2 if apart else 1) * share * WINDOW_SHARES[turns - apart]
            for turns, share in WINDOW_SHARES.items()
            if turns - apart in WINDOW_SHARES
        }
    )
    for apart in range(max(WINDOW_SHARES) - min(WINDOW_SHARES) + 1)
)
"""Kernels by distance: the amount that the product of two turns that far apart adds to the squared length of
a window."""


FLOOR = 0.25
"""Least relevance of a recall's best hit: below it, no hit is relevant. On LoCoMo it rejects nine of ten off-topic
queries, and one in fifty of those that have an answer (tests/bench/README.md). It applies to the best hit: applied
to each hit, it would cost 3 points."""
LEAST_SIZE = 400
"""Least number of memories assumed when the rarity of a word is computed: the size of the conversations on
which the floor was measured. In a desk of one memory every word is in half of them or in none, which does
not measure its rarity."""
WORDS_LOGIT, MEANING_LOGIT, BASE_LOGIT = 6.0, 10.0, -4.5
"""Logistic regression of answerable questions against off-topic ones on five LoCoMo talks, each talk left out once.
The base puts the floor at the value that one in fifty answerable questions does not reach."""
TIME_LOGIT = 1.5
"""Evidence of a time that the query names: a question about another subject rarely names one of this scope."""
UNKNOWN_MEANING = 0.1
"""Nearness assumed of a memory without a vector: that of a neighbour by subject."""


def relevance(
    line: Line, *, coverage: Mapping[int, float], meanings: Mapping[int, float], timely: Values | None = None
) -> dict[int, float]:
    """Return seq -> 0 to 1 for every item of the line: the probability that words or meaning relate it to the
    query; 0 for an item with neither.

    Evidence is the share of the query's terms that an item's window contains, and the nearness of the window in
    meaning without the common tone of what was found. coverage, meanings: by seq. timely: 1 for items of a time that
    the query names, up to 1 for those near it."""
    share = line.from_seqs(coverage)
    near = np.array([meanings.get(item.seq, UNKNOWN_MEANING) for item in line.items])
    logit = WORDS_LOGIT * share + MEANING_LOGIT * near + BASE_LOGIT
    likely = 1 / (1 + np.exp(-(logit if timely is None else logit + TIME_LOGIT * timely)))
    known = np.array([item.seq in meanings for item in line.items], dtype=bool)
    found = np.where((share > 0) | known, likely, 0.0)
    return dict(zip(line.seqs.tolist(), found.tolist(), strict=True))


def covered(line: Line, terms: Sequence[MappedPosting], rows: int) -> dict[int, float]:
    """Return seq -> share of the query's terms that an item's window contains, 0 to 1, each term weighed by its
    rarity, kin and a neighbour's word counting less.

    terms: every term of the query, also those that no item contains, because they identify an off-topic query. rows:
    how many memories were searched."""
    held, asked = np.zeros(len(line.items)), np.zeros(len(line.items))
    for each in terms:
        weight = rarity(each.posting.frequency, max(rows, LEAST_SIZE))
        found = weight * np.minimum(1.0, each.windows)
        held += found
        asked += found if each.posting.optional else weight
    share = np.divide(held, asked, out=np.zeros(len(line.items)), where=asked > 0)
    return dict(zip(line.seqs.tolist(), share.tolist(), strict=True))
