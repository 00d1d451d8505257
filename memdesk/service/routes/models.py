"""Models: the models in use, a check that they answer, and the ledger of their tokens."""

from __future__ import annotations

from memdesk.api import models
from memdesk.engine.health import status as health
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    answer(app, models.LIST, lambda _ask, _: health.models(host.engine))
    answer(app, models.CHECK, lambda _ask, _: health.check_models(host.engine))
    answer(app, models.SPENDING, lambda ask, _: health.ledger(host.engine, ask))
