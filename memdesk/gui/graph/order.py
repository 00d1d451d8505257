"""Column of each channel, and the memory of ranks and columns that keeps rows in their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from memdesk.gui.graph.layered import over
from memdesk.model.graph import GraphNode

LEFT, RIGHT = -1, 1
"""Columns of regions left and right of the centre, as the sign of their x offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Former drawing around the same centre: each record's rank, and the column of each channel."""

    ranks: Mapping[str, int] = field(default_factory=dict)
    sides: Mapping[str, int] = field(default_factory=dict)

    def with_nodes(self, nodes: Sequence[GraphNode]) -> Remembered:
        """Return the same with new nodes ranked behind all known ones."""
        new = dict.fromkeys(node.id for node in nodes if node.id not in self.ranks)
        ranks = over(self.ranks)
        ranks.update(zip(new, count(len(ranks)), strict=False))
        return Remembered(ranks=ranks, sides=self.sides)

    def with_sides(self, sides: Mapping[str, int]) -> Remembered:
        """Return the same with the columns now in use; a channel that is hidden for a while keeps its own."""
        return Remembered(ranks=self.ranks, sides={**self.sides, **sides})


def sides(heights: Mapping[str, float], before: Mapping[str, int], first: str) -> dict[str, int]:
    """Return the column of each channel, so that both columns are about equally high.

    before: columns that channels have already; they keep them unless that leaves one column empty. first: the
    channel that is at the left when no column is known yet."""
    known = {channel: before[channel] for channel in heights if channel in before}
    if len(heights) > 1 and len(known) == len(heights) and len(set(known.values())) == 1:
        known = {}
    chosen = dict(known)
    filled = {side: sum(heights[each] for each in chosen if chosen[each] == side) for side in (LEFT, RIGHT)}
    for channel in sorted(heights.keys() - known.keys(), key=lambda each: (-heights[each], each)):
        side = LEFT if filled[LEFT] < filled[RIGHT] else RIGHT
        chosen[channel] = side
        filled[side] += heights[channel]
    if not known and len(heights) > 1 and chosen.get(first) == RIGHT:
        return {channel: -side for channel, side in chosen.items()}
    return chosen
