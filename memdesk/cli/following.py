"""Wait for a job of the service, with its progress on a terminal."""

from __future__ import annotations

import time

from memdesk.api import upkeep
from memdesk.cli.command import Context
from memdesk.cli.output import plain
from memdesk.model.errors import BY_CODE, BugError, Cancelled, MemDeskError
from memdesk.model.message import as_message, verbatim
from memdesk.model.status import AskJob, JobState

LOOK_SECONDS = 0.1


def followed(context: Context, job: JobState) -> JobState:
    """Wait until a job ends and return its last state; Ctrl-C cancels it. Raises the error the job failed with, or
    Cancelled."""
    out = context.out
    try:
        while job.open:
            out.progress(_line(job))
            time.sleep(LOOK_SECONDS)
            job = context.call(upkeep.JOB, AskJob(id=job.id))
    except KeyboardInterrupt:
        context.call(upkeep.CANCEL_JOB, AskJob(id=job.id))
        out.progress("")
        out.note("Cancelled; what was finished stays.")
        raise
    out.progress("")
    if job.state == "failed":
        raise _failure(job)
    if job.state == "cancelled":
        raise Cancelled(job.says)
    return job


def _failure(job: JobState) -> MemDeskError:
    """Return the error a job failed with, with its next step separated from the message."""
    kind = BY_CODE.get(str(job.result.get("code")), BugError)
    next = as_message(job.result.get("next") or "")
    return kind(verbatim(job.says.removesuffix(next).rstrip()), next=next)


def _line(job: JobState) -> str:
    of = f" of {job.total:,}" if job.total else ""
    return f"{job.name}: {job.done:,}{of}  {plain(job.says)}"
