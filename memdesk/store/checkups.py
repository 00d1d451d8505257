"""Reads of the checkup: current facts in order, those without use, and the questions it asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import new_id
from memdesk.store.browsing import current
from memdesk.store.connection import Connection, marks
from memdesk.store.records import columns_of, read, read_all


def _scope(user_id: str, channels: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
    narrowed = f" AND channel IN ({marks(channels)})" if channels else ""
    return f"user_id = ? AND {current(FACT.table)}{narrowed}", (user_id, *channels)


def count(db: Connection, user_id: str, channels: Sequence[str]) -> int:
    """Count the current facts of a user; channels: empty for all."""
    where, params = _scope(user_id, channels)
    return int(db.value(f"SELECT count(*) FROM facts WHERE {where}", params))


@dataclass(frozen=True, slots=True)
class Share:
    """Facts of one walk: those whose search number leaves `rest` when it is divided by `parts`, and all whose number is
    above `beyond`."""

    parts: int = 1
    rest: int = 0
    beyond: int = 2**62


ALL = Share()


def facts_after(
    db: Connection, user_id: str, channels: Sequence[str], seq: int, limit: int, share: Share = ALL
) -> list[Fact]:
    """Return the next current facts of a share after a search number, in order."""
    where, params = _scope(user_id, channels)
    if share.parts > 1:
        where += " AND (seq % ? = ? OR seq > ?)"
        params = (*params, share.parts, share.rest, share.beyond)
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM facts NOT INDEXED WHERE seq > ? AND {where} ORDER BY seq LIMIT ?",
        (seq, *params, limit),
    )
    return read_all(db, FACT, rows)


def new_facts(db: Connection, after: int, until: int, limit: int) -> list[tuple[int, Fact]]:
    """Return (number of the change that made it, fact) of the current facts of all users that changes after a number
    made, up to another one, in their order."""
    rows = db.rows(
        f"SELECT change, {columns_of(FACT, qualified=True)} FROM edits CROSS JOIN facts ON facts.id = record "
        f"WHERE change > ? AND change <= ? AND edits.kind = 'fact' AND before IS NULL AND {current(FACT.table)} "
        "ORDER BY change, n LIMIT ?",
        (after, until, limit),
    )
    return [(change, fact) for change, *row in rows if (fact := read(db, FACT, row)) is not None]


def checked_seq(db: Connection) -> int:
    """Return the search number up to which checkups of this desk have looked at every fact."""
    return int(db.value("SELECT checked_seq FROM upkeep"))


def note_checked(db: Connection, seq: int) -> None:
    db.run("UPDATE upkeep SET checked_seq = ? WHERE checked_seq < ?", (seq, seq))


def unused_among(db: Connection, seqs: Sequence[int], before: int) -> list[int]:
    """Return those of these facts that the desk got before a time and that no recall ever returned.

    Their ids say when: a fact of an old log is dated by the log."""
    rows = db.rows(
        "SELECT facts.seq FROM json_each(?) AS asked CROSS JOIN facts ON facts.seq = CAST(asked.value AS INTEGER) "
        "LEFT JOIN usage ON usage.seq = facts.seq WHERE facts.id < ? AND ifnull(access_count, 0) = 0",
        (json.dumps(list(seqs)), new_id(FACT.prefix, before)),
    )
    return [seq for (seq,) in rows]


Places = frozenset[tuple[str, tuple[str, ...]]]
"""Places of a fact in files: (document id, headings above the line), outermost first."""


def places_in_files(db: Connection, ids: Sequence[str]) -> dict[str, Places]:
    """Return the places of these facts in files; facts that are no lines of files are left out."""
    rows = db.rows(
        "SELECT source_id, target_id, relations.properties -> 'headings' FROM json_each(?) AS asked "
        "CROSS JOIN relations ON relations.source_id = asked.value AND relations.type = 'DERIVED_FROM' "
        "JOIN documents ON documents.id = relations.target_id WHERE relations.retired_at IS NULL",
        (json.dumps(list(ids)),),
    )
    found: dict[str, Places] = {}
    for id, document_id, above in rows:
        headings = tuple(json.loads(above) or ()) if above is not None else ()
        found[id] = found.get(id, frozenset()) | {(document_id, headings)}
    return found


def source_is_gone(db: Connection, turn_id: str) -> bool:
    """Return True if the turn that a fact was read from is retired or deleted."""
    return db.value("SELECT 1 FROM turns WHERE id = ? AND retired_at IS NULL", (turn_id,)) is None


def asked_since(db: Connection, author: str, at: int) -> int:
    """Count the questions that a job asked since a time."""
    return int(
        db.value(
            "SELECT count(*) FROM proposals WHERE created_at >= ? AND details ->> 'by' = ?", (at, author)
        )
    )
