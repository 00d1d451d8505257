"""What extraction reads and what it finds: plain records, so that finders and callers share one vocabulary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn of a conversation, or one line of a note.

    speaker: a display name, or "user"/"assistant". role: user, assistant, system or tool. at: UTC microseconds."""

    id: str
    speaker: str
    role: str
    text: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEntity:
    """A thing with a name. type: one of model.entity.ENTITY_TYPES. mentions: utterance ids, in order, each once."""

    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFact:
    """A claim that stands alone, in the third person.

    confidence: model.fact.CERTAINTY of its certainty. temporal: current, past, future or None. about: entity names,
    subject first. quote: the verbatim span of the utterance's text that carries the claim. replaces: the words a
    correction takes back, "" where it says none, None for what corrects nothing. refines: id of the known fact that an
    extractor says this makes better."""

    claim: str
    category: str
    certainty: str
    confidence: float
    temporal: str | None
    about: tuple[str, ...]
    utterance_id: str
    quote: str
    replaces: str | None = None
    refines: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCorrection:
    """A phrase put in the place of another, where the conversation does not say of what: "Porto, not Lisbon"."""

    now: str
    was: str
    utterance_id: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelation:
    """A typed, directed bond between two entities. type: one of model.entity.ENTITY_RELATIONS."""

    source: str
    target: str
    type: str
    utterance_id: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Everything found in one conversation or note: entities by mentions, facts and relations in order of utterance.

    corrections: phrases that only memory can say what they correct. by: the model that read, "" for cues. note: why a
    model did not answer, for a person to read."""

    entities: tuple[FoundEntity, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    corrections: tuple[FoundCorrection, ...] = ()
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A claim on its way to a FoundFact: start and end are offsets of its quote in the utterance's text.

    replaces: as in FoundFact. phrase: the claim is a mere phrase that stands in the place of `replaces`."""

    claim: str
    category: str
    certainty: str
    temporal: str | None
    start: int
    end: int
    replaces: str | None = None
    phrase: bool = False
