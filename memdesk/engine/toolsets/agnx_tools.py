"""agnx: its tools on a workspace of the agnx or duragent layout, with exactly its wording.

An agent must have seen a text before it replaces it: a text that others changed since is merged, never
overwritten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.agent_search import Passage, passages
from memdesk.engine.toolsets import agnx_folders, seen
from memdesk.engine.toolsets.agnx_folders import LAYOUT, world
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet
from memdesk.engine.workspace.day_files import AGNX_DAYS, DAYS_AT_MOST, recalled, write_day
from memdesk.engine.workspace.layouts import WORLD
from memdesk.files.walk import NAME_BYTES
from memdesk.model.document import Document, Workspace
from memdesk.model.message import message
from memdesk.model.tools import ToolAnswer, ToolCall
from memdesk.model.workspace_files import WriteDay
from memdesk.store import document_versions

NOTHING = "No memories found"
PASSAGES = 5
MERGED = " (merged with what others wrote since you read it; recall it before you write it again)"


def recall(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return world, curated memory and the last days, joined as agnx does."""
    home = agnx_folders.home(engine, call)
    if home is None:
        return ToolAnswer(text=NOTHING)
    days = max(0, min(_number(call, "days", AGNX_DAYS), DAYS_AT_MOST))
    seen.note(engine, call, _replaceable(engine, call, home))
    return ToolAnswer(text=recalled(engine, home, days).text or NOTHING)


def remember(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add an experience to today's day file."""
    home = agnx_folders.made(engine, call)
    ask = WriteDay(text=_needed(call, "content"), workspace_id=home.id)
    done = write_day(engine, ask, author=call.author)
    return ToolAnswer(text=f"Remembered. Written to {Path(home.path, done.path)}", change=done.change)


def reflect(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace the curated memory; without a content, return it."""
    home = agnx_folders.made(engine, call)
    path = _curated(home)
    if call.arguments.get("content") is None:
        return _shown(engine, call, home, path)
    change, merged = seen.rewrite(
        engine, call, home, path, call.arguments["content"], title=message("Reflected: {path}", path=path)
    )
    return _written(f"Reflected. Updated {Path(home.path, path)}", change, merged=merged)


def learn_fact(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace a topic of the world."""
    return _learned(engine, call, "Learned. Written to {path}")


def update_world(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Replace a topic of the world; the later name of learn_fact."""
    return _learned(engine, call, "Updated world knowledge at {path}")


def memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Run one of the four tools, by `action`."""
    actions: dict[str, Callable[[Engine, ToolCall], ToolAnswer]] = {
        "recall": recall,
        "remember": remember,
        "reflect": reflect,
        "update_world": update_world,
    }
    return actions[call.arguments["action"]](engine, call)


def search_memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return passages of the agent's own files and of the world; if a day is named, only of its day files of
    that time."""
    home = agnx_folders.home(engine, call)
    first, last = _day(call, "from"), _day(call, "to")
    if home is None:
        return ToolAnswer(text=NOTHING)

    def fits(document: Document) -> bool:
        if first is None and last is None:
            return True
        day = document.day
        return day is not None and (first or day) <= day <= (last or day)

    shared = world(engine, call, home)
    homes = [home] if shared is None else [home, shared]
    found = passages(engine, call, call.arguments["query"], homes, _number(call, "limit", PASSAGES), fits)
    data = [_row(each, {other.id: other for other in homes}) for each in found]
    text = "\n\n---\n\n".join(
        f"## {row['path']}:{row['first_line']}-{row['last_line']}\n\n{row['text']}" for row in data
    )
    return ToolAnswer(text=text or NOTHING, data={"results": data})


def topic_file(topic: str) -> str:
    """Return the file name of a topic: letters and digits of any script, - and _ stay, ASCII in lower case.

    Every other character becomes one hyphen."""
    kept = (each.lower() if each.isascii() else each for each in topic)
    return "".join(each if each.isalnum() or each in "-_" else "-" for each in kept) + ".md"


def _learned(engine: Engine, call: ToolCall, says: str) -> ToolAnswer:
    topic, content = _needed(call, "topic"), _needed(call, "content")
    path = topic_file(topic)
    if len(path.encode()) > NAME_BYTES:
        raise ToolFault("topic is too long for a file's name")
    home = agnx_folders.made(engine, call)
    shared = world(engine, call, home) or agnx_folders.made_world(engine, call, home)
    change, merged = seen.rewrite(
        engine, call, shared, path, content, title=message("Learned of the world: {path}", path=path)
    )
    return _written(says.format(path=Path(shared.path, path)), change, merged=merged)


def _written(says: str, change: int, *, merged: bool) -> ToolAnswer:
    return ToolAnswer(text=says + (MERGED if merged else ""), change=change)


def _shown(engine: Engine, call: ToolCall, home: Workspace, path: str) -> ToolAnswer:
    found = seen.read(engine, home, path)
    if found is None or not found[1]:
        return ToolAnswer(text="MEMORY.md is empty. Call reflect with content to create it.")
    seen.note(engine, call, [(found[0].id, found[0].content_hash)])
    return ToolAnswer(text=f"Current MEMORY.md:\n\n{found[1]}")


def _replaceable(engine: Engine, call: ToolCall, home: Workspace) -> list[tuple[str, str]]:
    """Return (document id, content hash) of the replaceable texts that a recall shows: the curated memory and
    the world."""
    shared = world(engine, call, home)
    places = [(home, _curated(home))]
    if shared is not None:
        with engine.store.reading() as db:
            places += [(shared, path) for path in document_versions.in_use(db, shared.id)]
    read = (seen.read(engine, place, path) for place, path in places)
    return [(found[0].id, found[0].content_hash) for found in read if found is not None]


def _curated(home: Workspace) -> str:
    return "MEMORY.md" if home.layout == LAYOUT else "memory/MEMORY.md"


def _row(found: Passage, homes: dict[str, Workspace]) -> dict[str, Any]:
    home = homes[found.document.workspace_id]
    path = found.document.path if home.layout != WORLD else f"world/{found.document.path}"
    return {
        "path": path,
        "day": found.document.day,
        "first_line": found.first_line,
        "last_line": found.last_line,
        "score": round(found.score, 4),
        "text": found.text,
    }


def _needed(call: ToolCall, name: str) -> str:
    text = str(call.arguments.get(name) or "")
    if not text.strip():
        raise ToolFault(f"{name} is required")
    return text


def _number(call: ToolCall, name: str, default: int) -> int:
    given = call.arguments.get(name)
    return default if given is None else int(given)


def _day(call: ToolCall, name: str) -> str | None:
    """Return a day in the form of file names. Raises ToolFault if it is not a day."""
    given = call.arguments.get(name)
    try:
        return date.fromisoformat(given).isoformat() if given else None
    except ValueError:
        raise ToolFault(f"{name} must be a day such as 2026-01-31") from None


_VERBS = {
    "recall": recall,
    "remember": remember,
    "reflect": reflect,
    "learn_fact": learn_fact,
    "search_memory": search_memory,
    "update_world": update_world,
    "memory": memory,
}
WORKING = WorkingSet(
    verbs=_VERBS,
    offered=partial(agnx_folders.offered, tuple(_VERBS)),
    refusal="The agent.yaml of this agent has no section `memory`, so it has no memory tools. Add one: spec.memory.",
)
