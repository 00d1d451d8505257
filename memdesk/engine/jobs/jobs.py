"""JOBS: all jobs, in one tuple. The schedule, the command line and the history of runs are derived from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.jobs.audit_partitions import drop_old_segments
from memdesk.engine.jobs.backup import back_up
from memdesk.engine.jobs.cleanup import cleanup
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.decay import decay
from memdesk.engine.jobs.embedding import embedding
from memdesk.engine.jobs.patterns import patterns
from memdesk.engine.jobs.promote import promote
from memdesk.engine.jobs.run import Run
from memdesk.model.errors import NotFound
from memdesk.model.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Job of the service. minutes: interval under these settings, 0 for never. work: returns counts of its
    results.

    by_change: it follows every change of memory, and no schedule starts it."""

    name: str
    says: str
    work: Callable[[Run], dict[str, int]]
    minutes: Callable[[Settings], int] = lambda _: 0
    by_change: bool = False


JOBS: tuple[Job, ...] = (
    Job(
        name="consolidate",
        says="Extract facts, entities and relations from new turns",
        minutes=lambda settings: settings.consolidate_minutes,
        work=consolidate,
    ),
    Job(
        name="patterns",
        says="Learn strategies from conversations that succeeded with tools",
        minutes=lambda settings: settings.patterns_minutes,
        work=patterns,
    ),
    Job(
        name="promote",
        says="Propose project facts that proved themselves for _global",
        minutes=lambda settings: settings.promote_minutes,
        work=promote,
    ),
    Job(
        name="backup",
        says="Back up the desk, test the copy, and let old copies go",
        minutes=lambda settings: settings.backup_minutes,
        work=back_up,
    ),
    Job(
        name="decay",
        says="Count what fades, and retire entities that are faded and unused",
        minutes=lambda settings: settings.decay_minutes,
        work=decay,
    ),
    Job(
        name="cleanup",
        says="Archive old conversations, delete what was retired long ago",
        minutes=lambda settings: settings.cleanup_minutes,
        work=cleanup,
    ),
    Job(
        name="audit_partitions",
        says="Drop whole days of the audit log that are past their time",
        minutes=lambda settings: settings.audit_partitions_minutes,
        work=drop_old_segments,
    ),
    Job(name="embedding", says="Compute the vectors of texts that have none", by_change=True, work=embedding),
)
"""All jobs; if several are due at once they run in this order, one after the other."""
BY_NAME: dict[str, Job] = {job.name: job for job in JOBS}


def job_named(name: str) -> Job:
    """Return the job of this name. Raises NotFound."""
    if name not in BY_NAME:
        raise NotFound(f"There is no job “{name}”.", next=f"The jobs are {', '.join(BY_NAME)}.")
    return BY_NAME[name]
