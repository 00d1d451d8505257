"""Merge of two memories: the lost one's relations move to the kept one, and the lost one retires with a
pointer to it.

This module only drafts edits: merging by hand, merging channels and answering a question all use it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.questions import settled
from memdesk.model.change import EDITS_AT_MOST, Edit
from memdesk.model.entity import ABOUT, ALIAS, ENTITY, RELATION, Alias, Entity, Relation
from memdesk.model.fact import FACT, Fact
from memdesk.model.ids import new_id
from memdesk.model.tag import TAG, Tag
from memdesk.store import moving, records, semantic
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
        self.edits += settled(self.db, "duplicate", self.lost.id, self.kept.id, "merge", at=self.at)

    @property
    def whole(self) -> bool:
        """True if all edits fit in one change."""
        return len(self.edits) <= STEP

    @property
    def step(self) -> list[Edit]:
        """Edits of the next step: as many as fit in one change."""
        return self.edits[:STEP]

    def _tie_relations(self) -> None:
        """Move relations to the kept memory; one that would repeat another of it, or link it to itself, is
        retired."""
        there = {self._ends(relation) for relation, _ in moving.relations_at(self.db, self.kept.id)}
        seen: set[str] = set()
        for relation, end in moving.relations_at(self.db, self.lost.id):
            ends = self._ends(relation)
            if relation.id in seen:
                continue
            if ends[0] == ends[1] or ends in there:
                self.counts["repeated"] += 1
                self.edits.append(records.moved(RELATION, relation, retired_at=self.at))
            else:
                self.counts["about" if relation.type == ABOUT else "relations"] += 1
                self.edits.append(records.moved(RELATION, relation, **{end: self.kept.id}))
            seen.add(relation.id)
            there.add(ends)

    def _ends(self, relation: Relation) -> tuple[str, str, str]:
        """Return a relation's source, target and type, with the lost memory replaced by the kept one."""
        source, target = (
            self.kept.id if id == self.lost.id else id for id in (relation.source_id, relation.target_id)
        )
        return source, target, relation.type

    def _move_tags(self) -> None:
        """Give the kept memory every tag of the lost one; if it had such a tag and lost it, the tag is
        restored."""
        own: list[Tag] = records.find(self.db, TAG, record_id=self.kept.id)
        known = {tag.name: tag for tag in own}
        lost: list[Tag] = records.find(self.db, TAG, record_id=self.lost.id, retired_at=None)
        for tag in lost:
            there = known.get(tag.name)
            self.counts["tags"] += there is None
            if there is None:
                place = {"record_id": self.kept.id, "channel": self.kept.channel}
                self.edits.append(records.moved(TAG, tag, **place))
            elif there.retired_at is not None:
                self.edits.append(records.moved(TAG, there, retired_at=None))

    def _move_names(self) -> None:
        """Give the kept entity every name of the lost one."""
        own: list[Alias] = records.find(self.db, ALIAS, entity_id=self.kept.id, retired_at=None)
        known = {self.kept.name.casefold(), *(alias.name.casefold() for alias in own)}
        aliases: list[Alias] = records.find(self.db, ALIAS, entity_id=self.lost.id, retired_at=None)
        for alias in aliases:
            if alias.name.casefold() in known:
                self.edits.append(records.moved(ALIAS, alias, retired_at=self.at))
            else:
                self.counts["names"] += 1
                place = {"entity_id": self.kept.id, "channel": self.kept.channel}
                self.edits.append(records.moved(ALIAS, alias, **place))
            known.add(alias.name.casefold())
        if self.lost.name.casefold() not in known:
            self.counts["names"] += 1
            self.edits.append(records.born(ALIAS, self._alias(self.lost.name)))

    def _alias(self, name: str) -> Alias:
        return Alias(
            seq=self.engine.store.new_seq(), id=new_id(ALIAS.prefix, self.at), user_id=self.kept.user_id,
            channel=self.kept.channel, entity_id=self.kept.id, name=name, created_at=self.at,
        )  # fmt: skip

    def _join_facts(self, lost: Fact, kept: Fact) -> None:
        """Give the kept fact the higher confidence of the two and the values it lacks, and retire the lost
        fact."""
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
        self.edits.append(records.moved(FACT, lost, superseded_by=kept.id, retired_at=self.at))

    def _free(self, key: str, kept: Fact) -> bool:
        """Return True if the kept fact may take the lost one's key: its agent has no other fact under it
        there."""
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
        self.edits.append(records.moved(ENTITY, lost, retired_at=self.at, properties=pointer))

    def _gain(self, kind: Any, kept: Any, **gained: Any) -> None:
        wanted = gained | {"pinned": max(kept.pinned, self.lost.pinned)}
        moved = {name: value for name, value in wanted.items() if value != getattr(kept, name)}
        if moved:
            self.edits.append(records.moved(kind, kept, **moved))
