"""Models: the models in use, a check that they answer, and the ledger of their tokens."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.status import AskSpending, ModelsState, Nothing, Spending

LIST = Get(
    "models.list",
    Nothing,
    ModelsState,
    "The language model, the embedder and the reranker",
    "health.status:models",
    owner=True,
)
CHECK = Post(
    "models.check",
    Nothing,
    ModelsState,
    "Ask each model one small question",
    "health.status:check_models",
    owner=True,
)
SPENDING = Get(
    "models.spending",
    AskSpending,
    Spending,
    "What models were asked and its tokens, by day and purpose",
    "health.status:ledger",
    owner=True,
    face=Face(
        "models spending",
        about="Show the tokens that models used.",
        help={"days": "how far back"},
        columns="DAY {day} | ROLE {role} | MODEL {model} | FOR {purpose} | ASKED {calls:,}"
        " | FAILED {failures:,} | TOKENS {guessed:?about }{tokens_in:,} in, {tokens_out:,} out",
        none="No model was asked in these days.",
    ),
)
