"""Models: the models in use, a check that they answer, and the ledger of their tokens."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.status import AskSpending, ModelsState, Nothing, Spending
from memdesk.model.team import OWNER

MODELS = (
    "ROLE {role}{stage:?, {stage}} | MODEL {model}{model:!none} | WHERE {url} | KEY {key}"
    " | TOKENS TODAY {spent_today:,}{day_tokens:? of {day_tokens:,}} | HOW IT IS {says}"
)
LIST = Get(
    "models.list",
    Nothing,
    ModelsState,
    "The language model, models of its stages, the embedder and the reranker",
    "health.status:models",
    role=OWNER,
    face=Face(
        "models list",
        about="List the language model, the models of its stages, the embedder and the reranker.\n\n"
        "The settings model_url, embedder and reranker_url choose them. Keys are looked up in MEMDESK_MODEL_KEY, "
        "MEMDESK_EMBEDDER_KEY and MEMDESK_RERANKER_KEY, then in the system's keyring: `keyring set memdesk HOST`.",
        columns=MODELS,
    ),
)
CHECK = Post(
    "models.check",
    Nothing,
    ModelsState,
    "Ask each model one small question",
    "health.status:check_models",
    role=OWNER,
    face=Face(
        "models check",
        about="Check each model with a small request. The exit code is 1 if one fails.",
        columns=MODELS,
        failed="failed",
    ),
)
SPENDING = Get(
    "models.spending",
    AskSpending,
    Spending,
    "What models were asked and its tokens, by day and purpose",
    "health.status:ledger",
    role=OWNER,
    face=Face(
        "models spending",
        about="Show the tokens that models used.",
        help={"days": "how far back"},
        columns="DAY {day} | ROLE {role} | MODEL {model} | FOR {purpose} | ASKED {calls:,}"
        " | FAILED {failures:,} | TOKENS {guessed:?about }{tokens_in:,} in, {tokens_out:,} out",
        none="No model was asked in these days.",
    ),
)
