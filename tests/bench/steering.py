"""Share of fresh attacks held, by kind: by the rules, and by the rules with a learned judge that never saw the kind.

python -m tests.bench.steering [FILE ...]      FILE: further honest texts, one a line; the share held is shown

The judge is a logistic regression with a ridge over stems, letters, what the lexicon says, and the mean vector of the
bundled embedder. steering.tsv was written at one sitting, without the lexicon or other attacks at hand; no word of the
lexicon may come from it, or it measures nothing. Columns: label, kind, language, text. The judge is not part of
MemDesk: what it reached is in the README."""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memdesk.engine.memory.quarantine import suspicion
from memdesk.engine.providers.static import StaticTable
from memdesk.engine.steering import reading
from memdesk.engine.steering.disguises import folded
from memdesk.model.settings import Settings

FRESH = Path(__file__).parent / "steering.tsv"
KNOWN = tuple((Path(__file__).parents[1] / "engine" / "steering").glob("*.tsv"))
DIMENSION = 1 << 14
STEM, LETTERS = 6, range(2, 6)
OF_LEXICON, OF_VECTOR = 0.3, 0.7
"""Weights of the parts, chosen by eye and not searched for."""
FEWEST = 6
PENALTY = 0.1
STEPS, SETTLED = 25, 1e-6
HELD_AT_MOST = 0.003
"""Share of honest texts that the judge may hold; its threshold is set by those it did not see."""
_WORD, _DIGITS = re.compile(r"\w+"), re.compile(r"\d+")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？])")
Numbers = npt.NDArray[np.float64]


def main(files: Sequence[str]) -> int:
    rows = [line.split("\t") for line in FRESH.read_text("utf-8").splitlines()]
    known = [line.split("\t") for file in sorted(KNOWN) for line in file.read_text("utf-8").splitlines()]
    rows += [row for row in known if row[0] == "honest"]
    attack = np.array([row[0] == "attack" for row in rows])
    kinds = np.array([row[1] for row in rows])
    ruled = np.array([is_held(row[3]) for row in rows])
    further = [line for file in files for line in Path(file).read_text("utf-8").splitlines() if line.strip()]
    table, others = signs([row[3] for row in rows]), signs(further)
    names = np.unique(kinds[attack])
    part = np.random.default_rng(0).integers(len(names), size=len(rows))
    score, of_further = np.zeros(len(rows)), np.zeros((len(names), len(further)))
    for place, name in enumerate(names):
        left_out = np.where(attack, kinds == name, part == place)
        weights, bias = fitted(table[~left_out], attack[~left_out])
        score[left_out] = table[left_out] @ weights + bias
        of_further[place] = others @ weights + bias
    honest = np.sort(score[~attack])[::-1]
    judged = score > honest[int(HELD_AT_MOST * len(honest))]
    print(f"{'kind':<12}{'texts':>6}{'rules':>8}{'judge':>8}{'both':>8}")
    for name, of in [*((name, attack & (kinds == name)) for name in names), ("all", attack)]:
        shares = "".join(f"{held[of].mean():>8.1%}" for held in (ruled, judged, ruled | judged))
        print(f"{name:<12}{of.sum():>6}{shares}")
    print(f"honest held, of {len(honest)}: rules {ruled[~attack].sum()}, judge {judged[~attack].sum()}")
    if further:
        by_judge = (of_further > honest[int(HELD_AT_MOST * len(honest))]).mean()
        print(
            f"further honest, of {len(further)}: rules {np.mean([*map(is_held, further)]):.2%}, judge {by_judge:.2%}"
        )
    return 0


def is_held(text: str) -> bool:
    found = suspicion(text, by_person=False)
    return found is not None and found.certainty >= Settings().quarantine_from


def signs(texts: Sequence[str]) -> Numbers:
    """Return a row for each text: its words and letters hashed, what the lexicon says of it, and its mean vector."""
    hashed = np.zeros((len(texts), DIMENSION))
    for row, text in zip(hashed, texts, strict=True):
        plain = _DIGITS.sub("0", folded(text))
        pieces = {*_words(plain), *_letters(plain)}
        row[[_place(piece) for piece in pieces]] = max(FEWEST, len(pieces)) ** -0.5
        does = sorted(reading._reads(folded(text)))
        for sign in [*does, *(" & ".join(pair) for pair in combinations(does, 2))]:
            row[_place(f"@{sign}")] += OF_LEXICON
    return np.hstack([hashed, OF_VECTOR * StaticTable().embed(texts)])


def _words(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        stems = [word[:STEM] for word in _WORD.findall(sentence)]
        yield from ("^" + " ".join(stems[:length]) for length in (1, 2))
        yield from stems
        yield from map(" ".join, pairwise(stems))


def _letters(text: str) -> Iterator[str]:
    text = f" {text} "
    return (f"#{text[at : at + n]}" for n in LETTERS for at in range(len(text) - n + 1))


def _place(sign: str) -> int:
    return zlib.crc32(sign.encode()) % DIMENSION


def fitted(table: Numbers, attack: npt.NDArray[np.bool_]) -> tuple[Numbers, float]:
    """Return weights and bias of a logistic regression with a ridge, attacks and honest texts counting the same.

    Newton's method in the dual (Keerthi et al., Machine Learning 61, 2005): there are more signs than texts."""
    count, kernel = len(attack), table @ table.T
    weight = np.where(attack, 0.5 / attack.mean(), 0.5 / (1 - attack.mean()))
    dual, bias = np.zeros(count), 0.0
    system = np.ones((count + 1, count + 1))
    system[count, count] = 0
    for _ in range(STEPS):
        value = kernel @ dual + bias
        chance = 1 / (1 + np.exp(-value))
        curve = np.maximum(weight * chance * (1 - chance), 1e-6)
        system[:count, :count] = kernel + np.diag(PENALTY / curve)
        target = value + weight * (attack - chance) / curve
        *found, bias = np.linalg.solve(system, np.append(target, 0.0))
        moved, dual = np.abs(np.array(found) - dual).max(), np.array(found)
        if moved < SETTLED:
            break
    return table.T @ dual, float(bias)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
