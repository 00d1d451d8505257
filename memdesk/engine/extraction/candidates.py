"""Candidates: the stored facts that a new claim is compared with, which are equal, near, or about the same
subject.

The only part of extraction that reads memory; its result goes to the gate, which does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.assertion import clash
from memdesk.engine.extraction.assertions import assertions
from memdesk.engine.extraction.corrections import replaced
from memdesk.engine.extraction.gate import CANDIDATES_AT_MOST, RELATED_COSINE, Claimed, Held
from memdesk.engine.extraction.likeness import content, denies, same_content
from memdesk.engine.providers.embedder import Vectors
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import FACT, Fact
from memdesk.store import records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

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
        self, new: Claimed, *, drafted: Sequence[Fact], gone: frozenset[str]
    ) -> list[tuple[Fact, Held]]:
        """Return at most CANDIDATES_AT_MOST facts for the gate, those that can decide the verdict first.

        gone: ids superseded in this same change."""
        facts = {fact.id: fact for fact in (*drafted, *self._same(new.claim))}
        near = self._near(new.claim)
        facts |= {fact.id: fact for fact in self._facts(near)}
        for word in _subject_words(new):
            facts |= {fact.id: fact for fact in self._speaking_of(word)}
        current = [fact for id, fact in facts.items() if id not in gone]
        held = [(fact, self._held(fact, new, near)) for fact in current]
        held.sort(key=lambda pair: (not _decides(new, pair[1]), -(pair[1].cosine or 0.0), -pair[0].seq))
        return held[:CANDIDATES_AT_MOST]

    def holding(self, phrase: str) -> list[Fact]:
        """Return the current facts that contain this phrase, nearest channel first, newest first."""
        found = self._speaking_of(phrase)
        return sorted(
            (fact for fact in found if replaced(fact.claim, phrase, phrase) is not None),
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

    def _held(self, fact: Fact, new: Claimed, near: Mapping[int, float]) -> Held:
        return Held(
            id=fact.id, claim=fact.claim, confidence=fact.confidence, temporal=fact.temporal,
            cosine=near.get(fact.seq, self._cosine(fact, new.claim)),
        )  # fmt: skip

    def _cosine(self, fact: Fact, claim: str) -> float | None:
        """Return the cosine to a fact drafted in this change, if both vectors are known; None otherwise."""
        one, other = self.vectors.get(claim), self.vectors.get(fact.claim)
        return None if one is None or other is None else float(one @ other)


def _subject_words(new: Claimed) -> list[str]:
    """Return the words that a fact about the same subject would also contain, at most _SUBJECT_WORDS."""
    subjects = [word for one in assertions(new.claim) for word in one.subject]
    words = [*subjects, *sorted(new.about), *content(new.claim).words[:1]]
    return list(dict.fromkeys(word for word in words if word.isascii() or len(word) > 1))[:_SUBJECT_WORDS]


def _decides(new: Claimed, old: Held) -> bool:
    """Return True for a fact that can change the gate's verdict."""
    taken_back = new.replaces is not None and replaced(old.claim, new.replaces, "") is not None
    return (
        old.id == new.refines
        or taken_back
        or same_content(new.claim, old.claim)
        or denies(new.claim, old.claim)
        or clash(assertions(new.claim), assertions(old.claim)) is not None
    )
