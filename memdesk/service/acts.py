"""Long acts: recorded before they are acknowledged, and continued after a restart.

Each act is one small file outside the database. When it ends, the file is replaced by one with its result,
for requests after a restart. It is outside, so that an erasure leaves no name in the database and a restored
backup does not start an act again."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from ulid import ULID

from memdesk.contract.adapters import adapter
from memdesk.engine.progress import Progress
from memdesk.files.atomic import sync_folder, write_atomic
from memdesk.model.errors import MemDeskError, StorageFailed
from memdesk.model.status import JobState
from memdesk.service.jobs import Jobs

TRIES_AT_MOST = 3
"""Number of starts after which an act is not started again: it may be the reason that the service died."""
ENDED_KEPT = 20
log = logging.getLogger(__name__)
Ask = TypeVar("Ask")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Long act that was requested. ask: the request as JSON. run: the run of its changes. tries: the number
    of starts."""

    id: str
    name: str
    kind: str
    ask: dict[str, Any]
    author: str
    run: str
    tries: int = 1

    @property
    def again(self) -> bool:
        """True if an earlier process of the service began it."""
        return self.tries > 1


Work = Callable[[Any, Act, Progress], dict[str, Any]]


class Acts:
    """Starter of long acts, which also continues those that a restart interrupted."""

    def __init__(self, folder: Path, jobs: Jobs) -> None:
        self._folder, self._jobs = folder, jobs
        self._known: dict[str, tuple[str, type[Any], Work]] = {}

    def learn(self, kind: type[Ask], name: str, work: Callable[[Ask, Act, Progress], dict[str, Any]]) -> None:
        """Register the work for requests of a kind. name: the name of its jobs; jobs of one name run one
        after the other."""
        self._known[kind.__name__] = (name, kind, work)

    def start(self, ask: Any, *, author: str, run: str = "") -> JobState:
        """Record an act, then queue it. Raises StorageFailed where it cannot be recorded; it is then not
        started."""
        name, kind, _ = self._known[type(ask).__name__]
        act = Act(
            id=f"j_{ULID()}", name=name, kind=kind.__name__, ask=adapter(kind).dump_python(ask, mode="json"),
            author=author, run=run,
        )  # fmt: skip
        return self._begin(act, ask)

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
            ended=self._end,
        )

    def _begin_again(self, act: Act) -> bool:
        if act.tries >= TRIES_AT_MOST:
            log.error("the job %s was begun %d times and never ended; it is given up", act.name, act.tries)
            says = f"It was begun {act.tries} times, and the service ended each time; it was given up."
            state = JobState(id=act.id, name=act.name, state="failed", says=says, result={"run": act.run})
            self._end(state)
            self._jobs.remember(state)
            return False
        try:
            ask = adapter(self._known[act.kind][1]).validate_python(act.ask)
            self._begin(replace(act, tries=act.tries + 1), ask)
        except (KeyError, ValidationError, StorageFailed) as wrong:
            says = wrong.says if isinstance(wrong, MemDeskError) else type(wrong).__name__
            log.error("the job %s could not go on: %s", act.name, says)
            return False
        return True

    def _read(self, file: Path) -> Act | None:
        try:
            return Act(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as wrong:
            log.error("%s cannot be read, so what it asked for is not gone on with: %s", file.name, wrong)
            return None

    def _write(self, act: Act) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StorageFailed(f"{self._folder} could not be made: {error.strerror}.") from error
        write_atomic(self._file(act.id), json.dumps(asdict(act), ensure_ascii=False).encode())

    def _end(self, state: JobState) -> None:
        """Replace an act's record by its result, and delete all but the newest results."""
        write_atomic(self._folder / f"ended-{state.id}.json", adapter(JobState).dump_json(state))
        self._file(state.id).unlink(missing_ok=True)
        for file in sorted(self._folder.glob("ended-*.json"))[:-ENDED_KEPT]:
            file.unlink(missing_ok=True)
        sync_folder(self._folder)

    def _ended(self) -> Iterator[JobState]:
        for file in sorted(self._folder.glob("ended-*.json")):
            try:
                yield adapter(JobState).validate_json(file.read_bytes())
            except (OSError, ValueError) as wrong:
                log.warning("%s cannot be read: %s", file.name, wrong)

    def _file(self, id: str) -> Path:
        return self._folder / f"{id}.json"
