"""Status of the desk: its contents and working parts, in one answer."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Iterator
from datetime import datetime

from memdesk import __version__
from memdesk.engine.engine import Engine
from memdesk.engine.workspace import outside
from memdesk.model.instant import to_datetime
from memdesk.model.status import AgentRow, ChannelRow, JobState, Status
from memdesk.store import binding, browsing, semantic, timeline
from memdesk.store.connection import Connection

NO_VECTORS = "This Python's SQLite cannot load sqlite-vec: recall answers by words alone."
FAILING = "The disk refuses writes since {}: {}. Free some space or check the folder's permissions."
OPEN_TO_OTHERS = "Others may write to {}, and with it to your memory. Close it with `chmod go-w {}`."
AWAY = "The folder {} is away: its files stay in recall as last seen, and are looked through when it is back."


def status(
    engine: Engine, *, socket: str, pid: int, started_at: datetime, jobs: tuple[JobState, ...]
) -> Status:
    """Return the present status of the desk. The caller supplies the service's part: socket, pid, start and
    jobs."""
    with engine.store.reading() as db:
        counts = browsing.counts(db)
        newest = timeline.latest_change(db)
        return Status(
            version=__version__, desk=str(engine.desk.folder), socket=socket, pid=pid, started_at=started_at,
            person=engine.person, sqlite=binding.version, vectors=engine.store.vectors,
            embedder=engine.embedder.name, notices=tuple(_notices(engine)), **counts,
            unconsolidated=semantic.count_unconsolidated(db),
            channels=tuple(
                ChannelRow(name=name, number=number, facts=facts, entities=entities, turns=turns)
                for name, number, facts, entities, turns in browsing.channel_counts(db)
            ),
            agents=_agents(db), jobs=jobs, last_change=newest,
            standing=engine.notices.standing(),
        )  # fmt: skip


def _notices(engine: Engine) -> Iterator[str]:
    if not engine.store.vectors:
        yield NO_VECTORS
    yield from (each.says for each in engine.notices.standing())
    if (failing := engine.store.traffic.failing) is not None:
        since = to_datetime(failing.since).astimezone()
        yield FAILING.format(f"{since:%Y-%m-%d %H:%M}", failing.why)
    for place in (engine.desk.folder, engine.desk.database):
        if place.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield OPEN_TO_OTHERS.format(place, shlex.quote(str(place)))
    for workspace in outside.missing(engine):
        yield AWAY.format(workspace.path)


def _agents(db: Connection) -> tuple[AgentRow, ...]:
    rows = []
    for name in browsing.agents(db):
        last = timeline.latest_by(db, f"agent:{name}")
        rows.append(
            AgentRow(
                name=name, doing="" if last is None else last.op, last_seen=None if last is None else last.at
            )
        )
    return tuple(rows)
