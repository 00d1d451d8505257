"""Strategies for a task: similar to it, best first (AgentX: success rate × similarity)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from memdesk.engine import salience
from memdesk.engine.engine import Engine, log_failure
from memdesk.engine.memory.rows import strategy_row
from memdesk.engine.recall.candidates import query_vector
from memdesk.engine.recall.evidence import rarity
from memdesk.engine.recall.query import terms
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk
from memdesk.model.message import Message, message
from memdesk.model.strategy import STRATEGY, FindStrategies, FoundStrategies, FoundStrategy, Strategy
from memdesk.store import procedures, recalls, records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal
from memdesk.store.procedures import UNTRIED, Tally
from memdesk.store.recalls import Recalled, RecallEvent, title_of
from memdesk.store.search import Scope, Sought

TASK_CHARACTERS = 10_000
TOP_AT_MOST = 100
CANDIDATES = 400
"""Most strategies compared with a task: the newest that contain each of its words, and the nearest in meaning."""
RATE_UNTRIED = 0.5
"""Success rate assumed for a strategy that has not been tried (AgentX)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedStrategy:
    """Strategy that fits a task, with its results so far."""

    strategy: Strategy
    tally: Tally
    similarity: float

    @property
    def score(self) -> float:
        return (RATE_UNTRIED if self.tally.rate is None else self.tally.rate) * self.similarity


def find_strategies(engine: Engine, ask: FindStrategies, *, author: str) -> FoundStrategies:
    """Return strategies for a task, best first. The answer is recorded and reinforced, as with any recall.

    Raises BadAsk for an empty or too long task, or a limit out of range."""
    started = time.perf_counter()
    _check(ask)
    with engine.store.reading() as db:
        channels = _channels(db, ask)
        scope = Scope(user_id=ask.user_id, channels=channels, kinds=(STRATEGY.name,))
        best, notices = rank_strategies(
            engine, db, ask.task_description, scope, limit=ask.limit, proven=ask.proven
        )
    took_s = time.perf_counter() - started
    _write_down(engine, ask, author, best, took_us=round(took_s * 1e6))
    return FoundStrategies(
        rows=tuple(
            FoundStrategy(
                strategy=strategy_row(each.strategy, each.tally), similarity=each.similarity, score=each.score
            )
            for each in best
        ),
        channels=channels,
        took_ms=took_s * 1e3,
        notices=notices,
    )


def rank_strategies(
    engine: Engine, db: Connection, task: str, scope: Scope, *, limit: int, proven: bool = True
) -> tuple[list[RatedStrategy], tuple[Message, ...]]:
    """Return (the best strategies for a task, notices of search methods that were off). No strategy is reinforced."""
    likeness, notices = _likeness(engine, db, task, scope)
    found = records.many(db, STRATEGY, "seq", list(likeness))
    tallied = procedures.tallies(db, [each.id for each in found])
    fitting = [
        RatedStrategy(strategy=each, tally=tally, similarity=likeness[each.seq])
        for each in found
        if (tally := tallied.get(each.id, UNTRIED)).successes or not proven
    ]
    best = sorted(fitting, key=lambda each: (-each.score, -each.strategy.seq))
    return best[:limit], notices


def _check(ask: FindStrategies) -> None:
    if not ask.task_description.strip():
        raise BadAsk(message("The task is not described."), next=message("Say what is to be done."))
    if len(ask.task_description) > TASK_CHARACTERS:
        raise BadAsk(
            message(
                "The task has {count} characters; {most} at most.",
                count=f"{len(ask.task_description):,}",
                most=f"{TASK_CHARACTERS:,}",
            )
        )
    if not 1 <= ask.limit <= TOP_AT_MOST:
        raise BadAsk(message("limit must lie between 1 and {count}.", count=TOP_AT_MOST))


def _channels(db: Connection, ask: FindStrategies) -> tuple[str, ...]:
    if not ask.channels:
        return search.channels_of(db, ask.user_id) or (GLOBAL,)
    return tuple(dict.fromkeys((*semantic.current_channels(db, ask.user_id, ask.channels), GLOBAL)))


def _likeness(
    engine: Engine, db: Connection, task: str, scope: Scope
) -> tuple[dict[int, float], tuple[Message, ...]]:
    """Return (search number -> 0 to 1, notices): half the share of the task's words, half the nearness in
    meaning.

    If vectors are off, the words alone count."""
    words = _words(db, task, scope)
    cosines, notices = _meaning(engine, db, task, scope, list(words))
    if cosines is None:
        return words, notices
    both = {seq: _joined(words.get(seq, 0.0), cosines.get(seq)) for seq in words.keys() | cosines.keys()}
    return {seq: value for seq, value in both.items() if value > 0}, notices


def _joined(share: float, cosine: float | None) -> float:
    """Return the mean of share and cosine; the share alone for a strategy that has no vector yet."""
    return share if cosine is None else (share + max(0.0, min(1.0, cosine))) / 2


def _words(db: Connection, task: str, scope: Scope) -> dict[int, float]:
    """Return the share of the task's words that each strategy contains, rare words counting more."""
    rows, _ = search.size_of(db, scope)
    asked, held = 0.0, dict[int, float]()
    sought = [Sought(terms=(term,), most=CANDIDATES) for term in terms(task)]
    for seqs in search.postings_of(db, sought, scope):
        weight = rarity(len(seqs), rows)
        asked += weight
        for seq in seqs:
            held[seq] = held.get(seq, 0.0) + weight
    return {seq: weight / asked for seq, weight in held.items()}


def _meaning(
    engine: Engine, db: Connection, task: str, scope: Scope, also: Sequence[int]
) -> tuple[dict[int, float] | None, tuple[Message, ...]]:
    """Return (cosines of the nearest and of those found by words, notices); None for cosines if vectors are off."""
    vector, notices = query_vector(engine, db, task)
    if vector is None:
        return None, notices
    near = dict(search.by_vector(db, vector, scope, engine.embedder.name)[:CANDIDATES])
    near |= search.cosines(db, vector, [seq for seq in also if seq not in near], engine.embedder.name)
    return near, ()


def _write_down(
    engine: Engine, ask: FindStrategies, author: str, best: Sequence[RatedStrategy], *, took_us: int
) -> None:
    """Record the answer after it was given, so that the agent does not wait for the disk."""
    now = engine.clock()
    lifted = salience.lifted(engine.settings.new_salience, engine.settings)
    channel = ask.channels[0] if ask.channels else GLOBAL
    event = RecallEvent(
        at=now,
        title=title_of(ask.task_description, len(best), strategies=True),
        author=author,
        channel=channel,
        user_id=ask.user_id,
        conversation_id=ask.conversation_id,
        query=ask.task_description,
        took_us=took_us,
        hits=tuple(Recalled(seq=each.strategy.seq, score=each.score, salience=lifted) for each in best),
        crossed=sum(each.strategy.channel != channel for each in best),
    )

    def write(db: Connection, _index: Index, journal: Journal) -> int:
        return recalls.record(db, journal, event)

    engine.store.maintain(write).add_done_callback(
        partial(log_failure, "strategies were found but could not be written down")
    )
