"""Entity-centric recall: entities that the query names or nearly means, and the facts that the graph ties to them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.recall.technique import LISTED, Find, meaning
from memdesk.engine.recall.words import terms
from memdesk.model.entity import ALIAS, ENTITY, Entity
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import FACT
from memdesk.store import browsing, recalling, recalls, records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope
from memdesk.store.words import CJK, folded

FOLLOWED = 5
"""Entities followed from one query (AgentX)."""
NAMED_LIKE = 50
"""Entities looked at for each word of the query, newest first."""
PER_STEP = 0.6
"""What a step through the graph leaves of an entity's tie to the query."""
VOUCHED = 0.6
"""How relevant a fact of an entity is that the query names, when nothing else ties it to the query."""

_CJK = re.compile(f"[{CJK}]")


@dataclass(slots=True, kw_only=True)
class _Walk:
    """What was reached: facts with their step and tie, and every entity on the way."""

    seen: set[str]
    facts: dict[str, tuple[int, float, Any]] = field(default_factory=dict)
    entities: list[Any] = field(default_factory=list)


def follow(engine: Engine, db: Connection, asked: Asked) -> Find:
    """Facts about the entities of the query, nearest step first, then the surest, then the most salient."""
    scope = Scope(user_id=asked.query.user_id, channels=asked.channels, kinds=("entity", "alias"))
    if not recalling.holds(db, scope.user_id, scope.channels, ENTITY.name):
        return Find()
    try:
        starts = entities_of(engine, db, asked, scope)
    except EmbedderUnavailable as error:
        return Find(aside=True, says=error.says)
    if not starts:
        return Find(says="The query names no known entity.")
    walk = _walk(engine, db, asked, starts)
    names = ", ".join(dict.fromkeys(entity.name for entity, _ in starts.values()))
    return Find(
        seqs=_listed(engine, db, asked, walk),
        ties={fact.seq: tie * VOUCHED for _, tie, fact in walk.facts.values()},
        says=f"Followed {names}.",
    )


def entities_of(
    engine: Engine, db: Connection, asked: Asked, scope: Scope
) -> dict[str, tuple[Entity, float]]:
    """At most FOLLOWED entities by id, each with its tie to the query: 1 when named, else its cosine."""
    found = {entity.id: (entity, 1.0) for entity in _named(db, asked.text, scope)}
    for entity, cosine in _near(engine, db, asked, scope):
        found.setdefault(entity.id, (entity, cosine))
    return dict([pair for pair in found.items() if asked.entity_type in ("", pair[1][0].type)][:FOLLOWED])


def _named(db: Connection, text: str, scope: Scope) -> list[Entity]:
    """Entities whose name, or another name of theirs, stands whole in the text; the longest name first."""
    seqs = dict.fromkeys(seq for term in terms(text) for seq in search.postings(db, term, scope, NAMED_LIKE))
    kinds = records.by_kind(db, seqs)
    plain = folded(text).lower()
    spoken: dict[str, int] = {}
    for entity in records.many(db, ENTITY, "seq", kinds.get("entity", [])):
        if stands_in(entity.name, plain):
            spoken[entity.id] = len(entity.name)
    for alias in records.many(db, ALIAS, "seq", kinds.get("alias", [])):
        if stands_in(alias.name, plain):
            spoken[alias.entity_id] = max(len(alias.name), spoken.get(alias.entity_id, 0))
    known: list[Entity] = records.many(db, ENTITY, "id", sorted(spoken))
    current = [entity for entity in known if entity.retired_at is None]
    return sorted(current, key=lambda entity: (-spoken[entity.id], entity.seq))


def stands_in(name: str, plain: str) -> bool:
    """Whether a name stands in a text that is folded and lower case: as whole words, CJK anywhere."""
    wanted = folded(name).lower().strip()
    if not wanted or _CJK.search(wanted):
        return bool(wanted) and wanted in plain
    # A Latin name between CJK characters has no space around it and is whole all the same.
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", _CJK.sub(" ", plain)) is not None


def _near(engine: Engine, db: Connection, asked: Asked, scope: Scope) -> list[tuple[Entity, float]]:
    vector = meaning(engine, [asked.text])
    if vector is None:
        return []
    only = Scope(user_id=scope.user_id, channels=scope.channels, kinds=("entity",))
    near = {
        seq: cosine
        for seq, cosine in search.by_vector(db, vector, only, engine.embedder.name)[:FOLLOWED]
        if cosine >= engine.settings.entity_similarity
    }
    found: list[Entity] = records.many(db, ENTITY, "seq", list(near))
    return sorted(((entity, near[entity.seq]) for entity in found), key=lambda pair: -pair[1])


def _walk(engine: Engine, db: Connection, asked: Asked, starts: Mapping[str, tuple[Entity, float]]) -> _Walk:
    """Breadth first from the entities of the query, with their namesakes in the other channels of the scope."""
    namesakes = semantic.entities_named(
        db, asked.query.user_id, [entity.name for entity, _ in starts.values()]
    )
    by_name = {entity.name.lower(): tie for entity, tie in starts.values()}
    front = {
        each.id: by_name.get(each.name.lower(), 1.0) for each in namesakes if each.channel in asked.channels
    }
    front |= {id: tie for id, (_, tie) in starts.items()}
    walk = _Walk(seen=set(front))
    for step in range(1, engine.settings.graph_depth + 1):
        front = _step(db, asked, walk, front, step, most=engine.settings.graph_nodes)
        if not front:
            break
    return walk


def _step(
    db: Connection, asked: Asked, walk: _Walk, front: Mapping[str, float], step: int, *, most: int
) -> dict[str, float]:
    """Reach what one relation away: facts are kept, entities are where the next step starts from."""
    ties: dict[str, float] = {}
    for source, target, _, confidence in browsing.relations_of(db, list(front), most):
        for near, far in ((source, target), (target, source)):
            if near in front and far not in walk.seen:
                ties[far] = max(ties.get(far, 0.0), front[near] * confidence * PER_STEP ** (step - 1))
    wanted = sorted(ties, key=lambda id: -ties[id])[: max(0, most - len(walk.seen))]
    walk.seen.update(wanted)
    further: dict[str, float] = {}
    for id, (kind, record) in records.by_ids(db, wanted).items():
        if not _within(asked, record):
            continue
        if kind is FACT and record.superseded_by is None:
            walk.facts[id] = (step, ties[id], record)
        elif kind is ENTITY:
            walk.entities.append(record)
            further[id] = ties[id]
    return further


def _within(asked: Asked, record: Any) -> bool:
    mine = record.user_id == asked.query.user_id and record.channel in asked.channels
    return mine and record.retired_at is None


def _listed(engine: Engine, db: Connection, asked: Asked, walk: _Walk) -> Sequence[int]:
    """Facts by step, confidence and salience; then the related entities, as they were reached."""
    found: list[int] = []
    if FACT.name in asked.kinds:
        used = recalls.uses(db, [fact.seq for _, _, fact in walk.facts.values()])
        ordered = sorted(
            walk.facts.values(),
            key=lambda each: (
                each[0],
                -each[2].confidence,
                -salience_now(engine, each[2], used.get(each[2].seq)),
            ),
        )
        found += [fact.seq for _, _, fact in ordered]
    if ENTITY.name in asked.kinds:
        found += [entity.seq for entity in walk.entities]
    return found[:LISTED]
