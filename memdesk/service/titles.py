"""Titles of the timeline indexed in the background: all of them where a desk never had that, and after an import."""

from __future__ import annotations

import asyncio
import logging

from memdesk.engine.browsing.titles import index_titles
from memdesk.model.errors import MemDeskError
from memdesk.service.bell import Bell
from memdesk.service.host import Host

GATHER_SECONDS = 5.0
"""How often at most to look whether many titles wait; a question for words indexes the last few itself."""
BREATH_SECONDS = 0.02
"""Between two batches, so that nobody who writes waits for more than one."""

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
