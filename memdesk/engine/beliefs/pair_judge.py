"""Learned judge of two claims, for pairs of which the rules know nothing: do they clash, or say the same?

A logistic regression over signs of a pair: what is alike in meaning and in words, what differs and where, values,
negation, words of change. Fitted by `python -m tests.bench.pairs --fit` on pairs and on desks that writers made up who
had not read the rules; how well it does on further ones is in tests/bench/README.md. It is right often enough for a
question to a person, and never for more."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from memdesk.engine.beliefs.comparing import Verdict, compare
from memdesk.engine.beliefs.lexicon import lexicon
from memdesk.engine.beliefs.reading import Token, read
from memdesk.engine.beliefs.values import kind_of
from memdesk.engine.beliefs.words import REMEMBERED
from memdesk.engine.providers.static import StaticTable
from memdesk.model.fact import stated

WEIGHTS = "pair_judge.json"
MOST_WORDS, MOST_LENGTH = 6, 12
"""Numbers of words from which more of them tell nothing more."""
FEW = 2
"""Words in which two claims about one thing usually differ."""
GRAM = 3
_HAN_OR_KANA = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_DIGIT = re.compile(r"\d")
_TABLE = StaticTable()

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOdds:
    """Probabilities that a claim contradicts or replaces an older one, and that both say the same."""

    clash: float
    same: float

    def verdict(self, *, from_talk: bool = False) -> Verdict:
        """Return CONTRADICTION or SAME from the probability on at which a person is asked, else APART.

        from_talk: the claim was read from a conversation, where much is said again in a slightly other way."""
        weights = _weights()
        if self.clash + self.same < (weights.asked_from_talk if from_talk else weights.asked_from):
            return Verdict.APART
        return Verdict.CONTRADICTION if self.clash > self.same else Verdict.SAME


def judge_pair(new: str, old: str) -> PairOdds:
    """Return how likely a new claim and an older one clash or say the same. Raises EmbedderUnavailable.

    Answers that are quoted with their question are compared with nothing; sentences of one form that are filled with
    other words are left to the rules, which know these."""
    if not stated(new) or not stated(old) or are_of_one_form(new, old):
        return PairOdds(clash=0.0, same=0.0)
    weights = _weights()
    found = signs(new, old)
    scores = np.array([0.0, *(weights.per_sign @ [found[name] for name in weights.names] + weights.bias)])
    raised = np.exp(scores - scores.max())
    _, clash, same = raised / raised.sum()
    return PairOdds(clash=float(clash), same=float(same))


def are_of_one_form(new: str, old: str) -> bool:
    """Return True for two sentences with the same words at the same places but for one or two, as in languages with
    spaces."""
    mine, theirs = new.lower().split(), old.lower().split()
    differ = sum(map(str.__ne__, mine, theirs))
    return len(mine) == len(theirs) > differ <= FEW


def signs(new: str, old: str) -> dict[str, float]:
    """Return the signs of a pair by name, each from 0 to some 1. Raises EmbedderUnavailable."""
    mine, theirs = _claim(new), _claim(old)
    shared = mine.words & theirs.words
    here, there = mine.places_without(shared), theirs.places_without(shared)
    nearest = _nearest(mine, here, theirs, there)
    return {
        "meaning": float(mine.meaning @ theirs.meaning),
        "nearest": float(nearest.mean()) if nearest.size else 0.0,
        "nearest_best": float(nearest.max()) if nearest.size else 0.0,
        "words_shared": len(shared) / max(1, len(mine.words | theirs.words)),
        "words_shared_count": min(len(shared), MOST_WORDS) / MOST_WORDS,
        "words_of_old": min(len(there), MOST_WORDS) / MOST_WORDS,
        "covered": (len(shared) + float(nearest.sum())) / max(1, len(mine.words)),
        "few_differ": float(bool(here and there) and max(len(here), len(there)) <= FEW),
        "same_first": float(mine.at(0) == theirs.at(0) != ""),
        "same_last": float(mine.at(-1) == theirs.at(-1) != ""),
        "other_last": float(mine.ends_in(here) and theirs.ends_in(there)),
        "same_preposition": float(bool(mine.prepositions(here) & theirs.prepositions(there))),
        "same_verb": float(bool(mine.verbs & theirs.verbs)),
        "values_shared": min(len(mine.values & theirs.values), FEW) / FEW,
        "values_differ": float(
            bool(_kinds(mine.values - theirs.values) & _kinds(theirs.values - mine.values))
        ),
        "one_numbered": float(mine.numbered != theirs.numbered),
        "letters": len(mine.grams & theirs.grams) / max(1, min(len(mine.grams), len(theirs.grams))),
        "characters": len(mine.characters & theirs.characters)
        / max(1, min(len(mine.characters), len(theirs.characters))),
        "rules_clash": float(compare(new, old).verdict in (Verdict.UPDATE, Verdict.CONTRADICTION)),
        "new_is_change": float(mine.changes),
        "old_is_change": float(theirs.changes),
        "old_has_changes": float("changes" in theirs.cues),
        "change_differs": float(("changes" in mine.cues) != ("changes" in theirs.cues)),
        "denial_differs": float(("denies" in mine.cues) != ("denies" in theirs.cues)),
        "new_has_also": float("also" in mine.cues),
        "new_has_only": float("only" in mine.cues),
        "old_has_only": float("only" in theirs.cues),
        "one_personal": float(mine.personal != theirs.personal),
        "unspaced": float(not mine.spaced),
        "length": min(len(mine.tokens), MOST_LENGTH) / MOST_LENGTH,
        "length_differs": min(abs(len(mine.tokens) - len(theirs.tokens)), MOST_LENGTH) / MOST_LENGTH,
        "several_clauses": float(mine.clauses > 1 or theirs.clauses > 1),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """Claim as it is compared with others. vectors: a row for each token. meaning: that of the whole text."""

    tokens: tuple[Token, ...]
    vectors: Vectors
    meaning: Vectors
    words: frozenset[str]
    values: frozenset[str]
    verbs: frozenset[str]
    cues: frozenset[str]
    grams: frozenset[str]
    characters: frozenset[str]
    clauses: int
    changes: bool
    personal: bool
    numbered: bool
    spaced: bool

    def at(self, place: int) -> str:
        return self.tokens[place].text if self.tokens else ""

    def places_without(self, shared: frozenset[str]) -> list[int]:
        return [place for place, token in enumerate(self.tokens) if token.text not in shared]

    def ends_in(self, places: list[int]) -> bool:
        return bool(places) and places[-1] == len(self.tokens) - 1

    def prepositions(self, places: list[int]) -> set[str]:
        return {self.tokens[place].after for place in places} - {""}


@lru_cache(REMEMBERED)
def _claim(text: str) -> _Claim:
    reading, lowered = read(text), text.lower()
    tokens = tuple(token for clause in reading.clauses for token in clause.tokens)
    *vectors, meaning = _TABLE.embed([*(token.written or token.text for token in tokens), text])
    return _Claim(
        tokens=tokens,
        vectors=np.array(vectors, np.float32).reshape(len(tokens), _TABLE.dimension),
        meaning=meaning,
        words=frozenset(token.text for token in tokens),
        values=frozenset(token.text for token in tokens if token.is_value),
        verbs=frozenset(clause.verb for clause in reading.clauses if clause.verb),
        cues=frozenset(name for name, pattern in _cues().items() if pattern.search(lowered)),
        grams=frozenset(map("".join, zip(*(lowered[at:] for at in range(GRAM)), strict=False))),
        characters=frozenset(_HAN_OR_KANA.findall(text)),
        clauses=len(reading.clauses),
        changes=reading.changes,
        personal=reading.personal,
        numbered=_DIGIT.search(text) is not None,
        spaced=lexicon(reading.language).spaced,
    )


def _nearest(mine: _Claim, here: list[int], theirs: _Claim, there: list[int]) -> Vectors:
    """Return the cosine of each word of the new claim alone to the nearest of the old one alone; values have none."""
    left = [place for place in here if not mine.tokens[place].is_value]
    right = [place for place in there if not theirs.tokens[place].is_value]
    if not left or not right:
        return np.zeros(0, np.float32)
    best: Vectors = (mine.vectors[left] @ theirs.vectors[right].T).max(axis=1)
    return best


def _kinds(values: frozenset[str]) -> set[str]:
    return {kind_of(value) for value in values}


@dataclass(frozen=True, slots=True)
class _Weights:
    """per_sign: shape (2, signs), for a clash and for the same. asked_from, asked_from_talk: least sum of both
    probabilities."""

    names: tuple[str, ...]
    per_sign: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    asked_from: float
    asked_from_talk: float


@cache
def _weights() -> _Weights:
    raw = json.loads(_resource(WEIGHTS))
    return _Weights(
        names=tuple(raw["signs"]),
        per_sign=np.array(list(raw["signs"].values())).T,
        bias=np.array(raw["bias"]),
        asked_from=raw["asked_from"],
        asked_from_talk=raw["asked_from_talk"],
    )


@cache
def _cues() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(words) for name, words in tomllib.loads(_resource("cues.toml")).items()}


def _resource(name: str) -> str:
    return resources.files(__package__).joinpath("lexicon", name).read_text("utf-8")
