"""Reads of goals: lists by priority, parts of goals, and goals that block each other.

An undo can create a cycle that no verb would create, so every recursive read here ends even on cycles."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.model.entity import BLOCKED_BY
from memdesk.model.goal import ACTIVE, GOAL, OPEN, Goal, ListGoals
from memdesk.model.instant import optional_instant
from memdesk.store.connection import Connection, conditions, marks
from memdesk.store.records import columns_of, read_all

_COLUMNS = columns_of(GOAL, qualified=True)
_ORDER = "priority DESC, ifnull(deadline, 9223372036854775807), goals.seq"
"""Order by highest priority, then by earliest deadline."""


def listed(db: Connection, wanted: ListGoals) -> tuple[int, list[Goal]]:
    """Return (total count, rows `first` on), by priority, then deadline. Retired goals are left out."""
    compared = {
        "user_id = ? AND retired_at IS NULL": wanted.user_id,
        "conversation_id = ?": wanted.conversation_id,
        "parent_id = ?": wanted.parent_id,
        "deadline < ?": optional_instant(wanted.due_before),
    }
    condition, params = conditions(compared, {"status": wanted.statuses, "channel": wanted.channels})
    total = int(db.value(f"SELECT count(*) FROM goals WHERE {condition}", params))
    sql = f"SELECT {_COLUMNS} FROM goals WHERE {condition} ORDER BY {_ORDER} LIMIT ? OFFSET ?"
    return total, _goals(db, sql, (*params, wanted.limit, wanted.first))


def active(db: Connection, user_id: str, channels: Sequence[str], *, limit: int = 20) -> tuple[Goal, ...]:
    """Return a user's active goals of these channels, highest priority first, then the nearest deadline."""
    where = f"user_id = ? AND retired_at IS NULL AND status IN (?) AND channel IN ({marks(channels)})"
    sql = f"SELECT {_COLUMNS} FROM goals WHERE {where} ORDER BY {_ORDER} LIMIT ?"
    return tuple(_goals(db, sql, (user_id, ACTIVE, *channels, limit)))


def subgoals(db: Connection, id: str) -> list[Goal]:
    """Return the goals that are parts of this one."""
    sql = f"SELECT {_COLUMNS} FROM goals WHERE parent_id = ? AND retired_at IS NULL ORDER BY {_ORDER}"
    return _goals(db, sql, (id,))


def open_below(db: Connection, id: str) -> list[Goal]:
    """Return the open parts of a goal at every level, without the goal itself."""
    sql = (
        "WITH RECURSIVE below(id) AS (SELECT CAST(? AS TEXT) "
        "UNION SELECT goals.id FROM goals JOIN below ON parent_id = below.id) "
        f"SELECT {_COLUMNS} FROM goals JOIN below USING (id) WHERE goals.id != ? AND retired_at IS NULL "
        f"AND status IN ({marks(OPEN)}) ORDER BY {_ORDER}"
    )
    return _goals(db, sql, (id, id, *OPEN))


def above(db: Connection, id: str) -> set[str]:
    """Return the ids of a goal and of all goals that it is directly or indirectly a part of."""
    rows = db.rows(
        "WITH RECURSIVE above(id) AS (SELECT CAST(? AS TEXT) UNION SELECT parent_id FROM goals JOIN above USING (id) "
        "WHERE parent_id IS NOT NULL) SELECT id FROM above",
        (id,),
    )
    return {row[0] for row in rows}


def obstacles(db: Connection, id: str) -> set[str]:
    """Return the ids of a goal and of all goals that block it directly or indirectly."""
    rows = db.rows(
        "WITH RECURSIVE before(id) AS (SELECT CAST(? AS TEXT) UNION SELECT target_id FROM relations "
        "JOIN before ON source_id = before.id WHERE type = ? AND retired_at IS NULL) SELECT id FROM before",
        (id, BLOCKED_BY),
    )
    return {row[0] for row in rows}


def blockers(db: Connection, id: str, *, retired: bool = False) -> list[Goal]:
    """Return the goals that block this one, ended ones too. retired: include retired ones."""
    return _related(db, "target_id", "source_id", id, retired=retired)


def blocked_by(db: Connection, id: str) -> list[Goal]:
    """Return the goals that this one blocks."""
    return _related(db, "source_id", "target_id", id)


def _related(db: Connection, wanted: str, given: str, id: str, *, retired: bool = False) -> list[Goal]:
    current = "" if retired else "AND goals.retired_at IS NULL "
    sql = (
        f"SELECT {_COLUMNS} FROM goals WHERE id IN (SELECT {wanted} FROM relations WHERE {given} = ? AND type = ? "
        f"AND retired_at IS NULL) {current}ORDER BY {_ORDER}"
    )
    return _goals(db, sql, (id, BLOCKED_BY))


def _goals(db: Connection, sql: str, params: Sequence[object]) -> list[Goal]:
    return read_all(db, GOAL, db.rows(sql, params))
