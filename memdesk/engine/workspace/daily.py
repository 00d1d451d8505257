"""Daily logs: the days that have entries, and a day's entries from the day files of every agent."""

from __future__ import annotations

from collections import Counter
from datetime import date

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.dayfile import entries_of
from memdesk.engine.workspace.writing import current
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import NotFound, Refused
from memdesk.model.workspace import AskCalendar, AskDay, Calendar, Day, DayCount, DayEntry, DayFile
from memdesk.store import versions, workspaces
from memdesk.store.connection import Connection

_COUNTS_KEPT = 10_000
_counted: dict[str, int] = {}
"""Number of entries by version of a day file. A version never changes, so neither does its count."""


def calendar(engine: Engine, ask: AskCalendar) -> Calendar:
    """Return every day that has an entry, oldest first, from the versions last recorded."""
    with engine.store.reading() as db:
        counts = _counts(db, ask.agents)
    return Calendar(days=tuple(DayCount(day=day, entries=counts[day]) for day in sorted(counts)))


def day(engine: Engine, ask: AskDay) -> Day:
    """Return a day's entries from the files on the disk; edits made outside are recorded first.

    For a file that is gone or can no longer be read, the last recorded version is used."""
    with engine.store.reading() as db:
        found = [
            pair for pair in workspaces.documents_of(db, ask.agents) if pair[0].day == ask.day.isoformat()
        ]
    told = [(document, _text(engine, document, workspace)) for document, workspace in found]
    with engine.store.reading() as db:
        others = sorted(_counts(db, ask.agents))
    return Day(
        day=ask.day,
        entries=tuple(entry for document, text in told for entry in _entries(document, text)),
        files=tuple(
            DayFile(document_id=document.id, agent_id=document.agent_id, path=document.path, size=len(text))
            for document, text in told
        ),
        previous=next((other for other in reversed(others) if other < ask.day), None),
        next=next((other for other in others if other > ask.day), None),
    )


def _entries(document: Document, text: str) -> list[DayEntry]:
    return [
        DayEntry(
            document_id=document.id,
            agent_id=document.agent_id,
            line=each.line,
            time=each.time,
            section=each.section,
            text=each.text,
        )
        for each in entries_of(text)
    ]


def _text(engine: Engine, document: Document, workspace: Workspace) -> str:
    try:
        return current(engine, document, workspace).text
    except (NotFound, Refused):
        with engine.store.reading() as db:
            return versions.text_of(db, document.content_hash)


def _counts(db: Connection, agents: tuple[str, ...]) -> Counter[date]:
    """Return the number of entries of each day that has any."""
    counts: Counter[date] = Counter()
    for document, _ in workspaces.documents_of(db, agents):
        if document.day is not None:
            counts[date.fromisoformat(document.day)] += _count(db, document.content_hash)
    return +counts


def _count(db: Connection, content_hash: str) -> int:
    known = _counted.get(content_hash)
    if known is None:
        if len(_counted) >= _COUNTS_KEPT:
            _counted.clear()
        known = _counted[content_hash] = len(entries_of(versions.text_of(db, content_hash)))
    return known
