"""Status of the desk and of the models in use, each of which can be checked, with its metrics and the ledger of the
models' tokens. No metric contains text of memory."""

from __future__ import annotations

import shlex
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from memdesk import __version__
from memdesk.engine.engine import Engine
from memdesk.engine.providers.embedder import Embedder
from memdesk.engine.providers.meter import EMBEDDER, LANGUAGE, RERANKER, Role, asking
from memdesk.engine.providers.models import LanguageModel, Reranker
from memdesk.engine.providers.server import Server
from memdesk.engine.recall_cache import percentile
from memdesk.engine.workspace import outside_edits
from memdesk.model import desk_keys
from memdesk.model.errors import BadAsk, MemDeskError
from memdesk.model.instant import DAY, SECOND, to_datetime
from memdesk.model.message import Message, joined, message
from memdesk.model.settings import MODEL_STAGES
from memdesk.model.status import (
    AgentRow,
    AskSpending,
    CacheUse,
    ConsolidationLag,
    DecayDay,
    JobState,
    JobUse,
    MemorySize,
    Metrics,
    ModelsState,
    ModelState,
    Spending,
    Status,
    WaitingAct,
    WriteUse,
)
from memdesk.store import binding, bookkeeping, browsing, events, semantic, working
from memdesk.store.connection import Connection

NO_VECTORS = message("This Python's SQLite cannot load sqlite-vec: recall answers by words alone.")


def status(
    engine: Engine,
    *,
    socket: str,
    pid: int,
    started_at: datetime,
    jobs: tuple[JobState, ...],
    asking: tuple[WaitingAct, ...] = (),
) -> Status:
    """Return the present status of the desk. The caller supplies the service's part: socket, pid, start, jobs and acts
    that wait for a click."""
    with engine.store.reading() as db:
        counts: dict[str, Any] = browsing.counts(db)
        newest = events.latest_change(db)
        return Status(
            version=__version__,
            desk=str(engine.desk.folder),
            socket=socket,
            pid=pid,
            started_at=started_at,
            person=engine.person,
            sqlite=binding.version,
            vectors=engine.store.vectors,
            embedder=", ".join(
                model.name for model in (engine.embedder, engine.facts_model) if model is not None
            ),
            notices=tuple(_notices(engine)),
            **counts,
            unconsolidated=semantic.count_unconsolidated(db),
            channels=browsing.channel_rows(db),
            agents=_agents(db),
            jobs=jobs,
            asking=asking,
            last_change=newest,
            standing=engine.notices.standing(),
            encrypted=desk_keys.key_for(engine.desk.folder) is not None,
            replica=engine.store.replica_state(),
        )


def _notices(engine: Engine) -> Iterator[Message]:
    if not engine.store.vectors:
        yield NO_VECTORS
    if engine.store.missing_wall and engine.agents.register.all():
        yield engine.store.missing_wall
    if (replica := engine.store.replica_state()) is not None and not replica.ok:
        yield joined(replica.says, replica.next)
    yield from (each.says for each in engine.notices.standing())
    if (failing := engine.store.traffic.failing) is not None:
        since = to_datetime(failing.since).astimezone()
        yield message(
            "The disk refuses writes since {since}: {reason}. Free some space or check the folder's permissions.",
            since=f"{since:%Y-%m-%d %H:%M}",
            reason=failing.why,
        )
    for place in (engine.desk.folder, engine.desk.database):
        if place.exists() and place.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield message(
                "Others may write to {path}, and with it to your memory. Close it with `chmod go-w {quoted}`.",
                path=place,
                quoted=shlex.quote(str(place)),
            )
    for workspace in outside_edits.missing(engine):
        yield message(
            "The folder {what} is away: its files stay in recall as last seen, and are looked through when it is back.",
            what=workspace.path,
        )


def _agents(db: Connection) -> tuple[AgentRow, ...]:
    rows = []
    for name in browsing.agents(db):
        last = events.latest_by(db, f"agent:{name}")
        rows.append(
            AgentRow(
                name=name, doing="" if last is None else last.op, last_seen=None if last is None else last.at
            )
        )
    return tuple(rows)


DECAY_DAYS = 30
LAGS = 500
"""Newest conversations whose lag is measured."""


def metrics(engine: Engine, *, errors: Mapping[str, int]) -> Metrics:
    """Return every metric as of now. errors: how many times the caller answered with each error."""
    with engine.store.reading() as db:
        memory = _memory(engine, db)
        consolidation, decay = _consolidation(engine, db), _decay(engine, db)
        jobs, by_operation = _jobs(db), bookkeeping.events_by_operation(db)
    known = engine.recall_metrics.snapshot()
    return Metrics(
        at=to_datetime(engine.clock()),
        memory=memory,
        consolidation=consolidation,
        decay=decay,
        jobs=jobs,
        recall=known.techniques,
        caches={name: _cache(*each) for name, each in known.caches.items()},
        writes=_writes(engine),
        events=by_operation,
        errors=dict(errors),
    )


def _memory(engine: Engine, db: Connection) -> MemorySize:
    held, database = working.size(db), engine.desk.database
    return MemorySize(
        records=bookkeeping.records_by_kind(db),
        database_bytes=db.size or _bytes(database),
        wal_bytes=_bytes(database.with_name(database.name + "-wal")),
        working_keys=held.keys,
        working_bytes=held.bytes,
        working_expired=held.expired,
        working_evicted=held.evicted,
    )


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _cache(hits: int, misses: int) -> CacheUse:
    asked = hits + misses
    return CacheUse(hits=hits, misses=misses, rate=hits / asked if asked else None)


def _consolidation(engine: Engine, db: Connection) -> ConsolidationLag:
    lags = [lag / SECOND for lag in bookkeeping.consolidation_lags(db, LAGS)]
    oldest = bookkeeping.oldest_unread(db)
    return ConsolidationLag(
        measured=len(lags),
        p50_s=percentile(lags, 50),
        p95_s=percentile(lags, 95),
        p99_s=percentile(lags, 99),
        waiting=semantic.count_unconsolidated(db),
        oldest_waiting_s=0.0 if oldest is None else max(0.0, (engine.clock() - oldest) / SECOND),
    )


def _decay(engine: Engine, db: Connection) -> tuple[DecayDay, ...]:
    """Return the results of the decay job of the last thirty days, per day on which it ran, oldest first."""
    by_day: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for finished, result in bookkeeping.results_since(db, "decay", engine.clock() - DECAY_DAYS * DAY):
        by_day[finished // DAY].update({name: n for name, n in result.items() if isinstance(n, int)})
    return tuple(
        DecayDay(
            day=to_datetime(day * DAY).date(),
            faded_entities=counts["faded_entities"],
            faded_facts=counts["faded_facts"],
            retired=counts["retired"],
        )
        for day, counts in sorted(by_day.items())
    )


def _jobs(db: Connection) -> dict[str, JobUse]:
    by_job: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for job, state, runs in bookkeeping.runs_by_state(db):
        by_job[job][state] = runs
    last = bookkeeping.last_runs(db)
    return {job: _job(runs, last.get(job)) for job, runs in sorted(by_job.items())}


def _job(runs: dict[str, int], last: tuple[int, int] | None) -> JobUse:
    if last is None:
        return JobUse(runs=runs, last_finished=None, last_s=None)
    started, finished = last
    return JobUse(runs=runs, last_finished=to_datetime(finished), last_s=(finished - started) / SECOND)


def _writes(engine: Engine) -> WriteUse:
    traffic = engine.store.traffic
    return WriteUse(
        groups=traffic.groups,
        pieces=traffic.pieces,
        per_group=traffic.pieces / traffic.groups if traffic.groups else 0.0,
        refused=dict(traffic.refused),
    )


DAYS_AT_MOST = 3660
NONE_SET = message("None is set.")


def models(engine: Engine) -> ModelsState:
    """List the models in use, and those of single stages, without calling any."""
    return ModelsState(rows=tuple(each.state(engine, each.how()) for each in _in_use(engine)))


def check_models(engine: Engine) -> ModelsState:
    """List the same after one small question to each, even to one that is skipped after failures."""
    rows = []
    for each in _in_use(engine):
        if each.server is not None:
            each.server.breaker.succeeded()
        with asking("check"):
            says, failed = _tried(each.ask)
            rows.append(replace(each.state(engine, says), failed=failed))
    return ModelsState(rows=tuple(rows))


def ledger(engine: Engine, ask: AskSpending) -> Spending:
    """Return the cost of the models in the last days. Raises BadAsk for a number of days out of range."""
    if not 1 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(message("days lies between 1 and {count}.", count=f"{DAYS_AT_MOST:,}"))
    since = to_datetime(engine.clock()).astimezone().date() - timedelta(days=ask.days - 1)
    with engine.store.reading() as db:
        return Spending(rows=bookkeeping.ledger(db, since.isoformat()))


@dataclass(frozen=True, slots=True)
class _InUse:
    """Model in a role. name: "" where none is set. server: None without a network. ask: puts one small question to it
    and describes the answer. stage: of the language model's work, where that stage has a model of its own."""

    role: Role
    name: str
    server: Server | None
    ask: Callable[[], Message]
    stage: str = ""

    def how(self) -> Message:
        """Describe the model's state without a question to it."""
        if not self.name:
            return NONE_SET
        if self.server is None:
            return message("Here, without a network.")
        if self.server.breaker.rests_for():
            return message("Is left alone since it {reason}.", reason=self.server.breaker.reason)
        return (
            message("Last time it {reason}.", reason=self.server.breaker.reason)
            if self.server.breaker.reason
            else message("Ready.")
        )

    def state(self, engine: Engine, says: Message) -> ModelState:
        server = self.server
        return ModelState(
            role=self.role.name,
            stage=self.stage,
            model=self.name,
            url="" if server is None else server.url,
            key="" if server is None else server.key.source,
            says=says,
            rests_for_s=0.0 if server is None else server.breaker.rests_for(),
            spent_today=engine.models.meter.spent_today(self.role.budget),
            day_tokens=getattr(engine.settings, self.role.budget),
        )


def _in_use(engine: Engine) -> Iterator[_InUse]:
    """Yield the model of each role, the language model's followed by those of its stages."""
    held = engine.models
    yield _language(engine.language, held.server_of(LANGUAGE))
    for stage in MODEL_STAGES:
        own = engine.language_for(stage)
        if own is not None and own is not engine.language:
            yield _language(own, held.server_of(LANGUAGE, own.name), stage)
    yield _InUse(EMBEDDER, held.embedder.name, held.server_of(EMBEDDER), partial(_embed, held.embedder))
    yield _InUse(
        RERANKER,
        "" if held.reranker is None else held.reranker.name,
        held.server_of(RERANKER),
        partial(_judge, held.reranker),
    )


def _language(model: LanguageModel | None, server: Server | None, stage: str = "") -> _InUse:
    return _InUse(LANGUAGE, "" if model is None else model.name, server, partial(_complete, model), stage)


def _complete(model: LanguageModel | None) -> Message:
    if model is None:
        return NONE_SET
    answer = model.complete(
        system="Answer with one word.", prompt="Say hello.", max_tokens=200, temperature=0.0
    )
    return message("Answered with {count} characters.", count=len(answer.text))


def _embed(model: Embedder) -> Message:
    return message("Answered with {count} dimensions.", count=model.embed(["hello"])[0].size)


def _judge(model: Reranker | None) -> Message:
    if model is None:
        return NONE_SET
    return message("Judged {count} texts.", count=len(model.scores("a greeting", ("hello", "seven"))))


def _tried(ask: Callable[[], Message]) -> tuple[Message, bool]:
    """Return the description of the answer, and True if there was none."""
    try:
        return ask(), False
    except MemDeskError as wrong:
        return joined(wrong.says, wrong.next), True
