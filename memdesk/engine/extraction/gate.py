"""Gate before a fact is stored: decides if a claim is already known, contradicts a known fact, or is new.

Pure: the facts to compare are read by the caller. No fact is retired without a check of its content."""

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
"""Confidence of a claim that a person corrected; its source is CORRECTION (AgentX)."""
CANDIDATES_AT_MOST = 10
"""Most facts compared with one claim (AgentX)."""
RELATED_COSINE = 0.5
"""Cosine above which a fact about another subject is also compared (AgentX)."""
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
    """Claim to be judged. refines: id of the fact that this claim makes more exact, according to the
    extractor.

    replaces: the words it takes back, if it is a correction that names them."""

    claim: str
    confidence: float
    temporal: str | None
    source: str = "extraction"
    about: frozenset[str] = frozenset()
    refines: str | None = None
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Current fact in memory. cosine: to the claim being judged, None if a vector is missing.

    guarded: pinned or written by a person, so that no job retires it."""

    id: str
    claim: str
    confidence: float
    temporal: str | None
    cosine: float | None = None
    guarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Settings of the gate. contradictions: prefer_new, prefer_old or flag_review, for claims of similar
    certainty."""

    duplicate_cosine: float = 0.92
    contradictions: str = "prefer_new"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Verdict: memory already contains the claim, as the fact `of`."""

    of: str


@dataclass(frozen=True, slots=True)
class Supersede:
    """Verdict: store the claim and supersede these facts."""

    old: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Verdict: store the claim, and let a person decide between it and these facts."""

    old: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class KeepOld:
    """Verdict: do not store the claim; these facts are more reliable."""

    old: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Store:
    """Verdict: store the claim; no known fact supports or contradicts it."""


Verdict = Duplicate | Supersede | Flag | KeepOld | Store


def judge(new: Claimed, held: Sequence[Held], rules: Rules) -> Verdict:
    """Return the verdict on a claim compared with these facts. If several facts match, the first one is used."""
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
    """Return True if a claim is near in meaning with the same content: names, numbers, denial, order and time
    agree."""
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
    """Return True if two claims share enough words to be about one subject: an extractor's word alone retires
    no fact."""
    if clash(assertions(new.claim), assertions(old.claim)):
        return True
    here, there = set(content(new.claim).words), set(content(old.claim).words)
    return len(here & there) * 2 >= min(len(here), len(there)) and len(here & there) >= 2


def _corrected(new: Claimed, held: Sequence[Held]) -> Verdict:
    """Return the verdict on a person's correction: it overrides policy and confidence, but retires only facts
    it is about."""
    taken_back = new.replaces
    olds = [
        old for old in held if taken_back and replaced_in(old.claim, taken_back) and _same_matter(new, old)
    ]
    if not olds:
        olds = [old for old in held if _contrary(new, old) is not None]
    meant = [old for old in olds if same_content(old.claim, olds[0].claim)]
    return _retiring(meant, f"corrected as “{new.claim}”") if olds else Store()


def replaced_in(claim: str, words: str) -> bool:
    """Return True if these words are in a claim as complete words, ignoring case."""
    edge = r"\b" if words.isascii() else ""
    return re.search(f"{edge}{re.escape(words.strip())}{edge}", claim, re.IGNORECASE) is not None


def _same_matter(new: Claimed, old: Held) -> bool:
    """Return True if at least half the old claim's words, without the words taken back, are in the new claim."""
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
    """Return True if the old fact wins: a sure claim beats a guess, either way; between equals the setting
    decides."""
    if old.confidence >= _SURE and new.confidence <= CERTAINTY["uncertain"]:
        return True
    if new.confidence >= _SURE and old.confidence <= CERTAINTY["inferred"]:
        return False
    return rules.contradictions == "prefer_old"


def _retiring(olds: Sequence[Held], reason: str) -> Verdict:
    ids = tuple(old.id for old in olds)
    return Flag(ids, reason) if any(old.guarded for old in olds) else Supersede(ids, reason)


def _contrary(new: Claimed, old: Held) -> str | None:
    """Return the reason why both claims cannot be true, in plain words; None if they can."""
    pair = clash(assertions(new.claim), assertions(old.claim))
    if pair is not None:
        now, then = _when(new.claim, new.temporal, pair[0]), _told(old, pair[1])
        return _difference(*pair) if now == then != "past" else None
    now = "current" if ends(new.claim) else _time(new.temporal)
    if denies(new.claim, old.claim) and now == _time(old.temporal) != "past":
        return "one denies the other"
    return None


def _when(claim: str, temporal: str | None, asserted: Assertion) -> str:
    """Return the time at which a new claim is true. "Moved to Porto" is past, but its outcome is current."""
    if asserted.arrival and temporal != "future":
        return "past" if _LONG_AGO.search(_BRACKETS.sub("", claim)) else "current"
    if asserted.slot == IS and temporal == "future":
        return "current"
    return _time(temporal)


def _told(old: Held, asserted: Assertion) -> str:
    """Return the time at which a known fact is true: a past event is history and remains true after later
    changes."""
    if asserted.arrival and old.temporal == "past":
        return "past"
    return "current" if asserted.slot == IS and old.temporal == "future" else _time(old.temporal)


def _difference(new: Assertion, old: Assertion) -> str:
    what = " ".join(new.subject) if new.slot == IS else new.slot
    if new.denied != old.denied:
        return f"{what}: {'not ' if new.denied else ''}{new.value}, against {'not ' if old.denied else ''}{old.value}"
    return f"{what}: {new.value}, against {old.value}"
