"""Reads about the age of memory: faded, old and unused records. Jobs decide what to do with them.

Times are UTC microseconds. Each read covers every user of the desk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.kind import Kind
from memdesk.model.kinds import KINDS
from memdesk.store.connection import Connection
from memdesk.store.indexing import ORPHANED
from memdesk.store.journal import DECIDED, DECIDED_BY_PERSON
from memdesk.store.proposing import quarantined
from memdesk.store.records import columns_of, read_all

WEEK = 7 * DAY
_CURRENT_FACT = "facts.retired_at IS NULL AND facts.superseded_by IS NULL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """Entity or fact that was not used lately. used: (salience, time) as of the last recall, None when never
    recalled."""

    kind: str
    user_id: str
    channel: str
    id: str
    salience: float
    salience_at: int
    used: tuple[float, int] | None

    @property
    def last(self) -> int:
        """Time of the last use."""
        return self.salience_at if self.used is None else max(self.used[1], self.salience_at)


def unused_facts(db: Connection, before: int, id: str | None = None) -> list[Unused]:
    """Return current, unpinned extracted facts that since `before` were not learned, rescued or recalled. id: only
    this one."""
    rows = db.rows(
        "SELECT user_id, channel, facts.id, facts.salience, salience_at, usage.salience, last_accessed "
        f"FROM facts LEFT JOIN usage USING (seq) WHERE source = 'extraction' AND NOT pinned AND {_CURRENT_FACT} "
        f"AND max(salience_at, created_at, ifnull(last_accessed, 0)) < ?1 {_only('facts.id', id)} "
        "ORDER BY facts.seq",
        (before,) if id is None else (before, id),
    )
    return [_unused(FACT.name, *row) for row in rows]


def unused_entities(
    db: Connection, before: int, id: str | None = None, *, besides: Sequence[str] = ()
) -> list[Unused]:
    """Return current, unpinned entities that since `before` were not created, updated, recalled or newly
    related.

    Entities that a current fact is about are left out. id: only this one. besides: types that are left out."""
    rows = db.rows(
        "SELECT user_id, channel, entities.id, entities.salience, salience_at, usage.salience, last_accessed, type "
        "FROM entities LEFT JOIN usage USING (seq) "
        "WHERE retired_at IS NULL AND NOT pinned AND max(salience_at, created_at, ifnull(last_accessed, 0)) < ?1 "
        f"{_only('entities.id', id)} "
        "AND NOT EXISTS (SELECT 1 FROM relations WHERE target_id = entities.id AND relations.retired_at IS NULL "
        "AND (relations.created_at >= ?1 OR type = 'ABOUT' "
        f"AND EXISTS (SELECT 1 FROM facts WHERE facts.id = source_id AND {_CURRENT_FACT}))) "
        "AND NOT EXISTS (SELECT 1 FROM relations WHERE source_id = entities.id AND relations.retired_at IS NULL "
        "AND relations.created_at >= ?1) ORDER BY entities.seq",
        (before,) if id is None else (before, id),
    )
    return [_unused(ENTITY.name, *row) for *row, type in rows if type not in besides]


def _unused(
    kind: str,
    user_id: str,
    channel: str,
    id: str,
    salience: float,
    salience_at: int,
    lifted: float | None,
    last_accessed: int | None,
) -> Unused:
    return Unused(
        kind=kind,
        user_id=user_id,
        channel=channel,
        id=id,
        salience=salience,
        salience_at=salience_at,
        used=None if last_accessed is None or lifted is None else (lifted, last_accessed),
    )


def is_unused(db: Connection, kind: Kind[Any], id: str, since: int) -> bool:
    """Return True for a current, unpinned fact or entity that was not used since a time, and that no current fact is
    about."""
    return bool((unused_facts if kind is FACT else unused_entities)(db, since, id))


def count_fading_entities(db: Connection, at: int) -> int:
    """Return how many current, unpinned entities were not used in the day before `at`, and so lost salience."""
    found: int = db.value(
        "SELECT count(*) FROM entities LEFT JOIN usage USING (seq) WHERE retired_at IS NULL AND NOT pinned "
        "AND max(salience_at, ifnull(last_accessed, 0)) <= ?",
        (at - DAY,),
    )
    return found


def count_decaying_facts(db: Connection, at: int, below: float) -> int:
    """Return how many extracted facts with confidence under `below` ended another week without recall in the
    day before `at`."""
    found: int = db.value(
        "SELECT count(*) FROM (SELECT max(created_at, salience_at, ifnull(last_accessed, 0)) AS since "
        "FROM facts LEFT JOIN usage USING (seq) WHERE source = 'extraction' AND confidence < ? AND NOT pinned "
        f"AND {_CURRENT_FACT}) WHERE since <= ? AND (? - since) / {WEEK} > (? - since) / {WEEK}",
        (below, at - DAY, at, at - DAY),
    )
    return found


def quiet_conversations(db: Connection, before: int, id: str | None = None) -> list[str]:
    """Return ids of unarchived conversations that began, were stored and had their last turn before a time.
    id: only this.

    The time of storing counts because an import of old conversations is new to this desk."""
    rows = db.rows(
        "SELECT id FROM conversations WHERE started_at < ?1 AND retired_at IS NULL AND archived_at IS NULL "
        f"{_only('conversations.id', id)} "
        "AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_id = conversations.id AND created_at >= ?1) "
        "AND NOT EXISTS (SELECT 1 FROM edits JOIN changes ON changes.id = change "
        "WHERE record = conversations.id AND before IS NULL AND at >= ?1) ORDER BY started_at, seq",
        (before,) if id is None else (before, id),
    )
    return [row[0] for row in rows]


def retired_by_jobs(db: Connection, kind: Kind[Any], before: int, id: str | None = None) -> list[str]:
    """Return ids of records that a job retired before a time, and that no person decided about or pinned. id:
    only this.

    Quarantined records are left out, however old: they wait for a person. So are those that the job reread retired:
    they went by new rules, not by age, and a person may want them back."""
    pinned = "AND NOT pinned" if "pinned" in kind.columns else ""
    rows = db.rows(
        f"SELECT id FROM {kind.table} AS old WHERE retired_at < ?1 {_only('old.id', id)} {pinned} "
        "AND (SELECT CASE author WHEN 'job:reread' THEN '' ELSE author END FROM edits "
        f"JOIN changes ON changes.id = change WHERE record = old.id AND {DECIDED} "
        "ORDER BY change DESC LIMIT 1) LIKE 'job:%' "
        "AND NOT EXISTS (SELECT 1 FROM edits JOIN changes ON changes.id = change "
        f"WHERE record = old.id AND {DECIDED_BY_PERSON}) AND NOT {quarantined('old.id')} ORDER BY seq",
        (before,) if id is None else (before, id),
    )
    return [row[0] for row in rows]


def referring(db: Connection, kind: Kind[Any], id: str) -> Iterator[tuple[Kind[Any], Any]]:
    """Yield every record that refers to this one, with its kind; kinds in the order of KINDS."""
    for other in KINDS:
        for column, target in other.references:
            if target in (kind.name, "record"):
                # `=` and not IS: only so do the indices of columns that may be empty serve.
                rows = db.rows(
                    f"SELECT {columns_of(other)} FROM {other.table} WHERE {column} = ? ORDER BY seq", (id,)
                )
                yield from ((other, record) for record in read_all(db, other, rows))


def promotable(db: Connection, *, confidence: float, recalls: int) -> list[str]:
    """Return ids of current project facts with at least this confidence and this many recalls, never promoted
    or proposed."""
    rows = db.rows(
        f"SELECT facts.id FROM facts LEFT JOIN usage USING (seq) WHERE channel != '_global' AND {_CURRENT_FACT} "
        "AND confidence >= ? AND ifnull(access_count, 0) >= ? "
        "AND NOT EXISTS (SELECT 1 FROM facts AS copy WHERE copy.promoted_from = facts.id) "
        "AND NOT EXISTS (SELECT 1 FROM proposals WHERE subject_id = facts.id AND type = 'promotion') "
        "ORDER BY facts.seq",
        (confidence, recalls),
    )
    return [row[0] for row in rows]


def undone_facts(db: Connection, author: str) -> frozenset[str]:
    """Return the facts (`fact` of the details) of an author's undone changes."""
    rows = db.rows(
        "SELECT details ->> 'fact' FROM changes WHERE author = ? AND undone_by IS NOT NULL", (author,)
    )
    return frozenset(row[0] for row in rows if row[0])


def orphaned_vectors(db: Connection, limit: int) -> list[int]:
    """Return the numbers of stored vectors whose text is in no memory any more."""
    rows = db.rows(f"SELECT id FROM embeddings WHERE {ORPHANED} LIMIT ?", (limit,))
    return [row[0] for row in rows]


def purge_vectors(db: Connection, numbers: list[int]) -> int:
    """Delete these vectors, except those whose text is in a memory again; return how many were deleted."""
    return db.run(
        "DELETE FROM embeddings WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) "
        f"AND {ORPHANED}",
        (json.dumps(numbers),),
    )


def _only(column: str, id: str | None) -> str:
    """Return a condition that narrows a read to one record, or "". Testing for a null id in SQL would prevent
    use of the index."""
    return "" if id is None else f"AND {column} = ?2"
