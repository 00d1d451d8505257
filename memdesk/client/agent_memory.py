"""Agent memory for Python programs: the methods of AgentX's AgentMemory, over the desk's own calls."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from memdesk.api import context, goals, memory, procedures, recall
from memdesk.client.client import Client, SyncClient
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.context import Compact
from memdesk.model.errors import MemDeskError
from memdesk.model.goal import CompleteGoal, NewGoal
from memdesk.model.prompt import AskContext
from memdesk.model.recall import Bundle, Query
from memdesk.model.remember import Learned, NewFact, NewTurn, StoredTurn
from memdesk.model.session import NamedSession, NewSession
from memdesk.model.tool_call import NewToolCall, RecordedToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class _Requests:
    """Requests of one user in one channel, within one conversation."""

    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    conversation_id: str | None = None

    @property
    def _place(self) -> dict[str, Any]:
        return {
            "channel": self.channel,
            "user_id": self.user_id,
            "conversation_id": self.conversation_id,
        }

    def _turn(self, role: str, content: str, more: dict[str, Any]) -> NewTurn:
        return replace(NewTurn(role=role, content=content, **self._place), **more)

    def _fact(self, claim: str, more: dict[str, Any]) -> NewFact:
        own = None if self.channel == GLOBAL else self.channel
        return replace(NewFact(claim=claim, channel=own, user_id=self.user_id), **more)

    def _query(self, query: str, more: dict[str, Any]) -> Query:
        return replace(Query(text=query, **self._place), **more)

    def _tool_call(self, tool_name: str, more: dict[str, Any]) -> NewToolCall:
        return replace(NewToolCall(tool_name=tool_name, **self._place), **more)

    def _goal(self, description: str, more: dict[str, Any]) -> NewGoal:
        return replace(NewGoal(description=description, **self._place), **more)

    def _completion(self, goal_id: str, result: str, status: str) -> CompleteGoal:
        return CompleteGoal(goal_id=goal_id, status=status, result=result, user_id=self.user_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMemory(_Requests):
    """Memory of one user in one channel, within one conversation.

    Every method raises the errors of its call. Further fields of a call are passed by name: `learn_fact("…",
    category="decision")`."""

    client: SyncClient

    def store_turn(self, role: str, content: str, **more: Any) -> StoredTurn:
        """Store one turn. With the caller's own `turn_id`, a repeated call changes nothing."""
        return self.client.call(memory.STORE_TURN, self._turn(role, content, more))

    def learn_fact(self, claim: str, **more: Any) -> Learned:
        """Learn a claim; a known claim gains a source instead. With `channel="_global"` it is proposed for all."""
        return self.client.call(memory.LEARN_FACT, self._fact(claim, more))

    def remember(self, query: str, **more: Any) -> Bundle:
        """Recall memories, under AgentX's name for it."""
        return self.client.call(recall.SEARCH, self._query(query, more))

    def record_tool(self, tool_name: str, **more: Any) -> RecordedToolCall:
        """Record a tool call: `tool_input`, `tool_output`, `success`, `latency_ms`."""
        return self.client.call(procedures.RECORD_INVOCATION, self._tool_call(tool_name, more))

    def add_goal(self, description: str, **more: Any) -> str:
        """Open a goal and return its id."""
        return self.client.call(goals.ADD, self._goal(description, more)).id

    def complete_goal(self, goal_id: str, *, result: str = "", status: str = "completed") -> None:
        """Close a goal as completed, abandoned or blocked."""
        self.client.call(goals.COMPLETE, self._completion(goal_id, result, status))


@dataclass(frozen=True, slots=True, kw_only=True)
class AsyncAgentMemory(_Requests):
    """The same for a program with an event loop; its client is that of `connect_async`."""

    client: Client

    async def store_turn(self, role: str, content: str, **more: Any) -> StoredTurn:
        """Store one turn. With the caller's own `turn_id`, a repeated call changes nothing."""
        return await self.client.call(memory.STORE_TURN, self._turn(role, content, more))

    async def learn_fact(self, claim: str, **more: Any) -> Learned:
        """Learn a claim; a known claim gains a source instead. With `channel="_global"` it is proposed for all."""
        return await self.client.call(memory.LEARN_FACT, self._fact(claim, more))

    async def remember(self, query: str, **more: Any) -> Bundle:
        """Recall memories, under AgentX's name for it."""
        return await self.client.call(recall.SEARCH, self._query(query, more))

    async def record_tool(self, tool_name: str, **more: Any) -> RecordedToolCall:
        """Record a tool call: `tool_input`, `tool_output`, `success`, `latency_ms`."""
        return await self.client.call(procedures.RECORD_INVOCATION, self._tool_call(tool_name, more))

    async def add_goal(self, description: str, **more: Any) -> str:
        """Open a goal and return its id."""
        return (await self.client.call(goals.ADD, self._goal(description, more))).id

    async def complete_goal(self, goal_id: str, *, result: str = "", status: str = "completed") -> None:
        """Close a goal as completed, abandoned or blocked."""
        await self.client.call(goals.COMPLETE, self._completion(goal_id, result, status))


Message = dict[str, Any]
"""Message in the format of OpenAI or Anthropic: `role`, `content` and any further fields."""
T = TypeVar("T")
log = logging.getLogger(__name__)


class MemoryHook:
    """Session of an agent. Errors of the desk are logged: the agent then goes on without its memory.

    client: the agent's client. policy: how its context is compacted (agenticx, agentix, openlegion, custom);
    by default as the settings choose. window_tokens: the size of its model's context window. budget_tokens:
    the most that may be injected before a turn."""

    def __init__(
        self,
        client: SyncClient,
        *,
        session_id: str,
        channel: str = GLOBAL,
        user_id: str = LOCAL_USER,
        policy: str | None = None,
        window_tokens: int | None = None,
        budget_tokens: int | None = None,
    ) -> None:
        self._client = client
        self._new = NewSession(
            session_id=session_id,
            channel=channel,
            user_id=user_id,
            policy=policy,
            window_tokens=window_tokens,
        )
        self._budget = budget_tokens
        self._begun = False
        self._lock = threading.Lock()
        self._conversation: str | None = None
        self._spoken = False

    @property
    def memory(self) -> AgentMemory:
        """Memory of the session, for other calls of the agent."""
        self._begin()
        return AgentMemory(
            client=self._client,
            channel=self._new.channel,
            user_id=self._new.user_id,
            conversation_id=self._conversation,
        )

    def before_turn(self, messages: Sequence[Message]) -> str:
        """Return the memory that fits these messages; "" where there is none or the desk does not answer."""

        def ask() -> str:
            new = self._new
            asked = AskContext(
                messages=tuple(messages),
                session_id=new.session_id,
                channel=new.channel,
                user_id=new.user_id,
                budget_tokens=self._budget,
            )
            return self._client.call(context.PROMPT, asked).text

        return self._tried("recall for a turn", ask, "")

    def with_memory(self, messages: Sequence[Message]) -> list[Message]:
        """Return the messages with the fitting memory as a system message before the last one."""
        context = self.before_turn(messages)
        if not context:
            return list(messages)
        return [*messages[:-1], {"role": "system", "content": context}, *messages[-1:]]

    def after_turn(self, messages: Sequence[Message]) -> list[Message]:
        """Store every message, and return those to go on with: the same list, or a shorter one where the
        policy compacted it."""

        def keep() -> list[Message]:
            new = self._new
            asked = Compact(
                messages=tuple(messages), session_id=new.session_id, channel=new.channel, user_id=new.user_id
            )
            kept = self._client.call(context.COMPACT, asked)
            self._conversation, self._spoken = kept.conversation_id, bool(messages)
            return [dict(each) for each in kept.messages]

        return self._tried("keep a turn", keep, list(messages))

    def on_tool(self, tool_name: str, **more: Any) -> None:
        """Record a tool call: `tool_input`, `tool_output`, `success`, `latency_ms`, `error_message`."""
        self._tried(
            "keep a call of a tool", lambda: self._in_conversation().record_tool(tool_name, **more), None
        )

    @contextmanager
    def task(self, description: str) -> Iterator[None]:
        """Open a goal for the time of a `with` block: completed at its end, abandoned on an exception."""
        goal: str | None = self._tried(
            "open a goal", lambda: self._in_conversation().add_goal(description), None
        )
        try:
            yield
        except BaseException as failed:
            self._closed(goal, status="abandoned", result=f"{type(failed).__name__}: {failed}"[:1000])
            raise
        self._closed(goal, status="completed", result="")

    def reset(self) -> None:
        """Begin another conversation in the session; nothing is erased."""
        named = NamedSession(session_id=self._new.session_id or "", user_id=self._new.user_id)

        def begin_anew() -> None:
            self._conversation = self._client.call(context.RESET_SESSION, named).conversation_id
            self._spoken = False

        self._tried("begin another conversation", begin_anew, None)

    def _closed(self, goal: str | None, *, status: str, result: str) -> None:
        if goal is not None:
            self._tried(
                "close a goal", lambda: self.memory.complete_goal(goal, status=status, result=result), None
            )

    def _in_conversation(self) -> AgentMemory:
        """Return the memory for records that refer to a conversation; before its first turn, without the
        conversation."""
        return self.memory if self._spoken else replace(self.memory, conversation_id=None)

    def _begin(self) -> None:
        """Create or resume the session, once."""
        with self._lock:
            if not self._begun:
                state = self._client.call(context.CREATE_SESSION, self._new)
                self._conversation, self._begun = state.conversation_id, True
                self._spoken = state.turns > 0

    def _tried(self, what: str, work: Callable[[], T], otherwise: T) -> T:
        try:
            self._begin()
            return work()
        except MemDeskError as wrong:
            log.warning("MemDesk could not %s: %s", what, wrong.says)
            return otherwise
