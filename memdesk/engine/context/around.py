"""Turns around those that were recalled: with a large budget, a memory is told with what was said beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memdesk.engine.engine import Engine
from memdesk.model.instant import to_datetime
from memdesk.model.recall import Hit, Provenance
from memdesk.model.trust import Reader, is_trusted
from memdesk.store import contexts

REACH, REACH_TURNS = 2, 200
"""Turns before and after each recalled one, and one more for each so many turns that there is room for."""
TURNS_AT_MOST = 2_000


def turns_around(engine: Engine, hits: Sequence[Hit], reader: Reader, most: int) -> list[Hit]:
    """Return trusted turns next to recalled ones, nearest to the best first, at most so many; without the recalled
    ones. Nothing of them is reinforced: they were not recalled."""
    known = {hit.id for hit in hits} | {hit.provenance.turn_id for hit in hits if hit.provenance.turn_id}
    found: dict[str, Hit] = {}
    for hit in _neighbours(engine, hits, reader, REACH + most // REACH_TURNS):
        if len(found) >= min(most, TURNS_AT_MOST):
            break
        if hit.id not in known:
            found.setdefault(hit.id, hit)
    return list(found.values())


def _neighbours(engine: Engine, hits: Sequence[Hit], reader: Reader, reach: int) -> Iterator[Hit]:
    for hit in hits:
        place = hit.provenance
        if place.conversation_id is None or place.turn_index is None:
            continue
        first, last = max(0, place.turn_index - reach), place.turn_index + reach
        with engine.store.reading() as db:
            turns = contexts.turns_between(db, place.conversation_id, first, last)
        for turn in sorted(
            turns, key=lambda turn: (abs(turn.turn_index - (place.turn_index or 0)), turn.turn_index)
        ):
            trust = reader.trust_in((turn.origin, turn.trust), agent_id=turn.agent_id)
            if turn.retired_at is None and turn.agent_id == place.agent_id and is_trusted(trust):
                yield Hit(
                    id=turn.id,
                    kind="turn",
                    text=turn.content,
                    channel=turn.channel,
                    score=0.0,
                    parts=(),
                    provenance=Provenance(
                        turn_id=turn.id,
                        conversation_id=turn.conversation_id,
                        turn_index=turn.turn_index,
                        speaker=turn.speaker,
                        agent_id=turn.agent_id,
                    ),
                    at=to_datetime(turn.created_at),
                    trust=trust,
                    source=turn.origin,
                )
