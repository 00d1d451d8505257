"""Checks that a summary must pass before it may replace a conversation."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.engine.context.said import Spoken, holds

FLOOR_SHARE, FLOOR_CHARACTERS = 0.02, 120
"""A summary is too short if it has less than this share of the conversation's characters and also less than
this number."""


def faults(
    summary: str, *, names: Sequence[str], constraints: Sequence[Spoken], characters: int
) -> list[str]:
    """Return the faults of a summary as sentences; empty for a good one. characters: length of the
    conversation.

    A summary must not be empty or too short, must mention every name, and must contain every hard constraint
    word for word."""
    said = summary.strip()
    if not said:
        return ["The summary is empty."]
    found = []
    floor = min(FLOOR_CHARACTERS, round(characters * FLOOR_SHARE))
    if len(said) < floor:
        found.append(f"The summary has {len(said)} characters, fewer than {floor}.")
    found += [f"It does not name {name}." for name in names if name.casefold() not in said.casefold()]
    found += [f"It lacks the constraint “{each.text}”." for each in constraints if not holds(said, each.text)]
    return found
