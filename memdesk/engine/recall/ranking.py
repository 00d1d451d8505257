"""Ranking of a recall: one of three fusions, and the additions of the techniques and the weights."""

from __future__ import annotations

import re
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from memdesk.engine.engine import Engine
from memdesk.engine.recall.candidates import Pool
from memdesk.engine.recall.evidence import Item, covered, evidence, map_to_line, relevance
from memdesk.engine.recall.fusion import WEIGHTS, Scored, Signals, closeness, fuse, lifted, stretched
from memdesk.engine.recall.query import HOUR_US, ResolvedQuery
from memdesk.engine.recall.techniques import TechniqueResult
from memdesk.model.channel import GLOBAL
from memdesk.model.fact import Fact
from memdesk.model.recall import Technique
from memdesk.model.settings import DEFAULTS, Settings
from memdesk.store import proposing
from memdesk.store.connection import Connection

_AHEAD = re.compile(
    r"\b(?:will|going to|gonna|plan|plans|planned|planning|upcoming|next|(?:am|are|is)\s+\w+\s+\w+ing"
    r"|werden|wird|werde|vamos a|voy a|va a|allons|vais|ira)\b|将|將|打算|计划|計劃|予定|つもり",
    re.IGNORECASE,
)
"""Phrase of a question about what is still to come: "will", "are we moving"."""


_BACK = re.compile(
    r"\b(?:did|was|were|had|used to|previously|formerly|originally|war|waren|hatten?|wurden?|früher"
    r"|fue|fueron|era|eran|estuvo|estaba|tuvo|hizo|antes|fut|étaient|était|avait|autrefois)\b"
    r"|[过過]|以前|曾|でした|ました|だった",
    re.IGNORECASE,
)
"""Phrase of a question about what was: "did", "was"."""


def times_asked(query: str) -> frozenset[str]:
    """Return the times of facts besides current ones that a query asks about: `future`, `past`."""
    forms = {"future": _AHEAD, "past": _BACK}
    return frozenset(time for time, form in forms.items() if form.search(query))


def truth(source: object, settings: Settings, *, asked: Container[str]) -> float:
    """Return the factor for a fact that is current or past; 1 for a future fact, one without a time, and
    other kinds. asked: times that the query asks about, whose facts have the factor of a current one."""
    temporal = source.temporal if isinstance(source, Fact) else None
    if temporal in asked:
        return settings.temporal_current
    return {"current": settings.temporal_current, "past": settings.temporal_past}.get(temporal or "", 1.0)


def recency(at: int, now: int, half_life_hours: float) -> float:
    """Return 1 for a memory created at `now`, halved for every half-life of age; 0 for a date that is yet to come,
    which its source made up. Times in UTC microseconds."""
    if at > now + HOUR_US:
        return 0.0
    return float(0.5 ** (max(0, now - at) / HOUR_US / half_life_hours))


ACTIVE = 1.2
"""Factor for memories of the channel asked in, unless it is `_global`."""
LISTS = {
    "turn": "episodic",
    "fact": "facts",
    "entity": "entities",
    "alias": "entities",
    "strategy": "procedural",
}
"""Weight name of each kind; kinds that AgentX does not know (passages, goals) use that of facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """Parameters of the base scores.

    weights: by AgentX's names. now: UTC microseconds. depth: how many of each list count (AgentX: twice the
    limit). active:
    True if the channel asked in is a project's."""

    weights: Mapping[str, float]
    half_life_hours: float
    now: int
    depth: int
    active: bool


def base_scores(
    items: Sequence[Item],
    similarities: Mapping[int, float],
    truths: Mapping[int, float],
    formula: Formula,
    *,
    also: Container[int] = (),
) -> list[Scored]:
    """Return scores, best first: the similarity of each list's nearest items, stretched from 0 to 1 and
    weighted.

    A turn adds recency; the score of a fact is multiplied by its confidence, salience and truth, that of an
    entity by its salience, that of a strategy by its success rate. truths: by search number. also: items that
    count although they are not among the nearest."""
    scored: list[Scored] = []
    for name in sorted({_list_of(item) for item in items}):
        near = _nearest([item for item in items if _list_of(item) == name], similarities, formula.depth, also)
        meanings = stretched({item.seq: similarities[item.seq] for item in near})
        for item in near:
            worth = item.confidence * item.salience * truths[item.seq]
            scored.append(_scored(item, formula.weights[name] * meanings[item.seq] * worth, formula))
    return sorted(scored, key=lambda each: (-each.score, each.seq))


def _list_of(item: Item) -> str:
    return LISTS.get(item.kind, "facts")


def _nearest(
    items: Sequence[Item], similarities: Mapping[int, float], depth: int, also: Container[int]
) -> list[Item]:
    listed = [item for item in items if item.seq in similarities]
    listed.sort(key=lambda item: (-similarities[item.seq], item.seq))
    return listed[:depth] + [item for item in listed[depth:] if item.seq in also]


def _scored(item: Item, meaning: float, formula: Formula) -> Scored:
    parts = {"meaning": meaning}
    if item.kind == "turn":
        parts["recency"] = formula.weights["recency"] * recency(item.at, formula.now, formula.half_life_hours)
    if item.here and formula.active:
        parts["here"] = sum(parts.values()) * (ACTIVE - 1)
    return Scored(seq=item.seq, score=sum(parts.values()), parts=tuple(parts.items()))


def rank_scores(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    *,
    k: int,
    words_share: float,
    depth: int,
    also: Iterable[int] = (),
) -> list[Scored]:
    """Return scores, best first: words_share / (k + rank by words) + the rest / (k + rank by vectors); ranks
    count from 1.

    depth: how far each list is read (AgentX: 50, or twice the limit). A memory missing from a list has the
    rank len(list) + k there, so it is damped and not dropped. also: memories to rank although neither list
    contains them."""
    by_words, by_vectors = _places(words, depth), _places(cosines, depth)
    scored = []
    for seq in dict.fromkeys((*by_words, *by_vectors, *also)):
        parts = (
            ("words", words_share / (k + by_words.get(seq, len(by_words) + k))),
            ("meaning", (1 - words_share) / (k + by_vectors.get(seq, len(by_vectors) + k))),
        )
        scored.append(Scored(seq=seq, score=sum(value for _, value in parts), parts=parts))
    return sorted(scored, key=lambda each: (-each.score, each.seq))


def _places(values: Mapping[int, float], depth: int) -> dict[int, int]:
    best = sorted(values, key=lambda seq: (-values[seq], seq))[:depth]
    return {seq: place for place, seq in enumerate(best, start=1)}


SHARES = {"entities": 0.1, "expansion": 0.005, "hyde": 0.1}
"""Share of the best score that a memory gains if a technique found it. A paraphrase adds memories and breaks
ties: a higher share costs on LoCoMo, where a fiftieth loses a point."""
VOUCHING = ("entities", "hyde")
"""Techniques whose finds are relevant to the query regardless of their words and meaning."""
FALLS = 60
"""Place in a technique's list at which that share is half, as rank fusion damps its ranks."""
LEAST_DEPTH = 50
"""Least number of places that rank fusion reads of each list (AgentX)."""
_EVEN = {
    "episodic": DEFAULTS.weight_turns,
    "facts": DEFAULTS.weight_facts,
    "entities": DEFAULTS.weight_entities,
    "procedural": DEFAULTS.weight_strategies,
}
"""AgentX's weights, at which the weighted sum leaves the score of every kind unchanged."""


@dataclass(slots=True, kw_only=True)
class Ranking:
    """Weighed memories that may be returned. scored: best first.

    words: evidence by search number; coverage: share of the query's terms. relevances: 0 to 1. places: place of each
    memory in each way of searching, from 1, by the way's name. words_ms: duration of weighing the words. tiers,
    reranked: reports of the three tiers and the reranker."""

    items: dict[int, Item]
    words: dict[int, float]
    coverage: dict[int, float]
    relevances: dict[int, float]
    scored: Sequence[Scored] = ()
    places: dict[str, dict[int, int]] = field(default_factory=dict)
    words_ms: float = 0.0
    tiers: Technique | None = None
    reranked: Technique | None = None


def rank(
    engine: Engine,
    pool: Pool,
    asked: ResolvedQuery,
    finds: Mapping[str, TechniqueResult],
    *,
    most: int,
    due: Iterable[int] = (),
) -> Ranking:
    """Return the ranking of the pool, cut to the best `most` memories, by the fusion that the settings name.

    due: memories that match the query's filters; they are ranked although no search found them."""
    ranking = weigh(pool, asked, finds)
    also = {seq for seq in (*due, *_vouched(finds)) if seq in ranking.items}
    scored = _fused(engine, pool, asked, ranking, also, most)
    # Sorting is stable: equals stay in the order of the fusion.
    ranking.scored = sorted(_with_technique_shares(scored, finds), key=lambda each: -each.score)[:most]
    return ranking


def weigh(pool: Pool, asked: ResolvedQuery, finds: Mapping[str, TechniqueResult]) -> Ranking:
    """Return words, relevance and places of the pool's memories, before they are ranked."""
    # Where there are no vectors, words answer alone however they were switched.
    hybrid = "hybrid" in asked.techniques or not pool.cosines
    started = time.perf_counter()
    terms = map_to_line(pool.postings, pool.line) if hybrid else []
    words = evidence(terms, pool.line, rows=pool.size)
    words_ms = (time.perf_counter() - started) * 1e3
    timely = closeness(pool.line, asked.named) if asked.named else None
    coverage = covered(pool.line, terms, pool.size)
    meanings = {
        **pool.meaning,
        **{seq: max(near, pool.meaning.get(seq, near)) for seq, near in pool.precise.items()},
    }
    relevances = relevance(pool.line, coverage=coverage, meanings=meanings, timely=timely)
    for find in finds.values():
        relevances |= {seq: max(tie, relevances[seq]) for seq, tie in find.ties.items() if seq in relevances}
    relevances = lifted(relevances, pool.sources_of, WEIGHTS.source)
    lending = {item.seq for item in pool.items if not item.returned}
    places = {
        name: places_of({seq: value for seq, value in found.items() if seq not in lending})
        for name, found in (("words", words), ("vectors", pool.cosines))
    }
    places |= {name: {seq: n for n, seq in enumerate(find.seqs, start=1)} for name, find in finds.items()}
    items = {item.seq: item for item in pool.items}
    return Ranking(
        items=items, words=words, coverage=coverage, relevances=relevances, places=places, words_ms=words_ms
    )


def places_of(values: Mapping[int, float]) -> dict[int, int]:
    """Return the place of each number by its value, the greatest first, from 1."""
    return {
        seq: place for place, seq in enumerate(sorted(values, key=values.__getitem__, reverse=True), start=1)
    }


def add(scored: Scored, name: str, value: float) -> Scored:
    """Return a score with one more part; a part of zero is not added."""
    if not value:
        return scored
    return Scored(seq=scored.seq, score=scored.score + value, parts=(*scored.parts, (name, value)))


def _fused(
    engine: Engine, pool: Pool, asked: ResolvedQuery, ranking: Ranking, also: Set[int], most: int
) -> list[Scored]:
    settings = engine.settings
    cosines = {seq: cosine for seq, cosine in pool.cosines.items() if seq in ranking.items}
    match settings.fusion:
        case "rrf":
            depth = max(2 * asked.limit, LEAST_DEPTH)
            ranked = rank_scores(
                ranking.words,
                cosines,
                k=settings.rrf_k,
                words_share=settings.rrf_words,
                depth=depth,
                also=also,
            )
            return [_of_kind(each, ranking.items[each.seq], asked) for each in ranked]
        case "agentx":
            formula = Formula(
                weights=asked.weights,
                half_life_hours=settings.recency_half_life_hours,
                now=engine.clock(),
                depth=2 * asked.limit,
                active=asked.active != GLOBAL,
            )
            times = times_asked(asked.text)
            truths = {seq: _truth(engine, pool, item, times) for seq, item in ranking.items.items()}
            return base_scores(pool.items, cosines or ranking.words, truths, formula, also=also)
        case _:
            return _weighted(engine, pool, asked, ranking, also, most)


def _vouched(finds: Mapping[str, TechniqueResult]) -> Iterator[int]:
    for name in VOUCHING:
        if name in finds:
            yield from finds[name].seqs


def _weighted(
    engine: Engine, pool: Pool, asked: ResolvedQuery, ranking: Ranking, also: Set[int], most: int
) -> list[Scored]:
    """Return the weighted sum, then the memories that must be ranked although neither words nor meaning match."""
    fused = fuse(
        pool.line,
        words=ranking.words,
        cosines={seq: near for seq, near in pool.meaning.items() if seq in ranking.items},
        coverage=ranking.coverage,
        alone=pool.cosines,
        precise={seq: near for seq, near in pool.precise.items() if seq in ranking.items},
        signals=Signals(named=pool.speakers, times=asked.named, wanted=pool.wanted),
        weights=replace(WEIGHTS, speaker=engine.settings.speaker_boost),
        sources_of=pool.sources_of,
        # What something speaks for may rank far down by itself, and is to have its own score all the same.
        limit=len(pool.items) if also else most,
    )
    fused += [Scored(seq=seq, score=0.0, parts=()) for seq in also - {each.seq for each in fused}]
    now, times = engine.clock(), times_asked(asked.text)
    return [_in_time(engine, pool, asked, each, ranking.items[each.seq], now, times) for each in fused]


def _of_kind(scored: Scored, item: Item, asked: ResolvedQuery) -> Scored:
    """Return a score with the effect of its kind's weight."""
    name = LISTS.get(item.kind, "")
    even = _EVEN.get(name, 0.0)
    return add(scored, "kind", scored.score * (asked.weights[name] / even - 1)) if even else scored


def _in_time(
    engine: Engine,
    pool: Pool,
    asked: ResolvedQuery,
    scored: Scored,
    item: Item,
    now: int,
    times: Container[str],
) -> Scored:
    """Return a weighted score with the effects of its kind, the fact's truth and its age."""
    scored = _of_kind(scored, item, asked)
    if item.kind == "fact":
        scored = add(scored, "temporal", scored.score * (_truth(engine, pool, item, times) - 1))
    if item.kind not in ("turn", "fact"):
        return scored
    fresh = recency(item.at, now, engine.settings.recency_half_life_hours)
    return add(scored, "recency", asked.weights["recency"] * fresh)


def _truth(engine: Engine, pool: Pool, item: Item, times: Container[str]) -> float:
    return truth(pool.sources[item.seq], engine.settings, asked=times) if item.kind == "fact" else 1.0


def _with_technique_shares(
    scored: Sequence[Scored], finds: Mapping[str, TechniqueResult]
) -> Sequence[Scored]:
    """Return the scores with a share of the best for memories that a technique found, smaller further down its list."""
    best = max((each.score for each in scored), default=0.0)
    for name, share in SHARES.items():
        if name in finds and finds[name].seqs:
            lift = {seq: share * best * FALLS / (FALLS + place) for place, seq in enumerate(finds[name].seqs)}
            scored = [add(each, name, lift.get(each.seq, 0.0)) for each in scored]
    return scored


NEWER = "newer"
"""Part of the score that puts a fact before the one it contradicts."""
AHEAD = 1e-6


def newer_first(db: Connection, pool: Pool, ranking: Ranking, most: int) -> Ranking:
    """Return the ranking with every newer fact before the older one that it contradicts, by an open question.

    most: how many of the best memories are looked at."""
    best = [each for each in ranking.scored[:most] if ranking.items[each.seq].kind == "fact"]
    seqs = {pool.sources[each.seq].id: each.seq for each in best}
    scores = {each.seq: each for each in ranking.scored}
    moved = False
    for newer, older in proposing.contradictions_among(db, sorted(seqs)):
        if older not in seqs:
            continue
        ahead, behind = scores[seqs[newer]], scores[seqs[older]]
        if ahead.score <= behind.score:
            scores[seqs[newer]] = add(ahead, NEWER, behind.score - ahead.score + AHEAD)
            moved = True
    if not moved:
        return ranking
    return replace(ranking, scored=sorted(scores.values(), key=lambda each: -each.score))
