"""Log of the contexts that agents were given before their turns: each with its pieces, and each text stored
once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.prompt import ContextPiece
from memdesk.store.connection import Connection, Row, marks

_COLUMNS = (
    "id, at, author, user_id, channel, agent_id, session_id, conversation_id, turn_index, query, budget_tokens, "
    "tokens, format, took_us"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldFilter:
    """Filter of given contexts. before: only ids under this one. up_to_turn: only turns up to this one."""

    user_id: str
    session_id: str | None = None
    conversation_id: str | None = None
    up_to_turn: int | None = None
    authors: tuple[str, ...] = ()
    before: int | None = None


def keep(db: Connection, told: Told, pieces: Sequence[ContextPiece]) -> None:
    """Store a given context with its pieces."""
    number = db.value(
        "INSERT INTO prompts (at, author, user_id, channel, agent_id, session_id, conversation_id, turn_index, query, "
        "budget_tokens, tokens, format, took_us) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
        (told.at, told.author, told.user_id, told.channel, told.agent_id, told.session_id, told.conversation_id,
         told.turn_index, told.query, told.budget_tokens, told.tokens, told.format, told.took_us),
    )  # fmt: skip
    rows = [
        (
            number,
            n,
            piece.name,
            piece.source,
            piece.tokens,
            int(piece.cut),
            json.dumps(piece.ids),
            _text(db, piece.text),
        )
        for n, piece in enumerate(pieces)
    ]
    db.run_many(
        "INSERT INTO prompt_pieces (prompt, n, name, source, tokens, cut, ids, text) VALUES (?,?,?,?,?,?,?,?)",
        rows,
    )


def listed(db: Connection, wanted: ToldFilter, limit: int) -> list[tuple[Told, tuple[str, ...]]]:
    """Return given contexts with the names of their pieces, newest first."""
    where, params = ["user_id = ?"], list[Any]([wanted.user_id])
    for condition, value in (
        ("session_id = ?", wanted.session_id),
        ("conversation_id = ?", wanted.conversation_id),
        ("turn_index <= ?", wanted.up_to_turn),
        ("id < ?", wanted.before),
    ):
        if value is not None:
            where.append(condition)
            params.append(value)
    if wanted.authors:
        where.append(f"author IN ({marks(wanted.authors)})")
        params.extend(wanted.authors)
    sql = f"SELECT {_COLUMNS} FROM prompts WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?"
    found = [_told(row) for row in db.rows(sql, (*params, limit))]
    names: dict[int, list[str]] = {}
    for number, name in db.rows(
        f"SELECT prompt, name FROM prompt_pieces WHERE prompt IN ({marks(found)}) ORDER BY prompt, n",
        [each.id for each in found],
    ):
        names.setdefault(number, []).append(name)
    return [(each, tuple(names.get(each.id or 0, ()))) for each in found]


def one(db: Connection, id: int, user_id: str) -> tuple[Told, tuple[ContextPiece, ...]] | None:
    """Return one given context with its pieces, None if this user has none with this id."""
    row = db.row(f"SELECT {_COLUMNS} FROM prompts WHERE id = ? AND user_id = ?", (id, user_id))
    if row is None:
        return None
    pieces = db.rows(
        "SELECT name, source, body, tokens, cut, ids FROM prompt_pieces JOIN prompt_texts ON prompt_texts.id = text "
        "WHERE prompt = ? ORDER BY n",
        (id,),
    )
    return _told(row), tuple(
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


def _told(row: Row) -> Told:
    id, at, author, user, channel, agent, session, talk, turn, query, budget, tokens, format, took = row
    return Told(
        id=id, at=at, author=author, user_id=user, channel=channel, agent_id=agent, session_id=session,
        conversation_id=talk, turn_index=turn, query=query, budget_tokens=budget, tokens=tokens, format=format,
        took_us=took,
    )  # fmt: skip
