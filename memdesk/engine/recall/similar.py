"""Possible duplicates of a fact: near in meaning, in other words."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.model.browse import Similar
from memdesk.model.fact import Fact
from memdesk.store import records, search
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

SIMILAR_FROM = 0.80
"""Least cosine of the bundled table at which two claims usually have one meaning; AgentX uses 0.92 with a
larger model."""
SHOWN = 5


def similar_to(
    engine: Engine, db: Connection, fact: Fact, *, channels: tuple[str, ...]
) -> tuple[Similar, ...]:
    """Return current facts of these channels that may repeat `fact`, nearest first. Empty while it has no
    vector."""
    vector = search.vector_of(db, fact.seq, engine.embedder.name)
    if vector is None:
        return ()
    scope = Scope(user_id=fact.user_id, channels=channels, kinds=("fact",))
    near = [(seq, cosine) for seq, cosine in search.by_vector(db, vector, scope, engine.embedder.name)][
        : SHOWN * 4
    ]
    found = records.by_seq(db, [seq for seq, cosine in near if cosine >= SIMILAR_FROM])
    return tuple(
        Similar(id=other.id, title=other.claim, channel=other.channel, similarity=min(1.0, cosine))
        for seq, cosine in near
        if seq in found and (other := found[seq][1]).id != fact.id and not _same_lineage(fact, other)
    )[:SHOWN]


def _same_lineage(fact: Fact, other: Fact) -> bool:
    return fact.promoted_from == other.id or other.promoted_from == fact.id
