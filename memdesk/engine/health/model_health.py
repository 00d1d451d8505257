"""State of the models in use, a check that each answers, and the ledger of their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from memdesk.engine.engine import Engine
from memdesk.engine.providers.embedder import Embedder
from memdesk.engine.providers.meter import EMBEDDER, LANGUAGE, RERANKER, Role, asking
from memdesk.engine.providers.remote_models import LanguageModel, Reranker
from memdesk.engine.providers.server import Server
from memdesk.model.errors import BadAsk, MemDeskError
from memdesk.model.instant import to_datetime
from memdesk.model.message import Message, joined, message
from memdesk.model.settings import MODEL_STAGES
from memdesk.model.status import AskSpending, ModelsState, ModelState, Spending
from memdesk.store import bookkeeping

DAYS_AT_MOST = 3660
NONE_SET = message("None is set.")


def models(engine: Engine) -> ModelsState:
    """List the models in use, and those of single stages, without calling any."""
    return ModelsState(rows=tuple(each.state(engine, each.how()) for each in _in_use(engine)))


def check_models(engine: Engine) -> ModelsState:
    """List the same after one small question to each, even to one that is skipped after failures."""
    rows = []
    for each in _in_use(engine):
        if each.server is not None:
            each.server.breaker.succeeded()
        with asking("check"):
            says, failed = _tried(each.ask)
            rows.append(replace(each.state(engine, says), failed=failed))
    return ModelsState(rows=tuple(rows))


def ledger(engine: Engine, ask: AskSpending) -> Spending:
    """Return the cost of the models in the last days. Raises BadAsk for a number of days out of range."""
    if not 1 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(message("days lies between 1 and {count}.", count=f"{DAYS_AT_MOST:,}"))
    since = to_datetime(engine.clock()).astimezone().date() - timedelta(days=ask.days - 1)
    with engine.store.reading() as db:
        return Spending(rows=bookkeeping.ledger(db, since.isoformat()))


@dataclass(frozen=True, slots=True)
class _InUse:
    """Model in a role. name: "" where none is set. server: None without a network. ask: puts one small question to it
    and describes the answer. stage: of the language model's work, where that stage has a model of its own."""

    role: Role
    name: str
    server: Server | None
    ask: Callable[[], Message]
    stage: str = ""

    def how(self) -> Message:
        """Describe the model's state without a question to it."""
        if not self.name:
            return NONE_SET
        if self.server is None:
            return message("Here, without a network.")
        if self.server.breaker.rests_for():
            return message("Is left alone since it {reason}.", reason=self.server.breaker.reason)
        return (
            message("Last time it {reason}.", reason=self.server.breaker.reason)
            if self.server.breaker.reason
            else message("Ready.")
        )

    def state(self, engine: Engine, says: Message) -> ModelState:
        server = self.server
        return ModelState(
            role=self.role.name,
            stage=self.stage,
            model=self.name,
            url="" if server is None else server.url,
            key="" if server is None else server.key.source,
            says=says,
            rests_for_s=0.0 if server is None else server.breaker.rests_for(),
            spent_today=engine.models.meter.spent_today(self.role.budget),
            day_tokens=getattr(engine.settings, self.role.budget),
        )


def _in_use(engine: Engine) -> Iterator[_InUse]:
    """Yield the model of each role, the language model's followed by those of its stages."""
    held = engine.models
    yield _language(engine.language, held.server_of(LANGUAGE))
    for stage in MODEL_STAGES:
        own = engine.language_for(stage)
        if own is not None and own is not engine.language:
            yield _language(own, held.server_of(LANGUAGE, own.name), stage)
    yield _InUse(EMBEDDER, held.embedder.name, held.server_of(EMBEDDER), partial(_embed, held.embedder))
    yield _InUse(
        RERANKER,
        "" if held.reranker is None else held.reranker.name,
        held.server_of(RERANKER),
        partial(_judge, held.reranker),
    )


def _language(model: LanguageModel | None, server: Server | None, stage: str = "") -> _InUse:
    return _InUse(LANGUAGE, "" if model is None else model.name, server, partial(_complete, model), stage)


def _complete(model: LanguageModel | None) -> Message:
    if model is None:
        return NONE_SET
    answer = model.complete(
        system="Answer with one word.", prompt="Say hello.", max_tokens=200, temperature=0.0
    )
    return message("Answered with {count} characters.", count=len(answer.text))


def _embed(model: Embedder) -> Message:
    return message("Answered with {count} dimensions.", count=model.embed(["hello"])[0].size)


def _judge(model: Reranker | None) -> Message:
    if model is None:
        return NONE_SET
    return message("Judged {count} texts.", count=len(model.scores("a greeting", ("hello", "seven"))))


def _tried(ask: Callable[[], Message]) -> tuple[Message, bool]:
    """Return the description of the answer, and True if there was none."""
    try:
        return ask(), False
    except MemDeskError as wrong:
        return joined(wrong.says, wrong.next), True
