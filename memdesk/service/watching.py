"""Watch of workspace folders, so that changes by other programs are on the desk within a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path

from watchfiles import Change, DefaultFilter, awatch

from memdesk.engine.workspace import outside_edits
from memdesk.files.atomic import is_temporary
from memdesk.model.errors import MemDeskError
from memdesk.service.commit_signal import CommitSignal
from memdesk.service.host import Host

FILES = "files"
BRINGING = frozenset(("import", "undo"))
"""Jobs that add or remove files; the files they have not processed yet must not be taken for outside changes."""
GATHER_MS = 400
"""Longest time over which changes of one burst are collected."""
QUIET_MS = 60
"""Pause after which a burst is over: an editor writes a file in several steps."""
LOOK_MS = 1_000
"""Interval of checks for folders that came, went or were registered while nothing changes in them."""
REST_SECONDS = 0.1
Folders = frozenset[Path]

log = logging.getLogger(__name__)


class _Ours(DefaultFilter):
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
        watch_filter=_Ours(),
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
        await bell.rest(REST_SECONDS)


async def _waited(host: Host, bell: CommitSignal) -> bool:
    """Wait while a job is moving files; return True if the service ended meanwhile."""
    while not bell.closed and any(each.open and each.name in BRINGING for each in host.jobs.states()):
        await bell.rest(REST_SECONDS)
    return bell.closed


def _meet(host: Host, paths: list[Path]) -> None:
    try:
        outside_edits.take_in_changes(host.engine, paths)
    except MemDeskError as wrong:
        log.warning("changed files are met at the next change: %s", wrong.code)
