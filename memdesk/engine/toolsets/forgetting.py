"""AgenticX's memory_forget with additions: a preview, one change for all forgotten memory, and its undo.

Memory that a person pinned or wrote stays; an entry of MEMORY.md is removed with all entries nested under it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine
from memdesk.engine.memory.protection import protected
from memdesk.engine.toolsets import seen
from memdesk.engine.toolsets.homes import home_of
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.undo import undo
from memdesk.engine.workspace import lines_follow, writing
from memdesk.engine.workspace.disk import one_writer
from memdesk.files.manner import plain
from memdesk.model.change import Change, Edit
from memdesk.model.curation import Undo
from memdesk.model.document import Document, Workspace
from memdesk.model.fact import FACT, Fact
from memdesk.model.history import AskEvent
from memdesk.model.tools import ToolAnswer, ToolCall
from memdesk.store import records

LAYOUT, MEMORY = "AgenticX", "MEMORY.md"
NOTHING = "未找到匹配记忆"
FACTS_AT_MOST = 100
"""Most facts of one call."""
_ENTRY = re.compile(r"[-*+][ \t]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Memory to forget. document, rest: the memory file, and its text without the entries. kept: number of
    facts that stay."""

    entries: tuple[str, ...] = ()
    document: Document | None = None
    rest: str = ""
    facts: tuple[Fact, ...] = ()
    kept: int = 0


def memory_forget(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Forget matching memory, preview it, or undo an earlier call."""
    if (change := call.arguments.get("undo")) is not None:
        return _brought_back(engine, call, int(change))
    query = str(call.arguments.get("query") or "").strip().casefold()
    if not query:
        raise ToolFault(json.dumps({"ok": False, "error": "query is required"}))
    home = home_of(engine, call, LAYOUT)
    with one_writer:
        found = Found() if home is None else _matching(engine, call, home, query)
        if not found.entries and not found.facts:
            return _told({"ok": True, "message": NOTHING, "deleted": 0, "skipped": found.kept})
        told = {
            "text": list(found.entries),
            "graph": [fact.claim for fact in found.facts],
            "skipped": found.kept,
        }
        if call.arguments.get("preview") or home is None:
            return _told({"ok": True, "preview": True, **told})
        change = _forget(engine, call, home, found, query)
    count = len(found.entries) + len(found.facts)
    return _told({"ok": True, "deleted": count, **told, "undo": change}, change)


def entries_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield (first line, line after the last) of every top-level bullet with its nested lines, counted from
    0."""
    lines = text.split("\n")
    start: int | None = None
    for number, line in enumerate([*lines, "#"]):
        if start is not None and not (line.startswith((" ", "\t")) and line.strip()):
            yield start, number
            start = None
        if _ENTRY.match(line):
            start = number


def _matching(engine: Engine, call: ToolCall, home: Workspace, query: str) -> Found:
    scope = call.arguments.get("scope") or "both"
    found = _entries(engine, home, query) if scope in ("text", "both") else Found()
    if scope == "text":
        return found
    with engine.store.reading() as db:
        own: list[Fact] = records.find(
            db, FACT, user_id=home.user_id, agent_id=home.agent_id, channel=home.channel, retired_at=None
        )
        facts = [fact for fact in own if query in fact.claim.casefold()][:FACTS_AT_MOST]
        fixed = protected(db, [fact.id for fact in facts])
    return Found(
        entries=found.entries, document=found.document, rest=found.rest, kept=len(fixed),
        facts=tuple(fact for fact in facts if fact.id not in fixed),
    )  # fmt: skip


def _entries(engine: Engine, home: Workspace, query: str) -> Found:
    read = seen.read(engine, home, MEMORY)
    if read is None:
        return Found()
    lines = plain(read[1]).split("\n")
    told = [(first, end, "\n".join(lines[first:end])) for first, end in entries_of("\n".join(lines))]
    going = [(first, end, text) for first, end, text in told if query in text.casefold()]
    gone = {number for first, end, _ in going for number in range(first, end)}
    rest = "\n".join(line for number, line in enumerate(lines) if number not in gone)
    return Found(entries=tuple(text for _, _, text in going), document=read[0], rest=rest)


def _forget(engine: Engine, call: ToolCall, home: Workspace, found: Found, query: str) -> int:
    """Forget the found entries and facts in one change; return it."""
    title = f"Forgot what holds “{query[:60]}”"
    edits = tuple(records.moved(FACT, fact, retired_at=engine.clock()) for fact in found.facts)
    if found.entries and found.document is not None:
        saved = writing.replace(
            engine, found.document.id, found.rest, base_hash=found.document.content_hash, author=call.author,
            title=title, also=edits,
        )  # fmt: skip
        return saved.change
    about = [fact.id for fact in found.facts]
    applied, _ = lines_follow.decide(engine, lambda db: (_retiring(call, home, edits, title), None), about)
    assert applied is not None
    return applied.id


def _retiring(call: ToolCall, home: Workspace, edits: Sequence[Edit], title: str) -> Change:
    return Change(
        op="retire", layer=FACT.layer, title=title, author=call.author, edits=tuple(edits), channel=home.channel,
        user_id=home.user_id,
    )  # fmt: skip


def _brought_back(engine: Engine, call: ToolCall, change: int) -> ToolAnswer:
    """Undo a change of this same agent."""
    row = history.event(engine, AskEvent(id=change)).row
    if (row.author, row.user_id) != (call.author, call.place.user_id):
        raise ToolFault(json.dumps({"ok": False, "error": f"{change} is no change of yours"}))
    done = undo(engine, Undo(change=change), author=call.author)
    return _told({"ok": True, "undone": done.undid}, done.change)


def _told(data: dict[str, Any], change: int | None = None) -> ToolAnswer:
    return ToolAnswer(text=json.dumps(data, ensure_ascii=False), data=data, change=change)
