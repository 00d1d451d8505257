"""What a summary must hold before it may stand for what was said."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.engine.context.said import Spoken, holds

FLOOR_SHARE, FLOOR_CHARACTERS = 0.02, 120
"""A summary shorter than both this share of what it stands for and so many characters says too little."""


def faults(
    summary: str, *, names: Sequence[str], constraints: Sequence[Spoken], characters: int
) -> list[str]:
    """What is wrong with a summary of so many characters, in sentences; empty for a good one.

    It must not be empty or too short, must name what the talk is about, and hold every hard constraint word for word.
    """
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
