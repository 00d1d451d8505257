"""The gate before a fact is stored: known already, contrary to something known, or new.

Pure: the facts it is held against were read by others. No fact is retired here without a check of what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine.extraction.assertion import IS, Assertion, agree, clash
from memdesk.engine.extraction.assertions import assertions
from memdesk.engine.extraction.likeness import content, denies, ends, same_content
from memdesk.engine.extraction.words import word_set
from memdesk.model.fact import CERTAINTY, claim_hash

CORRECTION = "user_correction"
CORRECTED = 0.9
"""The source and confidence of what a person corrected (AgentX)."""
CANDIDATES_AT_MOST = 10
"""Facts that one claim is held against (AgentX)."""
RELATED_COSINE = 0.5
"""From this cosine on a fact of another subject is worth a look (AgentX)."""
_SURE = 0.9
_JOINING = word_set(
    "at for in on of by to live reside based work working living employed located call called named name job as"
)
_LONG_AGO = re.compile(
    r"\b(?:19|20)\d\d\b|\byears ago\b|\bused to\b|\bback in\b|\bas an? (?:kid|child|student)\b|\bwhen\b|\bonce\b"
    r"|\d{4}年|年前|小时候|以前|曾经",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[(（][^)）]*[)）]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A claim at the gate. refines: id of the fact an extractor says it makes better.

    replaces: the words it takes back, when it corrects something and says what."""

    claim: str
    confidence: float
    temporal: str | None
    source: str = "extraction"
    about: frozenset[str] = frozenset()
    refines: str | None = None
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A current fact that memory holds. cosine: to the claim at the gate, None where a vector is missing.

    guarded: pinned or written by a person, so that no job retires it."""

    id: str
    claim: str
    confidence: float
    temporal: str | None
    cosine: float | None = None
    guarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Settings of the gate. contradictions: prefer_new, prefer_old or flag_review, for claims of like certainty."""

    duplicate_cosine: float = 0.92
    contradictions: str = "prefer_new"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Memory holds this already, as the fact `of`."""

    of: str


@dataclass(frozen=True, slots=True)
class Supersede:
    """The claim is stored and these facts become past."""

    old: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Flag:
    """The claim is stored, and a person decides between it and these facts."""

    old: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class KeepOld:
    """The claim is not stored: these facts are worth more."""

    old: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Store:
    """Nothing known stands for or against the claim."""


Verdict = Duplicate | Supersede | Flag | KeepOld | Store


def judge(new: Claimed, held: Sequence[Held], rules: Rules) -> Verdict:
    """What to do with a claim, held against what memory has. Facts nearest in time come first in `held`."""
    known = _duplicate(new, held, rules)
    if known is not None:
        return Duplicate(known.id)
    if new.source == CORRECTION:
        return _corrected(new, held)
    refined = next((old for old in held if old.id == new.refines and _refinable(new, old)), None)
    if refined is not None:
        return _retiring([refined], f"refined as “{new.claim}”")
    return _weighed(new, held, rules)


def _duplicate(new: Claimed, held: Sequence[Held], rules: Rules) -> Held | None:
    hashed = claim_hash(new.claim)
    exact = next((old for old in held if claim_hash(old.claim) == hashed), None)
    return exact or next((old for old in held if _says_the_same(new, old, rules.duplicate_cosine)), None)


def _says_the_same(new: Claimed, old: Held, cosine: float) -> bool:
    """True for a claim near in meaning with the same content: names, numbers, denial, order and time agree."""
    if (old.cosine is not None and old.cosine <= cosine) or _time(new.temporal) != _time(old.temporal):
        return False
    if same_content(new.claim, old.claim):
        return True
    here, there = content(new.claim), content(old.claim)
    worded = set(here.words) ^ set(there.words) <= _JOINING and here.denied == there.denied
    return worded and agree(assertions(new.claim), assertions(old.claim))


def _time(temporal: str | None) -> str:
    return temporal or "current"


def _refinable(new: Claimed, old: Held) -> bool:
    """True when two claims share enough words to be of one matter: an extractor's word alone retires nothing."""
    if clash(assertions(new.claim), assertions(old.claim)):
        return True
    here, there = set(content(new.claim).words), set(content(old.claim).words)
    return len(here & there) * 2 >= min(len(here), len(there)) and len(here & there) >= 2


def _corrected(new: Claimed, held: Sequence[Held]) -> Verdict:
    """A person's correction outweighs policy and confidence; it still retires only what it is about."""
    taken_back = new.replaces
    olds = [
        old for old in held if taken_back and replaced_in(old.claim, taken_back) and _same_matter(new, old)
    ]
    if not olds:
        olds = [old for old in held if _contrary(new, old) is not None]
    meant = [old for old in olds if same_content(old.claim, olds[0].claim)]
    return _retiring(meant, f"corrected as “{new.claim}”") if olds else Store()


def replaced_in(claim: str, words: str) -> bool:
    """True when these words stand in a claim, letter case aside and as whole words."""
    edge = r"\b" if words.isascii() else ""
    return re.search(f"{edge}{re.escape(words.strip())}{edge}", claim, re.IGNORECASE) is not None


def _same_matter(new: Claimed, old: Held) -> bool:
    """True when what is left of the old claim without the words taken back is in the new one, half of it at least."""
    gone = set(content(new.replaces or "").words)
    frame = set(content(old.claim).words) - gone
    return bool(frame) and len(frame & set(content(new.claim).words)) * 2 >= len(frame)


def _weighed(new: Claimed, held: Sequence[Held], rules: Rules) -> Verdict:
    contrary = [(old, reason) for old in held if (reason := _contrary(new, old)) is not None]
    if not contrary:
        return Store()
    olds, (_, reason) = [old for old, _ in contrary], contrary[0]
    if rules.contradictions == "flag_review":
        return Flag(tuple(old.id for old in olds), reason)
    kept = [old for old in olds if _prefers_old(new, old, rules)]
    if kept:
        return KeepOld(tuple(old.id for old in kept), reason)
    return _retiring(olds, reason)


def _prefers_old(new: Claimed, old: Held, rules: Rules) -> bool:
    """Sure knowledge outweighs a guess, either way; between equals the setting decides."""
    if old.confidence >= _SURE and new.confidence <= CERTAINTY["uncertain"]:
        return True
    if new.confidence >= _SURE and old.confidence <= CERTAINTY["inferred"]:
        return False
    return rules.contradictions == "prefer_old"


def _retiring(olds: Sequence[Held], reason: str) -> Verdict:
    ids = tuple(old.id for old in olds)
    return Flag(ids, reason) if any(old.guarded for old in olds) else Supersede(ids, reason)


def _contrary(new: Claimed, old: Held) -> str | None:
    """Why both claims cannot hold, in a person's words; None when they can."""
    pair = clash(assertions(new.claim), assertions(old.claim))
    if pair is not None:
        now, then = _when(new.claim, new.temporal, pair[0]), _told(old, pair[1])
        return _difference(*pair) if now == then != "past" else None
    now = "current" if ends(new.claim) else _time(new.temporal)
    if denies(new.claim, old.claim) and now == _time(old.temporal) != "past":
        return "one denies the other"
    return None


def _when(claim: str, temporal: str | None, asserted: Assertion) -> str:
    """When a new claim holds. "Moved to Porto" tells of the past, and of the present as its outcome."""
    if asserted.arrival and temporal != "future":
        return "past" if _LONG_AGO.search(_BRACKETS.sub("", claim)) else "current"
    if asserted.slot == IS and temporal == "future":
        return "current"
    return _time(temporal)


def _told(old: Held, asserted: Assertion) -> str:
    """When a known fact holds: an event told then is history, and stays true whatever comes after."""
    if asserted.arrival and old.temporal == "past":
        return "past"
    return "current" if asserted.slot == IS and old.temporal == "future" else _time(old.temporal)


def _difference(new: Assertion, old: Assertion) -> str:
    what = " ".join(new.subject) if new.slot == IS else new.slot
    if new.denied != old.denied:
        return f"{what}: {'not ' if new.denied else ''}{new.value}, against {'not ' if old.denied else ''}{old.value}"
    return f"{what}: {new.value}, against {old.value}"
