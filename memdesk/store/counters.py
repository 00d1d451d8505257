"""Stored sums, so that no query has to count history: events, use of tools, centroids of categories.

Like words and vectors they are updated in the transaction of their records, and can be recomputed from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from memdesk.store.connection import Connection

HOUR_US = 3_600_000_000
STRETCH = 4096
"""Number of consecutive events in a block that is counted together, hour by hour: the most that a read skips
in vain."""
SOUND = "iif(length(vector) = 2 * (SELECT dimension FROM embedder), vector, x'')"
"""Expression of a stored vector, empty for a damaged one, which has another length than those of the model in use."""
Fields = dict[str, Any]


def count_event(
    db: Connection, number: int, at: int, op: str, layer: str, author: str, channel: str, user_id: str
) -> None:
    """Add one event to the counts that the timeline pages by and the histogram reads. at: UTC microseconds."""
    db.send(
        "INSERT INTO rollup VALUES (?,?,?,?,?,?,?,1) "
        "ON CONFLICT (stretch, hour, op, layer, author, channel, user_id) DO UPDATE SET n = rollup.n + 1",
        (number // STRETCH, at // HOUR_US, op, layer, author, channel, user_id),
    )


def recount_events(db: Connection) -> None:
    """Count all events again."""
    db.run("DELETE FROM rollup")
    db.run(
        f"INSERT INTO rollup SELECT id / {STRETCH}, at / {HOUR_US}, op, layer, author, channel, user_id, count(*) "
        "FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7"
    )


def update_tool_stats(db: Connection, was: Fields | None, now: Fields | None) -> None:
    """Update the statistics of tools from a tool call's old fields to its new ones; retired calls do not
    count."""
    for fields, sign in ((was, -1), (now, 1)):
        if fields is not None and fields["retired_at"] is None:
            _count_call(db, fields, sign)


def _count_call(db: Connection, call: Fields, sign: int) -> None:
    timed = call["latency_ms"] is not None
    place = (call["user_id"], call["channel"], call["tool_name"], call["task_type"])
    db.send(
        "INSERT INTO tool_stats VALUES (?,?,?,?,?,?,?,?,?) "
        "ON CONFLICT (user_id, channel, tool_name, task_type) DO UPDATE SET "
        "usage_count = tool_stats.usage_count + excluded.usage_count, "
        "success_count = tool_stats.success_count + excluded.success_count, "
        "failure_count = tool_stats.failure_count + excluded.failure_count, "
        "latency_ms = tool_stats.latency_ms + excluded.latency_ms, "
        "latency_count = tool_stats.latency_count + excluded.latency_count",
        (
            *place,
            sign,
            sign * (call["success"] == 1),
            sign * (call["success"] == 0),
            sign * (call["latency_ms"] or 0),
            sign * timed,
        ),
    )
    db.send(
        "DELETE FROM tool_stats WHERE user_id = ? AND channel = ? AND tool_name = ? AND task_type = ? "
        "AND usage_count = 0",
        place,
    )


def add_to_categories(db: Connection, facts: Iterable[tuple[str, str, str, bytes]], sign: int = 1) -> None:
    """Add facts (user, channel, category, stored unit vector in float16) to the sums of their categories, or subtract
    them by a sign of -1. One whose vector is damaged, which `SOUND` gives as empty, is counted alone."""
    moves: dict[tuple[str, str, str], tuple[int, Any]] = {}
    for user_id, channel, category, vector in facts:
        count, move = moves.get((user_id, channel, category), (0, 0.0))
        if vector:
            move = move + sign * np.frombuffer(vector, np.float16).astype(np.float64)
        moves[user_id, channel, category] = (count + sign, move)
    for place, (count, move) in moves.items():
        known = db.row(
            "SELECT facts, total FROM categories WHERE user_id = ? AND channel = ? AND category = ?", place
        )
        before, total = known or (0, None)
        if before + count <= 0:
            db.run("DELETE FROM categories WHERE user_id = ? AND channel = ? AND category = ?", place)
            continue
        if total:
            move = np.frombuffer(total, np.float64) + move
        db.send(
            "INSERT INTO categories VALUES (?,?,?,?,?) ON CONFLICT (user_id, channel, category) "
            "DO UPDATE SET facts = excluded.facts, total = excluded.total",
            (*place, before + count, move.tobytes() if np.ndim(move) else b""),
        )


def sum_categories(db: Connection) -> None:
    """Recompute every category's sum from the vectors of current facts."""
    db.run("DELETE FROM categories")
    add_to_categories(
        db,
        db.rows(
            f"SELECT searchable.user_id, searchable.channel, category, {SOUND} FROM searchable JOIN facts USING (seq) "
            "JOIN embeddings ON embeddings.id = embedding WHERE searchable.kind = 'fact'"
        ),
    )
