"""Reads of episodic memory by time: turns, conversations, and memories of every kind by their time."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store.connection import Connection, marks
from memdesk.store.records import Walk, rows_among, walk

_ARCHIVED_TALK = "SELECT 1 FROM conversations WHERE id = conversation_id AND archived_at IS NOT NULL"
_GONE = {
    "turn": f"(retired_at IS NOT NULL OR EXISTS ({_ARCHIVED_TALK}))",
    "conversation": "(retired_at IS NOT NULL OR archived_at IS NOT NULL)",
    "fact": "(retired_at IS NOT NULL OR superseded_by IS NOT NULL)",
}
"""Conditions for memories that are not listed, for kinds that can leave the lists in more ways than
retirement."""

_SEARCHED = (
    *((kind.table, "seq", "created_at") for kind in KINDS if kind.text),
    ("documents JOIN passages ON passages.document_id = documents.id", "passages.seq", "updated_at"),
)
"""Tables that recall searches, with their search number and time columns."""
COUNTED = 20_000
"""Maximum number of memories of a kind in a time span for which their search numbers are computed; takes two
milliseconds."""


HEARD_CHARACTERS = 100_000


def heard_lately(
    db: Connection, user_id: str, channel: str, agent_id: str | None, limit: int
) -> list[tuple[str, str, str]]:
    """Return (id, origin, content) of the newest turns of a channel, and of an agent anywhere, newest first. Of a long
    content only the beginning."""
    # Bounded twice: the turns of a user are not read through for those of an agent that has none.
    return db.rows(
        f"SELECT id, origin, substr(content, 1, {HEARD_CHARACTERS}) FROM turns WHERE seq IN (SELECT seq FROM (SELECT "
        "channel, agent_id, created_at, seq FROM turns INDEXED BY turns_time WHERE user_id = ? AND retired_at IS NULL "
        "ORDER BY created_at DESC LIMIT ?) AS newest WHERE channel = ? OR agent_id = ? "
        "ORDER BY created_at DESC, seq DESC LIMIT ?) ORDER BY seq DESC",
        (user_id, 5 * limit, channel, agent_id, limit),
    )


def time_of(kind: Kind[Any]) -> str:
    """Return the column with the time of a record."""
    return "started_at" if kind is CONVERSATION else "created_at"


def turns_in_time(db: Connection, asked: Walk, *, role: str = "", agent_id: str | None = None) -> list[Turn]:
    """Return current turns by their time; role, agent_id: only of these."""
    where, params = _said_by(role, agent_id)
    return walk(db, TURN, replace(asked, where=where, params=params))


def turns_in_order(
    db: Connection, conversation_id: str, asked: Walk, *, role: str = "", agent_id: str | None = None
) -> list[Turn]:
    """Return current turns of a conversation by their turn_index, to which `asked.after` refers too."""
    where, params = _said_by(role, agent_id)
    where += " AND conversation_id = ?"
    params = (*params, conversation_id)
    for sign, bound in ((">=", asked.since), ("<", asked.until)):
        if bound is not None:
            where, params = f"{where} AND created_at {sign} ?", (*params, bound)
    return walk(
        db,
        TURN,
        replace(asked, since=None, until=None, where=where, params=params, column="turn_index", index=""),
    )


def _said_by(role: str, agent_id: str | None) -> tuple[str, tuple[Any, ...]]:
    wanted = {"role": role or None, "agent_id": agent_id}
    named = {name: value for name, value in wanted.items() if value is not None}
    return " AND retired_at IS NULL" + "".join(f" AND {name} = ?" for name in named), tuple(named.values())


def conversations(
    db: Connection, asked: Walk, *, agents: Sequence[str], text: str, state: str
) -> list[Conversation]:
    """Return conversations by their start. agents: empty for all. text: only titles that contain it.

    state: current, archived or all."""
    where, params = " AND retired_at IS NULL", list[Any]()
    if state != "all":
        where += f" AND archived_at IS {'NOT ' if state == 'archived' else ''}NULL"
    if agents:
        where += f" AND agent_id IN ({marks(agents)})"
        params.extend(agents)
    if text:
        where += " AND instr(lower(title), lower(?)) > 0"
        params.append(text)
    return walk(db, CONVERSATION, replace(asked, column="started_at", where=where, params=tuple(params)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Length of a conversation: its current turns, its highest index (-1 for none) and the time of its last
    turn."""

    turns: int = 0
    last_index: int = -1
    last_at: int | None = None


def extents(db: Connection, conversation_ids: Sequence[str]) -> dict[str, Extent]:
    """Return the length of each of these conversations; those without turns are left out."""
    sql = (
        "SELECT conversation_id, count(*), max(turn_index), max(created_at) FROM turns "
        "WHERE conversation_id IN (*) AND retired_at IS NULL GROUP BY conversation_id"
    )
    return {
        id: Extent(turns=turns, last_index=index, last_at=at)
        for id, turns, index, at in rows_among(db, sql, conversation_ids)
    }


def memories_in_time(
    db: Connection, asked: Walk, kinds: Sequence[str], state: str
) -> list[tuple[Kind[Any], Any]]:
    """Return memories of these kinds by their time. Each kind is read separately; the pages are merged."""
    pages = []
    for name in dict.fromkeys(kinds):
        kind = BY_NAME[name]
        own = replace(asked, column=time_of(kind), where=_in_state(kind, state))
        pages.append([(kind, record) for record in walk(db, kind, own)])
    merged = heapq.merge(*pages, key=lambda pair: place(*pair), reverse=not asked.oldest_first)
    return list(islice(merged, asked.limit))


def numbers_between(
    db: Connection, user_id: str, since: int | None, until: int | None
) -> tuple[int, int] | None:
    """Return (lowest, highest) search number of a user's memories in a time span, [since, until).

    (1, 0) if there are none; None for all time, or if a kind has more memories there than COUNTED."""
    if since is None and until is None:
        return None
    found = [
        db.rows(
            f"SELECT count(*), min(seq), max(seq) FROM (SELECT {seq} AS seq FROM {table} WHERE user_id = ? "
            f"AND {time} >= ? AND {time} < ? LIMIT {COUNTED + 1})",
            (user_id, -(2**62) if since is None else since, 2**62 if until is None else until),
        )[0]
        for table, seq, time in _SEARCHED
    ]
    if any(count > COUNTED for count, _, _ in found):
        return None
    held = [(low, high) for count, low, high in found if count]
    return (min(low for low, _ in held), max(high for _, high in held)) if held else (1, 0)


def place(kind: Kind[Any], record: Any) -> tuple[int, int]:
    """Return the position of a memory in time: (time, search number)."""
    return getattr(record, time_of(kind)), record.seq


def archived_among(db: Connection, conversation_ids: Sequence[str]) -> set[str]:
    """Return those of these conversations that are archived."""
    sql = "SELECT id FROM conversations WHERE id IN (*) AND archived_at IS NOT NULL"
    return {id for (id,) in rows_among(db, sql, conversation_ids)}


def _in_state(kind: Kind[Any], state: str) -> str:
    gone = _GONE.get(kind.name, "retired_at IS NOT NULL")
    return {"all": "", "archived": f" AND {gone}", "current": f" AND NOT {gone}"}[state]
