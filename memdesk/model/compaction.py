"""Compaction: replaces the beginning of a conversation in an agent's context with a summary, and archives the
turns."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind

OFFLINE, SNIPPETS, DROPPED = "offline", "snippets", "dropped"
"""Sources of a summary without a language model: our extracts, AgenticX's short snippets, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """Record of one compaction. Its turns stay in the conversation, `first_index` to `last_index`.

    previous_id: the compaction whose summary was part of the compacted messages. message: the replacement in
    the list, a JSON list of messages. sentences: JSON list of {text, turns, constraint} with the turns that
    each sentence of the summary covers. by: the language model, or one of OFFLINE, SNIPPETS, DROPPED; note:
    why the model was not used. kept: JSON list of ids of facts. lost: JSON list of {turn, text} that neither
    the summary nor a fact contains. Counts are of the complete list before and after. retired_at: since when
    it is undone, with its turns in the list again."""

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
