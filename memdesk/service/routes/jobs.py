"""Jobs: their schedule, runs now or dry, pauses, and the history of their runs."""

from __future__ import annotations

from memdesk.api import jobs
from memdesk.engine.health.settings import change_settings
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.schedule import BY_NAME, job_named
from memdesk.model.job import JobsList, JobsSwitched, RunJob, SwitchJobs
from memdesk.model.status import ChangeSettings, JobState, Nothing
from memdesk.service.app import DeskApp, answer
from memdesk.service.background import earliest_job, start_job
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine

    def every(_ask: Nothing, _author: str) -> JobsList:
        return schedule.jobs(engine, earliest=earliest_job(host), states=host.jobs.states())

    def run(ask: RunJob, author: str) -> JobState:
        return start_job(host, job_named(ask.name), author=author, dry=ask.dry)

    def switch(ask: SwitchJobs, author: str) -> JobsSwitched:
        """Change the setting first, then cancel the jobs, so that the clock starts no new job in the
        meantime."""
        moved = change_settings(engine, ChangeSettings(values={"jobs_enabled": ask.on}), author=author)
        stopped = () if ask.on else host.jobs.cancel_all(BY_NAME)
        return JobsSwitched(enabled=ask.on, stopped=stopped, change=moved.change)

    answer(app, jobs.LIST, every)
    answer(app, jobs.RUN, run)
    answer(app, jobs.PAUSE, lambda ask, author: schedule.pause(engine, ask.name, author=author))
    answer(app, jobs.RESUME, lambda ask, author: schedule.resume(engine, ask.name, author=author))
    answer(app, jobs.SWITCH, switch)
    answer(app, jobs.HISTORY, lambda ask, _: schedule.runs(engine, ask))
