"""What is done in the Graph panel beside looking: a way found, two memories merged, a picture written, the map used."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.gui.panels.graph_panel import GraphPanel
from memdesk.gui.window import Window
from memdesk.model.remember import NewEntity, NewRelation
from tests.gui.driving import click, press, until
from tests.gui.graphs import place_of
from tests.gui.test_graph_panel import learn, on_a_desk, rows

ENTER, ESC = Qt.Key.Key_Return, Qt.Key.Key_Escape
LEFT = Qt.MouseButton.LeftButton


def choose_more(panel: GraphPanel, words: str) -> None:
    """Take a line of the menu of what more can be done."""
    menu = panel.more.menu(panel.query)
    line = next(action for action in menu.actions() if words in action.text())
    assert line.isEnabled(), words
    line.trigger()
    menu.deleteLater()


def carry(canvas: Canvas, id: str, onto: str, *, drop: bool = True) -> None:
    """Drag one row onto another."""
    view, start, end = canvas.viewport(), place_of(canvas, id), place_of(canvas, onto)
    QTest.mousePress(view, LEFT, pos=start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(
            view, start + QPoint(round((end - start).x() * share), round((end - start).y() * share))
        )
    if drop:
        QTest.mouseRelease(view, LEFT, pos=end)


def test_a_way_to_another_memory_is_found_and_left_again(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        everything = rows(panel)
        await learn(agent, "Harbor web sleeps at night", "harbor-web", about="Harbor web")
        tie = NewRelation(source="PgBouncer", target="Harbor web", channel="tidepool")
        await agent.call(
            memory.UPSERT_ENTITY, NewEntity(name="Harbor web", type="Product", channel="tidepool")
        )
        await agent.call(memory.RELATE, tie)
        choose_more(panel, "Find a way")
        press(panel.tools.target, "sleeps at night")
        await until(
            lambda: panel.tools.target.answers is not None and panel.tools.target.answers.isVisible(),
            "the answers",
        )
        press(panel.tools.target, ENTER)
        way = ["PgBouncer", "Harbor web", "Harbor web sleeps at night"]
        await until(lambda: sorted(rows(panel)) == sorted(way), "the way")
        assert "of 3 steps" in panel.message_bar.sentence.text()
        assert panel.page.canvas.selected() is not None and panel.tools.finder.isVisible()
        click(panel.message_bar.button)
        await until(lambda: set(everything) <= set(rows(panel)), "all that surrounds it")
        assert not panel.message_bar.isVisible()

    on_a_desk(qapp, running_service, act)


def test_where_no_way_leads_that_is_said(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        alone = await agent.call(
            memory.UPSERT_ENTITY, NewEntity(name="Island", type="Concept", channel="tidepool")
        )
        panel.way.find(alone.id)
        await until(lambda: "No way of up to 6 steps" in panel.message_bar.sentence.text(), "the word")
        assert rows(panel) == []

    on_a_desk(qapp, running_service, act)


def test_an_entity_dragged_onto_another_is_merged_once_a_person_agrees(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        twin = await agent.call(
            memory.UPSERT_ENTITY, NewEntity(name="PG Bouncer", type="Technology", channel="tidepool")
        )
        await agent.call(
            memory.RELATE, NewRelation(source="PG Bouncer", target="PostgreSQL", channel="tidepool")
        )
        await until(lambda: "PG Bouncer" in rows(panel), "the twin")
        scene = panel.page.scene
        assert scene is not None
        kept = next(node.id for node in scene.nodes.values() if node.title == "PgBouncer")
        carry(panel.page.canvas, twin.id, kept)
        await until(lambda: panel.message_bar.isVisible(), "what the merge would do")
        assert "Merge “PG Bouncer” into “PgBouncer”?" in panel.message_bar.sentence.text()
        assert "PG Bouncer" in rows(panel)
        click(panel.message_bar.button)
        await until(lambda: "PG Bouncer" not in rows(panel), "the merge")
        assert window.session.deed is not None and "Merged" in window.session.deed.sentence
        await until(lambda: not panel.message_bar.isVisible(), "the strip to go")
        window.session.undo()
        await until(lambda: "PG Bouncer" in rows(panel), "the undo")

    on_a_desk(qapp, running_service, act)


def test_esc_lets_go_of_a_dragged_row(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        canvas, asked = panel.page.canvas, list[tuple[str, str]]()
        canvas.merge_asked.connect(lambda one, other: asked.append((one, other)))
        scene = panel.page.scene
        assert scene is not None
        claims = [id for id in canvas.reading() if scene.nodes[id].kind == "fact"]
        carry(canvas, claims[0], claims[1], drop=False)
        canvas.setFocus()
        press(canvas, ESC)
        QTest.mouseRelease(canvas.viewport(), LEFT, pos=place_of(canvas, claims[1]))
        assert asked == []

    on_a_desk(qapp, running_service, act)


def test_the_drawing_is_written_as_png_and_svg(
    qapp: QApplication, running_service: Any, tmp_path: Path
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        for suffix in ("png", "svg"):
            choose_more(panel, "Export the picture")
            assert panel.acts.dialog is not None
            panel.acts.dialog.selectFile(str(tmp_path / f"graph.{suffix}"))
            panel.acts.dialog.accept()
            await until((tmp_path / f"graph.{suffix}").exists, "the file")
        image = QImage(str(tmp_path / "graph.png"))
        assert image.width() == 2 * panel.page.canvas.viewport().width()
        colours = {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
        assert len(colours) > 10
        said = "".join(ElementTree.parse(tmp_path / "graph.svg").getroot().itertext())
        assert "PgBouncer" in said and "5 shown" in said
        placed = panel.page.canvas.placed
        assert placed is not None
        panel.acts.save(placed, tmp_path / "nowhere" / "graph.png", "")
        assert "could not be written" in panel.message_bar.sentence.text()

    on_a_desk(qapp, running_service, act)


def test_the_map_leads_to_another_part_of_a_high_drawing(qapp: QApplication, running_service: Any) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        canvas = panel.page.canvas
        assert not canvas.map.isVisible()
        for number in range(34):
            await learn(agent, f"Claim number {number} about it", "tidepool")
        await until(lambda: canvas.map.isVisible(), "the map")
        bar = canvas.verticalScrollBar()
        click(canvas.map, QPoint(50, canvas.map.height() - 6))
        assert bar.value() == bar.maximum() > 0
        click(canvas.map, QPoint(50, 6))
        assert bar.value() == 0

    on_a_desk(qapp, running_service, act)
