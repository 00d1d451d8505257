"""Claim that a person may want to keep from a line of a log. Pure functions, so that the guesses can be
tested."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memdesk.gui.calendar.wrapping import spoken

CLAIM_CHARACTERS = 2_000
"""Longest claim that the engine accepts."""
_LABEL = re.compile(
    r"^(?:correction|decision|decided|fact|note|todo|done|learned|user request|completed|用户请求|完成事项|决定|更正"
    r"|备注|記録|決定|メモ)\s*[:：]\s*",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|going to|tomorrow|next (?:week|month|year)|due|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|明天|下周|下个月|来週|来月|明日",
    re.IGNORECASE,
)
_CATEGORIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "decision",
        re.compile(r"^(?:decision|decided|决定|決定)|\b(?:decided|we chose|agreed)\b", re.IGNORECASE),
    ),
    (
        "constraint",
        re.compile(r"\b(?:never|must|must not|only|allergic|always)\b|不能|必须|必ず", re.IGNORECASE),
    ),
    ("preference", re.compile(r"\b(?:prefers?|likes?|rather|wants)\b|喜欢|想要|好き", re.IGNORECASE)),
)


def claim_of(text: str) -> str:
    """Return the words of a line as one line: without markdown, without a leading label such as “Decision:”."""
    words = " ".join(spoken(text)[0].split())
    return _LABEL.sub("", words)[:CLAIM_CHARACTERS]


def category_of(text: str) -> str:
    """Return a first guess of the category of a line; "fact" if no pattern matches."""
    return next((name for name, pattern in _CATEGORIES if pattern.search(text)), "fact")


def temporal_of(text: str) -> str:
    """Return "future" if a line is about the future, otherwise "current"."""
    return "future" if _FUTURE.search(text) else "current"


def channel_of(section: str, text: str, channels: Iterable[str]) -> str | None:
    """Return the channel named in a line or its heading, the longest name first; None for none."""
    said = f"{section}\n{text}".lower()
    named = sorted((name for name in channels if not name.startswith("_")), key=len, reverse=True)
    return next(
        (name for name in named if name.lower() in said or name.lower().replace("-", " ") in said), None
    )


def names_in(text: str) -> tuple[str, ...]:
    """Return names typed with commas between them, each once."""
    parts = (part.strip() for part in re.split(r"[,，、;；]", text))
    return tuple(dict.fromkeys(part for part in parts if part))
