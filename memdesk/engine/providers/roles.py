"""Roles of models: their names, the variables of their keys, their budgets, and their errors."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.errors import EmbedderUnavailable, MemDeskError, ModelUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """Role of a model. name: in the ledger. variable: environment variable of its key. budget: the setting
    that limits its day."""

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
