"""agenticx: its tools on the desk, in its wording: a session's scratchpad, notes in files, and past
sessions.

Its runtime asks the user before a note goes into long-term memory; here every note is a change that can
be undone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdesk.engine.browsing import history
from memdesk.engine.browsing.lists import conversations
from memdesk.engine.engine import Engine
from memdesk.engine.memory import scratchpad
from memdesk.engine.memory.draft import protected
from memdesk.engine.recall import agent_search
from memdesk.engine.recall.query import terms
from memdesk.engine.toolsets import agent_folders
from memdesk.engine.toolsets.agent_folders import home_of, made_home
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet, json_answer
from memdesk.engine.undo import undo
from memdesk.engine.workspace import files, writing
from memdesk.engine.workspace.day_files import write_day
from memdesk.engine.workspace.disk import one_writer
from memdesk.engine.workspace.layouts.systems import subject
from memdesk.files.reading import plain
from memdesk.model.change import Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Undo
from memdesk.model.document import WORKSPACE, Document, Workspace
from memdesk.model.errors import MemDeskError
from memdesk.model.fact import FACT, Fact
from memdesk.model.history import AskEvent
from memdesk.model.instant import to_datetime
from memdesk.model.message import Message, message
from memdesk.model.timeline import ConversationRow, ListConversations
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall
from memdesk.model.turn import Turn
from memdesk.model.working import AskNote, ListNotes, WriteNote, is_reserved
from memdesk.model.workspace_files import WriteDay
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
            return json_answer({"ok": True, "message": NOTHING, "deleted": 0, "skipped": found.kept})
        answer = {
            "text": list(found.entries),
            "graph": [fact.claim for fact in found.facts],
            "skipped": found.kept,
        }
        if call.arguments.get("preview") or home is None:
            return json_answer({"ok": True, "preview": True, **answer})
        change = _forget(engine, call, home, found, query)
    count = len(found.entries) + len(found.facts)
    return json_answer({"ok": True, "deleted": count, **answer, "undo": change}, change)


def entries_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield (first line, line after the last) of every top-level bullet with its nested lines, counted from 0."""
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
        own = records.find(
            db, FACT, user_id=home.user_id, agent_id=home.agent_id, channel=home.channel, retired_at=None
        )
        facts = [fact for fact in own if query in fact.claim.casefold()][:FACTS_AT_MOST]
        fixed = protected(db, [fact.id for fact in facts])
    return Found(
        entries=found.entries,
        document=found.document,
        rest=found.rest,
        kept=len(fixed),
        facts=tuple(fact for fact in facts if fact.id not in fixed),
    )


def _entries(engine: Engine, home: Workspace, query: str) -> Found:
    read = agent_folders.read_file(engine, home, MEMORY)
    if read is None:
        return Found()
    lines = plain(read[1]).split("\n")
    entries = [(first, end, "\n".join(lines[first:end])) for first, end in entries_of("\n".join(lines))]
    going = [(first, end, text) for first, end, text in entries if query in text.casefold()]
    gone = {number for first, end, _ in going for number in range(first, end)}
    rest = "\n".join(line for number, line in enumerate(lines) if number not in gone)
    return Found(entries=tuple(text for _, _, text in going), document=read[0], rest=rest)


def _forget(engine: Engine, call: ToolCall, home: Workspace, found: Found, query: str) -> int:
    """Forget the found entries and facts in one change; return it."""
    title = message("Forgot what holds “{query}”", query=query[:60])
    edits = tuple(records.update_edit(FACT, fact, retired_at=engine.clock()) for fact in found.facts)
    if found.entries and found.document is not None:
        saved = writing.replace(
            engine,
            found.document.id,
            found.rest,
            base_hash=found.document.content_hash,
            author=call.author,
            title=title,
            also=edits,
        )
        return saved.change
    about = [fact.id for fact in found.facts]
    applied, _ = engine.decide(lambda db: (_retiring(call, home, edits, title), None), about)
    assert applied is not None
    return applied.id


def _retiring(call: ToolCall, home: Workspace, edits: Sequence[Edit], title: Message) -> Change:
    return Change.about(home, "retire", title, author=call.author, edits=edits, layer=FACT.layer)


def _brought_back(engine: Engine, call: ToolCall, change: int) -> ToolAnswer:
    """Undo a change of this same agent."""
    row = history.event(engine, AskEvent(id=change)).row
    if (row.author, row.user_id) != (call.author, call.place.user_id):
        raise ToolFault(json.dumps({"ok": False, "error": f"{change} is no change of yours"}))
    done = undo(engine, Undo(change=change), author=call.author)
    return json_answer({"ok": True, "undone": done.undid}, done.change)


SESSIONS, SESSIONS_AT_MOST = 3, 5
TURNS_AT_MOST = 50
SNIPPET_WORDS = 40
HITS_CHARACTERS = 10_000
"""Most characters of one session's hits as JSON (AgenticX)."""


def session_search(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return matching turns of past sessions, the latest first; without a query, the sessions that began last."""
    query = str(call.arguments.get("query") or "").strip()
    most = max(1, min(int(call.arguments.get("limit") or SESSIONS), SESSIONS_AT_MOST))
    home = home_of(engine, call, LAYOUT)
    channel = home.channel if home else call.channel
    if not query:
        return json_answer({"mode": "recent", "sessions": _recent(engine, call, channel, most)})
    roles = {role.strip().lower() for role in str(call.arguments.get("role_filter") or "").split(",")} - {""}

    def fits(turn: Turn) -> bool:
        return agent_search.is_visible(turn.agent_id, call) and (not roles or turn.role in roles)

    def shown(turns: list[Turn]) -> list[int]:
        best = turns[:TURNS_AT_MOST]
        latest = {turn.conversation_id: None for turn in sorted(best, key=_newest)}
        return [place for place, turn in enumerate(best) if turn.conversation_id in list(latest)[:most]]

    groups: dict[str, list[dict[str, Any]]] = {}
    for turn in sorted(agent_search.turns(engine, call, query, channel, fits, shown), key=_newest):
        groups.setdefault(turn.conversation_id, []).append(_hit(turn, query) | agent_search.marks(turn, call))
    sessions = [{"session_id": id, "hits": _fitting(hits)} for id, hits in groups.items()]
    return json_answer({"mode": "search", "sessions": sessions})


def snippet(text: str, query: str) -> str:
    """Return some words of a text around the first word of the query; words of the query are put between » and «."""
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
        rows += (row for row in page.rows if agent_search.is_visible(row.agent_id, call))
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
    kept: list[dict[str, Any]] = []
    characters = 0
    for hit in hits:
        # A separator follows each but the last; two brackets enclose them all.
        characters += len(json.dumps(hit, ensure_ascii=False)) + 2
        if kept and characters > HITS_CHARACTERS:
            break
        kept.append(hit)
    return kept


PASSAGES, SHOWN_CHARACTERS = 5, 240
NOTE_CHARACTERS = 400
USER = "USER.md"
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
    found = agent_search.passages(engine, call, query, homes, most, _is_memory, way=way)
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
    title = message("{path}: {note}", path=path, note=note[:90])
    done = files.add(
        engine, home, path, f"- {note}\n", opening=_OPENINGS[path], author=call.author, title=title
    )
    return ToolAnswer(text=f"OK: appended to {target}", change=done.change)


def _shared(engine: Engine, call: ToolCall) -> Workspace:
    """Return the main agent's workspace, whose USER.md every agent shares. Raises ToolFault unless there is
    exactly one."""
    with engine.store.reading() as db:
        found = records.find(db, WORKSPACE, user_id=call.place.user_id, layout=LAYOUT, retired_at=None)
    main = [each for each in found if subject(Path(each.path)) == "the main agent"]
    if len(main) != 1:
        raise ToolFault("ERROR: user_global needs the one workspace of the main agent on this desk")
    return main[0]


def _is_memory(document: Document) -> bool:
    """Return True for MEMORY, IDENTITY, USER, SOUL and the files directly in memory, the files that AgenticX
    indexes."""
    folder, _, name = document.path.rpartition("/")
    return document.path in _ROOT or (folder == "memory" and name.endswith(".md"))


def _line(number: int, found: agent_search.Passage, home: Workspace) -> str:
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
    reasons = ", ".join(f"{each.place} {each.says or f'must be of type {each.expected}'}" for each in misfits)
    return f"ERROR: {tool}() was called with other arguments than it takes: {reasons}."


def _failure(error: MemDeskError) -> str:
    return f"ERROR: {error.sentence}"


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
