"""Learned judge of text, no part of MemDesk: how much it reads like what steers agents, where no rule holds.

Signs of a linear support vector machine: words, their beginnings, pairs of near words, what the lexicon says, and what
the text is about, by the tables in concepts/."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memdesk.engine.steering.disguises import folded
from memdesk.engine.steering.reading import Index, index_of, reads, rule_index, tables_of

CONCEPTS = Path(__file__).parent / "concepts"
SHORT, LONG, APART = 4, 6, 4
"""Letters of a word's beginnings, and words between which a pair is read."""
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\W]+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights by sign, the signs in ascending order. held_from: sum of a text's weights above which it is held."""

    signs: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32]
    bias: float
    held_from: float

    def score(self, groups: Iterable[npt.NDArray[np.uint32]]) -> float:
        total = self.bias
        for block in groups:
            place = np.minimum(np.searchsorted(self.signs, block), len(self.signs) - 1)
            known = place[self.signs[place] == block]
            total += float(self.weights[known].sum()) / max(1, len(block)) ** 0.5
        return total


def blocks(text: str) -> tuple[npt.NDArray[np.uint32], ...]:
    """Return the signs of a text in five groups, each of which counts the same however many it has."""
    plain = _DIGITS.sub("0", folded(text))
    words = _WORD.findall(plain)
    stems = [word[:LONG] for word in words]
    does, about = sorted(reads(plain, rule_index())), sorted(reads(plain, _index()))
    return (
        _hashes("w", {*stems, *map(" ".join, pairwise(stems))}),
        _hashes("l", {*(word[:SHORT] for word in words), *(f"/{word}" for word in words)}),
        _hashes(
            "p", {f"{one}~{near}" for at, one in enumerate(stems) for near in stems[at + 1 : at + 1 + APART]}
        ),
        _hashes("a", {"&".join(group) for size in (1, 2, 3) for group in combinations(about, size)}),
        _hashes("x", {"&".join(group) for size in (1, 2) for group in combinations(does, size)}),
    )


def _hashes(group: str, signs: set[str]) -> npt.NDArray[np.uint32]:
    return np.unique(np.array([zlib.crc32(f"{group}{sign}".encode()) for sign in signs], np.uint32))


@cache
def _index() -> Index:
    return index_of([tables_of(file.read_text("utf-8")) for file in sorted(CONCEPTS.glob("*.toml"))])
