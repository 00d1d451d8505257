"""JOBS: every job there is, in one tuple. The clock, the command line and the history of runs follow from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import Run
from memdesk.model.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job. minutes: how often it is due by these settings, 0 for never. work: returns what it did, counted."""

    name: str
    says: str
    minutes: Callable[[Settings], int]
    work: Callable[[Run], dict[str, int]]


JOBS: tuple[Job, ...] = (
    Job(
        name="consolidate",
        says="Extract facts, entities and relations from new turns",
        minutes=lambda settings: settings.consolidate_minutes,
        work=consolidate,
    ),
)
BY_NAME: dict[str, Job] = {job.name: job for job in JOBS}
