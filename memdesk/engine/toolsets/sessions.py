"""AgenticX's session_search: matching turns of past sessions, by session, or the latest sessions."""

from __future__ import annotations

import json
import re
from typing import Any

from memdesk.engine.browsing.episodes import conversations
from memdesk.engine.engine import Engine
from memdesk.engine.recall.words import terms
from memdesk.engine.toolsets import searching
from memdesk.engine.toolsets.homes import home_of
from memdesk.model.channel import GLOBAL
from memdesk.model.instant import to_datetime
from memdesk.model.timeline import ConversationRow, ListConversations
from memdesk.model.tools import ToolAnswer, ToolCall
from memdesk.model.turn import Turn

LAYOUT = "AgenticX"
SESSIONS, SESSIONS_AT_MOST = 3, 5
TURNS_AT_MOST = 50
SNIPPET_WORDS = 40
HITS_CHARACTERS = 10_000
"""Most characters of one session's hits as JSON (AgenticX)."""


def session_search(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return matching turns of past sessions, the latest first; without a query, the sessions that began
    last."""
    query = str(call.arguments.get("query") or "").strip()
    most = max(1, min(int(call.arguments.get("limit") or SESSIONS), SESSIONS_AT_MOST))
    home = home_of(engine, call, LAYOUT)
    channel = home.channel if home else call.place.channel or GLOBAL
    if not query:
        return _told({"mode": "recent", "sessions": _recent(engine, call, channel, most)})
    roles = {role.strip().lower() for role in str(call.arguments.get("role_filter") or "").split(",")} - {""}

    def fits(turn: Turn) -> bool:
        return searching.is_visible(turn.agent_id, call) and (not roles or turn.role in roles)

    def shown(turns: list[Turn]) -> list[int]:
        best = turns[:TURNS_AT_MOST]
        latest = {turn.conversation_id: None for turn in sorted(best, key=_newest)}
        return [place for place, turn in enumerate(best) if turn.conversation_id in list(latest)[:most]]

    groups: dict[str, list[dict[str, Any]]] = {}
    for turn in sorted(searching.turns(engine, call, query, channel, fits, shown), key=_newest):
        groups.setdefault(turn.conversation_id, []).append(_hit(turn, query))
    sessions = [{"session_id": id, "hits": _fitting(hits)} for id, hits in groups.items()]
    return _told({"mode": "search", "sessions": sessions})


def snippet(text: str, query: str) -> str:
    """Return some words of a text around the first word of the query; words of the query are put between »
    and «."""
    words, wanted = text.split(), tuple(terms(query))
    found = [n for n, word in enumerate(words) if any(term in word.lower() for term in wanted)]
    first = max(0, found[0] - SNIPPET_WORDS // 4) if found else 0
    shown = " ".join(words[first : first + SNIPPET_WORDS])
    if wanted:
        marked = "|".join(map(re.escape, sorted(wanted, key=len, reverse=True)))
        shown = re.sub(f"({marked})", "»\\1«", shown, flags=re.IGNORECASE)
    return f"{'…' if first else ''}{shown}{'…' if first + SNIPPET_WORDS < len(words) else ''}"


def _recent(engine: Engine, call: ToolCall, channel: str, most: int) -> list[dict[str, Any]]:
    rows, after = list[ConversationRow](), ""
    while len(rows) < most:
        ask = ListConversations(
            user_id=call.place.user_id, channels=tuple(dict.fromkeys((channel, GLOBAL))), after=after
        )
        page = conversations(engine, ask)
        rows += (row for row in page.rows if searching.is_visible(row.agent_id, call))
        if page.next is None:
            break
        after = page.next
    return [
        {
            "session_id": row.id,
            "created_at": row.started_at.isoformat(),
            "metadata": {"session_name": row.title, "turns": row.turns},
        }
        for row in rows[:most]
    ]


def _newest(turn: Turn) -> tuple[int, int]:
    return -turn.created_at, -turn.seq


def _hit(turn: Turn, query: str) -> dict[str, Any]:
    return {
        "session_id": turn.conversation_id,
        "role": turn.role,
        "timestamp": to_datetime(turn.created_at).isoformat(),
        "snippet": snippet(turn.content, query),
    }


def _fitting(hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return as many hits as fit, but at least the first."""
    kept, characters = hits[:1], 0
    for hit in hits[1:]:
        characters += len(json.dumps(hit, ensure_ascii=False)) + 1
        if characters > HITS_CHARACTERS:
            break
        kept.append(hit)
    return kept


def _told(data: dict[str, Any]) -> ToolAnswer:
    return ToolAnswer(text=json.dumps(data, ensure_ascii=False), data=data)
