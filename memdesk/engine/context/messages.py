"""Messages in the shapes that runtimes use: their text, which ones belong together, and their size; and token counts,
estimated without a model's tokenizer. Pure."""

from __future__ import annotations

import json
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memdesk.model.context import Message
from memdesk.model.errors import BadAsk
from memdesk.model.message import message as sentence

MESSAGE_TOKENS = 4
"""Tokens of a message in addition to its text: its role and its end marks, as in chat formats (OpenAI's
cookbook)."""
_LETTER, _DIGIT, _MARK, _WIDE, _OTHER = 1 / 4.2, 0.9, 0.7, 1.0, 1 / 3
_LETTERS, _DIGITS = f"{string.ascii_letters} ".encode(), string.digits.encode()


def _weights() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return the share of a token that each character of the basic plane counts as."""
    table = np.full(0x10000, _OTHER, np.float32)
    for code in range(128):
        letter = chr(code)
        table[code] = _LETTER if letter.isalpha() or letter == " " else _DIGIT if letter.isdigit() else _MARK
    for first, last in ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF)):
        table[first : last + 1] = _WIDE
    return table


_TABLE = _weights()


def tokens_in(text: str) -> int:
    """Return the approximate number of tokens of a text; 0 for an empty one. 50,000 characters take a quarter
    of a millisecond."""
    if not text:
        return 0
    if text.isascii():
        # Most lines are short and ASCII: two counts of bytes take a tenth of what an array takes.
        said = text.encode()
        letters = len(said) - len(said.translate(None, _LETTERS))
        digits = len(said) - len(said.translate(None, _DIGITS))
        return max(1, round(_LETTER * letters + _DIGIT * digits + _MARK * (len(said) - letters - digits)))
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    plane = codes < 0x10000
    beyond = 2.0 * float(np.count_nonzero(~plane))
    return max(1, round(float(_TABLE[codes[plane]].sum()) + beyond))


INSTRUCTING = ("system", "developer")
_TEXTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Number of messages, characters of their content, and tokens. counted: True if the caller counted the
    tokens."""

    messages: int
    characters: int
    tokens: int
    counted: bool = False


def check(messages: Sequence[Message]) -> None:
    """Raise BadAsk for an invalid message, naming its position."""
    for number, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if not isinstance(role, str) or not role.strip():
            raise BadAsk(
                sentence("`messages[{count}]` has no role.", count=number),
                next=sentence("Give each message its `role`."),
            )
        if not isinstance(content, str | list | None):
            raise BadAsk(
                sentence("`messages[{count}].content` must be text, a list of parts, or null.", count=number)
            )


def content_of(message: Message) -> str:
    """Return the text of a message's content; if it has parts, the texts among them."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(filter(None, (_part(part) for part in content or ())))


def said_in(message: Message) -> str:
    """Return the text that a turn stores: the content, the tool calls, and a placeholder for other content;
    never empty."""
    parts = [content_of(message).strip() and content_of(message), *map(_called, calls_of(message))]
    text = "\n".join(filter(None, parts))
    if text:
        return text
    return "[no text]" if message.get("content") else "[empty]"


def calls_of(message: Message) -> list[tuple[str, Any]]:
    """Return (name, arguments) of the tools that a message calls, in OpenAI's or Anthropic's shape."""
    asked = message.get("tool_calls")
    functions = (
        [each.get("function") for each in asked if isinstance(each, dict)] if isinstance(asked, list) else []
    )
    called = [
        (str(each.get("name", "")), each.get("arguments", "")) for each in functions if isinstance(each, dict)
    ]
    uses = [part for part in _parts(message) if part.get("type") == "tool_use"]
    return [*called, *((str(part.get("name", "")), part.get("input", {})) for part in uses)]


def answers_a_call(message: Message) -> bool:
    """Return True if a message contains the result of a tool, and so belongs to the call before it."""
    return message.get("role") in ("tool", "function") or any(
        part.get("type") == "tool_result" for part in _parts(message)
    )


def boundary(messages: Sequence[Message], at: int) -> int:
    """Return the nearest position at or before `at` where a list may be split: never between a tool call and
    its results."""
    at = max(0, min(at, len(messages)))
    while 0 < at < len(messages) and answers_a_call(messages[at]):
        at -= 1
    return at


def size_of(messages: Sequence[Message], counts: Sequence[int] = (), *, apart: int = 0) -> Size:
    """Return the size of messages. counts: tokens of each, if the caller counted. apart: number of
    instructions in front.

    Instructions add tokens but are not counted as messages."""
    tokens = sum(counts) if counts else sum(map(tokens_of, messages))
    talk = messages[apart:]
    return Size(
        messages=len(talk),
        characters=sum(len(content_of(each)) for each in talk),
        tokens=tokens,
        counted=bool(counts),
    )


def tokens_of(message: Message) -> int:
    """Return the approximate number of tokens of one message, including its calls and its form."""
    called = "".join(f"{name}{_plain(arguments)}" for name, arguments in calls_of(message))
    return MESSAGE_TOKENS + tokens_in(content_of(message)) + tokens_in(called)


def is_plain(message: Message) -> bool:
    """Return True if a message is only a role and a text, so that a turn's columns can store all of it."""
    return (
        message.keys() == {"role", "content"}
        and isinstance(message["content"], str)
        and bool(message["content"].strip())
    )


def _parts(message: Message) -> list[dict[str, Any]]:
    content = message.get("content")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _part(part: Any) -> str:
    """Return the text of one part of a content."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    kind = part.get("type")
    if kind in _TEXTS or (kind is None and "text" in part):
        return str(part.get("text") or "")
    if kind == "tool_result":
        inner = part.get("content")
        return inner if isinstance(inner, str) else "\n".join(filter(None, map(_part, inner or ())))
    return "" if kind in (None, "tool_use") else f"[{kind}]"


def _called(call: tuple[str, Any]) -> str:
    name, arguments = call
    return f"[calls {name} {_plain(arguments)}]"


def _plain(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
