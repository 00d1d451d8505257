"""Correction of a strategy by a person: its description, its context pattern and its tools. Its outcomes
stay."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.procedures import DESCRIPTION_CHARACTERS, pattern_of, sequence_of
from memdesk.engine.wording import shortened, tidied
from memdesk.model.change import Change
from memdesk.model.curation import Curated
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.procedure import STRATEGY, Strategy
from memdesk.model.procedures import EditStrategy
from memdesk.store import records
from memdesk.store.connection import Connection


def edit_strategy(engine: Engine, ask: EditStrategy, *, author: str) -> Curated:
    """Correct a strategy.

    Raises NotFound, Conflict if it was retired or differs from the one the person saw, BadAsk if no value
    would change."""
    wanted = _wanted(ask)

    def verb(db: Connection) -> tuple[Change | None, str]:
        strategy: Strategy = records.need(db, STRATEGY, ask.strategy_id)
        if strategy.retired_at is not None:
            raise Conflict("This strategy was retired.", next="Bring it back first.")
        if ask.was is not None and strategy.description != ask.was:
            raise Conflict(
                "The strategy changed while you were editing it.",
                details={"expected": ask.was, "found": strategy.description},
            )
        moved = {name: value for name, value in wanted.items() if getattr(strategy, name) != value}
        if not moved:
            raise BadAsk("The strategy says so already.", next="Change something, or leave it as it is.")
        title = shortened(wanted.get("description", strategy.description), 120)
        change = Change(
            op="update", layer=STRATEGY.layer, title=title, author=author, channel=strategy.channel,
            user_id=strategy.user_id, edits=(records.moved(STRATEGY, strategy, **moved),),
        )  # fmt: skip
        return change, title

    applied, title = engine.store.decide(verb)
    assert applied is not None
    return Curated(id=ask.strategy_id, change=applied.id, title=title)


def _wanted(ask: EditStrategy) -> dict[str, Any]:
    """Return the fields that a request names. Raises BadAsk."""
    wanted: dict[str, Any] = {}
    if ask.description is not None:
        wanted["description"] = tidied(ask.description, "A description", DESCRIPTION_CHARACTERS)
    if ask.context_pattern is not None:
        wanted["context_pattern"] = pattern_of(ask.context_pattern)
    if ask.tool_sequence is not None:
        wanted["tool_sequence"] = sequence_of(ask.tool_sequence)
    if not wanted:
        raise BadAsk(
            "Nothing to correct was named.",
            next="Give a description, a context pattern or a sequence of tools.",
        )
    return wanted
