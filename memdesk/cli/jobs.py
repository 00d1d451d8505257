"""Following a job of the service to its end, with its progress on one line."""

from __future__ import annotations

import asyncio

from memdesk.cli.output import Output, plain
from memdesk.client.client import Client
from memdesk.contract import upkeep
from memdesk.model.errors import BY_CODE, BugError, Cancelled
from memdesk.model.status import AskJob, JobState

LOOK_SECONDS = 0.1
OPEN = ("waiting", "running")


async def follow(client: Client, job: JobState, out: Output) -> JobState:
    """Wait until a job ends; Ctrl-C cancels it. Raises what it failed of, or Cancelled."""
    try:
        while job.state in OPEN:
            out.progress(_line(job))
            await asyncio.sleep(LOOK_SECONDS)
            job = await client.call(upkeep.JOB, AskJob(id=job.id))
    except asyncio.CancelledError:
        await client.call(upkeep.CANCEL_JOB, AskJob(id=job.id))
        out.progress("")
        out.note("Cancelled; what was finished stays.")
        raise
    out.progress("")
    if job.state == "failed":
        raise BY_CODE.get(str(job.result.get("code")), BugError)(job.says)
    if job.state == "cancelled":
        raise Cancelled(job.says)
    return job


def _line(job: JobState) -> str:
    of = f" of {job.total:,}" if job.total else ""
    return f"{job.name}: {job.done:,}{of}  {plain(job.says)}"
