"""Background work of the service: start jobs by the clock, embed new texts, forget working memory that has expired, and
watch workspace folders, so that changes by other programs are on the desk within a second.

Tasks here are never cancelled, which would leave their threads at work on an engine being closed; they end when the
bell is closed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from watchfiles import Change, DefaultFilter, awatch

from memdesk.engine.browsing.history import index_titles
from memdesk.engine.health import settings
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.likely_pairs import ask_about_new
from memdesk.engine.jobs.schedule import BY_NAME, Job, perform
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.ephemeral import forget_expired
from memdesk.engine.progress import Interrupted
from memdesk.engine.providers.meter import asking
from memdesk.engine.recall import kept_questions
from memdesk.engine.verify import scrub
from memdesk.engine.workspace import outside_edits
from memdesk.files.atomic import is_temporary
from memdesk.model.errors import EmbedderUnavailable, MemDeskError
from memdesk.model.instant import SECOND, from_datetime
from memdesk.model.job import CLOCK
from memdesk.model.message import message
from memdesk.model.status import JobState
from memdesk.service.host import CommitSignal, Host
from memdesk.service.sockets import mark_of

EMBEDDING = "embedding"
FIRST_JOB_SECONDS = 60.0
"""Delay of the first job after the start, because the person who starts the service wants to use it first."""
LOOK_SECONDS = 5.0
"""Interval of checks for due jobs; also the delay after a changed setting or a machine's sleep."""
GATHER_SECONDS = 0.1
"""Time to collect new texts of one burst before embedding them; they are found by their words meanwhile."""
RETRY_SECONDS = 60.0
"""Delay after which failed background work is tried again."""
REACH_SECONDS = 5.0
"""Interval of checks that the socket can still be reached."""

EXPIRY_SECONDS = 60.0
"""Longest sleep before the next check for expired keys: the loop's clock may stop while a machine sleeps."""
REST_SECONDS = 3600.0

log = logging.getLogger(__name__)


async def run_until_end(name: str, bell: CommitSignal, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run background work until the service ends. An exception is logged, and the work starts again after
    RETRY_SECONDS."""
    while not bell.closed:
        try:
            await work()
        except Exception:  # noqa: BLE001 - the top of background work: logged with its traceback, tried again
            log.exception("%s failed; it is tried again in %d s", name, RETRY_SECONDS)
            await bell.rest(RETRY_SECONDS)
        else:
            return


def start_job(host: Host, job: Job, *, author: str, dry: bool = False) -> JobState:
    """Run a job in the background and return its state; a run already under way is returned instead, except
    for a dry run."""
    if dry:
        return host.jobs.start(
            job.name,
            lambda progress: perform(host.engine, job, author=author, progress=progress, dry=True),
            dry=True,
        )
    return host.jobs.start_once(
        job.name,
        lambda progress: perform(
            host.engine, job, author=author, progress=progress, only_due=author == CLOCK
        ),
    )


def earliest_job(host: Host) -> int:
    """Return the time before which the clock starts no job of this service, in UTC microseconds."""
    return from_datetime(host.started_at) + round(FIRST_JOB_SECONDS * SECOND)


async def jobs_by_the_clock(host: Host, bell: CommitSignal) -> None:
    """Start due jobs, one at a time, so that a machine that slept for a week does not run a week's jobs at
    once."""
    while not bell.closed:
        await asyncio.to_thread(_start_what_is_due, host)
        await bell.rest(LOOK_SECONDS)


def _start_what_is_due(host: Host) -> None:
    if any(state.open and state.name in BY_NAME for state in host.jobs.states()):
        return
    for job in schedule.due(host.engine, earliest=earliest_job(host)):
        if host.engine.store.is_free(job.name):
            start_job(host, job, author=CLOCK)
            return


async def embed_what_comes(host: Host, bell: CommitSignal) -> None:
    """Write missing vectors at the start, after every change, and when another embedder is chosen."""
    seen: tuple[object, ...] | None = None
    again: float | None = None
    if host.engine.facts_compared is None:
        # What the desk had before is the checkup's.
        await asyncio.to_thread(ask_about_new, host.engine)
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            # The bell also rings for vectors being written; only a change brings new text.
            newest = _text_and_embedder(host)
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


def _text_and_embedder(host: Host) -> tuple[object, ...]:
    """Return the newest change, the embedder's name and dimension, and whether there is a model for facts, which
    determine if vectors may be missing."""
    models = host.engine.models
    _, newest = host.engine.store.mark
    return newest, models.embedder.name, models.embedder.dimension, models.facts is None


def _embed_all(host: Host, bell: CommitSignal) -> bool:
    """Embed batches until none waits, a person paused it, or the service ends, and ask about the new facts among them;
    return False if the embedder is unavailable, or another service of the desk embeds."""

    def heed() -> None:
        if bell.closed:
            raise Interrupted(message("The service ends; the vectors come at the next start."))

    try:
        with asking(f"job:{EMBEDDING}", heed), host.engine.store.lease("vectors") as free:
            if not free:
                return False
            while not (bell.closed or schedule.is_paused(host.engine, EMBEDDING)):
                more = embed_pending(host.engine) > 0
                ask_about_new(host.engine, more_to_embed=more)
                if not more:
                    break
    except Interrupted:
        pass
    except EmbedderUnavailable as wrong:
        log.warning("vectors wait until the embedder answers: %s", wrong.says)
        return False
    except MemDeskError as wrong:
        log.warning("vectors wait until the next change: %s", wrong.code)
    return True


QUESTIONS_SECONDS, QUESTIONS_SHARE = 2.0, 10
"""Time between a change and asking the kept questions again: at least this, and so many times what it took before."""


async def ask_kept_questions(host: Host, bell: CommitSignal) -> None:
    """Ask the kept questions again after changes of memory, vectors, settings and models, once they have settled."""
    seen: tuple[object, ...] | None = None
    took_s = 0.0
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            engine = host.engine
            # Vectors come after the memory: an answer may be found by them alone.
            stamp = await asyncio.to_thread(kept_questions.stamp, engine)
            now = (stamp, engine.models.embedder.name, engine.settings)
            if now != seen:
                await bell.rest(max(QUESTIONS_SECONDS, QUESTIONS_SHARE * took_s))
                seen, began = now, time.monotonic()
                await asyncio.to_thread(_ask_questions, host, bell)
                took_s = time.monotonic() - began
                continue
            await rung.wait()
            await bell.rest(GATHER_SECONDS)


def _ask_questions(host: Host, bell: CommitSignal) -> None:
    if bell.closed:
        return
    try:
        kept_questions.run_all(host.engine)
    except MemDeskError as wrong:
        log.warning("kept questions wait until the next change: %s", wrong.code)


async def forget_what_expires(host: Host, bell: CommitSignal) -> None:
    """Forget working memory when it expires, so that the feed reports its end as well as its beginning."""
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


async def scrub_slowly(host: Host, bell: CommitSignal) -> None:
    """Check the desk for damage, a stretch at a time, within a week."""
    await bell.rest(FIRST_JOB_SECONDS)
    while not bell.closed:
        await bell.rest(await asyncio.to_thread(scrub, host.engine))


async def let_go_of_models(host: Host, bell: CommitSignal) -> None:
    """Close the models when the service ends, so that calls waiting for one go on without it and are still
    answered."""
    while not bell.closed:
        await bell.rest(REST_SECONDS)
    await asyncio.to_thread(host.engine.models.close)


async def end_when_unreachable(host: Host, bell: CommitSignal) -> None:
    """Stop the service when its socket is gone or replaced, as after the desk's folder was deleted."""
    while not bell.closed:
        await bell.rest(REACH_SECONDS)
        if not bell.closed and await asyncio.to_thread(mark_of, host.desk.socket) != host.socket_mark:
            log.warning("the socket is gone, so nobody can reach this service: it ends")
            host.stop()
            return


TITLES_SECONDS = 5.0
"""Minimum interval between checks for unindexed titles; a text search indexes the last few itself."""
BREATH_SECONDS = 0.02
"""Pause between two batches, so that a writer waits for at most one."""


async def follow_shared_settings(host: Host, bell: CommitSignal) -> None:
    """Take over what another service of the desk changes in the settings that they share."""
    moved = host.engine.store.settings_moved
    with bell.listener() as rung:
        while not bell.closed:
            rung.clear()
            if moved.is_set():
                moved.clear()
                try:
                    await asyncio.to_thread(settings.follow_settings, host.engine)
                except Exception:
                    moved.set()
                    raise
            await rung.wait()


async def index_new_titles(host: Host, bell: CommitSignal) -> None:
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
                await bell.rest(TITLES_SECONDS)


FILES = "files"
BRINGING = frozenset(("import", "undo"))
"""Jobs that add or remove files; the files they have not processed yet must not be taken for outside changes."""
GATHER_MS = 400
"""Longest time over which changes of one burst are collected."""
QUIET_MS = 60
"""Pause after which a burst is over: an editor writes a file in several steps."""
LOOK_MS = 1_000
"""Interval of checks for folders that came, went or were registered while nothing changes in them."""
AT_JOBS_SECONDS = 0.1
Folders = frozenset[Path]


class _OutsideChanges(DefaultFilter):
    """Filter that leaves out the temporary names of our own writes; the rest is checked where it is taken in."""

    ignore_dirs = ("node_modules", "__pycache__", ".git", ".venv")
    ignore_entity_patterns = ()

    def __call__(self, change: Change, path: str) -> bool:
        return not is_temporary(Path(path).name) and super().__call__(change, path)


class _Ending:
    """Adapter of the bell to the stop event that watchfiles expects."""

    def __init__(self, bell: CommitSignal) -> None:
        self._bell = bell

    def is_set(self) -> bool:
        return self._bell.closed


async def watch_workspaces(host: Host, bell: CommitSignal) -> None:
    """Compare every workspace with its folder once, then record changes in them, until the service ends.

    A folder that comes back, or is registered meanwhile, is compared as soon as it is noticed."""
    known: Folders = frozenset()
    while not bell.closed:
        folders = await _folders(host)
        if folders:
            known = await _watch(host, bell, folders, new=folders - known)
        else:
            known = folders
            await bell.rest(LOOK_MS / 1000)


async def _watch(host: Host, bell: CommitSignal, folders: Folders, *, new: Folders) -> Folders:
    """Record changes in these folders until the set of folders to watch changes, or one of them was taken away.

    Returns those that stayed: another may be back by now, in which nobody has looked meanwhile."""
    bursts = awatch(
        *folders,
        watch_filter=_OutsideChanges(),
        debounce=GATHER_MS,
        step=QUIET_MS,
        stop_event=_Ending(bell),
        rust_timeout=LOOK_MS,
        yield_on_timeout=True,
        ignore_permission_denied=True,
    )
    # Watched first and looked through then, so that nothing falls between the two.
    coming = asyncio.ensure_future(anext(bursts, None))
    await asyncio.sleep(0)
    host.watched.update(folders)
    try:
        if new:
            await _look_through(host, bell, new)
        burst = await coming
        stayed = folders
        while burst is not None:
            if burst and not await _waited(host, bell):
                await asyncio.to_thread(_meet, host, [Path(path) for _, path in burst])
            gone = {Path(path) for change, path in burst if change is Change.deleted}
            stayed = folders & await _folders(host) - gone
            burst = await anext(bursts, None) if stayed == folders else None
        await bursts.aclose()
        return stayed
    finally:
        host.watched.clear()


async def _folders(host: Host) -> Folders:
    return frozenset(await asyncio.to_thread(outside_edits.folders, host.engine))


async def _look_through(host: Host, bell: CommitSignal, folders: Iterable[Path]) -> None:
    """Compare these folders with the desk, as a job that shows its progress."""
    await _waited(host, bell)
    job = host.jobs.start(
        FILES, lambda progress: outside_edits.compare_folders(host.engine, folders, progress)
    )
    while not bell.closed and host.jobs.state(job.id).open:
        await bell.rest(AT_JOBS_SECONDS)


async def _waited(host: Host, bell: CommitSignal) -> bool:
    """Wait until no job moves files; return True if the service ended before."""
    while not bell.closed and any(each.open and each.name in BRINGING for each in host.jobs.states()):
        await bell.rest(AT_JOBS_SECONDS)
    return bell.closed


def _meet(host: Host, paths: list[Path]) -> None:
    try:
        outside_edits.take_in_changes(host.engine, paths)
    except MemDeskError as wrong:
        log.warning("changed files are met at the next change: %s", wrong.code)
