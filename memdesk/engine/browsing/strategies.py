"""Strategies for a person: a list, and one strategy with the outcomes for and against it."""

from __future__ import annotations

from memdesk.engine.browsing.paging import checked, cursor, cut, place_of
from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import strategy_row
from memdesk.model.errors import BadAsk
from memdesk.model.instant import to_datetime
from memdesk.model.procedure import STRATEGY, Strategy
from memdesk.model.procedures import AskStrategy, ListStrategies, OutcomeRow, StrategiesPage, StrategyView
from memdesk.model.turn import CONVERSATION
from memdesk.store import procedures, records, semantic
from memdesk.store.keyset import Walk
from memdesk.store.procedures import UNTRIED

OUTCOMES_SHOWN = 100


def strategies(engine: Engine, ask: ListStrategies) -> StrategiesPage:
    """Return strategies, newest first. Raises BadAsk for an unknown state."""
    limit, after = checked(ask.limit), place_of(ask.after)
    if ask.state not in procedures.STATES:
        raise BadAsk(f"state should be one of {', '.join(procedures.STATES)}.")
    with engine.store.reading() as db:
        channels = semantic.channels_standing(db, ask.user_id, ask.channels)
        asked = Walk(user_id=ask.user_id, channels=channels, after=after, limit=limit + 1)
        found = procedures.list_strategies(
            db, asked, text=ask.text.strip(), tool_name=ask.tool_name, state=ask.state
        )
        page, last = cut(found, limit)
        tallied = procedures.tallies(db, [each.id for each in page])
    rows = tuple(strategy_row(each, tallied.get(each.id, UNTRIED)) for each in page)
    return StrategiesPage(rows=rows, next=None if last is None else cursor(last.created_at, last.seq))


def strategy(engine: Engine, ask: AskStrategy) -> StrategyView:
    """Return a strategy with its latest outcomes, good and bad. Raises NotFound."""
    with engine.store.reading() as db:
        found: Strategy = records.need(db, STRATEGY, ask.strategy_id)
        tally = procedures.tallies(db, [found.id]).get(found.id, UNTRIED)
        outcomes = procedures.latest_outcomes(db, found.id, OUTCOMES_SHOWN)
        talks = sorted({each.conversation_id for each in outcomes if each.conversation_id})
        titles = {talk.id: talk.title for talk in records.many(db, CONVERSATION, "id", talks)}
    return StrategyView(
        strategy=strategy_row(found, tally),
        outcomes=tuple(
            OutcomeRow(
                id=each.id, success=bool(each.success), conversation_id=each.conversation_id,
                conversation_title=titles.get(each.conversation_id or ""), at=to_datetime(each.created_at),
            )
            for each in outcomes
        ),
    )  # fmt: skip
