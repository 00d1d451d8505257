"""Recall: one question, one bundle, every hit with its score parts and where it comes from."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.recall.dates import dates_in
from memdesk.engine.recall.evidence import evidence
from memdesk.engine.recall.fusion import WEIGHTS, Scored, Signals, fuse
from memdesk.engine.recall.origin import origins
from memdesk.engine.recall.pool import PassageSource, Pool, gather, within
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.wording import shortened
from memdesk.model.browse import Find, Found, FoundList
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import Entity
from memdesk.model.errors import BadAsk
from memdesk.model.fact import Fact
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import RECALLED, SEARCHED
from memdesk.model.recall import Bundle, Hit, Provenance, Query, ScorePart
from memdesk.model.turn import Turn
from memdesk.store import recalls, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal
from memdesk.store.recalls import Recalled, RecallEvent, Use
from memdesk.store.search import Scope

log = logging.getLogger(__name__)
LIMIT_AT_MOST = 100
NAMES_FIRST = 5
"""Entities by name that the search box shows before anything else."""
QUERY_CHARACTERS = 10_000
"""AgentX refuses longer queries, and so do we."""


def recall(engine: Engine, query: Query, *, author: str) -> Bundle:
    """Recall for an agent: what comes back is reinforced, and the recall is written into the audit timeline.

    Raises BadAsk for an empty or endless query, an unknown kind or a limit out of range.
    """
    started = time.perf_counter()
    query = replace(query, channel=" ".join(query.channel.split()), kinds=query.kinds or RECALLED)
    _check(query.text, query.kinds, query.limit)
    with engine.store.reading() as db:
        channels = _channels(db, query)
        scope = _scope(query.user_id, channels, query.kinds)
        pool = within(gather(engine, db, query.text, scope, active=query.channel), query.since, query.until)
        best = _best(engine, pool, query.text, query.limit)
        hits = _hits(engine, db, pool, best)
    took_s = time.perf_counter() - started
    _reinforce(engine, query, author, pool, best, hits, took_us=round(took_s * 1e6))
    return Bundle(
        query=query.text, hits=hits, channels=channels, took_ms=took_s * 1e3, notices=tuple(pool.notices)
    )


def find(engine: Engine, ask: Find) -> FoundList:
    """Look for memories as the search box does: while the last word is still being typed, entities by name first.

    Otherwise ranked like a recall, but nothing is reinforced or written down.
    """
    if not ask.text.strip():
        return FoundList(rows=())
    kinds = ask.kinds or RECALLED
    _check(ask.text, kinds, ask.limit)
    with engine.store.reading() as db:
        channels = ask.channels or search.channels_of(db, ask.user_id)
        named = _by_name(db, ask, channels) if "entity" in kinds else []
        scope = _scope(ask.user_id, channels, kinds)
        pool = gather(engine, db, ask.text, scope, active=None, typing=True)
        hits = _hits(engine, db, pool, _best(engine, pool, ask.text, ask.limit))
    rest = (_found(hit) for hit in hits)
    names = {row.title.lower() for row in named}
    rows = [*named, *(row for row in rest if row.kind != "entity" or row.title.lower() not in names)]
    return FoundList(rows=tuple(rows[: ask.limit]))


def _by_name(db: Connection, ask: Find, channels: Sequence[str]) -> list[Found]:
    """Entities whose name begins with what was typed, an exact one first, namesakes once."""
    typed = " ".join(ask.text.split())
    found: dict[str, Entity] = {}
    for entity in semantic.entities_beginning(db, ask.user_id, channels, typed, NAMES_FIRST * 4):
        found.setdefault(entity.name.lower(), entity)
    best = sorted(found.values(), key=lambda entity: entity.name.lower() != typed.lower())[:NAMES_FIRST]
    return [
        Found(id=each.id, kind="entity", title=each.name, channel=each.channel, category=each.type, score=1.0)
        for each in best
    ]


def _found(hit: Hit) -> Found:
    title = hit.text.partition(": ")[0] if hit.kind == "entity" else shortened(hit.text, 160)
    return Found(
        id=hit.id, kind=hit.kind, title=title, channel=hit.channel, category=hit.category, score=hit.score
    )


def _check(text: str, kinds: Sequence[str], limit: int) -> None:
    if not text.strip():
        raise BadAsk("The query is empty.", next="Say what to look for.")
    if len(text) > QUERY_CHARACTERS:
        raise BadAsk(f"The query has {len(text):,} characters; {QUERY_CHARACTERS:,} at most.")
    if strange := [kind for kind in kinds if kind not in SEARCHED]:
        raise BadAsk(f"“{strange[0]}” cannot be recalled; kinds are {', '.join(SEARCHED)}.")
    if not 1 <= limit <= LIMIT_AT_MOST:
        raise BadAsk(f"limit lies between 1 and {LIMIT_AT_MOST}.")


def _channels(db: Connection, query: Query) -> tuple[str, ...]:
    if query.every_channel:
        return search.channels_of(db, query.user_id) or (GLOBAL,)
    return tuple(dict.fromkeys((query.channel, GLOBAL)))


def _scope(user_id: str, channels: tuple[str, ...], kinds: tuple[str, ...]) -> Scope:
    """What is searched for these kinds: an entity is also found by its other names."""
    return Scope(user_id=user_id, channels=channels, kinds=(*kinds, "alias") if "entity" in kinds else kinds)


def _best(engine: Engine, pool: Pool, text: str, limit: int) -> list[Scored]:
    now = to_datetime(engine.clock()).astimezone()
    scored = fuse(
        pool.line,
        words=evidence(pool.postings, pool.line, rows=pool.size),
        cosines=pool.meaning,
        signals=Signals(named=pool.speakers, times=tuple(dates_in(text, now)), wanted=pool.wanted),
        weights=replace(WEIGHTS, speaker=engine.settings.speaker_boost),
        limit=2 * limit + 10,
    )
    return _one_of_each(pool, scored)[:limit]


def _one_of_each(pool: Pool, scored: Iterable[Scored]) -> list[Scored]:
    """Best first, but an entity once whatever name found it, and of a promoted fact and its original the better."""
    seen: set[str] = set()
    kept = []
    for hit in scored:
        source = pool.sources[hit.seq]
        names = _same_memory(hit.seq, source)
        if not seen.intersection(names):
            kept.append(hit)
        seen.update(names)
    return kept


def _same_memory(seq: int, source: Any) -> tuple[str, ...]:
    match source:
        case Fact(promoted_from=str(original)):
            return (source.id, original)
        case PassageSource():
            return (f"passage {seq}",)
        case _:
            return (source.id,)


def _hits(engine: Engine, db: Connection, pool: Pool, best: Sequence[Scored]) -> tuple[Hit, ...]:
    sources = [pool.sources[hit.seq] for hit in best]
    places = origins(db, sources)
    used = recalls.uses(db, [s.seq for s in sources if isinstance(s, Fact | Entity)])
    found = []
    for hit, source in zip(best, sources, strict=True):
        strength = (
            salience_now(engine, source, used.get(source.seq)) if isinstance(source, Fact | Entity) else None
        )
        found.append(_hit(hit, source, places, strength))
    return tuple(found)


def _hit(scored: Scored, source: Any, places: dict[str, Provenance], strength: float | None) -> Hit:
    parts = tuple(ScorePart(name=name, value=value) for name, value in scored.parts)
    common: dict[str, Any] = {"score": scored.score, "parts": parts, "salience": strength}
    match source:
        case Turn():
            return Hit(
                id=source.id, kind="turn", text=source.content, channel=source.channel,
                at=to_datetime(source.created_at), provenance=places.get(source.id, Provenance()), **common,
            )  # fmt: skip
        case Fact():
            return Hit(
                id=source.id, kind="fact", text=source.claim, channel=source.channel, category=source.category,
                confidence=source.confidence, at=to_datetime(source.created_at),
                provenance=places.get(source.id, Provenance()),
                **common,
            )  # fmt: skip
        case Entity():
            text = source.name + (f": {source.description}" if source.description else "")
            return Hit(
                id=source.id, kind="entity", text=text, channel=source.channel, category=source.type,
                at=to_datetime(source.created_at), provenance=Provenance(agent_id=source.agent_id), **common,
            )  # fmt: skip
        case PassageSource():
            document = source.document
            return Hit(
                id=f"{document.id}#L{source.first_line}-{source.last_line}", kind="passage", text=source.text,
                channel=document.channel, category=document.layer, at=to_datetime(document.updated_at),
                provenance=Provenance(
                    document_id=document.id, path=document.path, agent_id=document.agent_id,
                    first_line=source.first_line, last_line=source.last_line,
                ), **common,
            )  # fmt: skip
        case _:
            raise TypeError(f"a hit made of {type(source).__name__}")


def _reinforce(
    engine: Engine,
    query: Query,
    author: str,
    pool: Pool,
    best: Sequence[Scored],
    hits: Sequence[Hit],
    *,
    took_us: int,
) -> None:
    """Write the recall down behind the answer: the agent need not wait for the disk to learn what it asked."""
    sources = [pool.sources[scored.seq] for scored in best]
    seqs = [
        source.seq if isinstance(source, Entity) else scored.seq
        for scored, source in zip(best, sources, strict=True)
    ]
    now = engine.clock()

    def write(db: Connection, _index: Index, journal: Journal) -> int:
        used = recalls.uses(db, seqs)
        returned = tuple(
            Recalled(seq=seq, score=scored.score, salience=_lifted(engine, source, used.get(seq)))
            for seq, scored, source in zip(seqs, best, sources, strict=True)
        )
        event = RecallEvent(
            at=now, title=f"“{shortened(query.text, 60)}” → {_counted(len(hits))}", author=author,
            channel=query.channel, user_id=query.user_id, conversation_id=query.conversation_id, query=query.text,
            took_us=took_us, hits=returned, crossed=sum(hit.channel != query.channel for hit in hits),
        )  # fmt: skip
        return recalls.record(db, journal, event)

    written = engine.store.maintain(write)
    written.add_done_callback(_log_failure)


def _lifted(engine: Engine, source: Any, use: Use | None) -> float:
    """What this recall makes of a memory's salience, after those that were written down before it."""
    fades = isinstance(source, Fact | Entity)
    before = salience_now(engine, source, use) if fades else engine.settings.new_salience
    return salience.lifted(before, engine.settings)


def _counted(hits: int) -> str:
    return "1 hit" if hits == 1 else f"{hits} hits"


def _log_failure(written: Future[int]) -> None:
    if error := written.exception():
        log.error("a recall was answered but could not be written down", exc_info=error)
