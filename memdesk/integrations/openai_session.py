"""Session of the OpenAI Agents SDK whose items are turns of a conversation on the desk.

    from agents import Agent, Runner
    from memdesk.integrations import MemDeskSession

    session = MemDeskSession("support-42", channel="support", agent="helper")
    result = await Runner.run(Agent(name="Helper"), "Hello", session=session)

Every item is a turn with its role and its text; its tool calls are tool calls of the desk too. What a turn's text does
not say, such as a call's id, is in the turn's metadata."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agents.memory.session import SessionABC
from agents.memory.session_settings import SessionSettings, resolve_session_limit

from memdesk.api import context, memory, procedures
from memdesk.client.client import SyncClient
from memdesk.integrations.desk import DeskConnection, words
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.errors import NotFound
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.session import NamedSession, NewSession, SessionState
from memdesk.model.timeline import AskTurnLog
from memdesk.model.tool_call import NewToolCall

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

ITEM = "item"
"""Key of a turn's metadata: the item as the SDK gave it, where role and text do not make it."""
TURNS_AT_ONCE = 400
PAGE = 500
_CALLS, _OUTPUTS = "_call", "_call_output"
_NO_TEXT = "(no text)"


class MemDeskSession(SessionABC):
    """Conversation memory of the SDK, on the desk.

    session_id: its name; the same name is the same session after a restart. channel, user_id: where its turns are.
    agent, token, desk, client: as in `DeskConnection`. `clear_session` begins another conversation, and `pop_item`
    retires a turn: a person can bring both back."""

    def __init__(
        self,
        session_id: str,
        *,
        channel: str = GLOBAL,
        user_id: str = LOCAL_USER,
        agent: str | None = None,
        token: str | None = None,
        desk: str | None = None,
        client: SyncClient | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._named = NamedSession(session_id=session_id, user_id=user_id)
        self._new = NewSession(session_id=session_id, channel=channel, user_id=user_id)
        self._desk = DeskConnection(desk=desk, agent=agent, session=session_id, token=token, client=client)
        self._calls: dict[str, Mapping[str, Any]] = {}

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the items, oldest first; with a limit, the latest."""
        most = resolve_session_limit(limit, self.session_settings)
        if most == 0:
            return []
        items: list[Any] = await asyncio.to_thread(lambda: list(self._items()))
        return items if most is None or most < 0 else items[-most:]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store the items as turns, all of a call or none."""
        if items:
            await asyncio.to_thread(lambda: self._add([json.loads(json.dumps(item)) for item in items]))

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back, and return it; None if there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Begin another conversation; the one before stays on the desk."""

        def clear() -> None:
            self._state()
            self._desk.call(context.RESET_SESSION, self._named)

        await asyncio.to_thread(clear)

    def close(self) -> None:
        """Close the connection to the desk; the session goes on with the next call."""
        self._desk.close()

    def _state(self) -> SessionState:
        """Return the session, made at its first use."""
        try:
            return self._desk.call(context.RESUME_SESSION, self._named)
        except NotFound:
            return self._desk.call(context.CREATE_SESSION, self._new)

    def _items(self) -> Iterator[dict[str, Any]]:
        state = self._state()
        if not state.turns:
            return
        after: str | None = ""
        while after is not None:
            ask = AskTurnLog(
                conversation_id=state.conversation_id, user_id=self._named.user_id, after=after, limit=PAGE
            )
            log = self._desk.call(memory.TURN_LOG, ask)
            yield from (item_of(row.role, row.content, row.metadata) for row in log.rows)
            after = log.next

    def _add(self, items: list[dict[str, Any]]) -> None:
        state = self._state()
        turns = [self._turn(item, state) for item in items]
        for start in range(0, len(turns), TURNS_AT_ONCE):
            asked = NewTurns(turns=tuple(turns[start : start + TURNS_AT_ONCE]))
            self._desk.call(memory.STORE_TURNS, asked)
        for item in items:
            self._note_call(item, state)

    def _turn(self, item: dict[str, Any], state: SessionState) -> NewTurn:
        role, text = role_of(item), text_of(item)
        plain = item_of(role, text, {}) == item
        return NewTurn(
            content=text,
            role=role,
            channel=state.channel,
            user_id=self._named.user_id,
            conversation_id=state.conversation_id,
            metadata={} if plain else {ITEM: item},
        )

    def _note_call(self, item: Mapping[str, Any], state: SessionState) -> None:
        """Record a tool call once its output is there."""
        kind, id = str(item.get("type", "")), str(item.get("call_id", ""))
        if kind.endswith(_CALLS) and id:
            self._calls[id] = item
        elif kind.endswith(_OUTPUTS) and id in self._calls:
            call = self._calls.pop(id)
            asked = call.get("arguments", call.get("input", call.get("action")))
            done = NewToolCall(
                tool_name=str(call.get("name") or str(call["type"]).removesuffix(_CALLS)),
                tool_input=asked if isinstance(asked, str) else json.dumps(asked),
                tool_output=words(item.get("output")),
                channel=state.channel,
                user_id=self._named.user_id,
                conversation_id=state.conversation_id,
            )
            self._desk.call(procedures.RECORD_INVOCATION, done)

    def _pop(self) -> Any:
        self._state()
        popped = self._desk.call(context.POP_TURN, self._named)
        return item_of(popped.role, popped.content, popped.metadata) if popped.found else None


def item_of(role: str, content: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn as the SDK's item."""
    kept = metadata.get(ITEM)
    return dict(kept) if isinstance(kept, dict) else {"role": role, "content": content}


def role_of(item: Mapping[str, Any]) -> str:
    """Return the role of an item's turn: its own, "tool" for an output, else the assistant's."""
    role = item.get("role")
    if isinstance(role, str) and role:
        return role
    return "tool" if str(item.get("type", "")).endswith(_OUTPUTS) else "assistant"


def text_of(item: Mapping[str, Any]) -> str:
    """Return what an item says, as a person reads it."""
    kind = str(item.get("type", "message"))
    if kind.endswith(_OUTPUTS):
        said = words(item.get("output"))
    elif kind.endswith(_CALLS):
        asked = item.get("arguments", item.get("input", item.get("action", item.get("queries", ""))))
        said = f"{item.get('name') or kind.removesuffix(_CALLS)}({words(asked)})"
    else:
        said = words(item.get("content")) or words(item.get("summary"))
    return said if said.strip() else (kind if kind != "message" else _NO_TEXT)
