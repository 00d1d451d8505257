"""Recall events and use statistics: who recalled which memory, how often, and how strong it still is.

Use is stored separately from the record: a counter inside it would make every undo after a recall a
Conflict."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from memdesk.model.entity import ENTITY, Entity
from memdesk.model.fact import FACT
from memdesk.model.kind import SEARCHED
from memdesk.model.kinds import BY_NAME, PASSAGE
from memdesk.model.message import Message, message, verbatim
from memdesk.model.turn import TURN, Turn
from memdesk.store import fading, search
from memdesk.store.connection import Connection, Foreseen, marks
from memdesk.store.counters import count_event
from memdesk.store.journal import Journal
from memdesk.store.records import among, chunks, columns_of, read_all, read_among, rows_among
from memdesk.store.search import Scope
from memdesk.store.semantic import tagged

FLOAT64 = 8
AGENT = "agent:"
"""Prefix of the author of an agent's events."""
SUBJECT_OF_FACT = (
    "JOIN relations ON source_id = facts.id AND relations.type = 'ABOUT' AND relations.retired_at IS NULL "
    "JOIN entities ON entities.id = target_id"
)


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


ASKED_SHOWN = 60
"""Characters of a query in the title of its recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEvent:
    """Recall to record. `crossed`: how many of its hits came from another channel than the one queried.

    channels: those that were searched. session_id: the session of the agent that asked. subjects: salience from now on
    of the entities that recalled facts are about, by search number."""

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
    subjects: Mapping[int, float] = field(default_factory=dict)


def title_of(query: str, found: int, *, strategies: bool = False) -> Message:
    """Return the title of a recall, by what was asked and how much was found."""
    flat = " ".join(query.split())
    asked = flat if len(flat) <= ASKED_SHOWN else flat[: ASKED_SHOWN - 1] + "…"
    if strategies:
        if found == 1:
            return message("“{task_description}” → 1 strategy", task_description=asked)
        return message("“{task_description}” → {count} strategies", task_description=asked, count=found)
    if found == 1:
        return message("“{query}” → 1 hit", query=asked)
    return message("“{query}” → {count} hits", query=asked, count=found)


def titles(db: Connection, numbers: Sequence[int]) -> dict[int, Message]:
    """Return the titles of recalls by their number, without those whose records were erased since."""
    rows = db.rows(
        "SELECT id, title, query, (SELECT count(*) FROM recalled WHERE recall = recalls.id) FROM recalls "
        f"WHERE id IN ({marks(numbers)})",
        numbers,
    )
    title_of_seq = {
        number: (text, title_of(query, found), title_of(query, found, strategies=True))
        for number, text, query, found in rows
    }
    return {
        number: hits if text == hits else strategies if text == strategies else verbatim(text)
        for number, (text, hits, strategies) in title_of_seq.items()
        if text
    }


def record(db: Connection, journal: Journal, event: RecallEvent) -> int:
    """Record a recall, and reinforce the memories it returned to an agent. Returns the event's number.

    A person's recall reinforces nothing: only memory returned to an agent counts as used."""
    number = journal.next_id()
    event = replace(event, title=db.guard(event.title, "", ""), query=db.guard(event.query, "", ""))
    db.send(
        "INSERT INTO recalls (id, at, title, author, channel, user_id, conversation_id, query, took_us, crossed) "
        "VALUES (?,?,?,?,?,?,?,?,?,?)",
        (
            number,
            event.at,
            event.title,
            event.author,
            event.channel,
            event.user_id,
            event.conversation_id,
            event.query,
            event.took_us,
            event.crossed,
        ),
    )
    db.run_many(
        "INSERT INTO recalled (recall, position, seq, score) VALUES (?,?,?,?)",
        [(number, position, hit.seq, hit.score) for position, hit in enumerate(event.hits)],
    )
    if event.author.startswith(AGENT):
        _reinforce(db, event)
    count_event(db, number, event.at, "recall", "episodic", event.author, event.channel, event.user_id)
    journal.audit.recalled(
        number,
        at=event.at,
        crossed=event.crossed,
        trace={"hits": _trace(event)},
        author=event.author,
        user_id=event.user_id,
        session_id=event.session_id,
        conversation_id=event.conversation_id,
        source_channel=event.channel,
        target_channels=json.dumps(event.channels or (event.channel,), ensure_ascii=False),
        query_text=event.query,
        result_count=len(event.hits),
        latency_us=event.took_us,
    )
    return number


def _trace(event: RecallEvent) -> list[dict[str, Any]]:
    """Return every hit with the parts of its score, which a verbose audit log adds."""
    return [{"seq": hit.seq, "score": hit.score, "parts": dict(hit.parts)} for hit in event.hits]


def _reinforce(db: Connection, event: RecallEvent) -> None:
    db.run_many(
        "INSERT INTO usage (seq, access_count, last_accessed, salience) VALUES (?,1,?,?) "
        "ON CONFLICT (seq) DO UPDATE SET access_count = usage.access_count + 1, "
        "last_accessed = excluded.last_accessed, salience = excluded.salience",
        [(hit.seq, event.at, hit.salience) for hit in event.hits],
    )
    db.run_many(
        "INSERT INTO usage (seq, access_count, last_accessed, salience) VALUES (?,0,?,?) "
        "ON CONFLICT (seq) DO UPDATE SET last_accessed = excluded.last_accessed, salience = excluded.salience",
        [(seq, event.at, salience) for seq, salience in event.subjects.items()],
    )
    fading.follow_use(db, [*(hit.seq for hit in event.hits), *event.subjects])


def subjects_of(db: Connection, seqs: Sequence[int]) -> list[Entity]:
    """Return the current entities that facts with these search numbers are about, without those among `seqs`."""
    columns = columns_of(ENTITY, qualified=True)
    rows = db.rows(
        f"SELECT DISTINCT {columns} FROM facts {SUBJECT_OF_FACT} WHERE facts.seq IN ({marks(seqs)}) "
        f"AND entities.retired_at IS NULL AND entities.seq NOT IN ({marks(seqs)})",
        (*seqs, *seqs),
    )
    return read_all(db, ENTITY, rows)


def uses(db: Connection, seqs: Sequence[int]) -> dict[int, Use]:
    """Return use by search number; memories never recalled are left out."""
    return {
        seq: Use(access_count=count, last_accessed=last, salience=salience)
        for seq, count, last, salience in rows_among(db, _USES, seqs)
    }


_USES = "SELECT seq, access_count, last_accessed, salience FROM usage WHERE seq IN (*)"


def candidates(db: Connection, scope: Scope, seqs: Sequence[int], model: str) -> dict[str, list[int]]:
    """Return `search.kinds_of` these; over a network, what is read next of most of them comes in the same round trip:
    use, facts and the vectors by a model."""
    foreseen = Foreseen()
    search.kinds_of(foreseen, scope, seqs)
    facts = {(among(FACT, "seq"), ()): seqs} if FACT.name in scope.kinds else {}
    read_among(db, {(_USES, ()): seqs, **facts, (search.VECTORS, (model,)): seqs}, foreseen.reads)
    return search.kinds_of(db, scope, seqs)


def recall_times(db: Connection, seqs: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """Return (time, author) of every recall that returned these memories to an agent, oldest first."""
    found: dict[int, list[tuple[int, str]]] = {seq: [] for seq in seqs}
    for chunk in chunks(seqs):
        for seq, at, author in db.rows(
            "SELECT recalled.seq, recalls.at, recalls.author FROM recalled JOIN recalls ON recalls.id = recall "
            f"WHERE recalled.seq IN ({marks(chunk)}) AND author LIKE ? "
            "ORDER BY recall",
            (*chunk, f"{AGENT}%"),
        ):
            found[seq].append((at, author))
    return found


def lift_times(db: Connection, seqs: Sequence[int], since: int) -> dict[int, list[int]]:
    """Return the times since a time at which agents recalled current facts about these entities, but not the entity
    itself, oldest first; entities without any are left out."""
    found: dict[int, list[int]] = {}
    for chunk in chunks(seqs):
        for seq, at in db.rows(
            f"SELECT DISTINCT entities.seq, recalls.at FROM facts {SUBJECT_OF_FACT} "
            "JOIN recalled ON recalled.seq = facts.seq JOIN recalls ON recalls.id = recall "
            f"WHERE entities.seq IN ({marks(chunk)}) AND recalls.at >= ? AND author LIKE ? "
            "AND recalls.at > (SELECT lifts_from FROM upkeep) AND NOT EXISTS "
            "(SELECT 1 FROM recalled AS itself WHERE itself.recall = recalls.id AND itself.seq = entities.seq) "
            "ORDER BY recalls.at",
            (*chunk, since, f"{AGENT}%"),
        ):
            found.setdefault(seq, []).append(at)
    return found


def recalled_by(db: Connection, seq: int) -> list[tuple[str, int, int]]:
    """Return (agent, times, last time) of the recalls that returned a memory to agents, most often first."""
    return [
        (author, times, last)
        for author, times, last in db.rows(
            "SELECT author, count(*), max(at) FROM recalled JOIN recalls ON recalls.id = recall WHERE seq = ? "
            "AND author LIKE ? GROUP BY author ORDER BY 2 DESC, 1",
            (seq, f"{AGENT}%"),
        )
    ]


def returned(db: Connection, recall: int) -> list[int]:
    """Return search numbers of the memories a recall returned, best first."""
    return [
        row[0] for row in db.rows("SELECT seq FROM recalled WHERE recall = ? ORDER BY position", (recall,))
    ]


AGENTS = f"{AGENT}*"
_FIRST = "(SELECT id FROM recalls WHERE at < :since ORDER BY id DESC LIMIT 1)"
_SINCE = f"FROM recalls WHERE id > ifnull({_FIRST}, 0) AND at >= :since AND author GLOB :agents"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRecall:
    """Recall that an agent made: its query and where it was asked, the last time."""

    query: str
    agent: str
    channel: str
    user_id: str
    conversation_id: str | None
    at: int


def count_since(db: Connection, since: int) -> int:
    """Return the number of recalls by agents since a time."""
    return int(db.value(f"SELECT count(*) {_SINCE}", {"since": since, "agents": AGENTS}))


def worth_asking(db: Connection, seqs: Sequence[int], *, since: int, limit: int) -> list[PastRecall]:
    """Return recalls by agents since a time, each query once: those that returned one of these memories first, then the
    newest."""
    rows = db.rows(
        f"SELECT query, author, channel, user_id, max(conversation_id), max(at) {_SINCE} AND query != '' "
        "GROUP BY query, author, channel, user_id ORDER BY max(iif(id IN (SELECT recall FROM recalled "
        "WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(:seqs))), 1, 0)) DESC, max(id) DESC LIMIT :limit",
        {"since": since, "agents": AGENTS, "seqs": json.dumps(list(seqs)), "limit": limit},
    )
    return [
        PastRecall(
            query=query,
            agent=author.removeprefix(AGENT),
            channel=channel,
            user_id=user_id,
            conversation_id=conversation_id,
            at=at,
        )
        for query, author, channel, user_id, conversation_id, at in rows
    ]


def returned_since(db: Connection, seqs: Sequence[int], since: int) -> set[int]:
    """Return which of these memories agents were given since a time."""
    rows = db.rows(
        "SELECT DISTINCT seq FROM recalled WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(:seqs)) "
        f"AND recall IN (SELECT id {_SINCE})",
        {"since": since, "agents": AGENTS, "seqs": json.dumps(list(seqs))},
    )
    return {seq for (seq,) in rows}


def success_rates(db: Connection, seqs: Sequence[int]) -> dict[int, float]:
    """Return the share of successes among the uses of each strategy; those never used are left out."""
    sql = (
        "SELECT strategies.seq, avg(success) FROM strategies JOIN outcomes ON strategy_id = strategies.id "
        "WHERE strategies.seq IN (*) AND outcomes.retired_at IS NULL GROUP BY strategies.seq"
    )
    return {seq: float(rate) for seq, rate in rows_among(db, sql, seqs)}


_TABLES = {
    **{name: (BY_NAME[name].table, "created_at") for name in SEARCHED if name != PASSAGE},
    PASSAGE: ("passages JOIN documents ON documents.id = document_id", "updated_at"),
}
"""Tables of the kinds that a recall returns, with their time columns."""
USED_LOOKED_AT = 4_000
"""Number of the desk's most, or most recently, recalled memories that are searched for those of a channel.
Without this limit a prompt in a rarely used channel would read all memories ever recalled in the others."""


def stamp(db: Connection) -> tuple[int, int]:
    """Return a value that changes with every change of memory and every new vector, but not with recalls."""
    head = search.head(db)
    return head.change, head.embedding


def stored_between(
    db: Connection, scope: Scope, since: int | None, until: int | None, limit: int
) -> list[int]:
    """Return search numbers of the newest memories of each kind within a time, [since, until), newest first."""
    found: list[int] = []
    for kind in scope.kinds:
        if kind in _TABLES:
            table, column = _TABLES[kind]
            low, high = (f"{column} >= ?", f"{column} < ?")
            span = (-(2**62) if since is None else since, 2**62 if until is None else until)
            found += _newest(db, scope, table, f"{low} AND {high}", span, column, limit)
    return found


def in_categories(db: Connection, scope: Scope, categories: Sequence[str], limit: int) -> list[int]:
    """Return search numbers of the newest current facts of these categories, ignoring case."""
    wanted = tuple(name.lower() for name in categories)
    where = f"lower(category) IN ({marks(wanted)}) AND superseded_by IS NULL"
    return _newest(db, scope, "facts", where, wanted, "created_at", limit)


def records_tagged(db: Connection, user_id: str, tags: Sequence[str], limit: int) -> list[int]:
    """Return search numbers of the newest records of a user that have any of these tags."""
    rows = rows_among(db, "SELECT seq FROM records WHERE id IN (*)", sorted(tagged(db, user_id, tags)))
    return sorted((seq for (seq,) in rows), reverse=True)[:limit]


def facts_about(
    db: Connection, entity_ids: Sequence[str], *, user_id: str, channels: Sequence[str], most: int
) -> list[tuple[int, str, float]]:
    """Return (search number, entity, confidence of the relation) of current facts about these entities.

    Ordered by confidence, then salience; only the `most` newest relations are read."""
    rows = db.rows(
        "WITH ties AS (SELECT source_id, target_id, confidence FROM relations WHERE retired_at IS NULL "
        f"AND type = 'ABOUT' AND target_id IN ({marks(entity_ids)}) ORDER BY seq DESC LIMIT ?) "
        "SELECT facts.seq, target_id, ties.confidence FROM ties JOIN facts ON facts.id = source_id "
        "LEFT JOIN usage ON usage.seq = facts.seq WHERE retired_at IS NULL AND superseded_by IS NULL "
        f"AND user_id = ? AND channel IN ({marks(channels)}) "
        "ORDER BY facts.confidence DESC, ifnull(usage.salience, facts.salience) DESC, facts.seq DESC",
        (*entity_ids, most, user_id, *channels),
    )
    return [(seq, entity, confidence) for seq, entity, confidence in rows]


def related_entities(
    db: Connection, entity_ids: Sequence[str], *, user_id: str, channels: Sequence[str], most: int
) -> list[tuple[str, str, int, float]]:
    """Return (near, far, search number of the far one, confidence) of current relations that lead to another
    entity."""
    found: list[tuple[str, str, int, float]] = []
    for near, far in (("source_id", "target_id"), ("target_id", "source_id")):
        rows = db.rows(
            f"SELECT {near}, {far}, entities.seq, relations.confidence FROM relations "
            f"JOIN entities ON entities.id = {far} WHERE {near} IN ({marks(entity_ids)}) "
            "AND relations.retired_at IS NULL AND entities.retired_at IS NULL "
            f"AND entities.user_id = ? AND entities.channel IN ({marks(channels)}) "
            "ORDER BY relations.seq DESC LIMIT ?",
            (*entity_ids, user_id, *channels, most),
        )
        found.extend((row[0], row[1], row[2], row[3]) for row in rows)
    return found[:most]


def centroids(db: Connection, user_id: str, channels: Sequence[str]) -> dict[str, npt.NDArray[np.float64]]:
    """Return the centroid of each category's facts over these channels, as a unit vector. Damaged sums are left
    out: so many unit vectors are not longer than their number."""
    sums: dict[str, npt.NDArray[np.float64]] = {}
    rows = db.rows(
        f"SELECT category, facts, total FROM categories WHERE user_id = ? AND channel IN ({marks(channels)}) "
        "AND length(total) = ? * (SELECT dimension FROM embedder)",
        (user_id, *channels, FLOAT64),
    )
    with np.errstate(over="ignore", invalid="ignore"):
        for category, facts, total in rows:
            vector = np.frombuffer(total, np.float64)
            if np.sqrt(vector @ vector) < facts + 1:
                sums[category] = sums[category] + vector if category in sums else vector
    lengths = {category: float(np.sqrt(total @ total)) for category, total in sums.items()}
    return {category: total / lengths[category] for category, total in sums.items() if lengths[category] > 0}


def passage_of(db: Connection, document_id: str, lines: str) -> tuple[int, str] | None:
    """Return (search number, text) of the passage of a document with these lines, such as "3-9"; None if
    there is none."""
    row = db.row(
        "SELECT seq, text FROM passages WHERE document_id = ? AND first_line || '-' || last_line = ?",
        (document_id, lines),
    )
    return None if row is None else (row[0], row[1])


def last_turns(db: Connection, user_id: str, conversation_id: str, limit: int) -> list[Turn]:
    """Return the last turns of a user's conversation, oldest first."""
    rows = db.rows(
        f"SELECT {columns_of(TURN)} FROM turns WHERE conversation_id = ? AND user_id = ? "
        "AND retired_at IS NULL ORDER BY turn_index DESC LIMIT ?",
        (conversation_id, user_id, limit),
    )
    return read_all(db, TURN, reversed(rows))


def strong_candidates(
    db: Connection, table: str, user_id: str, channels: Sequence[str], since: int, limit: int
) -> list[int]:
    """Return search numbers of current facts or entities that may be strong: pinned, or recalled or set since
    a time.

    table: `facts` or `entities`. At most `limit` each of the desk's most and latest recalled ones, and for
    each channel `limit` of the latest set and as many pinned."""
    current = "retired_at IS NULL" + (" AND superseded_by IS NULL" if table == "facts" else "")
    found: dict[int, None] = {}
    # CROSS JOIN keeps SQLite to the order written: from what was used, however many there are, to the few that count.
    for order in ("access_count", "last_accessed"):
        used = db.rows(
            f"SELECT used.seq FROM (SELECT seq, last_accessed FROM usage ORDER BY {order} DESC, seq DESC LIMIT ?) "
            f"AS used CROSS JOIN {table} USING (seq) WHERE user_id = ? AND {current} "
            f"AND channel IN ({marks(channels)}) AND (pinned OR salience_at >= ? OR last_accessed >= ?) LIMIT ?",
            (USED_LOOKED_AT, user_id, *channels, since, since, limit),
        )
        found.update((row[0], None) for row in used)
    for channel in channels:
        for index, condition, params in (("set", "salience_at >= ?", (since,)), ("pinned", "pinned", ())):
            rows = db.rows(
                f"SELECT seq FROM {table} INDEXED BY {table}_{index} WHERE user_id = ? AND channel = ? AND {current} "
                f"AND {condition} ORDER BY salience_at DESC, seq DESC LIMIT ?",
                (user_id, channel, *params, limit),
            )
            found.update((row[0], None) for row in rows)
    return list(found)


def _newest(
    db: Connection, scope: Scope, table: str, where: str, params: Sequence[Any], column: str, limit: int
) -> list[int]:
    rows = db.rows(
        f"SELECT {table.partition(' ')[0]}.seq FROM {table} WHERE user_id = ? "
        f"AND channel IN ({marks(scope.channels)}) AND retired_at IS NULL AND {where} "
        f"ORDER BY {column} DESC LIMIT ?",
        (scope.user_id, *scope.channels, *params, limit),
    )
    return [row[0] for row in rows]
