"""Scene of a graph, ready to draw: its nodes by id, and its edges sorted by their route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import is_not
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.model.entity import ABOUT, ENTITY_RELATIONS, PROMOTED_FROM, SUPERSEDES
from memdesk.model.graph import Graph, GraphEdge, GraphNode

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")
LARGE_SHARE = 8
"""Divisor of the size limit: a layer is small while it has fewer than 1/8 as many keys as the mapping below
it."""


def layer_over(below: Mapping[K, V]) -> MutableMapping[K, V]:
    """Return a writable mapping with the same content. The mapping below must not change any more."""
    return Layered(below) if below else {}


class Layered(MutableMapping[K, V]):
    """Mapping whose own keys hide those of the mapping below; keys are never removed.

    Like collections.ChainMap of two mappings, but a look-up takes a fifth of the time: the drawing makes some
    thousand per frame."""

    def __init__(self, below: Mapping[K, V]) -> None:
        """Over another layer, copy that layer's own part, or merge its two parts if its own part is no longer
        small: a look-up never goes deeper than two mappings."""
        self._below, self._own = below, dict[K, V]()
        if isinstance(below, Layered):
            if len(below._own) * LARGE_SHARE < len(below._below):
                self._below, self._own = below._below, dict(below._own)
            else:
                self._below = {**below._below, **below._own}
        self._length = len(below)

    def __getitem__(self, key: K) -> V:
        own = self._own
        return own[key] if key in own else self._below[key]

    def get(self, key: K, default: D | None = None) -> V | D | None:  # type: ignore[override]
        """Return the value of a key, or the default."""
        own = self._own
        return own[key] if key in own else self._below.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._own or key in self._below

    def __setitem__(self, key: K, value: V) -> None:
        self._length += key not in self
        self._own[key] = value

    def __delitem__(self, key: K) -> None:
        raise TypeError("A layer only adds to what lies below.")

    def __iter__(self) -> Iterator[K]:
        yield from self._below
        yield from (key for key in self._own if key not in self._below)

    def __len__(self) -> int:
        return self._length


QUIET_SHARE = 0.6
LINE_PX = 1.2
TONE_PX = 1.6
PATH_PX = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """Style of an edge. dash: lengths in px, () for solid. tone: a token; empty for the quiet line.

    arrow: the end of the relation that has an arrowhead, "source" or "target"."""

    dash: tuple[float, ...] = ()
    tone: str = ""
    arrow: str = ""


SOLID = Stroke()
DASHED = Stroke(dash=(5.0, 4.0))
STROKES: dict[str, Stroke] = {
    PROMOTED_FROM: Stroke(tone="acc", arrow="source"),
    SUPERSEDES: Stroke(tone="warn", arrow="target"),
    "PART_OF": Stroke(dash=(1.5, 3.5)),
    ABOUT: SOLID,
}
"""Types with a stroke of their own, the most important first; all others are dashed as RELATED_TO is.

A promotion points at the copy in `_global`, the way the claim went; a supersession points at the past claim.
"""

LINEAGE = (PROMOTED_FROM, SUPERSEDES)
"""Relations of a claim's lineage, which are always drawn."""

LEGEND = (ABOUT, "RELATED_TO", "PART_OF", PROMOTED_FROM, SUPERSEDES)
"""Types explained in the legend, in its order."""

WORDS = {
    ABOUT: marked("about"),
    PROMOTED_FROM: marked("promoted from"),
    SUPERSEDES: marked("supersedes"),
    "RELATED_TO": marked("related to"),
    "PART_OF": marked("part of"),
    "LOCATED_IN": marked("located in"),
    "WORKS_FOR": marked("works for"),
    "KNOWS": marked("knows"),
    "CREATED_BY": marked("created by"),
    "REFERENCES": marked("references"),
}
"""Types with words of the application; an agent's own types are shown as they are written."""

OFFERED = (ABOUT, *ENTITY_RELATIONS, PROMOTED_FROM, SUPERSEDES)
"""Types that the edge filter offers even if the graph has none of them."""


def stroke(type: str) -> Stroke:
    """Return the stroke of a relation type."""
    return STROKES.get(type, DASHED)


def words(type: str) -> str:
    """Return a relation's type as a person reads it: “part of”."""
    return tr(WORDS[type]) if type in WORDS else type.replace("_", " ").lower()


def rank(type: str) -> int:
    """Return the rank of a relation type: of several relations between the same two records, the lowest rank
    is drawn."""
    order = tuple(STROKES)
    return order.index(type) if type in order and type != ABOUT else len(order) + (type == ABOUT)


def pen(stroke: Stroke, *, on_path: bool = False, quiet: bool = False) -> QPen:
    """Return the pen of a stroke, shared and so never changed. on_path: it leads from the selected row to the
    centre. quiet: neither end is selected or hovered, and there may be many of its kind."""
    return _pen(stroke, on_path, color(stroke, on_path=on_path, quiet=quiet).rgb())


@lru_cache(maxsize=64)
def _pen(stroke: Stroke, on_path: bool, rgb: int) -> QPen:
    made = QPen(QColor(rgb), PATH_PX if on_path else TONE_PX if stroke.tone else LINE_PX)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if stroke.dash:
        # Qt counts dashes in pen widths.
        made.setDashPattern([length / made.widthF() for length in stroke.dash])
    return made


def color(stroke: Stroke, *, on_path: bool = False, quiet: bool = False) -> QColor:
    """Return the colour of a stroke."""
    if on_path:
        return c("acc")
    if stroke.tone:
        return c(stroke.tone)
    return c("line2") if quiet else _half(look.token("t3"), look.token("stage"))


@lru_cache(maxsize=8)
def _half(over: str, ground: str) -> QColor:
    """Return the colour of a line without a tone: quieter than any text."""
    return look.mix(QColor(over), QColor(ground), QUIET_SHARE)


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


def build_scene(graph: Graph, numbers: Mapping[str, int]) -> Scene:
    """Sort a graph's edges for drawing. Of several edges between the same two nodes the most important one is
    kept."""
    empty = Scene(
        graph=replace(graph, nodes=(), edges=()),
        nodes={},
        spokes={},
        branches={},
        ties={},
        drawn={},
        names={},
        numbers=numbers,
    )
    return replace(_add_graph(empty, graph.nodes, graph.edges), graph=graph)


def add_neighbours(scene: Scene, at: str, more: Graph) -> Scene:
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
    return replace(_add_graph(scene, new, edges), opened=scene.opened + len(new))


def _add_graph(scene: Scene, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Scene:
    """Return the scene with more nodes and edges; edges less important than one already drawn between the
    same nodes are left out.

    Known nodes and edges are neither copied nor sorted again."""
    center = scene.graph.center
    known, names = layer_over(scene.nodes), layer_over(scene.names)
    spokes, branches, ties, drawn = (
        layer_over(scene.spokes),
        layer_over(scene.branches),
        layer_over(scene.ties),
        layer_over(scene.drawn),
    )
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
        scene,
        graph=replace(scene.graph, nodes=all_nodes, edges=all_edges),
        nodes=known,
        names=names,
        spokes=spokes,
        branches=branches,
        ties=ties,
        drawn=drawn,
    )


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
    head = _common_start(before, after)
    tail = _common_start(before[head:][::-1], after[head:][::-1])
    return before[head : len(before) - tail], after[head : len(after) - tail]


def _common_start(one: Sequence[GraphNode], other: Sequence[GraphNode]) -> int:
    """Return the number of nodes that two sequences have in common at their start; mostly it is all of the
    shorter one."""
    short = min(len(one), len(other))
    if one[:short] == other[:short]:
        return short
    return list(map(is_not, one, other)).index(True)
