"""Graphs for tests: rows, edges, a few by hand and any that could be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import strategies as st
from PySide6.QtCore import QPoint

from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.model.graph import Graph, GraphEdge, GraphNode

CHANNELS = ("_global", "tidepool", "harbor-web", "homelab")
NUMBERS = {channel: number for number, channel in enumerate(CHANNELS)}
BORN = datetime(2026, 9, 3, 12, tzinfo=UTC)


def node(
    id: str, *, channel: str = "tidepool", hop: int = 1, parent: str | None = "centre", kind: str = "fact"
) -> GraphNode:
    """One row; its title is “claim” and its id."""
    return GraphNode(
        id=id,
        kind=kind,
        title=f"claim {id}",
        category="fact",
        channel=channel,
        confidence=0.95,
        salience=0.5,
        hop=hop,
        parent=parent,
        past=False,
        created_at=BORN,
    )


def graph_of(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge] = ()) -> Graph:
    """These rows around an entity called centre."""
    centre = node("centre", hop=0, parent=None, kind="entity")
    return Graph(
        center="centre", nodes=(centre, *nodes), edges=tuple(edges), total=len(nodes) + 1, by_channel={}
    )


def edge(source: str, target: str, type: str = "ABOUT") -> GraphEdge:
    """An edge that is quite sure."""
    return GraphEdge(source=source, target=target, type=type, confidence=1.0)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any forest of rows in any channels, told in any order that begins with parents."""
    nodes: list[GraphNode] = []
    for number in range(draw(st.integers(0, 40))):
        channel = draw(st.sampled_from(CHANNELS))
        parent = draw(st.sampled_from([None, *nodes])) if nodes else None
        hop, under = (1, "centre") if parent is None else (parent.hop + 1, parent.id)
        nodes.append(node(f"n{number}", channel=channel, hop=hop, parent=under))
    return graph_of(nodes)


def place_of(canvas: Canvas, id: str) -> QPoint:
    """Where a row, or the centre, is on the screen."""
    assert canvas._placed is not None
    area = canvas._placed.area(id)
    return canvas._to_view(canvas._center_point() if area is None else area.center())
