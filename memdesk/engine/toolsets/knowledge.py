"""Knowledge graph of a channel: its entities, the facts about them as observations, and their relations.

An observation is a fact about its entity. Its claim names the entity, so that recall finds it: `Alice:
has a dog`. The original words are its quote. Further words that the desk takes for the same fact are kept with its
link to the entity, so that a graph is read back as it was written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.memory.believe import Said, believe
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft, merged
from memdesk.engine.memory.quarantine import draft_quarantined, find_doubt
from memdesk.engine.wording import shortened, tidied
from memdesk.model.entity import ABOUT, ENTITY, RELATION, Entity, Relation, entity_type
from memdesk.model.errors import BadAsk
from memdesk.model.fact import CERTAINTY, FACT, Fact, claim_hash
from memdesk.model.kind import Kind
from memdesk.model.message import message
from memdesk.model.trust import QUOTED, Reader, is_trusted, of_record, quoted
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

TYPE_CHARACTERS = 60
OBSERVATION_CHARACTERS = 1_000_000
"""Most characters of an observation, as of a turn. What is longer than a claim is kept whole as the fact's quote."""
_TYPE_GIVEN = "entityType"
_RELATION_GIVEN = "relationType"
"""Properties that keep a type in its original spelling, if the desk's spelling differs."""
_IMPLIED = "implied"
"""Property of an entity that is named in relations only and was never introduced."""
_BESIDE = "beside"
"""Property that keeps the fields of a file that the graph does not know."""
_OBSERVED = "observed"
"""Property of the link between a fact and an entity: the observations that it represents, with their order, and the
hash of the claim that they were made of."""
_LINES = "lines"
"""Property of an entity that is no part of the graph: lines of its file."""
LINES_CHARACTERS = 15_000
_BLANK = "blank"
"""Property of an entity: its observations without any text, with their order."""
_UNTYPED = "Entity"


@dataclass(frozen=True, slots=True)
class Move:
    """Record that a call retires, or changes as `fields` say."""

    kind: Kind[Any]
    record: Any
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observation:
    """Observation as it is read. fact: None for a blank one, which states nothing."""

    text: str
    order: int
    fact: Fact | None


@dataclass(slots=True)
class Node:
    """Entity with the facts about it, in the order they were learned."""

    entity: Entity
    facts: list[Fact] = field(default_factory=list)
    links: dict[str, Relation] = field(default_factory=dict)

    @property
    def properties(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.entity.properties)
        return found

    @property
    def introduced(self) -> bool:
        """True if the entity is more than an end of relations: it was introduced, or has facts, a description
        or a type."""
        described = self.said or self.entity.description or self.entity.type != _UNTYPED
        return bool(described) or not self.properties.get(_IMPLIED)

    @property
    def type(self) -> str:
        """Its type in the original spelling, unless the type was changed since."""
        given = str(self.properties.get(_TYPE_GIVEN, ""))
        return given if given and entity_type(given) == self.entity.type else self.entity.type

    @property
    def said(self) -> list[Observation]:
        """Its observations, in the order in which they were made."""
        found = [each for fact in self.facts for each in self._said_by(fact)]
        found += [Observation(text, order, None) for text, order in self.properties.get(_BLANK, {}).items()]
        return sorted(found, key=lambda each: each.order)

    def _said_by(self, fact: Fact) -> list[Observation]:
        link = self.links[fact.id]
        own = _texts_in(json.loads(link.properties), fact.claim) if link.properties != "{}" else {}
        texts = own or {observation_of(fact, self.entity.name): link.seq}
        return [Observation(text, order, fact) for text, order in texts.items()]

    @property
    def observations(self) -> list[str]:
        return [each.text for each in self.said]

    def observations_for(self, reader: Reader | None) -> list[str]:
        """Return the observations for a reader, those that it does not trust as quotations; as they are for None."""

        def trusts(fact: Fact | None) -> bool:
            return (
                reader is None
                or fact is None
                or is_trusted(reader.trust_in(of_record(fact), agent_id=fact.agent_id))
            )

        return [
            each.text if each.fact is None or trusts(each.fact) else quoted(each.text, each.fact.origin)
            for each in self.said
        ]

    def spoken(self, reader: Reader | None, *, whole: bool) -> dict[str, Any]:
        """Return the node as JSON for a reader; `whole` with the extra fields of its file."""
        fields = {
            "name": self.entity.name,
            "entityType": self.type,
            "observations": self.observations_for(reader),
        }
        return fields | (self.properties.get(_BESIDE, {}) if whole else {})

    def saying(self, observation: str) -> Observation | None:
        """Return the observation with this text, if any; a quotation is that of its text."""
        held = self.said
        found = next((each for each in held if each.text == observation), None)
        if found is not None or not observation.startswith(QUOTED):
            return found
        facts = (each for each in held if each.fact is not None)
        return next((each for each in facts if _quotation(each) == observation), None)

    def without(self, gone: Sequence[Observation]) -> tuple[list[Move], list[Fact]]:
        """Return the changes of properties that take observations out, and the facts that represent none any more."""
        left = [each for each in self.said if each not in gone]
        moves: list[Move] = []
        if any(each.fact is None for each in gone):
            blank = {each.text: each.order for each in left if each.fact is None}
            kept = merged(self.entity.properties, {_BLANK: blank or None})
            moves.append(Move(ENTITY, self.entity, {"properties": kept}))
        bare = []
        for fact in {each.fact.id: each.fact for each in gone if each.fact is not None}.values():
            texts = {each.text: each.order for each in left if each.fact is fact}
            if not texts:
                bare.append(fact)
                continue
            link = self.links[fact.id]
            moves.append(
                Move(RELATION, link, {"properties": merged(link.properties, _observed(fact.claim, texts))})
            )
        return moves, bare


def _quotation(observation: Observation) -> str:
    return "" if observation.fact is None else quoted(observation.text, observation.fact.origin)


def _texts_in(properties: Mapping[str, Any], claim: str) -> dict[str, int]:
    """Return the observations kept with a link; none if a person has changed the claim since."""
    held = properties.get(_OBSERVED, {})
    texts: dict[str, int] = held.get("texts", {}) if held.get("claim") == claim_hash(claim) else {}
    return texts


def _observed(claim: str, texts: Mapping[str, int]) -> dict[str, Any]:
    return {_OBSERVED: {"claim": claim_hash(claim), "texts": dict(texts)}}


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
        introduced = [node for node in nodes if node.introduced]
        ids = {node.entity.id for node in introduced}
        relations = [
            each for each in self.relations if not touching or each.source_id in ids or each.target_id in ids
        ]
        return {
            "entities": [node.spoken(reader, whole=whole) for node in introduced],
            "relations": [self._relation(each, whole=whole) for each in relations],
        }

    def _relation(self, each: Relation, *, whole: bool) -> dict[str, Any]:
        ends = {"from": self.names[each.source_id], "to": self.names[each.target_id]}
        beside = json.loads(each.properties).get(_BESIDE, {}) if whole else {}
        return {**ends, "relationType": relation_type_of(each), **beside}


def channel_graph(db: Connection, user_id: str, channel: str) -> Graph:
    """Return the graph of every current entity of a channel, the facts about them and the relations between them."""
    entities = records.find(db, ENTITY, user_id=user_id, channel=channel, retired_at=None)
    nodes = {entity.id: Node(entity) for entity in entities}
    found = _relations_of(db, nodes, "target_id")
    _add_facts(db, nodes, [each for each in found if each.type == ABOUT])
    between = [each for each in found if each.source_id in nodes]
    return Graph(nodes, between, {id: node.entity.name for id, node in nodes.items()})


def nodes_named(db: Connection, user_id: str, channel: str, names: Iterable[str]) -> list[Node]:
    """Return the nodes of a channel with one of these names, each once; letter case counts, and so do aliases."""
    nodes: dict[str, Node] = {}
    for name in names:
        found = semantic.entity_called(db, user_id, channel, " ".join(name.split()))
        if found is not None:
            nodes[found.id] = Node(found)
    _add_facts(db, nodes, _relations_of(db, nodes, "target_id", ABOUT))
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
    """Return an observation as a claim that names its entity; what was cut off a long one tells it from others."""
    claim = _cut_claim(name, observation)
    if not claim.endswith("…") or observation.rstrip().endswith("…"):
        return claim
    mark = f" [{hashlib.sha256(observation.encode()).hexdigest()[:8]}]"
    return shortened(claim, CLAIM_CHARACTERS - len(mark)) + mark


def _cut_claim(name: str, observation: str) -> str:
    tidy = " ".join(observation.split())
    names_it = tidy.casefold().startswith(name.casefold()) and not tidy.startswith(f"{name}: ")
    return shortened(tidy if names_it else f"{name}: {tidy}", CLAIM_CHARACTERS)


def observation_of(fact: Fact, name: str) -> str:
    """Return a fact as an observation: in its original words, unless its claim was changed since."""
    return _observation(fact.claim, fact.quote, name)


def _observation(claim: str, quote: str, name: str) -> str:
    if quote and claim in (claim_of(name, quote), _cut_claim(name, quote)):
        return quote
    if len(quote) > CLAIM_CHARACTERS and claim.casefold() == claim_of(name, quote).casefold():
        # The fact of another entity, "alice", that is said of "Alice" too; too long to keep twice.
        return quote
    return claim.removeprefix(f"{name}: ")


def relation_type_of(relation: Relation) -> str:
    """Return a relation's type in its original spelling, unless the type was changed since."""
    given = str(json.loads(relation.properties).get(_RELATION_GIVEN, ""))
    # An import keeps a long type as given, and cuts its spelling on the desk.
    spelled = "_".join(given.upper().split())
    return given if relation.type in (spelled, spelled[:TYPE_CHARACTERS]) else relation.type


def folded(relation_type: str) -> str:
    """Return a relation's type in the desk's spelling: `works at` is WORKS_AT."""
    return tidied(relation_type, message("A relation's type"), TYPE_CHARACTERS).upper().replace(" ", "_")


def introduce(
    draft: Draft, name: str, given_type: str, beside: Mapping[str, Any] | None = None
) -> tuple[str, str, bool]:
    """Draft an entity. Return its id, its name on the desk, and True if the graph had none of this name.

    beside: other fields of the source, kept with a new entity."""
    type = tidied(given_type, "An entity's type", TYPE_CHARACTERS) if given_type.strip() else _UNTYPED
    kept: dict[str, Any] = {} if entity_type(type) == type else {_TYPE_GIVEN: type}
    kept |= {_BESIDE: dict(beside)} if beside else {}
    known = nodes_named(draft.db, draft.user_id, draft.channel, [name])
    id, there = draft.entity(name, type=entity_type(type), properties=kept, exactly=True)
    if not known:
        return id, name, not there
    if not known[0].introduced:
        draft.complete_entity(id, type=entity_type(type), description="", properties=kept | {_IMPLIED: None})
    return id, known[0].entity.name, not known[0].introduced


def observe(draft: Draft, entity_id: str, name: str, observation: str) -> bool:
    """Draft an observation about an entity; return False if it is known in these words.

    It takes no place of another: the graph keeps both, and a person is asked which is true."""
    if len(observation) > OBSERVATION_CHARACTERS:
        raise BadAsk(
            message(
                "An observation has {count} characters; {most} at most.",
                count=f"{len(observation):,}",
                most=f"{OBSERVATION_CHARACTERS:,}",
            ),
            next=message("Tell it in several, one statement each."),
        )
    if not observation.strip():
        return _observe_blank(draft, entity_id, observation)
    tidied(observation, "An observation", OBSERVATION_CHARACTERS)
    claim = claim_of(name, observation)
    fields: dict[str, Any] = {
        "category": "fact",
        "confidence": CERTAINTY["explicit"],
        "temporal": None,
        "source": "explicit",
        "source_turn_id": None,
        "quote": observation,
    }
    why = find_doubt(draft, claim, observation, author="", by_person=False)
    if why is not None:
        fact_id, _ = draft_quarantined(draft, why, claim, **fields)
    elif len(observation) > CLAIM_CHARACTERS:
        # A text and no claim: what two long texts have in common makes neither of them known.
        fact_id, _ = draft.fact(claim, **fields)
    else:
        fact_id = believe(draft, claim, Said(author="", asking_only=True), **fields).id
    return _link(draft, fact_id, entity_id, name, observation)


def _observe_blank(draft: Draft, entity_id: str, observation: str) -> bool:
    held = draft.property_of(ENTITY, entity_id, _BLANK) or {}
    if observation in held:
        return False
    draft.set_property(ENTITY, entity_id, _BLANK, {**held, observation: draft.engine.store.new_seq()})
    return True


def _link(draft: Draft, fact_id: str, entity_id: str, name: str, observation: str) -> bool:
    """Draft that a fact represents an observation of an entity; return False if it does."""
    link = draft.link(fact_id, entity_id, ABOUT)
    claim, quote = (str(draft.field_of(FACT, fact_id, each)) for each in ("claim", "quote"))
    own = _observation(claim, quote, name)
    if link is None:
        link = draft.relation(fact_id, entity_id, ABOUT, confidence=1.0, source_turn_id=None)
        texts: dict[str, int] = {}
    else:
        held = {_OBSERVED: draft.property_of(RELATION, link, _OBSERVED) or {}}
        texts = _texts_in(held, claim) or {own: int(draft.field_of(RELATION, link, "seq"))}
    if observation in texts:
        return False
    if texts or own != draft.engine.vault.masked(observation):
        texts = {**texts, observation: draft.engine.store.new_seq()}
        assert link is not None
        draft.set_property(RELATION, link, _OBSERVED, _observed(claim, texts)[_OBSERVED])
    return True


def relate(
    draft: Draft, source: str, target: str, given_type: str, beside: Mapping[str, Any] | None = None
) -> bool:
    """Draft a relation between two entities by name, which are created if missing, or of one to itself; return
    False if it is known.

    beside: other fields of the source."""
    ends = [draft.entity(name, properties={_IMPLIED: True}, exactly=True)[0] for name in (source, target)]
    type = folded(given_type)
    kept: dict[str, Any] = {} if type == given_type else {_RELATION_GIVEN: given_type}
    kept |= {_BESIDE: dict(beside)} if beside else {}
    born = draft.relation(ends[0], ends[1], type, confidence=1.0, source_turn_id=None, properties=kept)
    return born is not None


def carry(draft: Draft, lines: Sequence[str]) -> int:
    """Draft that lines of a graph's file, which are no part of the graph, are kept; return how many are new. An entity
    that the graph does not show has them as a property.

    Raises BadAsk for a line that is longer than a record has room for."""
    known = channel_graph(draft.db, draft.user_id, draft.channel)
    held = set(carried_lines(known))
    fresh = [line for line in dict.fromkeys(lines) if line not in held]
    number = sum(_LINES in node.properties for node in known.nodes.values())
    while fresh:
        part, size = list[str](), 0
        while fresh and (not part or size + len(fresh[0]) < LINES_CHARACTERS):
            size += len(fresh[0])
            part.append(fresh.pop(0))
        number += 1
        draft.entity(
            f"Lines of a memory file, part {number}", properties={_IMPLIED: True, _LINES: part}, exactly=True
        )
    return len([line for line in dict.fromkeys(lines) if line not in held])


def carried_lines(graph: Graph) -> list[str]:
    """Return the lines that are kept next to a graph, in order."""
    return [line for node in graph.nodes.values() for line in node.properties.get(_LINES, ())]


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


def _add_facts(db: Connection, nodes: dict[str, Node], about: Sequence[Relation]) -> None:
    """Add to the nodes the current facts about them."""
    facts: dict[str, Fact] = {
        fact.id: fact
        for fact in records.many(db, FACT, "id", sorted({each.source_id for each in about}))
        if fact.retired_at is None and fact.superseded_by is None
    }
    for each in about:
        if each.source_id in facts:
            nodes[each.target_id].facts.append(facts[each.source_id])
            nodes[each.target_id].links[each.source_id] = each
