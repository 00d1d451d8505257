"""Gate before a fact is stored: decides if a claim is already known, contradicts a known fact, or is new.

Pure: the facts to compare are read by the caller. No fact is retired without a check of its content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.assertion import IS, Assertion, agree, clash
from memdesk.engine.extraction.assertions_chinese import chinese, japanese
from memdesk.engine.extraction.assertions_english import english
from memdesk.engine.extraction.corrections import replace_phrase
from memdesk.engine.extraction.language import has_han
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.normal_forms import content, denies, reports_end, same_content
from memdesk.engine.providers.embedder import Vectors
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import CERTAINTY, FACT, Fact, claim_hash, stated
from memdesk.model.message import Message, message
from memdesk.store import records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

_KANA = re.compile("[\u3041-\u30ff]")
REMEMBERED = 4_096
"""Number of claims whose assertions are cached: a job compares the same facts again and again."""


@lru_cache(REMEMBERED)
def assertions(claim: str) -> tuple[Assertion, ...]:
    """Return the assertions of a claim, by slot; empty for a claim of no known form."""
    claim = stated(claim)
    if _KANA.search(claim):
        return tuple(japanese(claim))
    return tuple(chinese(claim) if has_han(claim) else english(claim))


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
    r"\b(?:19|20)\d\d\b|\byears ago\b|\bused to\b|\bback in\b|\bas an? (?:kid|child|student)\b"
    r"|\bwhen\b|\bonce\b"
    r"|\d{4}年|年前|小时候|以前|曾经",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[(（][^)）]*[)）]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClaim:
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
class StoredFact:
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
    reason: Message


@dataclass(frozen=True, slots=True)
class Flag:
    """Verdict: store the claim, and let a person decide between it and these facts."""

    old: tuple[str, ...]
    reason: Message


@dataclass(frozen=True, slots=True)
class KeepOld:
    """Verdict: do not store the claim; these facts are more reliable."""

    old: tuple[str, ...]
    reason: Message


@dataclass(frozen=True, slots=True)
class Store:
    """Verdict: store the claim; no known fact supports or contradicts it."""


Verdict = Duplicate | Supersede | Flag | KeepOld | Store


def judge(new: NewClaim, held: Sequence[StoredFact], rules: Rules) -> Verdict:
    """Return the verdict on a claim compared with these facts. If several facts match, the first one is used."""
    known = _duplicate(new, held, rules)
    if known is not None:
        return Duplicate(known.id)
    if new.source == CORRECTION:
        return _judge_correction(new, held)
    refined = next((old for old in held if old.id == new.refines and _refinable(new, old)), None)
    if refined is not None:
        return _retire_verdict([refined], message("refined as “{claim}”", claim=new.claim))
    return _judge_contradiction(new, held, rules)


def _duplicate(new: NewClaim, held: Sequence[StoredFact], rules: Rules) -> StoredFact | None:
    hashed = claim_hash(new.claim)
    exact = next((old for old in held if claim_hash(old.claim) == hashed), None)
    return exact or next((old for old in held if _says_the_same(new, old, rules.duplicate_cosine)), None)


def _says_the_same(new: NewClaim, old: StoredFact, cosine: float) -> bool:
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


def _refinable(new: NewClaim, old: StoredFact) -> bool:
    """Return True if two claims share enough words to be about one subject: an extractor's word alone retires
    no fact."""
    if clash(assertions(new.claim), assertions(old.claim)):
        return True
    here, there = set(content(new.claim).words), set(content(old.claim).words)
    return len(here & there) * 2 >= min(len(here), len(there)) and len(here & there) >= 2


def _judge_correction(new: NewClaim, held: Sequence[StoredFact]) -> Verdict:
    """Return the verdict on a person's correction: it overrides policy and confidence, but retires only facts
    it is about."""
    taken_back = new.replaces
    olds = [
        old for old in held if taken_back and contains_words(old.claim, taken_back) and _same_matter(new, old)
    ]
    if not olds:
        olds = [old for old in held if _contrary(new, old) is not None]
    meant = [old for old in olds if same_content(old.claim, olds[0].claim)]
    return _retire_verdict(meant, message("corrected as “{claim}”", claim=new.claim)) if olds else Store()


def contains_words(claim: str, words: str) -> bool:
    """Return True if these words are in a claim as complete words, ignoring case."""
    edge = r"\b" if words.isascii() else ""
    return re.search(f"{edge}{re.escape(words.strip())}{edge}", claim, re.IGNORECASE) is not None


def _same_matter(new: NewClaim, old: StoredFact) -> bool:
    """Return True if at least half the old claim's words, without the words taken back, are in the new claim."""
    gone = set(content(new.replaces or "").words)
    frame = set(content(old.claim).words) - gone
    return bool(frame) and len(frame & set(content(new.claim).words)) * 2 >= len(frame)


def _judge_contradiction(new: NewClaim, held: Sequence[StoredFact], rules: Rules) -> Verdict:
    contrary = [(old, reason) for old in held if (reason := _contrary(new, old)) is not None]
    if not contrary:
        return Store()
    olds, (_, reason) = [old for old, _ in contrary], contrary[0]
    if rules.contradictions == "flag_review":
        return Flag(tuple(old.id for old in olds), reason)
    kept = [old for old in olds if _prefers_old(new, old, rules)]
    if kept:
        return KeepOld(tuple(old.id for old in kept), reason)
    return _retire_verdict(olds, reason)


def _prefers_old(new: NewClaim, old: StoredFact, rules: Rules) -> bool:
    """Return True if the old fact wins: a sure claim beats a guess, either way; between equals the setting
    decides."""
    if old.confidence >= _SURE and new.confidence <= CERTAINTY["uncertain"]:
        return True
    if new.confidence >= _SURE and old.confidence <= CERTAINTY["inferred"]:
        return False
    return rules.contradictions == "prefer_old"


def _retire_verdict(olds: Sequence[StoredFact], reason: Message) -> Verdict:
    ids = tuple(old.id for old in olds)
    return Flag(ids, reason) if any(old.guarded for old in olds) else Supersede(ids, reason)


def _contrary(new: NewClaim, old: StoredFact) -> Message | None:
    """Return the reason why both claims cannot be true, in plain words; None if they can."""
    pair = clash(assertions(new.claim), assertions(old.claim))
    if pair is not None:
        now, then = _time_of_new(new.claim, new.temporal, pair[0]), _time_of_stored(old, pair[1])
        return _difference(*pair) if now == then != "past" else None
    now = "current" if reports_end(new.claim) else _time(new.temporal)
    if denies(new.claim, old.claim) and now == _time(old.temporal) != "past":
        return message("one denies the other")
    return None


def _time_of_new(claim: str, temporal: str | None, asserted: Assertion) -> str:
    """Return the time at which a new claim is true. "Moved to Porto" is past, but its outcome is current."""
    if asserted.arrival and temporal != "future":
        return "past" if _LONG_AGO.search(_BRACKETS.sub("", claim)) else "current"
    if asserted.slot == IS and temporal == "future":
        return "current"
    return _time(temporal)


def _time_of_stored(old: StoredFact, asserted: Assertion) -> str:
    """Return the time at which a known fact is true: a past event is history and remains true after later
    changes."""
    if asserted.arrival and old.temporal == "past":
        return "past"
    return "current" if asserted.slot == IS and old.temporal == "future" else _time(old.temporal)


def _difference(new: Assertion, old: Assertion) -> Message:
    what = " ".join(new.subject) if new.slot == IS else new.slot
    if new.denied != old.denied:
        return (
            (
                message(
                    "{what}: not {value}, against not {believed}",
                    what=what,
                    value=new.value,
                    believed=old.value,
                )
                if old.denied
                else message(
                    "{what}: not {value}, against {believed}", what=what, value=new.value, believed=old.value
                )
            )
            if new.denied
            else (
                message(
                    "{what}: {value}, against not {believed}", what=what, value=new.value, believed=old.value
                )
                if old.denied
                else message(
                    "{what}: {value}, against {believed}", what=what, value=new.value, believed=old.value
                )
            )
        )
    return message("{what}: {value}, against {believed}", what=what, value=new.value, believed=old.value)


NAMED_AT_MOST = 200
"""Number of newest facts read that mention a subject by name; older ones are found by their vectors."""
_SUBJECT_WORDS = 3


def embedded(engine: Engine, claims: Sequence[str]) -> dict[str, Vectors]:
    """Return the unit vectors of claims, computed before any transaction. Empty if vectors are off: then only
    words are compared."""
    if not claims:
        return {}
    try:
        return dict(zip(claims, engine.embedder.embed(claims), strict=True))
    except EmbedderUnavailable:
        return {}


@dataclass(slots=True, kw_only=True)
class Candidates:
    """Reader of candidate facts for one change, in the channels it may touch, nearest channel first.

    vectors: unit vectors of the claims to be compared."""

    engine: Engine
    db: Connection
    user_id: str
    channels: tuple[str, ...]
    vectors: Mapping[str, Vectors]
    _named: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def _scope(self) -> Scope:
        return Scope(user_id=self.user_id, channels=self.channels, kinds=(FACT.name,))

    def against(
        self, new: NewClaim, *, drafted: Sequence[Fact], gone: frozenset[str]
    ) -> list[tuple[Fact, StoredFact]]:
        """Return at most CANDIDATES_AT_MOST facts for the gate, those that can decide the verdict first.

        gone: ids superseded in this same change."""
        facts = {fact.id: fact for fact in (*drafted, *self._same(new.claim))}
        near = self._near(new.claim)
        facts |= {fact.id: fact for fact in self._facts(near)}
        for word in _subject_words(new):
            facts |= {fact.id: fact for fact in self._speaking_of(word)}
        current = [fact for id, fact in facts.items() if id not in gone]
        held = [(fact, self._stored(fact, new, near)) for fact in current]
        held.sort(key=lambda pair: (not _decides(new, pair[1]), -(pair[1].cosine or 0.0), -pair[0].seq))
        return held[:CANDIDATES_AT_MOST]

    def holding(self, phrase: str) -> list[Fact]:
        """Return the current facts that contain this phrase, nearest channel first, newest first."""
        found = self._speaking_of(phrase)
        return sorted(
            (fact for fact in found if replace_phrase(fact.claim, phrase, phrase) is not None),
            key=lambda fact: (self.channels.index(fact.channel), -fact.seq),
        )

    def _same(self, claim: str) -> list[Fact]:
        found = (semantic.fact_claiming(self.db, self.user_id, channel, claim) for channel in self.channels)
        return [fact for fact in found if fact is not None]

    def _near(self, claim: str) -> dict[int, float]:
        vector = self.vectors.get(claim)
        if vector is None:
            return {}
        found = search.by_vector(self.db, vector, self._scope, self.engine.embedder.name)
        return {seq: cosine for seq, cosine in found if cosine > RELATED_COSINE}

    def _speaking_of(self, word: str) -> list[Fact]:
        if word not in self._named:
            seqs = search.postings(self.db, word, self._scope, NAMED_AT_MOST)
            self._named[word] = self._facts(seqs)
        return self._named[word]

    def _facts(self, seqs: Sequence[int] | Mapping[int, float]) -> list[Fact]:
        found = records.many(self.db, FACT, "seq", list(seqs))
        return [fact for fact in found if fact.retired_at is None and fact.superseded_by is None]

    def _stored(self, fact: Fact, new: NewClaim, near: Mapping[int, float]) -> StoredFact:
        return StoredFact(
            id=fact.id,
            claim=fact.claim,
            confidence=fact.confidence,
            temporal=fact.temporal,
            cosine=near.get(fact.seq, self._cosine(fact, new.claim)),
        )

    def _cosine(self, fact: Fact, claim: str) -> float | None:
        """Return the cosine to a fact drafted in this change, if both vectors are known; None otherwise."""
        one, other = self.vectors.get(claim), self.vectors.get(fact.claim)
        return None if one is None or other is None else float(one @ other)


def _subject_words(new: NewClaim) -> list[str]:
    """Return the words that a fact about the same subject would also contain, at most _SUBJECT_WORDS."""
    subjects = [word for one in assertions(new.claim) for word in one.subject]
    words = [*subjects, *sorted(new.about), *content(new.claim).words[:1]]
    return list(dict.fromkeys(word for word in words if word.isascii() or len(word) > 1))[:_SUBJECT_WORDS]


def _decides(new: NewClaim, old: StoredFact) -> bool:
    """Return True for a fact that can change the gate's verdict."""
    taken_back = new.replaces is not None and replace_phrase(old.claim, new.replaces, "") is not None
    return (
        old.id == new.refines
        or taken_back
        or same_content(new.claim, old.claim)
        or denies(new.claim, old.claim)
        or clash(assertions(new.claim), assertions(old.claim)) is not None
    )
