"""Grants of agents, the agents that first used a scratchpad, when each agent was last active; and hashes of tokens of
a desk in a database, in a table that no copy into a folder takes along."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memdesk.model.agent import GRANT, USER_SCOPE
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.store.connection import Connection

HOUR_US = 3_600_000_000
_AGENT = "agent:"


def watch(db: Connection, moved: Callable[[], None]) -> None:
    """Call `moved` whenever this connection writes a grant, before the commit."""
    db.watch(GRANT.table, moved)


def holder(db: Connection, place: str) -> str | None:
    """Return the agent that first used a scratchpad, None if no agent has."""
    found: str | None = db.value("SELECT agent FROM holders WHERE place = ?", (place,))
    return found


def hold(db: Connection, place: str, user_id: str, agent: str, *, at: int) -> str:
    """Record an agent as the first user of a scratchpad, unless there is one; return the one there is."""
    db.run(
        "INSERT INTO holders (place, user_id, agent, at) VALUES (?,?,?,?) ON CONFLICT DO NOTHING",
        (place, user_id, agent, at),
    )
    return holder(db, place) or agent


def is_known_user(db: Connection, user_id: str) -> bool:
    """Return True if the desk has memory of a user, or an agent was granted that user."""
    found = db.value(
        "SELECT EXISTS (SELECT 1 FROM channels WHERE user_id = ?) "
        "OR EXISTS (SELECT 1 FROM traits WHERE user_id = ?) "
        "OR EXISTS (SELECT 1 FROM grants WHERE scope = ? AND name = ? AND retired_at IS NULL)",
        (user_id, user_id, USER_SCOPE, user_id),
    )
    return bool(found)


def activity(db: Connection) -> dict[str, tuple[int, int]]:
    """Return (hour of the last event in UTC microseconds, number of events) of every agent, from the hourly counts."""
    rows = db.rows(
        "SELECT author, max(hour), sum(n) FROM rollup WHERE author GLOB 'agent:*' GROUP BY author ORDER BY author"
    )
    return {author.removeprefix(_AGENT): (hour * HOUR_US, count) for author, hour, count in rows}


def unread_habits(db: Connection) -> list[tuple[str, str]]:
    """Return (agent, user or "" for `_global`) of what agents wrote before there were grants; nothing once that is
    settled."""
    if not db.value("SELECT grants_behind FROM upkeep"):
        return []
    return [
        (author.removeprefix(_AGENT), user)
        for author, user in db.rows(
            "SELECT DISTINCT author, iif(user_id IN ('', ?), '', user_id) FROM rollup WHERE author GLOB 'agent:*' "
            "AND op != 'recall' AND (user_id NOT IN ('', ?) OR channel = ?) ORDER BY 1, 2",
            (LOCAL_USER, LOCAL_USER, GLOBAL),
        )
    ]


def settle_habits(db: Connection) -> None:
    """Record that agents were given what they did before there were grants."""
    db.run("UPDATE upkeep SET grants_behind = 0")


def prepare_tokens(db: Connection) -> None:
    """Make the table of tokens if it is missing."""
    db.run("CREATE TABLE IF NOT EXISTS access_tokens (hash TEXT PRIMARY KEY, body TEXT NOT NULL)")


def token_of(db: Connection, hash: str) -> str | None:
    """Return the JSON of the token with a hash, None if there is none."""
    found: str | None = db.value("SELECT body FROM access_tokens WHERE hash = ?", (hash,))
    return found


def all_tokens(db: Connection) -> list[str]:
    """Return the JSON of every token."""
    return [body for (body,) in db.rows("SELECT body FROM access_tokens")]


def change_tokens(db: Connection, made: Sequence[tuple[str, str]], gone: Sequence[str]) -> None:
    """Add tokens, each as its hash and its JSON, and remove those with these hashes."""
    db.run_many("DELETE FROM access_tokens WHERE hash = ?", [(hash,) for hash in gone])
    db.run_many("INSERT INTO access_tokens VALUES (?, ?)", made)
