"""Goals: the goals of agents."""

from __future__ import annotations

from memdesk.contract import goals as contract
from memdesk.engine.browsing import details as browsing
from memdesk.engine.memory import goals
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, contract.ADD, lambda ask, author: goals.add(engine, ask, author=author))
    answer(app, contract.GET, lambda ask, _: browsing.get_goal(engine, ask))
    answer(app, contract.LIST, lambda ask, _: browsing.list_goals(engine, ask))
    answer(app, contract.UPDATE, lambda ask, author: goals.update(engine, ask, author=author))
    answer(app, contract.COMPLETE, lambda ask, author: goals.complete(engine, ask, author=author))
    answer(app, contract.REOPEN, lambda ask, author: goals.reopen(engine, ask, author=author))
    answer(app, contract.BLOCK_BY, lambda ask, author: goals.block(engine, ask, author=author))
    answer(app, contract.UNBLOCK, lambda ask, author: goals.unblock(engine, ask, author=author))
