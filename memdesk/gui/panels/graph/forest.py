"""Rows of one channel as arrays: a drawing counts all rows, and reads single rows only where they are
visible."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, count

import numpy as np
from numpy.typing import NDArray

from memdesk.gui.panels.graph.graph_scene import layer_over
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
        ranks = layer_over(self.ranks)
        ranks.update(zip(new, count(len(ranks)), strict=False))
        return Remembered(ranks=ranks, sides=self.sides)

    def with_sides(self, sides: Mapping[str, int]) -> Remembered:
        """Return the same with the columns now in use; a channel that is hidden for a while keeps its own."""
        return Remembered(ranks=self.ranks, sides={**self.sides, **sides})


def choose_sides(heights: Mapping[str, float], before: Mapping[str, int], first: str) -> dict[str, int]:
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


ROW_PX = 28
GROUP_GAP_PX = 6
"""Gap around every group of a root and its descendants."""
INDENT_PX = 28
DEEPEST = 5
"""Depth below which rows are not indented further, so that words keep their room."""
NONE = -1

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Forest:
    """Rows in reading order: each is followed by its descendants.

    ranks: the rank of each among its siblings. parents: the place of the row that it is indented under, NONE
    for a root. depths: number of its ancestors. words: the width of its words in px. awaited: ids of other
    channels, or not shown, that roots were reached from."""

    ids: tuple[str, ...]
    ranks: Ints
    parents: Ints
    depths: Ints
    words: NDArray[np.float64]
    awaited: frozenset[str]

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def lasts(self) -> Ints:
        """Place of the last child of each row, NONE for a row without children."""
        made = np.full(len(self), NONE, dtype=np.int64)
        hanging = np.flatnonzero(self.parents != NONE)
        np.maximum.at(made, self.parents[hanging], hanging)
        return made

    @cached_property
    def tops(self) -> NDArray[np.float64]:
        """Distance of each row below the first, in px."""
        roots, gaps = self.depths == 0, np.zeros(len(self), dtype=np.int64)
        gaps[1:] = roots[1:] & ((self.lasts[1:] != NONE) | ~roots[:-1])
        return np.arange(len(self)) * np.float64(ROW_PX) + np.cumsum(gaps) * GROUP_GAP_PX

    @property
    def height(self) -> float:
        """Height of all rows, in px."""
        return float(self.tops[-1]) + ROW_PX if self.ids else 0.0

    @cached_property
    def widest(self) -> float:
        """Greatest width of indent and words, in px."""
        indents = np.minimum(self.depths, DEEPEST) * INDENT_PX
        return float((indents + self.words).max(initial=0.0))

    def children(self, place: int) -> Ints:
        """Return the places of a row's children, or of the roots for NONE."""
        return np.flatnonzero(self.parents == place)

    def end(self, place: int) -> int:
        """Return the place behind all descendants of a row, or behind all rows for NONE."""
        if place == NONE:
            return len(self)
        beyond = self.depths[place + 1 :] <= self.depths[place]
        return place + 1 + int(beyond.argmax()) if beyond.any() else len(self)


_NONE = np.empty(0, np.int64)
EMPTY = Forest(ids=(), ranks=_NONE, parents=_NONE, depths=_NONE, words=np.empty(0), awaited=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Data that rows are made from: all nodes by id, the centre's id, each row's rank and the width of its
    words."""

    nodes: Mapping[str, GraphNode]
    center: str | None
    ranks: Mapping[str, int]
    width: Callable[[GraphNode], float]

    def parent(self, node: GraphNode) -> str | None:
        """Return the id of the row that a node is indented under: the one it was reached from if both are in
        one channel, otherwise None.

        Hops grow from parent to child, so that following parents always ends."""
        parent = self.nodes.get(node.parent or "")
        if parent is None or parent.id == self.center:
            return None
        return parent.id if parent.channel == node.channel and parent.hop < node.hop else None


def update_forests(
    before: Mapping[str, Forest], gone: Sequence[GraphNode], come: Sequence[GraphNode], source: Source
) -> dict[str, Forest]:
    """Return the forest of each channel after some nodes were removed and others added. The result is the
    same as building it from all nodes, but rows that stay are only moved. To build it from no rows, call
    `regrown({}, (), nodes, source)`."""
    made = dict(before)
    leaving, coming = _by_channel(gone, source.center), _by_channel(come, source.center)
    for channel in leaving.keys() | coming.keys():
        fresh = coming.get(channel, [])
        kept = _remove_rows(before.get(channel, EMPTY), {node.id for node in leaving.get(channel, ())})
        if kept is None or not kept.awaited.isdisjoint(node.id for node in fresh):
            kept, fresh = EMPTY, [node for node in source.nodes.values() if node.channel == channel]
            fresh = [node for node in fresh if node.id != source.center]
        made[channel] = _add_rows(kept, fresh, source)
    return {channel: forest for channel, forest in made.items() if forest.ids}


def _by_channel(nodes: Sequence[GraphNode], center: str | None) -> dict[str, list[GraphNode]]:
    made: dict[str, list[GraphNode]] = {}
    for node in nodes:
        if node.id != center:
            made.setdefault(node.channel, []).append(node)
    return made


def _remove_rows(forest: Forest, gone: Set[str]) -> Forest | None:
    """Return the forest without some rows; None if a row that stays is indented under one of them and must
    get another place."""
    if not gone:
        return forest
    stays = np.array([id not in gone for id in forest.ids], dtype=np.bool_)
    parents, moved = forest.parents[stays], np.cumsum(stays) - 1
    hangs = parents != NONE
    if not stays[parents[hangs]].all():
        return None
    return Forest(
        ids=tuple(compress(forest.ids, stays.tolist())),
        ranks=forest.ranks[stays],
        parents=np.where(hangs, moved[parents], NONE),
        depths=forest.depths[stays],
        words=forest.words[stays],
        awaited=forest.awaited,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graft:
    """A new row whose parent is not new. before: the place it is inserted in front of. under: its parent's
    place."""

    id: str
    before: int
    under: int
    depth: int


def _add_rows(forest: Forest, come: Sequence[GraphNode], source: Source) -> Forest:
    """Return the forest with new rows, each among its siblings by rank."""
    if not come:
        return forest
    children: dict[str | None, list[str]] = {}
    for node in sorted(come, key=lambda each: source.ranks[each.id]):
        children.setdefault(source.parent(node), []).append(node.id)
    ids, depths = list[str](), list[int]()
    before, under = list[int](), list[int]()
    for graft in _grafts(forest, children, {node.id for node in come}, source.ranks):
        moved = graft.under + bisect(before, graft.under) if graft.under != NONE else NONE
        for id, depth, parent in _flatten(graft, children):
            under.append(moved if parent == NONE else graft.before + len(before) - parent)
            ids.append(id)
            depths.append(depth)
            before.append(graft.before)
    at = np.array(before)
    old = np.arange(len(forest))
    moved_to = old + np.searchsorted(at, old, side="right")
    parents = (
        np.where(forest.parents == NONE, NONE, moved_to[forest.parents]) if len(forest) else forest.parents
    )
    roots = (node.parent for node in come if node.parent is not None and source.parent(node) is None)
    return Forest(
        ids=_splice(forest.ids, before, ids),
        ranks=np.insert(forest.ranks, at, [source.ranks[id] for id in ids]),
        parents=np.insert(parents, at, under),
        depths=np.insert(forest.depths, at, depths),
        words=np.insert(forest.words, at, [source.width(source.nodes[id]) for id in ids]),
        awaited=forest.awaited.union(roots) - {source.center or ""},
    )


def _grafts(
    forest: Forest, children: Mapping[str | None, Sequence[str]], fresh: Set[str], ranks: Mapping[str, int]
) -> list[_Graft]:
    """Return the new rows in the order of their places; at the same place the deeper one is first, as it ends
    the group before it."""
    made = []
    for parent, each in children.items():
        if parent in fresh:
            continue
        under = NONE if parent is None else forest.ids.index(parent)
        depth = 0 if parent is None else int(forest.depths[under]) + 1
        kin, end = forest.children(under), forest.end(under)
        for id in each:
            behind = int(forest.ranks[kin].searchsorted(ranks[id]))
            place = int(kin[behind]) if behind < len(kin) else end
            made.append(_Graft(id=id, before=place, under=under, depth=depth))
    return sorted(made, key=lambda graft: (graft.before, -graft.depth))


def _flatten(graft: _Graft, children: Mapping[str | None, Sequence[str]]) -> Iterator[tuple[str, int, int]]:
    """Yield each row of a graft with its depth, and the number of places from its parent to it, NONE for the
    graft itself."""
    stack, place = [(graft.id, graft.depth, NONE)], 0
    while stack:
        id, depth, parent = stack.pop()
        yield id, depth, NONE if parent == NONE else place - parent
        stack += [(child, depth + 1, place) for child in reversed(children.get(id, ()))]
        place += 1


def _splice(ids: tuple[str, ...], before: Sequence[int], fresh: Sequence[str]) -> tuple[str, ...]:
    made, done = list[str](), 0
    for place, id in zip(before, fresh, strict=True):
        made += ids[done:place]
        made.append(id)
        done = place
    return (*made, *ids[done:])
