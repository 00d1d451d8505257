"""Memory for an agent's loop: what to inject before a turn, what to keep after it, and a context that stays short."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from memdesk.client.agent_memory import AgentMemory
from memdesk.client.sync import SyncClient
from memdesk.contract import context
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.context import Compact
from memdesk.model.errors import MemDeskError
from memdesk.model.prompt import AskContext
from memdesk.model.sessions import NamedSession, NewSession

Message = dict[str, Any]
"""A message as OpenAI or Anthropic shape it: `role` and `content`, and whatever else it holds."""
T = TypeVar("T")
log = logging.getLogger(__name__)


class MemoryHook:
    """One session of an agent. A desk that is away costs the agent its memory, never its turn: that is logged.

    client: of the agent. policy: how its context is kept short (agenticx, agentix, openlegion, custom); left out, as
    the settings say. window_tokens: what its model takes in. budget_tokens: what may be injected before a turn.
    """

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
        """The session's memory, for whatever else the agent wants to keep."""
        self._begin()
        return AgentMemory(
            client=self._client, channel=self._new.channel, user_id=self._new.user_id,
            conversation_id=self._conversation,
        )  # fmt: skip

    def before_turn(self, messages: Sequence[Message]) -> str:
        """What to have in mind before answering these messages; "" where there is nothing or nobody to say it."""

        def ask() -> str:
            new = self._new
            asked = AskContext(
                messages=tuple(messages), session_id=new.session_id, channel=new.channel, user_id=new.user_id,
                budget_tokens=self._budget,
            )  # fmt: skip
            return self._client.call(context.PROMPT, asked).text

        return self._tried("recall for a turn", ask, "")

    def with_memory(self, messages: Sequence[Message]) -> list[Message]:
        """The messages with what to have in mind as a system message before the last one."""
        told = self.before_turn(messages)
        if not told:
            return list(messages)
        return [*messages[:-1], {"role": "system", "content": told}, *messages[-1:]]

    def after_turn(self, messages: Sequence[Message]) -> list[Message]:
        """Keep every message, and return those to go on with: the same, or fewer where the policy says so."""

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
        """Keep the call of a tool: `tool_input`, `tool_output`, `success`, `latency_ms`, `error_message`."""
        self._tried("keep a call of a tool", lambda: self._beside().record_tool(tool_name, **more), None)

    @contextmanager
    def task(self, description: str) -> Iterator[None]:
        """A planned task: a goal that is open while this lasts, and closed by how it ends."""
        goal: str | None = self._tried("open a goal", lambda: self._beside().add_goal(description), None)
        try:
            yield
        except BaseException as failed:
            self._closed(goal, status="abandoned", result=f"{type(failed).__name__}: {failed}"[:1000])
            raise
        self._closed(goal, status="completed", result="")

    def reset(self) -> None:
        """Begin another conversation; nothing is erased."""
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

    def _beside(self) -> AgentMemory:
        """The memory for what hangs on a conversation, which begins with its first turn."""
        return self.memory if self._spoken else replace(self.memory, conversation_id=None)

    def _begin(self) -> None:
        """Make or resume the session, once."""
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
