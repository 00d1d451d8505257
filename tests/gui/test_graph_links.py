"""Links drawn, retyped and removed: on the graph by pointer and keys, and from the inspector; entities corrected."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.gui.inspectors.graph_forms import EntityForm, LinkForm, RelationForm
from memdesk.gui.panels.graph_panel import GraphPanel
from memdesk.gui.widgets import Control
from memdesk.gui.widgets.drop import ChoiceMenu
from memdesk.gui.window import Window
from memdesk.model.browse import Inspection
from memdesk.model.remember import NewEntity, NewFact
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.graphs import place_of
from tests.gui.test_graph_panel import on_a_desk
from tests.gui.test_window import inspected, read, said, view_of

ENTER, ESC, DOWN = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Down
LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


def id_of(panel: GraphPanel, title: str) -> str:
    scene = panel.page.scene
    assert scene is not None
    return next(node.id for node in scene.nodes.values() if node.title == title)


def links(panel: GraphPanel) -> set[tuple[str, str, str]]:
    """Source, type and target of every edge of the graph."""
    scene = panel.page.scene
    assert scene is not None
    titles = {id: node.title for id, node in scene.nodes.items()}
    return {(titles[edge.source], edge.type, titles[edge.target]) for edge in scene.graph.edges}


def open_menu() -> QMenu:
    """The menu that is open now."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def line_of(menu: QMenu, words: str) -> Any:
    return next(action for action in menu.actions() if words in action.text())


def test_a_link_is_drawn_with_keys_then_retyped_and_removed_by_the_menu_of_its_row(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        canvas, bouncer = panel.page.canvas, id_of(panel, "PgBouncer")
        canvas.setFocus()
        canvas.select(bouncer)
        press(canvas, Qt.Key.Key_L)
        assert "Link “PgBouncer”: choose the other end" in panel.message_bar.sentence.text()
        press(canvas, ESC)
        assert not panel.message_bar.isVisible()
        press(canvas, Qt.Key.Key_L)
        press(canvas, Qt.Key.Key_Home)
        press(canvas, ENTER)
        menu = open_menu()
        assert isinstance(menu, ChoiceMenu) and menu.actions()[0].text().startswith("related to")
        assert menu.accessibleName() == "Relation"
        press(menu, DOWN)
        press(menu, ENTER)
        drawn = ("PgBouncer", "PART_OF", "PostgreSQL")
        await until(lambda: drawn in links(panel), "the link")
        assert said(window) == "“PgBouncer” part of “PostgreSQL”"
        canvas.select(bouncer)
        by_key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
        QApplication.sendEvent(canvas.viewport(), by_key)
        menu = open_menu()
        assert [action.text() for action in menu.actions()][:3] == ["Put in the middle", "Edit", "Link to…"]
        under = line_of(menu, "“PgBouncer” part of “PostgreSQL”").menu()
        assert not line_of(under, "part of").isEnabled()
        line_of(under, "works for").trigger()
        menu.close()
        await until(lambda: ("PgBouncer", "WORKS_FOR", "PostgreSQL") in links(panel), "the other type")
        made = panel.links.menu(bouncer)
        line_of(line_of(made, "works for").menu(), "Remove").trigger()
        await until(lambda: ("PgBouncer", "WORKS_FOR", "PostgreSQL") not in links(panel), "the removal")
        assert said(window) == "No longer: “PgBouncer” works for “PostgreSQL”"
        window.session.undo()
        await until(lambda: ("PgBouncer", "WORKS_FOR", "PostgreSQL") in links(panel), "the undo")

    on_a_desk(qapp, running_service, act)


def test_a_fact_dragged_onto_an_entity_is_linked_and_shift_links_two_entities(
    qapp: QApplication, running_service: Any
) -> None:
    async def act(window: Window, panel: GraphPanel, agent: Client, ids: dict[str, str]) -> None:
        canvas = panel.page.canvas
        claim, bouncer = id_of(panel, "NAS runs Postgres 16"), id_of(panel, "PgBouncer")
        drag(panel, claim, bouncer)
        await until(lambda: ("NAS runs Postgres 16", "ABOUT", "PgBouncer") in links(panel), "the link")
        drag(panel, claim, bouncer)
        await until(lambda: "about PgBouncer already" in panel.message_bar.sentence.text(), "the word")
        drag(panel, bouncer, id_of(panel, "PostgreSQL"), SHIFT)
        menu = open_menu()
        press(menu, ENTER)
        await until(
            lambda: not menu.isVisible() and "already." in panel.message_bar.sentence.text(), "the word"
        )
        other = id_of(panel, "Never run VACUUM FULL on events")
        drag(panel, claim, other, SHIFT)
        assert canvas._carry is None and links(panel) == links(panel)
        panel.links.ask_type(claim, other)
        assert "from an entity" in panel.message_bar.sentence.text()
        made = panel.links.menu(claim)
        under = line_of(made, "about “PgBouncer”").menu()
        assert [action.text() for action in under.actions()] == ["Remove"], "what a fact is about has no type"

    on_a_desk(qapp, running_service, act)


def drag(panel: GraphPanel, id: str, onto: str, held: Any = Qt.KeyboardModifier.NoModifier) -> None:
    """Drag one row onto another with a key held."""
    canvas = panel.page.canvas
    view, start, end = canvas.viewport(), place_of(canvas, id), place_of(canvas, onto)
    QTest.mousePress(view, LEFT, held, start)
    for share in (0.3, 0.7, 1.0):
        step = end - start
        at = start + QPoint(round(step.x() * share), round(step.y() * share))
        place = QPointF(at)
        over = QPointF(view.mapToGlobal(at))
        QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, place, over, LEFT, LEFT, held))
    canvas.viewport().grab()
    QTest.mouseRelease(view, LEFT, held, end)


def test_an_entity_is_renamed_retyped_described_and_linked_from_the_inspector(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            atlas, quay = [
                (await agent.call(memory.UPSERT_ENTITY, NewEntity(name=name, channel="harbor"))).id
                for name in ("Atlass", "Quay")
            ]
            view = await inspected(window, atlas)
            view.footer.press("edit")
            form = view.form
            assert isinstance(form, EntityForm) and form._keeps.isHidden()
            form.name.setText("")
            assert not form.save.isEnabled()
            form.name.setText("Atlas")
            assert not form._keeps.isHidden()
            form.known_as.setText("the proxy")
            form.type._pick("Technology")
            form.description.set_text("Reverse proxy")
            assert window.inspector.unsaved()
            await inspected(window, quay)
            view = await inspected(window, atlas)
            form = view.form
            assert isinstance(form, EntityForm) and form.asked() is not None, "the draft is kept"
            press(form.name, ENTER)
            await until(lambda: said(window) == "Edited “Atlas”", "the correction")
            seen: Inspection = await read(window, atlas)
            assert (seen.title, seen.category, set(seen.known_as)) == (
                "Atlas",
                "Technology",
                {"Atlass", "the proxy"},
            )
            await until(lambda: (v := view_of(window, atlas)) and v.seen.title == "Atlas" and not v.is_busy)
            view = await inspected(window, atlas)
            view.footer.press("relate")
            link = view.form
            assert isinstance(link, LinkForm) and not link.save.isEnabled()
            link.type._pick("PART_OF")
            press(link.to.search, "Quay")
            await until(lambda: link.to.offered, "the entities found")
            press(link.to.search, ENTER)
            assert link.says.text() == "“Atlas” part of “Quay”"
            press(link.to.search, ENTER)
            await until(lambda: said(window) == "“Atlas” part of “Quay”", "the link")
            await until(lambda: (v := view_of(window, atlas)) and v.seen.related and not v.is_busy)
            view = await inspected(window, atlas)
            button = next(
                each
                for each in view.findChildren(Control)
                if each.accessibleName() == "Change the link to Quay"
            )
            click(button)
            change = view.form
            assert isinstance(change, RelationForm) and change.asked() is None
            change.type._pick("LOCATED_IN")
            change.submit()
            await until(lambda: said(window) == "“Atlas” located in “Quay”", "the other type")
            await until(
                lambda: (v := view_of(window, atlas)) and v.seen.related[0].relation == "LOCATED_IN",
                "the view read again",
            )
            view = await inspected(window, atlas)
            view.change_relation(view.seen.related[0])
            change = view.form
            assert isinstance(change, RelationForm)
            await until(change.remove.isVisible, "the form")
            click(change.remove)
            await until(lambda: said(window) == "No longer: “Atlas” located in “Quay”", "the removal")
            assert (await read(window, atlas)).related == ()

    drive(qapp, scenario)


def test_a_fact_is_linked_to_an_entity_that_it_is_about_and_unlinked(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await agent.call(memory.UPSERT_ENTITY, NewEntity(name="Quay", channel="harbor"))
            learned = NewFact(claim="It floods in March", channel="harbor")
            fact = (await agent.call(memory.LEARN_FACT, learned)).id
            view = await inspected(window, fact)
            view.footer.press("relate")
            link = view.form
            assert isinstance(link, LinkForm) and not link.type.isVisible()
            press(link.to.search, "Quay")
            await until(lambda: link.to.offered, "the entities found")
            press(link.to.search, ENTER)
            press(link.to.search, ENTER)
            await until(lambda: said(window) == "“It floods in March” about “Quay”", "the link")
            await until(lambda: (v := view_of(window, fact)) and v.seen.about and not v.is_busy)
            # By its letter: the menu of its links opens, and Enter removes the first.
            view = await inspected(window, fact)
            view.area.setFocus()
            window._press("unlink")  # noqa: SLF001
            await until(lambda: isinstance(QApplication.activePopupWidget(), ChoiceMenu), "the menu")
            menu = open_menu()
            assert len(menu.actions()) == 1
            assert menu.actions()[0].text().startswith("No longer about “Quay”")
            assert (
                menu.x() + menu.width()
                <= view.footer.more.mapToGlobal(view.footer.more.rect().topRight()).x() + 1
            )
            press(menu, ENTER)
            await until(lambda: said(window).startswith("No longer: “It floods"), "the removal by a key")
            await until(lambda: (v := view_of(window, fact)) and not v.seen.about and not v.is_busy)
            assert "no link" in (await inspected(window, fact)).footer.press("unlink")
            window.session.undo()
            await until(lambda: (v := view_of(window, fact)) and v.seen.about and not v.is_busy)
            view = await inspected(window, fact)
            view.change_relation(view.seen.about[0])
            change = view.form
            assert isinstance(change, RelationForm) and not change.save.isVisible()
            await until(change.remove.isVisible, "the form")
            click(change.remove)
            await until(lambda: said(window).startswith("No longer: “It floods"), "the removal")
            assert (await read(window, fact)).about == ()
            await until(lambda: (v := view_of(window, fact)) and not v.seen.about and not v.is_busy)
            view = await inspected(window, fact)
            view.footer.press("relate")
            link = view.form
            assert isinstance(link, LinkForm) and not link.make.isVisible()
            press(link.to.search, "River gate")
            await until(link.make.isVisible, "the offer to make it")
            click(link.make)
            await until(lambda: said(window) == "Made the entity “River gate”", "the entity")
            press(link.to.search, ENTER)
            await until(lambda: said(window) == "“It floods in March” about “River gate”", "the link")
            assert [each.title for each in (await read(window, fact)).about] == ["River gate"]

    drive(qapp, scenario)
