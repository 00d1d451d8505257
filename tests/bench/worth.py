"""Fit the weights of a claim's worth to claims that a person judged, and show how well they hold for other talks.

python -m tests.bench.worth locomo.json judged.tsv [--write]

judged.tsv has a line for each claim that extraction would keep at any worth: talk, turn, claim and a letter, separated
by tabs. g: true, understood alone, specific, and worth asking for; b: true and understood, of little use; any other
letter is a fault (t trivial, v vague, x garbled, s wrong subject, w wrong time). --write replaces the weights of the
lexicon."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from unittest import mock

import numpy as np
import numpy.typing as npt

from memdesk.engine.extraction import Utterance, english, extract, lexicon, worth
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.self_contained import RESOLVED, is_self_contained
from memdesk.model.fact import CERTAINTY
from memdesk.model.instant import from_datetime
from tests.bench.locomo import Talk, load

VALUE = {"g": 1.0, "b": 0.45}
"""Chance that a claim with this letter counts as good; 0 for a fault."""
PENALTY = 15.0
RAISING = word_set(
    """
    explicit substance telling named dated happened_dated defining kin likes place skill proper quoted recent milestone
    health naming occupied topic duration favourite origin
    """
)
"""Signs that may only raise the worth; the others may only lower it. A sign fitted against this is left out."""
EITHER = word_set("long not_speaker their perfect plan going_on next joined denied duty want used_to short")
DEPTHS = (8, 10, 12, 14, 17)
"""Claims kept per 100 turns at which talks are compared."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Claim with its signs and a person's letter."""

    talk: str
    claim: str
    signs: dict[str, float]
    letter: str


def main(arguments: Sequence[str]) -> int:
    talks = load(Path(arguments[0]))
    judged = read(talks, Path(arguments[1]))
    names = sorted(judged[0].signs)
    table = np.array([[each.signs[name] for name in names] for each in judged])
    value = np.array([VALUE.get(each.letter, 0.0) for each in judged])
    of = np.array([each.talk for each in judged])
    held_out = np.zeros(len(judged))
    for talk in set(of):
        weights = fitted(table[of != talk], value[of != talk], names)
        held_out[of == talk] = chance(weights, table[of == talk])
    print("| talk, held out | " + " | ".join(f"{depth} per 100" for depth in DEPTHS) + " |")
    for said in talks:
        print(compared(said, judged, held_out, of))
    print(calibration(judged, held_out))
    weights = fitted(table, value, names)
    lines = [
        f"constant {weights[0]:.2f}",
        *(f"{n} {x:.2f}" for n, x in zip(names, weights[1:], strict=True) if x),
    ]
    print("\n".join(lines))
    if "--write" in arguments:
        path = Path(lexicon.__file__).parent / "worth.txt"
        kept = path.read_text(encoding="utf-8").partition("[english]")[0]
        path.write_text(f"{kept}[english]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


def read(talks: Sequence[Talk], path: Path) -> list[Judged]:
    """Return the judged claims that extraction makes of the talks today."""
    letters = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        talk, turn, claim, letter = line.split("\t")
        letters[talk, turn, _key(claim)] = letter
    return [
        Judged(talk=talk.name, claim=claim, signs=signs, letter=letters[key])
        for talk in talks
        for turn, claim, signs in candidates(talk)
        if (key := (talk.name, turn, _key(claim))) in letters
    ]


def candidates(talk: Talk) -> list[tuple[str, str, dict[str, float]]]:
    """Return (turn, claim, signs) of every claim that can be understood alone, whatever it is worth."""
    seen: dict[str, dict[str, float]] = {}

    def noted(claim: str, scene: Scene, certainty: str) -> bool:
        seen[claim] = worth.signs(claim, scene, certainty)
        return is_self_contained(claim)

    found = []
    with mock.patch.object(english, "is_worthwhile", noted):
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


def _key(claim: str) -> str:
    return re.sub(r"\W+", " ", RESOLVED.sub("", claim)).casefold().strip()


def fitted(table: Numbers, value: Numbers, names: Sequence[str]) -> Numbers:
    """Return the constant and a weight for each sign, by ridge logistic regression.

    A sign that comes out in the wrong direction has weight 0."""
    kept = list(range(len(names)))
    while True:
        weights = _ridge(table[:, kept], value)
        wrong = [
            at
            for at, weight in zip(kept, weights[1:], strict=True)
            if names[at] not in EITHER and (weight > 0) != (names[at] in RAISING)
        ]
        if not wrong:
            break
        kept = [at for at in kept if at not in wrong]
    every = np.zeros(len(names) + 1)
    every[0] = weights[0]
    every[np.array(kept) + 1] = weights[1:]
    return every


def _ridge(table: Numbers, value: Numbers) -> Numbers:
    mean, spread = table.mean(0), table.std(0) + 1e-6
    scaled = np.c_[np.ones(len(table)), (table - mean) / spread]
    penalty = np.eye(scaled.shape[1]) * PENALTY
    penalty[0, 0] = 1e-3
    weights = np.zeros(scaled.shape[1])
    for _ in range(40):
        odds = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (odds - value) + penalty @ weights
        weights -= np.linalg.solve((scaled.T * (odds * (1 - odds))) @ scaled + penalty, slope)
    own = weights[1:] / spread
    return np.concatenate(([weights[0] - (own * mean).sum()], own))


def chance(weights: Numbers, table: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-(weights[0] + table @ weights[1:]))))


def compared(talk: Talk, judged: Sequence[Judged], held_out: Numbers, of: npt.NDArray[np.str_]) -> str:
    """Return a row: share of good claims, and of claims without a fault, among the best so many per 100 turns."""
    order = [at for at in np.argsort(-held_out) if of[at] == talk.name]
    cells = []
    for depth in DEPTHS:
        best = [judged[at].letter for at in order[: math.ceil(depth * len(talk.turns) / 100)]]
        good, sound = best.count("g"), sum(letter in VALUE for letter in best)
        cells.append(f"{100 * good / len(best):.0f} % ({100 * sound / len(best):.0f} %)" if best else "")
    return f"| {talk.name} | " + " | ".join(cells) + " |"


def calibration(judged: Sequence[Judged], held_out: Numbers) -> str:
    """Return a row for each certainty: claims kept, the share that is good, and the share without a fault."""
    rows = ["| highest confidence | claims | good | without a fault |"]
    for name, confidence in CERTAINTY.items():
        some = [
            each.letter
            for each, odds in zip(judged, held_out, strict=True)
            if odds >= worth.ENOUGH and worth.certainty_at_most(odds, "explicit") == name
        ]
        if some:
            good, sound = some.count("g"), sum(letter in VALUE for letter in some)
            rows.append(f"| {confidence} | {len(some)} | {good / len(some):.0%} | {sound / len(some):.0%} |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
