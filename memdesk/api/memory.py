"""Memory: store turns, learn facts, relate memories, and browse them by subject and by time."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.browse import (
    AskBeside,
    BesideTurns,
    ConversationView,
    FactsPage,
    Find,
    FoundList,
    Inspect,
    Inspection,
    ListFacts,
    ReadConversation,
)
from memdesk.model.graph import (
    AskEntity,
    AskEntityGraph,
    AskGraph,
    AskSalience,
    EntityGraph,
    EntityView,
    Graph,
    Heatmap,
)
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
from memdesk.model.timeline import (
    AskRecentTurns,
    AskTable,
    AskTimeline,
    AskTurnLog,
    ConversationsPage,
    ListConversations,
    RecentTurns,
    TablePage,
    TimelinePage,
    TurnLog,
)

STORE_TURN = Endpoint("memory.store_turn", "POST", NewTurn, StoredTurn, "Store one turn of a conversation")
STORE_TURNS = Endpoint("memory.store_turns", "POST", NewTurns, StoredTurns, "Store up to 400 turns at once")
LEARN_FACT = Endpoint("memory.learn_fact", "POST", NewFact, Learned, "Learn a fact")
UPSERT_ENTITY = Endpoint("memory.upsert_entity", "POST", NewEntity, Upserted, "Make or complete an entity")
RELATE = Endpoint("memory.relate", "POST", NewRelation, RelatedTo, "Relate two memories")
FACTS = Endpoint("memory.facts", "GET", ListFacts, FactsPage, "List facts")
TABLE = Endpoint(
    "memory.table", "GET", AskTable, TablePage, "Facts, entities, goals or strategies, narrowed and sorted"
)
FIND = Endpoint("memory.find", "GET", Find, FoundList, "Look for memories without reinforcing them")
GRAPH = Endpoint("memory.graph", "GET", AskGraph, Graph, "The graph around one memory")
SALIENCE = Endpoint("memory.salience", "GET", AskSalience, Heatmap, "Salience by day, and when each fades")
INSPECT = Endpoint(
    "memory.inspect", "GET", Inspect, Inspection, "One memory whole, with its history", owner=True
)
CONVERSATION = Endpoint(
    "memory.conversation", "GET", ReadConversation, ConversationView, "The turns of a conversation"
)
BESIDE = Endpoint(
    "memory.beside", "GET", AskBeside, BesideTurns, "Facts and tool calls that came of turns", owner=True
)
CONVERSATIONS = Endpoint(
    "memory.conversations", "GET", ListConversations, ConversationsPage, "List conversations, archived or not"
)
RECENT_TURNS = Endpoint(
    "memory.recent_turns", "GET", AskRecentTurns, RecentTurns, "The turns of the last hours, newest first"
)
TURN_LOG = Endpoint("memory.turn_log", "GET", AskTurnLog, TurnLog, "The log of turns, a page at a time")
TIMELINE = Endpoint(
    "memory.timeline", "GET", AskTimeline, TimelinePage, "Every memory by the moment it is of, newest first"
)
ENTITY = Endpoint("memory.entity", "GET", AskEntity, EntityView, "One entity with the facts about it")
ENTITY_GRAPH = Endpoint(
    "memory.entity_graph",
    "GET",
    AskEntityGraph,
    EntityGraph,
    "What relations lead to from some entities",
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    STORE_TURN,
    STORE_TURNS,
    LEARN_FACT,
    UPSERT_ENTITY,
    RELATE,
    FACTS,
    TABLE,
    FIND,
    GRAPH,
    SALIENCE,
    INSPECT,
    CONVERSATION,
    BESIDE,
    CONVERSATIONS,
    RECENT_TURNS,
    TURN_LOG,
    TIMELINE,
    ENTITY,
    ENTITY_GRAPH,
)
