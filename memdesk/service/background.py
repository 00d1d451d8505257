"""What the service does unasked: consolidate by the clock, and embed what was just stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from anyio import CapacityLimiter, to_thread

from memdesk.engine import history
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.embedding import embed_pending
from memdesk.model.errors import MemDeskError
from memdesk.service.bell import Bell
from memdesk.service.host import Host

CONSOLIDATE = "consolidate"
FIRST_CONSOLIDATION_SECONDS = 60.0
"""Whoever starts the service wants to use it first."""
GATHER_SECONDS = 0.1
"""New texts are embedded together when they come in bursts; words find them meanwhile."""

RETRY_SECONDS = 60.0
"""Background work that failed is tried again, not lost for the service's life."""

log = logging.getLogger(__name__)


async def tirelessly(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run background work until it ends or is cancelled. The one place that catches whatever it throws."""
    while True:
        try:
            return await work()
        except Exception:  # noqa: BLE001 - the top of background work: logged with its traceback, tried again
            log.exception("%s failed; it is tried again in %d s", name, RETRY_SECONDS)
            await asyncio.sleep(RETRY_SECONDS)


async def consolidate_by_the_clock(host: Host) -> None:
    """Start the job of extraction every so many minutes, until cancelled."""
    minutes = host.engine.settings.consolidate_minutes
    if not minutes:
        return
    await asyncio.sleep(FIRST_CONSOLIDATION_SECONDS)
    while True:
        host.jobs.start_once(CONSOLIDATE, lambda progress: dict(consolidate(host.engine, progress)))
        await asyncio.sleep(minutes * 60)


async def embed_what_comes(host: Host, bell: Bell) -> None:
    """Write the vectors that are missing, now and after every change, until the bell is closed."""
    lane = CapacityLimiter(1)
    seen: int | None = None
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            # The bell also rings for vectors being written; only a change brings new text.
            newest = await to_thread.run_sync(history.head, host.engine, limiter=lane)
            if newest == seen:
                await rung.wait()
                await asyncio.sleep(GATHER_SECONDS)
            else:
                seen = newest
                await to_thread.run_sync(_embed_all, host, bell, limiter=lane)


def _embed_all(host: Host, bell: Bell) -> None:
    """Embed batch by batch until nothing waits or the service ends."""
    try:
        while not bell.closed and embed_pending(host.engine):
            pass
    except MemDeskError as wrong:
        log.warning("vectors wait until the next change: %s", wrong.code)
