"""The window's only connection to the service: tasks, calls, the change feed, and the state shared by all views
(filters, status, person)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from PySide6.QtCore import QObject, Signal

from memdesk.api import upkeep
from memdesk.api.endpoint import Endpoint
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.gui.language import marked, tr
from memdesk.gui.terms import error_in_language, in_language, role_refusal
from memdesk.gui.widgets.badges import Who
from memdesk.gui.widgets.layout import delayed
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.errors import BugError, MemDeskError, NotAllowed, Refused, ServiceAway
from memdesk.model.history import FeedEvent, WorkingMoved
from memdesk.model.message import verbatim
from memdesk.model.status import AskJob, JobState, Nothing, Status
from memdesk.model.team import AGENT, OWNER

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")
Failed = Callable[[MemDeskError], None]
"""Callback that receives a task's failure, which has a sentence for the person."""

BATCH_MS = 50
"""Changes that arrive within this time are reported together."""
STATUS_AFTER_MS = 300
STATUS_EVERY_MS = 5000
STATUS_WHILE_JOBS_MS = 1000
JOB_LOOK_S = 0.08
"""Interval for polling the progress of a job that a person waits for."""
AWAY = marked("The service is away; nothing can be changed.")
RETRY_FIRST_S = 0.25
RETRY_AT_MOST_S = 5.0

log = logging.getLogger(__name__)


class ServiceConnection(QObject):
    """Connection of one window to one desk's service. Create it while the event loop runs.

    Attributes: status (None until the first answer), channels and agents (the filters of the top bar; empty
    means all), is_away (True if the service does not answer, and the views are read-only). revive: starts the service
    if none runs. desk: the client's; where another computer has it, the status names its folder on this one, with
    the window's notes."""

    changed = Signal(object)
    """A tuple of FeedEvent: the changes of the last 50 ms."""
    worked = Signal()
    """Working memory changed: an agent wrote or used an entry, or an entry expired. Sent at once, one by one."""
    status_changed = Signal(object)
    filters_changed = Signal()
    away = Signal(object)
    """The service stopped answering; carries the time of its last answer, None if there was none."""
    able = Signal()
    """`why_not` may be another: the service is away or back, or has said this member's role."""
    back = Signal()
    """The service answers again; the views may be out of date."""
    unserved = Signal(object)
    """No service can be started on this desk; carries the MemDeskError with the reason."""
    failed = Signal(object)
    """A MemDeskError that no view shows itself."""

    def __init__(
        self,
        client: Client,
        *,
        revive: Callable[[], Awaitable[object]] | None = None,
        desk: Desk | None = None,
    ) -> None:
        super().__init__()
        self._client, self._revive = client, revive
        self._folder = None if desk is None or desk.service is None else str(desk.folder)
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._batch: list[FeedEvent] = []
        self._cursor: int | None = None
        self._asks = 0
        self._reconnect_now, self._placed, self._known = (asyncio.Event() for _ in range(3))
        self._heard: datetime | None = None
        self._flush = delayed(lambda: self.spawn(self._report()), self)
        self._look_again = delayed(self.refresh_status, self)
        self.status: Status | None = None
        self.channels: tuple[str, ...] = ()
        self.agents: tuple[str, ...] = ()
        self.is_away, self._is_closed = False, False

    @property
    def is_remote(self) -> bool:
        """Return True if another computer has the desk."""
        return self._folder is not None

    @property
    def role(self) -> str:
        """This member's role; an owner's until the first status."""
        return self.status.role if self.status else OWNER

    @property
    def why_not(self) -> str:
        """Reason why nothing can be changed now, the service is away or this member only reads; empty if it can."""
        return tr(AWAY) if self.is_away else role_refusal(self.role, AGENT)

    def why_not_call(self, endpoint: Endpoint[Any, Any]) -> str:
        """Reason why this member may not make a call, by the role it is declared for; empty if it may."""
        return role_refusal(self.role, endpoint.role)

    def start(self) -> None:
        """Begin to follow the feed and to keep the status current."""
        self.refresh_status()
        self.spawn(self._listen())

    async def close(self) -> None:
        """Cancel all running tasks and close the connection. No task starts after that."""
        self._is_closed = True
        self._flush.stop()
        self._look_again.stop()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.close()

    # Work.

    def spawn(
        self, work: Coroutine[Any, Any, None], failed: Failed | None = None
    ) -> asyncio.Task[None] | None:
        """Start a task; views start work in no other way. A failure is shown as a sentence, and logged if it
        is a bug of ours.

        failed: receives the failure instead of the window's notice, for a view that shows it itself. Returns
        None, and starts nothing, once the session is closed."""
        if self._is_closed:
            work.close()
            return None
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, failed))
        return task

    def _ended(self, task: asyncio.Task[None], failed: Failed | None) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        if not isinstance(error, MemDeskError):
            log.error("a task of the window failed", exc_info=error)
            says = tr("Something went wrong in this window; your memory was not changed by it.")
            error = BugError(verbatim(says))
        if failed is not None:
            failed(error)
        elif not isinstance(error, ServiceAway):
            # That the service is away is said once, by the strip under the top bar.
            self.failed.emit(error)

    async def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask the service, once the place in its feed is known, and whose memory this member may use. The answer is in
        the window's language. Raises the error tree of memdesk.model.errors."""
        await self._placed.wait()
        if self.is_remote and endpoint is not upkeep.STATUS:
            await self._known.wait()
        try:
            answer = await self._client.call(
                endpoint, of_own_user(ask, self.status.users if self.status else ())
            )
        except MemDeskError as wrong:
            if isinstance(wrong, ServiceAway):
                self._lost()
            raise error_in_language(wrong) from wrong.__cause__
        self._hear()
        return in_language(answer)

    async def call_if_allowed(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer | None:
        """Ask as `call` does; return None where this member's role may not."""
        try:
            return await self.call(endpoint, ask)
        except NotAllowed as refused:
            if "role" in refused.details:
                return None
            raise

    async def finish(self, job: JobState, report: Callable[[JobState], object] = lambda _: None) -> JobState:
        """Wait until a job has ended, and return it. report: called with the job at each poll. Raises Refused
        with the job's message if it failed."""
        while job.open:
            report(job)
            await asyncio.sleep(JOB_LOOK_S)
            job = await self.call(upkeep.JOB, AskJob(id=job.id))
        report(job)
        if job.state == "failed":
            raise Refused(job.says)
        return job

    # What the window shares.

    @property
    def person(self) -> str:
        """The person's name in the author of their changes; empty until the first status."""
        return self.status.person if self.status else ""

    def filter_channels(self, channels: tuple[str, ...]) -> None:
        """Show these channels only; an empty tuple means all."""
        if channels != self.channels:
            self.channels = channels
            self.filters_changed.emit()

    def filter_agents(self, agents: tuple[str, ...]) -> None:
        """Show these agents only; an empty tuple means all."""
        if agents != self.agents:
            self.agents = agents
            self.filters_changed.emit()

    def channel_number(self, name: str) -> int:
        """Return the number that selects a channel's colour: 0 for _global; for an unknown channel one past
        the last, with a hollow mark."""
        rows = self.status.channels if self.status else ()
        unknown = 0 if name == GLOBAL else len(rows) + 6
        return next((row.number for row in rows if row.name == name), unknown)

    def mark(self, author: str) -> tuple[str, int, Who]:
        """Return the mark of an author such as "agent:Iris": name, shape number and type of author."""
        kind, _, name = author.partition(":")
        if kind == "person":
            return name, 0, "person"
        if kind == "job":
            return name, 0, "job"
        agents = [row.name for row in self.status.agents] if self.status else []
        return name, agents.index(name) if name in agents else len(agents), "agent"

    # Status.

    def refresh_status(self) -> None:
        """Request the status of the desk now."""
        self.spawn(self._read_status())

    async def _read_status(self) -> None:
        before = self.status
        try:
            found = await self.call(upkeep.STATUS, Nothing())
            self.status = found if self._folder is None else replace(found, desk=self._folder)
            if self.role != (before.role if before else OWNER):
                self.able.emit()
            if before is not None and before.started_at != self.status.started_at:
                # Another service answers, perhaps on a desk that was restored: what is shown may be old.
                self.back.emit()
        finally:
            self._known.set()
            running = self.status is not None and any(job.state == "running" for job in self.status.jobs)
            if not self._is_closed:
                self._look_again.start(STATUS_WHILE_JOBS_MS if running else STATUS_EVERY_MS)
        self.status_changed.emit(self.status)

    # The feed.

    def reconnect(self) -> None:
        """Retry now instead of after the pause, and start the service if it has ended."""
        self.spawn(self._reconnect())

    async def _reconnect(self) -> None:
        await self._seek()
        self._reconnect_now.set()

    async def _seek(self) -> None:
        """Find the service or start it."""
        try:
            if self._revive is not None:
                await self._revive()
        except MemDeskError as wrong:
            self._lost()
            self.unserved.emit(error_in_language(wrong))

    async def _listen(self) -> None:
        """Follow the feed for as long as the window is open, resuming after a lost connection.

        Calls wait until the place in it is known, or cannot be: what a view reads before may change in between, and the
        feed would not say so."""
        pause = RETRY_FIRST_S
        try:
            await self._seek()
            while True:
                try:
                    async for event in self._client.follow(self._cursor):
                        pause = RETRY_FIRST_S
                        self._follow(event)
                except ServiceAway:
                    self._lost()
                    self._placed.set()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._reconnect_now.wait(), pause)
                self._reconnect_now.clear()
                pause = min(RETRY_AT_MOST_S, pause * 2)
        finally:
            self._placed.set()

    def _follow(self, event: FeedEvent | WorkingMoved) -> None:
        self._hear()
        if isinstance(event, FeedEvent):
            self._cursor = event.id
            self._batch.append(event)
            if not self._flush.isActive():
                self._flush.start(BATCH_MS)
            return
        # A desk that was restored may end before what was heard of it.
        self._cursor = event.after if event.after is not None else self._cursor
        self._placed.set()
        self.worked.emit()
        if event.asks != self._asks:
            self._asks = event.asks
            self.refresh_status()

    async def _report(self) -> None:
        """Report the changes that were heard, of a new channel after its number, which decides its colour, is known."""
        if any("channel" in event.kinds for event in self._batch):
            # A status that cannot be read holds no change back.
            with suppress(MemDeskError):
                await self._read_status()
        events, self._batch = tuple(self._batch), []
        self._look_again.start(STATUS_AFTER_MS)
        self.changed.emit(events)

    def _hear(self) -> None:
        self._heard = datetime.now(UTC)
        if self.is_away:
            self.is_away = False
            self.able.emit()
            self.back.emit()

    def _lost(self) -> None:
        if not self.is_away:
            self.is_away = True
            self.able.emit()
            self.away.emit(self._heard)


def of_own_user(ask: Ask, users: Sequence[str]) -> Ask:
    """Return a request about the first user of a member of several, where it names none or the desk's own."""
    named = getattr(ask, "user_id", "")
    if len(users) < 2 or named in users or named not in (None, LOCAL_USER):
        return ask
    return cast(Ask, replace(cast(Any, ask), user_id=LOCAL_USER if LOCAL_USER in users else users[0]))
