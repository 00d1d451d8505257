"""Descriptions of fields, for the OpenAPI document and the help of commands.

A record's docstring describes its own fields, as `name, other: meaning.`; FIELDS has the descriptions of
fields that have the same meaning in every record, or need none in the code."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

FIELDS = {
    "user_id": "Whose memory it is; `local` is the person at this desk.",
    "channel": "The project it belongs to. `_global` is read beside every other.",
    "channels": "Only these channels; empty for all.",
    "agent_id": "The agent it belongs to. In a POST, whom `X-MemDesk-Agent` names when left out.",
    "agents": "Only these agents; empty for all.",
    "authors": "Only changes by these: `agent:NAME`, `person:NAME` or `job:NAME`; empty for all.",
    "conversation_id": "The conversation it is about or comes from.",
    "session_id": "The agent's session.",
    "id": "The id that a call answered or a list shows.",
    "ids": "Ids that a call answered or a list shows.",
    "limit": "How many at most.",
    "first_index": "The first of the turns, counted from 0.",
    "last_index": "The last of the turns, itself among them.",
    "first": "How many to leave out at the beginning, for the pages after the first.",
    "after": "The `next` of the page before; left out, the first page.",
    "since": "Only from this time on.",
    "until": "Only from before this time.",
    "text": "Only those with this text; empty for all.",
    "content": "What was said.",
    "role": "user, assistant, system or tool, as language models name them.",
    "speaker": "Who said it, by name; left out, the role.",
    "title": "A heading for it; left out, its first words.",
    "created_at": "When it happened; left out, now.",
    "token_count": "How many tokens it took, where the caller counted.",
    "model": "The language model that said it.",
    "metadata": "Whatever else the caller wants kept with it, as JSON.",
    "turn_index": "Its place in the conversation, from 0.",
    "claim": "What is so, in one sentence.",
    "category": "A fact's category, such as fact, decision, preference, constraint or event.",
    "categories": "Only these categories; empty for all.",
    "confidence": "How sure it is, 0 to 1.",
    "min_confidence": "Only what is at least this sure, 0 to 1.",
    "temporal": "current, past, future or recurring; left out, unknown.",
    "reason": "Why, for the audit log and whoever reads it.",
    "type": "What type of thing it is.",
    "types": "Only these types; empty for all.",
    "kinds": "Only these kinds of memory; empty for all.",
    "name": "What it is called.",
    "description": "What it is, in a sentence.",
    "aliases": "Other names of it.",
    "tags": "Only what carries one of these tags; empty for all.",
    "operations": "Only events of these operations; empty for all.",
    "layers": "Only events of these layers of memory; empty for all.",
    "memory_types": "Only rows of these: episodic, semantic, procedural, working, workspace; empty for all.",
    "record": "Only what touched the record with this id.",
    "fact_id": "The fact's id.",
    "entity_id": "The entity's id.",
    "goal_id": "The goal's id.",
    "strategy_id": "The strategy's id.",
    "invocation_id": "The tool call's id.",
    "compaction_id": "The compaction's id.",
    "document_id": "The file's id.",
    "workspace_id": "The workspace's id.",
    "conflict_id": "The conflict's id.",
    "content_hash": "The version's hash: SHA-256 of its text, in hex.",
    "base_hash": "The hash of the version that this was made from.",
    "task_type": "What a tool is called for, such as code_review.",
    "tool_name": "The tool's name.",
    "key": "The name it is kept under.",
    "value": "Any JSON.",
    "utc_offset_minutes": "The viewer's zone, in minutes east of UTC.",
    "retry_key": "The caller's own id of this call: sent again, it changes nothing more.",
    "aspect": "preferences, expertise, communication_style or metadata.",
    "bins": "How many buckets.",
    "blocker_id": "The goal that must end first.",
    "calls": "The tool calls, in order.",
    "center": "The memory in the middle.",
    "change": "The number of a change, as calls answer it and the timeline shows it.",
    "context": "Where it was learned, in a few words.",
    "day": "A day such as 2026-01-31.",
    "days_ahead": "How many days after today.",
    "days_back": "How many days before today.",
    "deadline": "By when; left out, none.",
    "decision": "One of the question's `decisions`.",
    "entity": "Its id, or its name in the channel or in `_global`.",
    "error_message": "What the tool said when it failed.",
    "every_channel": "Search all the user's channels.",
    "format": "In which form, of those that are listed.",
    "from_conversation_id": "The conversation in which it was seen to work, or not.",
    "hops": "How many relations to follow.",
    "hours": "How many hours back from now.",
    "into": "The channel that takes it in.",
    "into_id": "The memory that is kept.",
    "latency_ms": "How long it took, in milliseconds.",
    "oldest_first": "The oldest first.",
    "on": "Whether the clock starts jobs.",
    "parent_id": "The goal it is a part of.",
    "past": "Past and retired memories too.",
    "path": "An absolute path on this machine.",
    "pinned": "Whether it is pinned from now on.",
    "prefix": "What their keys begin with; empty for all.",
    "query": "The recall as it would be asked.",
    "reset": "Settings that go back to their defaults.",
    "resolved": "Those that were resolved too.",
    "result": "What came of it.",
    "set": "A set of tools, of those that `/v1/tools/sets` lists.",
    "side": "ours, theirs or text.",
    "source": "An id, or the name of an entity of the channel or of `_global`.",
    "source_turn_id": "The turn it was read from.",
    "state": "open, accepted, dismissed or all.",
    "status": "completed, abandoned or blocked.",
    "success": "Whether it worked.",
    "tag": "The tag as it is called now.",
    "target": "An id, or the name of an entity of the channel or of `_global`.",
    "task_description": "What is to be done.",
    "thought": "What the agent thinks.",
    "tool_input": "What the tool was called with: any JSON.",
    "tool_output": "What the tool answered: any JSON.",
    "turn_id": "The turn's id; the caller's own makes a retry harmless.",
    "turns": "The turns, in order.",
}
"""Descriptions of fields whose record has none in its docstring."""
_TOLD = re.compile(r"(?:(?<=\. )|^)(`?[a-z_]+`?(?:(?:, | and )`?[a-z_]+`?)*): ")
"""Beginning of a description of fields, in a docstring put on one line."""


def words(record: Any) -> str:
    """Return a record's own docstring; "" where it has only the generated one of a dataclass, or is no
    record."""
    doc, name = record.__dict__.get("__doc__") or "", record.__name__
    return inspect.cleandoc(doc) if is_dataclass(record) and not doc.startswith(f"{name}(") else ""


def asked(record: Any) -> dict[str, str]:
    """Return the description of each field of a request, by name."""
    names = {item.name for item in fields(record)}
    return {name: says for name, says in FIELDS.items() if name in names} | field_descriptions(record)


def field_descriptions(record: Any) -> dict[str, str]:
    """Return the descriptions of fields in a record's docstring and those of its bases."""
    names = {item.name for item in fields(record)}
    says: dict[str, str] = {}
    for kind in reversed(record.__mro__):
        says |= _parse_descriptions(" ".join(words(kind).split()), names)
    return says


def _parse_descriptions(doc: str, names: set[str]) -> dict[str, str]:
    """Return the fields described in a docstring as `first, second: meaning.`, each up to the next such
    description."""
    starts = [
        (found, named)
        for found in _TOLD.finditer(doc)
        if (named := set(re.findall(r"[a-z_]+", found[1])) - {"and"}) <= names
    ]
    ends = [found.start() for found, _ in starts[1:]] + [len(doc)]
    return {
        name: doc[found.end()].upper() + doc[found.end() + 1 : end].rstrip()
        for (found, named), end in zip(starts, ends, strict=False)
        for name in named
    }
