"""A compaction: the beginning of a conversation gave way to a summary in an agent's context, and was archived."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind

OFFLINE, SNIPPETS, DROPPED = "offline", "snippets", "dropped"
"""Who made a summary where no language model did: our extracts, AgenticX's short snippets, or nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What was compacted and what came of it. Its turns stay in the conversation, `first_index` to `last_index`.

    previous_id: the compaction whose summary was part of what was compacted. message: what stands in the list in its
    place, a JSON list of messages. sentences: JSON list of {text, turns, constraint} with the turns that each sentence
    of the summary covers. by: the language model, or one of OFFLINE, SNIPPETS, DROPPED; note: why it was not the model.
    kept: JSON list of ids of facts. lost: JSON list of {turn, text} that neither the summary nor a fact holds. Numbers
    are of the whole list before and after. retired_at: since when it is taken back, its turns in the list again.
    """

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    conversation_id: str
    session_id: str | None
    policy: str
    previous_id: str | None
    first_index: int
    last_index: int
    summary: str
    message: str
    sentences: str
    by: str
    note: str
    kept: str
    lost: str
    messages_before: int
    messages_after: int
    characters_before: int
    characters_after: int
    tokens_before: int
    tokens_after: int
    took_us: int
    created_at: int
    retired_at: int | None = None


COMPACTION = Kind(
    name="compaction",
    prefix="cp",
    table="compactions",
    record=Compaction,
    label="Compaction",
    layer="episodic",
    title="summary",
    subject_rank=11,
    references=(("conversation_id", "conversation"), ("previous_id", "compaction")),
)
