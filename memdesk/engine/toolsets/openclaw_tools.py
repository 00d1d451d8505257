"""openclaw: its two tools on a workspace's MEMORY.md and memory/*.md, answering its JSON; both only read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall import agent_search
from memdesk.engine.toolsets.agent_folders import home_of
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet, json_answer, plain_misfits
from memdesk.engine.workspace import files
from memdesk.files.reading import plain
from memdesk.files.walk import opened, parts_of
from memdesk.model.document import Workspace
from memdesk.model.errors import MemDeskError, Refused
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall

LAYOUT = "OpenClaw"
RESULTS = 6
SNIPPET_CHARACTERS = 700
"""Most characters of a snippet, as in OpenClaw."""


def memory_search(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return the best passages of the memory files, each with its lines."""
    home = home_of(engine, call, LAYOUT)
    least = float(call.arguments.get("minScore") or 0.0)
    most = int(call.arguments.get("maxResults") or RESULTS)
    homes = [] if home is None else [home]
    query = call.arguments["query"]
    found = agent_search.passages(
        engine, call, query, homes, most, lambda document: _is_memory(document.path), least=least
    )
    rows = [
        {
            "path": each.document.path,
            "startLine": each.first_line,
            "endLine": each.last_line,
            "score": round(each.relevance, 4),
            "snippet": each.text[:SNIPPET_CHARACTERS],
            "source": "memory",
        }
        for each in found
    ]
    return json_answer({"results": rows, "provider": "memdesk", "model": engine.embedder.name})


def memory_get(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return a memory file, or some lines of it; "" for a missing file."""
    path = call.arguments["path"]
    parts = _judged(path)
    if not _is_memory("/".join(parts)):
        raise _elsewhere(path)
    home = home_of(engine, call, LAYOUT)
    text = "" if home is None else _text(engine, home, path, parts)
    first, count = call.arguments.get("from"), call.arguments.get("lines")
    if first is not None or count is not None:
        start = (first or 1) - 1
        lines = text.split("\n")
        text = "\n".join(lines[start : None if count is None else start + count])
    return json_answer({"text": text, "path": path})


def _judged(path: str) -> tuple[str, ...]:
    """Return the names of a path in a workspace. Raises ToolFault for a path that leads elsewhere."""
    try:
        return parts_of(path)
    except Refused:
        raise _elsewhere(path) from None


def _text(engine: Engine, home: Workspace, path: str, parts: tuple[str, ...]) -> str:
    """Return a file's text, "" if there is none. Raises ToolFault for a folder, a link, a pipe, a hard link."""
    try:
        with opened(Path(home.path).resolve()) as tree:
            met = tree.look(parts)
    except Refused:
        raise _elsewhere(path) from None
    if met is not None and met.is_folder:
        raise _elsewhere(path)
    return plain(files.text_of(engine, home, "/".join(parts)) or "")


def _elsewhere(path: str) -> ToolFault:
    return _failed("path required", path=path, text="")


def _is_memory(path: str) -> bool:
    return path in ("MEMORY.md", "memory.md") or (path.startswith("memory/") and path.endswith(".md"))


def _failed(error: str, **more: Any) -> ToolFault:
    return ToolFault(json.dumps({**more, "disabled": True, "error": error}, ensure_ascii=False))


def _misfits(tool: str, misfits: Sequence[Misfit]) -> str:
    return _failed(plain_misfits(tool, misfits)).says


def _failure(error: MemDeskError) -> str:
    return _failed(error.sentence, results=[]).says


WORKING = WorkingSet(
    verbs={"memory_search": memory_search, "memory_get": memory_get}, misfits=_misfits, failure=_failure
)
