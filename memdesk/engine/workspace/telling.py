"""Reading of facts from lines of a file, and their drafting: facts tied to their lines, their entities, and
the relations between those."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memdesk.engine.extraction import extract_lines
from memdesk.engine.extraction.found import Found, FoundEntity, FoundFact, FoundRelation, Utterance
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft
from memdesk.engine.workspace.ties import Spot, tie
from memdesk.model.fact import claim_hash

LINES_BELIEVED = 2_000
"""Maximum number of lines read as facts from one file. Curated memory is far shorter; a longer file is a log,
found by its passages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Persons in a file. writer: who “I” is in it; person: the desk's owner."""

    writer: str
    person: str


@dataclass(frozen=True, slots=True)
class Line:
    """Facts and relations read from one line of a file."""

    facts: list[FoundFact] = field(default_factory=list)
    relations: list[FoundRelation] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Facts and relations read from a file, by line number from 1, and the entities they name."""

    lines: Mapping[int, Line] = field(default_factory=dict)
    entities: Mapping[str, FoundEntity] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[FoundFact, ...]:
        """All facts, line by line."""
        return tuple(fact for line in self.lines.values() for fact in line.facts)


def voice_of(relative: str, agent_id: str | None, person: str) -> Voice:
    """Return the voice of a file: in the user's profile “I” is the person, elsewhere the agent that wrote it."""
    writer = person if PurePosixPath(relative).stem.upper() == "USER" else agent_id or "user"
    return Voice(writer=writer, person=person)


def read(lines: Sequence[str], wanted: Iterable[int], voice: Voice) -> Told:
    """Return the facts read from the lines of these numbers; headings give the kind of the lines below them."""
    numbers = set(wanted)
    found = _found(
        [
            (number, line)
            for number, line in enumerate(lines[:LINES_BELIEVED], 1)
            if number in numbers or line.lstrip().startswith("#")
        ],
        voice,
    )
    told: dict[int, Line] = {}
    for fact in found.facts:
        if len(fact.claim) <= CLAIM_CHARACTERS:
            told.setdefault(int(fact.utterance_id), Line()).facts.append(fact)
    for relation in found.relations:
        told.setdefault(int(relation.utterance_id), Line()).relations.append(relation)
    return Told(lines=told, entities={entity.name: entity for entity in found.entities})


def claimed(lines: Sequence[str], voice: Voice) -> dict[str, list[int]]:
    """Return the numbers of the lines that state each claim, by claim hash, each line read without its
    context."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines[:LINES_BELIEVED], 1):
        for fact in _found([(number, line)], voice).facts:
            found.setdefault(claim_hash(fact.claim), []).append(number)
    return found


def believe(draft: Draft, told: Told, spot: Spot, *, document_id: str, source: str) -> list[str]:
    """Draft the facts of the line at a spot; return their ids, known or new."""
    line = told.lines.get(spot.number, Line())
    items: list[FoundFact | FoundRelation] = [*line.facts, *line.relations]
    for name in dict.fromkeys(name for item in items for name in _names(item)):
        if (entity := told.entities.get(name)) is not None:
            draft.entity(name, type=entity.type, aliases=entity.aliases)
    ids: list[str] = []
    for fact in line.facts:
        id, _ = draft.fact(
            fact.claim,
            category=fact.category,
            confidence=fact.confidence,
            temporal=fact.temporal,
            source=source,
            source_turn_id=None,
            quote=fact.quote,
        )
        draft.about(id, fact.about, None)
        tie(draft, id, document_id, spot, confidence=fact.confidence)
        ids.append(id)
    for relation in line.relations:
        start, end = (draft.entity(name)[0] for name in _names(relation))
        if start != end:
            draft.relation(start, end, relation.type, confidence=relation.confidence, source_turn_id=None)
    return ids


def _found(lines: Sequence[tuple[int, str]], voice: Voice) -> Found:
    return extract_lines(
        [
            Utterance(id=str(number), speaker=voice.writer, role="user", text=line, at=0)
            for number, line in lines
            if line.strip()
        ],
        user_name=voice.person,
    )


def _names(item: FoundFact | FoundRelation) -> tuple[str, ...]:
    return item.about if isinstance(item, FoundFact) else (item.source, item.target)
