"""Export of the full drawing to a picture file, as PNG at twice its size or as SVG."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from memdesk.gui import look
from memdesk.gui.graph.edges_painter import paint_edges, paint_pill, pill_area
from memdesk.gui.graph.rows_painter import Marks, paint_rows
from memdesk.gui.graph.stand import Stand
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import CENTER, draw_text
from memdesk.model.errors import StorageFailed

FORMATS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)"}
"""Suffixes and their names in the file dialog."""
SCALE = 2.0
SIDE_MOST_PX = 30_000
"""Longest side that QImage and most viewers support; a longer drawing is scaled down."""
FOOT_PX = 28


def save(stand: Stand, file: Path, note: str) -> None:
    """Write the full drawing, with a note in a line below it. Raises StorageFailed."""
    size = QSize(round(stand.arrangement.width), round(stand.arrangement.height) + FOOT_PX)
    if file.suffix.lower() == ".svg":
        done = _save_svg(stand, file, note, size)
    else:
        done = _save_png(stand, file, note, size)
    if not done:
        raise StorageFailed(
            tr("{file} could not be written.", file=file.name),
            next=tr("Choose another place, or make room on the disk."),
        )


def _save_png(stand: Stand, file: Path, note: str, size: QSize) -> bool:
    scale = min(SCALE, SIDE_MOST_PX / max(size.width(), size.height()))
    made = QImage(size * scale, QImage.Format.Format_RGB32)
    painter = QPainter(made)
    painter.scale(scale, scale)
    _paint(painter, stand, note, size)
    painter.end()
    return bool(made.save(str(file)))


def _save_svg(stand: Stand, file: Path, note: str, size: QSize) -> bool:
    made = QSvgGenerator()
    made.setFileName(str(file))
    made.setSize(size)
    made.setViewBox(QRect(0, 0, size.width(), size.height()))
    made.setTitle(stand.scene.center.title)
    made.setDescription(note)
    painter = QPainter()
    if not painter.begin(made):
        return False
    _paint(painter, stand, note, size)
    return bool(painter.end()) and file.is_file()


def _paint(painter: QPainter, stand: Stand, note: str, size: QSize) -> None:
    """Paint the drawing without marks, its centre halfway down."""
    arrangement, marks = stand.arrangement, Marks()
    whole, center = (0.0, arrangement.height), QPointF(arrangement.middle, arrangement.height / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), c("stage"))
    paint_rows(painter, stand.scene, arrangement, marks, whole)
    paint_edges(painter, stand.scene, arrangement, marks, center, whole)
    paint_pill(painter, stand.scene, pill_area(arrangement, center), marks)
    foot = QRectF(0, arrangement.height, size.width(), FOOT_PX)
    draw_text(painter, foot, note, look.font(11), c("t3"), CENTER)
