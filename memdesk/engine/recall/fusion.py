"""The ranking: words, meaning and a few plain signals summed into one score.

Pure sums over what was already fetched, so that every ranking can be checked by hand. All kinds of memory compete on
one scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memdesk.engine.recall.line import Item, Line, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each signal can add to a score; measured on LoCoMo turns, categories 1-4, as recall@10 in points.

    words 0.5, meaning 0.4: evidence over the best evidence, cosine stretched over the range found; without words
    13 less, without the meaning of the bundled table 1 less. beside 0.5: the share of its neighbour's meaning that
    a turn may have instead of its own. speaker 0.15: turns of a speaker the query names, +2; 0.3 gains no more and
    costs 17 on questions that name the wrong person, where 0.15 costs 5. time 0.2: memories of a time the query
    names, +1. question 0.1: taken from turns that only ask, +0.3. here 0.05: the active channel before `_global`
    where all else is equal. doubt 0.5, fading 0.2: the share of a score that a memory of confidence 0, of salience
    0, loses: gentle, so that a faded fact with the right words still comes before a fresh one without.
    """

    words: float = 0.5
    meaning: float = 0.4
    beside: float = 0.5
    speaker: float = 0.15
    time: float = 0.2
    question: float = 0.1
    here: float = 0.05
    doubt: float = 0.5
    fading: float = 0.2


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A ranked memory. parts: named shares in the order they were added; score is their sum."""

    seq: int
    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What a query says beside its words. named: speakers it names. times: spans of UTC microseconds it names."""

    named: frozenset[str] = frozenset()
    times: tuple[tuple[int, int], ...] = ()


WEEK_US = 7 * 86_400 * 1_000_000
_CLOSING = " \t\r\n\"'”’)]」』"


def fuse(
    line: Line,
    *,
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    signals: Signals = Signals(),
    weights: Weights = WEIGHTS,
    limit: int = 10,
) -> list[Scored]:
    """The best `limit` items, best first; of equals the newest, then the lowest seq.

    words: evidence by seq, over 0. cosines: cosine to the query by seq, for every item that has a vector. An item with
    neither words nor meaning is left out, whatever its signals. Scores are at least 0.
    """
    if not line.items:
        return []
    found = _parts(line, words, cosines, signals, weights)
    total = sum(found.values(), np.zeros(len(line.items)))
    relevant = np.flatnonzero((found["words"] > 0) | (found["meaning"] > 0))
    at = np.array([item.at for item in line.items])
    seqs = np.array([item.seq for item in line.items])
    order = relevant[np.lexsort((seqs[relevant], -at[relevant], -total[relevant]))][:limit]
    return [_scored(int(seqs[i]), {name: float(values[i]) for name, values in found.items()}) for i in order]


def _parts(
    line: Line, words: Mapping[int, float], cosines: Mapping[int, float], signals: Signals, weights: Weights
) -> dict[str, Values]:
    """Each signal's share of every item's score, in the order of adding."""
    parts = {
        "words": weights.words * _over_best(line.from_seqs(words)),
        "meaning": weights.meaning * _meaning(line, cosines, weights.beside),
        "speaker": weights.speaker * _flags([item.speaker in signals.named for item in line.items]),
        "time": weights.time * np.array([_closeness(item.at, signals.times) for item in line.items]),
        "here": weights.here * _flags([item.here for item in line.items]),
    }
    base: Values = sum(parts.values(), np.zeros(len(line.items)))
    parts["question"] = -np.minimum(
        base, weights.question * _flags([_only_asks(item) for item in line.items])
    )
    base = base + parts["question"]
    sure = 1 - weights.doubt * (1 - np.array([item.confidence for item in line.items]))
    fresh = 1 - weights.fading * (1 - np.array([item.salience for item in line.items]))
    parts["confidence"] = base * (sure - 1)
    parts["salience"] = base * sure * (fresh - 1)
    return parts


def _meaning(line: Line, cosines: Mapping[int, float], beside: float) -> Values:
    """Cosines stretched so that the range found is 0 to 1; a turn may have a share of its neighbour's instead."""
    if not cosines:
        return np.zeros(len(line.items))
    low, high = min(cosines.values()), max(cosines.values())
    reach = high - low or 1.0
    own = line.from_seqs({seq: (cosine - low) / reach for seq, cosine in cosines.items()})
    return np.maximum(own, beside * line.best_beside(own))


def _over_best(values: Values) -> Values:
    best = float(values.max(initial=0.0))
    return values / best if best > 0 else values


def _flags(values: Sequence[bool]) -> Values:
    return np.array(values, dtype=np.float64)


def _closeness(at: int, times: Sequence[tuple[int, int]]) -> float:
    """1 within a named time, 0.5 in the week after it, when things are talked over, else 0."""
    if any(start <= at < end for start, end in times):
        return 1.0
    return 0.5 if any(end <= at < end + WEEK_US for _, end in times) else 0.0


def _only_asks(item: Item) -> bool:
    return item.kind == "turn" and item.text.rstrip(_CLOSING).endswith(("?", "？"))


def _scored(seq: int, parts: Mapping[str, float]) -> Scored:
    """What adds nothing is not shown."""
    shown = tuple((name, value) for name, value in parts.items() if value)
    return Scored(seq=seq, score=sum(value for _, value in shown), parts=shown)
