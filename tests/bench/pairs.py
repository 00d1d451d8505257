"""How many pairs of claims the rules, and the learned judge beside them, judge right; and the fit of the judge.

    python -m tests.bench.pairs [--list] [--fit]

`pairs.tsv` has contradictions, updates, duplicates, and pairs that are both true (compatible, scoped), by writers who
had not read the rules. A clash counts as noticed where the verdict is contradiction or update, a duplicate where it is
that both are the same; of what is both true each verdict but *apart* is a false alarm. `desks.tsv` has what an agent
remembers of some people, all of it true, and claims that clash with one of these facts or repeat it; each fact is
judged against its nearest older ones, as on a desk.

The judge's figures of a writer, or of a desk, are those of a judge that was fitted without it; writer TEST is never
fitted on. --fit: fit on all others and write the weights. --list: what goes wrong of TEST."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memdesk.engine.beliefs import pair_judge
from memdesk.engine.beliefs.comparing import Verdict, compare
from memdesk.engine.providers.embedder import StaticTable

HERE = Path(__file__).parent
WEIGHTS = Path(pair_judge.__file__).parent / "lexicon" / pair_judge.WEIGHTS
KINDS = {"contradiction": 1, "update": 1, "duplicate": 2, "compatible": 0, "scoped": 0}
CLASH = (Verdict.CONTRADICTION, Verdict.UPDATE)
TEST = "7"
CHATS = "GHI"
"""Desks as they are read from chats between friends."""
NEIGHBOURS = 3
FALSE_ALARMS, FALSE_ALARMS_OF_CHATS = 0.02, 0.05
"""Shares of true facts that may be asked about, by which `asked_from` is set, and of chats, whose desks were written to
be harder than what is read from real talks."""
PENALTY = 10.0
ROUNDS = 12

Table = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Part:
    """Pairs (older, newer) of one writer or desk. kinds: a number of KINDS each. facts: number of a desk's true facts,
    which are among the pairs with their neighbours."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    kinds: npt.NDArray[np.int64]
    facts: int = 0

    @property
    def signs(self) -> Table:
        return np.array([list(pair_judge.signs(new, old).values()) for old, new in self.pairs])

    @property
    def judged(self) -> npt.NDArray[np.bool_]:
        """Return for each pair if it is the learned judge's."""
        return np.array([not pair_judge.are_of_one_form(new, old) for old, new in self.pairs])


@dataclass(frozen=True, slots=True)
class Fitted:
    """Softmax regression over standardised signs; the first kind's scores are zero."""

    mean: Table
    scale: Table
    weights: Table

    def odds(self, signs: Table) -> Table:
        known = np.hstack([(signs - self.mean) / self.scale, np.ones((len(signs), 1))])
        return _softmax(known @ self.weights)


def main() -> None:
    parts = {part.name: part for part in (*_writers(), *_desks())}
    signs = {name: part.signs for name, part in parts.items()}
    judged = {name: part.judged for name, part in parts.items()}
    data = {name: (signs[name][judged[name]], part.kinds[judged[name]]) for name, part in parts.items()}
    odds = {}
    for name in parts:
        fitted = fit([data[other] for other in parts if other not in (name, TEST)])
        odds[name] = np.where(judged[name][:, None], fitted.odds(signs[name]), [1.0, 0.0, 0.0])
    desks = [part for part in parts.values() if part.facts]
    told, talk = (
        _threshold([(odds[part.name], part) for part in desks if (part.name in CHATS) is chats], share)
        for chats, share in ((False, FALSE_ALARMS), (True, FALSE_ALARMS_OF_CHATS))
    )
    print(f"asked from {told:.2f}, of what was read from talk {talk:.2f}")
    print(f"{'':<10}{'clashes':>22}{'duplicates':>22}{'of another kind':>18}{'false':>22}")
    for name, part in parts.items():
        rules = np.array([_by_rules(new, old) for old, new in part.pairs])
        print(f"{name:<10}" + _row(part, rules, rules) + "  rules")
        both = _with_judge(rules, odds[name], talk if name in CHATS else told)
        print(f"{'':<10}" + _row(part, rules, both) + "  with the judge")
    if "--list" in sys.argv:
        _list(parts[TEST], odds[TEST], told)
    if "--fit" in sys.argv:
        whole = fit([data[name] for name in parts if name != TEST])
        names = list(pair_judge.signs(*parts[TEST].pairs[0]))
        _write(whole, names, told, talk)


def fit(data: Sequence[tuple[Table, npt.NDArray[np.int64]]]) -> Fitted:
    """Fit by Newton's method, with a penalty on squared weights."""
    signs, kinds = np.vstack([each for each, _ in data]), np.concatenate([each for _, each in data])
    mean, scale = signs.mean(0), np.maximum(signs.std(0), 1e-3)
    known = np.hstack([(signs - mean) / scale, np.ones((len(signs), 1))])
    wanted = np.eye(3)[kinds][:, 1:]
    width = known.shape[1]
    weights = np.zeros((width, 2))
    penalty = np.full(width, PENALTY)
    penalty[-1] = 0
    for _ in range(ROUNDS):
        odds = _softmax(known @ weights)[:, 1:]
        slope = known.T @ (odds - wanted) + penalty[:, None] * weights
        bend = np.zeros((2 * width, 2 * width))
        for one in range(2):
            for other in range(2):
                by = odds[:, one] * ((one == other) - odds[:, other])
                block = (known * by[:, None]).T @ known + (one == other) * np.diag(penalty)
                bend[one * width : (one + 1) * width, other * width : (other + 1) * width] = block
        weights -= np.linalg.solve(bend, slope.T.ravel()).reshape(2, width).T
    return Fitted(mean, scale, weights)


def _softmax(scores: Table) -> Table:
    raised = np.exp(np.hstack([np.zeros((len(scores), 1)), scores]))
    odds: Table = raised / raised.sum(1, keepdims=True)
    return odds


def _writers() -> Iterator[Part]:
    rows = [line.split("\t") for line in (HERE / "pairs.tsv").read_text(encoding="utf-8").splitlines()]
    for writer in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == writer]
        yield Part(
            writer,
            tuple((first, second) for *_, first, second in own),
            np.array([KINDS[type] for _, type, *_ in own]),
        )


def _desks() -> Iterator[Part]:
    rows = [line.split("\t") for line in (HERE / "desks.tsv").read_text(encoding="utf-8").splitlines()]
    table = StaticTable()
    for desk in dict.fromkeys(row[0] for row in rows):
        facts = [claim for name, type, _, claim in rows if (name, type) == (desk, "fact")]
        vectors = table.embed(facts)
        near = [
            (facts[other], facts[at])
            for at in range(1, len(facts))
            for other in np.argsort(-(vectors[:at] @ vectors[at]))[:NEIGHBOURS]
        ]
        planted = [row for row in rows if row[0] == desk and row[1] != "fact"]
        yield Part(
            desk,
            (*near, *((fact, claim) for _, _, fact, claim in planted)),
            np.array([0] * len(near) + [KINDS[type] for _, type, *_ in planted]),
            len(facts),
        )


def _threshold(judged: Sequence[tuple[Table, Part]], share: float) -> float:
    """Return the probability from which a share of the true facts of these desks would be asked about."""
    false = np.sort(np.concatenate([1 - odds[part.kinds == 0, 0] for odds, part in judged]))[::-1]
    return float(false[int(share * sum(part.facts for _, part in judged))])


def _by_rules(new: str, old: str) -> int:
    verdict = compare(new, old).verdict
    return 1 if verdict in CLASH else 2 if verdict is Verdict.SAME else 0


def _with_judge(rules: npt.NDArray[np.int64], odds: Table, asked_from: float) -> npt.NDArray[np.int64]:
    judged = np.where(1 - odds[:, 0] >= asked_from, 1 + (odds[:, 2] >= odds[:, 1]), 0)
    return np.where(rules > 0, rules, judged)


def _row(part: Part, rules: npt.NDArray[np.int64], said: npt.NDArray[np.int64]) -> str:
    cells = []
    for kind in (1, 2):
        of = part.kinds == kind
        cells.append(f"{(of & (said == kind)).sum()} of {of.sum()}")
    other = ((part.kinds > 0) & (said > 0) & (said != part.kinds)).sum()
    false = (part.kinds == 0) & (said > 0)
    whole = part.facts or (part.kinds == 0).sum()
    return f"{cells[0]:>22}{cells[1]:>22}{other:>18}{f'{false.sum()} of {whole}':>22}"


def _list(part: Part, odds: Table, asked_from: float) -> None:
    for (old, new), kind, of in zip(part.pairs, part.kinds, odds, strict=True):
        said = 0 if 1 - of[0] < asked_from else 1 + int(of[2] >= of[1])
        if said != kind:
            print(f"{kind} {said} {of[1]:.2f} {of[2]:.2f} {old} || {new}")


def _write(fitted: Fitted, names: Sequence[str], told: float, talk: float) -> None:
    plain = fitted.weights[:-1] / fitted.scale[:, None]
    bias = fitted.weights[-1] - fitted.mean @ plain
    data = {
        "asked_from": round(told, 3),
        "asked_from_talk": round(talk, 3),
        "bias": [round(float(each), 4) for each in bias],
        "signs": {
            name: [round(float(each), 4) for each in row] for name, row in zip(names, plain, strict=True)
        },
    }
    WEIGHTS.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"written: {WEIGHTS.name}")


if __name__ == "__main__":
    main()
