"""Long acts: written down before they are acknowledged, and gone on with after a restart.

An act lies as one small file beside the database; once it has ended the file tells how, for who asks after a restart.
It is beside and not inside, so that an erasure leaves no name in the database, and a restored backup begins nothing
anew.
"""

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
"""An act that was under way so often when the service died is not begun again: it may be what ends it."""
ENDED_KEPT = 20
log = logging.getLogger(__name__)
Ask = TypeVar("Ask")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A long act that was asked for. ask: as JSON. run: names its changes. tries: how often it was begun."""

    id: str
    name: str
    kind: str
    ask: dict[str, Any]
    author: str
    run: str
    tries: int = 1

    @property
    def again(self) -> bool:
        """True where an earlier life of the service began it."""
        return self.tries > 1


Work = Callable[[Any, Act, Progress], dict[str, Any]]


class Acts:
    """Starts long acts, and goes on with those that a restart interrupted."""

    def __init__(self, folder: Path, jobs: Jobs) -> None:
        self._folder, self._jobs = folder, jobs
        self._known: dict[str, tuple[str, type[Any], Work]] = {}

    def learn(self, kind: type[Ask], name: str, work: Callable[[Ask, Act, Progress], dict[str, Any]]) -> None:
        """Say how asks of this kind are carried out. name: of its job; jobs of one name go one after the other."""
        self._known[kind.__name__] = (name, kind, work)

    def start(self, ask: Any, *, author: str, run: str = "") -> JobState:
        """Write an act down, then queue it. Raises StorageFailed where it cannot be written: then it is not begun."""
        name, kind, _ = self._known[type(ask).__name__]
        act = Act(
            id=f"j_{ULID()}", name=name, kind=kind.__name__, ask=adapter(kind).dump_python(ask, mode="json"),
            author=author, run=run,
        )  # fmt: skip
        return self._begin(act, ask)

    def go_on(self) -> int:
        """Begin again what was under way when the service ended. Returns how many acts that were."""
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
        """Keep how an act ended in place of what was asked; of those before, the newest stay."""
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
