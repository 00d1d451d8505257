"""Storage backend of Agentix whose sessions and messages are on the desk.

    from agentix import AgentixAgentOptions
    from memdesk.integrations import MemDeskStorage

    options = AgentixAgentOptions(
        name="vera", persistence_enabled=True, storage_backend=MemDeskStorage(agent="vera", channel="atlas")
    )

It has the methods of Agentix's `StorageBackend` and nothing of Agentix: the options take any object that has them."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Self

from memdesk.api import context, memory, procedures
from memdesk.client.client import SyncClient
from memdesk.integrations.desk import DeskConnection, words
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.errors import NotFound
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.session import ListSessions, NamedSession, NewSession, SessionState
from memdesk.model.timeline import AskTurnLog
from memdesk.model.tool_call import NewToolCall

POLICY = "agentix"
MESSAGE = "message"
"""Key of a turn's metadata: the message's role and content, where role and text of the turn do not make them."""
AGENT, METADATA, FORKED_FROM = "agent_id", "metadata", "forked_from"
SESSIONS_AT_MOST = 500
TURNS_AT_ONCE, PAGE = 400, 500
_CALL, _RESULT = "tool_use", "tool_result"
_NO_TEXT = "(no text)"
Message = dict[str, Any]
Content = str | list[Any] | dict[str, Any]


class MemDeskStorage:
    """Sessions and messages of Agentix on the desk. channel, user_id: where they are kept.

    agent, token, desk, client: as in `DeskConnection`. A session that is deleted is taken out of the list: its turns
    stay on the desk, and a person can bring it back."""

    def __init__(
        self,
        *,
        channel: str = GLOBAL,
        user_id: str = LOCAL_USER,
        agent: str | None = None,
        token: str | None = None,
        desk: str | None = None,
        client: SyncClient | None = None,
    ) -> None:
        self._channel, self._user_id, self._agent = channel, user_id, agent
        self._desk = DeskConnection(desk=desk, agent=agent, token=token, client=client)
        self._calls: dict[str, Mapping[str, Any]] = {}

    def create_session(self, agent_id: str, metadata: dict[str, Any] | None = None) -> str:
        """Make a session; return its id."""
        fields = json.loads(json.dumps(metadata or {}, default=str))
        new = NewSession(
            session_id=uuid.uuid4().hex[:16],
            channel=self._channel,
            user_id=self._user_id,
            title=str(fields.get("custom_title") or fields.get("first_prompt") or ""),
            policy=POLICY,
            metadata={AGENT: agent_id, METADATA: fields},
        )
        return self._desk.call(context.CREATE_SESSION, new).session_id

    def get_session(self, session_id: str) -> dict[str, Any] | None:
        """Return a session's metadata, None for an unknown or deleted one."""
        state = self._state(session_id)
        return None if state is None else _session_document(state)

    def list_sessions(self, agent_id: str, cwd: str | None = None) -> list[dict[str, Any]]:
        """Return the sessions of an agent, the last used first; with a folder, those that began in it."""
        asked = ListSessions(user_id=self._user_id, agent_id=self._agent, limit=SESSIONS_AT_MOST)
        found = [
            _session_document(row)
            for row in self._desk.call(context.SESSIONS, asked).rows
            if AGENT in row.metadata
        ]
        own = [each for each in found if each["agent_id"] == agent_id]
        return [each for each in own if cwd is None or each["metadata"].get("cwd") == cwd]

    def fork_session(self, session_id: str) -> str:
        """Copy a session with its messages; return the id of the copy. Raises ValueError for an unknown one."""
        fields = _session_document(self._need(session_id))
        copy = self.create_session(fields["agent_id"], {**fields["metadata"], FORKED_FROM: session_id})
        self._keep(
            self._need(copy), [(each["role"], each["content"]) for each in self.load_messages(session_id)]
        )
        return copy

    def delete_session(self, session_id: str) -> None:
        """Take a session out of the list. Its turns stay on the desk."""
        if self._state(session_id) is not None:
            self._desk.call(context.RETIRE_SESSION, self._named(session_id))

    def save_message(self, session_id: str, role: str, content: Content) -> None:
        """Keep a message as the session's last turn. Raises ValueError for an unknown session."""
        state = self._need(session_id)
        self._keep(state, [(role, content)])
        for block in filter(_is_object, content if isinstance(content, list) else ()):
            self._note_call(block, state)

    def load_messages(self, session_id: str) -> list[Message]:
        """Return the messages of a session in their order; none for an unknown one."""
        state = self._state(session_id)
        return [] if state is None else list(self._messages(state))

    async def acreate_session(self, agent_id: str, metadata: dict[str, Any] | None = None) -> str:
        return await asyncio.to_thread(self.create_session, agent_id, metadata)

    async def aget_session(self, session_id: str) -> dict[str, Any] | None:
        return await asyncio.to_thread(self.get_session, session_id)

    async def alist_sessions(self, agent_id: str, cwd: str | None = None) -> list[dict[str, Any]]:
        return await asyncio.to_thread(self.list_sessions, agent_id, cwd)

    async def afork_session(self, session_id: str) -> str:
        return await asyncio.to_thread(self.fork_session, session_id)

    async def adelete_session(self, session_id: str) -> None:
        await asyncio.to_thread(self.delete_session, session_id)

    async def asave_message(self, session_id: str, role: str, content: Content) -> None:
        await asyncio.to_thread(self.save_message, session_id, role, content)

    async def aload_messages(self, session_id: str) -> list[Message]:
        return await asyncio.to_thread(self.load_messages, session_id)

    def close(self) -> None:
        """Close the connection to the desk; it is opened again at the next call."""
        self._desk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _named(self, session_id: str) -> NamedSession:
        return NamedSession(session_id=session_id, user_id=self._user_id)

    def _state(self, session_id: str) -> SessionState | None:
        try:
            return self._desk.call(context.RESUME_SESSION, self._named(session_id))
        except NotFound:
            return None

    def _need(self, session_id: str) -> SessionState:
        state = self._state(session_id)
        if state is None:
            raise ValueError(f"Session not found: {session_id}")
        return state

    def _messages(self, state: SessionState) -> Iterator[Message]:
        after: str | None = ""
        while after is not None:
            ask = AskTurnLog(
                conversation_id=state.conversation_id, user_id=self._user_id, after=after, limit=PAGE
            )
            log = self._desk.call(memory.TURN_LOG, ask)
            for row in log.rows:
                original = row.metadata.get(MESSAGE) or {"role": row.role, "content": row.content}
                yield {**original, "timestamp": row.timestamp.isoformat()}
            after = log.next

    def _keep(self, state: SessionState, messages: list[tuple[str, Content]]) -> None:
        turns = [self._turn(state, role, content) for role, content in messages]
        for start in range(0, len(turns), TURNS_AT_ONCE):
            self._desk.call(memory.STORE_TURNS, NewTurns(turns=tuple(turns[start : start + TURNS_AT_ONCE])))

    def _turn(self, state: SessionState, role: str, content: Content) -> NewTurn:
        """Return a message as a turn. The results of tools are no words of the user, though Agentix gives them so."""
        kept: Content = json.loads(json.dumps(content, default=str))
        text, spoken = text_of(kept), "tool" if _is_of_tools(kept) else role
        plain = (spoken, text) == (role, kept)
        return NewTurn(
            content=text,
            role=spoken,
            channel=state.channel,
            user_id=self._user_id,
            conversation_id=state.conversation_id,
            metadata={} if plain else {MESSAGE: {"role": role, "content": kept}},
        )

    def _note_call(self, block: Mapping[str, Any], state: SessionState) -> None:
        """Record a tool call once its result is there."""
        if block.get("type") == _CALL:
            self._calls[str(block.get("id"))] = block
        elif block.get("type") == _RESULT and (call := self._calls.pop(str(block.get("tool_use_id")), None)):
            failed, said = bool(block.get("is_error")), words(block.get("content"))
            done = NewToolCall(
                tool_name=str(call.get("name")),
                tool_input=call.get("input") or {},
                tool_output=said,
                success=not failed,
                error_message=said if failed else "",
                channel=state.channel,
                user_id=self._user_id,
                conversation_id=state.conversation_id,
            )
            self._desk.call(procedures.RECORD_INVOCATION, done)


def text_of(content: Content) -> str:
    """Return what a message says, as a person reads it."""
    blocks = content if isinstance(content, list) else [content]
    said = "\n".join(filter(None, map(_said, blocks)))
    return said if said.strip() else _NO_TEXT


def _said(block: Any) -> str:
    match block:
        case {"type": "tool_use"}:
            return f"{block.get('name')}({words(block.get('input'))})"
        case {"type": "tool_result"}:
            return words(block.get("content"))
    return words(block)


def _is_of_tools(content: Content) -> bool:
    """Return True for a message that contains only results of tools."""
    blocks = content if isinstance(content, list) else []
    return bool(blocks) and all(_is_object(each) and each.get("type") == _RESULT for each in blocks)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _session_document(state: SessionState) -> dict[str, Any]:
    """Return a session as Agentix has it."""
    return {
        "session_id": state.session_id,
        "agent_id": state.metadata.get(AGENT, state.agent_id or ""),
        "created_at": state.created_at.isoformat(),
        "updated_at": state.last_used_at.isoformat(),
        "metadata": state.metadata.get(METADATA, {}),
    }
