"""Chat transcripts: JSON or JSON lines with a role, a content and perhaps a time, one conversation or many."""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from memdesk.engine.interop.chatgpt import straightened
from memdesk.engine.interop.items import UNIQUE_ID, Chat, ChatTurn, Source
from memdesk.engine.interop.peek import NOT_JSON, Peek
from memdesk.engine.interop.turns import Message, message_of
from memdesk.engine.interop.when import instant_of
from memdesk.engine.memory.remember import TURN_CHARACTERS
from memdesk.engine.workspace.layouts import Place, slug
from memdesk.files.reading import Left, sound
from memdesk.model.instant import SECOND

_LISTS = ("messages", "turns", "chat_messages", "conversation", "conversations", "history", "log", "items")
_CONVERSATION_KEYS = ("conversation_id", "session_id", "sessionId", "thread_id", "chat_id", "uuid", "id")
_LINE_KEYS = _CONVERSATION_KEYS[:5]
_TITLE_KEYS = ("title", "name", "summary", "subject")
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
_SNIFFED = 20


@dataclass(slots=True)
class _Talk:
    """A conversation being gathered from its messages, in file order."""

    given: str | None
    about: dict[str, Any] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


class Transcript:
    """Conversations of any chat that keeps a role and a content for each message."""

    name = "transcript"

    def sniff(self, peek: Peek) -> bool:
        if peek.is_folder or peek.suffix not in (".json", ".jsonl", ".ndjson"):
            return False
        if peek.json is not NOT_JSON:
            return any(_messages(record) for record in _records(peek.json)[:_SNIFFED])
        return any(message_of(value) or _messages(value) for _, value in peek.lines[0][:_SNIFFED])

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        chats = tuple(chats_of(peek))
        return Source(
            format=self.name,
            says="Chat transcript",
            total=len(chats),
            channel=channel_of(peek.path),
            items=(*peek.lines[1], *chats),
        )


def chats_of(peek: Peek) -> Iterator[Chat]:
    """Every conversation of a transcript file, in file order."""
    spoken = (talk for talk in _talks(peek) if talk.messages)
    for number, talk in enumerate(spoken, 1):
        yield _chat(peek, talk, number)


def channel_of(path: Path) -> str:
    """The channel of a transcript that names none: its file, or its folder where the file's name says nothing."""
    named = path.stem if not _says_nothing(path.stem) else path.absolute().parent.name
    return slug(named) or "imported"


def _says_nothing(stem: str) -> bool:
    return stem.lower() in _COMMON_NAMES or _ID_LIKE.fullmatch(stem) is not None


def _talks(peek: Peek) -> list[_Talk]:
    if peek.json is not NOT_JSON:
        return [_talk_of(record, peek.name) for record in _records(peek.json)]
    talks: dict[str | None, _Talk] = {}
    whole: list[_Talk] = []
    for number, value in peek.lines[0]:
        if not isinstance(value, dict):
            continue
        if _messages(value):
            whole.append(_talk_of(value, f"{peek.name}, line {number}"))
        elif not value.get("isSidechain") and not value.get("isMeta"):
            given = _first(value, _LINE_KEYS)
            talk = talks.setdefault(given, _Talk(given))
            _hear(talk, value, f"{peek.name}, line {number}")
            talk.about.update(
                {key: value[key] for key in (*_TITLE_KEYS, "cwd", "channel", "agent_id") if value.get(key)}
            )
    return [*_with_titles(talks), *whole]


def _with_titles(talks: dict[str | None, _Talk]) -> list[_Talk]:
    """Claude Code writes a session's summary on a line without its id: it is the title of the only session."""
    loose = talks.get(None)
    if loose is not None and not loose.messages and len(talks) == 2:
        only = next(talk for given, talk in talks.items() if given is not None)
        only.about = {**loose.about, **only.about}
    return list(talks.values())


def _records(value: Any) -> list[dict[str, Any]]:
    """The conversations a JSON value holds: itself, its list of them, or a list of messages as one."""
    if isinstance(value, dict):
        return [straightened(value)]
    if not isinstance(value, list):
        return []
    if any(message_of(item) for item in value[:_SNIFFED]):
        return [{"messages": value}]
    return [straightened(item) for item in value if isinstance(item, dict)]


def _messages(record: Any) -> list[Any]:
    """The list of messages in a conversation's record, empty where there is none."""
    if not isinstance(record, dict):
        return []
    for key in _LISTS:
        found = record.get(key)
        if isinstance(found, list) and any(message_of(item) for item in found[:_SNIFFED]):
            return found
    return []


def _talk_of(record: dict[str, Any], name: str) -> _Talk:
    talk = _Talk(_first(record, _CONVERSATION_KEYS), about=record)
    for number, message in enumerate(_messages(record), 1):
        _hear(talk, message, f"{name}, message {number}")
    return talk


def _hear(talk: _Talk, record: Any, name: str) -> None:
    """Add a message to a conversation; one that is only tool blocks is noted with the message before."""
    message = message_of(record)
    if message is None:
        return
    if len(message.content) > TURN_CHARACTERS:
        why = f"The message has {len(message.content):,} characters; {TURN_CHARACTERS:,} at most."
        talk.left.append(Left(name=name, why=why))
    elif message.content and message.role != "tool":
        talk.messages.append(message)
    elif talk.messages and message.tools:
        before = talk.messages[-1]
        talk.messages[-1] = replace(before, tools=before.tools + message.tools)
    elif not message.tools and message.role != "tool":
        talk.left.append(Left(name=name, why="The message is empty."))


def _chat(peek: Peek, talk: _Talk, number: int) -> Chat:
    times = _times(
        talk.messages, peek.file.modified_at, instant_of(_first(talk.about, ("created_at", "create_time")))
    )
    first = talk.messages[0]
    given = talk.given if talk.given and len(talk.given) >= UNIQUE_ID else None
    key = given or _key(peek.path, talk.given or f"{number}\x1f{first.role}\x1f{first.content}")
    return Chat(
        name=f"{peek.name}, conversation {number}" if number > 1 else peek.name,
        file=peek.name,
        key=key,
        given=given is not None,
        title=_title(peek.path, talk),
        turns=tuple(_turn(message, at) for message, at in zip(talk.messages, times, strict=True)),
        channel=_channel(talk.about),
        agent_id=_first(talk.about, ("agent_id", "agent"))
        or ("claude-code" if "cwd" in talk.about else None),
        left=tuple(talk.left),
    )


def _turn(message: Message, at: int) -> ChatTurn:
    return ChatTurn(
        role=message.role,
        content=message.content,
        at=at,
        given_id=message.given_id,
        speaker=message.speaker,
        model=message.model,
        metadata={"tools": list(message.tools)} if message.tools else {},
    )


def _times(messages: list[Message], modified_at: int, started_at: int | None) -> list[int]:
    """A time for every message: its own, else a second after the one before; all of them end when the file did."""
    known = next((at for message in messages if (at := message.at) is not None), None)
    start = known if known is not None else started_at or modified_at - len(messages) * SECOND
    found: list[int] = []
    for message in messages:
        found.append(message.at if message.at is not None else (found[-1] + SECOND if found else start))
    return found


def _key(path: Path, mark: str) -> str:
    """What names a conversation for good where no id of its own does: its file, and `mark` within it.

    The mark is a short id, or the first turn: it stays as it is when turns are added.
    """
    near = (
        PurePath(path.absolute().parent.name, path.name) if _says_nothing(path.stem) else PurePath(path.name)
    )
    return stable_id(f"{near}\x1f{mark}")


def stable_id(seed: str) -> str:
    """26 letters and digits that are the same for the same seed, as long as a ULID."""
    digest = hashlib.blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return b32encode(digest).decode().rstrip("=")


def _title(path: Path, talk: _Talk) -> str:
    given = _first(talk.about, _TITLE_KEYS)
    if given:
        return _short(given)
    if not _says_nothing(path.stem):
        return _short(sound(path.stem.replace("_", " ").replace("-", " ")))
    return _short(next((m.content for m in talk.messages if m.role == "user"), talk.messages[0].content))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _channel(about: dict[str, Any]) -> str | None:
    named = _first(about, ("channel", "project"))
    where = _first(about, ("cwd",))
    return named or (slug(PurePath(where.replace("\\", "/")).name) if where else None) or None


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return sound(str(value).strip())
    return None


TRANSCRIPT = Transcript()
