"""jobs: list the jobs, run one now or dry, show their history; and follow any job to its end, on one line."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from memdesk.api import jobs, upkeep
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain, tallied
from memdesk.client.client import Client
from memdesk.model.errors import BY_CODE, BadAsk, BugError, Cancelled, MemDeskError
from memdesk.model.job import AskRuns, JobRow, JobRun, JobsList, NamedJob, RunJob, SwitchJobs
from memdesk.model.status import AskJob, JobState, Nothing

LOOK_SECONDS = 0.1
PLANNED_SHOWN = 30
"""Changes of a dry run that are printed; `--json` has all that the service listed."""
_MINUTES = ((1440, "day"), (60, "hour"), (1, "minute"))


async def follow(client: Client, job: JobState, out: Output) -> JobState:
    """Wait until a job ends; Ctrl-C cancels it. Raises the error the job failed with, or Cancelled."""
    try:
        while job.open:
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
        raise _failure(job)
    if job.state == "cancelled":
        raise Cancelled(job.says)
    return job


def _failure(job: JobState) -> MemDeskError:
    """Return the error a job failed with, with its next step separated from the message."""
    kind = BY_CODE.get(str(job.result.get("code")), BugError)
    next = str(job.result.get("next") or "")
    return kind(job.says.removesuffix(next).rstrip(), next=next)


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=tuple(ACTIONS), default="list", help="what to do (default: list)"
    )
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="which job, such as decay")
    parser.add_argument("--dry", action="store_true", help="run: change nothing, list what would change")
    parser.add_argument("--limit", type=int, default=20, help="history: rows at most (default: 20)")
    parser.add_argument("--first", type=int, default=0, help="history: rows to skip")


def manage(context: Context) -> int:
    """List the jobs, run one now or dry, pause or resume one, stop or start them all, or show the history of
    runs."""
    action = context.args.action
    if action in ("run", "pause", "resume") and not context.args.name:
        raise BadAsk(f"{action} takes the name of a job.", next="`memdesk jobs` lists them.")
    return ACTIONS[action](context)


def _list(context: Context) -> int:
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
    ask = RunJob(name=context.args.name, dry=context.args.dry)
    job = context.talk(lambda client: _carried_out(client, ask, context.out))
    context.out.answer(job, _run_lines(job))
    return 0


async def _carried_out(client: Client, ask: RunJob, out: Output) -> JobState:
    return await follow(client, await client.call(jobs.RUN, ask), out)


def _run_lines(job: JobState) -> Iterator[str]:
    counts = {name.replace("_", " "): n for name, n in job.result.items() if name != "changes"}
    yield f"{job.name}: {plain(job.says)}"
    yield f"  counted {tallied(counts)}"
    planned: list[dict[str, Any]] = job.result.get("planned", [])
    for change in planned[:PLANNED_SHOWN]:
        yield f"  {change['op']}  {plain(change['title'])}  ({plain(change['channel'])})"
    if len(planned) > PLANNED_SHOWN:
        yield f"  … and {job.result['changes'] - PLANNED_SHOWN:,} more"


def _pause(context: Context) -> int:
    done = context.call(jobs.PAUSE, NamedJob(name=context.args.name))
    context.out.answer(
        done, [f"{done.name} starts by itself no more; `memdesk jobs resume {done.name}` ends that."]
    )
    return 0


def _resume(context: Context) -> int:
    done = context.call(jobs.RESUME, NamedJob(name=context.args.name))
    context.out.answer(done, [f"{done.name} starts by itself again."])
    return 0


def _stop(context: Context) -> int:
    done = context.call(jobs.SWITCH, SwitchJobs(on=False))
    lines = [f"{job.name} was under way and stops; what it finished stays." for job in done.stopped]
    context.out.answer(done, [*lines, "No job starts by itself any more; `memdesk jobs start` ends that."])
    return 0


def _start(context: Context) -> int:
    done = context.call(jobs.SWITCH, SwitchJobs(on=True))
    context.out.answer(done, ["Jobs start by themselves again."])
    return 0


def _history(context: Context) -> int:
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


def _line(job: JobState) -> str:
    of = f" of {job.total:,}" if job.total else ""
    return f"{job.name}: {job.done:,}{of}  {plain(job.says)}"


ACTIONS: dict[str, Callable[[Context], int]] = {
    "list": _list,
    "run": _run,
    "pause": _pause,
    "resume": _resume,
    "stop": _stop,
    "start": _start,
    "history": _history,
}
COMMANDS = (
    Command(
        name="jobs", says="list the jobs, run one, pause one, see their history", run=manage, declare=_declare
    ),
)
