"""Learned judge of text: how much it reads like what steers agents, where no rule of the lexicon holds.

A linear support vector machine over words, their beginnings, pairs of near words, and what the text is about. Fitted by
`python -m tests.bench.steering --fit`; how well it does is in tests/bench/README.md."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import combinations, islice, pairwise

import numpy as np
import numpy.typing as npt

from memdesk.engine.steering.reading import REMEMBERED, Index, folded, index_of, phrases, reads, rule_index

LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "zh")
"""Languages with tables of what a text is about."""
WEIGHTS = "judge.npz"
PIECE_CHARACTERS = 500
"""Longer texts are judged piece by piece: the judge has learned from single notes."""
PIECES_AT_MOST = 40
SHORT, LONG, APART = 4, 6, 4
"""Letters of a word's beginnings, and words between which a pair is read."""
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\W]+")
_DIGITS = re.compile(r"\d+")
_PIECE = re.compile(rf"(?s).{{1,{PIECE_CHARACTERS}}}(?:(?<=[.!?。！？\n])|\s|$)|.{{{PIECE_CHARACTERS}}}")


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


@lru_cache(REMEMBERED)
def steers(text: str) -> str | None:
    """Return the piece of a text that reads most like what steers agents; None if none does."""
    pieces = (found[0] for found in islice(_PIECE.finditer(text), PIECES_AT_MOST))
    scores = ((_weights().score(blocks(piece)), piece) for piece in pieces)
    score, piece = max(scores, default=(0.0, ""))
    return " ".join(piece.split()) if piece and score > _weights().held_from else None


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
    return index_of([phrases("concepts", f"{language}.toml") for language in LANGUAGES])


@cache
def _weights() -> Weights:
    with resources.files(__package__).joinpath("lexicon", WEIGHTS).open("rb") as file:
        data = np.load(file)
        scale, bias, held_from = data["scale"].tolist()
        return Weights(data["signs"], data["weights"].astype(np.float32) * scale, bias, held_from)
