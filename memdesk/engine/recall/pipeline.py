"""Recall: answers one query with one bundle, in which each hit has its score parts and provenance."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from memdesk.engine import salience
from memdesk.engine.engine import Engine, log_failure
from memdesk.engine.memory import profiles
from memdesk.engine.memory.rows import row_of, salience_now
from memdesk.engine.providers.meter import asking
from memdesk.engine.recall.candidates import Pool, gather
from memdesk.engine.recall.choosing import Choice, Exclusion, apply_filters, choose, filter_matches
from memdesk.engine.recall.fitting_strategies import RatedStrategy, rank_strategies
from memdesk.engine.recall.hits import CUTS, answer_of, as_seen, cuts_of, hits_of
from memdesk.engine.recall.query import ResolvedQuery, foresee, resolve_query
from memdesk.engine.recall.ranking import Ranking, newer_first, rank
from memdesk.engine.recall.recall_layer import (
    LayerResult,
    rank_by_tiers,
    rerank,
    run_techniques,
    technique_reports,
)
from memdesk.engine.recall_cache import BASE, RECALL, Answered, Returned
from memdesk.model.entity import Entity
from memdesk.model.fact import FACT, Fact
from memdesk.model.goal import GOAL, Goal
from memdesk.model.instant import SECOND, to_datetime
from memdesk.model.message import Message, message
from memdesk.model.recall import Bundle, GoalUnderWay, KnownStrategy, Query, RecentTurn, Technique
from memdesk.model.strategy import STRATEGY
from memdesk.model.trust import Reader, is_trusted
from memdesk.store import goals, recalls, search
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal
from memdesk.store.recalls import Recalled, RecallEvent, Use
from memdesk.store.run_context import present_reach
from memdesk.store.semantic import profile_of

NOTHING_THEN = message(
    "Nothing to the point was told in the time that the query names, so all times were searched."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResults:
    """Results of every stage. asked: the query as the techniques changed it. away: reason of each removal by
    a filter.

    base_ms: duration of gathering by words and vectors."""

    asked: ResolvedQuery
    looked: LayerResult
    pool: Pool
    away: dict[int, Exclusion]
    ranking: Ranking
    choice: Choice
    base_ms: float


def run_stages(
    engine: Engine, db: Connection, asked: ResolvedQuery, *, everything: bool = False
) -> StageResults:
    """Run the stages of a recall: look, gather, narrow, rank and choose.

    everything: rank all memories found, not only those that can be returned. If the query itself names a
    time, and no relevant memory is from it, the search is repeated for all times."""
    looked = run_techniques(engine, db, asked)
    journey = _run_once(engine, db, looked, looked.asked, everything)
    if not looked.asked.read or (journey.choice.kept and not journey.choice.near_names):
        return journey
    journey = _run_once(engine, db, looked, replace(looked.asked, read=()), everything)
    journey.pool.notices.append(NOTHING_THEN)
    return journey


def _run_once(
    engine: Engine, db: Connection, looked: LayerResult, asked: ResolvedQuery, everything: bool
) -> StageResults:
    due = filter_matches(db, asked)
    also = (*looked.seqs, *due)
    started = time.perf_counter()
    pool = gather(
        engine,
        db,
        asked.text,
        asked.scope,
        active=asked.preferred,
        dates=asked.dates,
        also=also,
        lending=engine.settings.fusion == "weighted" and FACT.name in asked.kinds and not asked.query.tiers,
    )
    base_ms = (time.perf_counter() - started) * 1e3
    away = apply_filters(engine, db, pool, asked)
    most = len(pool.items) if everything else 3 * asked.limit + 30
    if asked.query.tiers:
        ranking = rank_by_tiers(engine, db, pool, asked, looked.finds)
    else:
        ranking = rank(engine, pool, asked, looked.finds, most=most, due=due)
    ranking = newer_first(db, pool, rerank(engine, ranking, asked), 3 * asked.limit)
    choice = choose(pool, ranking, asked)
    while bad := pool.sources.damaged(_shown(choice)):
        ranking = replace(ranking, scored=[each for each in ranking.scored if each.seq not in bad])
        choice = choose(pool, ranking, asked)
    return StageResults(
        asked=asked, looked=looked, pool=pool, away=away, ranking=ranking, choice=choice, base_ms=base_ms
    )


def _shown(choice: Choice) -> list[int]:
    return [each.seq for each in (*choice.kept, *(left.scored for left in choice.left[:CUTS]))]


def counts(journey: StageResults) -> dict[str, int]:
    """Return the number of memories left after each stage that removes some. Each name of an entity counts
    separately."""
    away = Counter(each.by for each in journey.away.values())
    found = sum(item.returned for item in journey.pool.items)
    left = Counter(each.by for each in journey.choice.left)
    after = {"scope": journey.pool.scope_size, "search": found + away.total()}
    after["time"] = after["search"] - away["time"]
    after["filters"] = after["time"] - away["filters"]
    after["ranking"] = len(journey.ranking.scored)
    # An entity found by two of its names is one from here on, without a word of what was left.
    after["duplicate"] = len(journey.choice.kept) + left.total() - left["duplicate"]
    after["floor"] = after["duplicate"] - left["floor"]
    after["diversity"] = after["floor"] - left["diversity"]
    after["budget"] = len(journey.choice.kept)
    return after


STRATEGIES = 5
GOALS = 20
"""Most goals in the context; the limit of five strategies is AgentX's."""


def context(engine: Engine, db: Connection, asked: ResolvedQuery) -> dict[str, Any]:
    """Return strategies, goals, profile and recent, as fields of a Bundle."""
    user_id, talk = asked.query.user_id, asked.query.conversation_id
    profile = profile_of(db, user_id)
    last = recalls.last_turns(db, user_id, talk, asked.recent_turns) if talk and asked.recent_turns else []
    return {
        "strategies": tuple(
            _strategy(found) for found in _fitting(engine, db, asked) if is_trusted(found.strategy.trust)
        ),
        "goals": tuple(row_of(GoalUnderWay, goal) for goal in _active(db, asked) if is_trusted(goal.trust)),
        "profile": profile.aspects,
        "profile_marks": profile.marks,
        "recent": tuple(
            row_of(RecentTurn, turn, text=turn.content, at=to_datetime(turn.created_at)) for turn in last
        ),
    }


def _fitting(engine: Engine, db: Connection, asked: ResolvedQuery) -> list[RatedStrategy]:
    user_id, channels = asked.query.user_id, asked.channels
    if not search.has_any(db, user_id, channels, STRATEGY.name):
        return []
    scope = search.Scope(user_id=user_id, channels=channels, kinds=(STRATEGY.name,))
    return rank_strategies(engine, db, asked.text, scope, limit=STRATEGIES)[0]


def _active(db: Connection, asked: ResolvedQuery) -> tuple[Goal, ...]:
    user_id, channels = asked.query.user_id, asked.channels
    if not search.has_any(db, user_id, channels, GOAL.name):
        return ()
    return goals.active(db, user_id, channels, limit=GOALS)


def _strategy(found: RatedStrategy) -> KnownStrategy:
    return KnownStrategy(
        id=found.strategy.id,
        description=found.strategy.description,
        context_pattern=found.strategy.context_pattern,
        tool_sequence=tuple(json.loads(found.strategy.tool_sequence)),
        success_rate=found.tally.rate or 0.0,
        similarity=found.similarity,
    )


def record_recall(engine: Engine, query: Query, answered: Answered, *, author: str, took_us: int) -> None:
    """Record a recall after it was answered, so that the agent does not wait for the disk."""
    now = engine.clock()
    query = replace(query, text=engine.vault.masked(query.text))
    seqs = [each.seq for each in answered.returned]
    title = recalls.title_of(query.text, len(seqs))

    reads = engine.store.foreseen(lambda db: (recalls.subjects_of(db, seqs), recalls.uses(db, seqs)))

    def write(db: Connection, _index: Index, journal: Journal) -> int:
        db.ahead(reads)
        subjects = recalls.subjects_of(db, seqs)
        used = recalls.uses(db, seqs) | recalls.uses(db, [each.seq for each in subjects])
        returned = tuple(
            Recalled(
                seq=each.seq,
                score=each.score,
                salience=_lifted(engine, each.source, used.get(each.seq)),
                parts=each.parts,
            )
            for each in answered.returned
        )
        event = RecallEvent(
            at=now,
            title=title,
            author=author,
            channel=query.channel,
            user_id=query.user_id,
            conversation_id=query.conversation_id,
            session_id=query.session_id,
            query=query.text,
            took_us=took_us,
            hits=returned,
            crossed=answered.bundle.crossed,
            channels=answered.bundle.channels,
            subjects={each.seq: _lifted(engine, each, used.get(each.seq)) for each in subjects},
        )
        return recalls.record(db, journal, event)

    engine.store.maintain(write).add_done_callback(
        partial(log_failure, "a recall was answered but could not be written down")
    )


def _lifted(engine: Engine, source: object, use: Use | None) -> float:
    """Return a memory's salience after this recall, counting the recalls recorded before it."""
    fades = isinstance(source, Fact | Entity)
    before = salience_now(engine, source, use) if fades else engine.settings.new_salience
    return salience.lifted(before, engine.settings)


def recall(engine: Engine, query: Query, *, author: str) -> Bundle:
    """Recall for an agent: the returned memories are reinforced, and the recall is written into the audit
    timeline.

    Raises BadAsk for an empty or too long query, an unknown kind, or a value out of range."""
    bundle, record = recall_some(engine, query, author=author)
    record({hit.id for hit in bundle.hits})
    return bundle


def recall_some(
    engine: Engine, query: Query, *, author: str
) -> tuple[Bundle, Callable[[Container[str]], None]]:
    """Recall for an agent that may not get all of it; call the function with the ids of the hits that it got, as
    `recall` does with all. Raises as `recall` does."""
    started = time.perf_counter()
    reads = engine.store.foreseen(partial(foresee, query=query))

    def read(db: Connection) -> tuple[ResolvedQuery, Answered, bool, float | None]:
        db.ahead(reads)
        whole = resolve_query(engine, db, query)
        behind_s = None if db.snapshot is None else db.snapshot.behind_s
        return whole, *_answered(engine, db, whole), behind_s

    with asking(RECALL):
        whole, answered, cached, behind_s = engine.store.read_for_recall(author, read)
    took_s = time.perf_counter() - started
    engine.recall_metrics.ran(RECALL, took_s * 1e3, found=len(answered.bundle.hits))
    bundle, reader = answered.bundle, Reader.of(author, query.conversation_id)

    def record(ids: Container[str]) -> None:
        pairs = zip(bundle.hits, answered.returned, strict=True)
        got = replace(answered, returned=tuple(returned for hit, returned in pairs if hit.id in ids))
        record_recall(engine, whole.query, got, author=author, took_us=round(took_s * 1e6))

    told = replace(
        bundle,
        hits=as_seen(bundle.hits, reader),
        profile=profiles.as_seen(bundle.profile, bundle.profile_marks, reader.agent),
        took_ms=took_s * 1e3,
        cached=cached,
        replica_behind_s=behind_s,
    )
    return told, record


def preview(engine: Engine, query: Query) -> Bundle:
    """Return the bundle that a recall would return, for a person who tests a query.

    No memory is reinforced, and the recall is neither recorded nor cached. Raises as `recall` does."""
    started = time.perf_counter()
    with engine.store.reading() as db:
        bundle = preview_in(engine, db, query)
    return replace(bundle, took_ms=(time.perf_counter() - started) * 1e3)


def preview_in(engine: Engine, db: Connection, query: Query) -> Bundle:
    """Return the bundle of a preview on a connection, which may have edits that are not committed."""
    with asking(RECALL):
        return _computed(engine, db, resolve_query(engine, db, query)).bundle


def _answered(engine: Engine, db: Connection, whole: ResolvedQuery) -> tuple[Answered, bool]:
    """Return the answer, and True if it came from the cache: same query, same settings, and no change since."""
    settings = engine.settings
    if not settings.recall_cache_seconds:
        return _computed(engine, db, whole), False
    # With a replica too: it is the desk as it was at that stamp.
    key = (repr(whole.query), settings, recalls.stamp(db), present_reach())
    known = engine.answers.get(key)
    if known and 0 <= engine.clock() - known.at < settings.recall_cache_seconds * SECOND:
        return known, True
    answered = _computed(engine, db, whole)
    engine.answers.keep(key, answered)
    return answered, False


def _computed(engine: Engine, db: Connection, whole: ResolvedQuery) -> Answered:
    journey = run_stages(engine, db, whole)
    engine.recall_metrics.ran(BASE, journey.base_ms, found=len(journey.pool.reached))
    return Answered(
        at=engine.clock(),
        bundle=_bundle(engine, db, journey),
        returned=_to_reinforce(journey, journey.choice),
    )


def _bundle(engine: Engine, db: Connection, journey: StageResults) -> Bundle:
    pool, choice, narrowed = journey.pool, journey.choice, journey.asked
    hits = hits_of(engine, db, pool, journey.ranking, choice.kept)
    answer = answer_of(pool, journey.ranking, choice, narrowed)
    return Bundle(
        query=narrowed.query.text,
        hits=hits,
        channels=narrowed.channels,
        took_ms=0.0,
        notices=(*pool.notices, *damaged_among(db)),
        answer=answer.state,
        reason=answer.reason,
        techniques=technique_reports(engine, journey.looked, pool.reached, tuple(_ranked(journey))),
        cut=cuts_of(pool, choice.left),
        crossed=sum(hit.channel != narrowed.active for hit in hits),
        **context(engine, db, narrowed),
    )


def _ranked(journey: StageResults) -> Iterator[Technique]:
    """Yield the reports of the techniques that are part of the ranking: hybrid words, the three tiers, and
    the reranker."""
    words = journey.ranking.places["words"]
    if "hybrid" in journey.asked.techniques:
        added = sum(seq not in journey.pool.cosines for seq in words)
        yield Technique(name="hybrid", took_ms=journey.ranking.words_ms, found=len(words), added=added)
    for also in (journey.ranking.tiers, journey.ranking.reranked):
        if also is not None:
            yield also


def damaged_among(db: Connection) -> tuple[Message, ...]:
    """Return a sentence if this reading met damaged rows and left them out; empty otherwise."""
    count = len({(each.kind, each.seq) for each in db.left_out})
    if not count:
        return ()
    if count == 1:
        return (message("One memory is damaged on the disk and left out. `memdesk verify` says which."),)
    return (
        message(
            "{count} memories are damaged on the disk and left out. `memdesk verify` says which.", count=count
        ),
    )


def _to_reinforce(journey: StageResults, choice: Choice) -> tuple[Returned, ...]:
    """Return the records to reinforce: the entity itself, if one of its names was found."""
    found = []
    for scored in choice.kept:
        source = journey.pool.sources[scored.seq]
        seq = source.seq if isinstance(source, Entity) else scored.seq
        found.append(Returned(seq=seq, score=scored.score, parts=scored.parts, source=source))
    return tuple(found)
