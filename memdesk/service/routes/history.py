"""History: the audit timeline and the audit log. Its feed is in service/feed.py."""

from __future__ import annotations

from dataclasses import asdict

from memdesk.api import history as calls
from memdesk.engine.browsing import history
from memdesk.engine.health import audit
from memdesk.engine.verify import verify
from memdesk.model.status import JobState
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host

VERIFY = "verify"


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine

    def walk_the_chain() -> JobState:
        return host.jobs.start_once(VERIFY, lambda progress: asdict(verify(engine, progress)))

    answer(app, calls.PAGE, lambda ask, _: history.page(engine, ask))
    answer(app, calls.HISTOGRAM, lambda ask, _: history.histogram(engine, ask))
    answer(app, calls.EVENT, lambda ask, _: history.event(engine, ask))
    answer(app, calls.USERS, lambda _ask, _: history.users(engine))
    answer(app, calls.AUDIT, lambda ask, _: audit.page(engine, ask))
    answer(app, calls.SEGMENTS, lambda _ask, _: audit.segment_list(engine))
    answer(app, calls.VERIFY, lambda _ask, _: walk_the_chain())
