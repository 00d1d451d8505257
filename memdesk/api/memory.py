"""Memory: store turns, learn facts, relate memories, and browse them by subject and by time."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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

STORE_TURN = Endpoint(
    "memory.store_turn",
    "POST",
    NewTurn,
    StoredTurn,
    "Store one turn of a conversation",
    verb="engine.memory.remember:store_turn",
)
STORE_TURNS = Endpoint(
    "memory.store_turns",
    "POST",
    NewTurns,
    StoredTurns,
    "Store up to 400 turns at once",
    verb="engine.memory.remember:store_turns",
)
LEARN_FACT = Endpoint(
    "memory.learn_fact", "POST", NewFact, Learned, "Learn a fact", verb="engine.memory.remember:learn_fact"
)
UPSERT_ENTITY = Endpoint(
    "memory.upsert_entity",
    "POST",
    NewEntity,
    Upserted,
    "Make or complete an entity",
    verb="engine.memory.remember:upsert_entity",
    face=Face(
        words="entity",
        about="Make an entity, or complete the one of that name.",
        positional=("name",),
        options={"aliases": "alias"},
        left_out=("properties",),
        line="{created:?Made }{created:!Completed }{id}.",
    ),
)
RELATE = Endpoint(
    "memory.relate",
    "POST",
    NewRelation,
    RelatedTo,
    "Relate two memories",
    verb="engine.memory.remember:relate",
    face=Face(
        words="relate",
        about="Relate two memories.",
        positional=("source", "target"),
        left_out=("properties",),
        line="{repeated:?Known already as }{repeated:!Related as }{id}.",
    ),
)
FACTS = Endpoint(
    "memory.facts",
    "GET",
    ListFacts,
    FactsPage,
    "List facts",
    verb="engine.browsing.lists:facts",
    face=Face(
        words="facts",
        about="List facts, newest first, of one channel or of all.",
        positional=("text",),
        options={"categories": "category", "tags": "tag"},
        help={
            "text": "only claims that contain it",
            "categories": "only this category",
            "tags": "only facts that carry this tag",
            "limit": "rows at most",
            "first": "rows to skip",
        },
        choices={"state": ("current", "retired", "all")},
        columns=(
            ("ID", "{id}"),
            ("SAL", "{salience:.2f}"),
            ("CONF", "{confidence:.2f}"),
            ("CHANNEL", "{channel}"),
            ("CATEGORY", "{category}"),
            ("CLAIM", "{claim}{pinned:? (pinned)}{retired_at:? (retired)}"),
        ),
        noun="fact",
    ),
)
TABLE = Endpoint(
    "memory.table",
    "GET",
    AskTable,
    TablePage,
    "Facts, entities, goals or strategies, narrowed and sorted",
    verb="engine.browsing.tables:table",
)
FIND = Endpoint(
    "memory.find",
    "GET",
    Find,
    FoundList,
    "Look for memories without reinforcing them",
    verb="engine.browsing.tables:find",
)
GRAPH = Endpoint(
    "memory.graph", "GET", AskGraph, Graph, "The graph around one memory", verb="engine.browsing.graph:graph"
)
SALIENCE = Endpoint(
    "memory.salience",
    "GET",
    AskSalience,
    Heatmap,
    "Salience by day, and when each fades",
    verb="engine.browsing.heatmap:heatmap",
)
INSPECT = Endpoint(
    "memory.inspect",
    "GET",
    Inspect,
    Inspection,
    "One memory whole, with its history",
    owner=True,
    verb="engine.browsing.details:inspect",
)
CONVERSATION = Endpoint(
    "memory.conversation",
    "GET",
    ReadConversation,
    ConversationView,
    "The turns of a conversation",
    verb="engine.browsing.lists:conversation",
)
BESIDE = Endpoint(
    "memory.beside",
    "GET",
    AskBeside,
    BesideTurns,
    "Facts and tool calls that came of turns",
    owner=True,
    verb="engine.browsing.lists:derived_from_turns",
)
CONVERSATIONS = Endpoint(
    "memory.conversations",
    "GET",
    ListConversations,
    ConversationsPage,
    "List conversations, archived or not",
    verb="engine.browsing.lists:conversations",
)
RECENT_TURNS = Endpoint(
    "memory.recent_turns",
    "GET",
    AskRecentTurns,
    RecentTurns,
    "The turns of the last hours, newest first",
    verb="engine.browsing.lists:recent_turns",
)
TURN_LOG = Endpoint(
    "memory.turn_log",
    "GET",
    AskTurnLog,
    TurnLog,
    "The log of turns, a page at a time",
    verb="engine.browsing.lists:turn_log",
)
TIMELINE = Endpoint(
    "memory.timeline",
    "GET",
    AskTimeline,
    TimelinePage,
    "Every memory by the moment it is of, newest first",
    verb="engine.browsing.tables:timeline",
)
ENTITY = Endpoint(
    "memory.entity",
    "GET",
    AskEntity,
    EntityView,
    "One entity with the facts about it",
    verb="engine.browsing.details:entity",
)
ENTITY_GRAPH = Endpoint(
    "memory.entity_graph",
    "GET",
    AskEntityGraph,
    EntityGraph,
    "What relations lead to from some entities",
    verb="engine.browsing.details:entity_graph",
)
