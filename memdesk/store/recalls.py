"""Recall events and use statistics: who recalled which memory, how often, and how strong it still is.

Use is stored separately from the record: a counter inside it would make every undo after a recall a Conflict.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.store.connection import Connection, marks
from memdesk.store.journal import Journal
from memdesk.store.records import chunks
from memdesk.store.tallies import count_event

AGENT = "agent:"
"""Prefix of the author of an agent's events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Use of a memory. `salience` is its strength as of `last_accessed`, after reinforcement."""

    access_count: int
    last_accessed: int
    salience: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Memory that a recall returned, with its salience from now on. parts: the named parts of its score."""

    seq: int
    score: float
    salience: float
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEvent:
    """Recall to record. `crossed`: how many of its hits came from another channel than the one queried.

    channels: those that were searched. session_id: the session of the agent that asked."""

    at: int
    title: str
    author: str
    channel: str
    user_id: str
    conversation_id: str | None
    query: str
    took_us: int
    hits: tuple[Recalled, ...]
    crossed: int
    channels: tuple[str, ...] = ()
    session_id: str | None = None


def record(db: Connection, journal: Journal, event: RecallEvent) -> int:
    """Record a recall, and reinforce the memories it returned to an agent. Returns the event's number.

    A person's recall reinforces nothing: only memory returned to an agent counts as used."""
    number = journal.next_id()
    db.run(
        "INSERT INTO recalls (id, at, title, author, channel, user_id, conversation_id, query, took_us, crossed) "
        "VALUES (?,?,?,?,?,?,?,?,?,?)",
        (number, event.at, event.title, event.author, event.channel, event.user_id, event.conversation_id,
         event.query, event.took_us, event.crossed),
    )  # fmt: skip
    db.run_many(
        "INSERT INTO recalled (recall, position, seq, score) VALUES (?,?,?,?)",
        [(number, position, hit.seq, hit.score) for position, hit in enumerate(event.hits)],
    )
    if event.author.startswith(AGENT):
        _reinforce(db, event)
    count_event(db, number, event.at, "recall", "episodic", event.author, event.channel, event.user_id)
    journal.audit.recalled(
        number, at=event.at, trace=_trace(event), author=event.author, user_id=event.user_id,
        session_id=event.session_id, conversation_id=event.conversation_id, source_channel=event.channel,
        target_channels=json.dumps(event.channels or (event.channel,), ensure_ascii=False), query_text=event.query,
        result_count=len(event.hits), latency_us=event.took_us,
    )  # fmt: skip
    return number


def _trace(event: RecallEvent) -> dict[str, Any]:
    """Return the data that a verbose audit log adds: every hit with the parts of its score."""
    hits = [{"seq": hit.seq, "score": hit.score, "parts": dict(hit.parts)} for hit in event.hits]
    return {"crossed": event.crossed, "hits": hits}


def _reinforce(db: Connection, event: RecallEvent) -> None:
    db.run_many(
        "INSERT INTO usage (seq, access_count, last_accessed, salience) VALUES (?,1,?,?) "
        "ON CONFLICT (seq) DO UPDATE SET access_count = access_count + 1, "
        "last_accessed = excluded.last_accessed, salience = excluded.salience",
        [(hit.seq, event.at, hit.salience) for hit in event.hits],
    )


def uses(db: Connection, seqs: Sequence[int]) -> dict[int, Use]:
    """Return use by search number; memories never recalled are left out."""
    found: dict[int, Use] = {}
    for chunk in chunks(seqs):
        for seq, count, last, salience in db.rows(
            f"SELECT seq, access_count, last_accessed, salience FROM usage WHERE seq IN ({marks(chunk)})",
            chunk,
        ):
            found[seq] = Use(access_count=count, last_accessed=last, salience=salience)
    return found


def recall_times(db: Connection, seqs: Sequence[int], since: int = 0) -> dict[int, list[tuple[int, str]]]:
    """Return (time, author) of every recall since a time that returned these memories to an agent, oldest
    first."""
    found: dict[int, list[tuple[int, str]]] = {seq: [] for seq in seqs}
    for chunk in chunks(seqs):
        for seq, at, author in db.rows(
            "SELECT recalled.seq, recalls.at, recalls.author FROM recalled JOIN recalls ON recalls.id = recall "
            f"WHERE recalled.seq IN ({marks(chunk)}) AND recalls.at >= ? AND author LIKE ? "
            "ORDER BY recall",
            (*chunk, since, f"{AGENT}%"),
        ):
            found[seq].append((at, author))
    return found


def recalled_by(db: Connection, seq: int) -> list[tuple[str, int]]:
    """Return (agent, times) of the recalls that returned a memory to agents, most often first."""
    return [
        (author, times)
        for author, times in db.rows(
            "SELECT author, count(*) FROM recalled JOIN recalls ON recalls.id = recall WHERE seq = ? AND author LIKE ? "
            "GROUP BY author ORDER BY 2 DESC, 1",
            (seq, f"{AGENT}%"),
        )
    ]


def returned(db: Connection, recall: int) -> list[int]:
    """Return search numbers of the memories a recall returned, best first."""
    return [
        row[0] for row in db.rows("SELECT seq FROM recalled WHERE recall = ? ORDER BY position", (recall,))
    ]


def success_rates(db: Connection, seqs: Sequence[int]) -> dict[int, float]:
    """Return the share of successes among the uses of each strategy; those never used are left out."""
    found: dict[int, float] = {}
    for chunk in chunks(seqs):
        rows = db.rows(
            "SELECT strategies.seq, avg(success) FROM strategies JOIN outcomes ON strategy_id = strategies.id "
            f"WHERE strategies.seq IN ({marks(chunk)}) AND outcomes.retired_at IS NULL GROUP BY strategies.seq",
            chunk,
        )
        found.update((seq, float(rate)) for seq, rate in rows)
    return found
