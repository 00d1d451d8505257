"""Conversation collected from messages: its permanent key, the times of its turns, and its channel."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from memdesk.engine.interop.batches import UNIQUE_ID_CHARACTERS, Chat, ChatTurn
from memdesk.engine.interop.imported_records import instant_of, stable_id
from memdesk.engine.interop.reading import Peek
from memdesk.engine.memory.remember import TURN_CHARACTERS
from memdesk.engine.memory.rows import row_of
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import Left, without_unstorable
from memdesk.model.instant import SECOND
from memdesk.model.message import message

_ROLE_KEYS = ("role", "sender", "author", "from", "speaker", "type")
_CONTENT_KEYS = ("content", "text", "message", "value", "body")
_TIME_KEYS = ("timestamp", "ts", "created_at", "createdAt", "create_time", "time", "date", "at")
_ID_KEYS = ("uuid", "id", "message_id", "turn_id")
_NAME_KEYS = ("name", "speaker", "author", "sender", "from")
_ROLES = {
    **dict.fromkeys(("user", "human", "customer", "me", "prompt"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "model", "gpt", "chatgpt", "claude", "agent"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function", "tool_result", "toolresult", "bashexecution"), "tool"),
}
_READ = frozenset((*_ROLE_KEYS, *_CONTENT_KEYS, *_TIME_KEYS, *_ID_KEYS, *_NAME_KEYS))
_OF_ITS_TALK = ("sessionId", "session_id", "conversation_id", "thread_id", "chat_id", "cwd", "channel")
_KNOWN = _READ | {*_OF_ITS_TALK, "tool_calls", "model", "isSidechain", "isMeta"}
"""Fields of a message that are read, here or for its conversation."""
_TOOL_PAYLOADS = frozenset(("toolUseResult", "tool_result", "tool_call_id", "embedding"))
"""Fields with results of tools: they are not part of the conversation, so only the call of a tool is noted."""
_TOOLS_NOTED = 50
_SHORT = 200
_NOTHING: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """Message as found. `content` is empty if there were only tool blocks; at: UTC microseconds or None.

    beside: fields of the source that have no field here."""

    role: str
    content: str
    at: int | None
    given_id: str | None
    speaker: str | None
    model: str | None
    tools: tuple[dict[str, str], ...] = field(default=())
    beside: dict[str, Any] = field(default_factory=dict)


def message_of(record: Any) -> ChatMessage | None:
    """Return the message in this JSON value, None if it has none."""
    if not isinstance(record, Mapping):
        return None
    inner = record.get("message")
    body = {**record, **inner, "type": None} if isinstance(inner, Mapping) else record
    role, known = _role(body)
    content = next((body[key] for key in _CONTENT_KEYS if body.get(key) is not None), None)
    calls = _calls(body.get("tool_calls"))
    if content is None and calls:
        content = ""
    if not role or not isinstance(content, str | list | Mapping):
        return None
    text, tools = _text_and_tools(content)
    return ChatMessage(
        role=known or "user",
        content=without_unstorable(text).strip(),
        at=next((at for key in _TIME_KEYS if (at := instant_of(record.get(key) or body.get(key)))), None),
        given_id=_given_id(record),
        speaker=_speaker(body, known is not None),
        model=_string(body.get("model")),
        tools=(*tools, *calls)[:_TOOLS_NOTED],
        beside=_extra_fields(record, inner),
    )


def _extra_fields(record: Mapping[str, Any], inner: Any) -> dict[str, Any]:
    """Return the fields that have a value and are not read; those of an inner message under the key `message`."""
    found = {name: value for name, value in record.items() if name not in _KNOWN | _TOOL_PAYLOADS}
    if isinstance(inner, Mapping):
        known = _KNOWN - {"id"}
        found["message"] = {name: v for name, v in inner.items() if name not in known and v not in _NOTHING}
    return {name: value for name, value in found.items() if value not in _NOTHING}


def _role(body: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return (the role as written, the role it means); a name that is not a role is the name of a speaker."""
    for key in _ROLE_KEYS:
        value = body.get(key)
        value = value.get("role") if isinstance(value, Mapping) else value
        if isinstance(value, str) and value.strip():
            known = _ROLES.get(value.strip().lower())
            if known or key != "type":
                return value.strip(), known
    return "", None


def _speaker(body: Mapping[str, Any], has_role: bool) -> str | None:
    for key in _NAME_KEYS:
        value = body.get(key)
        value = value.get("name") if isinstance(value, Mapping) else value
        if isinstance(value, str) and value.strip() and value.strip().lower() not in _ROLES:
            return without_unstorable(value.strip())[:_SHORT]
    role = body.get("role")
    return without_unstorable(role.strip())[:_SHORT] if not has_role and isinstance(role, str) else None


def _given_id(record: Mapping[str, Any]) -> str | None:
    for key in _ID_KEYS:
        value = record.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return without_unstorable(str(value).strip())[:_SHORT]
    return None


def _text_and_tools(content: Any) -> tuple[str, tuple[dict[str, str], ...]]:
    """Return the text of a content and its tool blocks; a content is a text, or blocks of text, pictures and tools."""
    if isinstance(content, str):
        written = _written_blocks(content)
        if not written:
            return content, ()
        content = written
    blocks = content if isinstance(content, list) else [content]
    words: list[str] = []
    tools: list[dict[str, str]] = []
    for block in blocks:
        if isinstance(block, str):
            words.append(block)
        elif isinstance(block, Mapping):
            _read_block(block, words, tools)
    return "\n\n".join(word for word in words if word.strip()), tuple(tools)


def _written_blocks(content: str) -> list[Any]:
    """Return the blocks of a content that was written as JSON text (Agentix); none for any other text."""
    if not content.startswith("[{"):
        return []
    try:
        blocks = json.loads(content)
    except (ValueError, RecursionError):
        return []
    typed = isinstance(blocks, list) and all(isinstance(each, Mapping) and "type" in each for each in blocks)
    return blocks if typed else []


def _read_block(block: Mapping[str, Any], words: list[str], tools: list[dict[str, str]]) -> None:
    kind = _string(block.get("type")) or "text"
    text = block.get("text", block.get("value"))
    if kind in ("text", "input_text", "output_text") and isinstance(text, str):
        words.append(text)
    elif kind not in ("thinking", "redacted_thinking"):
        found = {"kind": kind, "name": _string(block.get("name")), "id": _tool_id(block)}
        tools.append({name: value for name, value in found.items() if value})


def _tool_id(block: Mapping[str, Any]) -> str | None:
    return _string(block.get("id")) or _string(block.get("tool_use_id"))


def _calls(calls: Any) -> tuple[dict[str, str], ...]:
    """Return OpenAI's tool calls, which are in a field outside the content."""
    found = []
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, Mapping) else None
        name = _string(function.get("name")) if isinstance(function, Mapping) else None
        found.append({"kind": "tool_use", **({"name": name} if name else {})})
    return tuple(found)


def _string(value: Any) -> str | None:
    return without_unstorable(value)[:_SHORT] if isinstance(value, str) and value else None


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
    messages: list[ChatMessage] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)

    def hear(self, record: Any, name: str) -> None:
        """Add a message; a message of only tool blocks is added to the message before."""
        heard = message_of(record)
        if heard is None:
            return
        if len(heard.content) > TURN_CHARACTERS:
            why = message(
                "The message has {count} characters; {most} at most.",
                count=f"{len(heard.content):,}",
                most=f"{TURN_CHARACTERS:,}",
            )
            self.left.append(Left(name=name, why=why))
        elif heard.content and heard.role != "tool":
            self.messages.append(heard)
        elif self.messages and heard.tools:
            before = self.messages[-1]
            self.messages[-1] = replace(before, tools=before.tools + heard.tools)
        elif not heard.tools and heard.role != "tool":
            self.left.append(Left(name=name, why=message("The message is empty.")))


def chat_of(peek: Peek, talk: Talk, number: int = 1) -> Chat:
    """Return a talk that has messages as a chat. number: its position in the file, from 1."""
    began = instant_of(first_of(talk.about, ("created_at", "create_time")))
    times = _times(talk.messages, peek.modified_at, began)
    first = talk.messages[0]
    given = talk.given if talk.given and len(talk.given) >= UNIQUE_ID_CHARACTERS else None
    mark = (talk.given,) if talk.given else (str(number), first.role, first.content)
    return Chat(
        name=message("{peek}, conversation {count}", peek=peek.name, count=number)
        if number > 1
        else peek.name,
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
            return without_unstorable(str(value).strip())
    return None


def _says_nothing(stem: str) -> bool:
    return stem.lower() in _COMMON_NAMES or _ID_LIKE.fullmatch(stem) is not None


def _turn(message: ChatMessage, at: int) -> ChatTurn:
    metadata = {"tools": list(message.tools)} if message.tools else {}
    return row_of(ChatTurn, message, at=at, metadata=metadata)


def _times(messages: list[ChatMessage], modified_at: int, started_at: int | None) -> list[int]:
    """Return a time for every message: its own, else a second after the one before; without any, they end
    when the file was written."""
    known = next((at for message in messages if (at := message.at) is not None), None)
    start = known if known is not None else started_at or modified_at - len(messages) * SECOND
    found: list[int] = []
    for each in messages:
        found.append(each.at if each.at is not None else (found[-1] + SECOND if found else start))
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
        return shortened(given)
    if not _says_nothing(path.stem):
        return shortened(without_unstorable(path.stem.replace("_", " ").replace("-", " ")))
    return shortened(next((m.content for m in talk.messages if m.role == "user"), talk.messages[0].content))


def _channel(about: Mapping[str, Any]) -> str | None:
    named = first_of(about, ("channel", "project"))
    where = first_of(about, ("cwd",))
    return named or (slug(PurePath(where.replace("\\", "/")).name) if where else None) or None
