"""Knowledge graph of a channel: its entities, the facts about them as observations, and their relations.

An observation is a fact about its entity. Its claim names the entity, so that recall finds it: `Alice:
has a dog`. The original words are its quote."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.believe import Said, believe
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft, protected
from memdesk.engine.memory.quarantine import draft_quarantined, find_doubt
from memdesk.engine.toolsets.toolset import ToolFault
from memdesk.engine.wording import shortened, tidied
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.entity import ABOUT, ENTITY, RELATION, Entity, Relation, entity_type
from memdesk.model.errors import BadAsk
from memdesk.model.fact import CERTAINTY, FACT, Fact, claim_hash
from memdesk.model.kind import new_id
from memdesk.model.tools import ToolCall
from memdesk.model.trust import QUOTED, Reader, is_trusted, of_author, of_record, quoted
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

TYPE_CHARACTERS = 60
OBSERVATION_CHARACTERS = 20_000
"""Most characters of an observation; a longer text is a document rather than a statement."""
_TYPE_GIVEN = "entityType"
_RELATION_GIVEN = "relationType"
"""Properties that keep a type in its original spelling, if the desk's spelling differs."""
_IMPLIED = "implied"
"""Property of an entity that is named in relations only and was never introduced."""
_BESIDE = "beside"
"""Property that keeps the fields of a file that the graph does not know."""
_UNTYPED = "Entity"


@dataclass(slots=True)
class Node:
    """Entity with the facts about it, in the order they were learned."""

    entity: Entity
    facts: list[Fact] = field(default_factory=list)

    @property
    def properties(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.entity.properties)
        return found

    @property
    def introduced(self) -> bool:
        """True if the entity is more than an end of relations: it was introduced, or has facts, a description
        or a type."""
        told = self.facts or self.entity.description or self.entity.type != _UNTYPED
        return bool(told) or not self.properties.get(_IMPLIED)

    @property
    def type(self) -> str:
        """Its type in the original spelling, unless the type was changed since."""
        given = str(self.properties.get(_TYPE_GIVEN, ""))
        return given if given and entity_type(given) == self.entity.type else self.entity.type

    @property
    def observations(self) -> list[str]:
        return [observation_of(fact, self.entity.name) for fact in self.facts]

    def told_to(self, reader: Reader | None) -> list[str]:
        """Return the observations for a reader, those that it does not trust as quotations; as they are for None."""
        return [
            observation
            if reader is None or is_trusted(reader.trust_in(of_record(fact), agent_id=fact.agent_id))
            else quoted(observation, fact.origin)
            for fact, observation in zip(self.facts, self.observations, strict=True)
        ]

    def spoken(self, reader: Reader | None, *, whole: bool) -> dict[str, Any]:
        """Return the node as JSON for a reader; `whole` with the extra fields of its file."""
        told = {"name": self.entity.name, "entityType": self.type, "observations": self.told_to(reader)}
        return told | (self.properties.get(_BESIDE, {}) if whole else {})

    def saying(self, observation: str) -> Fact | None:
        """Return the fact about it that matches this observation, if any."""
        said = observation
        if said.startswith(QUOTED):
            said = next((own for own, told in self._quotations() if told == said), said)
        wanted = {claim_hash(claim_of(self.entity.name, said)), claim_hash(said)}
        return next((fact for fact in self.facts if claim_hash(fact.claim) in wanted), None)

    def _quotations(self) -> Iterator[tuple[str, str]]:
        for fact, observation in zip(self.facts, self.observations, strict=True):
            yield observation, quoted(observation, fact.origin)


@dataclass(slots=True)
class Graph:
    """Nodes by their ids, and the relations that begin or end at one of them."""

    nodes: dict[str, Node]
    relations: list[Relation]
    names: dict[str, str]

    def spoken(
        self, nodes: Iterable[Node], reader: Reader | None, *, touching: bool, whole: bool = False
    ) -> dict[str, Any]:
        """Return nodes as JSON, with all relations of the graph, or only those `touching` one of these nodes.

        reader: the agent it is told to, None for a file. whole: with the extra fields of their files."""
        told = [node for node in nodes if node.introduced]
        ids = {node.entity.id for node in told}
        relations = [
            each for each in self.relations if not touching or each.source_id in ids or each.target_id in ids
        ]
        return {
            "entities": [node.spoken(reader, whole=whole) for node in told],
            "relations": [self._relation(each, whole=whole) for each in relations],
        }

    def _relation(self, each: Relation, *, whole: bool) -> dict[str, Any]:
        ends = {"from": self.names[each.source_id], "to": self.names[each.target_id]}
        beside = json.loads(each.properties).get(_BESIDE, {}) if whole else {}
        return {**ends, "relationType": relation_type_of(each), **beside}


def channel_graph(db: Connection, user_id: str, channel: str) -> Graph:
    """Return the graph of every current entity of a channel, the facts about them and the relations between
    them."""
    entities = records.find(db, ENTITY, user_id=user_id, channel=channel, retired_at=None)
    nodes = {entity.id: Node(entity) for entity in entities}
    found = _relations_of(db, nodes, "target_id")
    _tell(db, nodes, [each for each in found if each.type == ABOUT])
    between = [each for each in found if each.source_id in nodes]
    return Graph(nodes, between, {id: node.entity.name for id, node in nodes.items()})


def nodes_named(db: Connection, user_id: str, channel: str, names: Iterable[str]) -> list[Node]:
    """Return the nodes of a channel with one of these names, each once; letter case is ignored and aliases
    count."""
    nodes: dict[str, Node] = {}
    for name in names:
        found = semantic.entity_named(db, user_id, (channel,), " ".join(name.split()))
        if found is not None:
            nodes[found.id] = Node(found)
    _tell(db, nodes, _relations_of(db, nodes, "target_id", ABOUT))
    return list(nodes.values())


def opened(db: Connection, user_id: str, channel: str, names: Iterable[str]) -> Graph:
    """Return the nodes of these names with the relations that begin or end at one of them."""
    nodes = {node.entity.id: node for node in nodes_named(db, user_id, channel, names)}
    ends = _relations_of(db, nodes, "source_id") + _relations_of(db, nodes, "target_id")
    found = sorted({each.id: each for each in ends}.values(), key=lambda each: each.seq)
    ids = {id for each in found for id in (each.source_id, each.target_id)}
    entities = records.many(db, ENTITY, "id", sorted(ids | nodes.keys()))
    names_by_id = {
        each.id: each.name for each in entities if each.retired_at is None and each.channel == channel
    }
    between = [each for each in found if each.source_id in names_by_id and each.target_id in names_by_id]
    return Graph(nodes, between, names_by_id)


def claim_of(name: str, observation: str) -> str:
    """Return an observation as a claim that names its entity."""
    tidy = " ".join(observation.split())
    names_it = tidy.casefold().startswith(name.casefold()) and not tidy.startswith(f"{name}: ")
    return shortened(tidy if names_it else f"{name}: {tidy}", CLAIM_CHARACTERS)


def observation_of(fact: Fact, name: str) -> str:
    """Return a fact as an observation: in its original words, unless its claim was changed since."""
    if fact.quote and claim_of(name, fact.quote) == fact.claim:
        return fact.quote
    return fact.claim.removeprefix(f"{name}: ")


def relation_type_of(relation: Relation) -> str:
    """Return a relation's type in its original spelling, unless the type was changed since."""
    given = str(json.loads(relation.properties).get(_RELATION_GIVEN, ""))
    # An import keeps a long type as given, and cuts its spelling on the desk.
    spelled = "_".join(given.upper().split())
    return given if relation.type in (spelled, spelled[:TYPE_CHARACTERS]) else relation.type


def folded(relation_type: str) -> str:
    """Return a relation's type in the desk's spelling: `works at` is WORKS_AT."""
    return tidied(relation_type, "A relation's type", TYPE_CHARACTERS).upper().replace(" ", "_")


def introduce(
    draft: Draft, name: str, given_type: str, beside: Mapping[str, Any] | None = None
) -> tuple[str, str, bool]:
    """Draft an entity. Return its id, its name on the desk, and True if the graph had none of this name.

    beside: other fields of the source, kept with a new entity."""
    type = tidied(given_type, "An entity's type", TYPE_CHARACTERS) if given_type.strip() else _UNTYPED
    kept: dict[str, Any] = {} if entity_type(type) == type else {_TYPE_GIVEN: type}
    kept |= {_BESIDE: dict(beside)} if beside else {}
    known = nodes_named(draft.db, draft.user_id, draft.channel, [name])
    id, there = draft.entity(name, type=entity_type(type), properties=kept)
    if not known:
        return id, name, not there
    if not known[0].introduced:
        draft.complete_entity(id, type=entity_type(type), description="", properties=kept | {_IMPLIED: None})
    return id, known[0].entity.name, not known[0].introduced


def observe(draft: Draft, entity_id: str, name: str, observation: str, *, asking_only: bool = False) -> bool:
    """Draft an observation about an entity; return False if it is known.

    asking_only: it supersedes nothing, since nothing says how old it is."""
    if len(observation) > OBSERVATION_CHARACTERS:
        raise BadAsk(
            f"An observation has {len(observation):,} characters; {OBSERVATION_CHARACTERS:,} at most.",
            next="Tell it in several, one statement each.",
        )
    tidied(observation, "An observation", OBSERVATION_CHARACTERS)
    claim = claim_of(name, observation)
    told: dict[str, Any] = {
        "category": "fact",
        "confidence": CERTAINTY["explicit"],
        "temporal": None,
        "source": "explicit",
        "source_turn_id": None,
        "quote": observation,
    }
    why = find_doubt(draft, claim, observation, author="", by_person=False)
    if why is None:
        fact_id = believe(draft, claim, Said(author="", asking_only=asking_only), **told).id
    else:
        fact_id, _ = draft_quarantined(draft, why, claim, **told)
    return draft.relation(fact_id, entity_id, ABOUT, confidence=1.0, source_turn_id=None) is not None


def relate(
    draft: Draft, source: str, target: str, given_type: str, beside: Mapping[str, Any] | None = None
) -> bool:
    """Draft a relation between two entities by name, which are created if missing; return False if it is
    known.

    beside: other fields of the source."""
    ends = [draft.entity(name, properties={_IMPLIED: True})[0] for name in (source, target)]
    if ends[0] == ends[1]:
        raise BadAsk(f"“{shortened(source)}” cannot be related to itself.")
    type = folded(given_type)
    kept: dict[str, Any] = {} if type == given_type else {_RELATION_GIVEN: given_type}
    kept |= {_BESIDE: dict(beside)} if beside else {}
    born = draft.relation(ends[0], ends[1], type, confidence=1.0, source_turn_id=None, properties=kept)
    return born is not None


def only_about(db: Connection, facts: Sequence[Fact], gone: set[str]) -> list[Fact]:
    """Return those of these facts that are about no current entity except the removed ones."""
    about = [
        each
        for each in records.many(db, RELATION, "source_id", [fact.id for fact in facts])
        if each.type == ABOUT and each.retired_at is None
    ]
    entities = records.many(db, ENTITY, "id", sorted({each.target_id for each in about}))
    living = {each.id for each in entities if each.retired_at is None} - gone
    held = {each.source_id for each in about if each.target_id in living}
    return [fact for fact in facts if fact.id not in held]


def _relations_of(db: Connection, nodes: Iterable[str], end: str, *types: str) -> list[Relation]:
    found = records.many(db, RELATION, end, sorted(nodes))
    kept = [each for each in found if each.retired_at is None and (not types or each.type in types)]
    return sorted(kept, key=lambda each: each.seq)


def _tell(db: Connection, nodes: dict[str, Node], about: Sequence[Relation]) -> None:
    """Add to the nodes the current facts about them."""
    facts: dict[str, Fact] = {
        fact.id: fact
        for fact in records.many(db, FACT, "id", sorted({each.source_id for each in about}))
        if fact.retired_at is None and fact.superseded_by is None
    }
    for each in about:
        if each.source_id in facts:
            nodes[each.target_id].facts.append(facts[each.source_id])


T = TypeVar("T")
Moves = list[tuple[Any, Any]]
"""Kinds and records to retire."""
Finder = Callable[[Connection, str], Moves]
"""Finds the records to retire in a channel."""


def add(engine: Engine, call: ToolCall, title: str, fill: Callable[[Draft], T]) -> tuple[T, int | None]:
    """Add the records that `fill` drafts, in one change; return its result, and the change. Raises BadAsk for
    too many records."""
    channel = ensure_channel(engine, call.place.user_id, call.channel, author=call.author)

    def verb(db: Connection) -> tuple[Change | None, T]:
        draft = Draft(
            engine=engine,
            db=db,
            user_id=call.place.user_id,
            channel=channel,
            agent_id=call.agent or None,
            at=engine.clock(),
            door=of_author(call.author),
        )
        made = fill(draft)
        if len(draft.edits) > EDITS_AT_MOST:
            raise BadAsk(
                f"This would write {len(draft.edits)} records at once; {EDITS_AT_MOST} at most.",
                next="Send it in several calls.",
            )
        return _change(call, "learn", title, channel, draft.edits), made

    applied, made = engine.store.decide(verb)
    return made, None if applied is None else applied.id


def retire(engine: Engine, call: ToolCall, title: str, find: Finder) -> int | None:
    """Retire the records that `find` returns, in one change, or in a run of several if there are too many;
    return the last change.

    Raises ToolFault if an agent would retire records that a person pinned or wrote."""
    run, last = new_id("run", engine.clock()), None
    more = True
    while more:
        change, more = _retire_some(engine, call, title, find, run, going_on=last is not None)
        last = change or last
    return last


def graph_channel(db: Connection, call: ToolCall) -> str:
    """Return the channel whose graph a call is about."""
    return semantic.current_channel(db, call.place.user_id, call.channel)


def _retire_some(
    engine: Engine, call: ToolCall, title: str, find: Finder, run: str, *, going_on: bool
) -> tuple[int | None, bool]:
    """Retire as many records as one change permits; return the change, and True if there are more."""

    def verb(db: Connection) -> tuple[Change | None, bool]:
        channel = graph_channel(db, call)
        moves = list({record.id: (kind, record) for kind, record in find(db, channel)}.values())
        if not call.owner:
            _refuse_protected(db, call, moves)
        more, at = len(moves) > EDITS_AT_MOST, engine.clock()
        edits = [records.update_edit(kind, record, retired_at=at) for kind, record in moves[:EDITS_AT_MOST]]
        return _change(call, "retire", title, channel, edits, run=run if more or going_on else None), more

    applied, more = engine.store.decide(verb)
    return (None if applied is None else applied.id), more


def _refuse_protected(db: Connection, call: ToolCall, moves: Moves) -> None:
    kept = protected(db, [record.id for _, record in moves])
    for kind, record in moves:
        if not call.may_change(getattr(record, "agent_id", None)):
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” is of the agent {record.agent_id} "
                "and is kept. Ask the person to retire it."
            )
        if record.id in kept:
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” was pinned or written by a person and is kept. "
                "Ask them to retire it."
            )


def _change(
    call: ToolCall, op: str, title: str, channel: str, edits: Sequence[Edit], run: str | None = None
) -> Change | None:
    if not edits:
        return None
    return Change(
        op=op,
        title=title,
        author=call.author,
        edits=tuple(edits),
        channel=channel,
        user_id=call.place.user_id,
        run=run,
    )
