"""Titles of the timeline indexed in the background: all of them where a desk never had that, and after an import."""

from __future__ import annotations

import asyncio

from memdesk.engine.browsing.titles import index_titles
from memdesk.service.bell import Bell
from memdesk.service.host import Host

GATHER_SECONDS = 5.0
"""How often at most to look whether many titles wait; a question for words indexes the last few itself."""
BREATH_SECONDS = 0.02
"""Between two batches, so that nobody who writes waits for more than one."""


async def index_what_was_said(host: Host, bell: Bell) -> None:
    """Index titles whenever a batch of them waits, until the service ends."""
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            if await asyncio.to_thread(index_titles, host.engine):
                await bell.rest(BREATH_SECONDS)
                continue
            await rung.wait()
            await bell.rest(GATHER_SECONDS)
