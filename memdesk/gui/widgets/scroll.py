"""A scroll area without a frame, on its parent's ground."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from memdesk.gui.widgets.ground import Ground


class Scroll(QScrollArea):
    """Content taller than its area, with a thin bar. Its width follows the area's; it never scrolls sideways."""

    def __init__(self, content: QWidget, token: str = "stage") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setViewport(Ground(token))
        self.setWidget(content)
        content.setAutoFillBackground(False)
        content.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep at least the content's minimum width."""
        if isinstance(watched, QWidget) and event.type() == QEvent.Type.LayoutRequest:
            self.setMinimumWidth(watched.minimumSizeHint().width())
        return super().eventFilter(watched, event)
