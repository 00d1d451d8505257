"""Import of AgenticX's sessions.sqlite: messages as conversations, summaries as facts, todos as goals, and
the scratchpads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from memdesk.engine.interop import imported_records
from memdesk.engine.interop.batches import Chat, ImportedRecord, Item, Scratch, Source
from memdesk.engine.interop.chat_messages import Talk, chat_of
from memdesk.engine.interop.imported_records import Fields, instant_of, stable_id
from memdesk.engine.interop.reading import NOT_JSON, Peek, Row, parsed, rows_of, tables_of
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.message import message

_TABLES = ("session_messages", "session_summaries", "todos", "scratchpad")
_STATUSES = {"completed": "completed", "done": "completed", "cancelled": "abandoned", "canceled": "abandoned"}
_MARK = "\x1eagx-json-v1:"
"""Prefix of a scratchpad note that is JSON; a note without it is text."""


class AgenticX:
    """Records of a session that only AgenticX's database keeps; it rebuilds all others from files."""

    name = "agenticx sessions"
    reads = message("AgenticX's `sessions.sqlite`: messages, summaries as facts, todos as goals, scratchpads")

    def sniff(self, peek: Peek) -> bool:
        tables = tables_of(peek)
        return {"session_id", "key", "value"} <= tables.get("scratchpad", frozenset()) and (
            "session_summaries" in tables
        )

    def open(self, peek: Peek) -> Source:
        found, _ = rows_of(peek, *_TABLES)
        names = {row.get("session_id"): _about(row) for row in found["session_summaries"]}
        chats = dict(_chats(found["session_messages"], names, peek))
        summaries = [_summary(row, n, peek.name) for n, row in enumerate(found["session_summaries"], 1)]
        goals = [goal for n, row in enumerate(found["todos"], 1) for goal in _goals(row, n, chats, peek.name)]
        notes = tuple(_notes(found["scratchpad"], peek.name))
        items: list[Item] = [*chats.values(), *imported_records.batches("summaries", peek.name, summaries)]
        items += imported_records.batches("todos", peek.name, goals)
        items += [Scratch(name="scratchpads", file=peek.name, notes=notes)] if notes else []
        return Source.of(self.name, message("AgenticX sessions"), peek, *items)


def _chats(rows: list[Row], names: dict[Any, dict[str, Any]], peek: Peek) -> Iterator[tuple[str, Chat]]:
    sessions: dict[str, list[Fields]] = defaultdict(list)
    for number, row in enumerate(sorted(rows, key=_moment), 1):
        fields = Fields(row, message("{name}, message {count}", name=peek.name, count=number))
        sessions[fields.needed("session_id")].append(fields)
    for id, messages in sessions.items():
        # Its number and when it was indexed are the database's own affair.
        own = ("id", "indexed_at", "session_id")
        talk = Talk(id, about=names.get(id, {}))
        for each in messages:
            talk.hear({name: value for name, value in each.row.items() if name not in own}, each.where)
        if talk.messages:
            yield id, chat_of(peek, talk)


def _moment(row: Row) -> tuple[float, float, str]:
    """Return the sort key of a message: its time, or if that cannot be read its value, as a number and as a text."""
    at = row.get("timestamp")
    return instant_of(at) or 0, at if isinstance(at, int | float) else 0, str(at)


def _about(row: Row) -> dict[str, Any]:
    """Return the title and agent id of a session from its summary's metadata."""
    about = parsed(str(row.get("metadata") or "{}"))
    metadata = about if isinstance(about, dict) else {}
    return {"title": metadata.get("session_name"), "agent_id": metadata.get("avatar_id")}


def _summary(row: Row, number: int, file: str) -> ImportedRecord:
    fields = Fields(row, message("{file}, summary {count}", file=file, count=number))
    given = fields.optional("id")
    text, created = fields.needed("summary"), fields.at("created_at")
    id = given or f"{FACT.prefix}_{stable_id(fields.text('session_id'), text)}"
    kept = Fields({**fields.rest, "session_id": row.get("session_id"), "metadata": _plain(row)}, fields.where)
    agent = _about(row).get("agent_id")
    return imported_records.fact(
        id,
        text,
        kept,
        category="event",
        confidence=0.85,
        temporal="past",
        agent_id=agent if isinstance(agent, str) and agent else None,
        created_at=created,
    )


def _plain(row: Row) -> Any:
    value = parsed(str(row.get("metadata") or "null"))
    return row.get("metadata") if value is NOT_JSON else value


def _goals(row: Row, number: int, chats: dict[str, Chat], file: str) -> Iterator[ImportedRecord]:
    """Yield a session's list of todos as goals. A reworded todo is another goal."""
    session = Fields(row, message("{file}, todos {count}", file=file, count=number))
    id, description, at = (
        session.needed("session_id"),
        parsed(session.text("data") or "[]"),
        session.at("updated_at"),
    )
    if not isinstance(description, list):
        raise Refused(message("{where}: `data` is not a list.", where=session.where))
    for todo in Fields({"todos": description}, session.where).rows("todos"):
        content, given = todo.needed("content"), todo.text("status")
        status = _STATUSES.get(given, "active")
        ended = at if status == "completed" else None
        beside = {**todo.rest, "session_id": id} | ({"status": given} if given == "in_progress" else {})
        chat = chats.get(id)
        yield imported_records.creation(
            GOAL,
            f"{GOAL.prefix}_{stable_id(id, content)}",
            Fields(beside, todo.where),
            description=content,
            status=status,
            completed_at=ended,
            conversation_id=None if chat is None else chat.conversation_id,
            created_at=at,
        )


def _notes(rows: list[Row], file: str) -> Iterator[tuple[str, str, Any]]:
    for number, row in enumerate(rows, 1):
        fields = Fields(row, message("{file}, scratchpad {count}", file=file, count=number))
        session, key, value = fields.needed("session_id"), fields.needed("key"), row.get("value")
        if isinstance(value, str) and value.startswith(_MARK):
            value = parsed(value[len(_MARK) :])
            if value is NOT_JSON:
                raise Refused(
                    message(
                        "{where}: the note “{key}” is not the JSON it says it is.",
                        where=fields.where,
                        key=key[:60],
                    )
                )
        yield session, key, value


AGENTICX = AgenticX()
