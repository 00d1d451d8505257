"""Registration of a file in its workspace: its version is kept and its lines are read. One file is one
change, or none."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace.facts_follow import Following
from memdesk.engine.workspace.layouts import Place, day_of, holds_facts, layer_of, slug
from memdesk.engine.workspace.news import News, Step, read_news
from memdesk.engine.workspace.telling import Told, voice_of
from memdesk.files.reading import TextFile
from memdesk.model.change import Change
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Bringer:
    """Author, user and run of an import. channel, agent_id: override those of the source.

    verb: the word for it in the audit timeline."""

    author: str
    run: str
    user_id: str
    channel: str | None = None
    agent_id: str | None = None
    verb: str = "Imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """File of a workspace that has been read. known: the desk has this same text already."""

    place: Place
    relative: str
    file: TextFile
    known: bool
    news: News

    @property
    def found(self) -> Told:
        """Facts and entities read from its new lines."""
        return self.news.told


def look(engine: Engine, place: Place, relative: str, file: TextFile, user_id: str) -> Reading:
    """Return what importing this file would add. Lines that the desk has read before are not read again."""
    with engine.store.reading() as db:
        document = _document(db, user_id, place, relative)
        found = read_news(
            db, document, file.text, believes=holds_facts(relative, place.layout),
            voice=voice_of(relative, place.agent_id, engine.person),
        )  # fmt: skip
    known = document is not None and document.retired_at is None and document.content_hash == found.after
    return Reading(place=place, relative=relative, file=file, known=known, news=found)


def join(engine: Engine, reading: Reading, bringer: Bringer) -> Counter[str]:
    """Import a file; return counts of what it added: documents, facts, entities. A known file adds nothing.

    A file with very many facts takes several changes. Its version is recorded with the last of them, so that
    an interrupted import begins this file again."""
    added: Counter[str] = Counter()
    if reading.known:
        return added
    ensure_channel(engine, bringer.user_id, channel_of(reading.place, bringer), author=bringer.author)
    groups = reading.news.steps or ((),)
    for number, group in enumerate(groups, 1):
        added += _one_change(engine, reading, group, bringer, last=number == len(groups))
    added["documents"] = 1
    return added


def _one_change(
    engine: Engine, reading: Reading, group: tuple[Step, ...], bringer: Bringer, *, last: bool
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
        Following(
            draft=draft, news=reading.news, document_id=document_id, author=bringer.author, source="import"
        ).take(group)
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
    """Draft the workspace and the document for this file; return the document's id.

    Until its last change a new document is out of use, and a known one keeps its version."""
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


def _document(db: Connection, user_id: str, place: Place, relative: str) -> Document | None:
    workspace = workspaces.workspace_at(db, user_id, str(place.path))
    return None if workspace is None else workspaces.document_at(db, workspace.id, relative)


def channel_of(place: Place, bringer: Bringer) -> str:
    """Return the workspace's channel: a registered one keeps its own, else the bringer's, the layout's, or
    one from its name."""
    if place.registered and place.channel:
        return place.channel
    return bringer.channel or place.channel or slug(place.name) or "imported"


def agent_of(place: Place, bringer: Bringer) -> str | None:
    """Return the workspace's agent: a registered one keeps its own, else the bringer's or the layout's."""
    return place.agent_id if place.registered else bringer.agent_id or place.agent_id
