"""Lines worth keeping from a session, chosen as AgenticX's hook does, by its Chinese cues and by English
words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TURNS_AT_LEAST = 3
"""Minimum number of turns (MIN_CHAT_TURNS); a turn is two messages."""
FACTS_AT_MOST = 8
"""Maximum number of facts (MAX_FACTS_PER_SESSION)."""
MESSAGES_READ = 20
WORTH_CHARACTERS = 10
REQUEST_CHARACTERS = 30
LINE_CHARACTERS = 200
OUTCOME_CHARACTERS = 300
"""Number of characters of an answer in which an outcome is looked for."""
KEEP, REQUEST, OUTCOME = "用户要求记住", "用户请求", "完成事项"

_KEEP = re.compile(
    r"记住|记一下|保存|备忘|存下来|\b(?:remember|keep in mind|note (?:down|that)|don't forget|save this)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"请|帮|(?<![重主])要(?![求是])|需要|希望|如何|怎么"
    r"|\b(?:please|can you|could you|would you|i need|i want|i'd like|help me|how (?:do|can|to)|let's)\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"已完成|成功|已创建|已配置|已部署|覆盖率|通过|已修复|已解决|结论"
    r"|\b(?:done|completed|finished|succeeded|created|configured|deployed|fixed|resolved|tests? pass(?:ed)?)\b",
    re.IGNORECASE,
)


def is_long_enough(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if a session is long enough to be kept."""
    return len(messages) >= 2 * TURNS_AT_LEAST


def facts_of(messages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the lines worth keeping, as bullets without repeats; () for a session that is too short."""
    if not is_long_enough(messages):
        return ()
    found = (line for message in messages[-MESSAGES_READ:] for line in _line(message))
    return tuple(dict.fromkeys(found))[:FACTS_AT_MOST]


def _line(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content")
    if not isinstance(content, str) or len(content.strip()) < WORTH_CHARACTERS:
        return
    if message.get("role") == "user":
        yield from _asked(content.strip())
    elif message.get("role") == "assistant":
        flat = " ".join(content[:OUTCOME_CHARACTERS].split())
        if _OUTCOME.search(flat):
            yield f"- {OUTCOME}: {flat[:LINE_CHARACTERS]}"


def _asked(content: str) -> Iterator[str]:
    first = content.splitlines()[0][:LINE_CHARACTERS].strip()
    if _KEEP.search(first):
        yield f"- {KEEP}: {first}"
    elif len(content) > REQUEST_CHARACTERS and _REQUEST.search(first):
        yield f"- {REQUEST}: {first}"
