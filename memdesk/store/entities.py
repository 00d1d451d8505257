"""Reads about entities: the facts about one, and the relations of several."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.model.entity import RELATION, Relation
from memdesk.model.fact import FACT, Fact
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks, columns_of, read_all

_ABOUT = (
    "FROM relations JOIN facts ON facts.id = source_id WHERE target_id = ? AND type = 'ABOUT' "
    "AND relations.retired_at IS NULL AND facts.retired_at IS NULL AND superseded_by IS NULL"
)


def facts_about(db: Connection, entity_id: str, limit: int) -> tuple[int, list[Fact]]:
    """Return (number of current facts about an entity, facts by confidence, then salience, then newest
    first)."""
    columns = columns_of(FACT, qualified=True)
    total: int = db.value(f"SELECT count(DISTINCT facts.seq) {_ABOUT}", (entity_id,))
    rows = db.rows(
        f"SELECT DISTINCT {columns} {_ABOUT} "
        "ORDER BY facts.confidence DESC, facts.salience DESC, facts.seq DESC LIMIT ?",
        (entity_id, limit),
    )
    return total, read_all(db, FACT, rows)


def relations_touching(
    db: Connection, ids: Sequence[str], types: Sequence[str], limit: int
) -> list[Relation]:
    """Return current relations from or to these records, highest confidence first, at most `limit` per end
    and 500 records.

    types: only these; empty for all except DERIVED_FROM, which leads out of the graph."""
    found: dict[int, Relation] = {}
    narrowed = f"type IN ({marks(types)})" if types else "type != 'DERIVED_FROM'"
    for chunk in chunks(list(ids)):
        for end in ("source_id", "target_id"):
            rows = db.rows(
                f"SELECT {columns_of(RELATION)} FROM relations WHERE {end} IN ({marks(chunk)}) "
                f"AND retired_at IS NULL AND {narrowed} ORDER BY confidence DESC, seq LIMIT ?",
                (*chunk, *types, limit),
            )
            relations: list[Relation] = read_all(db, RELATION, rows)
            found |= {relation.seq: relation for relation in relations}
    return sorted(found.values(), key=lambda each: (-each.confidence, each.seq))
