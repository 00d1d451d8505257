"""Notes of a session in an agent's files: AgenticX's MemoryHook, and OpenLegion's learnings in its exact line format.

They are kept at the end of a session, and after each turn and call, whichever door these come through."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC
from functools import partial
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.lexicon import pattern
from memdesk.engine.memory.scratchpad import read_note, write_note
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import files
from memdesk.engine.workspace.disk import home, layout_of, one_writer
from memdesk.engine.workspace.layouts.systems import AGENTICX, DAILY_CHARACTERS, OPENLEGION
from memdesk.files.reading import plain
from memdesk.model.document import WORKSPACE, Workspace
from memdesk.model.errors import BadAsk, MemDeskError, Refused
from memdesk.model.instant import to_datetime
from memdesk.model.message import message
from memdesk.model.tool_call import ToolCall
from memdesk.model.trust import agent_named
from memdesk.model.turn import Turn
from memdesk.model.working import FACTS, AskNote, WriteNote
from memdesk.model.workspace_files import (
    AskPrompt,
    DayWritten,
    KeepSession,
    PromptPart,
    PromptText,
    RecordLearning,
    SessionKept,
)
from memdesk.store import contexts, records

log = logging.getLogger(__name__)
TURNS_AT_LEAST = 3
"""Minimum number of turns (MIN_CHAT_TURNS); a turn is two messages."""
FACTS_AT_MOST = 8
"""Maximum number of facts (MAX_FACTS_PER_SESSION)."""
MESSAGES_READ = 20
WORTH_CHARACTERS = 10
REQUEST_CHARACTERS = 30
LINE_CHARACTERS = 200
OUTCOME_CHARACTERS = 300
"""Number of characters of an answer in which an outcome is looked for."""
KEEP, REQUEST, OUTCOME = "用户要求记住", "用户请求", "完成事项"

_KEEP = pattern("day_logs", "keep")
_REQUEST = pattern("day_logs", "request")
_OUTCOME = pattern("day_logs", "outcome")


def is_long_enough(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if a session is long enough to be kept."""
    return len(messages) >= 2 * TURNS_AT_LEAST


def facts_of(messages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the lines worth keeping, as bullets without repeats; () for a session that is too short."""
    if not is_long_enough(messages):
        return ()
    found = (line for message in messages[-MESSAGES_READ:] for line in _lines_of(message))
    return tuple(dict.fromkeys(found))[:FACTS_AT_MOST]


def _lines_of(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content")
    if not isinstance(content, str) or len(content.strip()) < WORTH_CHARACTERS:
        return
    if message.get("role") == "user":
        yield from _asked(content.strip())
    elif message.get("role") == "assistant":
        flat = " ".join(content[:OUTCOME_CHARACTERS].split())
        if _OUTCOME.search(flat):
            yield f"- {OUTCOME}: {flat[:LINE_CHARACTERS]}"


def _asked(content: str) -> Iterator[str]:
    first = content.splitlines()[0][:LINE_CHARACTERS].strip()
    if _KEEP.search(first):
        yield f"- {KEEP}: {first}"
    elif len(content) > REQUEST_CHARACTERS and _REQUEST.search(first):
        yield f"- {REQUEST}: {first}"


MEMORY = "MEMORY.md"
MEMORY_CHARACTERS = 4_000
"""Length of MEMORY.md from which no more lines are added."""
MEMORY_FACTS = 4
COMPACT_CHARACTERS = 2_000
"""Length above which repeated lines are removed from a day file."""


def keep_session(engine: Engine, ask: KeepSession, *, author: str) -> SessionKept:
    """Store the results of a session, with AgenticX's conditions and limits.

    A line that is in a file already is not written there again. Raises NotFound, NotAllowed, Refused for a
    workspace of another system, StorageFailed."""
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    if workspace.layout != AGENTICX.name:
        raise Refused(
            message("{layout} has no such hook.", layout=workspace.layout),
            next=message("Write a day entry instead."),
        )
    kept = keep_in(engine, workspace, ask.messages, author=author)
    if ask.session_id is not None and kept.facts:
        _note(engine, ask.session_id, ask.user_id, kept.facts, author)
    return kept


def keep_in(
    engine: Engine, workspace: Workspace, messages: Sequence[Mapping[str, Any]], *, author: str
) -> SessionKept:
    """Store the results of a session in an AgenticX workspace. Raises Refused, StorageFailed."""
    if not is_long_enough(messages):
        return SessionKept(facts=(), says=message("Fewer than {count} messages.", count=2 * TURNS_AT_LEAST))
    facts = facts_of(messages)
    if not facts:
        return SessionKept(facts=(), says=message("Nothing in it was worth keeping."))
    with one_writer:
        return _keep(engine, workspace, facts, author)


def compacted(text: str) -> str:
    """Return a day's text without repeated bullets; the first of each stays, with its indentation.

    AgenticX treats bullets as the same if their first 80 letters are; here they must be equal throughout."""
    seen: set[str] = set()
    out: list[str] = []
    for line in text.splitlines(keepends=True):
        entry = line.strip().casefold()
        if entry.startswith("- ") and entry in seen:
            continue
        seen.add(entry)
        out.append(line)
    return "".join(out)


def _keep(engine: Engine, workspace: Workspace, facts: tuple[str, ...], author: str) -> SessionKept:
    day = to_datetime(engine.clock()).astimezone().date().isoformat()
    path = f"memory/{day}.md"
    current = files.text_of(engine, workspace, path) or ""
    new = _not_in(current, facts)
    block = f"## Session Facts ({day})\n" + "\n".join(new) + "\n\n"
    if new and len(current) + len(block) > DAILY_CHARACTERS:
        return SessionKept(facts=facts, says=message("{path} is full.", path=path))
    written = None
    if new:
        title = message("Kept {count} lines of a session", count=len(new))
        written = files.add(engine, workspace, path, block, author=author, title=title).change
        _compact(engine, workspace, path, author)
    memory = _to_memory(engine, workspace, facts, day, author)
    return SessionKept(facts=facts, day_change=written, memory_change=memory)


def _to_memory(
    engine: Engine, workspace: Workspace, facts: tuple[str, ...], day: str, author: str
) -> int | None:
    current = files.text_of(engine, workspace, MEMORY)
    if current is None or len(current) >= MEMORY_CHARACTERS:
        return None
    new = _not_in(current, facts)[:MEMORY_FACTS]
    if not new:
        return None
    block = f"\n## Auto-extracted ({day})\n" + "\n".join(new) + "\n"
    title = message("Kept {count} lines of a session in MEMORY.md", count=len(new))
    return files.add(engine, workspace, MEMORY, block, author=author, title=title).change


def _compact(engine: Engine, workspace: Workspace, path: str, author: str) -> None:
    current = files.text_of(engine, workspace, path) or ""
    if len(current) > COMPACT_CHARACTERS and len(shorter := compacted(current)) < len(current):
        files.rewrite(
            engine,
            workspace,
            path,
            shorter,
            author=author,
            title=message("Took repeated lines out of {path}", path=path),
        )


def _not_in(text: str, facts: tuple[str, ...]) -> tuple[str, ...]:
    lines = {line.strip() for line in plain(text).split("\n")}
    return tuple(fact for fact in facts if fact not in lines)


def _note(engine: Engine, session_id: str, user_id: str, facts: tuple[str, ...], author: str) -> None:
    known = read_note(engine, AskNote(session_id=session_id, user_id=user_id, key=FACTS), author=author)
    new = _not_in(str(known.value) if known.found else "", facts)
    if new:
        note = WriteNote(session_id=session_id, user_id=user_id, key=FACTS, value="\n".join(new), append=True)
        write_note(engine, note)


ERRORS, CORRECTIONS = "learnings/errors.md", "learnings/corrections.md"
SAID_CHARACTERS, CORRECTED_CHARACTERS = 200, 500
ROTATED_BYTES = 50_000
"""Size above which a file loses the first half of its lines before the next is added."""
INJECTED_LINES = 20
"""Number of last lines taken from each file; lines, not entries."""
INJECTED_CHARACTERS = 3_000
HEADINGS = (
    (ERRORS, "## Recent Errors (avoid repeating)"),
    (CORRECTIONS, "## User Corrections (follow these)"),
)
CUES = (
    "no,",
    "no.",
    "wrong",
    "incorrect",
    "that's not",
    "that is not",
    "actually,",
    "i meant",
    "you should",
    "don't do",
    "do not do",
    "stop doing",
    "not what i",
    "i said",
    "please don't",
    "instead,",
    "correction:",
    "fix:",
    "not like that",
)
"""Beginnings of a correction, in lower case."""


def is_correction(message: str) -> bool:
    """Return True if a user's message, from the second turn on, corrects what the agent wrote before it."""
    return message.strip().lower().startswith(CUES)


def record(engine: Engine, ask: RecordLearning, *, author: str) -> DayWritten:
    """Store a lesson, dated in UTC. Raises BadAsk, NotFound, NotAllowed, Refused where the system keeps none."""
    if ask.kind not in ("error", "correction"):
        raise BadAsk(message("kind is error or correction."))
    if not ask.subject.strip() or not ask.text.strip():
        raise BadAsk(
            message("The tool and its error must be given.")
            if ask.kind == "error"
            else message("What was said and meant must be given.")
        )
    workspace = _home(engine, ask.workspace_id, ask.agent_id, author)
    now = to_datetime(engine.clock()).astimezone(UTC)
    path, line = _learning(ask, f"{now:%Y-%m-%d %H:%M}")
    title = (
        message("Learned from an error: {list}", list=" ".join(ask.text.split())[:80])
        if ask.kind == "error"
        else message("Learned from a correction: {list}", list=" ".join(ask.text.split())[:80])
    )
    with one_writer:
        _rotate(engine, workspace, path, author)
        done = files.add(engine, workspace, path, line, author=author, title=title)
    return DayWritten(
        document_id=done.document_id, path=path, day=now.date(), time=f"{now:%H:%M}", change=done.change
    )


def learnings_section(engine: Engine, ask: AskPrompt, *, author: str) -> PromptText:
    """Return the section on past errors and corrections for the prompt of every session; "" where there are none."""
    workspace = _home(engine, ask.workspace_id, ask.agent_id, author)
    found = [(path, heading, files.text_of(engine, workspace, path) or "") for path, heading in HEADINGS]
    sections = [(path, heading, text, _last(text)) for path, heading, text in found if text.strip()]
    whole = "\n\n".join(f"{heading}\n\n{last}" for _, heading, _, last in sections)
    parts, place = [], 0
    for path, heading, text, last in sections:
        begin, place = place + len(f"{heading}\n\n"), place + len(f"{heading}\n\n{last}\n\n")
        fits = max(0, min(len(last), INJECTED_CHARACTERS - begin))
        parts.append(PromptPart(path=path, size=len(text), shown=fits))
    return PromptText(text=whole[:INJECTED_CHARACTERS], parts=tuple(parts))


def _home(engine: Engine, workspace_id: str | None, agent_id: str | None, author: str) -> Workspace:
    workspace = home(engine, workspace_id, agent_id, author=author)
    if not layout_of(workspace).learnings:
        raise Refused(
            message("{layout} keeps no learnings.", layout=workspace.layout),
            next=message("Write a day entry instead."),
        )
    return workspace


def _learning(ask: RecordLearning, when: str) -> tuple[str, str]:
    if ask.kind == "error":
        context = f"\n  Context: {ask.context}" if ask.context else ""
        return ERRORS, f"- [{when}] **{ask.subject}**: {ask.text}{context}\n"
    said, meant = ask.subject[:SAID_CHARACTERS], ask.text[:CORRECTED_CHARACTERS]
    return CORRECTIONS, f"- [{when}] Original: {said}\n  Correction: {meant}\n"


def _rotate(engine: Engine, workspace: Workspace, path: str, author: str) -> None:
    found = files.read(engine, workspace, path)
    if found is None or found[1].size_bytes <= ROTATED_BYTES:
        return
    lines = found[1].text.splitlines(keepends=True)
    kept = "".join(lines[len(lines) // 2 :])
    files.rewrite(
        engine,
        workspace,
        path,
        kept,
        author=author,
        title=message("Rotated {path}: its older half left", path=path),
    )


def _last(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-INJECTED_LINES:])


ERROR_CHARACTERS, CONTEXT_CHARACTERS = 400, 200
"""Most characters of a tool's error, and of its input, in a learning."""
FAILED = "failed without a message"


def after_turns(engine: Engine, turns: Sequence[Turn], author: str) -> None:
    """Keep what new turns of one call bring. A file that cannot be written is logged: the turns are stored."""
    for conversation_id in dict.fromkeys(turn.conversation_id for turn in turns):
        own = [turn for turn in turns if turn.conversation_id == conversation_id]
        last = own[-1]
        workspace = _workspace(engine, last.user_id, last.agent_id or agent_named(author), last.channel)
        if workspace is None:
            continue
        if workspace.layout == AGENTICX.name and any(turn.role == "assistant" for turn in own):
            _tried(message("a session's facts"), partial(_session, engine, workspace, own, author))
        if workspace.layout == OPENLEGION.name:
            _tried(message("a correction"), partial(_corrections, engine, workspace, own, author))


def after_calls(engine: Engine, calls: Sequence[ToolCall], author: str) -> None:
    """Keep the failures among new tool calls as learnings, where the agent's system keeps any."""
    failed = [call for call in calls if call.success == 0]
    for agent in dict.fromkeys(call.agent_id or agent_named(author) for call in failed):
        own = [call for call in failed if (call.agent_id or agent_named(author)) == agent]
        workspace = _workspace(engine, own[0].user_id, agent, own[0].channel)
        if workspace is None or workspace.layout != OPENLEGION.name:
            continue
        for call in own:
            error = shortened(call.error_message or call.tool_output or FAILED, ERROR_CHARACTERS)
            ask = RecordLearning(
                kind="error",
                subject=call.tool_name,
                text=error,
                context=""
                if call.tool_input in ("", "null", "{}")
                else shortened(call.tool_input, CONTEXT_CHARACTERS),
                workspace_id=workspace.id,
            )
            _tried(message("a tool's error"), partial(record, engine, ask, author=author))


def _session(engine: Engine, workspace: Workspace, turns: Sequence[Turn], author: str) -> None:
    last = max(turn.turn_index for turn in turns)
    first = max(0, last + 1 - MESSAGES_READ)
    with engine.store.reading() as db:
        heard = contexts.turns_between(db, turns[0].conversation_id, first, last)
    messages = [{"role": turn.role, "content": turn.content} for turn in heard]
    keep_in(engine, workspace, messages, author=author)


def _corrections(engine: Engine, workspace: Workspace, turns: Sequence[Turn], author: str) -> None:
    for turn in turns:
        if turn.role != "user" or turn.turn_index == 0 or not is_correction(turn.content):
            continue
        first = max(0, turn.turn_index - MESSAGES_READ)
        with engine.store.reading() as db:
            before = contexts.turns_between(db, turn.conversation_id, first, turn.turn_index - 1)
        said = next((each.content for each in reversed(before) if each.role == "assistant"), "")
        if said.strip():
            flat, meant = (" ".join(text.split()) for text in (said, turn.content))
            ask = RecordLearning(kind="correction", subject=flat, text=meant, workspace_id=workspace.id)
            record(engine, ask, author=author)


def _workspace(engine: Engine, user_id: str, agent: str | None, channel: str) -> Workspace | None:
    """Return the workspace of an agent of a system that keeps such notes: of several, the one of this channel; None
    where that leaves none or several."""
    if not agent:
        return None
    own = [
        each
        for each in engine.store.kept(
            WORKSPACE.table, user_id, lambda db: records.find(db, WORKSPACE, user_id=user_id, retired_at=None)
        )
        if (each.agent_id or "").casefold() == agent.casefold()
        and each.layout in (AGENTICX.name, OPENLEGION.name)
    ]
    if len(own) > 1:
        own = [each for each in own if each.channel == channel]
    return own[0] if len(own) == 1 else None


def _tried(what: str, work: Callable[[], object]) -> None:
    try:
        work()
    except MemDeskError as wrong:
        log.warning("%s could not be kept in the agent's files: %s", what, wrong.says)
