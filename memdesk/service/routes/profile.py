"""Profile: preferences, expertise and communication style of a user."""

from __future__ import annotations

from memdesk.api import profile as calls
from memdesk.engine.memory import profiles
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, calls.GET, lambda ask, _: profiles.profile(engine, ask))
    answer(app, calls.SET, lambda ask, author: profiles.set_trait(engine, ask, author=author))
    answer(app, calls.REMOVE, lambda ask, author: profiles.remove_trait(engine, ask, author=author))
