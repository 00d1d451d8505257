"""AgenticX's recall before a turn: a prompt section from the agent's files that fits the user's last
messages.

Punctuation in a message does not break the search, and passages without relevance are left out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets import searching
from memdesk.engine.toolsets.searching import Passage
from memdesk.engine.workspace.homes import AGENT, home
from memdesk.engine.workspace.layouts import day_of
from memdesk.model.diary import AskRecallSection, PromptPart, PromptText
from memdesk.model.document import Document
from memdesk.model.tools import ToolCall, ToolPlace

HEADING = "## 相关历史记忆(自动召回)"
MESSAGES, MESSAGE_CHARACTERS, QUERY_CHARACTERS = 5, 200, 500
"""Number of the user's last messages that are searched for, and the lengths at which each and all together
are cut."""
PASSAGES, SNIPPET_CHARACTERS, SNIPPETS_CHARACTERS = 5, 200, 500
"""How many passages are told, and how long each and all together may be."""
ROOT_FILES = ("IDENTITY", "USER", "SOUL", "MEMORY")
"""Files that AgenticX searches in addition to the days."""


def recall_section(engine: Engine, ask: AskRecallSection, *, author: str) -> PromptText:
    """Return the section; "" where the user has written nothing or nothing fits. Raises the errors of `home`."""
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    query = query_of(ask.messages)
    if not query:
        return PromptText(text="", parts=())
    place = ToolPlace(user_id=workspace.user_id, channel=workspace.channel)
    call = ToolCall(agent=workspace.agent_id or author.removeprefix(AGENT), author=author, place=place)
    found = searching.passages(engine, call, query, [workspace], PASSAGES, _is_searched)
    told = [(found[place], snippet) for place, snippet in snippets(each.text for each in found)]
    text = "\n".join((HEADING, *(f"- {snippet}" for _, snippet in told))) if told else ""
    return PromptText(text=text, parts=tuple(_part(each, snippet) for each, snippet in told))


def query_of(messages: Iterable[dict[str, Any]]) -> str:
    """Return the user's last messages as one query; "" without a word of theirs."""
    said = [str(each.get("content") or "").strip() for each in messages if each.get("role") == "user"]
    told = [text[:MESSAGE_CHARACTERS] for text in said[-MESSAGES:] if text]
    return " ".join(told)[:QUERY_CHARACTERS].strip()


def snippets(
    texts: Iterable[str], *, each: int = SNIPPET_CHARACTERS, together: int = SNIPPETS_CHARACTERS
) -> list[tuple[int, str]]:
    """Return (place, text) of texts put on one line each, in order, without repeats, until the total length
    is reached.

    each, together: the maximum length of one and of all, in characters."""
    told: dict[str, int] = {}
    left = together
    for place, text in enumerate(texts):
        snippet = " ".join(text.split())[:each]
        if snippet in told:
            continue
        if (left := left - len(snippet)) < 0:
            break
        told[snippet] = place
    return [(place, snippet) for snippet, place in told.items()]


def _is_searched(document: Document) -> bool:
    path = PurePosixPath(document.path)
    return day_of(document.path) is not None or (len(path.parts) == 1 and path.stem.upper() in ROOT_FILES)


def _part(passage: Passage, snippet: str) -> PromptPart:
    return PromptPart(path=passage.document.path, size=len(passage.text), told=len(snippet))
