"""Agents in the store: their grants, scratchpads and times of activity; the hashes of their tokens on a desk in a
database, in a table that no copy into a folder takes along; the reads of a portrait, each counted and cut to a page.

In those of a portrait, `agent` is the name as its records have it; None for all agents of the desk."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memdesk.model.agent import GRANT, USER_SCOPE
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.fact import FACT, Fact
from memdesk.model.review import PROPOSAL, Proposal
from memdesk.store.connection import Connection
from memdesk.store.records import columns_of, many, read_all, rows_among

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


_CURRENT = "facts.retired_at IS NULL AND facts.superseded_by IS NULL"
_OWN = "(facts.agent_id = :agent OR :agent IS NULL)"
_ABOUT = "relations.type = 'ABOUT' AND relations.retired_at IS NULL"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFacts:
    """Current facts of an agent in one channel, and the time of the newest."""

    name: str
    facts: int
    newest_at: int


def channels(db: Connection, user_id: str, agent: str | None) -> list[ChannelFacts]:
    """Return the channels in which an agent has facts, the fullest first."""
    rows = db.rows(
        f"SELECT channel, count(*), max(created_at) FROM facts WHERE user_id = :user AND {_OWN} AND {_CURRENT} "
        "GROUP BY channel ORDER BY count(*) DESC, channel",
        {"user": user_id, "agent": agent},
    )
    return [ChannelFacts(name=name, facts=facts, newest_at=at) for name, facts, at in rows]


def people(
    db: Connection, user_id: str, agent: str | None, owner: str, *, besides: Sequence[str]
) -> list[tuple[int, str, int]]:
    """Return (search number, name, number of facts about them) of the people in an agent's facts, the most mentioned
    first.

    A person who is an entity in several channels is the one with the most facts. owner: a name that is a person
    whatever its type. besides: names that are no people, such as those of agents."""
    counted = (
        "SELECT entities.seq, name, lower(name) AS called, count(DISTINCT facts.seq) AS n FROM entities "
        f"JOIN relations ON target_id = entities.id AND {_ABOUT} JOIN facts ON facts.id = source_id "
        "WHERE entities.user_id = :user AND entities.retired_at IS NULL "
        "AND (entities.type = 'Person' OR name = :owner COLLATE NOCASE) "
        f"AND lower(name) NOT IN (SELECT value FROM json_each(:besides)) AND {_OWN} AND {_CURRENT} "
        "GROUP BY entities.seq"
    )
    rows = db.rows(
        "SELECT seq, name, facts FROM (SELECT seq, name, sum(n) OVER (PARTITION BY called) AS facts, "
        f"row_number() OVER (PARTITION BY called ORDER BY n DESC, seq) AS place FROM ({counted}) AS counted) AS named "
        "WHERE place = 1 ORDER BY facts DESC, seq",
        {"user": user_id, "agent": agent, "owner": owner, "besides": _json(besides)},
    )
    return [(seq, name, facts) for seq, name, facts in rows]


def _json(names: Sequence[str]) -> str:
    return json.dumps([name.lower() for name in names])


def facts_on(db: Connection, entity_id: str, agent: str | None, name: str, limit: int) -> list[Fact]:
    """Return current facts of an agent about an entity: those that begin with its name first, then the surest."""
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM facts "
        f"WHERE id IN (SELECT source_id FROM relations WHERE target_id = :entity AND {_ABOUT}) "
        f"AND {_OWN} AND {_CURRENT} "
        "ORDER BY instr(claim, :name) = 1 DESC, facts.confidence DESC, facts.salience DESC, facts.seq DESC "
        "LIMIT :limit",
        {"entity": entity_id, "agent": agent, "name": name, "limit": limit},
    )
    return read_all(db, FACT, rows)


def rules(db: Connection, user_id: str, agent: str | None, *, now: int, limit: int) -> tuple[int, list[Fact]]:
    """Return (number of an agent's constraints that hold now, the first of them): pinned, those of `_global`, and the
    most recalled ones come first."""
    where = (
        f"facts.user_id = :user AND facts.category = 'constraint' AND {_OWN} AND {_CURRENT} "
        "AND ifnull(temporal, '') != 'past' AND ifnull(valid_to, :now + 1) > :now"
    )
    params = {"user": user_id, "agent": agent, "now": now}
    total: int = db.value(f"SELECT count(*) FROM facts WHERE {where}", params)
    rows = db.rows(
        f"SELECT {columns_of(FACT, qualified=True)} FROM facts LEFT JOIN usage USING (seq) WHERE {where} "
        "ORDER BY pinned DESC, channel = '_global' DESC, ifnull(access_count, 0) DESC, confidence DESC, facts.seq "
        "LIMIT :limit",
        params | {"limit": limit},
    )
    return total, read_all(db, FACT, rows)


def topics(
    db: Connection, user_id: str, channel: str, agent: str | None, *, besides: Sequence[str], limit: int
) -> list[str]:
    """Return the names of the things that an agent's facts of a channel are most about, without people."""
    rows = db.rows(
        "SELECT (SELECT name FROM entities WHERE seq = first) FROM (SELECT min(entities.seq) AS first, count(*) AS n "
        f"FROM facts JOIN relations ON source_id = facts.id AND {_ABOUT} "
        "JOIN entities ON entities.id = target_id "
        f"WHERE facts.user_id = :user AND facts.channel = :channel AND {_OWN} AND {_CURRENT} "
        "AND entities.type != 'Person' AND lower(name) NOT IN (SELECT value FROM json_each(:besides)) "
        "GROUP BY lower(name)) AS named ORDER BY n DESC, first LIMIT :limit",
        {"user": user_id, "channel": channel, "agent": agent, "besides": _json(besides), "limit": limit},
    )
    return [name for (name,) in rows]


def contradictions(
    db: Connection, user_id: str, agent: str | None, limit: int
) -> tuple[int, list[tuple[Proposal, Fact, Fact]]]:
    """Return (number of open contradictions that a fact of an agent is part of, the newest of them with the newer and
    the older fact)."""
    columns = columns_of(PROPOSAL, qualified=True)
    rows = db.rows(
        f"SELECT {columns} FROM proposals JOIN facts AS newer ON newer.id = subject_id "
        "JOIN facts AS older ON older.id = other_id WHERE proposals.user_id = :user AND status = 'open' "
        "AND proposals.type = 'contradiction' AND proposals.retired_at IS NULL "
        "AND newer.retired_at IS NULL AND newer.superseded_by IS NULL "
        "AND older.retired_at IS NULL AND older.superseded_by IS NULL "
        "AND (newer.agent_id = :agent OR older.agent_id = :agent OR :agent IS NULL) ORDER BY proposals.seq DESC",
        {"user": user_id, "agent": agent},
    )
    shown = read_all(db, PROPOSAL, rows[:limit])
    ids = [id for each in shown for id in (each.subject_id, each.other_id or "")]
    sides = {each.id: each for each in many(db, FACT, "id", ids)}
    pairs = ((each, sides.get(each.subject_id), sides.get(each.other_id or "")) for each in shown)
    return len(rows), [(asked, newer, older) for asked, newer, older in pairs if newer and older]


def uncompared(db: Connection, user_id: str, agent: str | None) -> int:
    """Return the number of an agent's imported facts that no checkup has compared with the others yet."""
    found: int = db.value(
        f"SELECT count(*) FROM facts WHERE user_id = :user AND source = 'import' AND {_OWN} AND {_CURRENT} "
        "AND created_at > ifnull((SELECT max(started_at) FROM job_runs WHERE job = 'checkup' AND NOT dry "
        "AND state = 'done'), 0)",
        {"user": user_id, "agent": agent},
    )
    return found


def facts_by_document(db: Connection, document_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return (current facts that are read from its lines, number of those lines) of each of these files."""
    sql = (
        "SELECT target_id, count(DISTINCT facts.seq), count(DISTINCT properties ->> '$.line') "
        "FROM relations JOIN facts ON facts.id = source_id WHERE target_id IN (*) "
        f"AND relations.type = 'DERIVED_FROM' AND relations.retired_at IS NULL AND {_CURRENT} GROUP BY target_id"
    )
    return {id: (facts, lines) for id, facts, lines in rows_among(db, sql, document_ids)}


def turns_by_day(
    db: Connection, user_id: str, agent: str | None, *, since: int, offset_us: int
) -> dict[int, int]:
    """Return the number of turns of an agent's conversations since a time, by day. offset_us: of the viewer's zone from
    UTC; days are counted from 1970 in that zone."""
    rows = db.rows(
        "SELECT (created_at + :offset) / 86400000000, count(*) FROM turns INDEXED BY turns_time "
        "WHERE user_id = :user AND created_at >= :since AND (agent_id = :agent OR :agent IS NULL) "
        "AND retired_at IS NULL GROUP BY 1",
        {"user": user_id, "agent": agent, "since": since, "offset": offset_us},
    )
    return dict(rows)


def import_of(db: Connection, workspace_id: str) -> int | None:
    """Return the newest change of the run that added a folder, None if the folder was undone or added by no import."""
    found: int | None = db.value(
        "SELECT max(id) FROM changes WHERE run = (SELECT changes.run FROM edits JOIN changes ON changes.id = change "
        "WHERE record = ? AND op = 'import' ORDER BY change LIMIT 1) AND undone_by IS NULL",
        (workspace_id,),
    )
    return found
