"""Menus of a graph: its further actions, and the links of a row: one is drawn between two rows, others are changed or
removed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from memdesk.api import curation
from memdesk.gui import formatting, look
from memdesk.gui.inspectors.graph_forms import (
    RelationAsk,
    new_link,
    relation_options,
    relation_sentence,
    removed,
    retyped,
)
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.inspectors.memory_forms import merge_question
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.gui.panels.graph.graph_data import WAY_HOPS, Fetched, GraphQuery, Marks, Scene
from memdesk.gui.panels.graph.graph_edges import paint_edges
from memdesk.gui.panels.graph.graph_layout import PlacedScene
from memdesk.gui.panels.graph.graph_page import GraphPage, heading_plain
from memdesk.gui.panels.graph.graph_rows import paint_pill, paint_rows, pill_area
from memdesk.gui.panels.graph.graph_tools import Tools
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control
from memdesk.gui.widgets.drop import ChoiceMenu, open_below
from memdesk.gui.widgets.paint import CENTER, draw_text
from memdesk.gui.widgets.path_field import ask_to_save
from memdesk.gui.widgets.placeholders import MessageBar
from memdesk.gui.widgets.text import excerpt
from memdesk.model.curation import Merge, MergePreview, PreviewMerge
from memdesk.model.entity import ABOUT, ENTITY, STRUCTURAL
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.graph import GraphEdge
from memdesk.model.message import verbatim

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


FORMATS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)"}
"""Suffixes and their names in the file dialog."""
SCALE = 2.0
SIDE_MOST_PX = 30_000
"""Longest side that QImage and most viewers support; a longer drawing is scaled down."""
FOOTER_PX = 28


def save(placed: PlacedScene, file: Path, note: str) -> None:
    """Write the full drawing, with a note in a line below it. Raises StorageFailed."""
    size = QSize(round(placed.arrangement.width), round(placed.arrangement.height) + FOOTER_PX)
    if file.suffix.lower() == ".svg":
        done = _save_svg(placed, file, note, size)
    else:
        done = _save_png(placed, file, note, size)
    if not done:
        raise StorageFailed(
            verbatim(tr("{file} could not be written.", file=file.name)),
            next=verbatim(tr("Choose another place, or make room on the disk.")),
        )


def _save_png(placed: PlacedScene, file: Path, note: str, size: QSize) -> bool:
    scale = min(SCALE, SIDE_MOST_PX / max(size.width(), size.height()))
    made = QImage(size * scale, QImage.Format.Format_RGB32)
    painter = QPainter(made)
    painter.scale(scale, scale)
    _paint(painter, placed, note, size)
    painter.end()
    return bool(made.save(str(file)))


def _save_svg(placed: PlacedScene, file: Path, note: str, size: QSize) -> bool:
    made = QSvgGenerator()
    made.setFileName(str(file))
    made.setSize(size)
    made.setViewBox(QRect(0, 0, size.width(), size.height()))
    made.setTitle(placed.scene.center.title)
    made.setDescription(note)
    painter = QPainter()
    if not painter.begin(made):
        return False
    _paint(painter, placed, note, size)
    return bool(painter.end()) and file.is_file()


def _paint(painter: QPainter, placed: PlacedScene, note: str, size: QSize) -> None:
    """Paint the drawing without marks, its centre halfway down."""
    arrangement, marks = placed.arrangement, Marks()
    whole, center = (0.0, arrangement.height), QPointF(arrangement.middle, arrangement.height / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), c("stage"))
    paint_rows(painter, placed.scene, arrangement, marks, whole)
    paint_edges(painter, placed.scene, arrangement, marks, center, whole)
    paint_pill(painter, placed.scene, pill_area(arrangement, center), marks)
    bottom = QRectF(0, arrangement.height, size.width(), FOOTER_PX)
    draw_text(painter, bottom, note, look.font(11), c("t3"), CENTER)


FILE = "memdesk-graph"


class GraphActions(QObject):
    """Runs the actions and shows their results in the message bar `told`."""

    def __init__(self, session: Session, bar: MessageBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._bar, self._panel = session, bar, parent
        self.dialog: QFileDialog | None = None

    # Merging.

    def ask_merge(self, id: str, into: str) -> None:
        """Show a preview of a merge, and merge only if a person agrees."""
        self._session.spawn(self._ask_merge(id, into), failed=self._show_failure)

    async def _ask_merge(self, id: str, into: str) -> None:
        seen = await self._session.call(curation.PREVIEW_MERGE, PreviewMerge(id=id, into_id=into))

        def agree() -> None:
            self._session.spawn(self._merge(id, into, seen), failed=self._show_failure)

        self._bar.show_message(merge_question(seen), icon="merge", button=tr("Merge"), act=agree)
        self._bar.button.setFocus()

    async def _merge(self, id: str, into: str, seen: MergePreview) -> None:
        says = tr("Merged “{title}” into “{into}”", title=excerpt(seen.title), into=excerpt(seen.into))
        ask = Merge(id=id, into_id=into)
        if seen.changes == 1:
            await self._session.do(curation.MERGE, ask, says)
        else:
            done = await self._session.call(curation.MERGE, ask)
            self._session.did_run(done.change, says, "update")
        self._bar.hide()

    # A picture.

    def ask_where(self, placed: PlacedScene) -> None:
        """Open the dialog to choose the file."""
        scene, when = placed.scene, formatting.minute(datetime.now().astimezone())
        note = f"{heading_plain(scene.center)} · {scene.counted} · {when}"
        self.dialog = ask_to_save(
            self._panel, tr("Export the graph"), FILE, FORMATS, lambda file: self.save(placed, file, note)
        )

    def save(self, placed: PlacedScene, file: Path, note: str) -> None:
        """Write the drawing to a file and show the path."""
        try:
            save(placed, file, note)
        except StorageFailed as wrong:
            self._show_failure(wrong)
        else:
            self._bar.show_message(
                tr("The graph was written to {file}", file=str(file)), icon="check", tone="ok"
            )

    def _show_failure(self, wrong: MemDeskError) -> None:
        self._bar.show_message(wrong.sentence, icon="warning", tone="bad")


class PathSearch(QObject):
    """Lets a person choose the other end of a path and shows the result.

    The signal `asked` carries the id of that end, or None for all that surrounds the centre."""

    asked = Signal(object)

    def __init__(self, tools: Tools, canvas: Canvas, bar: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._tools, self._canvas, self._bar = tools, canvas, bar
        tools.target.chosen.connect(self.find)
        tools.target.left.connect(self._leave)

    def ask(self) -> None:
        """Show the field in which a person finds the other end."""
        self._tools.ask_target(True)

    def find(self, id: str) -> None:
        self._leave()
        self.asked.emit(id)

    def end(self) -> None:
        """Ask for all that surrounds the centre again."""
        self.asked.emit(None)

    def _leave(self) -> None:
        self._tools.ask_target(False)
        self._canvas.setFocus()

    def show_result(self, it: Fetched) -> None:
        """Show the length of the path, or that there is none."""
        if it.query.to is None:
            return
        steps = len(it.graph.nodes) - 1
        if steps:
            self._canvas.select(it.query.to)
            said = tr("A shortest way, of %Ln step(s).", "", steps)
        elif it.query.to == it.query.center:
            said = tr("This is the centre itself.")
        else:
            said = tr("No way of up to %Ln step(s) was found with these filters.", "", 2 * WAY_HOPS)
        if it.graph.more:
            said += " " + tr("Not everything was searched: a hub has more links than are followed.")
        self._bar.show_message(said, icon="link", button=tr("All that surrounds it"), act=self.end)


class MoreMenu:
    """Menu that opens below its button."""

    def __init__(self, button: Control, way: PathSearch, actions: GraphActions, canvas: Canvas) -> None:
        self._button, self._way, self._actions, self._canvas = button, way, actions, canvas

    def open(self, query: GraphQuery) -> None:
        open_below(self.menu(query), self._button)

    def menu(self, query: GraphQuery) -> QMenu:
        menu = QMenu(self._button)
        menu.addAction(tr("Find a way to…"), self._way.ask)
        back = menu.addAction(tr("All that surrounds it"), self._way.end)
        back.setEnabled(query.to is not None)
        menu.addSeparator()
        menu.addAction(tr("Export the picture…"), self._ask_picture)
        return menu

    def _ask_picture(self) -> None:
        if self._canvas.placed is not None:
            self._actions.ask_where(self._canvas.placed)
