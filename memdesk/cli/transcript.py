"""Messages of a runtime's transcript: one JSON object per line, in the formats of Claude Code and Codex."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memdesk.files.reading import opened_file

CHARACTERS_AT_MOST = 1_000_000
"""Length limit of one message, the same as the service's."""
_NOT_SAID = re.compile(
    r"\s*(<(command-|local-command|system-reminder|environment_context|user_instructions|bash-)|# AGENTS\.md )"
)
"""Text that a runtime writes in the user's name: commands, their output, and instructions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Message of the user or the agent. id: the same each time the transcript is read."""

    id: str
    role: str
    text: str
    at: datetime | None
    model: str | None


def said_in(path: Path, *, last_bytes: int) -> list[Said]:
    """Return the messages in the last bytes of a transcript, oldest first; other lines are skipped.

    Raises Refused when the file cannot be read, or is no regular file."""
    with opened_file(path, path.name) as file:
        size = file.seek(0, 2)
        start = max(0, size - last_bytes)
        file.seek(start)
        lines = file.read(last_bytes).split(b"\n")
    # The first line is a part of one, where the reading began inside the file.
    return list(_messages(lines[1:] if start else lines))


def _messages(lines: list[bytes]) -> Iterator[Said]:
    for line in lines:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict) and (message := _claude_code(told) or _codex(told)):
            yield message


def _claude_code(told: dict[str, Any]) -> Said | None:
    """Return the message in a line of Claude Code; None for its own notes, sub-agents, thinking and tool
    results."""
    message = told.get("message")
    if told.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    if any(told.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary")):
        return None
    model = message.get("model")
    text = _text(message.get("content"), ("text",))
    return _said(told.get("uuid"), told["type"], text, told.get("timestamp"), model)


def _codex(told: dict[str, Any]) -> Said | None:
    """Return the message in a line of a Codex rollout; None for any other line."""
    payload = told.get("payload")
    if (
        told.get("type") != "response_item"
        or not isinstance(payload, dict)
        or payload.get("type") != "message"
    ):
        return None
    text = _text(payload.get("content"), ("input_text", "output_text", "text"))
    return _said(payload.get("id"), payload.get("role"), text, told.get("timestamp"), None)


def _said(id: Any, role: Any, text: str, timestamp: Any, model: Any) -> Said | None:
    if role not in ("user", "assistant") or not text.strip() or _NOT_SAID.match(text):
        return None
    if not isinstance(id, str) or not id:
        id = hashlib.sha256(f"{timestamp}\0{role}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]
    return Said(
        id=id, role=role, text=text[:CHARACTERS_AT_MOST], at=_moment(timestamp),
        model=model if isinstance(model, str) else None,
    )  # fmt: skip


def _text(content: Any, kinds: tuple[str, ...]) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") in kinds]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _moment(said: Any) -> datetime | None:
    try:
        when = datetime.fromisoformat(said)
    except (TypeError, ValueError):
        return None
    return when if when.tzinfo else None
