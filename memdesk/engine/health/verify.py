"""Verifying the journal: the hash chain walked from its first change to its last, and held against what was noted.

It reads in short stretches, so that neither writers nor the WAL wait for it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from memdesk.engine.engine import Engine
from memdesk.engine.health.mark import Mark
from memdesk.engine.progress import Progress, silent
from memdesk.model.audit import Break, Verification
from memdesk.store import chain, segments, timeline
from memdesk.store.chain import Link
from memdesk.store.connection import Connection

STRETCH = 1000
_NEXT = "Restore a backup from before it, or keep this file as evidence."
_SAYS = {
    "payload": "What change {} says or moved is not what was written: its title, its details or its edits.",
    "link": "Change {} does not continue what came before it: its time, its author or a change before it is another.",
    "missing": "Change {} is missing.",
    "checkpoint": "Change {} is not the one that closed its day in the audit log.",
    "mark": "The journal does not reach event {}, which was noted outside it as written: its end is lost or another.",
}


@dataclass(slots=True)
class _Walk:
    """The walk so far. expected: hashes that were noted elsewhere, by change."""

    expected: dict[int, bytes]
    last: int = 0
    hash: bytes = b""
    changes: int = 0
    holding: int = 0
    erased: int = 0
    breaks: list[Break] = field(default_factory=list)

    def pass_by(self, db: Connection, link: Link) -> None:
        """Judge one change by the one before it."""
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
        if chain.linked(self.hash, link.head, link.payload) != link.hash:
            return link.id, "link"
        if self.expected.get(link.id, link.hash) != link.hash:
            return link.id, "checkpoint"
        return None


def verify(engine: Engine, progress: Progress = silent) -> Verification:
    """Walk the whole chain. A desk that was written to meanwhile is walked to its new end. Raises Cancelled."""
    started = time.perf_counter()
    with engine.store.reading() as db:
        newest = timeline.newest(db)
        walk = _Walk({each.last_change: each.hash for each in segments.checkpoints(db)})
        walk.expected.pop(0, None)
    marks = () if engine.mark is None else engine.mark.known()
    while _stretch(engine, walk):
        progress(walk.last, max(walk.last, newest), "Verifying the hash chain")
    with engine.store.reading() as db:
        first = walk.breaks[0] if walk.breaks else _lost(db, marks)
    return Verification(
        changes=walk.changes, holding=walk.holding, erased=walk.erased, last_change=walk.last, hash=walk.hash.hex(),
        first_break=first, took_ms=(time.perf_counter() - started) * 1e3,
    )  # fmt: skip


def _stretch(engine: Engine, walk: _Walk) -> bool:
    """Walk on a little; returns whether there was anything left to walk."""
    with engine.store.reading() as db:
        links = chain.stretch(db, walk.last, STRETCH)
        for link in links:
            walk.pass_by(db, link)
    return bool(links)


def _lost(db: Connection, marks: Sequence[Mark]) -> Break | None:
    """Whether the journal ends before a mark that was set outside the database, or reads otherwise there."""
    for mark in marks:
        if timeline.newest(db) < mark.event or (chain.last_hash(db, mark.event) or b"") != mark.hash:
            return _break(mark.event, "mark")
    return None


def _break(change: int, what: str) -> Break:
    return Break(change=change, what=what, says=f"{_SAYS[what].format(change)} {_NEXT}")
