"""Which row stands where: the rows of each channel as a forest, and the memory that keeps what stays in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memdesk.model.graph import GraphNode

LEFT, RIGHT = -1, 1
"""The two columns of regions, as the sign of their place beside the centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One row of a region. depth: how many rows of its own region it hangs under. opens: rows hang under it."""

    id: str
    depth: int
    parent: str | None
    opens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What was drawn before around the same centre: each record's rank, and the column of each channel."""

    ranks: Mapping[str, int] = field(default_factory=dict)
    sides: Mapping[str, int] = field(default_factory=dict)

    def with_nodes(self, nodes: Sequence[GraphNode]) -> Remembered:
        """The same with newcomers ranked behind all that were known."""
        ranks = dict(self.ranks)
        for node in nodes:
            ranks.setdefault(node.id, len(ranks))
        return Remembered(ranks=ranks, sides=self.sides)

    def with_sides(self, sides: Mapping[str, int]) -> Remembered:
        """The same with the columns now in use; a channel that is hidden for a while keeps its own."""
        return Remembered(ranks=self.ranks, sides={**self.sides, **sides})


def forests(
    nodes: Sequence[GraphNode], center: str | None, ranks: Mapping[str, int]
) -> dict[str, tuple[Branch, ...]]:
    """The rows of each channel in reading order, every node but the centre exactly once.

    A node hangs under the one it was reached from where both are of one channel; otherwise it is a root of its region.
    """
    shown = {node.id: node for node in nodes if node.id != center}
    ordered = sorted(shown.values(), key=lambda node: ranks[node.id])
    parents = {node.id: _parent(node, shown) for node in ordered}
    children: dict[str | None, list[str]] = {}
    for node in ordered:
        children.setdefault(parents[node.id], []).append(node.id)
    made: dict[str, list[Branch]] = {}
    for root in children.get(None, []):
        made.setdefault(shown[root].channel, []).extend(_under(root, None, 0, children))
    return {channel: tuple(rows) for channel, rows in made.items()}


def _parent(node: GraphNode, shown: Mapping[str, GraphNode]) -> str | None:
    """Hops grow from parent to child, so that following parents always ends."""
    parent = shown.get(node.parent or "")
    if parent is None or parent.channel != node.channel or parent.hop >= node.hop:
        return None
    return parent.id


def _under(
    id: str, parent: str | None, depth: int, children: Mapping[str | None, Sequence[str]]
) -> Iterator[Branch]:
    below = children.get(id, ())
    yield Branch(id=id, depth=depth, parent=parent, opens=bool(below))
    for child in below:
        yield from _under(child, id, depth + 1, children)


def sides(heights: Mapping[str, float], before: Mapping[str, int], first: str) -> dict[str, int]:
    """The column of each channel, so that both columns are about equally high.

    before: columns that channels have already; they keep them unless that leaves one column empty. first: the
    channel that stands at the left when nothing is known yet."""
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
