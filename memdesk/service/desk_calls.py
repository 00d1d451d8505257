"""Calls about the desk and its service: state, metrics, notices, backups, files, jobs, and the end of the service."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from memdesk.api.tools.toolsets import toolset
from memdesk.engine import backups, undo
from memdesk.engine.backups import make_by_hand
from memdesk.engine.health import status as health
from memdesk.engine.health.settings import change_settings
from memdesk.engine.interop import checking, intake
from memdesk.engine.jobs import consolidate as consolidation
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.schedule import BY_NAME, job_named
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.memory import duplicates
from memdesk.engine.memory.decisions import newest_question, settle
from memdesk.engine.progress import Progress
from memdesk.engine.verify import verify
from memdesk.engine.workspace import bootstrap as prompts
from memdesk.engine.workspace import folders, outside_edits, placing
from memdesk.files import passphrase
from memdesk.model.agent import AnswerAct, AskConfirmation, Confirmed, NewPassphrase, PassphraseSet
from memdesk.model.backup import BackupList, RestoreBackup, Restoring
from memdesk.model.checkup import CheckReport
from memdesk.model.curation import Redo, UndoRun
from memdesk.model.interop import AskImport
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
from memdesk.model.message import message
from memdesk.model.review import AskDuplicates, Proposed
from memdesk.model.status import (
    AnswerNotice,
    AskJob,
    ChangeSettings,
    JobState,
    Metrics,
    Nothing,
    StandingNotices,
    Status,
    Stopping,
)
from memdesk.model.turn import CONVERSATION
from memdesk.model.workspace import CreateFile, Placed, RenameFile, RetireFile
from memdesk.model.workspace_files import AskFolder, AskPrompt, Folder, PromptText
from memdesk.service.background import earliest_job, start_job
from memdesk.service.host import Host
from memdesk.service.long_acts import no_such_job
from memdesk.store import records


def status(host: Host, *, author: str) -> Status:
    """Return the desk's state; its last change is left out for agents, who may not read the audit timeline."""
    found = health.status(
        host.engine,
        socket=str(host.desk.socket),
        pid=os.getpid(),
        started_at=host.started_at,
        jobs=host.jobs.latest(),
        asking=host.confirmations.waiting(),
    )
    if author.startswith("agent:"):
        return replace(found, last_change=None, asking=())
    return found


def metrics(host: Host) -> Metrics:
    """Return the desk in numbers."""
    return health.metrics(host.engine, errors=host.refusals)


def notices(host: Host) -> StandingNotices:
    """Return the notices that wait for a person's answer."""
    return StandingNotices(rows=host.engine.notices.standing())


def answer_notice(host: Host, ask: AnswerNotice) -> StandingNotices:
    """Remove a notice and return those that still wait."""
    host.engine.notices.answer(ask.id)
    return notices(host)


def stop(host: Host) -> Stopping:
    """Ask the service to end."""
    host.stop()
    return Stopping(pid=os.getpid())


def set_owner_passphrase(host: Host, ask: NewPassphrase) -> PassphraseSet:
    """Set or remove the owner's passphrase. Raises StorageFailed."""
    passphrase.set_passphrase(host.desk.owner_passphrase, ask.passphrase)
    return PassphraseSet(is_set=passphrase.is_set(host.desk.owner_passphrase))


def confirm_act(_host: Host, ask: AskConfirmation) -> Confirmed:
    """Return that an act was confirmed: the call is answered only then."""
    return Confirmed(what=ask.what)


def answer_act(host: Host, ask: AnswerAct) -> Nothing:
    """Allow or refuse an act that waits for a click. Raises NotFound."""
    host.confirmations.answer(ask.id, allow=ask.allow)
    return Nothing()


def list_backups(host: Host) -> BackupList:
    """Return the desk's backups."""
    return backups.listing(host.desk)


def restore_backup(host: Host, ask: RestoreBackup) -> Restoring:
    """End the service and start it again with the backup: the database can be replaced only while no call uses it."""
    backup = backups.find_backup(host.desk, ask)
    host.restore(RestoreBackup(name=backup.name))
    return Restoring(
        name=backup.name,
        says=message(
            "The service restores {backup} and begins again; backups.list says how that ended.",
            backup=backup.name,
        ),
    )


FILES = "files"


def folder(host: Host, ask: AskFolder) -> Folder:
    """Return a workspace, with whether changes in it are noticed at once."""
    return folders.folder(host.engine, ask, watched=host.watched)


def look_through(host: Host, ask: AskFolder) -> JobState:
    """Start a comparison of a workspace with its folder. Raises NotFound."""
    path = Path(folders.in_use(host.engine, ask.workspace_id).path)
    return host.jobs.start(
        FILES, lambda progress: outside_edits.compare_folders(host.engine, [path], progress)
    )


def create(host: Host, ask: CreateFile, *, author: str) -> Placed:
    """Put a new file into a workspace."""
    return placing.create(host.engine, ask.workspace_id, ask.path, ask.text, author=author)


def retire(host: Host, ask: RetireFile, *, author: str) -> Placed:
    """Remove a file and keep its versions."""
    return placing.retire(host.engine, ask.document_id, author=author)


def rename(host: Host, ask: RenameFile, *, author: str) -> Placed:
    """Give a file another path."""
    return placing.rename(host.engine, ask.document_id, ask.path, author=author)


def bootstrap(host: Host, ask: AskPrompt, *, author: str) -> PromptText:
    """Return the prompt that a session begins with. Its text on the use of memory belongs to a set of tools."""
    return prompts.bootstrap(host.engine, ask, author=author, usage=toolset("agnx").directive)


def check_source(host: Host, ask: AskImport) -> CheckReport:
    """Check a source without importing it: the desk of this service is not part of it."""
    return checking.check_path(ask, clock=host.engine.clock)


def import_files(host: Host, ask: AskImport, *, author: str, progress: Progress, run: str) -> dict[str, Any]:
    """Import as a run, so that a cancelled or failed import can be undone, then compare the new facts with the others.
    Returns its counts and its last change."""
    counts = intake.bring_in(host.engine, ask, author=author, progress=progress, run=run)
    if counts.get("facts") and schedule.is_scheduled(host.engine, CHECKUP):
        start_job(host, job_named(CHECKUP), author=author)
    return {**counts, "change": intake.newest_change(host.engine, run)}


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


def job_state(host: Host, ask: AskJob, *, member: KeptToken | None) -> JobState:
    """Return the state of a job. Raises NotFound, for a member also if the job is another's."""
    state = host.jobs.state(ask.id)
    if member is not None and state.author != member.author:
        raise no_such_job()
    return state


def cancel_job(host: Host, ask: AskJob, *, member: KeptToken | None) -> JobState:
    """Ask a job to stop at its next step and return its state. Raises NotFound as `job_state` does."""
    return host.jobs.cancel(job_state(host, ask, member=member).id)


def make_backup(host: Host) -> JobState:
    """Start a backup."""
    return host.jobs.start(BACKUP, lambda progress: make_by_hand(host.engine, progress))


def verify_desk(host: Host) -> JobState:
    """Start the examination of the complete desk, or return the one under way."""
    return host.jobs.start_once(VERIFY, lambda progress: asdict(verify(host.engine, progress)))


def redo(host: Host, ask: Redo, *, author: str, member: KeptToken | None) -> Redone:
    """Redo the author's latest undone change. Of a run it starts the job that redoes all of it. Raises Conflict as
    `undo` does, NotFound if there is nothing to redo."""
    found = undo.latest_undo(host.engine, author)
    if isinstance(found, UndoRun):
        run = new_id("run", host.engine.clock())
        job = host.acts.start(found, author=author, member="" if member is None else member.hash, run=run)
        return Redone(undid=found.change, job=job)
    done = undo.undo(host.engine, found, author=author)
    return Redone(undid=done.undid, change=done.change, title=done.title)


def propose_duplicates(host: Host, ask: AskDuplicates, *, author: str) -> Proposed:
    """Put possible duplicates into the review queue, and apply the standing decisions to them."""
    asked = newest_question(host.engine)
    found = duplicates.propose_duplicates(host.engine, ask, author=author)
    settle(host.engine, asked)
    return found
