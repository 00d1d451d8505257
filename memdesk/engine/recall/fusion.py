"""Weighted ranking: words, meaning and a few plain signals summed into one score.

Pure sums over data already fetched, so that every ranking can be checked by hand. All kinds of memory
compete on one scale."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from memdesk.engine.recall.evidence import RADIUS, Item, Line, Values
from memdesk.model.fact import FACT

Wanted = Literal["time", "number", "place"]

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_ASKS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "time",
        re.compile(
            r"\b(?:when|how long|how old|(?:what|which) (?:date|day|week|month|year|time)s?)\b"
            "|什么时候|什麼時候|何时|何時|几点|幾點|哪年|哪天|多久|いつ|何日|何月|何年"
        ),
    ),
    (
        "number",
        re.compile(r"\bhow (?:many|much|often)\b|多少|几个|幾個|几次|幾次|いくつ|いくら|何回|何人|何個"),
    ),
    (
        "place",
        re.compile(
            r"\b(?:where|wherever|(?:what|which) (?:city|country|place|town|state)|wo|wohin|woher|dónde|adónde|où)\b"
            "|哪里|哪裡|哪儿|哪個城市|哪个城市|什么地方|どこ"
        ),
    ),
)
_HOLDS: dict[Wanted, re.Pattern[str]] = {
    "time": re.compile(
        r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|days?|weeks?|weekends?|months?|years?|mornings?"
        r"|nights?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
        r"|september|october|november|december|\d{4})\b|\d[:年月日時时点點]"
        "|昨天|今天|明天|去年|今年|明年|上周|下周|上个月|以前|昨日|今日|明日|先週|来週|先月|来月"
    ),
    "number": re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|once|twice|few|several"
        r"|couple|many)\b|[一二三四五六七八九十百千万两]"
    ),
    "place": re.compile(
        r"\b(?:[Tt]o|[Ii]n|[Aa]t|[Ff]rom|[Nn]ear|nach|aus|bei|en|a|de|à|au|chez)\s+(?:the\s+|la\s+|el\s+)?"
        rf"(?!(?:{_MONTHS})\b|\w+day\b)[A-ZÀ-Þ]\w|在|到|去|へ|に"
    ),
}


def wanted_answer(query: str) -> Wanted | None:
    """Return the kind of answer a query asks for; None if it asks for none of time, number and place."""
    plain = query.lower()
    return next((kind for kind, pattern in _ASKS if pattern.search(plain)), None)


def may_answer(text: str, kind: Wanted) -> bool:
    """Return True if a text contains an answer of this kind: a time, a number, or a name after a preposition."""
    return _HOLDS[kind].search(text if kind == "place" else text.lower()) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Most that each signal can add to a score; measured on LoCoMo turns, see tests/bench/README.md.

    Those from words to question were found by listwise regression on LoCoMo turns, with each talk left out, and
    scaled so that the speaker has the default of its setting. words: evidence divided by the best evidence. meaning:
    nearness stretched over the range found. coverage: share of the query's terms, which the evidence of one rare term
    can outweigh. speaker: turns of a speaker the query names. time: memories of a time it names. session: share of
    the best sum of these five in the same run of a conversation. reply: nearness of a question just before a turn.
    answer: memories that contain a time, a number or a place if the query asks for one. detail: memories that contain
    names or numbers, which a greeting lacks. question: subtracted from turns that only ask.

    here 0.05: the active channel before `_global` if all else is equal. source 0.5: share of the distance to the
    score of the turn from which a fact was read, if that is higher: with more, facts push turns out of a common list.
    doubt 0.5, fading 0.2: the share of a score that a memory loses at confidence 0, at salience 0: small, so that a
    faded fact with the right words still comes before a fresh one without."""

    words: float = 0.13
    meaning: float = 0.12
    coverage: float = 0.15
    speaker: float = 0.15
    time: float = 0.19
    session: float = 0.6
    reply: float = 0.08
    answer: float = 0.1
    detail: float = 0.11
    question: float = 0.04
    here: float = 0.05
    source: float = 0.5
    doubt: float = 0.5
    fading: float = 0.2


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Ranked memory. parts: named shares in the order they were added; score is their sum."""

    seq: int
    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Information in a query besides its words. named: speakers it names. times: spans of UTC microseconds it
    names.

    wanted: the kind of answer it asks for."""

    named: frozenset[str] = frozenset()
    times: tuple[tuple[int, int], ...] = ()
    wanted: Wanted | None = None


NONE_READ: Mapping[int, int] = MappingProxyType({})
NONE_COVERED: Mapping[int, float] = MappingProxyType({})
CUED = 64
"""Number of best items so far whose text is read for names, numbers and the kind of answer wanted."""
COVERED_WELL = 2.0
"""Facts have the full weight of the best evidence from this share of the query's terms on: a half."""
FACT_ANSWER = 0.5
"""Share of `answer` for a fact that contains none of the kind asked for. Every fact has all of `detail`: among facts a
name or a number says little, but without it they would fall behind the turns and passages of a common list."""
PRECISE = np.array([0.04, 0.22, 0.145])
"""Weights of words, meaning and coverage for facts that a model for facts knows. Their sum is that of the weights of
others, so that in one list neither kind displaces the other."""
PRECISE_SHARE = 2 / 3
"""Share of the model for facts in the meaning of a fact; the rest is the bundled table's, which errs otherwise."""
_NAME = re.compile(r"[A-ZÀ-Þ](?<=[^\W\d_A-ZÀ-Þ][ ].)\w")
"""Beginning of a capitalised word within a sentence."""
_DIGIT = re.compile(r"\d")
NAMES = 3
"""Number of names from which a memory has all that names can add."""
_ONE_LATER = np.eye(1, 2 * RADIUS + 1, RADIUS + 1)[0]
"""Kernel that moves each turn's value to the next turn."""
WEEK_US = 7 * 86_400 * 1_000_000
_CLOSING = " \t\r\n\"'”’)]」』"


def fuse(
    line: Line,
    *,
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    coverage: Mapping[int, float] = NONE_COVERED,
    alone: Mapping[int, float] = NONE_COVERED,
    precise: Mapping[int, float] = NONE_COVERED,
    signals: Signals = Signals(),
    weights: Weights = WEIGHTS,
    sources_of: Mapping[int, int] = NONE_READ,
    limit: int = 10,
) -> list[Scored]:
    """Return the best `limit` items, best first; of equals the newest, then the lowest seq.

    words: evidence by seq, over 0. cosines: cosine of the window to the query by seq, for every item that has a
    vector; alone: that of the item without its neighbours; precise: that of a fact by the model for facts. An item
    with neither words nor meaning is left out, regardless of its signals. coverage: share of the query's terms by seq.
    sources_of: the turn from which a fact was read, by seq. Scores are at least 0."""
    if not line.items:
        return []
    direct = _direct(line, words, cosines, precise, coverage, signals, weights)
    found = _parts(line, direct, alone, signals, weights, sources_of)
    total = sum(found.values(), np.zeros(len(line.items)))
    returned = np.array([item.returned for item in line.items])
    relevant = np.flatnonzero(
        returned & ((found["words"] > 0) | (found["meaning"] > 0) | (found["source"] > 0))
    )
    order = relevant[np.lexsort((line.seqs[relevant], -line.at[relevant], -total[relevant]))][:limit]
    rows = np.stack(list(found.values()), axis=1)[order].tolist()
    return [
        Scored(
            seq=seq, score=sum(row), parts=tuple([part for part in zip(found, row, strict=True) if part[1]])
        )
        for seq, row in zip(line.seqs[order].tolist(), rows, strict=True)
    ]


def _direct(
    line: Line,
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    precise: Mapping[int, float],
    coverage: Mapping[int, float],
    signals: Signals,
    weights: Weights,
) -> dict[str, Values]:
    """Return what each signal of an item or its window adds to its score, before its conversation counts."""
    are_facts = _facts(line)
    share = line.from_seqs(coverage)
    # The best evidence for facts may be that of a name alone, which every fact about the person has.
    well = min(1.0, COVERED_WELL * float(np.max(share, initial=0.0))) if coverage else 1.0
    damped = np.where(are_facts > 0, well, 1.0)
    parts = {
        "words": weights.words * damped * _over_best(line.from_seqs(words)),
        "meaning": weights.meaning * line.from_seqs(stretched(cosines)),
        "coverage": weights.coverage * share,
    }
    if precise:
        finer = line.from_seqs(stretched(precise))
        own = are_facts * line.from_seqs(dict.fromkeys(precise, 1.0)) > 0
        plain = np.array([weights.words, weights.meaning, weights.coverage])
        for name, change in zip(parts, PRECISE / plain, strict=True):
            parts[name] = np.where(own, change * parts[name], parts[name])
        parts["meaning"] = np.where(
            own, PRECISE_SHARE * PRECISE[1] * finer + (1 - PRECISE_SHARE) * parts["meaning"], parts["meaning"]
        )
    return {
        **parts,
        "speaker": weights.speaker * _flags([item.speaker in signals.named for item in line.items]),
        "time": weights.time * closeness(line, signals.times),
    }


def _parts(
    line: Line,
    direct: Mapping[str, Values],
    alone: Mapping[int, float],
    signals: Signals,
    weights: Weights,
    sources_of: Mapping[int, int],
) -> dict[str, Values]:
    """Return each signal's share of every item's score, in the order of adding."""
    base: Values = sum(direct.values(), np.zeros(len(line.items)))
    parts = {
        **direct,
        "session": weights.session * _best_of_run(line, base),
        "reply": weights.reply * line.spread(_asks(line) * line.from_seqs(stretched(alone)), _ONE_LATER),
        "here": weights.here * _flags([item.here for item in line.items]),
    }
    base = sum(parts.values(), np.zeros(len(line.items)))
    parts["answer"], parts["detail"] = _read(line, base, signals.wanted, weights)
    base = base + parts["answer"] + parts["detail"]
    parts["question"] = -np.minimum(
        base, weights.question * _flags([_only_asks(item) for item in line.items])
    )
    base = base + parts["question"]
    parts["source"] = weights.source * _lent(line, base, sources_of)
    base = base + parts["source"]
    sure = 1 - weights.doubt * (1 - np.array([item.confidence for item in line.items]))
    fresh = 1 - weights.fading * (1 - np.array([item.salience for item in line.items]))
    parts["confidence"] = base * (sure - 1)
    parts["salience"] = base * sure * (fresh - 1)
    return parts


def stretched(values: Mapping[int, float], *, equal: float = 0.5) -> dict[int, float]:
    """Return the values scaled from the lowest, 0, to the highest, 1. equal: for all if they do not differ
    (0.5: AgentX)."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    return {seq: (value - low) / (high - low) if high > low else equal for seq, value in values.items()}


def _best_of_run(line: Line, values: Values) -> Values:
    """Return for each item the greatest value in its run."""
    best = np.zeros(len(values))
    np.maximum.at(best, line.runs - 1, values)
    return best[line.runs - 1]


def _facts(line: Line) -> Values:
    return _flags([item.kind == FACT.name for item in line.items])


def _asks(line: Line) -> Values:
    return _flags([item.kind == "turn" and ("?" in item.text or "？" in item.text) for item in line.items])


def _read(line: Line, base: Values, wanted: Wanted | None, weights: Weights) -> tuple[Values, Values]:
    """Return what the kind of answer wanted, and names and numbers, add to the items that contain them.

    Only the CUED best so far are read: reading every text is slow."""
    answers, details = np.zeros(len(line.items)), np.zeros(len(line.items))
    for at in np.argsort(-base, kind="stable")[:CUED].tolist():
        text = line.items[at].text
        answers[at] = wanted is not None and may_answer(text, wanted)
        if line.items[at].kind == FACT.name:
            answers[at] = max(answers[at], FACT_ANSWER * (wanted is not None))
            details[at] = 1.0
            continue
        names = min(NAMES, len(_NAME.findall(text))) / NAMES
        details[at] = (names + (_DIGIT.search(text) is not None)) / 2
    return weights.answer * answers, weights.detail * details


def _lent(line: Line, values: Values, sources_of: Mapping[int, int]) -> Values:
    """Return by how much the turn from which a fact was read exceeds it, 0 if it does not."""
    lent = np.zeros(len(line.items))
    pairs = [
        (line.place[f], line.place[t]) for f, t in sources_of.items() if f in line.place and t in line.place
    ]
    if pairs:
        facts, turns = np.array(pairs).T
        lent[facts] = np.maximum(0.0, values[turns] - values[facts])
    return lent


def lifted(values: Mapping[int, float], sources_of: Mapping[int, int], share: float) -> dict[int, float]:
    """Return the values with each fact's lifted by a share of the distance to that of the turn it was read from."""
    return {
        seq: value + share * max(0.0, values.get(sources_of.get(seq, seq), 0.0) - value)
        for seq, value in values.items()
    }


def _over_best(values: Values) -> Values:
    best = float(np.max(values, initial=0.0))
    return values / best if best > 0 else values


def _flags(values: Sequence[bool]) -> Values:
    return np.array(values, dtype=np.float64)


def closeness(line: Line, times: Sequence[tuple[int, int]]) -> Values:
    """Return 1 within a named time, 0.5 in the week after it, when its events are discussed, else 0."""
    close = np.zeros(len(line.items))
    for start, end in times:
        within = (line.at >= start) & (line.at < end)
        after = (line.at >= end) & (line.at < end + WEEK_US)
        close = np.maximum(close, np.where(within, 1.0, np.where(after, 0.5, 0.0)))
    return close


def _only_asks(item: Item) -> bool:
    return item.kind == "turn" and item.text.rstrip(_CLOSING).endswith(("?", "？"))
