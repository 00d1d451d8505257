"""Memory: store turns, learn facts, relate memories, and browse them by subject and by time."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
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
from memdesk.model.job import Reprocess
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
from memdesk.model.status import JobState
from memdesk.model.team import AGENT, OWNER, READER
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

STORE_TURN = Post(
    "memory.store_turn",
    NewTurn,
    StoredTurn,
    "Store one turn of a conversation",
    "memory.remember:store_turn",
    role=AGENT,
)
STORE_TURNS = Post(
    "memory.store_turns",
    NewTurns,
    StoredTurns,
    "Store up to 400 turns at once",
    "memory.remember:store_turns",
    role=AGENT,
)
LEARN_FACT = Post(
    "memory.learn_fact", NewFact, Learned, "Learn a fact", "memory.remember:learn_fact", role=AGENT
)
UPSERT_ENTITY = Post(
    "memory.upsert_entity",
    NewEntity,
    Upserted,
    "Make or complete an entity",
    "memory.remember:upsert_entity",
    role=AGENT,
    face=Face(
        "entity",
        about="Make an entity, or complete the one of that name.",
        positional=("name",),
        help={"aliases": "another name of it"},
        left_out=("properties",),
        line="{created:?Made }{created:!Completed }{id}.",
    ),
)
RELATE = Post(
    "memory.relate",
    NewRelation,
    RelatedTo,
    "Relate two memories",
    "memory.remember:relate",
    role=AGENT,
    face=Face(
        "relate",
        about="Relate two memories.",
        positional=("source", "target"),
        help={"type": "the relation, such as WORKS_ON (default: RELATED_TO)"},
        left_out=("properties",),
        line="{repeated:?Known already as }{repeated:!Related as }{id}.",
    ),
)
FACTS = Get(
    "memory.facts",
    ListFacts,
    FactsPage,
    "List facts",
    "browsing.lists:facts",
    role=READER,
    face=Face(
        "facts",
        about="List facts, newest first, of one channel or of all.",
        positional=("text",),
        help={
            "text": "only claims that contain it",
            "categories": "only this category",
            "tags": "only facts that carry this tag",
            "state": "which facts (default: current)",
        },
        choices={"state": ("current", "retired", "all")},
        columns="ID {id} | SAL {salience:.2f} | CONF {confidence:.2f} | CHANNEL {channel}"
        " | CATEGORY {category} | CLAIM {claim}{pinned:? (pinned)}{question:? (contradicted)}{retired_at:? (retired)}",
        noun="fact",
    ),
)
TABLE = Get(
    "memory.table",
    AskTable,
    TablePage,
    "Facts, entities, goals or strategies, narrowed and sorted",
    "browsing.tables:table",
    role=READER,
)
FIND = Get(
    "memory.find",
    Find,
    FoundList,
    "Look for memories without reinforcing them",
    "browsing.tables:find",
    role=READER,
)
GRAPH = Get(
    "memory.graph", AskGraph, Graph, "The graph around one memory", "browsing.graph:graph", role=READER
)
SALIENCE = Get(
    "memory.salience",
    AskSalience,
    Heatmap,
    "Salience by day, and when each fades",
    "browsing.heatmap:heatmap",
    role=READER,
)
INSPECT = Get(
    "memory.inspect",
    Inspect,
    Inspection,
    "One memory whole, with its history",
    "browsing.details:inspect",
    role=READER,
    person=True,
)
CONVERSATION = Get(
    "memory.conversation",
    ReadConversation,
    ConversationView,
    "The turns of a conversation",
    "browsing.lists:conversation",
    role=READER,
)
BESIDE = Get(
    "memory.beside",
    AskBeside,
    BesideTurns,
    "Facts and tool calls that came of turns",
    "browsing.lists:derived_from_turns",
    role=READER,
    person=True,
)
CONVERSATIONS = Get(
    "memory.conversations",
    ListConversations,
    ConversationsPage,
    "List conversations, archived or not",
    "browsing.lists:conversations",
    role=READER,
    face=Face(
        "conversations list",
        about="List conversations, the one that began last first.",
        left_out=("agents", "after"),
        help={"text": "only titles that contain it", "state": "which (default: current)"},
        choices={"state": ("current", "archived", "all")},
        columns="ID {id} | BEGAN {started_at} | TURNS {turns:,} | CHANNEL {channel}"
        " | TITLE {title}{consolidated:! (not read yet)}{archived_at:? (archived)}",
        none="There is no such conversation.",
    ),
)
RECENT_TURNS = Get(
    "memory.recent_turns",
    AskRecentTurns,
    RecentTurns,
    "The turns of the last hours, newest first",
    "browsing.lists:recent_turns",
    role=READER,
)
TURN_LOG = Get(
    "memory.turn_log",
    AskTurnLog,
    TurnLog,
    "The log of turns, a page at a time",
    "browsing.lists:turn_log",
    role=READER,
)
TIMELINE = Get(
    "memory.timeline",
    AskTimeline,
    TimelinePage,
    "Every memory by the moment it is of, newest first",
    "browsing.tables:timeline",
    role=READER,
    face=Face(
        "timeline",
        about="List every memory by the moment it is of, newest first.",
        left_out=("after",),
        help={"kinds": "only this type of memory", "state": "which (default: current)"},
        choices={"state": ("current", "archived", "all")},
        columns="TIME {event_time} | TYPE {memory_type} | ID {id} | CHANNEL {channel} | WHAT {summary}",
        none="Nothing is of that time.",
    ),
)
ENTITY = Get(
    "memory.entity",
    AskEntity,
    EntityView,
    "One entity with the facts about it",
    "browsing.details:entity",
    role=READER,
)
ENTITY_GRAPH = Get(
    "memory.entity_graph",
    AskEntityGraph,
    EntityGraph,
    "What relations lead to from some entities",
    "browsing.details:entity_graph",
    role=READER,
)
REPROCESS = Post(
    "memory.reprocess",
    Reprocess,
    JobState,
    "Extract facts from a conversation again",
    "service.desk_calls:reprocess",
    role=OWNER,
    example=Reprocess(conversation_id="monday"),
    face=Face(
        "reprocess",
        about="Extract facts from a conversation again, by the present rules or model, and wait until it is done.\n"
        "What an earlier reading brought stays as it is now.",
        positional=("conversation_id",),
        line="Read again: {counts}.",
    ),
)
