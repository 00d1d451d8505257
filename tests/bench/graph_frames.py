"""How long a frame of the graph takes: panned, zoomed and expanded, with 2,000, 10,000 and 50,000 rows drawn.

    QT_QPA_PLATFORM=offscreen python -m tests.bench.graph_frames

The engine gives a drawing at most 5,000 rows; the larger ones show what the canvas itself would bear.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime

from PySide6.QtWidgets import QApplication

from memdesk.gui import look
from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.gui.panels.graph.graph_data import Hidden, Opened, Scene, build_scene
from memdesk.gui.panels.graph.graph_page import in_order
from memdesk.model.graph import Graph, GraphEdge, GraphNode
from tests.bench.frames import Frames, head, measured, single

SIZES = (2_000, 10_000, 50_000)
CHANNELS = ("_global", "tidepool", "harbor-web", "homelab", "lisbon-move")
NUMBERS = {channel: number for number, channel in enumerate(CHANNELS)}
SIZE = (1256, 560)
"""The canvas of a window of 1440 x 900, in px."""
PANS, ZOOMS, EXPANSIONS, EXPANDED = 200, 60, 30, 24


def rows(count: int, *, prefix: str = "n", parent: str = "centre", hop: int = 1) -> Iterator[GraphNode]:
    """So many memories, one in three an entity, one in four under the one before it."""
    drawn = random.Random(count)
    last = parent
    for number in range(count):
        under = last if number % 4 == 3 and hop == 1 else parent
        yield GraphNode(
            id=f"{prefix}{number}",
            kind="entity" if number % 3 == 0 else "fact",
            category="decision",
            title=f"Claim {number} of what was decided on a {drawn.choice('MTWF')}",
            channel=drawn.choice(CHANNELS),
            confidence=drawn.uniform(0.5, 1),
            salience=drawn.random(),
            hop=hop if under == parent else hop + 1,
            parent=under,
            past=number % 9 == 0,
            created_at=datetime(2026, 9, 1, tzinfo=UTC),
        )
        last = f"{prefix}{number}" if under == parent else last


def graph(count: int) -> Graph:
    """A graph of so many rows around a centre, each tied to what it was reached from, some to others."""
    nodes, drawn = list(rows(count)), random.Random(3)
    centre = GraphNode(
        id="centre",
        kind="entity",
        category="person",
        title="Mara Lindholm",
        channel="_global",
        confidence=1.0,
        salience=1.0,
        hop=0,
        parent=None,
        past=False,
        created_at=datetime(2026, 9, 1, tzinfo=UTC),
    )
    edges = [
        GraphEdge(source=node.id, target=node.parent or "centre", type="ABOUT", confidence=1.0)
        for node in nodes
    ]
    for type, share in (("RELATED_TO", 10), ("PROMOTED_FROM", 100)):
        for _ in range(count // share):
            one, other = drawn.sample(nodes, 2)
            edges.append(GraphEdge(source=one.id, target=other.id, type=type, confidence=1.0))
    return Graph(
        center="centre",
        nodes=(centre, *nodes),
        edges=tuple(edges),
        total=count + 1,
        by_channel=dict.fromkeys(CHANNELS, count // len(CHANNELS)),
    )


def neighbours(place: int) -> Graph:
    """What one of the rows brings when it is expanded."""
    at = f"n{4 * place}"
    more = tuple(rows(EXPANDED, prefix=f"{at}-", parent=at, hop=2))
    edges = tuple(GraphEdge(source=node.id, target=at, type="ABOUT", confidence=1.0) for node in more)
    return Graph(center=at, nodes=more, edges=edges, total=EXPANDED, by_channel={})


def show(canvas: Canvas, scene: Scene, opened: Opened | None = None) -> None:
    """Lay a scene out."""
    canvas.show_scene(scene, in_order(NUMBERS), opened or {}, frozenset())


def bench(count: int) -> Iterator[tuple[str, Frames]]:
    """Each movement of a drawing of so many rows, with its frames."""
    canvas = Canvas()
    canvas.resize(*SIZE)
    canvas.show()
    whole = graph(count)
    scene = build_scene(whole, NUMBERS)

    def first() -> None:
        show(canvas, scene)
        canvas.grab()

    yield "open", single(first)
    bar = canvas.verticalScrollBar()
    top = bar.maximum() // 2
    yield "pan", measured(canvas, PANS, lambda place: bar.setValue(top + 24 * place))
    yield "jump", measured(canvas, PANS, lambda place: bar.setValue(7919 * place % max(1, bar.maximum())))
    ids = canvas.reading()
    yield (
        "hover",
        measured(canvas, PANS, lambda place: canvas._hover(ids[(len(ids) // 2 + place) % len(ids)])),
    )
    scales = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2)
    yield "zoom", measured(canvas, ZOOMS, lambda place: canvas.set_scale(scales[place % len(scales)]))
    canvas.set_scale(1.0)
    around = [neighbours(place) for place in range(EXPANSIONS)]
    scenes = [scene]

    def expand(place: int) -> None:
        opened = {each.center or "": each for each in around[: place + 1]}
        scenes.append(build_scene(whole, NUMBERS, opened))
        show(canvas, scenes[-1], dict.fromkeys(opened, Hidden()))

    yield "expand", measured(canvas, EXPANSIONS, expand)
    yield "fold", measured(canvas, EXPANSIONS, lambda place: show(canvas, scenes[EXPANSIONS - 1 - place]))
    look.reduce_motion(False)
    show(canvas, scenes[1])
    yield "turn", measured(canvas, EXPANSIONS, lambda place: canvas._turn._go_on(place / EXPANSIONS))
    look.reduce_motion(True)
    canvas.close()


def main() -> None:
    """Print a table, a row a movement."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    look.apply_theme(app, "dark")
    look.reduce_motion(True)
    print(head("rows"))
    for count in SIZES:
        for name, frames in bench(count):
            print(frames.row(f"{count:,}", name), flush=True)


if __name__ == "__main__":
    main()
