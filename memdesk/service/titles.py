"""Background indexing of the timeline's titles: all of them on a desk that has no such index yet, and after
an import."""

from __future__ import annotations

import asyncio
import logging

from memdesk.engine.browsing.titles import index_titles
from memdesk.model.errors import MemDeskError
from memdesk.service.bell import Bell
from memdesk.service.host import Host

GATHER_SECONDS = 5.0
"""Minimum interval between checks for unindexed titles; a text search indexes the last few itself."""
BREATH_SECONDS = 0.02
"""Pause between two batches, so that a writer waits for at most one."""

log = logging.getLogger(__name__)


async def index_what_was_said(host: Host, bell: Bell) -> None:
    """Index titles whenever a batch of them waits, until the service ends."""
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            try:
                more = await asyncio.to_thread(index_titles, host.engine)
            except MemDeskError as wrong:
                log.warning("titles wait until the next change: %s", wrong.code)
                more = 0
            if more:
                await bell.rest(BREATH_SECONDS)
            else:
                await rung.wait()
                await bell.rest(GATHER_SECONDS)
