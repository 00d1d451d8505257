"""Scene of a graph, ready to draw: its nodes by id, and its edges sorted by their route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_not

from memdesk.gui.graph.layered import over
from memdesk.gui.graph.relations import rank
from memdesk.gui.language import tr
from memdesk.model.graph import Graph, GraphEdge, GraphNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """An edge between two nodes, and the lane of the gutter that it takes."""

    lane: int
    edge: GraphEdge


Pair = tuple[str, str]
"""Ends of an edge regardless of its direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A graph made ready to draw.

    spokes: from the centre to rows. branches: between a row and the one it is indented under or was reached
    from. ties: every edge between two rows, by either of them; promotions and supersessions are always shown,
    others that are no branches only for the row that is selected or pointed at. drawn: the most important
    edge of each pair of nodes. names: entities by their lower-case name; each name is drawn once. numbers:
    the colour number of each channel. opened: number of rows added as neighbours of opened rows."""

    graph: Graph
    nodes: Mapping[str, GraphNode]
    spokes: Mapping[str, GraphEdge]
    branches: Mapping[str, GraphEdge]
    ties: Mapping[str, tuple[Tie, ...]]
    drawn: Mapping[Pair, Tie]
    names: Mapping[str, str]
    numbers: Mapping[str, int]
    opened: int = 0

    @property
    def center(self) -> GraphNode:
        """Node that all others surround."""
        return self.nodes[self.graph.center or ""]

    @property
    def shown(self) -> int:
        """Number of rows."""
        return len(self.nodes) - 1

    @property
    def left_out(self) -> int:
        """Number of the centre's surroundings that are not shown."""
        return max(0, self.graph.total - 1 - (self.shown - self.opened))

    @property
    def counted(self) -> str:
        """Count as text: “31 of 47 shown”, or “31 shown” if that is all; then “24 opened”, which the first
        number does not include."""
        total, shown = self.graph.total - 1, f"{self.shown - self.opened:,}"
        if self.graph.more:
            said = tr("{shown} of more than %Ln shown", "", total, shown=shown)
        elif self.left_out:
            said = tr("{shown} of %Ln shown", "", total, shown=shown)
        else:
            said = tr("%Ln shown", "", self.shown - self.opened)
        return tr("{counted}, %Ln opened", "", self.opened, counted=said) if self.opened else said

    def path(self, id: str) -> tuple[str, ...]:
        """Return the rows from a row to the centre, without the centre."""
        return tuple(self._path(id))

    def _path(self, id: str) -> Iterator[str]:
        node = self.nodes.get(id)
        while node is not None and node.id != self.graph.center:
            yield node.id
            node = self.nodes.get(node.parent or "")


def staged(graph: Graph, numbers: Mapping[str, int]) -> Scene:
    """Sort a graph's edges for drawing. Of several edges between the same two nodes the most important one is
    kept."""
    empty = Scene(
        graph=replace(graph, nodes=(), edges=()), nodes={}, spokes={}, branches={}, ties={}, drawn={}, names={},
        numbers=numbers,
    )  # fmt: skip
    return replace(_joined(empty, graph.nodes, graph.edges), graph=graph)


def grown(scene: Scene, at: str, more: Graph) -> Scene:
    """Return the scene with the neighbours of one of its nodes added under it. Existing rows stay as they
    are.

    An entity is drawn once, regardless of its channel, so a new node of a known name is replaced by the
    existing one."""
    if at not in scene.nodes:
        return scene
    entities = (node for node in more.nodes if node.kind == "entity")
    same = {node.id: scene.names.get(node.title.lower(), node.id) for node in entities}
    hop = scene.nodes[at].hop + 1
    new = [
        replace(node, hop=hop, parent=at)
        for node in more.nodes
        if same.get(node.id, node.id) not in scene.nodes
    ]
    edges = [
        replace(edge, source=same.get(edge.source, edge.source), target=same.get(edge.target, edge.target))
        for edge in more.edges
    ]
    return replace(_joined(scene, new, edges), opened=scene.opened + len(new))


def _joined(scene: Scene, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Scene:
    """Return the scene with more nodes and edges; edges less important than one already drawn between the
    same nodes are left out.

    Known nodes and edges are neither copied nor sorted again."""
    center = scene.graph.center
    known, names = over(scene.nodes), over(scene.names)
    spokes, branches, ties, drawn = (
        over(scene.spokes), over(scene.branches), over(scene.ties), over(scene.drawn)
    )  # fmt: skip
    known.update((node.id, node) for node in nodes)
    names.update((node.title.lower(), node.id) for node in nodes if node.kind == "entity")
    kept = []
    for edge in edges:
        one, other = edge.source, edge.target
        if one == other or one not in known or other not in known:
            continue
        pair = (one, other) if one < other else (other, one)
        before = drawn.get(pair)
        if before is not None and rank(edge.type) >= rank(before.edge.type):
            continue
        drawn[pair] = tie = Tie(lane=len(drawn) if before is None else before.lane, edge=edge)
        kept.append(edge)
        if center in pair:
            spokes[other if one == center else one] = edge
            continue
        if (child := _child(known, one, other)) is not None:
            branches[child] = edge
        for end in pair:
            ties[end] = (*(each for each in ties.get(end) or () if each is not before), tie)
    all_nodes, all_edges = scene.graph.nodes + tuple(nodes), scene.graph.edges + tuple(kept)
    return replace(
        scene, graph=replace(scene.graph, nodes=all_nodes, edges=all_edges), nodes=known, names=names,
        spokes=spokes, branches=branches, ties=ties, drawn=drawn,
    )  # fmt: skip


def _child(nodes: Mapping[str, GraphNode], one: str, other: str) -> str | None:
    """Return the node that was reached from the other, None if neither was."""
    if nodes[one].parent == other:
        return one
    return other if nodes[other].parent == one else None


def changed(
    before: Sequence[GraphNode], after: Sequence[GraphNode]
) -> tuple[Sequence[GraphNode], Sequence[GraphNode]]:
    """Return the nodes removed and the nodes added, between the common start and the common end of two
    sequences."""
    if before is after:
        return (), ()
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    return before[head : len(before) - tail], after[head : len(after) - tail]


def _alike(one: Sequence[GraphNode], other: Sequence[GraphNode]) -> int:
    """Return the number of nodes that two sequences have in common at their start; mostly it is all of the
    shorter one."""
    short = min(len(one), len(other))
    if one[:short] == other[:short]:
        return short
    return list(map(is_not, one, other)).index(True)
