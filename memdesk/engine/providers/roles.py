"""What a model can be to us: what it is called, where its key is looked for, and what is said when it is away."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.errors import EmbedderUnavailable, MemDeskError, ModelUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """name: in the ledger. variable: the environment's, for the key. budget: the setting that bounds its day."""

    name: str
    called: str
    variable: str
    budget: str
    error: type[MemDeskError]


LANGUAGE = Role(
    name="language",
    called="The language model",
    variable="MEMDESK_MODEL_KEY",
    budget="model_day_tokens",
    error=ModelUnavailable,
)
EMBEDDER = Role(
    name="embedder",
    called="The embedder",
    variable="MEMDESK_EMBEDDER_KEY",
    budget="embedder_day_tokens",
    error=EmbedderUnavailable,
)
RERANKER = Role(
    name="reranker",
    called="The reranker",
    variable="MEMDESK_RERANKER_KEY",
    budget="model_day_tokens",
    error=ModelUnavailable,
)
