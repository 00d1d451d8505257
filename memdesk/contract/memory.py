"""Memory: store, learn, relate, and browse what is there."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.browse import (
    ConversationView,
    FactsPage,
    Find,
    FoundList,
    Inspect,
    Inspection,
    ListFacts,
    ReadConversation,
)
from memdesk.model.graph import AskGraph, Graph
from memdesk.model.heatmap import AskSalience, Heatmap
from memdesk.model.remember import (
    Learned,
    NewEntity,
    NewFact,
    NewRelation,
    NewTurn,
    NewTurns,
    RelatedTo,
    StoredTurn,
    StoredTurns,
    Upserted,
)

STORE_TURN = Endpoint("memory.store_turn", "POST", NewTurn, StoredTurn, "Store one turn of a conversation")
STORE_TURNS = Endpoint("memory.store_turns", "POST", NewTurns, StoredTurns, "Store up to 400 turns at once")
LEARN_FACT = Endpoint("memory.learn_fact", "POST", NewFact, Learned, "Learn a fact")
UPSERT_ENTITY = Endpoint("memory.upsert_entity", "POST", NewEntity, Upserted, "Make or complete an entity")
RELATE = Endpoint("memory.relate", "POST", NewRelation, RelatedTo, "Relate two memories")
FACTS = Endpoint("memory.facts", "GET", ListFacts, FactsPage, "List facts")
FIND = Endpoint("memory.find", "GET", Find, FoundList, "Look for memories without reinforcing them")
GRAPH = Endpoint("memory.graph", "GET", AskGraph, Graph, "The graph around one memory")
SALIENCE = Endpoint("memory.salience", "GET", AskSalience, Heatmap, "Salience by day, and when each fades")
INSPECT = Endpoint(
    "memory.inspect", "GET", Inspect, Inspection, "One memory whole, with its history", owner=True
)
CONVERSATION = Endpoint(
    "memory.conversation", "GET", ReadConversation, ConversationView, "The turns of a conversation"
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    STORE_TURN,
    STORE_TURNS,
    LEARN_FACT,
    UPSERT_ENTITY,
    RELATE,
    FACTS,
    FIND,
    GRAPH,
    SALIENCE,
    INSPECT,
    CONVERSATION,
)
