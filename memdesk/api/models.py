"""Models: the models in use, a check that they answer, and the ledger of their tokens."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.status import AskSpending, ModelsState, Nothing, Spending

LIST = Endpoint(
    "models.list",
    "GET",
    Nothing,
    ModelsState,
    "The language model, the embedder and the reranker",
    owner=True,
)
CHECK = Endpoint(
    "models.check", "POST", Nothing, ModelsState, "Ask each model one small question", owner=True
)
SPENDING = Endpoint(
    "models.spending",
    "GET",
    AskSpending,
    Spending,
    "What models were asked and its tokens, by day and purpose",
    owner=True,
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (LIST, CHECK, SPENDING)
