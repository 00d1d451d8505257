"""Fit the weights of a claim's worth to claims that a person judged, and show how well they hold for others.

python -m tests.bench.worth [--write]          fit judged_claims.txt; --write replaces the weights of the lexicon
python -m tests.bench.worth --claims TALKS     list the claims of a file of talks with their signs, to be judged

A letter is what one reader said of a claim. g: true, understood alone, specific, and worth asking for; b: true and
understood, of little use; x: a fault (trivial, vague, garbled, wrong subject, wrong time)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from unittest import mock

import numpy as np
import numpy.typing as npt

from memdesk.engine.extraction import Utterance, english, extract, lexicon
from memdesk.engine.extraction import worth as worth_of
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.self_contained import is_self_contained
from memdesk.model.instant import from_datetime
from tests.bench.locomo import Talk, load

JUDGED = Path(__file__).parent / "judged_claims.txt"
PENALTY = 20.0
RAISING = word_set(
    """
    explicit substance telling named dated happened_dated defining kin likes place proper quoted recent milestone
    health naming occupied topic duration favourite origin plain_state trait answer
    likes_a_kind built fan heritage always aspires loves season
    """
)
"""Signs that may only raise the worth; the others may only lower it. A sign fitted against this is left out."""
EITHER = word_set("long not_speaker going_on next denied duty want used_to short refuses")
THRESHOLDS = (0.0, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
BINS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
PARTS = 8
"""Groups of whole talks, each judged by weights of the others."""
Numbers = npt.NDArray[np.float64]
Words = npt.NDArray[np.str_]


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--claims"]:
        for talk in load(Path(arguments[1])):
            for turn, claim, signs in candidates(talk):
                shown = " ".join(f"{name}={value:.3g}" for name, value in signs.items() if value)
                print(f"{talk.name}\t{turn}\t{claim}\t{shown}")
        return 0
    names, earlier, table, of, talks, letters = read(JUDGED)
    good = (letters == "g").astype(np.float64)
    parts = np.array([int(talk) % PARTS for talk in talks])
    for title, groups in (("talk", parts), ("collection", of)):
        held_out = np.zeros(len(good))
        for group in np.unique(groups):
            weights = fitted(table[groups != group], good[groups != group], names, earlier)
            held_out[groups == group] = chance(weights, table[groups == group])
        print(f"| least worth, {title} held out | all | " + " | ".join(np.unique(of)) + " |")
        for least in THRESHOLDS:
            cells = [shares(letters[(held_out >= least) & each]) for each in (of != "", *_each(of))]
            print(f"| {least} | " + " | ".join(cells) + " |")
        print(f"| confidence, {title} held out | claims: good (sound) |")
        for low, high in zip(BINS, BINS[1:], strict=False):
            print(f"| {low} | {shares(letters[(held_out >= low) & (held_out < high)])} |")
    weights = fitted(table, good, names, earlier)
    lines = [
        f"{name} {weight:.2f}"
        for name, weight in zip(["constant", *names], weights, strict=True)
        if abs(weight) >= 0.005
    ]
    print("\n".join(lines))
    if "--write" in arguments:
        path = Path(lexicon.__file__).parent / "worth.txt"
        kept = path.read_text(encoding="utf-8").partition("[english]")[0]
        path.write_text(f"{kept}[english]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


def read(path: Path) -> tuple[list[str], Numbers, Numbers, Words, Words, Words]:
    """Return the names of the signs, the earlier weights, and of each claim its signs, collection, talk and letter.

    Signs that a line "since" names are unknown of the claims before it: there they have the mean of the others."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    before = _pairs(lines[0][1:])
    since = next((at for at, line in enumerate(lines) if line[0] == "since"), len(lines))
    newer = [_pairs(line[3:]) for line in lines[since + 1 :]]
    means = {
        name: sum(signs.get(name, 0.0) for signs in newer) / len(newer)
        for name in (lines[since][1:] if newer else ())
    }
    claims = [
        (line[0], line[1], line[2], (means if at < since else {}) | _pairs(line[3:]))
        for at, line in enumerate(lines)
        if at and at != since
    ]
    names = sorted(before.keys() - {"constant"} | {name for _, _, _, signs in claims for name in signs})
    table = np.array([[signs.get(name, 0.0) for name in names] for _, _, _, signs in claims])
    earlier = np.array([before.get(name, 0.0) for name in ("constant", *names)])
    of, talks, letters = (np.array([claim[at] for claim in claims], dtype=str) for at in range(3))
    return names, earlier, table, of, talks, letters


def _pairs(words: Sequence[str]) -> dict[str, float]:
    return {name: float(value) for name, _, value in (word.partition("=") for word in words)}


def _each(of: Words) -> list[npt.NDArray[np.bool_]]:
    return [of == name for name in np.unique(of)]


def shares(letters: Words) -> str:
    """Return the number of claims, and the shares that are good and without a fault."""
    if not len(letters):
        return ""
    return f"{len(letters)}: {np.mean(letters == 'g'):.0%} ({np.mean(letters != 'x'):.0%})"


def candidates(talk: Talk) -> list[tuple[str, str, dict[str, float]]]:
    """Return (turn, claim, signs) of every claim that can be understood alone, whatever it is worth."""
    seen: dict[str, dict[str, float]] = {}

    def noted(claim: str, scene: Scene, certainty: str, *, answer: bool = False) -> float:
        seen[claim] = worth_of.signs(claim, scene, certainty, answer=answer)
        return float(is_self_contained(claim))

    found = []
    with mock.patch.object(english, "confidence", noted):
        for _, turns in groupby(talk.turns, key=lambda turn: turn.conversation_id):
            said = [
                Utterance(
                    id=str(turn.turn_id).partition(":")[2],
                    speaker=turn.speaker or "",
                    role="user",
                    text=turn.content.partition(" [shares ")[0],
                    at=from_datetime(turn.created_at) if turn.created_at else 0,
                )
                for turn in turns
            ]
            for fact in extract(said, zone=None).facts:
                if fact.claim in seen:
                    found.append((fact.utterance_id, fact.claim, seen[fact.claim]))
    return found


def fitted(table: Numbers, good: Numbers, names: Sequence[str], earlier: Numbers) -> Numbers:
    """Return the constant and a weight for each sign, by logistic regression drawn towards the earlier weights.

    A sign that comes out in the wrong direction has weight 0."""
    off: set[int] = set()
    while True:
        used, drawn = table.copy(), earlier.copy()
        for at in off:
            used[:, at], drawn[at + 1] = 0.0, 0.0
        weights = _ridge(used, good, drawn)
        weights[[at + 1 for at in off]] = 0.0
        wrong = {
            at
            for at, (name, weight) in enumerate(zip(names, weights[1:], strict=True))
            if name not in EITHER and weight and (weight > 0) != (name in RAISING)
        } - off
        if not wrong:
            return weights
        off |= wrong


def _ridge(table: Numbers, good: Numbers, earlier: Numbers) -> Numbers:
    mean, spread = table.mean(0), table.std(0) + 0.1
    scaled = np.c_[np.ones(len(table)), (table - mean) / spread]
    penalty = np.eye(scaled.shape[1]) * PENALTY
    penalty[0, 0] = 1e-3
    start = np.r_[earlier[0] + (earlier[1:] * mean).sum(), earlier[1:] * spread]
    weights = start.copy()
    for _ in range(40):
        odds = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (odds - good) + penalty @ (weights - start)
        weights -= np.linalg.solve((scaled.T * (odds * (1 - odds))) @ scaled + penalty, slope)
    own = weights[1:] / spread
    return np.concatenate(([weights[0] - (own * mean).sum()], own))


def chance(weights: Numbers, table: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-(weights[0] + table @ weights[1:]))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
