"""Relations between entities, read from finished claims by the words between two names.

Claims are already in the third person, so "Caroline works at Siemens" gives its relation without knowing the
speaker. Two names in one claim are RELATED_TO each other only if the claim is about the first of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction.entities import Cast, Span
from memdesk.engine.extraction.findings import FoundFact, FoundRelation
from memdesk.engine.extraction.lexicon import pattern

_TYPES = ("WORKS_FOR", "CREATOR_OF", "CREATED_BY", "PART_OF", "LOCATED_IN", "KNOWS", "REFERENCES")
_CUES = tuple(
    (type, pattern("relations", f"{type.lower()}{chinese}"))
    for chinese in ("", "_chinese")
    for type in _TYPES
)
"""Type of a relation and the words between its two names; CREATOR_OF is CREATED_BY in the other direction."""

_TARGETS = {
    "CREATOR_OF": ("Product", "Technology", "Organization", "Event", "Entity"),
    "WORKS_FOR": ("Organization", "Entity", "Product"),
    "LOCATED_IN": ("Location",),
    "KNOWS": ("Person", "Agent"),
    "REFERENCES": ("Technology", "Product", "Entity", "Organization"),
}
_SOURCES = {
    "WORKS_FOR": ("Person",),
    "KNOWS": ("Person", "Agent"),
    "CREATOR_OF": ("Person", "Agent", "Organization"),
}
_OVER = re.compile(
    r"\b(?:no longer|(?:does|do|is)n't|stopped|quit|left|lost|former|formerly|used to|fired|resigned"
    r"|before|until|previously)\b|不再|不在|离职|辞职|以前|之前",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:moved|born|grew up|relocated|settled|joined)\b|搬|出生|长大|老家", re.IGNORECASE)
_GOES_ON = re.compile(
    r" (?!(?:for|in|with|and|last|at|on|by|as|to|when|while|since|this|next|together)\b)[a-z]"
)
_AT_WORK = re.compile("[^，。]{0,8}(?:工作|上班|实习|任职|当|做|担任|负责)")
_AT_HOME = re.compile("[^，。]{0,8}(?:住|生活|定居|长大|出生|工作|上班|上学|读)")
_PLACED = ("WORKS_FOR", "LOCATED_IN")


def relations(fact: FoundFact, spans: list[Span], cast: Cast, speaker: str) -> Iterator[FoundRelation]:
    """Yield the relations in one fact. spans: entity names in its claim, in order. speaker: the author of the
    claim."""
    if len(spans) < 2:
        return
    subject = spans[0]
    opens = subject.name == speaker or fact.claim[: subject.start].strip(" ,").lower() in (
        "",
        "the",
        "a",
        "an",
        "one of the",
    )
    bound = set()
    for other in spans[1:]:
        if other.name == subject.name or other.name in bound:
            continue
        bound.add(other.name)
        typed = _typed(fact, subject, other, cast)
        if typed:
            yield typed
        elif opens:
            yield _relation(fact, subject.name, other.name, "RELATED_TO", min(fact.confidence, 0.70))


def _typed(fact: FoundFact, subject: Span, other: Span, cast: Cast) -> FoundRelation | None:
    between = fact.claim[subject.end : other.start]
    if len(between) > 90 or "，" in between:
        return None
    after = fact.claim[other.end :]
    for type, cue in _CUES:
        fits = cue.search(between) and _fits(type, cast.type_of(subject.name), cast.type_of(other.name))
        if fits and _is_valid(type, fact, between, after, cast.type_of(subject.name)):
            if type == "CREATOR_OF":
                return _relation(fact, other.name, subject.name, "CREATED_BY", fact.confidence)
            return _relation(fact, subject.name, other.name, type, fact.confidence)
    return None


def _fits(type: str, source: str, target: str) -> bool:
    """Return True if both ends have types the relation can join: a person works for an organisation, lives in
    a place."""
    return source in _SOURCES.get(type, (source,)) and target in _TARGETS.get(type, (target,))


def _is_valid(type: str, fact: FoundFact, between: str, after: str, subject: str) -> bool:
    """Return False for a relation that has ended or not begun, and for a thing that is only named after the
    other entity."""
    if type in ("CREATOR_OF", "PART_OF"):
        return not _GOES_ON.match(after)
    if type not in _PLACED:
        return True
    if fact.temporal == "future" or _OVER.search(between):
        return False
    if fact.temporal == "past" and not _LASTING.search(between):
        return False
    if subject != "Person" or "在" not in between[-10:] or between.endswith("住在"):
        return True
    return (_AT_WORK if type == "WORKS_FOR" else _AT_HOME).match(after) is not None


def _relation(fact: FoundFact, source: str, target: str, type: str, confidence: float) -> FoundRelation:
    return FoundRelation(
        source=source, target=target, type=type, utterance_id=fact.utterance_id, confidence=confidence
    )
