"""Layout of the queue and the question: side by side, or the queue above in a narrow panel."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QWidget

from memdesk.gui.review.queue import Queue
from memdesk.gui.review.reading import Reading
from memdesk.gui.widgets import Ground, column, row

LIST_PX, LIST_LOW_PX, WIDE_FROM_PX = 352, 288, 1120
STACKS_BELOW_PX, LIST_STACKED_PX = 720, 156
"""Panel width below which the queue is placed above the question, and its height then."""
UNBOUND_PX = (1 << 24) - 1
"""Qt's maximum widget size, which PySide does not name."""


class Inbox(QWidget):
    """Queue and question, with the space shared between them."""

    def __init__(self, queue: Queue, reading: Reading) -> None:
        super().__init__()
        self._side = Ground("panel", "right", column(queue, gap=0, margins=(0, 2, 1, 1)))
        self._body = row(self._side, reading, gap=0)
        self._body.setStretchFactor(reading, 1)
        self.setLayout(self._body)

    def fit(self, width: int) -> bool:
        """Arrange both for a panel of this width in px; return True if it is wide."""
        wide, stacks = width >= WIDE_FROM_PX, width < STACKS_BELOW_PX
        way = QBoxLayout.Direction.TopToBottom if stacks else QBoxLayout.Direction.LeftToRight
        self._body.setDirection(way)
        self._side.set_edges("bottom" if stacks else "right")
        self._side.setFixedSize(
            UNBOUND_PX if stacks else LIST_PX if wide else LIST_LOW_PX,
            LIST_STACKED_PX if stacks else UNBOUND_PX,
        )
        return wide
