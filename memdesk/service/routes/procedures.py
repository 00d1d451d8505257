"""Procedures: recorded tool calls, and strategies with their outcomes."""

from __future__ import annotations

from memdesk.api import procedures as calls
from memdesk.engine.browsing import tool_use
from memdesk.engine.browsing import tool_use as browsing
from memdesk.engine.memory import procedures
from memdesk.engine.memory.procedures import edit_strategy
from memdesk.engine.recall import fitting_strategies
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(
        app,
        calls.RECORD_INVOCATION,
        lambda ask, author: procedures.record_invocation(engine, ask, author=author),
    )
    answer(
        app,
        calls.RECORD_INVOCATIONS,
        lambda ask, author: procedures.record_invocations(engine, ask, author=author),
    )
    answer(app, calls.INVOCATIONS, lambda ask, _: tool_use.tool_calls(engine, ask))
    answer(app, calls.INVOCATION, lambda ask, _: tool_use.tool_call(engine, ask))
    answer(app, calls.TOOL_STATS, lambda ask, _: tool_use.tool_stats(engine, ask))
    answer(app, calls.TOOL_SPREAD, lambda ask, _: tool_use.tool_spread(engine, ask))
    answer(app, calls.TOOL_DAYS, lambda ask, _: tool_use.tool_days(engine, ask))
    answer(
        app,
        calls.LEARN_STRATEGY,
        lambda ask, author: procedures.learn_strategy(engine, ask, author=author),
    )
    # Nearly all of it is reading, whatever it reinforces afterwards.
    answer(
        app,
        calls.FIND_STRATEGIES,
        lambda ask, author: fitting_strategies.find_strategies(engine, ask, author=author),
        reads=True,
    )
    answer(
        app,
        calls.REINFORCE_STRATEGY,
        lambda ask, author: procedures.reinforce_strategy(engine, ask, author=author),
    )
    answer(app, calls.EDIT_STRATEGY, lambda ask, author: edit_strategy(engine, ask, author=author))
    answer(app, calls.STRATEGIES, lambda ask, _: browsing.strategies(engine, ask))
    answer(app, calls.STRATEGY, lambda ask, _: browsing.strategy(engine, ask))
