"""Models: the models in use, a check that they answer, and the ledger of their tokens."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
from memdesk.model.status import AskSpending, ModelsState, Nothing, Spending

LIST = Endpoint(
    "models.list",
    "GET",
    Nothing,
    ModelsState,
    "The language model, the embedder and the reranker",
    owner=True,
    verb="engine.health.status:models",
)
CHECK = Endpoint(
    "models.check",
    "POST",
    Nothing,
    ModelsState,
    "Ask each model one small question",
    owner=True,
    verb="engine.health.status:check_models",
)
SPENDING = Endpoint(
    "models.spending",
    "GET",
    AskSpending,
    Spending,
    "What models were asked and its tokens, by day and purpose",
    owner=True,
    verb="engine.health.status:ledger",
    face=Face(
        words="models spending",
        about="Show the tokens that models used.",
        help={"days": "how far back"},
        columns=(
            ("DAY", "{day}"),
            ("ROLE", "{role}"),
            ("MODEL", "{model}"),
            ("FOR", "{purpose}"),
            ("ASKED", "{calls:,}"),
            ("FAILED", "{failures:,}"),
            ("TOKENS", "{guessed:?about }{tokens_in:,} in, {tokens_out:,} out"),
        ),
        none="No model was asked in these days.",
    ),
)
