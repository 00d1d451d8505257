"""Tasks of a view: starting one cancels the one before."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from memdesk.gui.service_connection import Failed
from memdesk.gui.session import Session


class Newest:
    """Runs one task of a view at a time: starting a new one cancels the previous one."""

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
