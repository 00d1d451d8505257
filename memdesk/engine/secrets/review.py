"""Questions about secrets: one for each source they came with, answered once by a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.secrets.detector import RULES_NAME
from memdesk.engine.secrets.sweep import find_stored
from memdesk.engine.secrets.vault import KEPT, Entry
from memdesk.model.change import OUTSIDE, Change
from memdesk.model.channel import GLOBAL
from memdesk.model.document import Document
from memdesk.model.kind import Kind
from memdesk.model.proposal import SECRET
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection

AUTHOR = "job:secrets"
IDS_AT_MOST = 100
"""Secrets of one question; more of a source are asked about in another."""


def ask_about_new(engine: Engine, *, author: str = AUTHOR) -> int:
    """Ask about the secrets that no question is about yet, one question for each source; return how many."""
    if not engine.vault.unasked:
        return 0
    waiting = [each for each in engine.vault.entries() if each.state == KEPT and not each.asked]
    with engine.store.reading() as db:
        paths = {str(Path(place.path, each.path)): each for each, place in document_versions.documents_of(db)}
        sources: dict[str, tuple[str, list[Entry]]] = {}
        for each in waiting:
            if (source := _source(db, each, paths)) is not None:
                label, subject = source
                sources.setdefault(label, (subject, []))[1].append(each)
    asked = 0
    for label, (subject, group) in sources.items():
        for start in range(0, len(group), IDS_AT_MOST):
            asked += _ask(engine, label, subject, group[start : start + IDS_AT_MOST], author)
    engine.vault.move((each.id for each in waiting), asked=True)
    return asked


def ask_about_stored(engine: Engine, *, author: str) -> int:
    """Search a desk that stored texts before this program knew secrets, once for each version of its rules; ask about
    what is found."""
    if engine.vault.searched == RULES_NAME:
        return 0
    find_stored(engine)
    engine.vault.note_searched(RULES_NAME)
    return ask_about_new(engine, author=author)


def _source(db: Connection, entry: Entry, paths: dict[str, Document]) -> tuple[str, str] | None:
    """Return (name of the source, id of the record that the question is about); None if no record has the secret."""
    for path in entry.files:
        if (document := paths.get(path)) is not None:
            return document.path, document.id
    if not entry.record:
        return None
    found = records.by_ids(db, (entry.record,))
    if entry.record not in found:
        return None
    kind, record = found[entry.record]
    return _name(kind, record, entry), entry.record


def _name(kind: Kind[Any], record: Any, entry: Entry) -> str:
    if isinstance(record, Document):
        return record.path
    agent = getattr(record, "agent_id", None)
    return (
        agent
        or entry.author.partition(":")[2]
        or ("a file" if entry.author == OUTSIDE else kind.label.lower())
    )


def _ask(engine: Engine, label: str, subject: str, group: list[Entry], author: str) -> int:
    kinds = sorted({each.kind for each in group})
    many = f"{len(group)} secrets" if len(group) > 1 else f"A secret ({kinds[0]})"
    reason = f"{many} came with {label}. Agents, exports and logs see placeholders."

    def verb(db: Connection) -> tuple[Change | None, int]:
        found = records.by_ids(db, (subject,))
        if subject not in found:
            return None, 0
        record = found[subject][1]
        channel = getattr(record, "channel", GLOBAL)
        draft = Draft(
            engine=engine, db=db, user_id=record.user_id, channel=channel, agent_id=None, at=engine.clock()
        )
        details = {"secrets": [each.id for each in group], "kinds": kinds, "source": label}
        draft.question(SECRET, subject, None, reason=reason, details=details)
        title = f"Asked about {many[:1].lower()}{many[1:]} of {label}"
        return Change(
            op="learn",
            title=title,
            author=author,
            edits=tuple(draft.edits),
            channel=channel,
            user_id=record.user_id,
        ), 1

    return engine.store.decide(verb)[1]
