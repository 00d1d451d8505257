"""Jobs as people see them: their schedule, their runs, and what a dry run would change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One change that a dry run would have made. `records` holds at most twenty of the ids it touches."""

    op: str
    title: str
    channel: str
    edits: int
    records: tuple[str, ...]
