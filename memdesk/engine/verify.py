"""Verification of a desk: its pages, every row by its digest, every index against the rows, its files, and
its journal.

The journal's hash chain is walked from its first change to its last, and compared with the recorded hashes.
All is read in short stretches, so that neither writers nor the WAL wait for it. Each call of `scrub` reads
one stretch."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memdesk.engine.beliefs.reading import CLAIMS
from memdesk.engine.engine import Engine
from memdesk.engine.mark import Mark, mark_in
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.files.atomic import write_atomic
from memdesk.files.notices import DAMAGED, LOST
from memdesk.files.reading import text_of
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FINDINGS_AT_MOST, Break, Finding, Verification
from memdesk.model.message import Message, message
from memdesk.store import audit_log, chain, document_versions, events, integrity, records
from memdesk.store.chain import Link
from memdesk.store.connection import Connection
from memdesk.store.integrity import Flaw

STRETCH = 1000
SCRUB_DAYS = 7.0
"""Days within which the background scrub reads the complete desk."""
log = logging.getLogger(__name__)
_RESTORE = message("Restore it from a backup.")
_REBUILD = message("Indexes are made anew from the rows by `memdesk doctor`.")
_FOUND: dict[str, tuple[Callable[[str, str, str, str], Message], Message]] = {
    "page": (
        lambda name, table, key, detail: message("SQLite finds the file damaged: {detail}.", detail=detail),
        message("Keep a copy of the file, then restore a backup."),
    ),
    "row": (
        lambda name, table, key, detail: message(
            "{name} in {table} is not what was written; it is left out of every answer.",
            name=name,
            table=table,
        ),
        _RESTORE,
    ),
    "gone": (
        lambda name, table, key, detail: message("{name} is missing from {table}.", name=name, table=table),
        _RESTORE,
    ),
    "stray": (
        lambda name, table, key, detail: message(
            "{name} in {table} is not in the list of records.", name=name, table=table
        ),
        _RESTORE,
    ),
    "text": (
        lambda name, table, key, detail: message(
            "A text in {table} ({name}) is not what its hash says; it is not shown.", table=table, name=name
        ),
        _RESTORE,
    ),
    "search": (
        lambda name, table, key, detail: message("{name} is not searched as it reads.", name=name),
        _REBUILD,
    ),
    "words": (
        lambda name, table, key, detail: message("{name} is not found by its words.", name=name),
        _REBUILD,
    ),
    "vector": (
        lambda name, table, key, detail: message("{name} is not found by its meaning.", name=name),
        _REBUILD,
    ),
    "claim": (
        lambda name, table, key, detail: message(
            "{name} is not compared with other claims as it reads.", name=name
        ),
        _REBUILD,
    ),
    "count": (
        lambda name, table, key, detail: message("The counters in {table} do not add up.", table=table),
        _REBUILD,
    ),
    "undone": (
        lambda name, table, key, detail: message(
            "That change {key} was undone, or was not, is marked wrongly.", key=key
        ),
        _REBUILD,
    ),
    "file": (
        lambda name, table, key, detail: message("The file {name} is not as it was last seen.", name=name),
        message("It is looked at again when its folder is."),
    ),
}
_NEXT = message("Restore a backup from before it, or keep this file as evidence.")
_SAYS: dict[str, Callable[[int], Message]] = {
    "payload": lambda change: message(
        "What change {what} says or moved is not what was written: its title, its details or its edits.",
        what=change,
    ),
    "link": lambda change: message(
        "Change {what} does not continue what came before it: its time, its author or a change before it is another.",
        what=change,
    ),
    "missing": lambda change: message("Change {what} is missing.", what=change),
    "checkpoint": lambda change: message(
        "Change {what} is not the one that closed its day in the audit log.", what=change
    ),
    "mark": lambda change: message(
        "The journal does not reach event {what}, which was noted outside it as written: its end is lost or another.",
        what=change,
    ),
}


@dataclass(slots=True)
class _Walk:
    """State of the walk along the chain. expected: hashes recorded elsewhere, by change."""

    expected: dict[int, bytes]
    last: int = 0
    hash: bytes = b""
    changes: int = 0
    holding: int = 0
    erased: int = 0
    breaks: list[Break] = field(default_factory=list)

    def pass_by(self, db: Connection, link: Link) -> None:
        """Check one change against the one before it."""
        wrong = self._missing(db, link) or self._wrong(link)
        if wrong is not None and not self.breaks:
            self.breaks.append(_break(*wrong))
        self.changes += 1
        self.holding += wrong is None
        self.erased += link.said is None
        self.last, self.hash = link.id, link.hash

    def _missing(self, db: Connection, link: Link) -> tuple[int, str] | None:
        gap = None
        if link.id > self.last + 1:
            gap = chain.missing_between(db, self.last + 1, link.id - 1)
        return None if gap is None else (gap, "missing")

    def _wrong(self, link: Link) -> tuple[int, str] | None:
        if link.said is False:
            return link.id, "payload"
        if chain.link_hash(self.hash, link.head, link.payload) != link.hash:
            return link.id, "link"
        if self.expected.get(link.id, link.hash) != link.hash:
            return link.id, "checkpoint"
        return None


def verify(engine: Engine, progress: Progress = ignore_progress) -> Verification:
    """Read the entire desk. If the desk is written to meanwhile, it is read to its new end. Raises Cancelled."""
    started = time.perf_counter()
    flaws, rows = _read_through(engine, progress)
    _note(engine, flaws)
    findings = [*map(_finding, flaws), *_files(engine, progress)]
    walk, first = _walk_chain(engine, progress)
    return Verification(
        changes=walk.changes,
        holding=walk.holding,
        erased=walk.erased,
        last_change=walk.last,
        hash=walk.hash.hex(),
        first_break=first,
        took_ms=(time.perf_counter() - started) * 1e3,
        rows=rows,
        found=len(findings),
        findings=tuple(sorted(findings, key=lambda each: each.harmless)[:FINDINGS_AT_MOST]),
    )


def scrub(engine: Engine) -> float:
    """Read the next stretch of the desk, and raise notices about damage. The position is kept on the disk.

    Returns how many seconds to wait for the next, so that all of it is read within SCRUB_DAYS."""
    place = _place(engine)
    with engine.store.reading() as db:
        pages = [] if engine.store.shared else ["pages"]
        of_rows = integrity.parts(db, CLAIMS)
        parts = [*pages, *of_rows, "journal"]
        rows, changes = sum(integrity.size(db, part) for part in of_rows), events.newest(db)
        part = place[0] if place[0] in parts else parts[0]
        if part == "pages":
            flaws, after = _check_pages(engine, quick=True), None
        elif part == "journal":
            flaws, after = [], _scrub_journal(engine, db, place[1])
        else:
            flaws, after = integrity.read_on(db, part, place[1], reader=CLAIMS)
    _note(engine, flaws)
    nearest = part if after is not None else parts[(parts.index(part) + 1) % len(parts)]
    try:
        engine.desk.scrub.parent.mkdir(mode=0o700, exist_ok=True)
        write_atomic(engine.desk.scrub, json.dumps([nearest, after]).encode())
    except (MemDeskError, OSError) as wrong:
        log.warning("how far the scrub is could not be written down: %s", wrong)
    steps = len(parts) + (rows + changes) // integrity.STRETCH
    return SCRUB_DAYS * 86_400 / steps


def _scrub_journal(engine: Engine, db: Connection, after: tuple[Any, ...] | None) -> tuple[int, str] | None:
    """Continue along the chain from (a change, its hash); return where it stopped, None at the end."""
    last, hash = after or (0, "")
    walk = _Walk({}, last, bytes.fromhex(hash))
    links = chain.links_after(db, last, integrity.STRETCH)
    for link in links:
        walk.pass_by(db, link)
    for wrong in walk.breaks:
        change = message("change {change} of the journal", change=wrong.change)
        engine.notices.note(DAMAGED, f"journal {wrong.change}", change, engine.clock())
    return (walk.last, walk.hash.hex()) if len(links) == integrity.STRETCH else None


def _place(engine: Engine) -> tuple[str, tuple[Any, ...] | None]:
    """Read where the scrub continues; the beginning if that is unknown."""
    try:
        part, after = json.loads(engine.desk.scrub.read_text(encoding="ascii"))
        return str(part), None if after is None else tuple(after)
    except (OSError, ValueError, TypeError):
        return "", None


def _read_through(engine: Engine, progress: Progress) -> tuple[list[Flaw], int]:
    """Return (flaws of pages, rows and indexes, number of rows read)."""
    progress(0, 0, message("Verifying pages"))
    flaws = _check_pages(engine)
    with engine.store.reading() as db:
        sizes = {part: integrity.size(db, part) for part in integrity.parts(db, CLAIMS)}
    total, done = sum(sizes.values()), 0
    for part, rows in sizes.items():
        after: integrity.Key | None = None
        read = 0
        while True:
            with engine.store.reading() as db:
                found, after = integrity.read_on(db, part, after, reader=CLAIMS)
            flaws += found
            if after is None:
                break
            read = min(rows, read + integrity.STRETCH)
            progress(done + read, total, message("Verifying rows and indexes"))
        done += rows
        progress(done, total, message("Verifying rows and indexes"))
    return flaws, total


def _check_pages(engine: Engine, *, quick: bool = False) -> list[Flaw]:
    if engine.store.shared:
        # The database checks its own pages.
        return []
    # A connection of its own: FTS5 checks by what it remembers of an index from this connection's earlier reads, and
    # calls a segment corrupt that was merged away since.
    with engine.store.beside() as db:
        return integrity.check_pages(db, quick=quick)


def _note(engine: Engine, flaws: Sequence[Flaw]) -> None:
    """Raise a notice about each flaw; it stays until a person has answered it."""
    for flaw in flaws:
        name = (
            flaw.id or message("the table {table}", table=flaw.table)
            if flaw.table
            else message("pages of the file")
        )
        engine.notices.note(DAMAGED, f"{flaw.what} {flaw.table} {flaw.key}", name, engine.clock())


def _finding(flaw: Flaw) -> Finding:
    indexes = ("search", "words", "vector", "claim", "count", "undone")
    part = "pages" if flaw.what == "page" else "indexes" if flaw.what in indexes else "rows"
    key = " ".join(map(str, flaw.key))
    says, next = _FOUND[flaw.what]
    return Finding(
        part=part,
        table=flaw.table,
        id=flaw.id,
        next=next,
        says=says(flaw.id or message("row {key}", key=key), flaw.table, key, flaw.detail),
    )


def _files(engine: Engine, progress: Progress) -> Iterator[Finding]:
    """Return findings for workspace files that changed since last seen. They are read again automatically,
    and nothing is lost."""
    progress(0, 0, message("Verifying files"))
    with engine.store.reading() as db:
        places = {each.id: Path(each.path) for each in records.find(db, WORKSPACE, retired_at=None)}
        documents = records.find(db, DOCUMENT, retired_at=None)
    for document in documents:
        root = places.get(document.workspace_id)
        if root is None or not root.is_dir():
            continue
        try:
            text = (root / document.path).read_bytes()
            same = (
                document_versions.hash_of(
                    engine.vault.masked(text_of(text, document.path, modified_at=0).text)
                )
                == document.content_hash
            )
        except (OSError, MemDeskError):
            same = False
        if not same:
            says, next = _FOUND["file"]
            yield Finding(
                part="files",
                table="documents",
                id=document.id,
                says=says(document.path, "documents", "", ""),
                next=next,
                harmless=True,
            )


def _walk_chain(engine: Engine, progress: Progress) -> tuple[_Walk, Break | None]:
    """Return the walk from the first change to the last, and the first break of the chain."""
    with engine.store.reading() as db:
        newest = events.newest(db)
        walk = _Walk({each.last_change: each.hash for each in audit_log.checkpoints(db)})
        walk.expected.pop(0, None)
    marks = [mark_in(item) for item in engine.notices.items(LOST)]
    marks += () if engine.mark is None else engine.mark.known()
    while _stretch(engine, walk):
        progress(walk.last, max(walk.last, newest), message("Verifying the hash chain"))
    with engine.store.reading() as db:
        return walk, walk.breaks[0] if walk.breaks else _lost(db, marks)


def _stretch(engine: Engine, walk: _Walk) -> bool:
    """Walk one stretch further; return False if none was left."""
    with engine.store.reading() as db:
        links = chain.links_after(db, walk.last, STRETCH)
        for link in links:
            walk.pass_by(db, link)
    return bool(links)


def _lost(db: Connection, marks: Sequence[Mark]) -> Break | None:
    """Return a break if the journal ends before a mark recorded outside the database or has another hash
    there, else None."""
    for mark in marks:
        if events.newest(db) < mark.event or (chain.last_hash(db, mark.event) or b"") != mark.hash:
            return _break(mark.event, "mark")
    return None


def _break(change: int, what: str) -> Break:
    return Break(
        change=change,
        what=what,
        says=message(
            "{change} Restore a backup from before it, or keep this file as evidence.",
            change=_SAYS[what](change),
        ),
    )
