"""How many questions wait, for the badge in the rail: counted anew after whatever may have asked or answered one."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from memdesk.contract import review
from memdesk.gui.session import Session
from memdesk.model.history import FeedEvent
from memdesk.model.review import CountReview

COUNT_AFTER_MS = 300
KINDS = frozenset(("proposal", "fact", "entity"))
"""A memory that leaves recall closes the questions about it, and one that comes back opens them."""


class Waiting(QObject):
    """The signal `counted` carries the number."""

    counted = Signal(int)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.count)
        session.changed.connect(self._hear)
        session.back.connect(self.count)
        # A call waits until the service is found, so this needs no first status.
        self._soon.start(COUNT_AFTER_MS)

    def count(self) -> None:
        """Count now."""
        self._session.spawn(self._count())

    async def _count(self) -> None:
        self.counted.emit((await self._session.call(review.COUNT, CountReview())).total)

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """A busy agent must not put the count off for ever."""
        moved = any(event.op != "recall" and KINDS & set(event.kinds) for event in events)
        if moved and not self._soon.isActive():
            self._soon.start(COUNT_AFTER_MS)
