"""Single run of a job: writes its changes, limits its time and tokens, and refuses changes to protected memory."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import protected
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.model.change import Change, Edit
from memdesk.model.errors import BugError
from memdesk.model.job import Planned
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message, uncapital
from memdesk.store.connection import Connection

T = TypeVar("T")
PLANNED_AT_MOST = 500
"""Most changes that a dry run lists; further ones are only counted."""
_HARMS = frozenset(("retired_at", "superseded_by", "claim", "archived_at"))
"""Fields by which a job could remove a memory from its owner."""


class BudgetSpent(Exception):
    """Raised when a run has used up its time or its tokens. Its finished work stays, and the next run continues."""

    def __init__(self, says: Message) -> None:
        super().__init__(says)
        self.says = says


@dataclass(slots=True, kw_only=True)
class Run:
    """Context of a job's work. `id` is recorded on every change of the run, so that one undo reverts them
    all.

    dry: nothing is written; `planned` lists the changes it would make. deadline: seconds of `time.monotonic`.
    tokens: left to spend on a model. changes: how many changes were made, or would be. counts: the job's
    results so far, which are kept even if the run is stopped."""

    engine: Engine
    job: str
    id: str
    progress: Progress = ignore_progress
    dry: bool = False
    deadline: float = float("inf")
    tokens: int = 0
    changes: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    planned: list[Planned] = field(default_factory=list)
    _at: tuple[int, int, Message] = (0, 0, message("Running."))

    @property
    def author(self) -> str:
        return f"job:{self.job}"

    def step(self, done: int, total: int, says: Message) -> None:
        """Report progress. Raises Cancelled if the run was stopped, BudgetSpent if its time is over."""
        self._at = (done, total, says)
        self.heed()
        if time.monotonic() >= self.deadline:
            raise BudgetSpent(
                message("Stopped after its time; {says} goes on at the next run.", says=uncapital(says))
            )

    def heed(self) -> None:
        """Raise Cancelled if the run was stopped: for code that waits in the middle of a step."""
        self.progress(*self._at)

    def spend(self, tokens: int) -> None:
        """Count tokens used by a model. Raises BudgetSpent before the next request if the budget is used up."""
        self.tokens -= tokens
        if self.tokens <= 0:
            raise BudgetSpent(message("Stopped before spending more tokens of the model than its budget."))

    def decide(self, verb: Callable[[Connection], tuple[Change | None, T]]) -> T:
        """Apply the change that `verb` returns, like Store.decide; a dry run only records it. Returns the
        verb's answer.

        Raises BugError if the change would retire or overwrite memory that a person pinned or wrote."""

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
                    op=change.op,
                    title=change.title,
                    channel=change.channel,
                    edits=len(change.edits),
                    records=tuple(dict.fromkeys(edit.id for edit in change.edits))[:20],
                )
            )


def begin(
    engine: Engine,
    job: str,
    *,
    progress: Progress = ignore_progress,
    dry: bool = False,
    timed: bool = True,
    id: str = "",
) -> Run:
    """Start a run of a job with the budget of the settings; `timed` is False for one that a person waits for.

    id: the larger run that its changes belong to, if any."""
    deadline = time.monotonic() + engine.settings.job_seconds if timed else float("inf")
    return Run(
        engine=engine,
        job=job,
        id=id or new_id("run", engine.clock()),
        progress=progress,
        dry=dry,
        deadline=deadline,
        tokens=engine.settings.job_tokens,
    )


def _refuse_harm(db: Connection, change: Change) -> None:
    harmed = [edit.id for edit in change.edits if _harms(edit)]
    if kept := protected(db, harmed):
        raise BugError(
            message("A job would have taken away {kept}, which a person pinned or wrote.", kept=min(kept))
        )


def _harms(edit: Edit) -> bool:
    if edit.before is None:
        return False
    return edit.after is None or any(edit.after.get(name) is not None for name in _HARMS & edit.after.keys())
