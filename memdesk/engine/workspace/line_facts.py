"""Facts read from lines of a file: their drafting, and the differences between a file's new text and its
last one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import extract_lines
from memdesk.engine.extraction.findings import Found, FoundEntity, FoundFact, FoundRelation, Utterance
from memdesk.engine.memory import line_links
from memdesk.engine.memory.believe import Said, believe
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft
from memdesk.engine.memory.line_links import (
    LineDifferences,
    Spot,
    compare_lines,
    line_numbers_by_words,
    normalised_words,
    tie,
)
from memdesk.engine.workspace.layouts import holds_facts
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.document import Document, Workspace
from memdesk.model.fact import claim_hash
from memdesk.store import document_versions
from memdesk.store.connection import Connection

LINES_READ_AT_MOST = 2_000
"""Maximum number of lines read as facts from one file. Curated memory is far shorter; a longer file is a log,
found by its passages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Persons in a file. writer: who “I” is in it; person: the desk's owner."""

    writer: str
    person: str


@dataclass(frozen=True, slots=True)
class LineContent:
    """Facts and relations read from one line of a file."""

    facts: list[FoundFact] = field(default_factory=list)
    relations: list[FoundRelation] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFacts:
    """Facts and relations read from a file, by line number from 1, and the entities they name."""

    lines: Mapping[int, LineContent] = field(default_factory=dict)
    entities: Mapping[str, FoundEntity] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[FoundFact, ...]:
        """All facts, line by line."""
        return tuple(fact for line in self.lines.values() for fact in line.facts)


def voice_of(relative: str, agent_id: str | None, person: str) -> Voice:
    """Return the voice of a file: in the user's profile “I” is the person, elsewhere the agent that wrote it."""
    writer = person if PurePosixPath(relative).stem.upper() == "USER" else agent_id or "user"
    return Voice(writer=writer, person=person)


def read_lines(lines: Sequence[str], wanted: Iterable[int], voice: Voice) -> LineFacts:
    """Return the facts read from the lines of these numbers; headings give the kind of the lines below them."""
    numbers = set(wanted)
    found = _found(
        [
            (number, line)
            for number, line in enumerate(lines[:LINES_READ_AT_MOST], 1)
            if number in numbers or line.lstrip().startswith("#")
        ],
        voice,
    )
    told: dict[int, LineContent] = {}
    for fact in found.facts:
        if len(fact.claim) <= CLAIM_CHARACTERS:
            told.setdefault(int(fact.utterance_id), LineContent()).facts.append(fact)
    for relation in found.relations:
        told.setdefault(int(relation.utterance_id), LineContent()).relations.append(relation)
    return LineFacts(lines=told, entities={entity.name: entity for entity in found.entities})


def lines_by_claim(lines: Sequence[str], voice: Voice) -> dict[str, list[int]]:
    """Return the numbers of the lines that state each claim, by claim hash, each line read without its
    context."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines[:LINES_READ_AT_MOST], 1):
        for fact in _found([(number, line)], voice).facts:
            found.setdefault(claim_hash(fact.claim), []).append(number)
    return found


def draft_line_facts(
    draft: Draft, told: LineFacts, spot: Spot, *, document_id: str, source: str
) -> list[str]:
    """Draft the facts of the line at a spot; return their ids, known or new."""
    line = told.lines.get(spot.number, LineContent())
    items: list[FoundFact | FoundRelation] = [*line.facts, *line.relations]
    for name in dict.fromkeys(name for item in items for name in _names(item)):
        if (entity := told.entities.get(name)) is not None:
            draft.entity(name, type=entity.type, aliases=entity.aliases)
    ids: list[str] = []
    for fact in line.facts:
        id = believe(
            draft,
            fact.claim,
            Said(author="", document_id=document_id, asking_only=True),
            category=fact.category,
            confidence=fact.confidence,
            temporal=fact.temporal,
            source=source,
            source_turn_id=None,
            quote=fact.quote,
        ).id
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


LINES_AT_ONCE = 20
"""Lines whose facts go into one change; with their entities they stay far below its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Change of one line. gone: its former words; fresh: its present number, 0 for none."""

    gone: str = ""
    fresh: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Differences between a file's new text and its last one.

    before, after: the hashes of both. believes: True if each line is read as a fact. gone: the former numbers
    of removed lines by their words. told: the facts read from the new lines. claims: line numbers by the hash
    of the claim they state, filled only where a line with a fact was removed. carried: ids of the facts that
    new lines were written from, by line number. steps: the steps to draft, one group for each change."""

    before: str
    after: str
    believes: bool = False
    gone: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    told: LineFacts = field(default_factory=LineFacts)
    claims: Mapping[str, list[int]] = field(default_factory=dict)
    carried: Mapping[int, str] = field(default_factory=dict)
    steps: tuple[tuple[Step, ...], ...] = ()


def read_news(
    db: Connection,
    document: Document | None,
    text: str,
    *,
    believes: bool,
    voice: Voice,
    carried: Mapping[str, str] | None = None,
) -> News:
    """Return the differences between a file's new text and its last one; "" for a file that is removed.

    document: None for a file that is not on the desk yet. believes: True if each line is read as a fact; else
    only lines that a fact was learned from are followed. A file that comes back is read again, except for
    lines whose facts left recall before they did. carried: ids of facts by the lines that were written from
    them; such a line is tied to its fact and not read as another one."""
    away = document is None or document.retired_at is not None
    before = "" if document is None or away else document_versions.text_of(db, document.content_hash)
    found = News(
        before=document_versions.hash_of(before), after=document_versions.hash_of(text), believes=believes
    )
    tied = line_links.ties_in_file(db, document.id) if document is not None else []
    if not (tied or believes or carried) or (found.before == found.after and not away):
        return found
    held = {each.spot.said for each in tied}
    back = {each.spot.said for each in tied if each.spot.gone}
    moved = compare_lines(before, text)
    lines = lines_of(plain(text))
    edited = {words: moved.fresh[other] for words, other in moved.became.items() if words in held}
    fresh = {number for words, number in moved.fresh.items() if not (away and words in held)}
    here = line_numbers_by_words(text) if back else {}
    from_facts = {
        moved.fresh[words]: id
        for line, id in (carried or {}).items()
        if (words := normalised_words(line)) in moved.fresh
    }
    read = read_lines(lines, fresh if believes else edited.values(), voice)
    again = {here[each][0] for each in back & here.keys()}
    steps = _steps(moved, edited, held, read.lines.keys() | again | from_facts.keys())
    return replace(
        found,
        gone=moved.gone,
        lines=tuple(lines),
        told=read,
        claims=lines_by_claim(lines, voice) if believes and any(step.gone for step in steps) else {},
        carried=from_facts,
        steps=tuple(tuple(steps[at : at + LINES_AT_ONCE]) for at in range(0, len(steps), LINES_AT_ONCE)),
    )


def news_of(
    engine: Engine,
    document: Document,
    workspace: Workspace,
    text: str,
    carried: Mapping[str, str] | None = None,
) -> News:
    """Return the news of a known file's new text. carried: as in `read_news`."""
    with engine.store.reading() as db:
        return news_on_connection(engine, db, document, workspace, text, carried)


def news_on_connection(
    engine: Engine,
    db: Connection,
    document: Document,
    workspace: Workspace,
    text: str,
    carried: Mapping[str, str] | None = None,
) -> News:
    """Return the same as `news_of`, on an open connection."""
    believes = holds_facts(document.path, workspace.layout)
    voice = voice_of(document.path, document.agent_id, engine.person)
    return read_news(db, document, text, believes=believes, voice=voice, carried=carried)


def _steps(
    moved: LineDifferences, edited: Mapping[str, int], held: set[str], telling: set[int]
) -> list[Step]:
    """Return steps for removed lines first, each with the line in its place, then for lines that state facts
    or are back."""
    gone = [Step(gone=words, fresh=edited.get(words, 0)) for words in moved.gone if words in held]
    replacing = {step.fresh for step in gone}
    fresh = [Step(fresh=number) for number in sorted(telling - replacing)]
    return gone + fresh
