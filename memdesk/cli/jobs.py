"""jobs: list the jobs, run one now or dry, show their history; and follow any job to its end, on one line."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

from memdesk.api import jobs, upkeep
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain, tallied
from memdesk.model.errors import BY_CODE, BugError, Cancelled, MemDeskError
from memdesk.model.job import AskRuns, JobRow, JobRun, JobsList, RunJob, SwitchJobs
from memdesk.model.message import as_message, verbatim
from memdesk.model.status import AskJob, JobState, Nothing

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


PLANNED_SHOWN = 30
"""Changes of a dry run that are printed; `--json` has all that the service listed."""
_MINUTES = ((1440, "day"), (60, "hour"), (1, "minute"))


def _declare_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="which job, such as decay")
    parser.add_argument("--dry", action="store_true", help="change nothing, list what would change")


def _declare_history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="only of this job")
    parser.add_argument("--limit", type=int, default=20, help="rows at most (default: 20)")
    parser.add_argument("--first", type=int, default=0, help="rows to skip")


def _list(context: Context) -> int:
    """List the jobs with their schedules and their last runs."""
    found = context.call(jobs.LIST, Nothing())
    context.out.answer(found, _list_lines(context.out, found))
    return 0


def _list_lines(out: Output, found: JobsList) -> Iterator[str]:
    rows = [
        (
            row.name,
            _every(row),
            _state(row),
            local(row.last.started_at) if row.last else "",
            local(row.next_due),
            row.says,
        )
        for row in found.rows
    ]
    yield from out.table(("JOB", "EVERY", "STATE", "LAST RUN", "NEXT", "WHAT IT DOES"), rows)
    if not found.enabled:
        yield "No job starts by itself; `memdesk jobs start` ends that."


def _every(row: JobRow) -> str:
    if row.by_change:
        return "change"
    size, unit = next((each for each in _MINUTES if row.every_minutes % each[0] == 0), _MINUTES[-1])
    many = row.every_minutes // size
    return "never" if not many else unit if many == 1 else f"{many} {unit}s"


def _state(row: JobRow) -> str:
    if row.running is not None:
        return row.running.state
    return "paused" if row.paused else "" if row.last is None else row.last.state


def _run(context: Context) -> int:
    """Run a job now and wait for its end."""
    ask = RunJob(name=context.args.name, dry=context.args.dry)
    job = followed(context, context.call(jobs.RUN, ask))
    context.out.answer(job, _run_lines(job))
    return 0


def _run_lines(job: JobState) -> Iterator[str]:
    counts = {name.replace("_", " "): n for name, n in job.result.items() if name != "changes"}
    yield f"{job.name}: {plain(job.says)}"
    yield f"  counted {tallied(counts)}"
    planned: list[dict[str, Any]] = job.result.get("planned", [])
    for change in planned[:PLANNED_SHOWN]:
        yield f"  {change['op']}  {plain(change['title'])}  ({plain(change['channel'])})"
    if len(planned) > PLANNED_SHOWN:
        yield f"  … and {job.result['changes'] - PLANNED_SHOWN:,} more"


def _stop(context: Context) -> int:
    """Cancel the jobs that run and start none until `jobs start`."""
    done = context.call(jobs.SWITCH, SwitchJobs(on=False))
    lines = [f"{job.name} was under way and stops; what it finished stays." for job in done.stopped]
    context.out.answer(done, [*lines, "No job starts by itself any more; `memdesk jobs start` ends that."])
    return 0


def _start(context: Context) -> int:
    """Let jobs start by themselves again."""
    done = context.call(jobs.SWITCH, SwitchJobs(on=True))
    context.out.answer(done, ["Jobs start by themselves again."])
    return 0


def _history(context: Context) -> int:
    """List runs of jobs, newest first."""
    args = context.args
    page = context.call(jobs.HISTORY, AskRuns(name=args.name, first=args.first, limit=args.limit))
    head = ("JOB", "STARTED", "BY", "STATE", "CHANGES", "HOW IT WENT")
    rows = [
        (run.job, local(run.started_at), run.author, _ended(run), _changes(run), run.says)
        for run in page.rows
    ]
    context.out.answer(page, context.out.table(head, rows) if rows else [])
    if not context.out.json:
        how = " `memdesk undo CHANGE --run` takes one back." if any(run.changes for run in page.rows) else ""
        context.out.note(f"{page.first + len(rows):,} of {counted(page.total, 'run')} shown.{how}")
    return 0


def _ended(run: JobRun) -> str:
    return f"{run.state}, dry" if run.dry else run.state


def _changes(run: JobRun) -> str:
    """Return the change numbers that `memdesk undo NUMBER --run` accepts to undo the run."""
    if run.first_change is None:
        return ""
    numbers = str(run.first_change) if run.changes == 1 else f"{run.first_change} to {run.last_change}"
    return f"{numbers} (undone)" if run.undone == run.changes else numbers


COMMANDS = (
    Command(name="jobs list", run=_list),
    Command(name="jobs run", run=_run, declare=_declare_run),
    Command(name="jobs stop", run=_stop),
    Command(name="jobs start", run=_start),
    Command(name="jobs history", run=_history, declare=_declare_history),
)
