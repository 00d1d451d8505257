"""Origin and trust of memories: the door that each came through, and how far its words are believed.

Both are set at birth. What is derived takes the lowest trust of what it descends from; only a person raises it."""

from __future__ import annotations

import re
from typing import Any

PERSON, AGENT, TOOL, WEB, FILE, IMPORT, PROGRAM = (
    "person",
    "agent",
    "tool",
    "web",
    "file",
    "import",
    "program",
)
ORIGINS = (PERSON, AGENT, TOOL, WEB, FILE, IMPORT, PROGRAM)
"""A person, an agent's own claim, the output of a tool, text of the web, a line of a file, an imported export,
another program of the runtime, such as its system messages."""
APPROVED = 1.0
"""Trust of what a person entered, edited or approved."""
SAID = 0.9
"""Trust of what a person said in a conversation, as the runtime reports it."""
LEVELS = {PERSON: SAID, AGENT: 0.7, FILE: 0.4, PROGRAM: 0.4, IMPORT: 0.3, TOOL: 0.3, WEB: 0.2}
DESCRIBED = 0.45
"""Trust of free text that an agent keeps and no check reads as a claim: descriptions, goals, notes."""
TRUSTED = 0.5
"""Trust from which a memory is told as plain text; below, it is told as quoted."""
BEFORE = LEVELS[AGENT]
"""Trust of memories from before trust was kept, and from no known door."""
_ROLES = {"user": PERSON, "human": PERSON, "assistant": AGENT, "ai": AGENT, "tool": TOOL, "function": TOOL}
_WEB = re.compile(
    r"web|http|url|brows|fetch|search|scrap|crawl|page|site|internet|rss|feed|mail|inbox|网|搜索|検索",
    re.IGNORECASE,
)


def of_role(role: str, tool: str = "") -> str:
    """Return the origin of a turn of this role. tool: the name of the tool whose output it is."""
    origin = _ROLES.get(role.strip().casefold(), PROGRAM)
    return WEB if origin == TOOL and _WEB.search(tool) else origin


def level(origin: str) -> float:
    """Return the trust at birth of what comes from an origin."""
    return LEVELS.get(origin, BEFORE)


def lowest(*known: tuple[str, float]) -> tuple[str, float]:
    """Return the origin and trust of the least trusted of these (origin, trust) pairs, the first of equals."""
    return min(known, key=lambda each: each[1])


def of_record(record: Any) -> tuple[str, float]:
    """Return the origin and trust of a record; those of an unknown door for a kind that has none."""
    return getattr(record, "origin", ""), getattr(record, "trust", BEFORE)


def is_trusted(trust: float) -> bool:
    """Return True if a memory of this trust is told as plain text."""
    return trust >= TRUSTED
