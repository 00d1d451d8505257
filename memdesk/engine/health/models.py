"""State of the models, their cost, and one small test question to each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from memdesk.engine.engine import Engine
from memdesk.engine.providers.asking import asking
from memdesk.engine.providers.roles import EMBEDDER, LANGUAGE, RERANKER, Role
from memdesk.model.errors import BadAsk, MemDeskError
from memdesk.model.instant import to_datetime
from memdesk.model.models import AskSpending, ModelsState, ModelState, Spending
from memdesk.store import spending

DAYS_AT_MOST = 3660
ROLES = (LANGUAGE, EMBEDDER, RERANKER)


def models(engine: Engine) -> ModelsState:
    """List every role and the model that fills it, without calling any model."""
    return ModelsState(rows=tuple(_state(engine, role, _how(engine, role)) for role in ROLES))


def check_models(engine: Engine) -> ModelsState:
    """List the same after one small question to each, even to one that is skipped after failures."""
    rows = []
    for role, question in _questions(engine).items():
        if server := engine.models.servers.get(role.name):
            server.breaker.succeeded()
        with asking("check"):
            rows.append(_state(engine, role, _tried(question)))
    return ModelsState(rows=tuple(rows))


def ledger(engine: Engine, ask: AskSpending) -> Spending:
    """Return the cost of the models in the last days. Raises BadAsk for a number of days out of range."""
    if not 1 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(f"days lies between 1 and {DAYS_AT_MOST:,}.")
    since = to_datetime(engine.clock()).astimezone().date() - timedelta(days=ask.days - 1)
    with engine.store.reading() as db:
        return Spending(rows=spending.ledger(db, since.isoformat()))


def _questions(engine: Engine) -> dict[Role, Callable[[], str]]:
    """Return for each role a function that asks its model and describes the answer."""

    def language() -> str:
        if engine.language is None:
            return _how(engine, LANGUAGE)
        told = engine.language.complete(
            system="Answer with one word.", prompt="Say hello.", max_tokens=200, temperature=0.0
        )
        return f"Answered with {len(told.text)} characters."

    def embedder() -> str:
        return f"Answered with {engine.models.embedder.embed(['hello'])[0].size} dimensions."

    def reranker() -> str:
        if engine.models.reranker is None:
            return _how(engine, RERANKER)
        found = engine.models.reranker.scores("a greeting", ("hello", "seven"))
        return f"Judged {len(found)} texts."

    return {LANGUAGE: language, EMBEDDER: embedder, RERANKER: reranker}


def _tried(question: Callable[[], str]) -> str:
    try:
        return question()
    except MemDeskError as wrong:
        return f"{wrong.says} {wrong.next}".strip()


def _state(engine: Engine, role: Role, says: str) -> ModelState:
    server = engine.models.servers.get(role.name)
    return ModelState(
        role=role.name, model=_name(engine, role), url="" if server is None else server.url,
        key="" if server is None else server.key.source, says=says,
        rests_for_s=0.0 if server is None else server.breaker.rests_for(),
        spent_today=engine.models.meter.spent_today(role.budget), day_tokens=getattr(engine.settings, role.budget),
    )  # fmt: skip


def _name(engine: Engine, role: Role) -> str:
    filled = {
        LANGUAGE.name: engine.language,
        EMBEDDER.name: engine.models.embedder,
        RERANKER.name: engine.models.reranker,
    }[role.name]
    return "" if filled is None else filled.name


def _how(engine: Engine, role: Role) -> str:
    server = engine.models.servers.get(role.name)
    if not _name(engine, role):
        return "None is set."
    if server is None:
        return "Here, without a network."
    if server.breaker.rests_for():
        return f"Is left alone since it {server.breaker.reason}."
    return f"Last time it {server.breaker.reason}." if server.breaker.reason else "Ready."
