"""AgenticX's MemoryHook: the results of a session go into the day file, MEMORY.md and the scratchpad."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.memory.scratchpad import read_note, write_note
from memdesk.engine.workspace import files
from memdesk.engine.workspace.disk import one_writer
from memdesk.engine.workspace.homes import home
from memdesk.engine.workspace.layouts.agenticx import AGENTICX, DAILY_CHARACTERS
from memdesk.engine.workspace.session_cues import TURNS_AT_LEAST, facts_of, is_long_enough
from memdesk.files.manner import plain
from memdesk.model.document import Workspace
from memdesk.model.errors import Refused
from memdesk.model.instant import to_datetime
from memdesk.model.scratchpad import FACTS, AskNote, WriteNote
from memdesk.model.session_facts import KeepSession, SessionKept

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
        raise Refused(f"{workspace.layout} has no such hook.", next="Write a day entry instead.")
    if not is_long_enough(ask.messages):
        return SessionKept(facts=(), says=f"Fewer than {2 * TURNS_AT_LEAST} messages.")
    facts = facts_of(ask.messages)
    if not facts:
        return SessionKept(facts=(), says="Nothing in it was worth keeping.")
    with one_writer:
        kept = _keep(engine, workspace, facts, author)
    if ask.session_id is not None:
        _note(engine, ask.session_id, ask.user_id, facts, author)
    return kept


def compacted(text: str) -> str:
    """Return a day's text without repeated bullets; the first of each stays, with its indentation.

    AgenticX treats bullets as the same if their first 80 letters are; here they must be equal throughout."""
    seen: set[str] = set()
    out: list[str] = []
    for line in text.splitlines(keepends=True):
        told = line.strip().casefold()
        if told.startswith("- ") and told in seen:
            continue
        seen.add(told)
        out.append(line)
    return "".join(out)


def _keep(engine: Engine, workspace: Workspace, facts: tuple[str, ...], author: str) -> SessionKept:
    day = to_datetime(engine.clock()).astimezone().date().isoformat()
    path = f"memory/{day}.md"
    told = files.text_of(engine, workspace, path) or ""
    new = _not_in(told, facts)
    block = f"## Session Facts ({day})\n" + "\n".join(new) + "\n\n"
    if new and len(told) + len(block) > DAILY_CHARACTERS:
        return SessionKept(facts=facts, says=f"{path} is full.")
    written = None
    if new:
        title = f"Kept {len(new)} lines of a session"
        written = files.add(engine, workspace, path, block, author=author, title=title).change
        _compact(engine, workspace, path, author)
    memory = _to_memory(engine, workspace, facts, day, author)
    return SessionKept(facts=facts, day_change=written, memory_change=memory)


def _to_memory(
    engine: Engine, workspace: Workspace, facts: tuple[str, ...], day: str, author: str
) -> int | None:
    told = files.text_of(engine, workspace, MEMORY)
    if told is None or len(told) >= MEMORY_CHARACTERS:
        return None
    new = _not_in(told, facts)[:MEMORY_FACTS]
    if not new:
        return None
    block = f"\n## Auto-extracted ({day})\n" + "\n".join(new) + "\n"
    title = f"Kept {len(new)} lines of a session in {MEMORY}"
    return files.add(engine, workspace, MEMORY, block, author=author, title=title).change


def _compact(engine: Engine, workspace: Workspace, path: str, author: str) -> None:
    told = files.text_of(engine, workspace, path) or ""
    if len(told) > COMPACT_CHARACTERS and len(shorter := compacted(told)) < len(told):
        files.rewrite(
            engine, workspace, path, shorter, author=author, title=f"Took repeated lines out of {path}"
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
