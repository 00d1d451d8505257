"""Recall layer: techniques that search beyond the query's own words and meaning, or rank by more than them (the three
tiers, and a model that reads the query with each of the best memories). Each is timed and reported.

After AgentX's RecallLayer. Techniques find memories by number alone; the pool loads them together with
the results of words and vectors, and the ranking adds a share to the score of each for having been found
another way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.memory.claims import nearest_categories
from memdesk.engine.providers.embedder import likeness, meaning_or_none
from memdesk.engine.recall.candidates import Pool
from memdesk.engine.recall.fusion import Scored, stretched
from memdesk.engine.recall.query import ResolvedQuery, terms
from memdesk.engine.recall.ranking import Ranking, add, weigh
from memdesk.engine.recall.self_query import read_filters
from memdesk.engine.recall.techniques import LISTED, TechniqueResult, expand, search_imagined
from memdesk.model.entity import ALIAS, ENTITY, Entity
from memdesk.model.errors import ModelUnavailable
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.message import Message, message
from memdesk.model.recall import TECHNIQUES, Technique
from memdesk.store import recalls, records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope, Sought
from memdesk.store.words import contains_name, folded

FOLLOWED = 5
"""Most entities followed from one query (AgentX)."""
NAMED_LIKE = 50
"""Entities examined for each word of the query, newest first."""
PER_STEP = 0.6
"""Factor on an entity's tie to the query for each step through the graph."""
VOUCHED = 0.6
"""Relevance of a fact about an entity that the query names, if it has no other tie to the query."""


@dataclass(slots=True, kw_only=True)
class _Walk:
    """Result of the walk, nearest first: facts by search number with their tie to the query, and the entities
    passed."""

    facts: dict[int, float] = field(default_factory=dict)
    entities: dict[int, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.facts) + len(self.entities)


def find_by_entities(engine: Engine, db: Connection, asked: ResolvedQuery) -> TechniqueResult:
    """Find facts about the entities of the query, nearest step first, then the surest, then the most salient."""
    scope = Scope(user_id=asked.query.user_id, channels=asked.channels, kinds=("entity", "alias"))
    if not search.has_any(db, scope.user_id, scope.channels, ENTITY.name):
        return TechniqueResult()
    starts = entities_of(engine, db, asked, scope)
    if not starts:
        return TechniqueResult(says=message("The query names no known entity."))
    walk = _walk(engine, db, asked, starts)
    names = ", ".join(dict.fromkeys(entity.name for entity, _ in starts.values()))
    return TechniqueResult(
        seqs=_listed(asked, walk),
        ties={seq: tie * VOUCHED for seq, tie in walk.facts.items()},
        says=message("Followed {names}.", names=names),
    )


def entities_of(
    engine: Engine, db: Connection, asked: ResolvedQuery, scope: Scope
) -> dict[str, tuple[Entity, float]]:
    """Return at most FOLLOWED entities by id, each with its tie to the query: 1 if named, else its cosine."""
    found = {entity.id: (entity, 1.0) for entity in _named(db, asked.text, scope)}
    for entity, cosine in _near(engine, db, asked, scope):
        found.setdefault(entity.id, (entity, cosine))
    return dict([pair for pair in found.items() if asked.entity_type in ("", pair[1][0].type)][:FOLLOWED])


def _named(db: Connection, text: str, scope: Scope) -> list[Entity]:
    """Return the entities whose name or alias is in the text as complete words; the longest name first."""
    sought = [Sought(terms=(term,), most=NAMED_LIKE) for term in terms(text)]
    seqs = [seq for found in search.postings_of(db, sought, scope) for seq in found]
    kinds = search.kinds_of(db, scope, seqs)
    plain = folded(text).lower()
    spoken: dict[str, int] = {}
    for entity in records.many(db, ENTITY, "seq", kinds.get("entity", [])):
        if contains_name(entity.name, plain):
            spoken[entity.id] = len(entity.name)
    for alias in records.many(db, ALIAS, "seq", kinds.get("alias", [])):
        if contains_name(alias.name, plain):
            spoken[alias.entity_id] = max(len(alias.name), spoken.get(alias.entity_id, 0))
    known = records.many(db, ENTITY, "id", sorted(spoken))
    current = [entity for entity in known if entity.retired_at is None]
    return sorted(current, key=lambda entity: (-spoken[entity.id], entity.seq))


def _near(engine: Engine, db: Connection, asked: ResolvedQuery, scope: Scope) -> list[tuple[Entity, float]]:
    """Return the entities that the query means without naming them; none without vectors, which the recall
    reports elsewhere."""
    vector = meaning_or_none(engine.embedder, [asked.text])
    if vector is None:
        return []
    only = Scope(user_id=scope.user_id, channels=scope.channels, kinds=("entity",))
    near = {
        seq: cosine
        for seq, cosine in search.by_vector(db, vector, only, engine.embedder.name)[:FOLLOWED]
        if cosine >= engine.settings.entity_similarity
    }
    found = records.many(db, ENTITY, "seq", list(near))
    return sorted(((entity, near[entity.seq]) for entity in found), key=lambda pair: -pair[1])


def _walk(
    engine: Engine, db: Connection, asked: ResolvedQuery, starts: Mapping[str, tuple[Entity, float]]
) -> _Walk:
    """Walk the graph breadth first from the entities of the query, as far and as wide as the settings allow."""
    front = _with_namesakes(db, asked, starts)
    walk, most = _Walk(), engine.settings.graph_nodes
    met = set(front)
    for step in range(engine.settings.graph_depth):
        _collect(db, asked, walk, front, most - walk.size)
        if step + 1 == engine.settings.graph_depth or walk.size >= most:
            break
        front = _neighbours(db, asked, walk, front, met, most - walk.size)
    return walk


def _with_namesakes(
    db: Connection, asked: ResolvedQuery, starts: Mapping[str, tuple[Entity, float]]
) -> dict[str, float]:
    """Return ties by id, of the entities of the query and of those with the same name in the other channels
    of the scope."""
    by_name = {entity.name.lower(): tie for entity, tie in starts.values()}
    front = {id: tie for id, (_, tie) in starts.items()}
    for each in semantic.entities_named(
        db, asked.query.user_id, [entity.name for entity, _ in starts.values()]
    ):
        if each.channel in asked.channels:
            front.setdefault(each.id, by_name.get(each.name.lower(), 1.0))
    return front


def _collect(
    db: Connection, asked: ResolvedQuery, walk: _Walk, front: Mapping[str, float], room: int
) -> None:
    """Add the facts about these entities to the walk, the surest first."""
    for seq, entity, confidence in recalls.facts_about(
        db, list(front), user_id=asked.query.user_id, channels=asked.channels, most=room
    ):
        walk.facts.setdefault(seq, front[entity] * confidence)


def _neighbours(
    db: Connection, asked: ResolvedQuery, walk: _Walk, front: Mapping[str, float], met: set[str], room: int
) -> dict[str, float]:
    """Return the entities one relation further, with their reduced ties; entities already met are left out."""
    further: dict[str, float] = {}
    for near, far, seq, confidence in recalls.related_entities(
        db, list(front), user_id=asked.query.user_id, channels=asked.channels, most=room
    ):
        if far not in met:
            walk.entities[seq] = far
            further[far] = max(further.get(far, 0.0), front[near] * confidence * PER_STEP)
    met.update(further)
    return further


def _listed(asked: ResolvedQuery, walk: _Walk) -> Sequence[int]:
    """Return facts, then related entities, of the kinds that were asked for, at most LISTED."""
    facts = walk.facts if FACT.name in asked.kinds else ()
    entities = walk.entities if ENTITY.name in asked.kinds else ()
    return [*facts, *entities][:LISTED]


_LOOKS: dict[str, Callable[[Engine, Connection, ResolvedQuery], TechniqueResult]] = {
    "self_query": read_filters,
    "entities": find_by_entities,
    "expansion": expand,
    "hyde": search_imagined,
}
"""Techniques in the order they run: the query's own filters narrow all later ones. Hybrid is part of the ranking."""


@dataclass(slots=True, kw_only=True)
class LayerResult:
    """Results of the techniques, in the order they ran. asked: the query as they changed it."""

    asked: ResolvedQuery
    finds: dict[str, TechniqueResult] = field(default_factory=dict)
    took_ms: dict[str, float] = field(default_factory=dict)

    @property
    def seqs(self) -> Sequence[int]:
        """Return all search numbers found, each once."""
        return list(dict.fromkeys(seq for find in self.finds.values() for seq in find.seqs))


def run_techniques(engine: Engine, db: Connection, asked: ResolvedQuery) -> LayerResult:
    """Run every technique that the query or the settings ask for."""
    looked = LayerResult(asked=asked)
    for name, technique in _LOOKS.items():
        if name in asked.techniques:
            started = time.perf_counter()
            find = technique(engine, db, looked.asked)
            looked.asked = find.asked or looked.asked
            looked.finds[name] = find
            looked.took_ms[name] = (time.perf_counter() - started) * 1e3
    return looked


def technique_reports(
    engine: Engine, looked: LayerResult, reached: Iterable[int], ranked: Sequence[Technique]
) -> tuple[Technique, ...]:
    """Return the report of each technique, in the order of TECHNIQUES, and count it in the metrics.

    reached: search numbers found by words and vectors before any technique. ranked: techniques that are a
    part of the ranking."""
    known = set(reached)
    said = {technique.name: technique for technique in ranked}
    for name, find in looked.finds.items():
        said[name] = Technique(
            name=name,
            took_ms=looked.took_ms[name],
            found=len(find.seqs),
            added=len(set(find.seqs) - known),
            note=find.says,
        )
        known.update(find.seqs)
        if find.aside:
            engine.recall_metrics.stepped_aside(name)
    for each in said.values():
        engine.recall_metrics.ran(each.name, each.took_ms, found=each.found, added=each.added)
    return tuple(said[name] for name in (*TECHNIQUES, "tiers") if name in said)


CATEGORIES = 3
VECTOR_SHARE = 0.7
KEYWORD_SHARE = 0.3
"""Share of the words in a score; it, CATEGORIES and VECTOR_SHARE are OpenLegion's values."""


def rank_by_tiers(
    engine: Engine, db: Connection, pool: Pool, asked: ResolvedQuery, finds: Mapping[str, TechniqueResult]
) -> Ranking:
    """Rank facts of the three nearest categories first, then, if they are fewer than the limit, all others."""
    ranking = weigh(pool, asked, finds)
    started = time.perf_counter()
    near = _near_categories(engine, db, asked)
    facts = [item.seq for item in pool.items if item.kind == FACT.name]
    scored = _scored(engine, db, pool, ranking, facts)
    scoped = [each for each in scored if pool.sources[each.seq].category in near]
    flat = [each for each in scored if pool.sources[each.seq].category not in near]
    ranking.scored = scoped if len(scoped) >= asked.limit else [*scoped, *flat]
    ranking.places["categories"] = {each.seq: place for place, each in enumerate(scoped, start=1)}
    ranking.tiers = Technique(
        name="tiers",
        took_ms=(time.perf_counter() - started) * 1e3,
        found=len(scoped),
        note=message("Nearest categories: {near}.", near=", ".join(near))
        if near
        else message("No category could be compared."),
    )
    return ranking


def _near_categories(engine: Engine, db: Connection, asked: ResolvedQuery) -> Sequence[str]:
    """Return the categories nearest to the query, nearest first; none if there are no vectors."""
    vector = meaning_or_none(engine.embedder, [asked.text])
    if vector is None:
        return ()
    centres = recalls.centroids(db, asked.query.user_id, asked.channels)
    return nearest_categories(centres, vector, CATEGORIES)


def _scored(
    engine: Engine, db: Connection, pool: Pool, ranking: Ranking, facts: Sequence[int]
) -> list[Scored]:
    """Return (0.7 × likeness + 0.3 × words) × boost for each fact, best first."""
    used = recalls.uses(db, facts)
    words = stretched({seq: ranking.words[seq] for seq in facts if seq in ranking.words}, equal=1.0)
    now = engine.clock()
    scored = []
    for seq in facts:
        base = Scored(seq=seq, score=0.0, parts=())
        if seq in pool.cosines:
            base = add(base, "meaning", VECTOR_SHARE * likeness(pool.cosines[seq]))
        base = add(base, "words", KEYWORD_SHARE * words.get(seq, 0.0))
        use = used.get(seq)
        days = 0.0 if use is None else max(0, now - use.last_accessed) / DAY
        boost = salience.boost(0 if use is None else use.access_count, days)
        scored.append(add(base, "boost", base.score * (boost - 1)))
    return sorted(scored, key=lambda each: (-each.score, each.seq))


RERANK = "rerank"
JUDGED = 30
"""Memories that the reranker reads, the best first: three times the default limit of a recall."""
RERANK_WEIGHT = 1.0
"""Share of the best score that the reranker's best memory gains: as much as all other signals together."""
JUDGED_CHARACTERS = 2000
"""Most characters of each memory; rerankers read about 500 tokens."""


def rerank(engine: Engine, ranking: Ranking, asked: ResolvedQuery) -> Ranking:
    """Return the ranking with the reranker's scores, if the query asks for it.

    The reranker's scores are stretched from the lowest, 0, to the highest, 1, because their scale differs by
    model."""
    if RERANK not in asked.techniques or not ranking.scored:
        return ranking
    started = time.perf_counter()
    best = ranking.scored[:JUDGED]
    texts = [ranking.items[each.seq].text[:JUDGED_CHARACTERS] for each in best]
    try:
        if engine.models.reranker is None:
            raise ModelUnavailable(message("No reranker is set."))
        judged = stretched(engine.models.reranker.scores(asked.text, texts), equal=1.0)
    except ModelUnavailable as away:
        engine.recall_metrics.stepped_aside(RERANK)
        return replace(
            ranking, reranked=_rerank_report(started, 0, message("{says} The order stays.", says=away.says))
        )
    worth = RERANK_WEIGHT * best[0].score
    # What it left unjudged gains nothing, and what it did not read stays behind what it read.
    scored = [add(each, RERANK, worth * judged.get(at, 0.0)) for at, each in enumerate(best)]
    scored.sort(key=lambda each: -each.score)
    order = sorted(judged, key=lambda at: -judged[at])
    places = {best[at].seq: place for place, at in enumerate(order, start=1)}
    return replace(
        ranking,
        scored=[*scored, *ranking.scored[JUDGED:]],
        places=ranking.places | {RERANK: places},
        reranked=_rerank_report(
            started, len(judged), message("Judged by {reranker}.", reranker=engine.models.reranker.name)
        ),
    )


def _rerank_report(started: float, found: int, note: Message) -> Technique:
    return Technique(name=RERANK, took_ms=(time.perf_counter() - started) * 1e3, found=found, note=note)
