"""Draft of one change. An operation fills it while reading on the writer thread, and sees the edits drafted
so far. Protection from jobs and the properties of records are decided here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.salience import faded
from memdesk.engine.wording import tidied
from memdesk.model.change import Change, Edit, Owner
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import TAG
from memdesk.model.entity import ABOUT, ALIAS, DERIVED_FROM, ENTITY, QUOTES, RELATION, entity_type
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.instant import DAY
from memdesk.model.kind import Kind, new_id
from memdesk.model.message import Message, kept_message, message
from memdesk.model.review import PROPOSAL
from memdesk.model.trust import APPROVED, DESCRIBED, Door, is_trusted, lowest, of_record
from memdesk.model.trust import PERSON as PERSON_ORIGIN
from memdesk.store import proposing, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import decided_by_people

PROPERTIES_CHARACTERS = 20_000
"""Most characters of one record's properties as JSON: they are read with every view of it, so longer texts
belong in a turn or a file."""


def merged(kept: str, wanted: Mapping[str, Any]) -> str:
    """Return the stored properties with the given ones set; None removes one. Raises BadAsk if they are too long."""
    both = {name: value for name, value in (json.loads(kept) | wanted).items() if value is not None}
    text = json.dumps(both, ensure_ascii=False)
    if len(text) > PROPERTIES_CHARACTERS:
        raise BadAsk(
            message(
                "The properties have {count} characters as JSON; {most} at most.",
                count=f"{len(text):,}",
                most=f"{PROPERTIES_CHARACTERS:,}",
            ),
            next=message("Keep long texts in a turn or a file, and name that."),
        )
    return text


PERSON = "person:"


def approval(record: Any, author: str, *, edited: bool = False) -> dict[str, Any]:
    """Return the fields that a person's approval of a record changes; none for another author. edited: the words
    are the person's now."""
    if not author.startswith(PERSON) or not hasattr(record, "trust"):
        return {}
    now = {"trust": APPROVED} | ({"origin": PERSON_ORIGIN} if edited else {})
    return {name: value for name, value in now.items() if value != getattr(record, name)}


def protected(db: Connection, ids: Collection[str]) -> set[str]:
    """Return the ids of these records that no job may retire, replace, archive or delete.

    Pinned, or decided by a person in any change but an import: a person who imports a folder has not read
    every line."""
    pinned = {id for id, (_, record) in records.by_ids(db, ids).items() if getattr(record, "pinned", 0)}
    return pinned | decided_by_people(db, [id for id in ids if id not in pinned])


def shielded(db: Connection, ids: Collection[str], author: str) -> set[str]:
    """Return the ids of these records that this author may not supersede: none for a person."""
    return set() if author.startswith(PERSON) else protected(db, ids)


CLAIM_CHARACTERS = 2_000
NAME_CHARACTERS = 200
TAG_CHARACTERS = 60
CARRIED_AT_MOST = 8
"""Most links and tags that a fact takes over from one it supersedes."""
KEPT_OF_OLD = 0.5


@dataclass(slots=True, kw_only=True)
class Draft:
    """Edits for one user and channel, which must exist, with one timestamp.

    door: where new records come from; None for derived ones. A record that names what it was derived from has the
    lowest trust of that and the door, unless a person enters it.

    A channel that was renamed or merged is replaced by the one it went into."""

    engine: Engine
    db: Connection
    user_id: str
    channel: str
    agent_id: str | None = None
    at: int
    door: Door | None = None
    edits: list[Edit] = field(default_factory=list)
    _doors: dict[str, Door] = field(default_factory=dict)
    _entities: dict[str, str] = field(default_factory=dict)
    _entities_exactly: dict[str, str] = field(default_factory=dict)
    _facts: dict[str, str] = field(default_factory=dict)
    _claimed: dict[str, dict[str, str]] = field(default_factory=dict)
    _relations: set[tuple[str, str, str]] = field(default_factory=set)
    _created: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.channel = semantic.current_channel(self.db, self.user_id, self.channel)

    @classmethod
    def of(
        cls,
        engine: Engine,
        db: Connection,
        owner: Owner,
        channel: str,
        *,
        at: int | None = None,
        door: Door | None = None,
    ) -> Draft:
        """Return a draft for the user and the agent of a record or request. at: left out, now."""
        return cls(
            engine=engine,
            db=db,
            user_id=owner.user_id,
            channel=channel,
            agent_id=owner.agent_id,
            at=engine.clock() if at is None else at,
            door=door,
        )

    def change(self, op: str, title: Message, *, author: str, **more: Any) -> Change:
        """Return the edits as one change of this user and channel. more: other fields of the change."""
        return Change.about(self, op, title, author=author, edits=self.edits, **more)

    def create(self, kind: Kind[Any], **fields: Any) -> str:
        """Draft a new record of this draft's user; return its id. fields: of the record, and `quoted` as in `fact`."""
        id = fields.pop("id", None) or new_id(kind.prefix, self.at)
        quoted = fields.pop("quoted", ())
        if "trust" in kind.columns and "trust" not in fields:
            sources = (fields.get(name) for name in ("source_turn_id", "promoted_from"))
            fields["origin"], trust = self.door_of(*filter(None, sources))
            fields["trust"] = min([trust, *(self.door_of(id)[1] for id in quoted)])
        record = kind.record(seq=self.engine.store.new_seq(), id=id, user_id=self.user_id, **fields)
        self.edits.append(records.creation_edit(kind, record))
        self._created.add(id)
        return id

    def door_of(self, *sources: str) -> Door:
        """Return the door of a new record that descends from these records."""
        if self.door == (PERSON_ORIGIN, APPROVED):
            return self.door
        new = [id for id in sources if id not in self._doors]
        self._doors |= {id: of_record(each) for id, (_, each) in records.by_ids(self.db, new).items()}
        known = [self._doors[id] for id in sources if id in self._doors]
        return lowest(known if self.door is None else (*known, self.door))

    def believes_less(self, fact: Fact, source_turn_id: str | None) -> bool:
        """Return True if what is drafted from a source must not take the place of a fact, which is trusted more."""
        _, trust = self.door_of(*filter(None, (source_turn_id,)))
        return is_trusted(fact.trust) and not is_trusted(trust)

    def fact(
        self,
        claim: str,
        *,
        category: str,
        confidence: float,
        temporal: str | None,
        source: str,
        source_turn_id: str | None,
        quote: str = "",
        promoted_from: str | None = None,
        key: str | None = None,
        value: str | None = None,
        valid_from: int | None = None,
        valid_to: int | None = None,
        retired_at: int | None = None,
        wording_of: str | None = None,
        since: int | None = None,
        quoted: Sequence[str] = (),
    ) -> tuple[str, bool]:
        """Return the fact with this claim, drafting it if the channel has none, as (id, True if it existed).

        wording_of: the id of the fact that states the same in other words; the claim is kept as a past wording of
        it, with its quote, so that a person can take it out again. since: an earlier time that the fact dates from;
        a new fact is then as old, and has faded since. The day that has just begun is no earlier time. quoted: ids of
        further turns whose words the claim has: it is trusted no more than they are."""
        if since is None or self.at - since < DAY:
            since = self.at
        mask = self.engine.vault.masked
        tidy, quote = mask(tidied(claim, message("A claim"), CLAIM_CHARACTERS)), mask(quote)
        known = self.known_fact(tidy) if wording_of is None else semantic.wording(self.db, wording_of, tidy)
        id = known or self.create(
            FACT,
            channel=self.channel,
            agent_id=self.agent_id,
            claim=tidy,
            category=category,
            confidence=confidence,
            source=source,
            source_turn_id=source_turn_id,
            quote=quote,
            temporal=temporal,
            promoted_from=promoted_from,
            superseded_by=wording_of,
            pinned=0,
            salience=self._salience(since),
            salience_at=self.at,
            created_at=since,
            key=key,
            value=value,
            valid_from=valid_from,
            valid_to=valid_to,
            retired_at=retired_at,
            quoted=quoted,
        )
        if known is not None:
            self._raise_trust(known, source_turn_id)
        self._facts[claim_hash(tidy)] = wording_of or id
        if source_turn_id is not None:
            self.relation(
                id, source_turn_id, DERIVED_FROM, confidence=confidence, source_turn_id=source_turn_id
            )
        for turn_id in quoted if known is None else ():
            self.relation(id, turn_id, QUOTES, confidence=confidence, source_turn_id=source_turn_id)
        return id, known is not None

    def _raise_trust(self, id: str, source_turn_id: str | None) -> None:
        """Draft that a fact that was not trusted is, because a trusted source states the same independently."""
        fact = records.get(self.db, FACT, id)
        origin, trust = self.door_of(*filter(None, (source_turn_id,)))
        if fact is not None and is_trusted(trust) and not is_trusted(fact.trust):
            self.edits.append(records.update_edit(FACT, fact, origin=origin, trust=trust))

    def is_held(self, claim: str) -> bool:
        """Return True if a claim is kept out of recall, or was taken out for good."""
        return proposing.quarantined_fact(self.db, self.user_id, self.channel, claim) is not None

    def supersede(self, old: Fact, new_id: str) -> None:
        """Draft that a fact is superseded by another, which takes over its links, tags and pin; it stays, as past."""
        self.edits.append(records.update_edit(FACT, old, temporal="past", superseded_by=new_id))
        new = self._as_drafted(FACT, new_id)
        if not new:
            return
        self._carry_links(old, new)
        for name in semantic.tags_on(self.db, [old.id]).get(old.id, ())[:CARRIED_AT_MOST]:
            self.tag(new_id, name)
        if old.pinned and not new["pinned"]:
            self.edits.append(Edit(FACT.name, new_id, {"pinned": 0}, {"pinned": 1}))

    def _carry_links(self, old: Fact, new: dict[str, Any]) -> None:
        """Link a fact to what its predecessor was about, without what only the old claim names."""
        links = records.find(
            self.db, RELATION, source_id=old.id, type=ABOUT, retired_at=None, limit=CARRIED_AT_MOST
        )
        was, now = old.claim.casefold(), new["claim"].casefold()
        for _, entity in records.by_ids(self.db, [link.target_id for link in links]).values():
            name = entity.name.casefold()
            if entity.retired_at is None and (name in now or name not in was):
                self.relation(new["id"], entity.id, ABOUT, confidence=1.0, source_turn_id=None)

    def _as_drafted(self, kind: Kind[Any], id: str) -> dict[str, Any]:
        """Return the fields of a record, stored or drafted here, with the edits drafted so far; empty without one."""
        stored = records.get(self.db, kind, id)
        fields: dict[str, Any] = (
            {} if stored is None else {name: getattr(stored, name) for name in kind.columns}
        )
        for edit in self.edits:
            if edit.id == id and edit.after is not None:
                fields |= edit.after
        return fields

    def propose(
        self,
        type: str,
        subject_id: str,
        other_id: str | None,
        *,
        reason: Message,
        details: dict[str, Any] | None = None,
    ) -> str | None:
        """Draft a question to a person; return its id, None if it was asked before, even if it is answered."""
        if proposing.was_proposed(self.db, type, subject_id, other_id):
            return None
        return self.question(type, subject_id, other_id, reason=reason, details=details)

    def question(
        self,
        type: str,
        subject_id: str,
        other_id: str | None,
        *,
        reason: Message,
        details: dict[str, Any] | None = None,
    ) -> str:
        """Draft a question to a person without checking for an earlier one; return its id."""
        return self.create(
            PROPOSAL,
            channel=self.channel,
            agent_id=self.agent_id,
            type=type,
            subject_id=subject_id,
            other_id=other_id,
            reason=reason,
            details=json.dumps((details or {}) | kept_message(reason), ensure_ascii=False),
            status="open",
            decision="",
            decided_at=None,
            created_at=self.at,
        )

    def tag(self, record_id: str, name: str) -> str | None:
        """Draft a tag on a record, new or restored; return its id, None if the record has it already."""
        tidy = tidied(name, message("A tag"), TAG_CHARACTERS).lower()
        if any(
            e.kind == TAG.name
            and e.after
            and (e.after.get("record_id"), e.after.get("name")) == (record_id, tidy)
            for e in self.edits
        ):
            return None
        known = records.find(self.db, TAG, record_id=record_id, name=tidy, limit=1)
        if known and known[0].retired_at is None:
            return None
        if known:
            self.edits.append(records.update_edit(TAG, known[0], retired_at=None))
            return known[0].id
        return self.create(TAG, channel=self.channel, record_id=record_id, name=tidy, created_at=self.at)

    def about(self, fact_id: str, names: tuple[str, ...], source_turn_id: str | None) -> None:
        """Draft that a fact is about these entities, creating missing ones."""
        for name in names:
            entity_id, _ = self.entity(name, source_turn_id=source_turn_id)
            self.relation(fact_id, entity_id, ABOUT, confidence=1.0, source_turn_id=source_turn_id)

    def entity(
        self,
        name: str,
        *,
        type: str = "Entity",
        description: str = "",
        aliases: tuple[str, ...] = (),
        properties: Mapping[str, Any] | None = None,
        source_turn_id: str | None = None,
        exactly: bool = False,
    ) -> tuple[str, bool]:
        """Return the entity of this name in this channel, drafting it if there is none, as (id, True if it
        existed). source_turn_id: the turn that names it. exactly: "alice" is not "Alice"."""
        tidy = tidied(name, "A name", NAME_CHARACTERS)
        origin, trust = self.door_of(*filter(None, (source_turn_id,)))
        known = self._called_exactly(tidy) if exactly else self._known_entity(tidy)
        id = known or self.create(
            ENTITY,
            channel=self.channel,
            agent_id=self.agent_id,
            name=tidy,
            type=entity_type(type),
            description=description,
            properties=merged("{}", properties or {}),
            pinned=0,
            salience=self.engine.settings.new_salience,
            salience_at=self.at,
            created_at=self.at,
            origin=origin,
            trust=self._described(origin, trust, description),
        )
        self._entities[tidy.lower()] = self._entities_exactly[tidy] = id
        for alias in aliases:
            self._alias(id, alias)
        return id, known is not None

    def complete_entity(
        self, id: str, *, type: str, description: str, properties: Mapping[str, Any] | None = None
    ) -> None:
        """Draft the missing parts of a known entity: its type if it had none, its description if it was
        empty.

        properties are always set."""
        entity = records.get(self.db, ENTITY, id)
        if entity is None:
            return
        after: dict[str, Any] = {}
        if entity.type == "Entity" and entity_type(type) != "Entity":
            after["type"] = entity_type(type)
        if not entity.description and description:
            after["description"] = description
            trust = self._described(*self.door_of(), description)
            if trust < entity.trust:
                after |= {"origin": self.door_of()[0], "trust": trust}
        if properties and (now := merged(entity.properties, properties)) != entity.properties:
            after["properties"] = now
        if after:
            self.edits.append(records.update_edit(ENTITY, entity, **after))

    def _described(self, origin: str, trust: float, description: str) -> float:
        """Return the trust of a thing with a description: nothing reads an agent's as a claim."""
        return min(trust, DESCRIBED) if description and origin != PERSON_ORIGIN else trust

    def relation(
        self,
        source_id: str,
        target_id: str,
        type: str,
        *,
        confidence: float,
        source_turn_id: str | None,
        properties: Mapping[str, Any] | None = None,
    ) -> str | None:
        """Draft a relation; return its id, None if it existed."""
        key = (source_id, target_id, type)
        known = source_id not in self._created and semantic.relation_exists(self.db, *key)
        if key in self._relations or known:
            return None
        self._relations.add(key)
        return self.create(
            RELATION,
            channel=self.channel,
            source_id=source_id,
            target_id=target_id,
            type=type,
            confidence=confidence,
            source_turn_id=source_turn_id,
            created_at=self.at,
            properties=merged("{}", properties or {}),
        )

    def _salience(self, since: int) -> float:
        """Return the salience of a new memory: faded by its age, to KEPT_OF_OLD of a new one at least, because
        it is still in use where it comes from."""
        new = self.engine.settings.new_salience
        return max(faded(new, self.at - since, self.engine.settings), KEPT_OF_OLD * new)

    def _alias(self, entity_id: str, name: str) -> None:
        tidy = tidied(name, "A name", NAME_CHARACTERS)
        if self._known_entity(tidy) is None:
            self._entities[tidy.lower()] = entity_id
            self.create(ALIAS, channel=self.channel, entity_id=entity_id, name=tidy, created_at=self.at)

    def _known_entity(self, name: str) -> str | None:
        drafted = self._entities.get(name.lower())
        if drafted is not None:
            return drafted
        found = semantic.entity_named(self.db, self.user_id, (self.channel,), name)
        return None if found is None else found.id

    def _called_exactly(self, name: str) -> str | None:
        if name in self._entities_exactly:
            return self._entities_exactly[name]
        found = semantic.entity_called(self.db, self.user_id, self.channel, name)
        return None if found is None else found.id

    def set_property(self, kind: Kind[Any], id: str, name: str, value: Any) -> None:
        """Draft one property of a record, stored or drafted here; None removes it."""
        was = str(self._as_drafted(kind, id)["properties"])
        if (now := merged(was, {name: value})) != was:
            self.edits.append(Edit(kind.name, id, {"properties": was}, {"properties": now}))

    def field_of(self, kind: Kind[Any], id: str, name: str) -> Any:
        """Return one field of a record, stored or drafted here."""
        return self._as_drafted(kind, id)[name]

    def property_of(self, kind: Kind[Any], id: str, name: str) -> Any:
        """Return one property of a record, stored or drafted here; None without it."""
        return json.loads(str(self._as_drafted(kind, id)["properties"])).get(name)

    def link(self, source_id: str, target_id: str, type: str) -> str | None:
        """Return the id of the current relation between two records, stored or drafted here."""
        for edit in self.edits:
            after = edit.after or {}
            if edit.kind == RELATION.name and (
                (after.get("source_id"), after.get("target_id"), after.get("type"))
                == (source_id, target_id, type)
            ):
                return edit.id
        found = records.find(
            self.db, RELATION, source_id=source_id, target_id=target_id, type=type, retired_at=None, limit=1
        )
        return found[0].id if found else None

    def known_fact(self, claim: str) -> str | None:
        """Return the id of the fact with this claim in the channel, drafted or stored; None if there is none."""
        drafted = self._facts.get(claim_hash(claim))
        return drafted if drafted is not None else self._stored(claim).get(self.channel)

    def known_globally(self, claim: str) -> str | None:
        """Return the id of the stored fact with this claim in `_global`; None if there is none."""
        return self._stored(claim).get(GLOBAL)

    def _stored(self, claim: str) -> dict[str, str]:
        """Return the ids of the stored facts with this claim in the channel and `_global`, read once: nothing is
        written while a change is drafted."""
        name = claim_hash(claim)
        if name not in self._claimed:
            channels = tuple(dict.fromkeys((self.channel, GLOBAL)))
            self._claimed[name] = semantic.facts_claiming(self.db, self.user_id, channels, claim)
        return self._claimed[name]
