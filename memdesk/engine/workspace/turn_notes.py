"""Notes that an agent's files get by themselves: AgenticX's MemoryHook after a turn, and OpenLegion's learnings from
corrections and failed tools. Whichever door a turn or a call comes through, its memory calls this."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

from memdesk.engine.engine import Engine
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import session_notes
from memdesk.engine.workspace.layouts.systems import AGENTICX, OPENLEGION
from memdesk.model.document import WORKSPACE, Workspace
from memdesk.model.errors import MemDeskError
from memdesk.model.message import message
from memdesk.model.procedure import ToolCall
from memdesk.model.trust import agent_named
from memdesk.model.turn import Turn
from memdesk.model.workspace_files import RecordLearning
from memdesk.store import contexts, records

ERROR_CHARACTERS, CONTEXT_CHARACTERS = 400, 200
"""Most characters of a tool's error, and of its input, in a learning."""
FAILED = "failed without a message"
log = logging.getLogger(__name__)


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
            error = shortened(call.error_message or _output(call) or FAILED, ERROR_CHARACTERS)
            ask = RecordLearning(
                kind="error",
                subject=call.tool_name,
                text=error,
                context=""
                if call.tool_input in ("", "null", "{}")
                else shortened(call.tool_input, CONTEXT_CHARACTERS),
                workspace_id=workspace.id,
            )
            _tried(message("a tool's error"), partial(session_notes.record, engine, ask, author=author))


def _session(engine: Engine, workspace: Workspace, turns: Sequence[Turn], author: str) -> None:
    last = max(turn.turn_index for turn in turns)
    first = max(0, last + 1 - session_notes.MESSAGES_READ)
    with engine.store.reading() as db:
        heard = contexts.turns_between(db, turns[0].conversation_id, first, last)
    messages = [{"role": turn.role, "content": turn.content} for turn in heard]
    session_notes.keep_in(engine, workspace, messages, author=author)


def _corrections(engine: Engine, workspace: Workspace, turns: Sequence[Turn], author: str) -> None:
    for turn in turns:
        if turn.role != "user" or turn.turn_index == 0 or not session_notes.is_correction(turn.content):
            continue
        first = max(0, turn.turn_index - session_notes.MESSAGES_READ)
        with engine.store.reading() as db:
            before = contexts.turns_between(db, turn.conversation_id, first, turn.turn_index - 1)
        said = next((each.content for each in reversed(before) if each.role == "assistant"), "")
        if said.strip():
            flat, meant = (" ".join(text.split()) for text in (said, turn.content))
            ask = RecordLearning(kind="correction", subject=flat, text=meant, workspace_id=workspace.id)
            session_notes.record(engine, ask, author=author)


def _output(call: ToolCall) -> str:
    return call.tool_output or ""


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
