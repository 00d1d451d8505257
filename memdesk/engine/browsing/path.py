"""Path between two memories: a walk from each end, joined where they first meet."""

from __future__ import annotations

from typing import Any

from memdesk.engine.browsing.walk import Walk, walk
from memdesk.model.graph import AskGraph
from memdesk.model.kind import Kind
from memdesk.store.connection import Connection

Pair = tuple[Kind, Any]


def path(db: Connection, start: Pair, end: Pair, ask: AskGraph) -> Walk:
    """Return a shortest path of at most twice the asked hops, as a walk with only the path's records, in
    order from the start.

    If none was found, the walk has only the start; `broke_off` is then true if a longer search might find
    one."""
    near, far = walk(db, *start, ask), walk(db, *end, ask)
    meetings = near.stands_for.keys() & far.stands_for.keys()
    steps = {
        id: near.hop[near.stands_for[id]] + far.hop[far.stands_for[id]]
        for id in meetings
        if near.stands_for[id] in near.hop and far.stands_for[id] in far.hop
    }
    found = Walk(broke_off=near.broke_off or far.broke_off)
    if not steps:
        found.reach(*start, 0, None)
        return found
    meeting = min(steps, key=lambda id: (steps[id], id))
    there, back = near.chain(near.stands_for[meeting])[::-1], far.chain(far.stands_for[meeting])
    same = {back[0]: there[-1]}
    order = [*there, *back[1:]]
    for place, id in enumerate(order):
        kind, record = near.found[id] if place < len(there) else far.found[id]
        found.reach(kind, record, place, order[place - 1] if place else None)
    for source, target, type in near.edges.keys() | far.edges.keys():
        ends = same.get(source, source), same.get(target, target)
        if ends[0] in found.found and ends[1] in found.found:
            confidence = near.edges.get((source, target, type), far.edges.get((source, target, type), 0.0))
            found.edges[ends[0], ends[1], type] = confidence
    return found
