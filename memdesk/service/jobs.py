"""Jobs that outlive a request, such as imports and consolidation: one at a time of each name, with progress
and cancel."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from ulid import ULID

from memdesk.engine.progress import Interrupted, Progress
from memdesk.model.errors import BugError, Cancelled, MemDeskError, NotFound, StorageFailed
from memdesk.model.status import JobState

KEPT = 50
"""Number of jobs kept, ended ones included; a person looks at the last few."""
DONE = "Done."

Work = Callable[[Progress], dict[str, Any]]
"""Function that does a job's work. Its result may have the job's final sentence under `says`."""
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Job:
    state: JobState
    ended: Callable[[JobState], None]
    cancelled: threading.Event = field(default_factory=threading.Event)
    future: Future[None] | None = None


class Jobs:
    """Runner of jobs, with a worker thread for each name, which keeps their states."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._jobs: dict[str, _Job] = {}
        self._workers: dict[str, ThreadPoolExecutor] = {}
        self._ending = False

    def start(
        self,
        name: str,
        work: Work,
        *,
        dry: bool = False,
        beginning: dict[str, Any] | None = None,
        id: str = "",
        ended: Callable[[JobState], None] = lambda _: None,
    ) -> JobState:
        """Queue a job behind others of its name and return its state.

        beginning: entries of its result from the start, also if it is cancelled or fails. id: the id of a
        continued job. ended: called with the final state, but not where the end of the service interrupts the
        job."""
        job = _Job(
            JobState(
                id=id or f"j_{ULID()}", name=name, state="waiting", says="Waiting to start.", dry=dry,
                result=beginning or {},
            ),
            ended,
        )  # fmt: skip
        with self._lock:
            self._jobs[job.state.id] = job
            self._forget_oldest()
            worker = self._workers.get(name) or ThreadPoolExecutor(1, f"memdesk-{name}")
            self._workers[name] = worker
            job.future = worker.submit(self._run, job, work)
            return job.state

    def start_once(self, name: str, work: Work) -> JobState:
        """Return the job of that name that is waiting or running, except dry runs, else start a new one."""
        with self._lock:
            under_way = (each for each in self.states() if each.open and each.name == name and not each.dry)
            return next(under_way, None) or self.start(name, work)

    def states(self) -> tuple[JobState, ...]:
        """Return every job still kept, oldest first."""
        with self._lock:
            return tuple(job.state for job in self._jobs.values())

    def latest(self) -> tuple[JobState, ...]:
        """Return every open job, and the newest ended one of each name, oldest first."""
        states = self.states()
        newest = {state.name: state.id for state in states if not state.open}
        return tuple(state for state in states if state.open or newest[state.name] == state.id)

    def state(self, job_id: str) -> JobState:
        return self._job(job_id).state

    def wait(self, job_id: str) -> JobState:
        """Wait until a job has ended and return its state. It blocks the calling thread."""
        job = self._job(job_id)
        if job.future is not None:
            job.future.result()
        return job.state

    def cancel(self, job_id: str) -> JobState:
        """Ask a job to stop at its next step; finished work stays. An ended job is unchanged."""
        job = self._job(job_id)
        job.cancelled.set()
        if job.future is not None and job.future.cancel():
            cancelled = {"state": "cancelled", "says": "Cancelled before it started."}
            if self._ending:
                self._note(job, **cancelled)
            else:
                self._end(job, cancelled)
        return job.state

    def cancel_all(self, names: Container[str]) -> tuple[JobState, ...]:
        """Ask every job of these names to stop; return those that had not ended."""
        return tuple(self.cancel(each.id) for each in self.states() if each.open and each.name in names)

    def close(self) -> None:
        """Stop all jobs and wait for their threads to end."""
        self._ending = True
        for state in self.states():
            if state.open:
                self.cancel(state.id)
        for worker in tuple(self._workers.values()):
            worker.shutdown(wait=True)

    def _run(self, job: _Job, work: Work) -> None:
        """Run one job from start to end. The only place that catches every exception of a job."""
        self._note(job, state="running", says="Running.")
        try:
            self._end(job, self._outcome(job, work))
        except Interrupted as interrupted:
            self._note(job, state="cancelled", says=interrupted.says)
        except Cancelled as cancelled:
            self._end(job, {"state": "cancelled", "says": cancelled.says})
        except MemDeskError as wrong:
            self._end(job, self._failure(job, wrong))
        except Exception:  # noqa: BLE001 - the top of a job: logged with its traceback, told in a sentence
            bug = BugError(f"MemDesk failed at the job {job.state.name}; this is a bug.")
            self._end(job, self._failure(job, bug))

    def _outcome(self, job: _Job, work: Work) -> dict[str, Any]:
        result = work(lambda done, total, says: self._step(job, done, total, says))
        return {"state": "done", "says": str(result.pop("says", DONE)), "result": job.state.result | result}

    def _end(self, job: _Job, outcome: dict[str, Any]) -> None:
        """Record the final state of a job, after `ended` has made sure that it is not started again."""
        try:
            job.ended(replace(job.state, **outcome))
        except (OSError, StorageFailed):
            log.exception("the end of the job %s could not be written down", job.state.name)
        self._note(job, **outcome)

    def remember(self, state: JobState) -> None:
        """Add a job that ended in an earlier process of the service."""
        with self._lock:
            self._jobs.setdefault(state.id, _Job(state, lambda _: None))

    def _failure(self, job: _Job, wrong: MemDeskError) -> dict[str, Any]:
        """Return the final state of a failed job, with the error's code. Call it while the exception is being
        handled."""
        ours = isinstance(wrong, BugError)
        log.log(
            logging.ERROR if ours else logging.WARNING,
            "the job %s failed: %s",
            job.state.name,
            wrong.code,
            exc_info=ours,
        )
        says = f"{wrong.says} {wrong.next}".strip()
        told = {"code": wrong.code, "next": wrong.next}
        return {"state": "failed", "says": says, "result": job.state.result | told}

    def _step(self, job: _Job, done: int, total: int, says: str) -> None:
        if self._ending:
            raise Interrupted("Stopped because the service ends; what was finished stays.")
        if job.cancelled.is_set():
            raise Cancelled("Cancelled; what was finished stays.")
        self._note(job, done=done, total=total, says=says)

    def _note(self, job: _Job, **moved: Any) -> None:
        with self._lock:
            job.state = replace(job.state, **moved)

    def _job(self, job_id: str) -> _Job:
        with self._lock:
            found = self._jobs.get(job_id)
        if found is None:
            raise NotFound(
                "There is no such job; jobs are remembered until the service ends.",
                next="`memdesk status` lists them.",
            )
        return found

    def _forget_oldest(self) -> None:
        for job_id in tuple(self._ended())[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[job_id]

    def _ended(self) -> Iterator[str]:
        return (job_id for job_id, job in self._jobs.items() if not job.state.open)
