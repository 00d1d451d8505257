"""How well facts are read from talks that nobody tuned on, and the fit of the weights of a notable sentence.

    python -m tests.bench.notable [--write] [--list]

`dialogues.jsonl` has short dialogues by several writers, each with the facts a careful person would keep (gold), true
ones that nobody would miss (fine) and tempting ones: `keys` are the words without which a claim is not that fact.
`marked_talk.txt` has excerpts of ordinary talk in which the writers marked each sentence that tells a fact. No writer
had seen a rule. The weights are fitted to sentences of all parts but those of writer TEST, and each part is judged by
weights of the others. --write: put the weights in the lexicon. --list: what goes wrong of TEST."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

from memdesk.engine.extraction import Utterance, extract, lexicon, notable
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.notable import Spoken
from memdesk.model.instant import from_datetime
from tests.bench.worth import chance

HERE = Path(__file__).parent
WEIGHTS = Path(lexicon.__file__).parent / "notable_weights.txt"
TEST = "7"
MARK = "★"
PENALTY = 8.0
ROUNDS = 25
LEAST = (0.5, 0.6, 0.7)
OVERLAP = 0.25
"""Share of a gold claim's words that a claim must have beside its keys."""
RAISING = word_set(
    """
    number date when family health work home likes rule responsible technical named answers asks_value asks_about worth
    rule_at_work
    """
)
LOWERING = word_set(
    """
    mood passing supposed offer hearsay addressed pointing order order_at_work retracted short first abstract
    asks_pleasantry value
    """
)
"""Signs that may only raise or only lower the chance; one that is fitted against this is left out."""
_WORD = re.compile(r"[\w'-]+")
_HAN_OR_KANA = re.compile("[\u3040-\u30ff\u3400-\u9fff]")

Table = npt.NDArray[np.float64]


@dataclass(slots=True, kw_only=True)
class Talk:
    """Conversation of one part. marked: (number of the turn, offset) of each sentence marked by its writer.

    told: gold, fine and tempting claims with their keys, if the writer named them."""

    part: str
    turns: list[Utterance]
    marked: set[tuple[int, int]] = field(default_factory=set)
    told: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def language(self) -> str:
        text = "".join(turn.text for turn in self.turns)
        return "ja" if re.search("[\u3041-\u30ff]", text) else "zh" if _HAN_OR_KANA.search(text) else "en"


def main(arguments: Sequence[str]) -> int:
    talks = [*dialogues(), *marked()]
    parts, languages, table, labels, names = _sentences(talks)
    known = np.array([part != TEST for part in parts])
    held_out = np.zeros(len(labels))
    for part in np.unique(parts):
        weights = fitted(table[known & (parts != part)], labels[known & (parts != part)], names)
        held_out[parts == part] = chance(weights, table[parts == part])
    print(
        "| sentences, each part by weights of the others | number, told | "
        + " | ".join(map(str, LEAST))
        + " |"
    )
    for part in np.unique(parts):
        for language in np.unique(languages):
            own = (parts == part) & (languages == language)
            if own.any():
                cells = [_shares(held_out[own] >= least, labels[own] == 1) for least in LEAST]
                told = int(labels[own].sum())
                print(f"| {part} {language} | {own.sum()}, {told} | {' | '.join(cells)} |")
    weights = fitted(table[known], labels[known], names)
    if "--write" in arguments:
        named = zip(["constant", *names], weights, strict=True)
        lines = [f"{name} {weight:.3f}" for name, weight in named]
        WEIGHTS.write_text("[weights]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    print("| facts of dialogues, by the weights in use | claims | precision | recall | junk per 100 turns |")
    for part in sorted({talk.part for talk in talks if talk.told}):
        for language in ("en", "zh", "ja", ""):
            own_talks = [
                talk for talk in talks if talk.part == part and talk.told and language in (talk.language, "")
            ]
            listing = "--list" in arguments and part == TEST and language != ""
            print(f"| {part} {language or 'all'} | {_score(own_talks, listing=listing)} |")
    return 0


def dialogues() -> Iterator[Talk]:
    """Yield the dialogues, with their gold sentences marked."""
    for line in (HERE / "dialogues.jsonl").read_text(encoding="utf-8").splitlines():
        read = json.loads(line)
        start = datetime.fromisoformat(read["date"]).replace(hour=18, tzinfo=UTC)
        turns = [
            Utterance(
                id=str(number),
                speaker=turn["speaker"],
                role=turn["role"],
                text=turn["text"],
                at=from_datetime(start + timedelta(minutes=number)),
            )
            for number, turn in enumerate(read["turns"])
        ]
        told = {name: read[name] for name in ("facts", "fine", "tempting")}
        yield Talk(part=read["writer"], turns=turns, told=told)


def marked() -> Iterator[Talk]:
    """Yield the marked excerpts."""
    part, lines = "", list[str]()
    for line in [*(HERE / "marked_talk.txt").read_text(encoding="utf-8").splitlines(), "=== end"]:
        if line.startswith(("---", "===")):
            if lines:
                yield _marked_talk(part, lines)
            part, lines = line.removeprefix("===").strip() if line.startswith("===") else part, []
        elif line.count("\t") == 2:
            lines.append(line)


def _marked_talk(part: str, lines: Sequence[str]) -> Talk:
    talk = Talk(part=part, turns=[])
    for number, line in enumerate(lines):
        speaker, role, text = line.split("\t")
        pieces = re.split(rf"{MARK}\s*", text)
        talk.marked |= {(number, sum(map(len, pieces[:at]))) for at in range(1, len(pieces))}
        talk.turns.append(
            Utterance(id=str(number), speaker=speaker, role=role, text="".join(pieces), at=number + 1)
        )
    return talk


def _sentences(
    talks: Iterable[Talk],
) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.str_], Table, Table, list[str]]:
    """Return part, language, signs and label of each sentence that a person states, and the names of the signs."""
    parts, languages, rows, labels = [], [], [], []
    for talk in talks:
        for spoken, label in _labelled(talk):
            signs = notable.signs(spoken)
            parts.append(talk.part)
            languages.append(talk.language)
            rows.append(list(signs.values()))
            labels.append(label)
    return (
        np.array(parts),
        np.array(languages),
        np.array(rows),
        np.array(labels, dtype=np.float64),
        list(signs),
    )


def _labelled(talk: Talk) -> Iterator[tuple[Spoken, int]]:
    """Yield each sentence with 1 if it tells a fact and 0 if not, without those that are true and of little use."""
    said: list[Spoken] = []

    def noted(spoken: Spoken) -> float:
        said.append(spoken)
        return 0.0

    with mock.patch.object(notable, "chance", noted):
        extract(talk.turns, zone=UTC)
    if not talk.told:
        places = _places(said, talk)
        for spoken, turn in zip(said, places, strict=True):
            begin, text = spoken.sentence.start, spoken.sentence.text
            hit = any(
                number == turn and begin - 3 <= offset < begin + max(3, len(text) - 3)
                for number, offset in talk.marked
            )
            if not spoken.sentence.asked:
                yield spoken, int(hit)
        return
    stated = [spoken for spoken in said if not spoken.sentence.asked]
    gold = {at for fact in talk.told["facts"] if (at := _tells(fact, stated)) is not None}
    for at, spoken in enumerate(stated):
        fine = any(_fits(claim, spoken.sentence.text, 0.2) for claim in talk.told["fine"])
        if at in gold or not fine:
            yield spoken, int(at in gold)


def _places(said: Sequence[Spoken], talk: Talk) -> list[int]:
    """Return the number of the turn of each sentence, in order."""
    places, turn, before = [], 0, -1
    for spoken in said:
        start, text = spoken.sentence.start, spoken.sentence.text
        if start <= before:
            turn += 1
        while not talk.turns[turn].text[start:].startswith(text[:4]) or talk.turns[turn].role != "user":
            turn += 1
        places.append(turn)
        before = start
    return places


def _tells(fact: dict[str, Any], stated: Sequence[Spoken]) -> int | None:
    """Return the place of the sentence that tells a fact alone, or else with the question or sentence before it."""
    for at, spoken in enumerate(stated):
        if _fits(fact, spoken.sentence.text, 0.2):
            return at
    for at, spoken in enumerate(stated):
        before = spoken.question or (stated[at - 1].sentence.text if at else "")
        own = any(_has(spoken.sentence.text, form) for forms in fact["keys"] for form in forms)
        if own and _fits(fact, f"{before} {spoken.sentence.text}", 0.2):
            return at
    return None


def fitted(table: Table, labels: Table, names: Sequence[str]) -> Table:
    """Return the constant and a weight for each sign, by logistic regression over standardised signs."""
    mean, scale, used = table.mean(0), table.std(0) + 1e-6, np.ones(len(names))
    while True:
        known = np.c_[np.ones(len(table)), (table - mean) / scale * used]
        weights, penalty = np.zeros(known.shape[1]), np.eye(known.shape[1]) * PENALTY
        penalty[0, 0] = 1e-3
        for _ in range(ROUNDS):
            odds = 1 / (1 + np.exp(-known @ weights))
            slope = known.T @ (odds - labels) + penalty @ weights
            weights -= np.linalg.solve((known.T * (odds * (1 - odds))) @ known + penalty, slope)
        own = weights[1:] * used / scale
        wrong = [
            at
            for at, name in enumerate(names)
            if (name in RAISING and own[at] < 0) or (name in LOWERING and own[at] > 0)
        ]
        if not wrong:
            return np.concatenate(([weights[0] - (own * mean).sum()], own))
        used[wrong] = 0.0


def _shares(chosen: npt.NDArray[np.bool_], told: npt.NDArray[np.bool_]) -> str:
    right = int((chosen & told).sum())
    return f"{right / max(1, chosen.sum()):.0%} of {int(chosen.sum())}, {right / max(1, told.sum()):.0%}"


def _score(talks: Sequence[Talk], *, listing: bool) -> str:
    """Return the number of claims read from dialogues, their precision without the fine ones, recall and junk."""
    count: Counter[str] = Counter()
    for talk in talks:
        facts, found = talk.told["facts"], set[int]()
        for claim in (fact.claim for fact in extract(talk.turns, zone=UTC).facts):
            gold = [at for at, fact in enumerate(facts) if _fits(fact, claim, OVERLAP)]
            whole = [at for at in gold if _fits({**facts[at], "keys": facts[at].get("whole", [])}, claim, 0)]
            found |= set(whole)
            kind = "right" if whole else "vague" if gold else ""
            for name in ("tempting", "fine"):
                kind = kind or (name if any(_fits(each, claim, 0) for each in talk.told[name]) else "")
            count[kind or "unmatched"] += 1
            if listing and kind != "right":
                print(f"  {kind or 'unmatched'}: {claim}")
        if listing:
            for missed in (fact["claim"] for at, fact in enumerate(facts) if at not in found):
                print(f"  missed: {missed}")
        count.update(gold=len(facts), found=len(found), turns=len(talk.turns))
    claims = sum(count[name] for name in ("right", "vague", "tempting", "fine", "unmatched"))
    junk = 100 * (count["tempting"] + count["unmatched"]) / max(1, count["turns"])
    precise = count["right"] / max(1, claims - count["fine"])
    return f"{claims} | {precise:.1%} | {count['found'] / max(1, count['gold']):.1%} | {junk:.1f}"


def _fits(told: dict[str, Any], text: str, overlap: float) -> bool:
    keyed = all(any(_has(text, form) for form in forms) for forms in told["keys"])
    return keyed and (not overlap or _covered(told["claim"], text) >= overlap)


def _has(text: str, form: str) -> bool:
    """Return True if a text has a form: Latin words from their beginning, whole numbers, other scripts anywhere."""
    small, form = text.casefold(), form.casefold()
    if not form.isascii():
        return form in small
    end = r"(?!\d)" if form[-1:].isdigit() else ""
    return re.search(rf"(?<![a-z0-9]){re.escape(form)}{end}", small) is not None


def _covered(claim: str, text: str) -> float:
    """Return the share of a claim's words, of dense scripts its pairs of letters, that a text has."""
    wanted, has = _units(claim), _units(text)
    return len(wanted & has) / max(1, len(wanted))


def _units(text: str) -> set[str]:
    small = text.casefold()
    if _HAN_OR_KANA.search(small):
        return {small[at : at + 2] for at in range(len(small) - 1)}
    return {word[:5] for word in _WORD.findall(small) if len(word) > 3 or word.isdigit()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
