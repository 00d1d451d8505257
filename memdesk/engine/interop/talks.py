"""Conversation collected from messages: its permanent key, the times of its turns, and its channel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from memdesk.engine.interop.items import UNIQUE_ID, Chat, ChatTurn
from memdesk.engine.interop.naming import stable_id
from memdesk.engine.interop.peek import Peek
from memdesk.engine.interop.turns import Message, message_of
from memdesk.engine.interop.when import instant_of
from memdesk.engine.memory.remember import TURN_CHARACTERS
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import Left, sound
from memdesk.model.instant import SECOND

CONVERSATION_KEYS = ("conversation_id", "session_id", "sessionId", "thread_id", "chat_id", "uuid", "id")
TITLE_KEYS = ("title", "name", "summary", "subject")
_COMMON_NAMES = (
    "messages",
    "conversation",
    "conversations",
    "chat",
    "transcript",
    "session",
    "history",
    "log",
    "turns",
)
_ID_LIKE = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9A-Za-z]{20,}", re.IGNORECASE)


@dataclass(slots=True)
class Talk:
    """Conversation being collected from its messages, in order.

    given: the source's own id. about: the fields of its record in the source. beside: those of them that no
    column can store."""

    given: str | None
    about: Mapping[str, Any] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)

    def hear(self, record: Any, name: str) -> None:
        """Add a message; a message of only tool blocks is added to the message before."""
        message = message_of(record)
        if message is None:
            return
        if len(message.content) > TURN_CHARACTERS:
            why = f"The message has {len(message.content):,} characters; {TURN_CHARACTERS:,} at most."
            self.left.append(Left(name=name, why=why))
        elif message.content and message.role != "tool":
            self.messages.append(message)
        elif self.messages and message.tools:
            before = self.messages[-1]
            self.messages[-1] = replace(before, tools=before.tools + message.tools)
        elif not message.tools and message.role != "tool":
            self.left.append(Left(name=name, why="The message is empty."))


def chat_of(peek: Peek, talk: Talk, number: int = 1) -> Chat:
    """Return a talk that has messages as a chat. number: its position in the file, from 1."""
    began = instant_of(first_of(talk.about, ("created_at", "create_time")))
    times = _times(talk.messages, peek.modified_at, began)
    first = talk.messages[0]
    given = talk.given if talk.given and len(talk.given) >= UNIQUE_ID else None
    mark = (talk.given,) if talk.given else (str(number), first.role, first.content)
    return Chat(
        name=f"{peek.name}, conversation {number}" if number > 1 else peek.name,
        file=peek.name,
        key=given or _key(peek.path, *mark),
        given=given is not None,
        title=_title(peek.path, talk),
        turns=tuple(_turn(message, at) for message, at in zip(talk.messages, times, strict=True)),
        channel=_channel(talk.about),
        agent_id=first_of(talk.about, ("agent_id", "agent"))
        or ("claude-code" if "cwd" in talk.about else None),
        left=tuple(talk.left),
        beside=talk.beside,
    )


def channel_of(path: Path) -> str:
    """Return the channel of a transcript that names none: its file name, or its folder's name if the file
    name is generic."""
    named = path.stem if not _says_nothing(path.stem) else path.absolute().parent.name
    return slug(named) or "imported"


def first_of(record: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    """Return the first of these fields that has a value, as text."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return sound(str(value).strip())
    return None


def _says_nothing(stem: str) -> bool:
    return stem.lower() in _COMMON_NAMES or _ID_LIKE.fullmatch(stem) is not None


def _turn(message: Message, at: int) -> ChatTurn:
    return ChatTurn(
        role=message.role,
        content=message.content,
        at=at,
        given_id=message.given_id,
        speaker=message.speaker,
        model=message.model,
        metadata={"tools": list(message.tools)} if message.tools else {},
        beside=message.beside,
    )


def _times(messages: list[Message], modified_at: int, started_at: int | None) -> list[int]:
    """Return a time for every message: its own, else a second after the one before; without any, they end
    when the file was written."""
    known = next((at for message in messages if (at := message.at) is not None), None)
    start = known if known is not None else started_at or modified_at - len(messages) * SECOND
    found: list[int] = []
    for message in messages:
        found.append(message.at if message.at is not None else (found[-1] + SECOND if found else start))
    return found


def _key(path: Path, *mark: str) -> str:
    """Return the permanent key of a conversation without a globally unique id: its file, and `mark` within
    it.

    The mark is a short id, or the first turn: it does not change when turns are added."""
    near = (
        PurePath(path.absolute().parent.name, path.name) if _says_nothing(path.stem) else PurePath(path.name)
    )
    return stable_id(str(near), *mark)


def _title(path: Path, talk: Talk) -> str:
    given = first_of(talk.about, TITLE_KEYS)
    if given:
        return _short(given)
    if not _says_nothing(path.stem):
        return _short(sound(path.stem.replace("_", " ").replace("-", " ")))
    return _short(next((m.content for m in talk.messages if m.role == "user"), talk.messages[0].content))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _channel(about: Mapping[str, Any]) -> str | None:
    named = first_of(about, ("channel", "project"))
    where = first_of(about, ("cwd",))
    return named or (slug(PurePath(where.replace("\\", "/")).name) if where else None) or None
