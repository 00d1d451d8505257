"""Recall layer: techniques that search beyond the query's own words and meaning, each timed and reported.

After AgentX's RecallLayer. Techniques find memories by number alone; the pool loads them together with the
results of words and vectors, and the ranking adds a share to the score of each for having been found another
way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.expansion import expand
from memdesk.engine.recall.following import follow
from memdesk.engine.recall.hyde import imagine
from memdesk.engine.recall.self_query import read_itself
from memdesk.engine.recall.technique import Find
from memdesk.model.recall import TECHNIQUES, Technique
from memdesk.store.connection import Connection

_LOOKS: dict[str, Callable[[Engine, Connection, Asked], Find]] = {
    "self_query": read_itself,
    "entities": follow,
    "expansion": expand,
    "hyde": imagine,
}
"""Techniques in the order they run: the query's own filters narrow all later ones. Hybrid is part of the
ranking."""


@dataclass(slots=True, kw_only=True)
class Looked:
    """Results of the techniques, in the order they ran. asked: the query as they changed it."""

    asked: Asked
    finds: dict[str, Find] = field(default_factory=dict)
    took_ms: dict[str, float] = field(default_factory=dict)

    @property
    def seqs(self) -> Sequence[int]:
        """Return all search numbers found, each once."""
        return list(dict.fromkeys(seq for find in self.finds.values() for seq in find.seqs))


def look(engine: Engine, db: Connection, asked: Asked) -> Looked:
    """Run every technique that the query or the settings ask for."""
    looked = Looked(asked=asked)
    for name, technique in _LOOKS.items():
        if name in asked.techniques:
            started = time.perf_counter()
            find = technique(engine, db, looked.asked)
            looked.asked = find.asked or looked.asked
            looked.finds[name] = find
            looked.took_ms[name] = (time.perf_counter() - started) * 1e3
    return looked


def told(
    engine: Engine, looked: Looked, reached: Iterable[int], ranked: Sequence[Technique]
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
