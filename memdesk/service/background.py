"""What the service does unasked: consolidate by the clock, and embed what was just stored.

Nothing here is ever cancelled: that would leave its thread at work on an engine being closed. It hears the bell."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from memdesk.engine import history
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.embedding import embed_pending
from memdesk.engine.jobs.run import begin
from memdesk.model.errors import MemDeskError
from memdesk.service.bell import Bell
from memdesk.service.host import Host
from memdesk.service.sockets import mark_of

CONSOLIDATE = "consolidate"
FIRST_CONSOLIDATION_SECONDS = 60.0
"""Whoever starts the service wants to use it first."""
GATHER_SECONDS = 0.1
"""New texts are embedded together when they come in bursts; words find them meanwhile."""
RETRY_SECONDS = 60.0
"""Background work that failed is tried again, not lost for the service's life."""
REACH_SECONDS = 5.0
"""How often to look whether anybody can still reach us."""

log = logging.getLogger(__name__)


async def tirelessly(name: str, bell: Bell, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run background work until the service ends. The one place that catches whatever it throws."""
    while not bell.closed:
        try:
            await work()
        except Exception:  # noqa: BLE001 - the top of background work: logged with its traceback, tried again
            log.exception("%s failed; it is tried again in %d s", name, RETRY_SECONDS)
            await bell.rest(RETRY_SECONDS)
        else:
            return


async def consolidate_by_the_clock(host: Host, bell: Bell) -> None:
    """Start the job of extraction every so many minutes; 0 is never."""
    minutes = host.engine.settings.consolidate_minutes
    if not minutes:
        return
    await bell.rest(FIRST_CONSOLIDATION_SECONDS)
    while not bell.closed:
        host.jobs.start_once(
            CONSOLIDATE,
            lambda progress: dict(consolidate(begin(host.engine, CONSOLIDATE, progress=progress))),
        )
        await bell.rest(minutes * 60)


async def embed_what_comes(host: Host, bell: Bell) -> None:
    """Write the vectors that are missing, now and after every change."""
    seen: int | None = None
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            # The bell also rings for vectors being written; only a change brings new text.
            newest = await asyncio.to_thread(history.head, host.engine)
            if newest == seen:
                await rung.wait()
                await bell.rest(GATHER_SECONDS)
            else:
                seen = newest
                await asyncio.to_thread(_embed_all, host, bell)


def _embed_all(host: Host, bell: Bell) -> None:
    """Embed batch by batch until nothing waits or the service ends."""
    try:
        while not bell.closed and embed_pending(host.engine):
            pass
    except MemDeskError as wrong:
        log.warning("vectors wait until the next change: %s", wrong.code)


async def end_when_unreachable(host: Host, bell: Bell) -> None:
    """Stop the service when its socket is gone or another's, as when somebody threw the desk's folder away."""
    while not bell.closed:
        await bell.rest(REACH_SECONDS)
        if not bell.closed and await asyncio.to_thread(mark_of, host.desk.socket) != host.socket_mark:
            log.warning("the socket is gone, so nobody can reach this service: it ends")
            host.stop()
            return
