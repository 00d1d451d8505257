"""Standing decisions: a person's answer to all future questions of a type from one source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.rows import origins, row_of
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.instant import optional_datetime
from memdesk.model.message import Message, message, packed, verbatim, with_stored_parts
from memdesk.model.review import DECISIONS, KEEP_MASKED, QUARANTINE, SECRET, Proposal
from memdesk.model.standing_decision import (
    LEARNED,
    SOURCES,
    STANDING,
    AskStanding,
    Revoke,
    Stand,
    Standing,
    StandingList,
    StandingRow,
    Stands,
)
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

ANSWERS: dict[str, tuple[str, ...]] = {
    LEARNED: (QUARANTINE,),
    **{type: words for type, words in DECISIONS.items() if type != "conflict"},
    SECRET: (KEEP_MASKED,),
    "contradiction": tuple(each for each in DECISIONS["contradiction"] if each != "merge"),
}
"""Answers allowed in a standing decision, by type: all except those that need text from a person."""
SOURCE_CHARACTERS = 200


def add_standing(engine: Engine, ask: Stand, *, author: str) -> Stands:
    """Add a standing decision for all future questions; it replaces another one on the same type and source.

    Raises BadAsk for a type, answer or source that do not fit, NotFound for an unknown workspace, Conflict if
    the same decision exists."""
    if ask.decision not in ANSWERS.get(ask.type, ()):
        takes = ", ".join(f"{type}: {'/'.join(words)}" for type, words in ANSWERS.items())
        raise BadAsk(
            message("This is not decided once for all."), next=message("These are: {known}.", known=takes)
        )
    if ask.type == LEARNED and ask.source_kind == "workspace":
        raise BadAsk(
            message("What is read from a workspace's files is not held out."),
            next=message("Name the agent or the channel instead."),
        )
    if ask.source_kind not in SOURCES or not 1 <= len(ask.source.strip()) <= SOURCE_CHARACTERS:
        raise BadAsk(message("A source is one of {sources}, with its name.", sources=", ".join(SOURCES)))

    def verb(db: Connection) -> tuple[Change | None, tuple[str, Message]]:
        source = _source(db, ask)
        draft = Draft(engine=engine, db=db, user_id=ask.user_id, channel=GLOBAL, at=engine.clock())
        says = _says(ask.type, ask.source_kind, _name(db, ask.source_kind, source), ask.decision)
        for old in _in_force(db, ask.user_id):
            if (old.type, old.source_kind, old.source) != (ask.type, ask.source_kind, source):
                continue
            if old.decision == ask.decision:
                raise Conflict(message("This stands already."))
            draft.edits.append(records.update_edit(STANDING, old, retired_at=draft.at))
        id = draft.create(
            STANDING,
            type=ask.type,
            source_kind=ask.source_kind,
            source=source,
            decision=ask.decision,
            says=says,
            author=author,
            created_at=draft.at,
        )
        title = message("Decided for good: {says}", says=says)
        return draft.change("update", title, author=author), (id, says)

    applied, (id, says) = engine.store.decide(verb)
    assert applied is not None
    return Stands(id=id, change=applied.id, title=says)


def revoke(engine: Engine, ask: Revoke, *, author: str) -> Stands:
    """Revoke a standing decision. Raises NotFound, Conflict if it is revoked already."""

    def verb(db: Connection) -> tuple[Change | None, Standing]:
        held = records.need(db, STANDING, ask.id)
        if held.retired_at is not None:
            raise Conflict(message("This standing decision is revoked already."))
        draft = Draft(engine=engine, db=db, user_id=held.user_id, channel=GLOBAL, at=engine.clock())
        draft.edits.append(records.update_edit(STANDING, held, retired_at=draft.at))
        title = message("Decided for good no more: {says}", says=held.says)
        return draft.change("update", title, author=author), held

    applied, held = engine.store.decide(verb)
    assert applied is not None
    return Stands(id=held.id, change=applied.id, title=verbatim(held.says))


def list_standing(engine: Engine, ask: AskStanding) -> StandingList:
    """Return the standing decisions of a user, newest first."""
    with engine.store.reading() as db:
        found = records.find(db, STANDING, user_id=ask.user_id)
        rows = [
            row_of(
                StandingRow,
                each,
                source_name=_name(db, each.source_kind, each.source),
                says=with_stored_parts(
                    each.says,
                    packed(
                        _says(
                            each.type,
                            each.source_kind,
                            _name(db, each.source_kind, each.source),
                            each.decision,
                        )
                    ),
                ),
                revoked_at=optional_datetime(each.retired_at),
            )
            for each in reversed(found)
            if ask.revoked or each.retired_at is None
        ]
    return StandingList(rows=tuple(rows))


def _says(type: str, source_kind: str, name: str, decision: str) -> Message:
    """Return a decision in one line."""
    return message(
        "{type}s from {source_kind} {name}: always {decision}",
        type=type,
        source_kind=source_kind,
        name=name,
        decision=decision,
    )


def decision_label(decision: Standing) -> str:
    """Return the reason shown for its answers: “Standing decision of mara: facts from agent Forge: always
    quarantine”."""
    return message(
        "Standing decision of {what}: {says}", what=decision.author.partition(":")[2], says=decision.says
    )


def quarantining_decision(
    db: Connection, user_id: str, *, agent_id: str | None, channel: str
) -> Standing | None:
    """Return the standing decision that quarantines facts learned from this agent or channel, None if there is none."""
    sources = {("agent", agent_id), ("channel", channel)}
    return next((each for each in _of(db, user_id, LEARNED) if _key(db, each) in sources), None)


def matching_decision(db: Connection, question: Proposal, subject: Any) -> Standing | None:
    """Return the standing decision for a question, by the nearest source: the agent, then the workspace, then
    the channel."""
    held = _of(db, question.user_id, question.type)
    if not held:
        return None
    agent = question.agent_id or getattr(subject, "agent_id", None)
    sources = [("agent", agent), ("workspace", _workspace(db, subject)), ("channel", question.channel)]
    keys = {_key(db, each): each for each in held}
    return next((keys[source] for source in sources if source in keys), None)


def _of(db: Connection, user_id: str, type: str) -> list[Standing]:
    return [each for each in _in_force(db, user_id) if each.type == type]


def _in_force(db: Connection, user_id: str) -> Iterable[Standing]:
    return records.find(db, STANDING, user_id=user_id, retired_at=None)


def _key(db: Connection, held: Standing) -> tuple[str, str | None]:
    """Return its source under its present name: a channel may have been renamed."""
    if held.source_kind == "channel":
        return "channel", semantic.current_channel(db, held.user_id, held.source)
    return held.source_kind, held.source


def _workspace(db: Connection, subject: Any) -> str | None:
    """Return the workspace whose files a memory was read from."""
    place = origins(db, [subject]).get(subject.id)
    document: Document | None = (
        records.get(db, DOCUMENT, place.document_id) if place and place.document_id else None
    )
    return None if document is None else document.workspace_id


def _source(db: Connection, ask: Stand) -> str:
    if ask.source_kind == "workspace":
        workspace = records.need_owned(db, WORKSPACE, ask.source, ask.user_id)
        return workspace.id
    return (
        semantic.current_channel(db, ask.user_id, ask.source)
        if ask.source_kind == "channel"
        else ask.source.strip()
    )


def _name(db: Connection, kind: str, source: str) -> str:
    workspace = records.get(db, WORKSPACE, source) if kind == "workspace" else None
    return source if workspace is None else workspace.path
