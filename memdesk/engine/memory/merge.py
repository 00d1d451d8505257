"""Merge by hand: two entities that are one, or two facts with the same claim. Undone as one change, or as one run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links
from memdesk.engine.memory.duplicates import closing_edits
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Applied, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import TAG, Curated, Merge, MergePreview, PreviewMerge
from memdesk.model.entity import ABOUT, ALIAS, ENTITY, RELATION, Alias, Entity, Relation
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import new_id
from memdesk.model.message import message, verbatim
from memdesk.store import moving, recalls, records, semantic
from memdesk.store.connection import Connection

MERGED_INTO = "merged_into"
"""Property of a merged entity that names the one it was merged into."""
STEP = EDITS_AT_MOST - 40
"""Most edits of one step; the rest of a change is left for the edits of the calling operation."""


@dataclass(slots=True, kw_only=True)
class Joining:
    """All edits that merge `lost` into `kept`, two facts or two entities of one user.

    Longer work is cut into steps: each step finds only the relations not yet moved, and the lost memory
    retires with the last. counts: relations, about, repeated, names, tags that move."""

    engine: Engine
    db: Connection
    lost: Any
    kept: Any
    at: int
    edits: list[Edit] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._tie_relations()
        self._move_tags()
        if isinstance(self.lost, Fact):
            self._join_facts(self.lost, self.kept)
        else:
            self._move_names()
            self._join_entities(self.lost, self.kept)
        self.edits += closing_edits(self.db, "duplicate", self.lost.id, self.kept.id, "merge", at=self.at)

    @property
    def whole(self) -> bool:
        """True if all edits fit in one change."""
        return len(self.edits) <= STEP

    @property
    def step(self) -> list[Edit]:
        """Edits of the next step: as many as fit in one change."""
        return self.edits[:STEP]

    def _tie_relations(self) -> None:
        """Move relations to the kept memory; one that would repeat another of it, or link it to itself, is retired."""
        there = {self._ends(relation) for relation, _ in moving.relations_at(self.db, self.kept.id)}
        seen: set[str] = set()
        for relation, end in moving.relations_at(self.db, self.lost.id):
            ends = self._ends(relation)
            if relation.id in seen:
                continue
            if ends[0] == ends[1] or ends in there:
                self.counts["repeated"] += 1
                self.edits.append(records.update_edit(RELATION, relation, retired_at=self.at))
            else:
                self.counts["about" if relation.type == ABOUT else "relations"] += 1
                self.edits.append(records.update_edit(RELATION, relation, **{end: self.kept.id}))
            seen.add(relation.id)
            there.add(ends)

    def _ends(self, relation: Relation) -> tuple[str, str, str]:
        """Return a relation's source, target and type, with the lost memory replaced by the kept one."""
        source, target = (
            self.kept.id if id == self.lost.id else id for id in (relation.source_id, relation.target_id)
        )
        return source, target, relation.type

    def _move_tags(self) -> None:
        """Give the kept memory every tag of the lost one; if it had such a tag and lost it, the tag is restored."""
        own = records.find(self.db, TAG, record_id=self.kept.id)
        known = {tag.name: tag for tag in own}
        lost = records.find(self.db, TAG, record_id=self.lost.id, retired_at=None)
        for tag in lost:
            there = known.get(tag.name)
            self.counts["tags"] += there is None
            if there is None:
                place = {"record_id": self.kept.id, "channel": self.kept.channel}
                self.edits.append(records.update_edit(TAG, tag, **place))
            elif there.retired_at is not None:
                self.edits.append(records.update_edit(TAG, there, retired_at=None))

    def _move_names(self) -> None:
        """Give the kept entity every name of the lost one."""
        own = records.find(self.db, ALIAS, entity_id=self.kept.id, retired_at=None)
        known = {self.kept.name.casefold(), *(alias.name.casefold() for alias in own)}
        aliases = records.find(self.db, ALIAS, entity_id=self.lost.id, retired_at=None)
        for alias in aliases:
            if alias.name.casefold() in known:
                self.edits.append(records.update_edit(ALIAS, alias, retired_at=self.at))
            else:
                self.counts["names"] += 1
                place = {"entity_id": self.kept.id, "channel": self.kept.channel}
                self.edits.append(records.update_edit(ALIAS, alias, **place))
            known.add(alias.name.casefold())
        if self.lost.name.casefold() not in known:
            self.counts["names"] += 1
            self.edits.append(records.creation_edit(ALIAS, self._alias(self.lost.name)))

    def _alias(self, name: str) -> Alias:
        return Alias(
            seq=self.engine.store.new_seq(),
            id=new_id(ALIAS.prefix, self.at),
            user_id=self.kept.user_id,
            channel=self.kept.channel,
            entity_id=self.kept.id,
            name=name,
            created_at=self.at,
        )

    def _join_facts(self, lost: Fact, kept: Fact) -> None:
        """Give the kept fact the higher confidence of the two and the values it lacks, and retire the lost fact."""
        gained = {
            name: getattr(lost, name)
            for name in ("source_turn_id", "temporal", "valid_from", "valid_to")
            if getattr(kept, name) is None
        }
        if not kept.quote:
            gained["quote"] = lost.quote
        if lost.key is not None and self._free(lost.key, kept):
            gained |= {"key": lost.key, "value": lost.value}
        self._gain(FACT, kept, confidence=max(kept.confidence, lost.confidence), **gained)
        self.edits.append(records.update_edit(FACT, lost, superseded_by=kept.id, retired_at=self.at))

    def _free(self, key: str, kept: Fact) -> bool:
        """Return True if the kept fact may take the lost one's key: its agent has no other fact under it there."""
        if kept.key is not None or kept.agent_id != self.lost.agent_id:
            return False
        holder = semantic.fact_keyed(self.db, kept.user_id, kept.channel, kept.agent_id, key)
        return holder is None or holder.id == self.lost.id

    def _join_entities(self, lost: Entity, kept: Entity) -> None:
        """Give the kept entity the values it lacks; retire the lost one with a pointer to it."""
        properties = json.loads(lost.properties)
        both = json.dumps(properties | json.loads(kept.properties), ensure_ascii=False)
        gained: dict[str, Any] = {"properties": both}
        if kept.type == "Entity":
            gained["type"] = lost.type
        if not kept.description:
            gained["description"] = lost.description
        self._gain(ENTITY, kept, **gained)
        pointer = json.dumps(properties | {MERGED_INTO: kept.id}, ensure_ascii=False)
        self.edits.append(records.update_edit(ENTITY, lost, retired_at=self.at, properties=pointer))

    def _gain(self, kind: Any, kept: Any, **gained: Any) -> None:
        wanted = gained | {"pinned": max(kept.pinned, self.lost.pinned)}
        if self.lost.trust < kept.trust and {"description", "quote"} & gained.keys():
            wanted |= {"origin": self.lost.origin, "trust": self.lost.trust}
        moved = {name: value for name, value in wanted.items() if value != getattr(kept, name)}
        if moved:
            self.edits.append(records.update_edit(kind, kept, **moved))


Pair = tuple[Any, Any]
Judge = Callable[[Connection], Pair]
"""Function that reads the two memories to merge, (lost, kept), at the time of the merge."""


def preview_merge(engine: Engine, ask: PreviewMerge) -> MergePreview:
    """Return counts of the records a merge would move, and of those it would drop as repeated. Raises as
    `merge` does."""
    with engine.store.reading() as db:
        lost, kept = mergeable_pair(db, ask.id, ask.into_id)
        found = Joining(engine=engine, db=db, lost=lost, kept=kept, at=engine.clock())
        used = recalls.uses(db, [lost.seq]).get(lost.seq)
    counts = found.counts
    return MergePreview(
        title=title_of(lost),
        into=title_of(kept),
        relations=counts["relations"],
        about=counts["about"],
        repeated=counts["repeated"],
        names=counts["names"],
        tags=counts["tags"],
        recalled=0 if used is None else used.access_count,
        changes=-(-len(found.edits) // len(found.step)),
    )


def merge(engine: Engine, ask: Merge, *, author: str) -> Curated:
    """Merge a memory into another of its kind; return the kept one, which gets the source lines of both.

    Raises NotFound, BadAsk for two of different kinds or channels, Conflict if one of them is retired;
    StorageFailed."""

    def judge(db: Connection) -> Pair:
        return mergeable_pair(db, ask.id, ask.into_id)

    run = new_id("run", engine.clock())
    applied, kept, alone = merge_in_steps(
        engine, judge, author=author, run=run, details={"reason": ask.reason}
    )
    return Curated(
        id=kept.id,
        change=applied.id,
        title=verbatim(title_of(kept)),
        run=None if alone else run,
        files=line_links.paths(engine, applied),
    )


def merge_in_steps(
    engine: Engine, judge: Judge, *, author: str, run: str, details: dict[str, Any], alone: bool = True
) -> tuple[Applied, Any, bool]:
    """Merge the two memories that `judge` returns as (lost, kept), in as many changes as needed.

    alone: if True, a merge of one change belongs to no run. Returns (its last change, the kept memory, True
    if it belongs to no run)."""
    whole = False
    while not whole:
        applied, kept, whole = _step(engine, judge, author=author, run=run, details=details, alone=alone)
        alone = alone and whole
    return applied, kept, alone


def _step(
    engine: Engine, judge: Judge, *, author: str, run: str, details: dict[str, Any], alone: bool
) -> tuple[Applied, Any, bool]:
    """Apply one change of a merge; return it, the kept memory, and True if it was the last."""

    def verb(db: Connection) -> tuple[Change | None, tuple[Any, bool]]:
        lost, kept = judge(db)
        found = Joining(engine=engine, db=db, lost=lost, kept=kept, at=engine.clock())
        if found.whole:
            moving.join_use(db, lost.seq, kept.seq)
        within = None if alone and found.whole else run
        return merge_change(found, author=author, run=within, details=details), (kept, found.whole)

    with engine.store.reading() as db:
        about = [each.id for each in judge(db)]
    applied, (kept, whole) = engine.decide(verb, about)
    assert applied is not None
    return applied, kept, whole


def merge_change(found: Joining, *, author: str, run: str | None, details: dict[str, Any]) -> Change:
    """Return the change of one step of a merge."""
    lost, kept = found.lost, found.kept
    title = message(
        "Merged “{lost}” into “{kept}”",
        lost=shortened(title_of(lost), 50),
        kept=shortened(title_of(kept), 50),
    )
    return Change.about(
        kept,
        "update",
        title,
        author=author,
        edits=found.step,
        run=run,
        details={"merged": lost.id, "into": kept.id, **found.counts, **details},
    )


def mergeable_pair(db: Connection, id: str, into_id: str) -> Pair:
    """Return the two memories of a merge, (lost, kept). Raises NotFound, BadAsk or Conflict if they cannot be
    merged."""
    (kind, lost), (other, kept) = records.any_record(db, id), records.any_record(db, into_id)
    if kind is not other or kind not in (FACT, ENTITY):
        raise BadAsk(
            message("Two facts or two entities can be merged."),
            next=message("Name two memories of one kind."),
        )
    if id == into_id:
        raise BadAsk(message("A memory cannot be merged into itself."))
    if lost.user_id != kept.user_id:
        raise BadAsk(message("Memories of two users are not merged."))
    for record in (lost, kept):
        if record.retired_at is not None or getattr(record, "superseded_by", None) is not None:
            raise Conflict(
                message("“{record}” is retired.", record=shortened(title_of(record))),
                next=message("Restore it first."),
            )
    if kept.channel not in (lost.channel, GLOBAL):
        raise BadAsk(
            message(
                "They live in two channels, {channel} and {other}.", channel=lost.channel, other=kept.channel
            ),
            next=message("Move one of them first."),
        )
    return lost, kept


def title_of(record: Fact | Entity) -> str:
    """Return a fact's claim or an entity's name."""
    return record.claim if isinstance(record, Fact) else record.name
