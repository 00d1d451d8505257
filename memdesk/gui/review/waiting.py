"""Number of open questions for the badge in the navigation, counted again after changes that may affect it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from memdesk.contract import review
from memdesk.gui.session import Session
from memdesk.model.history import FeedEvent
from memdesk.model.review import CountReview

COUNT_AFTER_MS = 300
KINDS = frozenset(("proposal", "fact", "entity"))
"""Kinds whose changes trigger a count. Removing a memory closes its questions; restoring it opens them again."""


class Waiting(QObject):
    """Counter of open questions. The signal `counted` carries the number."""

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
        """Count the open questions now."""
        self._session.spawn(self._count())

    async def _count(self) -> None:
        self.counted.emit((await self._session.call(review.COUNT, CountReview())).total)

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Schedule a count unless one is scheduled, so that a busy agent cannot postpone it forever."""
        moved = any(event.op != "recall" and KINDS & set(event.kinds) for event in events)
        if moved and not self._soon.isActive():
            self._soon.start(COUNT_AFTER_MS)
