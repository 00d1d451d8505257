"""A session of an agent: which conversation is in its context window now, and by which policy that is kept short."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An agent's session. It outlives its conversations: a reset begins another one, and erases nothing.

    conversation_id: the conversation at hand, which exists from its first turn on. policy: how its context is
    compacted; None as the settings say. window_tokens: what its model takes in, None as the settings say.
    """

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
