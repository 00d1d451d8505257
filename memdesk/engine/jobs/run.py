"""One run of a job: the door its changes go through, what it may spend, and the floor it may not pass."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.protection import protected
from memdesk.engine.progress import Progress, silent
from memdesk.model.change import Change, Edit
from memdesk.model.errors import BugError
from memdesk.model.ids import new_id
from memdesk.model.job import Planned
from memdesk.store.connection import Connection

T = TypeVar("T")
PLANNED_AT_MOST = 500
"""Changes that a dry run lists; it goes on counting past them."""
_HARMS = frozenset(("retired_at", "superseded_by", "claim", "archived_at"))
"""Fields by which a job could take a memory away from the one who keeps it."""


class BudgetSpent(Exception):
    """A run used up its time or its tokens. What it finished stays, and the next run goes on."""


@dataclass(slots=True, kw_only=True)
class Run:
    """Where a job's work happens. `id` stands on every change of the run, which makes the run one undo.

    dry: nothing is written; `planned` lists what would be. deadline: seconds of `time.monotonic`. tokens: what is left
    to spend on a model. changes: how many changes were made, or would be. counts: what the job has done so far, which
    is kept also where the run is stopped.
    """

    engine: Engine
    job: str
    id: str
    progress: Progress = silent
    dry: bool = False
    deadline: float = float("inf")
    tokens: int = 0
    changes: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    planned: list[Planned] = field(default_factory=list)
    _at: tuple[int, int, str] = (0, 0, "Running.")

    @property
    def author(self) -> str:
        return f"job:{self.job}"

    def step(self, done: int, total: int, says: str) -> None:
        """Tell how far the run is. Raises Cancelled when it was stopped, BudgetSpent when its time is over."""
        self._at = (done, total, says)
        self.heed()
        if time.monotonic() >= self.deadline:
            raise BudgetSpent(f"Stopped after its time; {says.lower()} goes on at the next run.")

    def heed(self) -> None:
        """Raise Cancelled when the run was stopped: for whoever waits in the middle of a step."""
        self.progress(*self._at)

    def spend(self, tokens: int) -> None:
        """Count what a model was asked. Raises BudgetSpent before the next question once the budget is used up."""
        self.tokens -= tokens
        if self.tokens <= 0:
            raise BudgetSpent("Stopped before spending more tokens of the model than its budget.")

    def decide(self, verb: Callable[[Connection], tuple[Change | None, T]]) -> T:
        """Like Store.decide, for a verb that makes its change under this run's author and id; a dry run only notes it.

        Raises BugError when the change would take away what a person pinned or wrote.
        """

        def judged(db: Connection) -> tuple[Change | None, T]:
            change, answer = verb(db)
            if change is not None:
                _refuse_harm(db, change)
            return change, answer

        if self.dry:
            with self.engine.store.reading() as db:
                change, answer = judged(db)
            self._note(change)
            return answer
        applied, answer = self.engine.store.decide(judged)
        self.changes += applied is not None and not applied.repeated
        return answer

    def _note(self, change: Change | None) -> None:
        if change is None:
            return
        self.changes += 1
        if len(self.planned) < PLANNED_AT_MOST:
            self.planned.append(
                Planned(
                    op=change.op, title=change.title, channel=change.channel, edits=len(change.edits),
                    records=tuple(dict.fromkeys(edit.id for edit in change.edits))[:20],
                )
            )  # fmt: skip


def begin(
    engine: Engine,
    job: str,
    *,
    progress: Progress = silent,
    dry: bool = False,
    timed: bool = True,
    id: str = "",
) -> Run:
    """A run of a job with the budget of the settings; `timed` off for one that a person waits for whole.

    id: the run that its changes belong to, where that is a larger one.
    """
    deadline = time.monotonic() + engine.settings.job_seconds if timed else float("inf")
    return Run(
        engine=engine, job=job, id=id or new_id("run", engine.clock()), progress=progress, dry=dry, deadline=deadline,
        tokens=engine.settings.job_tokens,
    )  # fmt: skip


def _refuse_harm(db: Connection, change: Change) -> None:
    harmed = [edit.id for edit in change.edits if _harms(edit)]
    if kept := protected(db, harmed):
        raise BugError(f"A job would have taken away {min(kept)}, which a person pinned or wrote.")


def _harms(edit: Edit) -> bool:
    if edit.before is None:
        return False
    return edit.after is None or any(edit.after.get(name) is not None for name in _HARMS & edit.after.keys())
