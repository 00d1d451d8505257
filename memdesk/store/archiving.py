"""Reads of a complete desk for export, in order and in batches, and the use statistics of imported memories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.channel import CHANNEL
from memdesk.model.context import COMPACTION
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.model.review import PROPOSAL
from memdesk.model.strategy import OUTCOME
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import fading
from memdesk.store.connection import Connection, Row, marks
from memdesk.store.recalls import Use
from memdesk.store.records import chunks, columns_of, read_all, rows_among

DEPENDS_ON = {
    ALIAS.name: ("entity_id",),
    OUTCOME.name: ("strategy_id",),
    TAG.name: ("record_id",),
    RELATION.name: ("source_id", "target_id"),
    PROPOSAL.name: ("subject_id",),
}
"""Kinds that describe other records, and the columns that name those."""
CONTAINS = {
    CONVERSATION.name: ((TURN, "conversation_id"), (COMPACTION, "conversation_id")),
    WORKSPACE.name: ((DOCUMENT, "workspace_id"),),
}
"""Kinds that are exported as containers of selected records, with the kind inside and its column."""
WHEN = {
    CONVERSATION.name: "started_at",
    # A day is a date without a zone: its noon lies in it, whatever the reader's.
    DOCUMENT.name: "ifnull(unixepoch(day || 'T12:00') * 1000000, updated_at)",
}
"""Column or expression for the time of a record, for kinds where it is not created_at."""
_FREE = tuple(kind for kind in KINDS if kind.name not in DEPENDS_ON and kind is not CHANNEL)


Inside = Callable[[tuple[Any, ...]], tuple[Any, ...]]
"""Inside(records): those of them that a member with bounds may see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Selection of records. user_id: None for all users. channel: None for all. agents, kinds: empty for all;
    kinds by name.

    since, until: UTC microseconds, the end left out. inside: None for all."""

    user_id: str | None = None
    channel: str | None = None
    agents: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    inside: Inside | None = None

    @property
    def is_narrow(self) -> bool:
        """Return True if the selection may leave out some of the user's records."""
        chosen = (self.channel, self.since, self.until, self.inside)
        return bool(self.agents or self.kinds) or chosen != (None, None, None, None)

    @property
    def params(self) -> dict[str, Any]:
        """Return the parameters of the conditions."""
        named = {"user": self.user_id, "channel": self.channel, "since": self.since, "until": self.until}
        return named | {f"agent{n}": agent for n, agent in enumerate(self.agents)}

    def where(self, kind: Kind[Any]) -> str:
        """Return the SQL condition on a kind's table for the exported records."""
        if not self.is_narrow:
            return self._whose
        if kind is CHANNEL:
            homes = " UNION ".join(
                f"SELECT channel FROM {each.table} WHERE {self.where(each)}"
                for each in _FREE
                if "channel" in each.columns
            )
            return f"{self._whose} AND name IN ({homes})"
        if kind.name in DEPENDS_ON:
            ends = (f"({self._goes(kind, column)})" for column in DEPENDS_ON[kind.name])
            return " AND ".join((self._whose, *ends))
        within = (
            f"id IN (SELECT {column} FROM {each.table} WHERE {self._own(each)})"
            for each, column in CONTAINS.get(kind.name, ())
        )
        return f"{self._whose} AND ({' OR '.join((self._own(kind), *within))})"

    @property
    def _whose(self) -> str:
        return "true" if self.user_id is None else "user_id = :user"

    def _goes(self, kind: Kind[Any], column: str) -> str:
        """Return the condition that the record named by a column is exported."""
        target = dict(kind.references)[column]
        kinds = _FREE if target == "record" else (BY_NAME[target],)
        return " OR ".join(
            f"{column} IN (SELECT id FROM {each.table} WHERE {self.where(each)})" for each in kinds
        )

    def _own(self, kind: Kind[Any]) -> str:
        """Return the condition that a record itself is selected; one without a channel or an agent matches no
        filter on it."""
        found = [self._whose]
        if self.kinds and (kind.owner or kind.name) not in self.kinds:
            found.append("false")
        if self.channel is not None:
            found.append("channel = :channel" if "channel" in kind.columns else "false")
        if self.agents:
            names = ", ".join(f":agent{n}" for n in range(len(self.agents)))
            found.append(f"agent_id IN ({names})" if "agent_id" in kind.columns else "false")
        when = WHEN.get(kind.name, "created_at")
        found += [f"{when} >= :since"] * (self.since is not None) + [f"{when} < :until"] * (
            self.until is not None
        )
        return " AND ".join(found)


ROWS_AT_ONCE = 1_000
OF_AGENTS = tuple(kind for kind in KINDS if "agent_id" in kind.columns and not kind.owner)
"""Kinds with an agent_id; a turn belongs to the agent of its conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Text that a file had. beside: it clashed with the version before it, and was kept."""

    document_id: str
    content_hash: str
    at: int
    author: str
    beside: bool


def users(db: Connection) -> list[str]:
    """Return the ids of all users with a channel."""
    return [row[0] for row in db.rows("SELECT DISTINCT user_id FROM channels ORDER BY 1")]


def channels(db: Connection, user_id: str) -> list[str]:
    """Return the names of a user's channels, `_global` first, then in the order of their colours."""
    sql = "SELECT name FROM channels WHERE user_id = ? ORDER BY number, seq"
    return [row[0] for row in db.rows(sql, (user_id,))]


def agents(db: Connection, user_id: str) -> list[str]:
    """Return the names of the agents that own memory of a user, sorted; memory without an agent is left out."""
    found = " UNION ".join(
        f"SELECT agent_id FROM {kind.table} WHERE user_id = :user AND agent_id IS NOT NULL"
        for kind in OF_AGENTS
    )
    return [row[0] for row in db.rows(f"{found} ORDER BY 1", {"user": user_id})]


def count(db: Connection, kind: Kind[Any], chosen: Selection, *, past: str = "all") -> int:
    """Return how many records of a kind are exported. past: all; superseded, without retired ones; or none."""
    if chosen.inside is not None:
        found = all_records(db, kind, chosen)
        found = (each for each in found if past == "all" or each.retired_at is None)
        return sum(past != "none" or getattr(each, "superseded_by", None) is None for each in found)
    where = chosen.where(kind)
    where += "" if past == "all" else " AND retired_at IS NULL"
    where += " AND superseded_by IS NULL" if past == "none" and "superseded_by" in kind.columns else ""
    return int(db.value(f"SELECT count(*) FROM {kind.table} WHERE {where}", chosen.params))


def count_files(db: Connection, chosen: Selection, layers: Sequence[str]) -> int:
    """Return how many files in use, of these layers, are exported."""
    named = {f"layer{n}": layer for n, layer in enumerate(layers)}
    where = (
        f"{chosen.where(DOCUMENT)} AND retired_at IS NULL AND layer IN ({', '.join(f':{n}' for n in named)})"
    )
    return int(db.value(f"SELECT count(*) FROM documents WHERE {where}", chosen.params | named))


def count_links(db: Connection, chosen: Selection) -> int:
    """Return how many current relations between two entities are exported."""
    if chosen.inside is not None:
        entities = {each.id for each in all_records(db, ENTITY, chosen)}
        found = all_records(db, RELATION, chosen)
        return sum(each.retired_at is None and {each.source_id, each.target_id} <= entities for each in found)
    ends = "source_id IN (SELECT id FROM entities) AND target_id IN (SELECT id FROM entities)"
    where = f"{chosen.where(RELATION)} AND retired_at IS NULL AND {ends}"
    return int(db.value(f"SELECT count(*) FROM relations WHERE {where}", chosen.params))


def all_records(db: Connection, kind: Kind[Any], chosen: Selection) -> Iterator[Any]:
    """Yield all exported records of a kind, including retired ones, in order of creation."""
    sql = (
        f"SELECT {columns_of(kind)} FROM {kind.table} WHERE {chosen.where(kind)} AND seq > :last "
        f"ORDER BY seq LIMIT {ROWS_AT_ONCE}"
    )
    last = -1
    while rows := db.rows(sql, chosen.params | {"last": last}):
        found = read_all(db, kind, rows)
        yield from found if chosen.inside is None else chosen.inside(tuple(found))
        last = rows[-1][kind.columns.index("seq")]


def uses(db: Connection, user_id: str | None) -> Iterator[tuple[str, tuple[int, int] | None, Use]]:
    """Yield (id, None, use) of every used record, and (document's id, first and last line, use) of used
    passages."""
    where, params = ("true", ()) if user_id is None else ("searchable.user_id = ?", (user_id,))
    rows = db.rows(
        "SELECT ifnull(records.id, document_id), first_line, last_line, access_count, last_accessed, salience "
        "FROM usage LEFT JOIN records USING (seq) LEFT JOIN passages USING (seq) LEFT JOIN searchable USING (seq) "
        f"WHERE ifnull(records.id, document_id) IS NOT NULL AND {where} ORDER BY usage.seq",
        params,
    )
    for id, first, last, times, at, salience in rows:
        lines = None if first is None else (first, last)
        yield id, lines, Use(access_count=times, last_accessed=at, salience=salience)


def import_use(db: Connection, id: str, lines: tuple[int, int] | None, use: Use) -> None:
    """Store the use statistics a memory had on the desk it came from, unless it has some here."""
    seqs = "SELECT seq FROM records WHERE id = ?"
    if lines is not None:
        seqs = "SELECT seq FROM passages WHERE document_id = ? AND first_line = ? AND last_line = ?"
    db.run(
        "INSERT INTO usage (seq, access_count, last_accessed, salience) "
        f"SELECT seq, ?, ?, ? FROM ({seqs}) AS found WHERE true ON CONFLICT DO NOTHING",
        (use.access_count, use.last_accessed, use.salience, id, *(lines or ())),
    )
    if lines is None:
        fading.follow_use(db, [seq for (seq,) in db.rows(seqs, (id,))])


def versions(db: Connection, chosen: Selection) -> Iterator[Version]:
    """Yield every text of every exported file, file by file, oldest first."""
    for document in all_records(db, DOCUMENT, chosen):
        rows = db.rows(
            "SELECT changes.id, before ->> 'content_hash', after ->> 'content_hash', at, author FROM edits "
            "JOIN changes ON changes.id = edits.change WHERE record = ? AND after ->> 'content_hash' IS NOT NULL "
            "ORDER BY change, n",
            (document.id,),
        )
        for number, (_, _, after, at, author) in enumerate(rows):
            if not _reverts_previous(rows, number):
                beside = _reverts_previous(rows, number + 1)
                yield Version(
                    document_id=document.id, content_hash=after, at=at, author=author, beside=beside
                )


def extra_data(db: Connection, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return, by record, the data about imported records from their source that no column stores."""
    found: dict[str, dict[str, Any]] = {}
    for chunk in chunks(ids):
        born = db.rows(
            "SELECT record, change FROM edits JOIN changes ON changes.id = edits.change "
            f"WHERE record IN ({marks(chunk)}) AND edits.before IS NULL AND op = 'import' AND undone_by IS NULL",
            chunk,
        )
        fields = _extra_data_by_change(db, sorted({change for _, change in born}))
        found |= {
            record: fields[change][record] for record, change in born if fields.get(change, {}).get(record)
        }
    return found


def _extra_data_by_change(db: Connection, changes: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the extra data of these changes, by change and record; each change is read once."""
    sql = "SELECT id, details ->> 'beside' FROM changes WHERE id IN (*) AND details ->> 'beside' IS NOT NULL"
    return {id: json.loads(text) for id, text in rows_among(db, sql, changes)}


def history(db: Connection, user_id: str | None, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of `changes`, `edits` or `recalls`, oldest first, for readers of an archive."""
    where, params = _whose(user_id)
    narrowed = f"change IN (SELECT id FROM changes WHERE {where})" if table == "edits" else where
    columns = [name for name in db.columns(table) if name != "digest"]
    for row in db.each(f"SELECT {','.join(columns)} FROM {table} WHERE {narrowed} ORDER BY 1, 2", params):
        yield {name: _plain(value) for name, value in zip(columns, row, strict=True)}


def _reverts_previous(rows: Sequence[Row], number: int) -> bool:
    """Return True if this row only reverts the one before it, in the same change."""
    if not 0 < number < len(rows):
        return False
    was, now = rows[number - 1], rows[number]
    return (was[0], was[1], was[2]) == (now[0], now[2], now[1])


def _whose(user_id: str | None) -> tuple[str, tuple[str, ...]]:
    return ("true", ()) if user_id is None else ("user_id = ?", (user_id,))


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
