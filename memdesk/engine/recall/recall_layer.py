"""Recall layer: techniques that search beyond the query's own words and meaning, each timed and reported.

After AgentX's RecallLayer. Techniques find memories by number alone; the pool loads them together with
the results of words and vectors, and the ranking adds a share to the score of each for having been found
another way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memdesk.engine.engine import Engine
from memdesk.engine.memory.categories import meaning
from memdesk.engine.recall.query import ResolvedQuery
from memdesk.engine.recall.query_words import terms
from memdesk.engine.recall.self_query import read_filters
from memdesk.engine.recall.techniques import LISTED, TechniqueResult, expand, search_imagined
from memdesk.model.entity import ALIAS, ENTITY, Entity
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import FACT
from memdesk.model.message import message
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
    try:
        vector = meaning(engine, [asked.text])
    except EmbedderUnavailable:
        return []
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
"""Techniques in the order they run: the query's own filters narrow all later ones. Hybrid is part of the
ranking."""


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
