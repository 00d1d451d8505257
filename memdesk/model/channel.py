"""Channels: the scopes of memory. `_global` is read together with every other channel."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind

GLOBAL = "_global"
LOCAL_USER = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """Channel of a user. `number` picks its colour permanently: 0 is `_global`, the first project is 1.

    retired_at: since when it is archived, or merged into another. moved_to: the name of the channel its
    memory moved to; callers that still use this name read and write there."""

    seq: int
    id: str
    user_id: str
    name: str
    number: int
    created_at: int
    retired_at: int | None = None
    moved_to: str | None = None


CHANNEL = Kind(
    name="channel",
    prefix="ch",
    table="channels",
    record=Channel,
    label="Channel",
    layer="workspace",
    title="name",
    subject_rank=19,
    unique=(("user_id", "name"),),
)
