"""What the service does unasked: start jobs by the clock, embed what was just stored, forget what has expired.

Nothing here is ever cancelled: that would leave its thread at work on an engine being closed. It hears the bell."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from memdesk.engine.browsing import history
from memdesk.engine.health.verify import scrub
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.embedding import embed_pending
from memdesk.engine.jobs.jobs import BY_NAME, Job
from memdesk.engine.jobs.perform import perform
from memdesk.engine.memory.ephemeral import forget_expired
from memdesk.engine.progress import Interrupted
from memdesk.engine.providers.asking import asking
from memdesk.model.errors import EmbedderUnavailable, MemDeskError
from memdesk.model.instant import SECOND, from_datetime
from memdesk.model.job import CLOCK
from memdesk.model.status import JobState
from memdesk.service.bell import Bell
from memdesk.service.host import Host
from memdesk.service.sockets import mark_of

EMBEDDING = "embedding"
FIRST_JOB_SECONDS = 60.0
"""Whoever starts the service wants to use it first."""
LOOK_SECONDS = 5.0
"""How often to look which job is due: a changed setting and a woken machine count within that time."""
GATHER_SECONDS = 0.1
"""New texts are embedded together when they come in bursts; words find them meanwhile."""
RETRY_SECONDS = 60.0
"""Background work that failed is tried again, not lost for the service's life."""
REACH_SECONDS = 5.0
"""How often to look whether anybody can still reach us."""

EXPIRY_SECONDS = 60.0
"""How long to sleep at most before looking for what has expired: the loop's clock may stand while a machine sleeps."""
REST_SECONDS = 3600.0

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


def start_job(host: Host, job: Job, *, author: str, dry: bool = False) -> JobState:
    """Run a job in the background; the run under way where there is one, unless this is a dry run."""
    if dry:
        return host.jobs.start(
            job.name,
            lambda progress: perform(host.engine, job, author=author, progress=progress, dry=True),
            dry=True,
        )
    return host.jobs.start_once(
        job.name, lambda progress: perform(host.engine, job, author=author, progress=progress)
    )


def earliest_job(host: Host) -> int:
    """The moment before which the clock starts no job of this service, in UTC microseconds."""
    return from_datetime(host.started_at) + round(FIRST_JOB_SECONDS * SECOND)


async def jobs_by_the_clock(host: Host, bell: Bell) -> None:
    """Start what is due, one job at a time: a machine that slept for a week does not do a week's jobs at once."""
    while not bell.closed:
        await asyncio.to_thread(_start_what_is_due, host)
        await bell.rest(LOOK_SECONDS)


def _start_what_is_due(host: Host) -> None:
    if any(state.open and state.name in BY_NAME for state in host.jobs.states()):
        return
    for job in schedule.due(host.engine, earliest=earliest_job(host))[:1]:
        start_job(host, job, author=CLOCK)


async def embed_what_comes(host: Host, bell: Bell) -> None:
    """Write the vectors that are missing, now, after every change, and whenever another embedder is chosen."""
    seen: tuple[int, str, int] | None = None
    again: float | None = None
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            # The bell also rings for vectors being written; only a change brings new text.
            newest = await asyncio.to_thread(_text_and_embedder, host)
            if newest != seen:
                done = await asyncio.to_thread(_embed_all, host, bell)
                seen, again = newest, None if done else asyncio.get_running_loop().time() + RETRY_SECONDS
                continue
            try:
                async with asyncio.timeout_at(again):
                    await rung.wait()
                    await bell.rest(GATHER_SECONDS)
            except TimeoutError:
                seen = None


def _text_and_embedder(host: Host) -> tuple[int, str, int]:
    """(the newest change, the embedder in use, its dimension): what decides whether vectors are missing."""
    embedder = host.engine.models.embedder
    return history.head(host.engine), embedder.name, embedder.dimension


def _embed_all(host: Host, bell: Bell) -> bool:
    """Embed batch by batch until nothing waits, a person paused it, or the service ends; False when it has to wait."""

    def heed() -> None:
        if bell.closed:
            raise Interrupted("The service ends; the vectors come at the next start.")

    try:
        with asking(f"job:{EMBEDDING}", heed):
            while not (bell.closed or schedule.is_paused(host.engine, EMBEDDING)) and embed_pending(
                host.engine
            ):
                pass
    except Interrupted:
        pass
    except EmbedderUnavailable as wrong:
        log.warning("vectors wait until the embedder answers: %s", wrong.says)
        return False
    except MemDeskError as wrong:
        log.warning("vectors wait until the next change: %s", wrong.code)
    return True


async def forget_what_expires(host: Host, bell: Bell) -> None:
    """Forget working memory when its time is over, so that the feed tells that it went as it tells that it came."""
    seen: int | None = None
    again = 0.0
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            moves = host.engine.store.working_moves
            if moves != seen:
                seen, left = moves, await asyncio.to_thread(forget_expired, host.engine)
                wait = EXPIRY_SECONDS if left is None else min(EXPIRY_SECONDS, left)
                again = asyncio.get_running_loop().time() + wait
            try:
                async with asyncio.timeout_at(again):
                    await rung.wait()
                await bell.rest(GATHER_SECONDS)
            except TimeoutError:
                seen = None


async def scrub_slowly(host: Host, bell: Bell) -> None:
    """Read the desk through for damage, a stretch at a time, within a week."""
    await bell.rest(FIRST_JOB_SECONDS)
    while not bell.closed:
        await bell.rest(await asyncio.to_thread(scrub, host.engine))


async def let_go_of_models(host: Host, bell: Bell) -> None:
    """Once the service ends, have nobody wait for a model: whoever asked goes on without, and is still answered."""
    while not bell.closed:
        await bell.rest(REST_SECONDS)
    await asyncio.to_thread(host.engine.models.close)


async def end_when_unreachable(host: Host, bell: Bell) -> None:
    """Stop the service when its socket is gone or another's, as when somebody threw the desk's folder away."""
    while not bell.closed:
        await bell.rest(REACH_SECONDS)
        if not bell.closed and await asyncio.to_thread(mark_of, host.desk.socket) != host.socket_mark:
            log.warning("the socket is gone, so nobody can reach this service: it ends")
            host.stop()
            return
