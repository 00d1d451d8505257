"""Hits: the chosen memories as they are shown, each with its reasons and provenance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.choosing import CUTS, Left
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.narrowing import category_of
from memdesk.engine.recall.origin import origins
from memdesk.engine.recall.pool import Pool
from memdesk.engine.recall.ranking import Ranking
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.recall.sources import PassageSource
from memdesk.engine.wording import shortened
from memdesk.model.entity import Entity
from memdesk.model.fact import Fact
from memdesk.model.instant import to_datetime
from memdesk.model.procedure import Strategy
from memdesk.model.recall import Cut, Hit, Provenance, ScorePart
from memdesk.model.turn import Turn
from memdesk.store import recalls
from memdesk.store.connection import Connection


def hits_of(
    engine: Engine, db: Connection, pool: Pool, ranking: Ranking, chosen: Sequence[Scored]
) -> tuple[Hit, ...]:
    """Return the chosen memories as hits, in their order."""
    sources = [pool.sources[scored.seq] for scored in chosen]
    places = origins(db, sources)
    used = recalls.uses(db, [source.seq for source in sources if isinstance(source, Fact | Entity)])
    found = []
    for scored, source in zip(chosen, sources, strict=True):
        fades = isinstance(source, Fact | Entity)
        found.append(
            Hit(
                **shown(scored.seq, source),
                score=scored.score,
                parts=tuple(ScorePart(name=name, value=value) for name, value in scored.parts),
                provenance=_provenance(source, places),
                confidence=ranking.items[scored.seq].confidence
                if isinstance(source, Fact | Strategy)
                else None,
                salience=salience_now(engine, source, used.get(source.seq)) if fades else None,
                relevance=ranking.relevances.get(scored.seq, 0.0),
                ranks=ranks_of(scored.seq, ranking.places),
            )
        )
    return tuple(found)


def cuts_of(pool: Pool, left: Iterable[Left]) -> tuple[Cut, ...]:
    """Return the best CUTS memories that were left out."""
    found = []
    for each in list(left)[:CUTS]:
        source = shown(each.scored.seq, pool.sources[each.scored.seq])
        found.append(
            Cut(
                id=source["id"], kind=source["kind"], text=shortened(source["text"], 160), score=each.scored.score,
                by=each.by, because=each.says,
            )
        )  # fmt: skip
    return tuple(found)


def ranks_of(seq: int, places: Mapping[str, Mapping[int, int]]) -> dict[str, int]:
    """Return the place of a memory in each way of searching that found it."""
    return {name: found[seq] for name, found in places.items() if seq in found}


def shown(seq: int, source: Any) -> dict[str, Any]:
    """Return the displayed fields of a memory: id, kind, text, channel, category, at."""
    match source:
        case Turn():
            kind, text, at = "turn", source.content, source.created_at
        case Fact():
            kind, text, at = "fact", source.claim, source.created_at
        case Entity():
            kind, at = "entity", source.created_at
            text = source.name + (f": {source.description}" if source.description else "")
        case PassageSource():
            kind, text, at = "passage", source.text, source.document.updated_at
        case Strategy():
            kind, text, at = "strategy", source.description, source.created_at
        case _:
            kind, text, at = "goal", source.description, source.created_at
    owner = source.document if isinstance(source, PassageSource) else source
    lines = f"#L{source.first_line}-{source.last_line}" if isinstance(source, PassageSource) else ""
    return {
        "id": f"{owner.id}{lines}",
        "kind": kind,
        "text": text,
        "channel": owner.channel,
        "category": category_of(source),
        "at": to_datetime(at),
    }


def _provenance(source: Any, places: Mapping[str, Provenance]) -> Provenance:
    match source:
        case Turn() | Fact():
            return places.get(source.id, Provenance())
        case PassageSource():
            document = source.document
            return Provenance(
                document_id=document.id, path=document.path, agent_id=document.agent_id,
                first_line=source.first_line, last_line=source.last_line,
            )  # fmt: skip
        case _:
            return Provenance(agent_id=source.agent_id)
