"""Upkeep: the desk's state, metrics, settings, running jobs and notices, and the end of its service."""

from __future__ import annotations

import os
from dataclasses import replace

from memdesk.api import upkeep
from memdesk.engine.health.settings import change_settings, list_settings
from memdesk.engine.health.status import metrics, status
from memdesk.engine.jobs.checkup import findings
from memdesk.engine.jobs.schedule import job_named
from memdesk.model.status import (
    AnswerNotice,
    ChangeSettings,
    JobState,
    Metrics,
    Nothing,
    SettingsChanged,
    StandingNotices,
    Status,
    Stopping,
)
from memdesk.service.app import DeskApp, answer
from memdesk.service.background import start_job
from memdesk.service.exposition import answer_exposition
from memdesk.service.host import Host

CONSOLIDATE, CHECKUP = "consolidate", "checkup"


def register(app: DeskApp, host: Host) -> None:
    def state(_ask: Nothing, author: str) -> Status:
        """Return the desk's state; its last change is left out for agents, who may not read the audit
        timeline."""
        found = status(
            host.engine,
            socket=str(host.desk.socket),
            pid=os.getpid(),
            started_at=host.started_at,
            jobs=host.jobs.latest(),
        )
        return replace(found, last_change=None) if author.startswith("agent:") else found

    def measured() -> Metrics:
        return metrics(host.engine, errors=app.refusals)

    def set_anew(ask: ChangeSettings, author: str) -> SettingsChanged:
        done = change_settings(host.engine, ask, author=author)
        app.person = host.engine.person
        return done

    def extract(_ask: Nothing, author: str) -> JobState:
        return start_job(host, job_named(CONSOLIDATE), author=author)

    def check(_ask: Nothing, author: str) -> JobState:
        return start_job(host, job_named(CHECKUP), author=author)

    def stop(_ask: Nothing, _author: str) -> Stopping:
        host.stop()
        return Stopping(pid=os.getpid())

    def answer_notice(ask: AnswerNotice, _author: str) -> StandingNotices:
        host.engine.notices.answer(ask.id)
        return StandingNotices(rows=host.engine.notices.standing())

    answer(app, upkeep.STATUS, state)
    answer(app, upkeep.NOTICES, lambda _ask, _: StandingNotices(rows=host.engine.notices.standing()))
    answer(app, upkeep.ANSWER_NOTICE, answer_notice)
    answer(app, upkeep.METRICS, lambda _ask, _: measured())
    answer(app, upkeep.SETTINGS, lambda _ask, _: list_settings(host.engine))
    answer(app, upkeep.CHANGE_SETTINGS, set_anew)
    answer(app, upkeep.JOB, lambda ask, _: host.jobs.state(ask.id))
    answer(app, upkeep.CANCEL_JOB, lambda ask, _: host.jobs.cancel(ask.id))
    answer(app, upkeep.CONSOLIDATE, extract)
    answer(app, upkeep.CHECKUP, check)
    answer(app, upkeep.FINDINGS, lambda ask, _: findings(host.engine, ask))
    answer(app, upkeep.STOP, stop)
    answer_exposition(app, measured)
