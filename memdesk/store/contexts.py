"""Reads of sessions and compactions: active compactions, archived turns, and facts derived from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.model.context import COMPACTION, Compaction, ListCompactions
from memdesk.model.fact import FACT, Fact
from memdesk.model.prompt import ContextPiece, ListSeen
from memdesk.model.session import SESSION, Session
from memdesk.model.turn import TURN, Turn
from memdesk.store.connection import Connection, Row, conditions, marks
from memdesk.store.records import columns_of, read, read_all


def active_compactions(db: Connection, conversation_id: str) -> list[Compaction]:
    """Return the compactions of a conversation that were not undone, newest first."""
    sql = (
        f"SELECT {columns_of(COMPACTION)} FROM compactions WHERE conversation_id = ? AND retired_at IS NULL "
        "ORDER BY seq DESC"
    )
    return _compactions(db, sql, (conversation_id,))


def compactions(
    db: Connection, wanted: ListCompactions, *, retired: bool | None, before: int | None
) -> list[Compaction]:
    """Return compactions, newest first. retired: None for all. before: only numbers under this one."""
    compared = {
        "user_id = ?": wanted.user_id,
        "conversation_id = ?": wanted.conversation_id,
        "session_id = ?": wanted.session_id,
        "seq < ?": before,
    }
    where, params = conditions(compared, {"channel": wanted.channels, "agent_id": wanted.agents})
    if retired is not None:
        where += f" AND retired_at IS {'NOT ' if retired else ''}NULL"
    sql = f"SELECT {columns_of(COMPACTION)} FROM compactions WHERE {where} ORDER BY seq DESC LIMIT ?"
    return _compactions(db, sql, (*params, wanted.limit))


def turns_between(
    db: Connection, conversation_id: str, first: int, last: int, *, skip: int = 0, limit: int = -1
) -> list[Turn]:
    """Return the turns of a conversation from one index to another, both included, retired ones too, in
    order."""
    rows = db.rows(
        f"SELECT {columns_of(TURN)} FROM turns WHERE conversation_id = ? AND turn_index BETWEEN ? AND ? "
        "ORDER BY turn_index LIMIT ? OFFSET ?",
        (conversation_id, first, last, limit, skip),
    )
    return read_all(db, TURN, rows)


def facts_of(
    db: Connection, conversation_id: str, first: int, last: int
) -> dict[str, tuple[Fact, list[int]]]:
    """Return current facts that were derived from these turns, with the indexes of the turns, by fact id."""
    columns = columns_of(FACT, qualified=True)
    rows = db.rows(
        f"SELECT turn_index, {columns} FROM turns JOIN relations ON target_id = turns.id AND type = 'DERIVED_FROM' "
        "AND relations.retired_at IS NULL JOIN facts ON facts.id = relations.source_id "
        "WHERE turns.conversation_id = ? AND turn_index BETWEEN ? AND ? AND facts.retired_at IS NULL "
        "AND superseded_by IS NULL ORDER BY turn_index, facts.seq",
        (conversation_id, first, last),
    )
    found: dict[str, tuple[Fact, list[int]]] = {}
    for index, *row in rows:
        if (fact := read(db, FACT, row)) is not None:
            found.setdefault(fact.id, (fact, []))[1].append(index)
    return found


def turn_count(db: Connection, conversation_id: str) -> tuple[int, int | None]:
    """Return (number of turns of a conversation, time of the last one)."""
    row = db.row("SELECT count(*), max(created_at) FROM turns WHERE conversation_id = ?", (conversation_id,))
    return (0, None) if row is None else (row[0], row[1])


def last_turn(db: Connection, conversation_id: str) -> Turn | None:
    """Return the last current turn of a conversation; None if it has none."""
    row = db.row(
        f"SELECT {columns_of(TURN)} FROM turns WHERE conversation_id = ? AND retired_at IS NULL "
        "ORDER BY turn_index DESC LIMIT 1",
        (conversation_id,),
    )
    return None if row is None else read(db, TURN, row)


def sessions(
    db: Connection, user_id: str, channels: Sequence[str], agent_id: str | None, limit: int
) -> list[Session]:
    """Return a user's sessions, the one whose conversation had the latest turn first."""
    compared = {
        "sessions.user_id = ? AND sessions.retired_at IS NULL": user_id,
        "sessions.agent_id = ?": agent_id,
    }
    where, params = conditions(compared, {"sessions.channel": channels})
    columns = columns_of(SESSION, qualified=True)
    rows = db.rows(
        f"SELECT {columns} FROM sessions WHERE {where} ORDER BY "
        "ifnull((SELECT max(created_at) FROM turns WHERE turns.conversation_id = sessions.conversation_id), "
        "sessions.created_at) DESC, seq DESC LIMIT ?",
        (*params, limit),
    )
    return read_all(db, SESSION, rows)


def _compactions(db: Connection, sql: str, params: Sequence[object]) -> list[Compaction]:
    return read_all(db, COMPACTION, db.rows(sql, params))


_COLUMNS = (
    "id, at, author, user_id, channel, agent_id, session_id, conversation_id, turn_index, query, budget_tokens, "
    "tokens, format, took_us"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenContext:
    """Context given to an agent once. id: None before it is stored."""

    at: int
    author: str
    user_id: str
    channel: str
    agent_id: str | None
    session_id: str | None
    conversation_id: str | None
    turn_index: int | None
    query: str
    budget_tokens: int
    tokens: int
    format: str
    took_us: int
    id: int | None = None


def keep(db: Connection, given: GivenContext, pieces: Sequence[ContextPiece]) -> None:
    """Store a given context with its pieces."""
    number = db.value(
        "INSERT INTO prompts (at, author, user_id, channel, agent_id, session_id, conversation_id, turn_index, query, "
        "budget_tokens, tokens, format, took_us) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
        (
            given.at,
            given.author,
            given.user_id,
            given.channel,
            given.agent_id,
            given.session_id,
            given.conversation_id,
            given.turn_index,
            db.guard(given.query, "", ""),
            given.budget_tokens,
            given.tokens,
            given.format,
            given.took_us,
        ),
    )
    texts = [db.guard(piece.text, "", "") for piece in pieces]
    # Texts are kept once for all who were given the same.
    with db.as_owner():
        rows = [
            (
                number,
                n,
                piece.name,
                piece.source,
                piece.tokens,
                int(piece.cut),
                json.dumps(piece.ids),
                _text(db, text),
            )
            for n, (piece, text) in enumerate(zip(pieces, texts, strict=True))
        ]
        db.run_many(
            "INSERT INTO prompt_pieces (prompt, n, name, source, tokens, cut, ids, text) VALUES (?,?,?,?,?,?,?,?)",
            rows,
        )


def list_contexts(
    db: Connection, wanted: ListSeen, since: int | None, limit: int
) -> list[tuple[GivenContext, dict[str, int]]]:
    """Return given contexts with the names of their pieces and the number of memories in each, newest first."""
    compared = {
        "user_id = ?": wanted.user_id,
        "session_id = ?": wanted.session_id,
        "conversation_id = ?": wanted.conversation_id,
        "turn_index <= ?": wanted.turn_index,
        "id < ?": int(wanted.after) if wanted.after else None,
        "at >= ?": since,
    }
    where, params = conditions(compared, {"author": [f"agent:{name}" for name in wanted.agents]})
    sql = f"SELECT {_COLUMNS} FROM prompts WHERE {where} ORDER BY id DESC LIMIT ?"
    found = [_context_of(row) for row in db.rows(sql, (*params, limit))]
    pieces: dict[int, dict[str, int]] = {}
    for number, name, count in db.rows(
        "SELECT prompt, name, json_array_length(ids) FROM prompt_pieces "
        f"WHERE prompt IN ({marks(found)}) ORDER BY prompt, n",
        [each.id for each in found],
    ):
        pieces.setdefault(number, {})[name] = count
    return [(each, pieces.get(each.id or 0, {})) for each in found]


def count_contexts(db: Connection, user_id: str, since: int) -> list[tuple[str, int, float]]:
    """Return (author, number of contexts given since a time, microseconds one took on average)."""
    return db.rows(
        "SELECT author, count(*), avg(took_us) FROM prompts INDEXED BY prompts_time "
        "WHERE at >= ? AND user_id = ? GROUP BY author ORDER BY author",
        (since, user_id),
    )


def find_context(
    db: Connection, id: int, user_id: str
) -> tuple[GivenContext, tuple[ContextPiece, ...]] | None:
    """Return one given context with its pieces, None if this user has none with this id."""
    row = db.row(f"SELECT {_COLUMNS} FROM prompts WHERE id = ? AND user_id = ?", (id, user_id))
    if row is None:
        return None
    pieces = db.rows(
        "SELECT name, source, body, tokens, cut, ids FROM prompt_pieces JOIN prompt_texts ON prompt_texts.id = text "
        "WHERE prompt = ? ORDER BY n",
        (id,),
    )
    return _context_of(row), tuple(
        ContextPiece(
            name=name, source=source, text=body, tokens=tokens, cut=bool(cut), ids=tuple(json.loads(ids))
        )
        for name, source, body, tokens, cut, ids in pieces
    )


def forget(db: Connection, *, before: int | None = None, user_id: str | None = None) -> int:
    """Delete contexts given before a time, or to a user's agents; return how many there were."""
    condition, value = ("at < ?", before) if user_id is None else ("user_id = ?", user_id)
    db.run(f"DELETE FROM prompt_pieces WHERE prompt IN (SELECT id FROM prompts WHERE {condition})", (value,))
    gone = db.run(f"DELETE FROM prompts WHERE {condition}", (value,))
    if gone:
        db.run(
            "DELETE FROM prompt_texts WHERE NOT EXISTS (SELECT 1 FROM prompt_pieces WHERE text = prompt_texts.id)"
        )
    return gone


def _text(db: Connection, body: str) -> int:
    """Return the number of a text, which is stored now if it is new."""
    hash = hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = db.value("SELECT id FROM prompt_texts WHERE hash = ?", (hash,))
    if known is None:
        known = db.value("INSERT INTO prompt_texts (hash, body) VALUES (?,?) RETURNING id", (hash, body))
    return int(known)


def _context_of(row: Row) -> GivenContext:
    id, at, author, user, channel, agent, session, talk, turn, query, budget, tokens, format, took = row
    return GivenContext(
        id=id,
        at=at,
        author=author,
        user_id=user,
        channel=channel,
        agent_id=agent,
        session_id=session,
        conversation_id=talk,
        turn_index=turn,
        query=query,
        budget_tokens=budget,
        tokens=tokens,
        format=format,
        took_us=took,
    )
