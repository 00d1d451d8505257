"""Links of the graph: one is drawn between two rows, and the menu of a row changes or removes those it has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from memdesk.gui.done_action import excerpt
from memdesk.gui.inspectors.graph_forms import (
    RelationAsk,
    new_link,
    relation_options,
    relation_sentence,
    removed,
    retyped,
)
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.panels.graph.graph_data import Scene
from memdesk.gui.panels.graph.graph_page import GraphPage
from memdesk.gui.session import Session
from memdesk.gui.widgets.drop import ChoiceMenu
from memdesk.gui.widgets.placeholders import MessageBar
from memdesk.model.entity import ABOUT, ENTITY, STRUCTURAL
from memdesk.model.errors import MemDeskError
from memdesk.model.graph import GraphEdge

LISTED_AT_MOST = 12


class GraphLinks(QObject):
    """Draws, changes and removes links between rows. Each is one change, which Ctrl+Z undoes."""

    def __init__(self, session: Session, inspector: Inspector, page: GraphPage, bar: MessageBar) -> None:
        super().__init__(page)
        self._session, self._inspector, self._page, self._bar = session, inspector, page, bar
        canvas = page.canvas
        canvas.link_begun.connect(self._say)
        canvas.link_asked.connect(self.ask_type)
        canvas.menu_asked.connect(self._open_menu)
        bar.close_button.clicked.connect(canvas.end_link)

    # Drawing one.

    def _say(self, id: str) -> None:
        """Tell how the other end is chosen; a graph without rows offers to find one. id: "" when that ended."""
        scene = self._page.scene
        if not id or scene is None:
            self._bar.hide()
            return
        if not scene.shown:
            self._page.canvas.end_link()
            self._find(id)
            return
        self._bar.show_message(
            tr(
                "Link “{title}”: choose the other end, Enter links, Esc ends.",
                title=excerpt(scene.nodes[id].title),
            ),
            icon="link",
            button=tr("Find another"),
            act=partial(self._find, id),
        )

    def _find(self, id: str) -> None:
        """Let the inspector look for the other end among all memories."""
        self._page.canvas.end_link()
        self._press(id, "relate")

    def _press(self, id: str, action: str) -> None:
        self._inspector.show_memory(id)
        self._inspector.press(action)

    def ask_type(self, source: str, target: str) -> None:
        """Link two rows: a fact is about an entity; for two entities a menu asks which relation it is."""
        scene = self._page.scene
        if scene is None or not {source, target} <= scene.nodes.keys():
            return
        kinds = {id: scene.nodes[id].kind for id in (source, target)}
        if ENTITY.name not in kinds.values():
            self._bar.show_message(tr("A link leads to or from an entity."), icon="info")
        elif len(set(kinds.values())) > 1:
            fact, entity = (target, source) if kinds[source] == ENTITY.name else (source, target)
            self._link(scene, fact, entity, ABOUT)
        else:
            menu = self.types(scene, source, target)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self._page.canvas.below(target))
            menu.setActiveAction(menu.actions()[0])

    def types(self, scene: Scene, source: str, target: str) -> ChoiceMenu:
        """Return the menu of relations from one entity to another."""
        menu = ChoiceMenu(relation_options(), lambda _: False, staying=False, parent=self._page.canvas)
        menu.setAccessibleName(tr("Relation"))
        menu.picked.connect(lambda type: self._link(scene, source, target, str(type)))
        return menu

    def _link(self, scene: Scene, source: str, target: str, type: str) -> None:
        self._start(new_link(scene.nodes[source], target, scene.nodes[target].title, type))

    # The menu of a row.

    def _open_menu(self, id: str, at: QPoint) -> None:
        menu = self.menu(id)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)
        menu.setActiveAction(menu.actions()[0])

    def menu(self, id: str) -> QMenu:
        """Return the menu of a row as it would open now."""
        menu, scene = QMenu(self._page.canvas), self._page.scene
        assert scene is not None
        if id != scene.graph.center:
            menu.addAction(tr("Put in the middle"), partial(self._page.entered.emit, id))
        menu.addAction(tr("Edit"), partial(self._press, id, "edit"))
        menu.addAction(tr("Link to…"), partial(self._page.canvas.begin_link, id))
        edges = links_of(scene, id)
        if edges:
            menu.addSeparator()
        for edge in edges[:LISTED_AT_MOST]:
            self._add_edge(menu, scene, edge)
        return menu

    def _add_edge(self, menu: QMenu, scene: Scene, edge: GraphEdge) -> None:
        """Add the submenu that gives a link another type, or removes it."""

        def sentence(type: str) -> str:
            return relation_sentence(scene.nodes[edge.source].title, type, scene.nodes[edge.target].title)

        under = menu.addMenu(sentence(edge.type).replace("&", "&&"))
        if edge.type not in STRUCTURAL:
            for option in relation_options(edge.type):
                type = str(option.value)
                act = under.addAction(
                    option.text, partial(self._start, retyped(edge.id, type, sentence(type)))
                )
                act.setCheckable(True)
                act.setChecked(type == edge.type)
                act.setEnabled(type != edge.type)
            under.addSeparator()
        under.addAction(tr("Remove"), partial(self._start, removed(edge.id, sentence(edge.type))))

    def _start(self, asked: RelationAsk) -> None:
        self._session.spawn(self._do(asked), failed=self._fail)

    async def _do(self, asked: RelationAsk) -> None:
        endpoint, ask, says = asked
        done = await self._session.do(endpoint, ask, says)
        if getattr(done, "repeated", False):
            self._bar.show_message(tr("{relation} already.", relation=says), icon="info")

    def _fail(self, wrong: MemDeskError) -> None:
        self._bar.show_message(wrong.sentence, icon="warning", tone="bad")


def links_of(scene: Scene, id: str) -> Sequence[GraphEdge]:
    """Return the links of a row to other rows that can be changed, each once."""
    found = {
        edge.id: edge
        for edge in scene.graph.edges
        if edge.id and id in (edge.source, edge.target) and {edge.source, edge.target} <= scene.nodes.keys()
    }
    return tuple(found.values())
