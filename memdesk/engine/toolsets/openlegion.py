"""openlegion: its memory tools on a workspace's files and on the agent's facts, answering its JSON."""

from __future__ import annotations

import json
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.words import terms
from memdesk.engine.toolsets import searching
from memdesk.engine.toolsets.homes import home_of, made_home
from memdesk.engine.toolsets.saving import parsed, save
from memdesk.engine.toolsets.toolset import WorkingSet, json_failure, json_fault, json_misfits
from memdesk.engine.workspace.days import write_day
from memdesk.model.channel import GLOBAL
from memdesk.model.diary import WriteDay
from memdesk.model.document import Workspace
from memdesk.model.fact import Fact
from memdesk.model.tools import ToolAnswer, ToolCall
from memdesk.store import recalls

LAYOUT = "OpenLegion"
RESULTS = 5
OVERFETCH = 3
"""Factor by which more facts are returned if a category is given; the result is not cut again (OpenLegion)."""
SNIPPET_CHARACTERS = 300


def memory_search(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return matches in files first, then facts, up to `max_results` of each."""
    query, most = call.arguments["query"], _most(call)
    home = home_of(engine, call, LAYOUT)
    found = _in_files(engine, call, home, query, most)
    facts = searching.facts(engine, call, query, _channel(call, home), most, category=_category(call))
    rows = [*found, *({**_pair(fact), "source": "memory_db"} for fact in facts)]
    return _done({"results": rows, "count": len(rows)})


def memory_recall(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return only facts, with how often each was recalled before."""
    category, most = _category(call), _most(call)
    channel = _channel(call, home_of(engine, call, LAYOUT))
    found = searching.facts(
        engine, call, call.arguments["query"], channel, most * OVERFETCH if category else most, category=category
    )  # fmt: skip
    with engine.store.reading() as db:
        used = recalls.uses(db, [fact.seq for fact in found])
    counts = {seq: use.access_count for seq, use in used.items()}
    rows = [{**_pair(fact), "access_count": counts.get(fact.seq, 0)} for fact in found]
    return _done({"results": rows, "count": len(rows)})


def memory_save(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add a line to today's day file, and a fact derived from it."""
    content = call.arguments["content"]
    if not content.strip():
        raise json_fault("content is required")
    home = home_of(engine, call, LAYOUT) or made_home(engine, call, LAYOUT, "openlegion")
    line = write_day(engine, WriteDay(text=content, workspace_id=home.id), author=call.author)
    change = save(engine, home, line.document_id, content, author=call.author)
    told = {"saved": True, "saved_workspace": True, "saved_db": True, "content": content}
    return _done(told, line.change if change is None else change)


def _in_files(
    engine: Engine, call: ToolCall, home: Workspace | None, query: str, most: int
) -> list[dict[str, Any]]:
    """Return the best passage of each file, represented by its line with most words of the query."""
    if home is None:
        return []
    return [
        {
            "file": each.document.path,
            "score": round(each.score, 3),
            "snippet": _telling_line(each.text, query),
            "source": "workspace",
        }
        for each in searching.passages(engine, call, query, [home], most, one_a_file=True)
    ]


def _telling_line(text: str, query: str) -> str:
    """Return the line with most words of the query, the first among equals."""
    words = terms(query)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return max(lines, key=lambda line: sum(word in line.lower() for word in words))[:SNIPPET_CHARACTERS]


def _pair(fact: Fact) -> dict[str, Any]:
    told = parsed(fact.claim)
    return {
        "key": fact.key or told.key,
        "value": fact.value or told.value,
        "category": fact.category,
        "confidence": fact.confidence,
    }


def _channel(call: ToolCall, home: Workspace | None) -> str:
    return home.channel if home else call.place.channel or GLOBAL


def _most(call: ToolCall) -> int:
    return int(call.arguments.get("max_results") or RESULTS)


def _category(call: ToolCall) -> str:
    return str(call.arguments.get("category") or "").strip()


def _done(told: dict[str, Any], change: int | None = None) -> ToolAnswer:
    return ToolAnswer(text=json.dumps(told, ensure_ascii=False), data=told, change=change)


WORKING = WorkingSet(
    verbs={"memory_search": memory_search, "memory_save": memory_save, "memory_recall": memory_recall},
    misfits=json_misfits,
    failure=json_failure,
)
