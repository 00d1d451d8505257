"""Sequences of tools that several attempts share. Pure sums, so that every strategy found can be checked by
hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Tools = tuple[str, ...]
SHORTEST = 2
"""Fewest tools in a sequence: a single tool adds nothing to the statistics of tools by task type."""
LONGEST = 12
OUTDONE = 0.5
"""A sequence that continues in the same way at least this often is part of the longer one and not listed
separately."""
READ = 200
"""Tools of one attempt that are read; a longer attempt is a day's work, not one way of doing a task."""


def frequent(attempts: Sequence[Tools], at_least: int) -> list[tuple[Tools, int]]:
    """Return (sequence, how many attempts contain it) for the unbroken sequences that `at_least` attempts
    share.

    Only the longest: a sequence is left out if a longer one that contains it is at least half as common. The
    sequence that explains most calls comes first."""
    counts: Counter[Tools] = Counter()
    for tools in attempts:
        counts.update(_pieces(tools[:READ]))
    shared = {piece: count for piece, count in counts.items() if count >= at_least}
    outdone = {
        inner
        for piece, count in shared.items()
        for inner in (piece[1:], piece[:-1])
        if count >= OUTDONE * counts[inner]
    }
    longest = [(piece, count) for piece, count in shared.items() if piece not in outdone]
    return sorted(longest, key=lambda found: (-found[1] * len(found[0]), found[0]))


def holds(tools: Tools, sequence: Tools) -> bool:
    """Return True if these tools contain the sequence without a gap."""
    size = len(sequence)
    return any(tools[at : at + size] == sequence for at in range(len(tools) - size + 1))


def _pieces(tools: Tools) -> set[Tools]:
    return {
        tools[start : start + size]
        for size in range(SHORTEST, min(LONGEST, len(tools)) + 1)
        for start in range(len(tools) - size + 1)
    }
