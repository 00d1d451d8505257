"""Tags: free words that a person or an agent attaches to any memory."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """Tag on one memory."""

    seq: int
    id: str
    user_id: str
    channel: str
    record_id: str
    name: str
    created_at: int
    retired_at: int | None = None


TAG = Kind(
    name="tag",
    prefix="l",
    table="tags",
    record=Tag,
    label="Tag",
    layer="semantic",
    title="name",
    subject_rank=17,
    references=(("record_id", "record"),),
    unique=(("record_id", "name"),),
)
