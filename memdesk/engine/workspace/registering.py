"""Registration of a folder without its files: one that is still empty, or one that gets a layout or an agent."""

from __future__ import annotations

from collections import Counter

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace.layouts import Place
from memdesk.engine.workspace.placing import ImportContext, agent_of, channel_of, new_workspace
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Workspace
from memdesk.model.entity import DERIVED_FROM, RELATION
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.message import message
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection


def is_registered(db: Connection, user_id: str, place: Place) -> bool:
    """Return True if a folder is a workspace of the desk, as a person gives it."""
    known = document_versions.workspace_at(db, user_id, str(place.path))
    if known is None or known.retired_at is not None:
        return False
    return not place.given or (known.layout, known.agent_id) == (place.layout, place.agent_id)


def register(engine: Engine, place: Place, context: ImportContext) -> Counter[str]:
    """Register a folder that has no file yet; return the counts of what it added."""
    channel = ensure_channel(engine, context.user_id, channel_of(place, context), author=context.author)

    def verb(db: Connection) -> tuple[Change | None, Counter[str]]:
        if is_registered(db, context.user_id, place):
            return None, Counter()
        draft = Draft(
            engine=engine,
            db=db,
            user_id=context.user_id,
            channel=channel,
            agent_id=agent_of(place, context),
            at=engine.clock(),
        )
        known = document_versions.workspace_at(db, draft.user_id, str(place.path))
        if known is None:
            new_workspace(draft, place)
        else:
            given = {"layout": place.layout, "agent_id": agent_of(place, context)} if place.given else {}
            draft.edits.append(records.update_edit(WORKSPACE, known, retired_at=None, **given))
            draft.edits += _handed_over(db, known, given.get("agent_id", known.agent_id))
        change = draft.change(
            "import",
            message("Imported {place}, still empty", place=place.name)
            if known is None
            else message(
                "Imported {place}, of {what}", place=place.name, what=draft.agent_id or message("no agent")
            ),
            author=context.author,
            layer="workspace",
            run=context.run,
            details={"path": str(place.path), "layout": place.layout},
        )
        return change, Counter(workspaces=1)

    return engine.store.decide(verb)[1]


def _handed_over(db: Connection, workspace: Workspace, agent_id: str | None) -> list[Edit]:
    """Return the edits that give a workspace's files, and the facts read from them, to another agent.

    Raises Refused for more than fit in one change."""
    if agent_id == workspace.agent_id:
        return []
    files = records.find(db, DOCUMENT, workspace_id=workspace.id)
    read = [
        edge.source_id
        for file in files
        for edge in records.find(db, RELATION, target_id=file.id, type=DERIVED_FROM)
    ]
    facts = records.many(db, FACT, "id", list(dict.fromkeys(read)))
    if len(files) + len(facts) >= EDITS_AT_MOST:
        raise Refused(
            message(
                "{workspace} has {files} files with {facts} facts, more than are handed over at once.",
                workspace=workspace.name,
                files=f"{len(files):,}",
                facts=f"{len(facts):,}",
            ),
            next=message("Remove the folder from the desk, and import it anew for the agent."),
        )
    edits = [records.update_edit(DOCUMENT, each, agent_id=agent_id) for each in files]
    own = [each for each in facts if each.agent_id == workspace.agent_id]
    return edits + [records.update_edit(FACT, each, agent_id=agent_id) for each in own]
