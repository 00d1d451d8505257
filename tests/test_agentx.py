"""Every column, relation, method, job and setting that AgentX's architecture names has one home here, and it exists.

A home is written as `table.column`, `call NAME`, `relation NAME`, `job NAME`, `setting NAME`, `operation NAME`, or the
dotted place of what works it out when read.
"""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from memdesk.api.endpoints import ENDPOINTS
from memdesk.engine.jobs.schedule import JOBS
from memdesk.files.settings import FIELDS
from memdesk.model.channel import LOCAL_USER
from memdesk.model.entity import ABOUT, BLOCKED_BY, DERIVED_FROM, ENTITY_RELATIONS, MENTIONS
from memdesk.model.fact import CERTAINTY
from memdesk.model.goal import STATUSES
from memdesk.model.history import OPERATIONS
from memdesk.model.settings import DEFAULTS, NAMES
from memdesk.model.working import job_key, lock_key, session_key, working_key
from memdesk.store.audit_log import COLUMNS as AUDIT_COLUMNS
from memdesk.store.connection import Connection
from memdesk.store.store import Store

COLUMNS = {
    "Conversation.id": "conversations.id",
    "Conversation.user_id": "conversations.user_id",
    "Conversation.channel": "conversations.channel",
    "Conversation.started_at": "conversations.started_at",
    "Conversation.title": "conversations.title",
    "Conversation.consolidated": "conversations.consolidated_at",
    "Conversation.patterns_extracted": "conversations.patterns_at",
    "Conversation.archived": "conversations.archived_at",
    "Turn.id": "turns.id",
    "Turn.user_id": "turns.user_id",
    "Turn.channel": "turns.channel",
    "Turn.index": "turns.turn_index",
    "Turn.timestamp": "turns.created_at",
    "Turn.role": "turns.role",
    "Turn.content": "turns.content",
    "Turn.embedding": "embeddings.vector",
    "Turn.token_count": "turns.token_count",
    "Turn.archived": "conversations.archived_at",
    "Entity.id": "entities.id",
    "Entity.user_id": "entities.user_id",
    "Entity.channel": "entities.channel",
    "Entity.name": "entities.name",
    "Entity.type": "entities.type",
    "Entity.aliases": "aliases.name",
    "Entity.description": "entities.description",
    "Entity.embedding": "embeddings.vector",
    "Entity.salience": "entities.salience",
    "Entity.first_seen": "entities.created_at",
    "Entity.last_accessed": "usage.last_accessed",
    "Entity.access_count": "usage.access_count",
    "Entity.properties": "entities.properties",
    "Fact.id": "facts.id",
    "Fact.user_id": "facts.user_id",
    "Fact.channel": "facts.channel",
    "Fact.claim": "facts.claim",
    "Fact.confidence": "facts.confidence",
    "Fact.source": "facts.source",
    "Fact.source_turn_id": "facts.source_turn_id",
    "Fact.embedding": "embeddings.vector",
    "Fact.created_at": "facts.created_at",
    "Goal.id": "goals.id",
    "Goal.user_id": "goals.user_id",
    "Goal.channel": "goals.channel",
    "Goal.description": "goals.description",
    "Goal.status": "goals.status",
    "Goal.priority": "goals.priority",
    "Goal.created_at": "goals.created_at",
    "Goal.completed_at": "goals.completed_at",
    "Goal.result": "goals.result",
    "Goal.deadline": "goals.deadline",
    "Goal.embedding": "embeddings.vector",
    "Strategy.id": "strategies.id",
    "Strategy.user_id": "strategies.user_id",
    "Strategy.channel": "strategies.channel",
    "Strategy.description": "strategies.description",
    "Strategy.context_pattern": "strategies.context_pattern",
    "Strategy.tool_sequence": "strategies.tool_sequence",
    "Strategy.embedding": "embeddings.vector",
    "Strategy.success_count": "outcomes.success",
    "Strategy.failure_count": "outcomes.success",
    "Strategy.created_at": "strategies.created_at",
    "Strategy.last_used": "outcomes.created_at",
    "Tool.name": "tool_stats.tool_name",
    "Tool.usage_count": "tool_stats.usage_count",
    "Tool.success_count": "tool_stats.success_count",
    "Tool.avg_latency_ms": "tool_stats.latency_ms",
    "conversation_logs.id": "turns.seq",
    "conversation_logs.conversation_id": "turns.conversation_id",
    "conversation_logs.turn_index": "turns.turn_index",
    "conversation_logs.timestamp": "turns.created_at",
    "conversation_logs.role": "turns.role",
    "conversation_logs.content": "turns.content",
    "conversation_logs.content_hash": "memdesk.model.timeline:LoggedTurn",
    "conversation_logs.token_count": "turns.token_count",
    "conversation_logs.model": "turns.model",
    "conversation_logs.channel": "turns.channel",
    "conversation_logs.metadata": "turns.metadata",
    "conversation_logs.embedding": "embeddings.vector",
    "memory_timeline.id": "records.seq",
    "memory_timeline.memory_type": "records.kind",
    "memory_timeline.neo4j_node_id": "records.id",
    "memory_timeline.event_time": "turns.created_at",
    "memory_timeline.summary": "call memory.timeline",
    "memory_timeline.embedding": "embeddings.vector",
    "memory_timeline.importance_score": "memdesk.engine.memory.rows:salience_now",
    "memory_timeline.access_count": "usage.access_count",
    "memory_timeline.last_accessed": "usage.last_accessed",
    "memory_timeline.channel": "turns.channel",
    "memory_timeline.archived": "conversations.archived_at",
    "memory_timeline.metadata": "turns.metadata",
    "tool_invocations.id": "tool_calls.id",
    "tool_invocations.conversation_id": "tool_calls.conversation_id",
    "tool_invocations.turn_index": "tool_calls.turn_id",
    "tool_invocations.timestamp": "tool_calls.created_at",
    "tool_invocations.tool_name": "tool_calls.tool_name",
    "tool_invocations.tool_input": "tool_calls.tool_input",
    "tool_invocations.tool_output": "tool_calls.tool_output",
    "tool_invocations.success": "tool_calls.success",
    "tool_invocations.latency_ms": "tool_calls.latency_ms",
    "tool_invocations.error_message": "tool_calls.error_message",
    "tool_invocations.channel": "tool_calls.channel",
    "user_profiles.user_id": "traits.user_id",
    "user_profiles.created_at": "traits.created_at",
    "user_profiles.updated_at": "traits.updated_at",
    "user_profiles.preferences": "traits.value",
    "user_profiles.expertise_areas": "traits.value",
    "user_profiles.communication_style": "traits.value",
    "user_profiles.metadata": "traits.value",
    "memory_audit_log.id": "audit event",
    "memory_audit_log.timestamp": "audit timestamp",
    "memory_audit_log.operation": "audit operation",
    "memory_audit_log.memory_type": "audit memory_type",
    "memory_audit_log.user_id": "audit user_id",
    "memory_audit_log.session_id": "audit session_id",
    "memory_audit_log.conversation_id": "audit conversation_id",
    "memory_audit_log.source_channel": "audit source_channel",
    "memory_audit_log.target_channels": "audit target_channels",
    "memory_audit_log.query_text": "audit query_text",
    "memory_audit_log.result_count": "audit result_count",
    "memory_audit_log.latency_ms": "audit latency_us",
    "memory_audit_log.success": "audit success",
    "memory_audit_log.error_message": "audit error_message",
    "memory_audit_log.promoted_from_channel": "audit promoted_from_channel",
    "memory_audit_log.promotion_confidence": "audit promotion_confidence",
    "memory_audit_log.promotion_access_count": "audit promotion_access_count",
    "memory_audit_log.promotion_conversation_count": "audit promotion_conversation_count",
    "memory_audit_log.config_snapshot": "audit config_snapshot",
    "memory_audit_log.metadata": "audit metadata",
    "schema_version.version": "_sqlite_migrations.id",
    "schema_version.description": "_sqlite_migrations.name",
    "schema_version.applied_at": "_sqlite_migrations.applied_at",
}
RELATIONS = {
    **{name: f"relation {name}" for name in ENTITY_RELATIONS},
    "HAS_TURN": "turns.conversation_id",
    "FOLLOWED_BY": "turns.turn_index",
    "MENTIONS": "relation MENTIONS",
    "DERIVED_FROM": "relation DERIVED_FROM",
    "ABOUT": "relation ABOUT",
    "PROMOTED_FROM": "facts.promoted_from",
    "SUPERSEDES": "facts.superseded_by",
    "HAS_GOAL": "goals.user_id",
    "SUBGOAL_OF": "goals.parent_id",
    "BLOCKED_BY": "relation BLOCKED_BY",
    "USES_TOOL": "strategies.tool_sequence",
    "SUCCEEDED_IN": "outcomes.conversation_id",
    "USED_TOOL": "tool_calls.conversation_id",
    "INVOKED": "tool_calls.tool_name",
}
METHODS = {
    "AgentMemory.store_turn": "call memory.store_turn",
    "AgentMemory.remember": "call recall.search",
    "AgentMemory.learn_fact": "call memory.learn_fact",
    "AgentMemory.upsert_entity": "call memory.upsert_entity",
    "AgentMemory.add_goal": "call goals.add",
    "AgentMemory.get_goal": "call goals.get",
    "AgentMemory.complete_goal": "call goals.complete",
    "EpisodicMemory.store_turn": "call memory.store_turn",
    "EpisodicMemory.store_turn_log": "call memory.turn_log",
    "EpisodicMemory.vector_search": "call recall.search",
    "EpisodicMemory.get_conversation": "call memory.conversation",
    "EpisodicMemory.get_recent_turns": "call memory.recent_turns",
    "SemanticMemory.upsert_entity": "call memory.upsert_entity",
    "SemanticMemory.store_fact": "call memory.learn_fact",
    "SemanticMemory.vector_search_facts": "call recall.search",
    "SemanticMemory.vector_search_entities": "call recall.search",
    "SemanticMemory.get_entity_graph": "call memory.entity_graph",
    "SemanticMemory.create_relationship": "call memory.relate",
    "SemanticMemory.promote_to_global": "call curation.promote",
    "ProceduralMemory.record_invocation": "call procedures.record_invocation",
    "ProceduralMemory.learn_strategy": "call procedures.learn_strategy",
    "ProceduralMemory.find_strategies": "call procedures.find_strategies",
    "ProceduralMemory.reinforce_strategy": "call procedures.reinforce_strategy",
    "ProceduralMemory.get_tool_stats": "call procedures.tool_stats",
    "WorkingMemory.add_turn": "call working.add_turn",
    "WorkingMemory.get_recent_turns": "call working.recent_turns",
    "WorkingMemory.set": "call working.set",
    "WorkingMemory.get": "call working.get",
    "WorkingMemory.delete": "call working.delete",
    "WorkingMemory.get_context": "call working.context",
    "WorkingMemory.clear_session": "call working.clear_session",
    "WorkingMemory.set_active_goal": "call working.set_active_goal",
    "WorkingMemory.get_active_goal": "call working.active_goal",
    "WorkingMemory.push_thought": "call working.push_thought",
    "WorkingMemory.get_thoughts": "call working.thoughts",
    "MemoryRetriever.retrieve": "call recall.search",
    "RecallMetrics": "memdesk.engine.recall_cache:RecallMetrics",
    "ConsolidationWorker.jobs": "memdesk.engine.jobs.schedule:JOBS",
    "consolidate_episodic_to_semantic": "memdesk.engine.jobs.consolidate:consolidate",
    "detect_patterns": "memdesk.engine.jobs.patterns:patterns",
    "apply_memory_decay": "memdesk.engine.jobs.fading:decay",
    "cleanup_old_memories": "memdesk.engine.jobs.upkeep:cleanup",
    "promote_prominent_facts": "memdesk.engine.jobs.promoting:promote",
    "manage_audit_partitions": "memdesk.engine.jobs.upkeep:drop_old_segments",
    "MemoryAuditLogger.log_write": "memdesk.store.audit_log:AuditLog.wrote",
    "MemoryAuditLogger.log_read": "memdesk.store.audit_log:AuditLog.recalled",
    "MemoryAuditLogger.log_promotion": "memdesk.store.audit_log:AuditLog.wrote",
}
KEYS = {
    "working:{user_id}:{channel}:{conversation_id}:turns": working_key("u", "p", "c", "turns"),
    "working:{user_id}:{channel}:{conversation_id}:context": working_key("u", "p", "c", "context"),
    "consolidation:job:{job_id}": job_key("j"),
    "consolidation:lock:{conversation_id}": lock_key("c"),
    "session:{session_id}:*": session_key(LOCAL_USER, "s", "*"),
}
JOB_NAMES = ("consolidate", "patterns", "decay", "cleanup", "promote", "audit_partitions")
INTERVALS = {
    "consolidate": 15,
    "patterns": 60,
    "decay": 1440,
    "cleanup": 1440,
    "promote": 60,
    "audit_partitions": 1440,
}
OPERATIONS_NAMED = ("store", "recall", "update", "delete", "promote")
"""`retrieve` is a recall here; the audit log says retrieve."""
LEVELS = ("off", "writes", "reads", "verbose")
SETTINGS = {
    "consolidate.interval_minutes": "setting consolidate_minutes",
    "patterns.interval_minutes": "setting patterns_minutes",
    "decay.interval_minutes": "setting decay_minutes",
    "cleanup.interval_minutes": "setting cleanup_minutes",
    "promote.interval_minutes": "setting promote_minutes",
    "audit_partitions.interval_minutes": "setting audit_partitions_minutes",
    "promotion confidence": "setting promote_confidence",
    "promotion access_count": "setting promote_recalls",
    "promotion conversations": "setting promote_conversations",
    "weight episodic": "setting weight_turns",
    "weight facts": "setting weight_facts",
    "weight entities": "setting weight_entities",
    "weight procedural": "setting weight_strategies",
    "weight recency": "setting weight_recency",
    "hybrid search": "setting recall_hybrid",
    "entity-centric": "setting recall_entities",
    "query expansion": "setting recall_expansion",
    "HyDE": "setting recall_hyde",
    "self-query": "setting recall_self_query",
    "extraction_model": "setting extraction_model",
    "contradiction resolution": "setting contradictions",
    "temporal boost current": "setting temporal_current",
    "temporal boost past": "setting temporal_past",
    "decay_rate": "setting decay_per_day",
    "weekly decay of inferred facts": "setting fact_decay_per_week",
    "working memory TTL": "setting working_ttl_seconds",
    "maxmemory": "setting working_megabytes",
    "archive after": "setting archive_after_days",
    "delete unused after": "setting retire_unused_days",
    "delete below salience": "setting fade_below",
    "audit log level": "setting audit_level",
    "audit retention": "setting audit_retention_days",
    "graph depth": "setting graph_depth",
    "diversity": "setting recall_per_conversation",
    "confidence explicit, implied, inferred, uncertain": "memdesk.model.fact:CERTAINTY",
}


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Every `table.column` of a desk."""
    folder = tmp_path_factory.mktemp("desk")
    store = Store(folder / "memory.db", backups=folder / "backups", clock=lambda: 1)
    with store.reading() as db:
        found = _columns(db)
    store.close()
    return found


@pytest.mark.parametrize(("named", "home"), sorted({**COLUMNS, **RELATIONS, **METHODS, **SETTINGS}.items()))
def test_what_agentx_names_has_its_home(columns: set[str], named: str, home: str) -> None:
    assert _exists(home, columns), f"{named} should live at {home}"


def _exists(home: str, columns: set[str]) -> bool:
    what, _, name = home.partition(" ")
    match what:
        case "call":
            return name in {endpoint.name for endpoint in ENDPOINTS}
        case "relation":
            return name in (*ENTITY_RELATIONS, ABOUT, BLOCKED_BY, DERIVED_FROM, MENTIONS)
        case "setting":
            return name in NAMES
        case "audit":
            return name in AUDIT_COLUMNS
        case _:
            return home in columns or _importable(home)


def _importable(place: str) -> bool:
    module, _, path = place.partition(":")
    found: Any = importlib.import_module(module) if path else None
    for part in path.split("."):
        found = getattr(found, part, None)
    return found is not None


@pytest.mark.parametrize(("pattern", "key"), KEYS.items())
def test_keys_of_working_memory_read_as_agentx_writes_them(pattern: str, key: str) -> None:
    filled = pattern.format(user_id="u", channel="p", conversation_id="c", job_id="j", session_id="s")
    assert key == filled


def test_the_jobs_have_their_names_and_intervals() -> None:
    due = {job.name: job.minutes(DEFAULTS) for job in JOBS}
    assert {name: due[name] for name in JOB_NAMES} == INTERVALS


def test_the_formulas_have_their_numbers() -> None:
    weights = DEFAULTS.weight_turns, DEFAULTS.weight_facts, DEFAULTS.weight_entities
    assert (*weights, DEFAULTS.weight_strategies, DEFAULTS.weight_recency) == (0.3, 0.25, 0.2, 0.15, 0.1)
    promotion = DEFAULTS.promote_confidence, DEFAULTS.promote_recalls, DEFAULTS.promote_conversations
    assert promotion == (0.85, 5, 2)
    assert (DEFAULTS.temporal_current, DEFAULTS.temporal_past) == (1.2, 0.7)
    assert CERTAINTY == {"explicit": 0.95, "implied": 0.85, "inferred": 0.70, "uncertain": 0.50}
    kept = DEFAULTS.archive_after_days, DEFAULTS.fade_below, DEFAULTS.retire_unused_days
    assert (DEFAULTS.decay_per_day, *kept) == (0.95, 90, 0.1, 30)
    assert set(STATUSES) == {"active", "completed", "abandoned", "blocked"}


def test_audit_operations_and_levels_have_their_words() -> None:
    assert set(OPERATIONS_NAMED) <= set(OPERATIONS)
    assert FIELDS["audit_level"].metadata["choices"] == LEVELS
    assert FIELDS["contradictions"].metadata["choices"] == ("prefer_new", "prefer_old", "flag_review")


def _columns(db: Connection) -> set[str]:
    tables = [row[0] for row in db.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    return {f"{table}.{row[1]}" for table in tables for row in db.rows(f"PRAGMA table_info({table})")}
