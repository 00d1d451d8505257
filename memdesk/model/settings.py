"""Settings: one field each, with default, unit, range, reason and source. The file is `settings.toml` in the
desk."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def setting(
    default: Any,
    why: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """Return a dataclass field with the setting's purpose and reason, its unit, and its range or choices."""
    return field(
        default=default, metadata={"why": why, "unit": unit, "low": low, "high": high, "choices": choices}
    )


def address(why: str) -> Any:
    """Return a field for the address of an HTTP server. It has no key: keys come from the environment or the
    keyring."""
    return field(
        default="",
        metadata={"why": why, "unit": "", "low": None, "high": None, "choices": (), "address": True},
    )


def _database(why: str) -> Any:
    """Return a field for the address of a PostgreSQL database, without a password."""
    return field(
        default="",
        metadata={"why": why, "unit": "", "low": None, "high": None, "choices": (), "database": True},
    )


def _share(default: float, why: str) -> Any:
    return setting(default, why, low=0, high=1)


def _minutes(default: int, why: str) -> Any:
    return setting(default, f"{why}; 0 for never (AgentX).", unit="min", low=0, high=10_080)


MODEL_STAGES = ("extraction", "judgement", "summary", "recap")
"""Kinds of work of the language model that may have a model of their own, the setting STAGE_model_name (AgentX)."""


def _stage_model(does: str) -> Any:
    return setting("", f"The language model that {does}; empty for model_name (AgentX).")


def _stage_prompt(stage: str) -> Any:
    return setting(
        "",
        f"Your own instruction for the {stage}; the form of its answer follows. Empty for the built-in one (AgentX).",
    )


def _calls_a_minute(what: str) -> Any:
    return setting(
        0,
        f"{what} of one agent a minute; more are refused, with the time to wait; 0 for no limit (AgentX).",
        low=0,
        high=1_000_000,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings that a person can change. Read when the service starts, and changed while it runs."""

    person: str = setting("", "The name shown for you; empty takes the name of your account.")

    promotion: str = setting(
        "review",
        "What the job does with a fact that meets all three conditions: propose it, or promote it straight.",
        choices=("review", "straight"),
    )
    promote_confidence: float = _share(0.85, "A fact this sure may go to _global (AgentX).")
    promote_recalls: int = setting(5, "… once it was recalled this often (AgentX).", low=0, high=1000)
    promote_conversations: int = setting(
        2, "… and was said in this many conversations (AgentX).", low=0, high=1000
    )

    decay_per_day: float = setting(
        0.95, "Salience left after a day without recall (AgentX; half-life 13.5 days).", low=0.5, high=1
    )
    fact_decay_per_week: float = setting(
        0.95,
        "Confidence left of an inferred fact after a week without recall; slower than salience (AgentX).",
        low=0.5,
        high=1,
    )
    new_salience: float = _share(0.5, "Salience of a memory that was just learned (AgentX).")
    recall_lift: float = _share(
        0.25, "Share of the way to 1 that one recall lifts salience: four recalls take 0.3 past 0.75."
    )
    rescue_salience: float = _share(0.9, "Salience after a person rescues a memory (AgentX's remember).")
    fade_below: float = _share(0.10, "Below this salience a memory counts as faded (AgentX).")
    archive_after_days: int = setting(
        90,
        "Conversations that began longer ago are archived; 0 for never (AgentX).",
        unit="days",
        low=0,
        high=36_500,
    )
    retire_unused_days: int = setting(
        30,
        "Faded memory unused for so long is proposed to be retired; 0 for never (AgentX).",
        unit="days",
        low=0,
        high=36_500,
    )
    delete_after_days: int = setting(
        30, "What a job retired is deleted this much later; 0 for never.", unit="days", low=0, high=36_500
    )

    consolidate_minutes: int = _minutes(15, "How often facts are extracted from new turns")
    patterns_minutes: int = _minutes(60, "How often strategies are learned from successful conversations")
    decay_minutes: int = _minutes(1440, "How often faded memory is asked about")
    cleanup_minutes: int = _minutes(
        1440, "How often old conversations are archived and retired memory is deleted"
    )
    promote_minutes: int = _minutes(
        60, "How often project facts are held against the conditions of promotion"
    )
    checkup_minutes: int = _minutes(
        1440, "How often facts are checked: the new ones, and 20,000 of the others in turn"
    )
    checkup_questions: int = setting(
        20, "Most questions that a checkup asks in a day: as many as a person answers.", low=0, high=1000
    )
    audit_partitions_minutes: int = _minutes(1440, "How often old segments of the audit log are dropped")
    backup_minutes: int = setting(
        1440, "How often the desk is backed up; 0 for never.", unit="min", low=0, high=10_080
    )
    backup_before: bool = setting(
        True,
        "Back up before a large import, an act on many memories, and an erasure, which fail where that fails.",
    )
    backup_days: int = setting(
        7,
        "Backups kept: the newest of each of so many days, and as many made before something large.",
        low=1,
        high=365,
    )
    backup_weeks: int = setting(
        4,
        "… and the newest of each of so many weeks. Those made by hand stay until you remove them.",
        low=0,
        high=520,
    )
    jobs_enabled: bool = setting(True, "Off stops every job by the clock; a job can still be run by hand.")
    job_seconds: int = setting(
        600, "A run of a job stops cleanly after this long; the next goes on.", unit="s", low=1, high=86_400
    )
    job_tokens: int = setting(
        200_000,
        "A run of a job stops before it spends more tokens of a model.",
        unit="tokens",
        low=0,
        high=100_000_000,
    )

    extraction_enabled: bool = setting(True, "Off leaves new turns unread by the job consolidate (AgentX).")
    extraction_model: bool = setting(
        False, "Let the language model extract where one is set; otherwise, and where it fails, rules do."
    )
    extraction_model_name: str = _stage_model("extracts")
    extraction_prompt: str = _stage_prompt("extraction")
    judgement_model_name: str = _stage_model("judges if two claims are one, an update or contrary")
    judgement_prompt: str = _stage_prompt("judgement")
    contradictions: str = setting(
        "flag_review",
        "When two current facts cannot both be true: the newer wins, the older wins, or a person decides (AgentX).",
        choices=("prefer_new", "prefer_old", "flag_review"),
    )
    duplicate_cosine: float = _share(
        0.92, "Facts this near in meaning, with the same telling words, are one (AgentX)."
    )
    quarantine_from: float = _share(
        0.6,
        "What an agent learned is held out of recall from this certainty on; above .65 only rules decide; 1 is never.",
    )
    pattern_calls: int = setting(
        2,
        "A sequence of tools is a strategy once this many conversations succeeded with it.",
        low=1,
        high=100,
    )

    recall_limit: int = setting(10, "Hits a recall returns unless asked otherwise (AgentX).", low=1, high=100)
    fusion: str = setting(
        "weighted",
        "How words and meaning become one ranking: a weighted sum, AgentX's rank fusion, or AgentX's base retriever.",
        choices=("weighted", "rrf", "agentx"),
    )
    rrf_k: int = setting(60, "Damping of rank fusion (Cormack, Clarke and Buettcher 2009).", low=1, high=1000)
    rrf_words: float = _share(0.3, "Share of the words in rank fusion; meaning has the rest (AgentX).")
    weight_turns: float = _share(0.3, "Weight of turns in AgentX's retriever.")
    weight_facts: float = _share(0.25, "Weight of facts in AgentX's retriever.")
    weight_entities: float = _share(0.2, "Weight of entities in AgentX's retriever.")
    weight_strategies: float = _share(0.15, "Weight of strategies in AgentX's retriever.")
    weight_recency: float = _share(0.1, "What a memory of this very moment gains over an old one (AgentX).")
    recency_half_life_hours: float = setting(
        24.0, "After so long the gain of recency is half (AgentX).", unit="h", low=0.1, high=8760
    )
    temporal_current: float = setting(
        1.2, "Score of a fact that holds now (AgentX).", unit="×", low=0, high=5
    )
    temporal_past: float = setting(0.7, "Score of a fact of the past (AgentX).", unit="×", low=0, high=5)
    speaker_boost: float = _share(
        0.15,
        "Score added to turns of a speaker named in the query; helps questions, costs on trick questions.",
    )
    recall_per_conversation: int = setting(
        3,
        "Turns of one conversation a recall returns before others had their turn; 0 for any (AgentX).",
        low=0,
        high=100,
    )
    recall_recent_turns: int = setting(
        0,
        "Last turns of the conversation under way that a recall brings along (later AgentX: 3).",
        low=0,
        high=50,
    )
    recall_floor: float = _share(
        0.25,
        "A recall whose best hit is less relevant than this answers with nothing, or with what was told by "
        "or about someone it names; 0 for whatever comes nearest.",
    )
    recall_archived: bool = setting(True, "Archived conversations still answer recalls.")
    recall_hybrid: bool = setting(True, "Search words beside vectors (AgentX's RecallLayer).")
    recall_entities: bool = setting(True, "Follow the graph from entities that the query names (AgentX).")
    recall_expansion: bool = setting(True, "Also search the query's own paraphrases (AgentX).")
    recall_hyde: bool = setting(
        False, "Search with an answer the language model imagines (AgentX; needs a model)."
    )
    recall_rerank: bool = setting(
        False, "Let a reranker judge the best hits again; every recall then waits for its answer."
    )
    recall_self_query: bool = setting(True, "Read time and channel out of the query, by rules (AgentX).")
    recall_self_query_model: bool = setting(
        False, "Let the language model read the query too; every recall then waits for its answer."
    )
    recall_replica: str = _database(
        "A streaming standby of the desk's PostgreSQL database that recalls read, postgresql://USER@HOST/DATABASE; "
        "empty for none."
    )
    recall_replica_lag_seconds: int = setting(
        5,
        "A standby that is further behind is passed over until it has caught up.",
        unit="s",
        low=2,
        high=3600,
    )
    entity_similarity: float = _share(
        0.65, "How near an entity must be to the query to be followed (AgentX)."
    )
    graph_depth: int = setting(
        2, "How far the graph is followed (AgentX: 2 to 3).", unit="steps", low=1, high=3
    )
    graph_nodes: int = setting(500, "Nodes a walk through the graph visits at most.", low=10, high=10_000)
    recall_cache_seconds: int = setting(
        60,
        "How long the same recall may be answered from memory while nothing changed (AgentX).",
        unit="s",
        low=0,
        high=3600,
    )

    working_ttl_seconds: int = setting(
        3600,
        "Working memory lives this long after it was last used (AgentX).",
        unit="s",
        low=1,
        high=31_536_000,
    )
    working_megabytes: int = setting(
        16, "Past this size the least recently used of working memory goes.", unit="MB", low=1, high=4096
    )
    working_turns: int = setting(
        50, "Turns and thoughts a conversation's working memory holds (AgentX).", low=1, high=1000
    )
    scratchpad_days: int = setting(
        30,
        "A note of a session's scratchpad lives this long after its last use; 0 for ever, as in AgenticX.",
        unit="days",
        low=0,
        high=36_500,
    )

    context_policy: str = setting(
        "openlegion",
        "How the contexts of sessions that name no policy are compacted.",
        choices=("agenticx", "agentix", "openlegion", "custom"),
    )
    context_window: int = setting(
        128_000,
        "What a model takes in, for callers that do not say (OpenLegion).",
        unit="tokens",
        low=256,
        high=100_000_000,
    )
    summary_tokens: int = setting(
        400, "How long a summary of a context may be (AgenticX).", unit="tokens", low=50, high=8_000
    )
    summary_model: bool = setting(
        True, "Let the language model summarise where one is set; otherwise, and where it fails, extracts do."
    )
    summary_model_name: str = _stage_model("summarises a context")
    summary_prompt: str = _stage_prompt("summary")
    recap_model: bool = setting(
        False,
        "Let the language model write the recap of a user's history; every recap then waits for its answer (AgentX).",
    )
    recap_model_name: str = _stage_model("writes the recap")
    recap_prompt: str = _stage_prompt("recap")
    agenticx_messages: int = setting(
        20,
        "AgenticX compacts past so many messages; never under 8 (later AgenticX: 200).",
        low=8,
        high=100_000,
    )
    agenticx_characters: int = setting(
        48_000,
        "… or past so many characters; never under 4,000 (later AgenticX: 200,000).",
        unit="characters",
        low=4_000,
        high=100_000_000,
    )
    agenticx_retain: int = setting(
        8, "… and leaves the last so many messages as they are; never under 4.", low=4, high=1_000
    )
    agenticx_tokens: bool = setting(
        False, "AgenticX also compacts when the model's window less a margin is full (later AgenticX: on)."
    )
    agenticx_cooldown: int = setting(
        0, "New messages before AgenticX compacts again (later AgenticX: 6).", low=0, high=1_000
    )
    agenticx_fallback: str = setting(
        "snippets",
        "What AgenticX's policy takes when the model fails: its short snippets, or our extracts.",
        choices=("snippets", "extracts"),
    )
    agentix_summarization: bool = setting(
        True, "Agentix summarises older messages; off drops them into the archive (Agentix)."
    )
    agentix_window: int = setting(10, "Messages Agentix leaves as they are (Agentix).", low=1, high=1_000)
    agentix_tokens: int = setting(
        16_384, "Agentix compacts past so many tokens (Agentix).", unit="tokens", low=256, high=100_000_000
    )
    openlegion_flush: float = _share(
        0.6, "From this share of the window OpenLegion stores facts ahead (OpenLegion)."
    )
    openlegion_compact: float = setting(0.7, "… and from this it compacts (OpenLegion).", low=0.05, high=1)
    openlegion_retain: int = setting(
        4, "Messages OpenLegion leaves as they are (OpenLegion).", low=1, high=1_000
    )
    custom_messages: int = setting(
        0, "The custom policy compacts past so many messages; 0 for any number.", low=0, high=100_000
    )
    custom_characters: int = setting(
        0, "… or past so many characters; 0 for any number.", unit="characters", low=0, high=100_000_000
    )
    custom_flush: float = _share(0.0, "… stores facts ahead from this share of the window; 0 for never.")
    custom_compact: float = _share(0.8, "… and compacts from this share of it; 0 for never.")
    custom_retain: int = setting(8, "… leaving the last so many messages as they are.", low=1, high=1_000)
    custom_summary: bool = setting(True, "… and summarises what goes; off drops it into the archive.")
    prompt_tokens: int = setting(
        2_000,
        "What an agent is told before a turn has so many tokens at most, unless it asks otherwise.",
        unit="tokens",
        low=50,
        high=1_000_000,
    )
    prompt_log: bool = setting(
        True, "Keep what agents were told before a turn, as long as the audit log (audit_retention_days)."
    )

    audit_level: str = setting(
        "writes",
        "What the audit log keeps beside the journal, which is never off (AgentX).",
        choices=("off", "writes", "reads", "verbose"),
    )
    audit_sample_rate: float = _share(
        1.0, "Share of the reads that the audit log keeps at its levels reads and verbose."
    )
    audit_retention_days: int = setting(
        365, "Whole days of the audit log are dropped after this long.", unit="days", low=1, high=36_500
    )

    model_url: str = address(
        "Where the language model is served, such as http://localhost:11434/v1; empty for none."
    )
    model_name: str = setting("", "Which language model to ask there.")
    model_protocol: str = setting(
        "openai",
        "What is spoken there: OpenAI's chat completions, as most servers do, or Anthropic's messages.",
        choices=("openai", "anthropic"),
    )
    model_seconds: int = setting(
        30, "How long to wait for the language model, further tries among it.", unit="s", low=1, high=600
    )
    model_day_tokens: int = setting(
        2_000_000,
        "The language model and the reranker are asked no more that day past so many tokens; 0 for no limit.",
        unit="tokens",
        low=0,
        high=10_000_000_000,
    )

    embedder: str = setting(
        "static",
        "What turns text into vectors: the bundled table, a server, or a model in a folder. A change makes them anew.",
        choices=("static", "server", "onnx"),
    )
    embedder_url: str = address("Where embeddings are served, for the embedder `server`.")
    embedder_name: str = setting("", "Which embedding model to ask there.")
    embedder_folder: str = setting(
        "",
        "The folder of a sentence-transformer with its ONNX model, for the embedder `onnx` (the extra `onnx`).",
    )
    facts_model: bool = setting(
        True, "Compare facts also by the model of the extra `facts`, where that is installed."
    )
    embedder_seconds: int = setting(
        10, "How long to wait for the embedder, which every recall does.", unit="s", low=1, high=600
    )
    embedder_day_tokens: int = setting(
        0,
        "The embedder is asked no more that day past so many tokens; 0 for no limit.",
        unit="tokens",
        low=0,
        high=10_000_000_000,
    )

    reranker_url: str = address("Where a reranker is served; empty for none.")
    reranker_name: str = setting("", "Which reranker to ask there.")
    reranker_seconds: int = setting(5, "How long to wait for the reranker.", unit="s", low=1, high=600)

    memory_tool_dialect: str = setting(
        "docs",
        "Which words Anthropic's memory tool answers with: its documentation's, or its Python SDK's.",
        choices=("docs", "python"),
    )
    agentix_memories: bool = setting(
        False, "Agentix agents have their Memories tool without asking for it (Agentix's memories_enabled)."
    )

    agent_reads_per_minute: int = _calls_a_minute("Recalls and other reads")
    agent_writes_per_minute: int = _calls_a_minute("Writes")

    import_file_megabytes: int = setting(
        32, "A larger file is refused by name when a folder is imported.", unit="MB", low=1, high=1024
    )


DEFAULTS = Settings()
NAMES: tuple[str, ...] = tuple(item.name for item in fields(Settings))
_OF_A_HOST = ("person", "backup_", "model_", "embedder", "facts_model", "reranker_", "recall_replica")
SHARED: tuple[str, ...] = tuple(
    name for name in NAMES if not name.startswith(_OF_A_HOST) and not name.endswith("_model_name")
)
"""Settings that are the same in each service of a desk. The others are about a person, or what a host can reach."""
