"""Calls that start, list and stop jobs, or wait for one."""

from __future__ import annotations

from dataclasses import asdict, replace

from memdesk.engine import undo
from memdesk.engine.backups import make_by_hand
from memdesk.engine.health.settings import change_settings
from memdesk.engine.jobs import consolidate as consolidation
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.schedule import BY_NAME, job_named
from memdesk.engine.memory import duplicates
from memdesk.engine.memory.decisions import newest_question, settle
from memdesk.engine.verify import verify
from memdesk.model.curation import Redo, UndoRun
from memdesk.model.job import (
    JobPaused,
    JobsList,
    JobsSwitched,
    NamedJob,
    Redone,
    Reprocess,
    RunJob,
    SwitchJobs,
)
from memdesk.model.kind import new_id
from memdesk.model.review import AskDuplicates, Proposed
from memdesk.model.status import AskJob, ChangeSettings, JobState
from memdesk.model.turn import CONVERSATION
from memdesk.service.background import earliest_job, start_job
from memdesk.service.host import Host
from memdesk.store import records

BACKUP, CHECKUP, CONSOLIDATE, VERIFY = "backup", "checkup", "consolidate", "verify"


def list_jobs(host: Host) -> JobsList:
    """Return every job with its schedule, its state and its last run."""
    return schedule.jobs(host.engine, earliest=earliest_job(host), states=host.jobs.states())


def run_job(host: Host, ask: RunJob, *, author: str) -> JobState:
    """Start a job now, or return its run that is under way."""
    return start_job(host, job_named(ask.name), author=author, dry=ask.dry)


def consolidate(host: Host, *, author: str) -> JobState:
    """Start the extraction of facts from new turns."""
    return start_job(host, job_named(CONSOLIDATE), author=author)


def reprocess(host: Host, ask: Reprocess, *, author: str) -> JobState:
    """Start the extraction of facts from one conversation, after a run under way. Raises NotFound."""
    with host.engine.store.reading() as db:
        records.need(db, CONVERSATION, ask.conversation_id)
    job = replace(job_named(CONSOLIDATE), work=lambda run: consolidation.reprocess(run, ask.conversation_id))
    return host.jobs.start(
        CONSOLIDATE, lambda progress: schedule.perform(host.engine, job, author=author, progress=progress)
    )


def checkup(host: Host, *, author: str) -> JobState:
    """Start the check of all facts."""
    return start_job(host, job_named(CHECKUP), author=author)


def pause_job(host: Host, ask: NamedJob, *, author: str) -> JobPaused:
    """Keep a job from being started by the clock."""
    return schedule.pause(host.engine, ask.name, author=author)


def resume_job(host: Host, ask: NamedJob, *, author: str) -> JobPaused:
    """Let the clock start a job again."""
    return schedule.resume(host.engine, ask.name, author=author)


def switch_jobs(host: Host, ask: SwitchJobs, *, author: str) -> JobsSwitched:
    """Change the setting first, then cancel the jobs, so that the clock starts no new job in the meantime."""
    moved = change_settings(host.engine, ChangeSettings(values={"jobs_enabled": ask.on}), author=author)
    stopped = () if ask.on else host.jobs.cancel_all(BY_NAME)
    return JobsSwitched(enabled=ask.on, stopped=stopped, change=moved.change)


def job_state(host: Host, ask: AskJob) -> JobState:
    """Return the state of a job. Raises NotFound."""
    return host.jobs.state(ask.id)


def cancel_job(host: Host, ask: AskJob) -> JobState:
    """Ask a job to stop at its next step and return its state. Raises NotFound."""
    return host.jobs.cancel(ask.id)


def make_backup(host: Host) -> JobState:
    """Start a backup."""
    return host.jobs.start(BACKUP, lambda progress: make_by_hand(host.engine, progress))


def verify_desk(host: Host) -> JobState:
    """Start the examination of the complete desk, or return the one under way."""
    return host.jobs.start_once(VERIFY, lambda progress: asdict(verify(host.engine, progress)))


def redo(host: Host, ask: Redo, *, author: str) -> Redone:
    """Redo the author's latest undone change. Of a run it starts the job that redoes all of it. Raises Conflict as
    `undo` does, NotFound if there is nothing to redo."""
    found = undo.latest_undo(host.engine, author)
    if isinstance(found, UndoRun):
        job = host.acts.start(found, author=author, run=new_id("run", host.engine.clock()))
        return Redone(undid=found.change, job=job)
    done = undo.undo(host.engine, found, author=author)
    return Redone(undid=done.undid, change=done.change, title=done.title)


def propose_duplicates(host: Host, ask: AskDuplicates, *, author: str) -> Proposed:
    """Put possible duplicates into the review queue, and apply the standing decisions to them."""
    asked = newest_question(host.engine)
    found = duplicates.propose_duplicates(host.engine, ask, author=author)
    settle(host.engine, asked)
    return found
