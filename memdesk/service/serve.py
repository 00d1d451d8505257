"""Life of one desk's service: open the engine, answer on the socket, stop cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import faulthandler
import io
import logging
import logging.handlers
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextvars import copy_context
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType

from memdesk import __version__
from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine
from memdesk.engine.health import settings
from memdesk.engine.health.replacement import restore
from memdesk.engine.jobs.schedule import close_interrupted
from memdesk.engine.opening import open_engine
from memdesk.engine.workspace.outside_edits import reconcile
from memdesk.files.atomic import drop_fetched
from memdesk.files.places import Desk
from memdesk.model.backup import RestoreBackup
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.message import message
from memdesk.model.team import Listen
from memdesk.service.admission import Admission
from memdesk.service.app import DeskApp, refuse_gaps
from memdesk.service.background import (
    ask_kept_questions,
    embed_what_comes,
    end_when_unreachable,
    follow_shared_settings,
    forget_what_expires,
    index_new_titles,
    jobs_by_the_clock,
    let_go_of_models,
    run_until_end,
    scrub_slowly,
    watch_workspaces,
)
from memdesk.service.callers import owner_token
from memdesk.service.calls import answer_calls
from memdesk.service.desk_calls import metrics
from memdesk.service.exposition import answer_exposition
from memdesk.service.feed import answer_feed
from memdesk.service.host import CommitSignal, Confirmations, Host
from memdesk.service.long_acts import Acts, Jobs
from memdesk.service.mcp_calls import answer_mcp
from memdesk.service.server import DeskServer, Door, FromNetwork, NetworkProtocol, opened
from memdesk.service.sockets import PRIVATE_FILE, bind, closed_folder, mark_of, passed_socket, remove_socket
from memdesk.service.tools import answer_tools
from memdesk.store.run_context import in_background

LOG_BYTES = 1_000_000
LOG_FILES = 3
FORMAT = "%(asctime)s %(levelname)s [%(process)d] %(name)s: %(message)s"


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """Rotating log whose files only their owner can read."""

    def _open(self) -> io.TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


def _note_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log the exception that ends the service, since a background process has no other place for it."""
    log.critical("the service died", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


def open_log(file: Path) -> None:
    """Send MemDesk's messages, libraries' warnings and hard crashes to the desk's log. Raises StorageFailed."""
    closed_folder(file.parent)
    try:
        handler = _PrivateLog(file, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8")
    except OSError as refused:
        raise StorageFailed(
            message("The log {file} cannot be written: {strerror}.", file=file, strerror=refused.strerror)
        ) from refused
    handler.setFormatter(logging.Formatter(FORMAT))
    logging.captureWarnings(True)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("memdesk").setLevel(logging.INFO)
    sys.excepthook = _note_uncaught
    faulthandler.enable(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC))


PERIODIC = {
    "jobs by the clock": jobs_by_the_clock,
    "embedding": embed_what_comes,
    "asking kept questions": ask_kept_questions,
    "forgetting what expires": forget_what_expires,
    "following settings": follow_shared_settings,
    "watching the socket": end_when_unreachable,
    "letting go of models": let_go_of_models,
    "watching workspaces": watch_workspaces,
    "indexing titles": index_new_titles,
    "reading the desk for damage": scrub_slowly,
}

M_ARENA_MAX, ARENAS = -8, 2
"""For mallopt(3). With a heap a thread, each of which keeps what it freed, 60,000 calls left 300 MB in use, not 263."""

log = logging.getLogger(__name__)


def serve(desk: Desk, *, ready: Callable[[], None], listen: Listen | None = None) -> None:
    """Serve a desk until SIGTERM, SIGINT or a call of upkeep.stop. Call it with the desk's lock acquired.

    ready: called once the socket answers. listen: serve members over the network, too. Raises NewerDesk, StorageFailed,
    NotAllowed or BadAsk when it cannot start."""
    os.umask(0o077)
    _limit_allocator_arenas()
    # A job that computes lets go of the interpreter ten times as often: while consolidating, a store took 5 ms, not 26.
    sys.setswitchinterval(0.0005)
    open_log(desk.log)
    log.info("MemDesk %s starts", __version__)
    try:
        while (wanted := _serve_once(desk, ready, listen)) is not None:
            # Whoever asked has its answer, and clients wait for the socket as after any restart.
            ready = _silent
            with contextlib.suppress(MemDeskError):
                restore(desk, wanted)
    except MemDeskError as refused:
        log.error("MemDesk cannot serve this desk: %s", refused.says)
        raise
    log.info("MemDesk stopped")


def _serve_once(desk: Desk, ready: Callable[[], None], listen: Listen | None) -> RestoreBackup | None:
    """Serve a desk until the service ends; return the backup to restore then, if one was requested."""
    with opened(listen) as door, _bound(desk) as listener, contextlib.closing(open_engine(desk)) as engine:
        drop_fetched(desk.folder)
        if engine.store.shared:
            settings.follow_settings(engine)
        finished = reconcile(engine)
        if finished:
            log.info("finished %d saves that a kill had left unwritten", finished)
        close_interrupted(engine)
        return asyncio.run(_run(desk, engine, listener, door, ready))


def _limit_allocator_arenas() -> None:
    """Limit the memory allocator to ARENAS heaps for all threads. Only glibc has so many that it matters."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def _silent() -> None:
    """Do nothing: the caller of `serve` is notified only of the first start."""


@contextlib.contextmanager
def _bound(desk: Desk) -> Iterator[socket.socket]:
    passed = passed_socket(desk)
    listener = passed or bind(desk)
    mark = mark_of(desk.socket)
    try:
        yield listener
    finally:
        # Where the desk's folder was thrown away and made anew, the socket there is another service's.
        if mark_of(desk.socket) == mark:
            if passed:
                # systemd keeps the socket. A client that waits for this service to end sees its time of change move.
                desk.socket.chmod(PRIVATE_FILE)
            else:
                remove_socket(desk.socket)
        listener.close()


async def _run(
    desk: Desk, engine: Engine, listener: socket.socket, door: Door | None, ready: Callable[[], None]
) -> RestoreBackup | None:
    loop = asyncio.get_running_loop()
    bell = CommitSignal()
    confirmations = Confirmations(bell.ring)
    token = owner_token(desk.owner_token)
    app = DeskApp(
        token=token, person=lambda: engine.person, admission=Admission(engine, token, confirmations)
    )
    jobs = Jobs(app.give_way)
    acts = Acts(desk.acts, jobs)
    server = DeskServer(app, bell, ready)
    outside = _network_server(app, bell, door)
    wanted: list[RestoreBackup] = []

    def end_and_restore(ask: RestoreBackup) -> None:
        wanted.append(ask)
        loop.call_soon_threadsafe(server.stop)

    host = Host(
        desk=desk,
        engine=engine,
        jobs=jobs,
        acts=acts,
        confirmations=confirmations,
        started_at=datetime.now(UTC),
        socket_mark=mark_of(desk.socket),
        refusals=app.refusals,
        stop=partial(loop.call_soon_threadsafe, server.stop),
        restore=end_and_restore,
    )
    _answer_everything(app, host, bell)
    if went_on := acts.go_on():
        log.info("went on with %d acts that a restart had interrupted", went_on)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stop)
    silence = engine.store.subscribe(bell.ring)
    try:
        async with asyncio.TaskGroup() as unasked:
            behind = copy_context()
            behind.run(in_background.set, app.give_way)
            for name, work in PERIODIC.items():
                unasked.create_task(
                    run_until_end(name, bell, partial(work, host, bell)), context=behind.copy()
                )
            if door is not None:
                unasked.create_task(outside.serve(sockets=[door.listener]))
            await server.serve(sockets=[listener])
            outside.stop()
    finally:
        silence()
        # The engine is closed next: no thread may be at work on it any more.
        await asyncio.to_thread(jobs.close)
        await asyncio.to_thread(app.close)
    return wanted[-1] if wanted else None


def _network_server(app: DeskApp, bell: CommitSignal, door: Door | None) -> DeskServer:
    """Return the server of the network, which stays idle where there is no door to it."""
    context = None if door is None else door.context
    return DeskServer(FromNetwork(app), bell, _silent, protocol=NetworkProtocol, context=context)


def _answer_everything(app: DeskApp, host: Host, bell: CommitSignal) -> None:
    answer_calls(app, host)
    answer_tools(app, host)
    answer_mcp(app, host)
    answer_exposition(app, partial(metrics, host))
    answer_feed(
        app,
        bell,
        read=lambda after: history.feed(host.engine, after),
        head=lambda: history.head(host.engine),
        moves=lambda: host.engine.store.working_moves,
        asks=lambda: host.confirmations.moves,
    )
    refuse_gaps(app)
