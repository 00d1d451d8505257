"""Models of a real engine, served by the small server of `tests.model_server`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.providers.models import Completion
from memdesk.model.status import Spent
from memdesk.store import bookkeeping
from tests.model_server import ModelServer


def use(engine: Engine, **settings: Any) -> None:
    """Work by these settings from now on."""
    engine.use(replace(engine.settings, **settings))


def use_language(engine: Engine, server: ModelServer, **settings: Any) -> None:
    use(engine, **{"model_url": server.url, "model_name": "small", "model_seconds": 5, **settings})


def use_embedder(engine: Engine, server: ModelServer, **settings: Any) -> None:
    named = {
        "embedder": "server",
        "embedder_url": server.url,
        "embedder_name": "words",
        "embedder_seconds": 5,
    }
    use(engine, **{**named, **settings})


def complete(engine: Engine) -> Completion:
    """The answer of the language model to one question."""
    assert engine.language is not None
    return engine.language.complete(
        system="Be short.", prompt="Where is the lighthouse?", max_tokens=20, temperature=0.0
    )


def booked(engine: Engine) -> tuple[Spent, ...]:
    """The whole ledger."""
    engine.store.maintain(lambda *_: None).result()
    with engine.store.reading() as db:
        return bookkeeping.ledger(db, "")
