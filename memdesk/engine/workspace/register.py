"""A file joins its workspace: registered, its version kept, its lines believed. One file is one change, or nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import extract_lines
from memdesk.engine.extraction.found import Found, FoundFact, FoundRelation, Utterance
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft
from memdesk.engine.workspace.layouts import Place, day_of, holds_facts, layer_of, slug
from memdesk.files.reading import TextFile
from memdesk.model.change import Change
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.entity import DERIVED_FROM, ENTITY
from memdesk.model.fact import FACT
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection

LINES_AT_ONCE = 20
"""Lines whose facts go into one change: with the entities they are about they stay far below its limit."""

LINES_BELIEVED = 2_000
"""Of one file. Curated memory is far shorter; what is longer is a log, found by its passages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bringer:
    """Who brings something in, for whom, in which run. channel, agent_id: override what the source says.

    verb: how the audit timeline tells it.
    """

    author: str
    run: str
    user_id: str
    channel: str | None = None
    agent_id: str | None = None
    verb: str = "Imported"


@dataclass(frozen=True, slots=True)
class _Line:
    """What one line of a file says."""

    facts: list[FoundFact] = field(default_factory=list)
    relations: list[FoundRelation] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file of a workspace, read and looked through. `known`: the desk has this very text already."""

    place: Place
    relative: str
    file: TextFile
    known: bool
    found: Found


def look(engine: Engine, place: Place, relative: str, file: TextFile, user_id: str) -> Reading:
    """What bringing this file in would add. Lines the desk has read before are not believed a second time."""
    with engine.store.reading() as db:
        document = _document(db, user_id, place, relative)
        kept = document.content_hash if document is not None and document.retired_at is None else None
        known = kept == versions.hash_of(file.text)
        believed = not known and holds_facts(relative, place.layout)
        before = versions.text_of(db, kept) if believed and kept is not None else ""
    found = _read(_fresh(before, file.text), relative, place, engine.person) if believed else Found()
    return Reading(place=place, relative=relative, file=file, known=known, found=found)


def join(engine: Engine, reading: Reading, bringer: Bringer) -> Counter[str]:
    """Bring a file in; returns what it added: documents, facts, entities. Nothing when the desk knows it.

    A file with very many facts takes several changes. Its version moves with the last of them, so that an import that
    was stopped between them begins this file again.
    """
    added: Counter[str] = Counter()
    if reading.known:
        return added
    ensure_channel(engine, bringer.user_id, channel_of(reading.place, bringer), author=bringer.author)
    lines = list(_by_line(reading.found).values())
    for start in range(0, max(1, len(lines)), LINES_AT_ONCE):
        added += _one_change(
            engine,
            reading,
            lines[start : start + LINES_AT_ONCE],
            bringer,
            last=start + LINES_AT_ONCE >= len(lines),
        )
    added["documents"] = 1
    return added


def _one_change(
    engine: Engine, reading: Reading, lines: list[_Line], bringer: Bringer, *, last: bool
) -> Counter[str]:
    def verb(db: Connection) -> tuple[Change, Counter[str]]:
        place = reading.place
        draft = Draft(
            engine=engine,
            db=db,
            user_id=bringer.user_id,
            channel=channel_of(place, bringer),
            agent_id=agent_of(place, bringer),
            at=engine.clock(),
        )
        document_id = _register(draft, reading, last=last)
        for line in lines:
            _believe(draft, line, reading.found, document_id)
        births = Counter(edit.kind for edit in draft.edits if edit.before is None)
        change = Change(
            op="import",
            layer="workspace",
            title=f"{bringer.verb} {reading.relative}",
            author=bringer.author,
            edits=tuple(draft.edits),
            channel=draft.channel,
            user_id=draft.user_id,
            run=bringer.run,
            details={"path": str(place.path / reading.relative), "layout": place.layout},
        )
        return change, Counter(facts=births[FACT.name], entities=births[ENTITY.name])

    return engine.store.decide(verb)[1]


def _register(draft: Draft, reading: Reading, *, last: bool) -> str:
    """Draft the workspace and the document as this file makes them; returns the document's id.

    Until its last change a new document is out of use, and a known one keeps the version it has.
    """
    place, text = reading.place, reading.file.text
    workspace = workspaces.workspace_at(draft.db, draft.user_id, str(place.path))
    workspace_id = workspace.id if workspace is not None else _new_workspace(draft, place)
    if workspace is not None and workspace.retired_at is not None:
        draft.edits.append(records.moved(WORKSPACE, workspace, retired_at=None))
    document = workspaces.document_at(draft.db, workspace_id, reading.relative)
    content_hash = versions.keep(draft.db, text)
    if document is None:
        return draft.bear(
            DOCUMENT,
            channel=draft.channel,
            agent_id=draft.agent_id,
            workspace_id=workspace_id,
            path=reading.relative,
            layer=layer_of(reading.relative, place.layout),
            day=day_of(reading.relative),
            content_hash=content_hash,
            size=len(text),
            created_at=draft.at,
            updated_at=reading.file.modified_at,
            retired_at=None if last else draft.at,
        )
    if last:
        now = {"content_hash": content_hash, "size": len(text), "updated_at": reading.file.modified_at}
        draft.edits.append(records.moved(DOCUMENT, document, **now, retired_at=None))
    return document.id


def _new_workspace(draft: Draft, place: Place) -> str:
    return draft.bear(
        WORKSPACE,
        channel=draft.channel,
        agent_id=draft.agent_id,
        name=place.name,
        path=str(place.path),
        layout=place.layout,
        created_at=draft.at,
    )


def _believe(draft: Draft, line: _Line, found: Found, document_id: str) -> None:
    """Draft what one line says: its facts, what they are about, how those hang together."""
    named = {entity.name: entity for entity in found.entities}
    items: list[FoundFact | FoundRelation] = [*line.facts, *line.relations]
    for name in dict.fromkeys(name for item in items for name in _names(item)):
        if name in named:
            draft.entity(name, type=named[name].type, aliases=named[name].aliases)
    for fact in line.facts:
        id, _ = draft.fact(
            fact.claim,
            category=fact.category,
            confidence=fact.confidence,
            temporal=fact.temporal,
            source="import",
            source_turn_id=None,
            quote=fact.quote,
        )
        draft.about(id, fact.about, None)
        draft.relation(id, document_id, DERIVED_FROM, confidence=fact.confidence, source_turn_id=None)
    for relation in line.relations:
        source, target = (draft.entity(name)[0] for name in _names(relation))
        if source != target:
            draft.relation(source, target, relation.type, confidence=relation.confidence, source_turn_id=None)


def _names(item: FoundFact | FoundRelation) -> tuple[str, ...]:
    return item.about if isinstance(item, FoundFact) else (item.source, item.target)


def _by_line(found: Found) -> dict[str, _Line]:
    lines: dict[str, _Line] = {}
    for fact in found.facts:
        if len(fact.claim) <= CLAIM_CHARACTERS:
            lines.setdefault(fact.utterance_id, _Line()).facts.append(fact)
    for relation in found.relations:
        lines.setdefault(relation.utterance_id, _Line()).relations.append(relation)
    return lines


def _document(db: Connection, user_id: str, place: Place, relative: str) -> Document | None:
    workspace = workspaces.workspace_at(db, user_id, str(place.path))
    return None if workspace is None else workspaces.document_at(db, workspace.id, relative)


def channel_of(place: Place, bringer: Bringer) -> str:
    """A registered workspace keeps its channel; a new one goes where it is told, else where its layout or name says."""
    if place.registered and place.channel:
        return place.channel
    return bringer.channel or place.channel or slug(place.name) or "imported"


def agent_of(place: Place, bringer: Bringer) -> str | None:
    """A registered workspace keeps its agent; a new one has the agent it is told, else the one its layout names."""
    return place.agent_id if place.registered else bringer.agent_id or place.agent_id


def _fresh(before: str, after: str) -> list[str]:
    """The lines after, those that were there before left blank so that numbers stay; headings say what is below."""
    known = {line for line in before.splitlines() if not line.lstrip().startswith("#")}
    return ["" if line in known else line for line in after.splitlines()[:LINES_BELIEVED]]


def _read(lines: list[str], relative: str, place: Place, person: str) -> Found:
    """What lines say. In the user's profile “I” is the person; elsewhere it is the agent that wrote them."""
    writer = person if PurePosixPath(relative).stem.upper() == "USER" else place.agent_id or "user"
    return extract_lines(
        [
            Utterance(id=str(number), speaker=writer, role="user", text=line, at=0)
            for number, line in enumerate(lines, 1)
            if line.strip()
        ],
        user_name=person,
    )
