"""Possible duplicates: entities with nearly the same name, and facts with the same claim. Proposed, never
merged here.

Only memories that share a key are compared (a folded name, a word or an end of it, the words that carry the
meaning of a claim), not all pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.likeness import content
from memdesk.engine.memory.against import compared, kin
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.names import Names, alike
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import Entity
from memdesk.model.errors import BadAsk
from memdesk.model.fact import Fact, claim_hash
from memdesk.model.review import AskDuplicates, DuplicateList, DuplicatePair, Proposed
from memdesk.store import pairing, proposing
from memdesk.store.connection import Connection

LOOKED_AT = 20_000
"""Newest facts and newest entities that are compared."""
NEIGHBOURS = 40
"""Memories of the same key that each memory is compared with: those that follow it. A key shared by more says
little."""
PAIRS_AT_MOST = 400
KINDS = ("entity", "fact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two memories that may be one. A merge keeps the one in `_global`, else the older."""

    lost: Any
    kept: Any
    reason: str


def duplicates(engine: Engine, ask: AskDuplicates) -> DuplicateList:
    """Return pairs of current entities and facts that may be one, entities first. Raises BadAsk."""
    with engine.store.reading() as db:
        found = _found(engine, db, ask, ask.limit + 1)
        rows = tuple(_row(db, pair) for pair in found[: ask.limit])
    return DuplicateList(rows=rows, more=len(found) > ask.limit)


def propose_duplicates(engine: Engine, ask: AskDuplicates, *, author: str) -> Proposed:
    """Add possible duplicates to the review queue; a pair that was asked about before is never asked again."""
    with engine.store.reading() as db:
        found = _found(engine, db, ask, PAIRS_AT_MOST, fresh=True)[: ask.limit]

    def verb(db: Connection) -> tuple[Change | None, int]:
        edits = tuple(edit for pair in found for edit in _question(engine, db, pair))[:EDITS_AT_MOST]
        title = f"Asked about {len(edits)} possible duplicates"
        return Change(
            op="learn", title=title, author=author, edits=edits, user_id=ask.user_id
        ) if edits else None, len(edits)  # fmt: skip

    applied, proposed = engine.store.decide(verb)
    return Proposed(proposed=proposed, change=None if applied is None else applied.id)


def ordered(one: Any, other: Any) -> tuple[Any, Any]:
    """Return (lost, kept) of two memories to merge: the one in `_global` is kept, else the older."""
    newer, older = sorted((one, other), key=lambda each: int(each.seq), reverse=True)
    return (older, newer) if newer.channel == GLOBAL != older.channel else (newer, older)


def _found(
    engine: Engine, db: Connection, ask: AskDuplicates, at_most: int, *, fresh: bool = False
) -> list[Pair]:
    if not 1 <= ask.limit <= PAIRS_AT_MOST:
        raise BadAsk(f"limit lies between 1 and {PAIRS_AT_MOST}.")
    if strange := [kind for kind in ask.kinds if kind not in KINDS]:
        raise BadAsk(f"“{strange[0]}” has no duplicates; kinds are {', '.join(KINDS)}.")
    return list(
        islice((pair for pair in _pairs(engine, db, ask) if not fresh or not _asked(db, pair)), at_most)
    )


def _pairs(engine: Engine, db: Connection, ask: AskDuplicates) -> Iterator[Pair]:
    if "entity" in ask.kinds:
        yield from _entities(db, ask)
    if "fact" in ask.kinds:
        yield from _facts(engine, db, ask)


def _entities(db: Connection, ask: AskDuplicates) -> Iterator[Pair]:
    entities = pairing.newest_entities(db, ask.user_id, ask.channels, LOOKED_AT)
    aliases = pairing.aliases_by_entity(db, ask.user_id)
    names = {
        each.id: Names(name=each.name, aliases=tuple(aliases.get(each.id, ())), type=each.type)
        for each in entities
    }
    for one, other in _candidates(entities, lambda each: names[each.id].keys):
        if reason := alike(names[one.id], names[other.id]):
            lost, kept = ordered(one, other)
            yield Pair(lost=lost, kept=kept, reason=reason)


def _facts(engine: Engine, db: Connection, ask: AskDuplicates) -> Iterator[Pair]:
    facts = pairing.newest_facts(db, ask.user_id, ask.channels, LOOKED_AT)
    for one, other in _candidates(facts, _telling):
        if kin(one, other):
            continue
        cosine = pairing.cosine_between(db, one.seq, other.seq)
        if compared(engine, one, [(other, cosine)]).same:
            lost, kept = ordered(one, other)
            yield Pair(lost=lost, kept=kept, reason="the same claim, said twice")


def _telling(fact: Fact) -> frozenset[Hashable]:
    """Return the keys of a fact: its claim, and its meaningful words. Duplicates share one of them."""
    told = content(fact.claim)
    keys: set[Hashable] = {claim_hash(fact.claim)}
    if told.words:
        keys.add((frozenset(told.words), told.denied))
    return frozenset(keys)


def _candidates(
    records: Sequence[Any], keys_of: Callable[[Any], Iterable[Hashable]]
) -> Iterator[tuple[Any, Any]]:
    """Return pairs that share a key and may be merged, each once: of one channel, or one of the two in
    `_global`."""
    groups: dict[Hashable, list[Any]] = defaultdict(list)
    for record in records:
        for key in keys_of(record):
            groups[key].append(record)
    seen: set[tuple[str, str]] = set()
    for group in groups.values():
        for one, other in _near_in(group):
            ids = (one.id, other.id) if one.id < other.id else (other.id, one.id)
            if ids not in seen and (one.channel == other.channel or GLOBAL in (one.channel, other.channel)):
                seen.add(ids)
                yield one, other


def _near_in(group: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for place, one in enumerate(group):
        for other in group[place + 1 : place + 1 + NEIGHBOURS]:
            yield one, other


def _question(engine: Engine, db: Connection, pair: Pair) -> list[Edit]:
    newer, older = sorted((pair.lost, pair.kept), key=lambda each: int(each.seq), reverse=True)
    draft = Draft(
        engine=engine, db=db, user_id=newer.user_id, channel=newer.channel, agent_id=None, at=engine.clock()
    )
    draft.propose("duplicate", newer.id, older.id, reason=pair.reason, details={"kept": pair.kept.id})
    return draft.edits


def _asked(db: Connection, pair: Pair) -> bool:
    return proposing.asked(db, "duplicate", pair.lost.id, pair.kept.id)


def _row(db: Connection, pair: Pair) -> DuplicatePair:
    return DuplicatePair(
        kind="fact" if isinstance(pair.lost, Fact) else "entity", id=pair.lost.id, title=_title(pair.lost),
        channel=pair.lost.channel, kept_id=pair.kept.id, kept_title=_title(pair.kept),
        kept_channel=pair.kept.channel, reason=pair.reason, asked=_asked(db, pair),
    )  # fmt: skip


def _title(record: Fact | Entity) -> str:
    return shortened(record.claim if isinstance(record, Fact) else record.name, 200)
