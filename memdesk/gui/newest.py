"""Work of a view that replaces its own earlier work."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from memdesk.gui.session import Failed, Session


class Newest:
    """Work of a view of which only the newest goes on: starting it cancels what was started before."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._task: asyncio.Task[None] | None = None

    def start(self, work: Coroutine[Any, Any, None], failed: Failed | None = None) -> None:
        """Cancel the earlier work, and start this in its place. failed: as of `Session.spawn`."""
        self.cancel()
        self._task = self._session.spawn(work, failed)

    def cancel(self) -> None:
        """Cancel the work that goes on, if any."""
        if self._task is not None:
            self._task.cancel()

    @property
    def goes_on(self) -> bool:
        """True while the newest work has not ended."""
        return self._task is not None and not self._task.done()
