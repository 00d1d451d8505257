"""Questions about secrets: one for each source they came with, answered once by a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.decisions import newest_question, settle
from memdesk.engine.memory.draft import PERSON, Draft
from memdesk.engine.memory.secret_sweep import find_stored
from memdesk.engine.secrets.detector import RULES_NAME
from memdesk.engine.secrets.vault import KEPT, Entry
from memdesk.files.notices import UNSWEPT
from memdesk.model.change import OUTSIDE, Change
from memdesk.model.channel import GLOBAL
from memdesk.model.document import Document
from memdesk.model.kind import Kind
from memdesk.model.message import message
from memdesk.model.review import PROPOSAL, SECRET, Proposal
from memdesk.store import browsing, document_versions, proposing, records
from memdesk.store.connection import Connection

AUTHOR = "job:secrets"
IDS_AT_MOST = 100
"""Secrets of one question; more of a source are asked about in another."""


def ask_about_new(engine: Engine, *, author: str = AUTHOR) -> int:
    """Ask about the secrets that no question is about yet, one question for each source; return how many."""
    if not engine.vault.unasked:
        return 0
    newest = newest_question(engine)
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
    settle(engine, newest)
    return asked


def offer_sweep(engine: Engine) -> None:
    """Raise a notice, once, on a desk with memory that was never searched for secrets; an empty one needs no search."""
    if engine.vault.searched:
        return
    with engine.store.reading() as db:
        empty = not browsing.has_records(db)
    if empty:
        engine.vault.note_searched(RULES_NAME)
    else:
        engine.notices.note(UNSWEPT, "never searched", "", engine.clock())


def ask_about_stored(engine: Engine, *, author: str) -> int:
    """Search a desk that stored texts before this program knew secrets, once for each version of its rules; ask about
    what is found."""
    if engine.vault.searched == RULES_NAME:
        return 0
    if not find_stored(engine):
        engine.notices.forget(UNSWEPT)
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
    if entry.author.startswith(PERSON):
        return "you"
    if entry.author == OUTSIDE:
        return "a file"
    return str(getattr(record, "agent_id", None) or entry.author.partition(":")[2] or kind.label.lower())


def _ask(engine: Engine, label: str, subject: str, group: list[Entry], author: str) -> int:
    """Ask about secrets of a source, in the question about it that is open, if there is one; return 1 if asked."""
    kinds = {each.id: each.kind for each in engine.vault.entries()}

    def verb(db: Connection) -> tuple[Change | None, int]:
        found = records.by_ids(db, (subject,))
        if subject not in found:
            return None, 0
        record = found[subject][1]
        draft = Draft(
            engine=engine,
            db=db,
            user_id=record.user_id,
            channel=getattr(record, "channel", GLOBAL),
            at=engine.clock(),
        )
        ids = [each.id for each in group]
        known = _open_question(db, record.user_id, label)
        if known is not None:
            ids = [*json.loads(known.details)["secrets"], *ids]
        named = sorted({kinds[id] for id in ids if id in kinds})
        many = (
            message("{count} secrets", count=len(ids))
            if len(ids) > 1
            else message("A secret ({named})", named=named[0])
        )
        reason = (
            message(
                "{count} secrets came with {label}. Agents, exports and logs see placeholders.",
                count=len(ids),
                label=label,
            )
            if len(ids) > 1
            else message(
                "A secret ({named}) came with {label}. Agents, exports and logs see placeholders.",
                named=named[0],
                label=label,
            )
        )
        details = {"secrets": ids, "kinds": named, "source": label}
        if known is None:
            draft.question(SECRET, subject, None, reason=reason, details=details)
        else:
            packed = json.dumps(details, ensure_ascii=False)
            draft.edits.append(records.update_edit(PROPOSAL, known, reason=reason, details=packed))
        return draft.change(
            "learn",
            message(
                "Asked about {first}{rest} of {label}", first=many[:1].lower(), rest=many[1:], label=label
            ),
            author=author,
        ), 1

    return engine.store.decide(verb)[1]


def _open_question(db: Connection, user_id: str, label: str) -> Proposal | None:
    """Return the open question about the secrets of a source that has room for more, None if there is none."""
    for each in proposing.open_of_type(db, user_id, SECRET):
        details = json.loads(each.details)
        if details["source"] == label and len(details["secrets"]) < IDS_AT_MOST:
            return each
    return None
