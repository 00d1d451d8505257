"""Menu of further actions on a graph."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from memdesk.api import curation
from memdesk.gui import formatting, look
from memdesk.gui.done_action import excerpt
from memdesk.gui.inspectors.memory_forms import merge_question
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.gui.panels.graph.graph_data import WAY_HOPS, Fetched, GraphQuery, Marks
from memdesk.gui.panels.graph.graph_edges import paint_edges
from memdesk.gui.panels.graph.graph_layout import PlacedScene
from memdesk.gui.panels.graph.graph_rows import paint_pill, paint_rows, pill_area
from memdesk.gui.panels.graph.graph_tools import Tools
from memdesk.gui.panels.graph.labels import heading_plain
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control
from memdesk.gui.widgets.drop import open_below
from memdesk.gui.widgets.paint import CENTER, draw_text
from memdesk.gui.widgets.path_field import ask_to_save
from memdesk.gui.widgets.placeholders import MessageBar
from memdesk.model.curation import Merge, MergePreview, PreviewMerge
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.message import verbatim

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
