"""Minimap of the full drawing with the visible part; a press or a drag scrolls to another part."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from memdesk.gui import look
from memdesk.gui.graph.arrangement import Arrangement
from memdesk.gui.language import tr
from memdesk.gui.look import c, mix
from memdesk.gui.widgets.paint import box

WIDE_PX, HIGH_PX = 104, 120
MAP_FROM_VIEWS = 1.25
"""Height of the drawing, in heights of the view, from which the map is shown."""
PAD_PX = 4
TINT_SHARE = 0.22
SEEN_OPACITY = 0.16


class MiniMap(QWidget):
    """Regions in their channels' tones. The signal `moved` carries the height in the drawing to scroll to."""

    moved = Signal(float)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(WIDE_PX, HIGH_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("The whole graph in small"))
        self.setToolTip(tr("Press or drag to look elsewhere"))
        self._arrangement: Arrangement | None = None
        self._numbers: Mapping[str, int] = {}
        self._view = (0.0, 0.0)
        self._kept: QPixmap | None = None
        look.themed.changed.connect(self._forget)
        self.hide()

    def show_arrangement(
        self, arrangement: Arrangement, numbers: Mapping[str, int], view: tuple[float, float]
    ) -> None:
        """Show a drawing. numbers: colour numbers of its channels. view: top and foot of its visible part."""
        if arrangement is not self._arrangement:
            self._kept = None
        self._arrangement, self._numbers, self._view = arrangement, numbers, view
        self.update()

    def _forget(self) -> None:
        self._kept = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scroll to the pointer."""
        self._look(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue to scroll to the pointer while the left button is pressed."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)

    def _look(self, event: QMouseEvent) -> None:
        if self._arrangement is not None:
            share = (event.position().y() - PAD_PX) / (HIGH_PX - 2 * PAD_PX)
            self.moved.emit(max(0.0, min(1.0, share)) * self._arrangement.height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cached regions, and the visible part over them."""
        painter, arrangement = QPainter(self), self._arrangement
        if arrangement is None:
            return
        if self._kept is None:
            self._kept = self._painted(arrangement)
        painter.drawPixmap(0, 0, self._kept)
        scale = (HIGH_PX - 2 * PAD_PX) / arrangement.height
        top, foot = self._view
        seen = QRectF(1, PAD_PX + top * scale, WIDE_PX - 2, max(4.0, (foot - top) * scale))
        painter.setOpacity(SEEN_OPACITY)
        painter.fillRect(seen, c("acc"))
        painter.setOpacity(1.0)
        painter.setPen(c("acc"))
        painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5))

    def _painted(self, arrangement: Arrangement) -> QPixmap:
        dpr = self.devicePixelRatioF()
        made = QPixmap(round(WIDE_PX * dpr), round(HIGH_PX * dpr))
        made.setDevicePixelRatio(dpr)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        box(painter, QRectF(0, 0, WIDE_PX, HIGH_PX), 5, c("panel"), c("line2"))
        across = (WIDE_PX - 2 * PAD_PX) / arrangement.width
        down = (HIGH_PX - 2 * PAD_PX) / arrangement.height
        for region in arrangement.regions:
            tone, _ = look.channel_color(self._numbers.get(region.channel, 0))
            area = QRectF(
                PAD_PX + region.box.x() * across, PAD_PX + region.box.y() * down,
                region.box.width() * across, max(1.0, region.box.height() * down),
            )  # fmt: skip
            painter.fillRect(area, mix(tone, c("panel"), TINT_SHARE))
            painter.fillRect(QRectF(area.x(), area.y(), 2, area.height()), tone)
        painter.end()
        return made
