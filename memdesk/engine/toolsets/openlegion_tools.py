"""openlegion: its memory tools on a workspace's files and on the agent's facts, answering its JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import claims
from memdesk.engine.memory.believe import Said, believe
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.claims import category_for
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.quarantine import draft_quarantined, find_doubt
from memdesk.engine.recall import agent_search
from memdesk.engine.recall.query import terms
from memdesk.engine.toolsets.agent_folders import home_of, made_home
from memdesk.engine.toolsets.toolset import WorkingSet, json_answer, json_failure, json_fault, json_misfits
from memdesk.engine.wording import titled
from memdesk.engine.workspace import session_notes
from memdesk.engine.workspace.day_files import add_entry
from memdesk.model.change import Change
from memdesk.model.document import Workspace
from memdesk.model.entity import DERIVED_FROM
from memdesk.model.fact import Fact
from memdesk.model.message import Message, message, verbatim
from memdesk.model.remember import NewFact
from memdesk.model.tools import ToolAnswer, ToolCall
from memdesk.model.trust import of_author
from memdesk.model.workspace_files import RecordLearning, WriteDay
from memdesk.store import recalls
from memdesk.store.connection import Connection

SOURCE, CONFIDENCE = "memory_save", 0.9
"""Source and confidence of a saved fact, as in OpenLegion."""
SEPARATORS = (re.compile(r"(?<!\d):(?!//)|:(?!//|\d)"), re.compile(" - "), re.compile(" — "))
"""Separators of a key from its value, in this order. A colon in an address or in a time of day is none."""
KEY_CHARACTERS, CUT_CHARACTERS = 80, 60
"""Longest key, and the length at which a key that is only the beginning of a note is cut."""
QUOTE_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """Note as key and value. named: True if the note itself separates them; else the key is the beginning of
    the note."""

    key: str
    value: str
    named: bool


def parsed(content: str) -> Parsed:
    """Return the key and the value of a note, separated as OpenLegion does."""
    whole = content.strip()
    for separator in SEPARATORS:
        found = separator.search(whole)
        if found is None:
            continue
        left, right = whole[: found.start()], whole[found.end() :]
        if 0 < len(left) <= KEY_CHARACTERS and right.strip():
            return Parsed(key=left.strip(), value=right.strip(), named=True)
    key = whole[:CUT_CHARACTERS].rstrip()
    if len(whole) > CUT_CHARACTERS and " " in key:
        key = key.rsplit(" ", 1)[0]
    return Parsed(key=key, value=whole, named=False)


def save(engine: Engine, home: Workspace, document_id: str, content: str, *, author: str) -> int | None:
    """Store a note as a fact of this agent; it replaces another value of its key. Returns the change.

    None if it is known already. Raises BadAsk for a note too long to be a claim."""
    note = parsed(content)
    claim = message("{key}: {value}", key=note.key, value=note.value) if note.named else note.value
    ask = NewFact(
        claim=claim,
        channel=home.channel,
        user_id=home.user_id,
        agent_id=home.agent_id,
        key=note.key,
        value=note.value,
    )
    pair = claims.key_and_validity(ask)
    channel = ensure_channel(engine, home.user_id, home.channel, author=author)
    category = category_for(engine, claim, home.user_id, channel)

    def verb(db: Connection) -> tuple[Change | None, None]:
        draft = Draft.of(engine, db, home, channel, door=of_author(author))
        beside: dict[str, Any] = {
            "category": category,
            "confidence": CONFIDENCE,
            "temporal": None,
            "source": SOURCE,
            "source_turn_id": None,
            "quote": content[:QUOTE_CHARACTERS],
            **pair,
        }
        why = find_doubt(draft, claim, content, author=author, by_person=False)
        if why is not None:
            id, _ = draft_quarantined(draft, why, claim, **beside)
        else:
            said = Said(author=author, sparing=claims.replaced_ids(draft, ask, pair["key"]))
            belief = believe(draft, claim, said, **beside)
            id = belief.id
            if belief.known:
                claims.complete(draft, id, pair)
            claims.replace_value(draft, ask, id, pair["key"])
        draft.relation(id, document_id, DERIVED_FROM, confidence=CONFIDENCE, source_turn_id=None)
        return _change(draft, verbatim(claim), author), None

    applied, _ = engine.store.decide(verb)
    return None if applied is None else applied.id


def _change(draft: Draft, claim: Message, author: str) -> Change | None:
    if not draft.edits:
        return None
    return draft.change("learn", titled(claim, 120), author=author)


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
    facts = agent_search.facts(engine, call, query, _channel(call, home), most, category=_category(call))
    rows = [*found, *({**_pair(fact, call), "source": "memory_db"} for fact in facts)]
    return json_answer({"results": rows, "count": len(rows)})


def memory_recall(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return only facts, with how often each was recalled before."""
    category, most = _category(call), _most(call)
    channel = _channel(call, home_of(engine, call, LAYOUT))
    found = agent_search.facts(
        engine,
        call,
        call.arguments["query"],
        channel,
        most * OVERFETCH if category else most,
        category=category,
    )
    with engine.store.reading() as db:
        used = recalls.uses(db, [fact.seq for fact in found])
    counts = {seq: use.access_count for seq, use in used.items()}
    rows = [{**_pair(fact, call), "access_count": counts.get(fact.seq, 0)} for fact in found]
    return json_answer({"results": rows, "count": len(rows)})


def memory_save(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add a line to today's day file, and a fact derived from it."""
    content = call.arguments["content"]
    if not content.strip():
        raise json_fault("content is required")
    found = home_of(engine, call, LAYOUT)
    home = found or made_home(engine, call, LAYOUT, "openlegion")
    line = add_entry(engine, WriteDay(text=content, workspace_id=home.id), author=call.author, reads=False)
    change = save(engine, home, line.document_id, content, author=call.author)
    answer: dict[str, Any] = {"saved": True, "saved_workspace": True, "saved_db": True, "content": content}
    if found is None:
        answer["note"] = f"Kept in {home.path}: no folder of {call.agent} was connected to this desk."
    return json_answer(answer, line.change if change is None else change)


def record_learning(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add an error or a correction to the learnings of the agent's workspace."""
    home = home_of(engine, call, LAYOUT) or made_home(engine, call, LAYOUT, "openlegion")
    ask = RecordLearning(**call.arguments, workspace_id=home.id)
    done = session_notes.record(engine, ask, author=call.author)
    return json_answer({"saved": True, "file": done.path}, done.change)


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
            "snippet": _best_line(each.text, query),
            "source": "workspace",
        }
        for each in agent_search.passages(engine, call, query, [home], most, one_a_file=True)
    ]


def _best_line(text: str, query: str) -> str:
    """Return the line with most words of the query, the first among equals."""
    words = terms(query)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return max(lines, key=lambda line: sum(word in line.lower() for word in words))[:SNIPPET_CHARACTERS]


def _pair(fact: Fact, call: ToolCall) -> dict[str, Any]:
    note = parsed(fact.claim)
    return {
        "key": fact.key or note.key,
        "value": fact.value or note.value,
        "category": fact.category,
        "confidence": fact.confidence,
        **agent_search.marks(fact, call),
    }


def _channel(call: ToolCall, home: Workspace | None) -> str:
    return home.channel if home else call.channel


def _most(call: ToolCall) -> int:
    return int(call.arguments.get("max_results") or RESULTS)


def _category(call: ToolCall) -> str:
    return str(call.arguments.get("category") or "").strip()


WORKING = WorkingSet(
    verbs={
        "memory_search": memory_search,
        "memory_save": memory_save,
        "memory_recall": memory_recall,
        "record_learning": record_learning,
    },
    misfits=json_misfits,
    failure=json_failure,
)
