"""Reader of one message of an export as a turn; it accepts the key names of many programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.interop.when import instant_of
from memdesk.files.reading import sound

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
class Message:
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


def message_of(record: Any) -> Message | None:
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
    return Message(
        role=known or "user",
        content=sound(text).strip(),
        at=next((at for key in _TIME_KEYS if (at := instant_of(record.get(key) or body.get(key)))), None),
        given_id=_given_id(record),
        speaker=_speaker(body, known is not None),
        model=_string(body.get("model")),
        tools=(*tools, *calls)[:_TOOLS_NOTED],
        beside=_beside(record, inner),
    )


def _beside(record: Mapping[str, Any], inner: Any) -> dict[str, Any]:
    """Return the fields that have a value and are not read; those of an inner message under the key
    `message`."""
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
            return sound(value.strip())[:_SHORT]
    role = body.get("role")
    return sound(role.strip())[:_SHORT] if not has_role and isinstance(role, str) else None


def _given_id(record: Mapping[str, Any]) -> str | None:
    for key in _ID_KEYS:
        value = record.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return sound(str(value).strip())[:_SHORT]
    return None


def _text_and_tools(content: Any) -> tuple[str, tuple[dict[str, str], ...]]:
    """Return the text of a content and its tool blocks; a content is a text, or blocks of text, pictures and
    tools."""
    if isinstance(content, str):
        return content, ()
    blocks = content if isinstance(content, list) else [content]
    words: list[str] = []
    tools: list[dict[str, str]] = []
    for block in blocks:
        if isinstance(block, str):
            words.append(block)
        elif isinstance(block, Mapping):
            _read_block(block, words, tools)
    return "\n\n".join(word for word in words if word.strip()), tuple(tools)


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
    return sound(value)[:_SHORT] if isinstance(value, str) and value else None
