"""What is drawn of a graph: its nodes by id, and its edges sorted by how they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memdesk.gui.graph.relations import rank
from memdesk.gui.language import tr
from memdesk.model.graph import Graph, GraphEdge, GraphNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """An edge between two rows, and the lane of the gutter that it takes."""

    lane: int
    edge: GraphEdge


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A graph made ready to draw.

    spokes: from the centre to rows. branches: between a row and the one it hangs under or was reached from.
    ties: every edge between two rows, by either of them; promotions and supersessions are always shown, others that
    are no branches for the row that is selected or pointed at. numbers: the colour number of each channel."""

    graph: Graph
    nodes: Mapping[str, GraphNode]
    spokes: Mapping[str, GraphEdge]
    branches: Mapping[str, GraphEdge]
    ties: Mapping[str, tuple[Tie, ...]]
    numbers: Mapping[str, int]

    @property
    def center(self) -> GraphNode:
        """The node everything else surrounds."""
        return self.nodes[self.graph.center or ""]

    @property
    def shown(self) -> int:
        """How many rows there are."""
        return len(self.nodes) - 1

    @property
    def counted(self) -> str:
        """“31 of 47 shown”, or “31 shown” when that is all."""
        total = self.graph.total - 1
        if self.graph.more:
            return tr("{shown} of more than %Ln shown", "", total, shown=f"{self.shown:,}")
        if total > self.shown:
            return tr("{shown} of %Ln shown", "", total, shown=f"{self.shown:,}")
        return tr("%Ln shown", "", self.shown)

    def path(self, id: str) -> tuple[str, ...]:
        """The rows from one to the centre, the centre left out."""
        return tuple(self._path(id))

    def _path(self, id: str) -> Iterator[str]:
        node = self.nodes.get(id)
        while node is not None and node.id != self.graph.center:
            yield node.id
            node = self.nodes.get(node.parent or "")


def staged(graph: Graph, numbers: Mapping[str, int]) -> Scene:
    """Sort a graph's edges for drawing. Of several edges between the same two nodes the most telling one is kept."""
    nodes = {node.id: node for node in graph.nodes}
    spokes: dict[str, GraphEdge] = {}
    branches: dict[str, GraphEdge] = {}
    ties: dict[str, list[Tie]] = {}
    for lane, edge in enumerate(_one_a_pair(graph, nodes)):
        ends = (edge.source, edge.target)
        if graph.center in ends:
            spokes[edge.target if edge.source == graph.center else edge.source] = edge
            continue
        if (child := _child(nodes, *ends)) is not None:
            branches[child] = edge
        for end in ends:
            ties.setdefault(end, []).append(Tie(lane=lane, edge=edge))
    return Scene(
        graph=graph, nodes=nodes, spokes=spokes, branches=branches, numbers=numbers,
        ties={id: tuple(each) for id, each in ties.items()},
    )  # fmt: skip


def _one_a_pair(graph: Graph, nodes: Mapping[str, GraphNode]) -> list[GraphEdge]:
    best: dict[frozenset[str], GraphEdge] = {}
    for edge in graph.edges:
        pair = frozenset((edge.source, edge.target))
        if len(pair) == 2 and pair <= nodes.keys():
            known = best.get(pair)
            if known is None or rank(edge.type) < rank(known.type):
                best[pair] = edge
    return list(best.values())


def _child(nodes: Mapping[str, GraphNode], one: str, other: str) -> str | None:
    """Which of two nodes was reached from the other."""
    if nodes[one].parent == other:
        return one
    return other if nodes[other].parent == one else None


def grown(graph: Graph, at: str, more: Graph) -> Graph:
    """A graph with the neighbours of one of its nodes added under it. What is there already stays as it is.

    An entity is drawn once whatever its channel, so a newcomer of a known name is the one that is there."""
    known = {node.id: node for node in graph.nodes}
    if at not in known:
        return graph
    names = {node.title.lower(): node.id for node in graph.nodes if node.kind == "entity"}
    same = {node.id: names.get(node.title.lower(), node.id) for node in more.nodes if node.kind == "entity"}
    hop = known[at].hop + 1
    new = [
        replace(node, hop=hop, parent=at) for node in more.nodes if same.get(node.id, node.id) not in known
    ]
    inside = known.keys() | {node.id for node in new}
    edges = {(edge.source, edge.target, edge.type): edge for edge in graph.edges}
    for edge in more.edges:
        drawn = replace(
            edge, source=same.get(edge.source, edge.source), target=same.get(edge.target, edge.target)
        )
        if {drawn.source, drawn.target} <= inside:
            edges.setdefault((drawn.source, drawn.target, drawn.type), drawn)
    shown = len(graph.nodes) + len(new)
    nodes = (*graph.nodes, *new)
    return replace(graph, nodes=nodes, edges=tuple(edges.values()), total=max(graph.total, shown))
