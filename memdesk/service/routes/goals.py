"""Goals: the goals of agents."""

from __future__ import annotations

from memdesk.api import goals as calls
from memdesk.engine.browsing import details as browsing
from memdesk.engine.memory import goals
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, calls.ADD, lambda ask, author: goals.add(engine, ask, author=author))
    answer(app, calls.GET, lambda ask, _: browsing.get_goal(engine, ask))
    answer(app, calls.LIST, lambda ask, _: browsing.list_goals(engine, ask))
    answer(app, calls.UPDATE, lambda ask, author: goals.update(engine, ask, author=author))
    answer(app, calls.COMPLETE, lambda ask, author: goals.complete(engine, ask, author=author))
    answer(app, calls.REOPEN, lambda ask, author: goals.reopen(engine, ask, author=author))
    answer(app, calls.BLOCK_BY, lambda ask, author: goals.block(engine, ask, author=author))
    answer(app, calls.UNBLOCK, lambda ask, author: goals.unblock(engine, ask, author=author))
