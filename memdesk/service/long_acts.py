"""Long acts: recorded before they are acknowledged, and continued after a restart.

Each act is one small file outside the database. When it ends, the file is replaced by one with its
result, for requests after a restart. It is outside, so that an erasure leaves no name in the database and
a restored backup does not start an act again."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from ulid import ULID

from memdesk.api.endpoint import adapter
from memdesk.engine.progress import Interrupted, Progress
from memdesk.files.atomic import sync_folder
from memdesk.files.encryption import read_sealed, write_sealed
from memdesk.model.errors import BugError, Cancelled, MemDeskError, NotFound, StorageFailed
from memdesk.model.message import as_message, joined, message, verbatim
from memdesk.model.status import JobState
from memdesk.store.run_context import in_background

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
    """Runner of jobs, with a worker thread for each name, which keeps their states. give_way: waits for calls."""

    def __init__(self, give_way: Callable[..., None] | None = None) -> None:
        self._give_way = give_way
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
        author: str = "",
        ended: Callable[[JobState], None] = lambda _: None,
    ) -> JobState:
        """Queue a job behind others of its name and return its state.

        beginning: entries of its result from the start, also if it is cancelled or fails. id: the id of a
        continued job. author: who requested it. ended: called with the final state, but not where the end of the
        service interrupts the job."""
        job = _Job(
            JobState(
                id=id or f"j_{ULID()}",
                name=name,
                state="waiting",
                says=message("Waiting to start."),
                dry=dry,
                result=beginning or {},
                author=author,
            ),
            ended,
        )
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
            cancelled = {"state": "cancelled", "says": message("Cancelled before it started.")}
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
        in_background.set(self._give_way)
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
            bug = BugError(message("MemDesk failed at the job {state}; this is a bug.", state=job.state.name))
            self._end(job, self._failure(job, bug))

    def _outcome(self, job: _Job, work: Work) -> dict[str, Any]:
        result = work(lambda done, total, says: self._step(job, done, total, says))
        return {
            "state": "done",
            "says": as_message(result.pop("says", DONE)),
            "result": job.state.result | result,
        }

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
        says = joined(wrong.says, wrong.next)
        details = {"code": wrong.code, "next": wrong.next}
        return {"state": "failed", "says": says, "result": job.state.result | details}

    def _step(self, job: _Job, done: int, total: int, says: str) -> None:
        if self._ending:
            raise Interrupted(message("Stopped because the service ends; what was finished stays."))
        if job.cancelled.is_set():
            raise Cancelled(message("Cancelled; what was finished stays."))
        self._note(job, done=done, total=total, says=says)

    def _note(self, job: _Job, **moved: Any) -> None:
        with self._lock:
            job.state = replace(job.state, **moved)

    def _job(self, job_id: str) -> _Job:
        with self._lock:
            found = self._jobs.get(job_id)
        if found is None:
            raise no_such_job()
        return found

    def _forget_oldest(self) -> None:
        for job_id in tuple(self._ended())[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[job_id]

    def _ended(self) -> Iterator[str]:
        return (job_id for job_id, job in self._jobs.items() if not job.state.open)


def no_such_job() -> NotFound:
    """Return the error of a job that is not known, or none of the caller's."""
    return NotFound(
        message("There is no such job; jobs are remembered until the service ends."),
        next=message("`memdesk status` lists them."),
    )


TRIES_AT_MOST = 3
"""Number of starts after which an act is not started again: it may be the reason that the service died."""
ENDED_KEPT = 20
Ask = TypeVar("Ask")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Long act that was requested. ask: the request as JSON. run: the run of its changes. tries: the number
    of starts. member: the hash of the token whose bounds hold for it, "" for none. reached: what the work noted
    for a later start of it."""

    id: str
    name: str
    kind: str
    ask: dict[str, Any]
    author: str
    run: str
    tries: int = 1
    member: str = ""
    reached: dict[str, Any] = field(default_factory=dict)

    @property
    def again(self) -> bool:
        """True if an earlier process of the service began it."""
        return self.tries > 1


ActWork = Callable[[Any, Act, Progress], dict[str, Any]]


class Acts:
    """Starter of long acts, which also continues those that a restart interrupted."""

    def __init__(self, folder: Path, jobs: Jobs) -> None:
        self._folder, self._jobs = folder, jobs
        self._known: dict[str, tuple[str, type[Any], ActWork]] = {}

    def learn(self, kind: type[Ask], name: str, work: Callable[[Ask, Act, Progress], dict[str, Any]]) -> None:
        """Register the work for requests of a kind. name: the name of its jobs; jobs of one name run one
        after the other."""
        self._known[kind.__name__] = (name, kind, work)

    def start(self, ask: Any, *, author: str, member: str = "", run: str = "") -> JobState:
        """Record an act, then queue it. Raises StorageFailed where it cannot be recorded; it is then not
        started."""
        name, kind, _ = self._known[type(ask).__name__]
        act = Act(
            id=f"j_{ULID()}",
            name=name,
            kind=kind.__name__,
            ask=adapter(kind).dump_python(ask, mode="json"),
            author=author,
            run=run,
            member=member,
        )
        return self._begin(act, ask)

    def note(self, act: Act, reached: dict[str, Any]) -> None:
        """Record how far an act is, for a later start of it. Raises StorageFailed."""
        self._write(replace(act, reached=reached))

    def go_on(self) -> int:
        """Start the acts again that were running when the service ended; return their number."""
        for state in self._ended():
            self._jobs.remember(state)
        found = [self._read(file) for file in sorted(self._folder.glob("j_*.json"))]
        return sum(self._begin_again(act) for act in found if act is not None)

    def _begin(self, act: Act, ask: Any) -> JobState:
        work = self._known[act.kind][2]
        self._write(act)
        return self._jobs.start(
            act.name,
            lambda progress: work(ask, act, progress),
            beginning={"run": act.run} if act.run else None,
            id=act.id,
            author=act.author,
            ended=self._end,
        )

    def _begin_again(self, act: Act) -> bool:
        if act.tries >= TRIES_AT_MOST:
            log.error("the job %s was begun %d times and never ended; it is given up", act.name, act.tries)
            says = message(
                "It was begun {tries} times, and the service ended each time; it was given up.",
                tries=act.tries,
            )
            state = JobState(
                id=act.id,
                name=act.name,
                state="failed",
                says=says,
                result={"run": act.run},
                author=act.author,
            )
            self._end(state)
            self._jobs.remember(state)
            return False
        try:
            ask = adapter(self._known[act.kind][1]).validate_python(act.ask)
            self._begin(replace(act, tries=act.tries + 1), ask)
        except (KeyError, ValidationError, StorageFailed) as wrong:
            says = wrong.says if isinstance(wrong, MemDeskError) else verbatim(type(wrong).__name__)
            log.error("the job %s could not go on: %s", act.name, says)
            return False
        return True

    def _read(self, file: Path) -> Act | None:
        try:
            return Act(**json.loads(read_sealed(file)))
        except (OSError, ValueError, TypeError, StorageFailed) as wrong:
            log.error("%s cannot be read, so what it asked for is not gone on with: %s", file.name, wrong)
            return None

    def _write(self, act: Act) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StorageFailed(
                message(
                    "{folder} could not be made: {strerror}.", folder=self._folder, strerror=error.strerror
                )
            ) from error
        write_sealed(self._file(act.id), json.dumps(asdict(act), ensure_ascii=False).encode())

    def _end(self, state: JobState) -> None:
        """Replace an act's record by its result, and delete all but the newest results."""
        write_sealed(
            self._folder / f"ended-{state.id}.json", adapter(JobState).dump_json(state, context=True)
        )
        self._file(state.id).unlink(missing_ok=True)
        for file in sorted(self._folder.glob("ended-*.json"))[:-ENDED_KEPT]:
            file.unlink(missing_ok=True)
        sync_folder(self._folder)

    def _ended(self) -> Iterator[JobState]:
        for file in sorted(self._folder.glob("ended-*.json")):
            try:
                yield adapter(JobState).validate_json(read_sealed(file))
            except (OSError, ValueError, StorageFailed) as wrong:
                log.warning("%s cannot be read: %s", file.name, wrong)

    def _file(self, id: str) -> Path:
        return self._folder / f"{id}.json"
