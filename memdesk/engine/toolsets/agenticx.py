"""agenticx: its tools on the desk, in its wording: a session's scratchpad, notes in files, and past sessions.

Its runtime asks the user before a note goes into long-term memory; here every note is a change that can be
undone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import scratchpad
from memdesk.engine.toolsets import searching
from memdesk.engine.toolsets.forgetting import memory_forget
from memdesk.engine.toolsets.homes import home_of, made_home
from memdesk.engine.toolsets.sessions import session_search
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet
from memdesk.engine.workspace import files
from memdesk.engine.workspace.days import write_day
from memdesk.engine.workspace.layouts.agenticx import subject
from memdesk.model.diary import WriteDay
from memdesk.model.document import WORKSPACE, Document, Workspace
from memdesk.model.errors import MemDeskError
from memdesk.model.scratchpad import AskNote, ListNotes, WriteNote, is_reserved
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall
from memdesk.store import records

LAYOUT = "AgenticX"
PASSAGES, SHOWN_CHARACTERS = 5, 240
NOTE_CHARACTERS = 400
MEMORY, USER = "MEMORY.md", "USER.md"
_OPENINGS = {MEMORY: "# MEMORY.md - Long-Term Anchors\n\n", USER: "# USER.md\n\n"}
_ROOT = (MEMORY, USER, "IDENTITY.md", "SOUL.md")
_WAYS = {"fts": "words", "semantic": "vectors"}
_NOISE = re.compile(
    r"</?think|```|\buser\b.*\bask|用户.*要求|用户.*让我|创建的文件列表|简历文件路径", re.IGNORECASE
)
"""Text that a note must not contain: a transcript, a model's own thoughts, a listing (AgenticX)."""


def scratchpad_write(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Store a text under a key of the session's scratchpad."""
    key = str(call.arguments["key"]).strip()
    if not key:
        raise ToolFault("ERROR: key is required")
    known = [each.key for each in _notes(engine, call)]
    if key not in known and sum(not is_reserved(each) for each in known) >= scratchpad.NOTES_AT_MOST:
        raise ToolFault(f"ERROR: scratchpad key limit exceeded ({scratchpad.NOTES_AT_MOST})")
    note = WriteNote(
        key=key, value=call.arguments["value"], session_id=_session(call), user_id=call.place.user_id
    )
    scratchpad.write_note(engine, note)
    return ToolAnswer(text=f"OK: scratchpad[{key}] updated")


def scratchpad_read(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return the note under a key, or without a key the list of keys."""
    key = str(call.arguments.get("key") or "").strip()
    if call.arguments.get("list_only") or not key:
        keys = sorted(each.key for each in _notes(engine, call))
        return ToolAnswer(text="\n".join(keys) or "No scratchpad entries.")
    ask = AskNote(key=key, session_id=_session(call), user_id=call.place.user_id)
    found = scratchpad.read_note(engine, ask, author=call.author)
    if not found.found:
        raise ToolFault(f"ERROR: key not found: {key}")
    text = found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False)
    return ToolAnswer(text=text)


def memory_append(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add a note to today's day file or to long-term memory."""
    target = str(call.arguments["target"]).strip().lower()
    scope = str(call.arguments.get("scope") or "subject").strip().lower()
    if fault := _misplaced(target, scope, call.arguments["content"]):
        raise ToolFault(f"ERROR: {fault}")
    note = sanitised(call.arguments["content"])
    if note is None:
        return ToolAnswer(
            text=f"OK: nothing appended to {target}: a note is one statement of at most {NOTE_CHARACTERS} characters"
        )
    if scope == "user_global":
        return _appended(engine, call, _shared(engine, call), USER, note, target)
    home = home_of(engine, call, LAYOUT) or made_home(engine, call, LAYOUT, "agenticx")
    if target == "long_term":
        return _appended(engine, call, home, MEMORY, note, target)
    done = write_day(engine, WriteDay(text=note, workspace_id=home.id), author=call.author)
    return ToolAnswer(text="OK: appended to daily", change=done.change)


def memory_search(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return passages of the subject's own files, one per line."""
    query = call.arguments["query"].strip()
    if not query:
        raise ToolFault("ERROR: query is required")
    home = home_of(engine, call, LAYOUT)
    homes = [] if home is None else [home]
    most = int(call.arguments.get("limit") or PASSAGES)
    way = _WAYS.get(call.arguments.get("mode") or "hybrid", "")
    found = searching.passages(engine, call, query, homes, most, _is_memory, way=way)
    lines = (_line(number, each, homes[0]) for number, each in enumerate(found, start=1))
    return ToolAnswer(text="\n".join(lines) or "No memory matches.")


def sanitised(content: str) -> str | None:
    """Return a note on one line, as it is stored; None if it is not a valid note (AgenticX)."""
    note = " ".join(content.split())
    return None if not note or len(note) > NOTE_CHARACTERS or _NOISE.search(note) else note


def _misplaced(target: str, scope: str, content: str) -> str:
    if target not in ("daily", "long_term"):
        return "target must be daily or long_term"
    if scope not in ("subject", "user_global"):
        return "scope must be subject or user_global"
    if not content.strip():
        return "content is required"
    if scope == "user_global" and target != "long_term":
        return "user_global scope only supports target=long_term"
    return ""


def _appended(
    engine: Engine, call: ToolCall, home: Workspace, path: str, note: str, target: str
) -> ToolAnswer:
    title = f"{path}: {note[:90]}"
    done = files.add(
        engine, home, path, f"- {note}\n", opening=_OPENINGS[path], author=call.author, title=title
    )
    return ToolAnswer(text=f"OK: appended to {target}", change=done.change)


def _shared(engine: Engine, call: ToolCall) -> Workspace:
    """Return the main agent's workspace, whose USER.md every agent shares. Raises ToolFault unless there is
    exactly one."""
    with engine.store.reading() as db:
        found: list[Workspace] = records.find(
            db, WORKSPACE, user_id=call.place.user_id, layout=LAYOUT, retired_at=None
        )
    main = [each for each in found if subject(Path(each.path)) == "the main agent"]
    if len(main) != 1:
        raise ToolFault("ERROR: user_global needs the one workspace of the main agent on this desk")
    return main[0]


def _is_memory(document: Document) -> bool:
    """Return True for MEMORY, IDENTITY, USER, SOUL and the files directly in memory, the files that AgenticX
    indexes."""
    folder, _, name = document.path.rpartition("/")
    return document.path in _ROOT or (folder == "memory" and name.endswith(".md"))


def _line(number: int, found: searching.Passage, home: Workspace) -> str:
    text = found.text.replace("\n", " ")
    shown = text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."
    lines = f"{found.first_line}-{found.last_line}"
    path = Path(home.path, found.document.path)
    return f"{number}. score={round(found.score, 4)} path={path}:{lines} text={shown}"


def _notes(engine: Engine, call: ToolCall) -> Sequence[Any]:
    ask = ListNotes(session_id=_session(call), user_id=call.place.user_id)
    return scratchpad.list_notes(engine, ask, author=call.author).notes


def _session(call: ToolCall) -> str:
    session = call.place.session_id or call.place.conversation_id
    if not session:
        raise ToolFault("ERROR: the scratchpad is a session's: name it as session_id")
    return session


def _misfits(tool: str, misfits: Sequence[Misfit]) -> str:
    told = ", ".join(f"{each.place} {each.says or f'must be of type {each.expected}'}" for each in misfits)
    return f"ERROR: {tool}() was called with other arguments than it takes: {told}."


def _failure(error: MemDeskError) -> str:
    return f"ERROR: {error.says} {error.next}".rstrip()


WORKING = WorkingSet(
    verbs={
        "scratchpad_write": scratchpad_write,
        "scratchpad_read": scratchpad_read,
        "memory_append": memory_append,
        "memory_search": memory_search,
        "memory_forget": memory_forget,
        "session_search": session_search,
    },
    misfits=_misfits,
    failure=_failure,
)
