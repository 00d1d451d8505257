"""Events of a runtime's session: it is given memory, and words and acts are stored, each thing once.

Two sources say the same: the events, and the transcript that the runtime writes. The transcript is complete but late,
and may be torn or away; so what an event carries is stored at once, and recognised when the transcript brings it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from memdesk.engine.context.prompt import context
from memdesk.engine.context.sessions import create_session
from memdesk.engine.engine import Engine
from memdesk.engine.memory.invocations import JSON_CHARACTERS
from memdesk.engine.memory.procedures import record_invocations
from memdesk.engine.memory.remember import store_turns
from memdesk.engine.runtimes.projects import channel_for
from memdesk.engine.secrets.vault import masked
from memdesk.engine.wording import shortened
from memdesk.files.transcripts import (
    CHARACTERS,
    Called,
    Entry,
    Place,
    Returned,
    Said,
    is_spoken,
    normalised,
    read_json,
    read_on,
)
from memdesk.model.errors import BadAsk, Conflict, Refused
from memdesk.model.instant import SECOND
from memdesk.model.message import message
from memdesk.model.project import HookAnswer, HookEvent, Moment
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.session import SESSION, NewSession, Session
from memdesk.model.tool_call import TOOL_CALL, NewToolCall, NewToolCalls
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import records, semantic

Item = TypeVar("Item")
EARLY = "early_"
"""Prefix of the id of a turn that an event brought before the transcript did."""
AT_ONCE = 400
TAIL = 50
"""Latest turns of a conversation among which a message is looked for that an event brings."""
SINCE_SECONDS = 7 * 24 * 3600
LEFT_BEHIND = 20
"""Transcripts of other sessions that the start of a session reads to their end, and the age up to which it does."""
_COMMAND = re.compile(r"/[a-z][\w:-]*\s*$")
"""Command of the runtime itself, such as /clear, which is no message."""
OUTPUT_CHARACTERS = JSON_CHARACTERS // 3
"""What is kept of a longer text of a tool: as JSON, line ends and quotes take two characters."""


def react(engine: Engine, ask: HookEvent, *, author: str) -> HookAnswer:
    """Store what an event and the transcript say, and return the memory for a turn that begins.

    Raises BadAsk for an event without a session_id; a transcript that cannot be read is named in the answer."""
    event = _begun(engine, ask, author)
    REACTIONS[ask.moment](event)
    return HookAnswer(
        output=event.output,
        channel=event.session.channel,
        turns=event.turns,
        tool_calls=event.calls,
        note=event.note,
    )


@dataclass(slots=True)
class _Event:
    """Event under way. turns, calls: how many were stored so far."""

    engine: Engine
    ask: HookEvent
    said: dict[str, Any]
    author: str
    session: Session
    output: str = ""
    note: str = ""
    turns: int = 0
    calls: int = 0

    def text(self, name: str) -> str:
        value = self.said.get(name)
        return value if isinstance(value, str) else ""

    @property
    def conversation(self) -> str:
        return self.session.conversation_id


def _begun(engine: Engine, ask: HookEvent, author: str) -> _Event:
    """Return the event with its session, which is created if it is new. Its channel stays that of its beginning, so
    that `cd` inside a session does not divide it."""
    try:
        said = read_json(ask.said)
    except ValueError:
        raise BadAsk(message("What the runtime said is not JSON.")) from None
    id = said.get("session_id") if isinstance(said, dict) else None
    if not isinstance(id, str) or not id.strip():
        raise BadAsk(message("The runtime named no session_id."))
    with engine.store.reading() as db:
        known = records.get(db, SESSION, id)
    if known is None or known.retired_at is not None or known.user_id != ask.user_id:
        folder = said.get("cwd")
        channel = ask.channel or channel_for(
            engine, folder if isinstance(folder, str) else "", user_id=ask.user_id, author=author
        )
        new = NewSession(session_id=id, channel=channel, user_id=ask.user_id, agent_id=ask.agent_id)
        state = create_session(engine, new, author=author)
        with engine.store.reading() as db:
            known = records.need(db, SESSION, state.session_id)
    return _Event(engine=engine, ask=ask, said=said, author=author, session=known)


def _session_start(event: _Event) -> None:
    _catch_up(event)
    _catch_up_others(event)
    _add_context(event, "SessionStart", "")


def _prompt(event: _Event) -> None:
    prompt = event.text("prompt")
    _catch_up(event)
    if is_spoken(prompt):
        _add_context(event, "UserPromptSubmit", prompt)
        if not _COMMAND.match(prompt):
            _keep_early(event, "user", prompt)


def _stop(event: _Event) -> None:
    _catch_up(event)
    if is_spoken(answer := event.text("last_assistant_message")):
        _keep_early(event, "assistant", answer)


def _tool(event: _Event) -> None:
    """Store a call that ended. Without its own id it is left to the transcript, where there is one."""
    _catch_up(event)
    tool, id = event.text("tool_name"), event.text("tool_use_id")
    if not tool or not (id or not event.text("transcript_path")):
        return
    said = event.said
    error = event.text("error")
    output = said.get("tool_response", said.get("tool_result"))
    failed = bool(error) or (isinstance(output, dict) and output.get("is_error") is True)
    called = Called(id=id or _mark(event, tool, repr(said)), tool=tool, given=said.get("tool_input"), at=None)
    _record(event, [_invocation(event, called, output, failed=failed, error=error)])


def _subagent_stop(event: _Event) -> None:
    """Store the report of a sub-agent, and the tools it called; what it thought on its way is not kept."""
    _catch_up(event)
    report = event.text("last_assistant_message")
    if path := event.text("agent_transcript_path"):
        spoken = _catch_up(event, path, aside=True)
        report = report or spoken
    if is_spoken(report):
        name = event.text("agent_type") or "sub-agent"
        id = f"report_{_mark(event, event.text('agent_id'), report)}"
        _store(event, [_turn(event, id, "assistant", report[:CHARACTERS], speaker=name)])


def _caught_up(event: _Event) -> None:
    _catch_up(event)


REACTIONS: dict[Moment, Callable[[_Event], object]] = {
    "session-start": _session_start,
    "prompt": _prompt,
    "tool": _tool,
    "stop": _stop,
    "subagent-stop": _subagent_stop,
    "pre-compact": _caught_up,
    "post-compact": _caught_up,
    "session-end": _stop,
}


def _add_context(event: _Event, name: str, text: str) -> None:
    ask = AskContext(
        text=text,
        session_id=event.session.id,
        channel=event.session.channel,
        user_id=event.ask.user_id,
        agent_id=event.ask.agent_id,
        budget_tokens=event.ask.budget_tokens,
    )
    if given := context(event.engine, ask, author=event.author).text:
        answer = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": given}}
        event.output = json.dumps(answer)


def _keep_early(event: _Event, role: str, text: str) -> None:
    """Store a message that an event brings, unless the transcript brought it already.

    It is the same if no message of the other side came after it."""
    text = event.engine.vault.masked(text[:CHARACTERS])
    with event.engine.store.reading() as db:
        last = semantic.last_turn_index(db, event.conversation)
        for index in range(last, max(-1, last - TAIL), -1):
            found = records.find(db, TURN, conversation_id=event.conversation, turn_index=index, limit=1)
            if not found or found[0].role != role:
                break
            if normalised(found[0].content) == normalised(text):
                return
    id = EARLY + _mark(event, str(last), role, text)
    _store(event, [_turn(event, id, role, text)])
    if path := _path(event.text("transcript_path")):
        with event.engine.transcripts.at(path) as place:
            if place.early is not None:
                place.early[role, normalised(text)] += 1


def _catch_up(event: _Event, named: str = "", *, aside: bool = False) -> str:
    """Store what a transcript says since it was read, and return the last message of its agent.

    aside: it is a sub-agent's, of which the tool calls are stored. A transcript that is not there yet says nothing."""
    path = _path(named or event.text("transcript_path"))
    if path is None or not os.path.lexists(path):
        if path is not None and event.ask.moment not in ("session-start", "prompt"):
            event.note = f"the transcript cannot be read ({path} is not there)"
        return ""
    last = ""
    try:
        with event.engine.transcripts.at(path) as place:
            for found, offset in read_on(path, place):
                for each in found:
                    if isinstance(each, Said) and each.role == "assistant":
                        last = each.text
                _keep(event, place, found, aside=aside)
                place.offset = offset
    except Refused as wrong:
        event.note = f"the transcript cannot be read ({wrong.says.rstrip('.')})"
    return last


def _catch_up_others(event: _Event) -> None:
    """Read on in the transcripts of earlier sessions next to this one, whose runtimes ended without an event."""
    path = _path(event.text("transcript_path"))
    if path is None:
        return
    since = event.engine.clock() / SECOND - SINCE_SECONDS
    for other in _neighbours(path, since)[:LEFT_BEHIND]:
        session = _session_of(event.engine, other, event.ask.user_id)
        if session is not None and session.id != event.session.id:
            ended = _Event(engine=event.engine, ask=event.ask, said={}, author=event.author, session=session)
            _catch_up(ended, str(other))
            event.turns, event.calls = event.turns + ended.turns, event.calls + ended.calls


def _neighbours(path: Path, since: float) -> list[Path]:
    """Return the other transcripts of a folder that were written to since then, the latest first."""
    try:
        with os.scandir(path.parent) as found:
            rows = [
                (each.stat().st_mtime, each.path)
                for each in found
                if each.name.endswith(path.suffix) and each.name != path.name and each.is_file()
            ]
    except OSError:
        return []
    return [Path(name) for at, name in sorted(rows, reverse=True) if at >= since]


def _session_of(engine: Engine, path: Path, user_id: str) -> Session | None:
    """Return the session of a transcript that is behind: its name is the session's id, or ends with it."""
    if not engine.transcripts.is_behind(path):
        return None
    with engine.store.reading() as db:
        for id in dict.fromkeys((path.stem, path.stem[-36:])):
            session = records.get(db, SESSION, id)
            if session is not None and session.user_id == user_id and session.retired_at is None:
                return session
    return None


def _keep(event: _Event, place: Place, found: Sequence[Entry], *, aside: bool) -> None:
    """Store the messages and calls in entries of a transcript, in their order."""
    if place.early is None:
        place.early = _stored_early(event)
    turns: list[NewTurn] = []
    calls: list[NewToolCall] = []
    for each in found:
        match each:
            case Called():
                place.open[each.id] = each
            case Returned():
                if (called := place.open.pop(each.id, None)) is not None:
                    failed, error = each.failed, _error(each)
                    calls.append(_invocation(event, called, each.output, failed=failed, error=error))
            case Said() if not (each.aside or aside):
                text = event.engine.vault.masked(each.text)
                key = (each.role, normalised(text))
                if each.id in place.recognised:
                    continue
                if place.early[key] > 0 and not _is_stored(event, each.id):
                    place.early[key] -= 1
                    place.recognised.add(each.id)
                else:
                    turns.append(_turn(event, each.id, each.role, text, at=each.at, model=each.model))
    _store(event, turns)
    if calls:
        _record(event, calls)


def _error(result: Returned) -> str:
    return shortened(str(result.output), 1000) if result.failed and isinstance(result.output, str) else ""


def _stored_early(event: _Event) -> Counter[tuple[str, str]]:
    """Return how often each text of the session was stored before the transcript had it."""
    with event.engine.store.reading() as db:
        turns = records.find(db, TURN, conversation_id=event.conversation)
    return Counter((turn.role, normalised(turn.content)) for turn in turns if turn.id.startswith(EARLY))


def _is_stored(event: _Event, id: str) -> bool:
    with event.engine.store.reading() as db:
        return records.get(db, TURN, id) is not None


def _invocation(event: _Event, call: Called, output: Any, *, failed: bool | None, error: str) -> NewToolCall:
    return NewToolCall(
        tool_name=shortened(call.tool, 200),
        tool_input=_fitting(call.given),
        tool_output=_fitting(output),
        success=None if failed is None else not failed,
        error_message=shortened(error, 1000),
        channel=event.session.channel,
        user_id=event.ask.user_id,
        agent_id=event.ask.agent_id,
        created_at=call.at,
        invocation_id=call.id,
    )


def _fitting(value: Any) -> Any:
    """Return a value that may be stored: of one that is too long, the beginning of its text."""
    if len(json.dumps(value, ensure_ascii=False)) <= JSON_CHARACTERS:
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:OUTPUT_CHARACTERS]


def _record(event: _Event, calls: list[NewToolCall]) -> None:
    """Store the calls that are not stored yet, with the session's conversation if it has begun."""
    ids = [call.invocation_id for call in calls]
    with event.engine.store.reading() as db:
        known = {each.id for each in records.many(db, TOOL_CALL, "id", ids)}
        begun = records.get(db, CONVERSATION, event.conversation) is not None
    new = {call.invocation_id: call for call in calls if call.invocation_id not in known}
    placed = [replace(call, conversation_id=event.conversation if begun else None) for call in new.values()]

    def send(some: list[NewToolCall]) -> None:
        asked = masked(event.engine.vault, NewToolCalls(calls=tuple(some)))
        answer = record_invocations(event.engine, asked, author=event.author)
        event.calls += sum(not call.repeated for call in answer.calls)

    _send(placed, send)


def _turn(
    event: _Event,
    id: str,
    role: str,
    text: str,
    *,
    speaker: str | None = None,
    at: datetime | None = None,
    model: str | None = None,
) -> NewTurn:
    return NewTurn(
        content=text,
        role=role,
        speaker=speaker,
        turn_id=id,
        created_at=at,
        model=model,
        conversation_id=event.conversation,
        channel=event.session.channel,
        user_id=event.ask.user_id,
        agent_id=event.ask.agent_id,
    )


def _store(event: _Event, turns: list[NewTurn]) -> None:
    """Store turns; those stored before change nothing."""

    def send(some: list[NewTurn]) -> None:
        asked = masked(event.engine.vault, NewTurns(turns=tuple(some)))
        answer = store_turns(event.engine, asked, author=event.author)
        event.turns += sum(not turn.repeated for turn in answer.turns)

    _send(turns, send)


def _send(items: list[Item], send: Callable[[list[Item]], None]) -> None:
    """Send items together; if one is refused, one by one, so that it keeps no other out."""
    for start in range(0, len(items), AT_ONCE):
        some = items[start : start + AT_ONCE]
        try:
            send(some)
        except (BadAsk, Conflict):
            if len(some) > 1:
                for each in some:
                    _send([each], send)


def _mark(event: _Event, *parts: str) -> str:
    """Return an id for something that a runtime gives none: the same for the same event."""
    said = "\0".join((event.session.id, *parts))
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:32]


def _path(named: str) -> Path | None:
    """Return the path of a transcript, None where none is named. Raises BadAsk for one that cannot be a path."""
    if not named:
        return None
    try:
        return Path(named).expanduser()
    except RuntimeError as wrong:  # a ~name that is nobody's
        raise BadAsk(message("the transcript cannot be read ({what})", what=wrong)) from wrong
