"""A session of an agent: its current conversation, and the policy by which its context is compacted."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Session of an agent. It outlives its conversations: a reset starts another one, and erases nothing.

    conversation_id: the current conversation, which exists from its first turn on. policy: how its context is
    compacted; None as in the settings. window_tokens: the size of its model's context window, None as in the
    settings."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    title: str
    conversation_id: str
    policy: str | None
    window_tokens: int | None
    created_at: int
    retired_at: int | None = None


SESSION = Kind(
    name="session",
    prefix="se",
    table="sessions",
    record=Session,
    label="Session",
    layer="episodic",
    title="title",
    subject_rank=12,
)
