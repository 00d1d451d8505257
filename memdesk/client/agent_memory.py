"""Agent memory for Python programs: the methods of AgentX's AgentMemory, over the desk's own calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from memdesk.client.sync import SyncClient
from memdesk.contract import goals, memory, procedures, recall
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.goals import CompleteGoal, NewGoal
from memdesk.model.procedures import NewToolCall, RecordedToolCall
from memdesk.model.recall import Bundle, Query
from memdesk.model.remember import Learned, NewFact, NewTurn, StoredTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMemory:
    """Memory of one user in one channel, within one conversation.

    Every method raises the errors of its call. Further fields of a call are passed by name: `learn_fact("…",
    category="decision")`."""

    client: SyncClient
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    conversation_id: str | None = None

    def store_turn(self, role: str, content: str, **more: Any) -> StoredTurn:
        """Store one turn. With the caller's own `turn_id`, a repeated call changes nothing."""
        said = NewTurn(
            role=role, content=content, channel=self.channel, user_id=self.user_id,
            conversation_id=self.conversation_id,
        )  # fmt: skip
        return self.client.call(memory.STORE_TURN, replace(said, **more))

    def learn_fact(self, claim: str, **more: Any) -> Learned:
        """Learn a claim; a known claim gains a source instead."""
        told = NewFact(claim=claim, channel=self.channel, user_id=self.user_id)
        return self.client.call(memory.LEARN_FACT, replace(told, **more))

    def remember(self, query: str, **more: Any) -> Bundle:
        """Recall memories, under AgentX's name for it."""
        asked = Query(
            text=query, channel=self.channel, user_id=self.user_id, conversation_id=self.conversation_id
        )
        return self.client.call(recall.SEARCH, replace(asked, **more))

    def record_tool(self, tool_name: str, **more: Any) -> RecordedToolCall:
        """Record a tool call: `tool_input`, `tool_output`, `success`, `latency_ms`."""
        called = NewToolCall(
            tool_name=tool_name,
            channel=self.channel,
            user_id=self.user_id,
            conversation_id=self.conversation_id,
        )
        return self.client.call(procedures.RECORD_INVOCATION, replace(called, **more))

    def add_goal(self, description: str, **more: Any) -> str:
        """Open a goal and return its id."""
        wanted = NewGoal(
            description=description, channel=self.channel, user_id=self.user_id,
            conversation_id=self.conversation_id,
        )  # fmt: skip
        return self.client.call(goals.ADD, replace(wanted, **more)).id

    def complete_goal(self, goal_id: str, *, result: str = "", status: str = "completed") -> None:
        """Close a goal as completed, abandoned or blocked."""
        done = CompleteGoal(goal_id=goal_id, status=status, result=result, user_id=self.user_id)
        self.client.call(goals.COMPLETE, done)
