"""hook: the command that a runtime calls at the moments of a session. It reads the runtime's JSON and
answers in its format.

A hook never blocks the runtime: where the desk is away or slow, the runtime gets nothing and goes on."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memdesk.api import context as contexts
from memdesk.api import memory
from memdesk.cli.command import Command, Context
from memdesk.client.direct import DirectClient, answers
from memdesk.client.wire import agent_token
from memdesk.files.places import Desk
from memdesk.files.reading import opened_file
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, Conflict, MemDeskError, Refused, ServiceAway
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.session import NewSession

CHARACTERS_AT_MOST = 1_000_000
"""Length limit of one message, the same as the service's."""
_NOT_SAID = re.compile(
    r"\s*(<(command-|local-command|system-reminder|environment_context|user_instructions|bash-)|# AGENTS\.md )"
)
"""Text that a runtime writes in the user's name: commands, their output, and instructions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Message of the user or the agent. id: the same each time the transcript is read."""

    id: str
    role: str
    text: str
    at: datetime | None
    model: str | None


def read_transcript(path: Path, *, last_bytes: int) -> list[Said]:
    """Return the messages in the last bytes of a transcript, oldest first; other lines are skipped.

    Raises Refused when the file cannot be read, or is no regular file."""
    with opened_file(path, path.name) as file:
        size = file.seek(0, 2)
        start = max(0, size - last_bytes)
        file.seek(start)
        lines = file.read(last_bytes).split(b"\n")
    # The first line is a part of one, where the reading began inside the file.
    return list(_messages(lines[1:] if start else lines))


def _messages(lines: list[bytes]) -> Iterator[Said]:
    for line in lines:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict) and (message := _claude_code(told) or _codex(told)):
            yield message


def _claude_code(told: dict[str, Any]) -> Said | None:
    """Return the message in a line of Claude Code; None for its own notes, sub-agents, thinking and tool
    results."""
    message = told.get("message")
    if told.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    if any(told.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary")):
        return None
    model = message.get("model")
    text = _text(message.get("content"), ("text",))
    return _said(told.get("uuid"), told["type"], text, told.get("timestamp"), model)


def _codex(told: dict[str, Any]) -> Said | None:
    """Return the message in a line of a Codex rollout; None for any other line."""
    payload = told.get("payload")
    if (
        told.get("type") != "response_item"
        or not isinstance(payload, dict)
        or payload.get("type") != "message"
    ):
        return None
    text = _text(payload.get("content"), ("input_text", "output_text", "text"))
    return _said(payload.get("id"), payload.get("role"), text, told.get("timestamp"), None)


def _said(id: Any, role: Any, text: str, timestamp: Any, model: Any) -> Said | None:
    if role not in ("user", "assistant") or not text.strip() or _NOT_SAID.match(text):
        return None
    if not isinstance(id, str) or not id:
        id = hashlib.sha256(f"{timestamp}\0{role}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]
    return Said(
        id=id,
        role=role,
        text=text[:CHARACTERS_AT_MOST],
        at=_moment(timestamp),
        model=model if isinstance(model, str) else None,
    )


def _text(content: Any, kinds: tuple[str, ...]) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") in kinds]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _moment(said: Any) -> datetime | None:
    try:
        when = datetime.fromisoformat(said)
    except (TypeError, ValueError):
        return None
    return when if when.tzinfo else None


SECONDS = 5.0
"""Time limit of a hook, in seconds; the runtime and its user wait for it."""
START_SECONDS = 15.0
"""Longer limit in seconds: at the start of a session the service may have to start first; before a compaction
the transcript is long."""
TURNS_AT_ONCE = 400
RECENT_BYTES, WHOLE_BYTES = 4 * 1024 * 1024, 256 * 1024 * 1024
"""Of the transcript: what a turn may have added, and before a compaction all of it."""
INPUT_BYTES = 16 * 1024 * 1024
UNNAMED = "hook"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """Call of a hook: the runtime's input, and the session, channel, user and agent it is for."""

    client: DirectClient
    said: dict[str, Any]
    session: str
    channel: str
    user: str
    agent: str
    budget: int | None

    def text(self, name: str) -> str:
        value = self.said.get(name)
        return value if isinstance(value, str) else ""


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moment", choices=tuple(MOMENTS), help="when it is called")
    parser.add_argument("--budget", type=int, metavar="N", help="tokens that may be told, at most")
    parser.add_argument("--token-file", metavar="FILE", help="the agent's token (or MEMDESK_TOKEN)")
    parser.add_argument("--seconds", type=float, metavar="S", help="how long it may take at most")


def react(context: Context) -> int:
    """Read a runtime's JSON from standard input, store the conversation, and answer with the memory that fits
    it.

    Claude Code and Codex call this command; `memdesk install` sets it up. Without --channel, the name of the
    working folder is the channel. On any failure the command still exits normally and prints the reason on
    standard error."""
    try:
        given = context.args.seconds
        until = time.monotonic() + (MOMENTS[context.args.moment].seconds if given is None else given)
        told = _within(context, _read(until - time.monotonic()), until)
    except TimeoutError:
        return _nothing(context, "the desk took too long")
    except MemDeskError as wrong:
        return _nothing(context, wrong.says)
    except Exception as wrong:  # noqa: BLE001 - the top of a hook: a runtime must not stumble over our bug
        return _nothing(context, f"{type(wrong).__name__}, which is a bug")
    if told:
        event = MOMENTS[context.args.moment].event
        answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": told}}
        context.out.out.write(json.dumps(answer) + "\n")
    return 0


def _nothing(context: Context, why: str) -> int:
    context.out.note(f"memdesk hook {context.args.moment}: {why.rstrip('.')}; the session goes on without.")
    return 0


def _read(seconds: float) -> dict[str, Any]:
    """Return the JSON object that the runtime pipes in. Raises BadAsk, or TimeoutError when its pipe stays
    open, or where there is no time."""
    if seconds <= 0:
        raise TimeoutError
    pieces: list[bytes] = []
    # None where the runtime closed it.
    given = None if sys.stdin is None else sys.stdin.fileno()

    def read() -> None:
        with suppress(OSError):
            while given is not None and sum(map(len, pieces)) < INPUT_BYTES:
                if not (piece := os.read(given, INPUT_BYTES)):
                    break
                pieces.append(piece)

    # A daemon: a read that never returns does not keep the hook from ending.
    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(seconds)
    if reading.is_alive():
        raise TimeoutError
    try:
        said = json.loads(b"".join(pieces))
    except (ValueError, RecursionError):
        raise BadAsk("what the runtime said is not JSON") from None
    if not isinstance(said, dict) or not isinstance(said.get("session_id"), str) or not said["session_id"]:
        raise BadAsk("the runtime named no session_id")
    return said


def _within(context: Context, said: dict[str, Any], until: float) -> str:
    """Carry out the moment and return the text for the agent. until: the deadline, on the monotonic clock."""
    moment = MOMENTS[context.args.moment]
    if not answers(context.desk):
        if not moment.starts:
            raise ServiceAway("no service answers on the desk")
        _start(context.desk, until)
    agent, token = context.args.agent or UNNAMED, agent_token(context.args.token_file)
    with DirectClient(
        context.desk, agent=agent, session=said["session_id"], token=token, until=until
    ) as client:
        return moment.react(
            _Moment(
                client=client,
                said=said,
                session=said["session_id"],
                channel=_channel(context, said),
                user=context.user,
                agent=agent,
                budget=context.args.budget,
            )
        )


def _start(desk: Desk, until: float) -> None:
    """Start the service. Its imports are heavy for a hook, which most often finds one. Raises TimeoutError."""
    import asyncio

    from memdesk.client.find import ensure_service

    asyncio.run(asyncio.wait_for(ensure_service(desk), until - time.monotonic()))


def _channel(context: Context, said: dict[str, Any]) -> str:
    """Return the channel given with --channel, else the name of the folder the runtime works in, else
    `_global`."""
    folder = said.get("cwd")
    return context.args.channel or (Path(folder).name if isinstance(folder, str) else "") or GLOBAL


def _conversation(moment: _Moment) -> str:
    """Return the session's conversation, creating the session if it is new."""
    session = NewSession(
        session_id=moment.session, channel=moment.channel, user_id=moment.user, agent_id=moment.agent
    )
    return moment.client.call(contexts.CREATE_SESSION, session).conversation_id


def _session_start(moment: _Moment) -> str:
    _conversation(moment)
    return _told(moment, "")


def _prompt(moment: _Moment) -> str:
    prompt = moment.text("prompt")
    conversation = _conversation(moment)
    told = _told(moment, prompt) if prompt.strip() else ""
    if prompt.strip() and not moment.text("transcript_path"):
        _keep(moment, conversation, [_spoken("user", prompt)])
    return told


def _stop(moment: _Moment) -> str:
    _keep_transcript(moment, RECENT_BYTES)
    return ""


def _pre_compact(moment: _Moment) -> str:
    _keep_transcript(moment, WHOLE_BYTES)
    return ""


def _told(moment: _Moment, text: str) -> str:
    ask = AskContext(
        text=text,
        session_id=moment.session,
        channel=moment.channel,
        user_id=moment.user,
        agent_id=moment.agent,
        budget_tokens=moment.budget,
    )
    return moment.client.call(contexts.PROMPT, ask).text


def _keep_transcript(moment: _Moment, last_bytes: int) -> None:
    """Store the messages of the transcript; where the runtime names none, the last answer it passes."""
    conversation = _conversation(moment)
    if path := moment.text("transcript_path"):
        try:
            messages = read_transcript(Path(path).expanduser(), last_bytes=last_bytes)
        except (Refused, RuntimeError) as wrong:  # RuntimeError: a ~name that is nobody's
            raise BadAsk(f"the transcript cannot be read ({str(wrong).rstrip('.')})") from wrong
        turns = [_turn(each) for each in messages]
    elif answer := moment.text("last_assistant_message"):
        turns = [_spoken("assistant", answer)]
    else:
        turns = []
    _keep(moment, conversation, turns)


def _turn(said: Said) -> NewTurn:
    return NewTurn(content=said.text, role=said.role, turn_id=said.id, created_at=said.at, model=said.model)


def _spoken(role: str, text: str) -> NewTurn:
    return NewTurn(content=text, role=role)


def _keep(moment: _Moment, conversation: str, turns: list[NewTurn]) -> None:
    """Store turns; turns stored before change nothing."""
    for start in range(0, len(turns), TURNS_AT_ONCE):
        _store(moment, conversation, turns[start : start + TURNS_AT_ONCE])


def _store(moment: _Moment, conversation: str, turns: list[NewTurn]) -> None:
    placed = tuple(_placed(moment, conversation, turn) for turn in turns)
    try:
        moment.client.call(memory.STORE_TURNS, NewTurns(turns=placed))
    except (Conflict, BadAsk):
        # One that cannot be stored keeps no other out.
        if len(turns) == 1:
            return
        for turn in turns:
            _store(moment, conversation, [turn])


def _placed(moment: _Moment, conversation: str, turn: NewTurn) -> NewTurn:
    return NewTurn(
        content=turn.content,
        role=turn.role,
        turn_id=turn.turn_id,
        created_at=turn.created_at,
        model=turn.model,
        conversation_id=conversation,
        channel=moment.channel,
        user_id=moment.user,
        agent_id=moment.agent,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """Handler of one moment of a session. event: the runtimes' name for it. seconds: its time limit. starts:
    True to start the service if it is not running."""

    event: str
    react: Callable[[_Moment], str]
    seconds: float = SECONDS
    starts: bool = False


MOMENTS = {
    "session-start": Hook(event="SessionStart", react=_session_start, seconds=START_SECONDS, starts=True),
    "prompt": Hook(event="UserPromptSubmit", react=_prompt),
    "stop": Hook(event="Stop", react=_stop),
    "pre-compact": Hook(event="PreCompact", react=_pre_compact, seconds=START_SECONDS),
}
COMMANDS = (Command(name="hook", run=react, declare=_declare, scope=("channel", "user", "agent")),)
