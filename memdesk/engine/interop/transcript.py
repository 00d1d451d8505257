"""Import of chat transcripts: JSON or JSON Lines with a role, a content and perhaps a time, one conversation
or many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memdesk.engine.interop.batches import Chat, Source, left_out
from memdesk.engine.interop.chat_messages import (
    CONVERSATION_KEYS,
    TITLE_KEYS,
    Talk,
    channel_of,
    chat_of,
    first_of,
    message_of,
)
from memdesk.engine.interop.reading import NOT_JSON, Peek
from memdesk.files.reading import Left
from memdesk.model.message import message


def straightened(record: dict[str, Any]) -> dict[str, Any]:
    """Return the same conversation as a plain list of messages: the path from the root to the current node."""
    mapping = record.get("mapping")
    if not isinstance(mapping, dict):
        return record
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    node = record.get("current_node") or _deepest(mapping)
    while isinstance(node, str) and node in mapping and node not in seen:
        seen.add(node)
        place = mapping[node] if isinstance(mapping[node], dict) else {}
        message = place.get("message")
        if isinstance(message, dict):
            path.append(_plain(message))
        node = place.get("parent")
    kept = {name: value for name, value in record.items() if name not in ("mapping", "current_node")}
    return kept | {"messages": list(reversed(path))}


def _deepest(mapping: dict[str, Any]) -> str | None:
    """Return the last node without children, for exports that name no current node."""
    leaves = [
        name for name, place in mapping.items() if isinstance(place, dict) and not place.get("children")
    ]
    return leaves[-1] if leaves else None


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    content, author = message.get("content"), message.get("author")
    parts = content.get("parts") if isinstance(content, dict) else None
    parts = [parts] if isinstance(parts, str) else parts if isinstance(parts, list) else []
    metadata = message.get("metadata")
    others = {
        name: value for name, value in message.items() if name not in ("author", "content", "create_time")
    }
    return {
        **others,
        "id": message.get("id"),
        "role": author.get("role") if isinstance(author, dict) else None,
        "content": [part for part in parts if isinstance(part, str)],
        "timestamp": message.get("create_time"),
        "model": metadata.get("model_slug") if isinstance(metadata, dict) else None,
    }


_LISTS = ("messages", "turns", "chat_messages", "conversation", "conversations", "history", "log", "items")
_LINE_KEYS = CONVERSATION_KEYS[:5]
_SNIFFED = 20


class Transcript:
    """Conversations of any chat that has a role and a content for each message."""

    name = "transcript"
    reads = message(
        "Chats with a role and a content (`.json`, `.jsonl`): Claude Code, ChatGPT, AgenticX's "
        "`messages.json` and others"
    )

    def sniff(self, peek: Peek) -> bool:
        if peek.suffix not in (".json", ".jsonl", ".ndjson"):
            return False
        if peek.json is not NOT_JSON:
            return any(_messages(record) for record in _records(peek.json)[:_SNIFFED])
        return any(message_of(value) or _messages(value) for _, value in peek.lines[0][:_SNIFFED])

    def open(self, peek: Peek) -> Source:
        left = (*peek.lines[1], *_sub_agents(peek))
        says, channel = message("Chat transcript"), channel_of(peek.path)
        return Source.of(self.name, says, peek, *left, *chats_of(peek), channel=channel)


def chats_of(peek: Peek) -> Iterator[Chat]:
    """Yield every conversation of a transcript file, in file order."""
    spoken = (talk for talk in _talks(peek) if talk.messages)
    for number, talk in enumerate(spoken, 1):
        yield chat_of(peek, talk, number)


def _sub_agents(peek: Peek) -> Iterator[Left]:
    """Yield an entry for the messages of Claude Code's sub-agents, which are left out: they are not a
    conversation with a user."""
    count = sum(isinstance(value, dict) and bool(value.get("isSidechain")) for _, value in peek.lines[0])
    return left_out(
        message("{peek}, sub-agents", peek=peek.name),
        message("Messages that sub-agents sent each other"),
        count,
    )


def session_of(path: Path) -> str | None:
    """Return the session of a file of messages: AgenticX and Near store them as sessions/ID/messages.json."""
    return (
        path.parent.name if path.name == "messages.json" and path.parent.parent.name == "sessions" else None
    )


def _talks(peek: Peek) -> list[Talk]:
    if peek.json is not NOT_JSON:
        session = session_of(peek.path.absolute())
        return [_talk_of(record, peek.name, session) for record in _records(peek.json)]
    talks: dict[str | None, Talk] = {}
    whole: list[Talk] = []
    for number, value in peek.lines[0]:
        if not isinstance(value, dict):
            continue
        if _messages(value):
            whole.append(_talk_of(value, message("{name}, line {count}", name=peek.name, count=number)))
        elif not value.get("isSidechain") and not value.get("isMeta"):
            given = first_of(value, _LINE_KEYS)
            talk = talks.setdefault(given, Talk(given))
            talk.hear(value, message("{name}, line {count}", name=peek.name, count=number))
            said = (*TITLE_KEYS, "cwd", "channel", "agent_id")
            talk.about = {**talk.about, **{key: value[key] for key in said if value.get(key)}}
    return [*_with_titles(talks), *whole]


def _with_titles(talks: dict[str | None, Talk]) -> list[Talk]:
    """Return the talks, with a session's title: Claude Code writes its summary on a line without an id, used
    if there is one session."""
    loose = talks.get(None)
    if loose is not None and not loose.messages and len(talks) == 2:
        only = next(talk for given, talk in talks.items() if given is not None)
        only.about = {**loose.about, **only.about}
    return list(talks.values())


def _records(value: Any) -> list[dict[str, Any]]:
    """Return the conversations of a JSON value: the value itself, a list of them, or a list of messages as one."""
    if isinstance(value, dict):
        return [straightened(value)]
    if not isinstance(value, list):
        return []
    if any(message_of(item) for item in value[:_SNIFFED]):
        return [{"messages": value}]
    return [straightened(item) for item in value if isinstance(item, dict)]


def _messages(record: Any) -> list[Any]:
    """Return the list of messages in a conversation's record, empty if there is none."""
    found = _list_in(record)
    return record[found] if found else []


def _list_in(record: Any) -> str:
    """Return the field of a conversation's record that contains its messages, "" if none does."""
    if not isinstance(record, dict):
        return ""
    for key in _LISTS:
        found = record.get(key)
        if isinstance(found, list) and any(message_of(item) for item in found[:_SNIFFED]):
            return key
    return ""


def _talk_of(record: dict[str, Any], name: str, session: str | None = None) -> Talk:
    known = {_list_in(record), *CONVERSATION_KEYS, *TITLE_KEYS, "channel", "agent_id"}
    beside = {key: value for key, value in record.items() if key not in known and value}
    talk = Talk(first_of(record, CONVERSATION_KEYS) or session, about=record, beside=beside)
    for number, said in enumerate(_messages(record), 1):
        talk.hear(said, message("{name}, message {count}", name=name, count=number))
    return talk


TRANSCRIPT = Transcript()
