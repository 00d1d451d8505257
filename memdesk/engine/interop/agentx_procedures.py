"""Procedural part of AgentX's envelope: strategies with their success counts, and tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memdesk.engine.interop import births
from memdesk.engine.interop.fields import Fields, dumped
from memdesk.engine.interop.items import Birth
from memdesk.engine.interop.naming import stable_id
from memdesk.model.errors import Refused
from memdesk.model.procedure import OUTCOME, STRATEGY, TOOL_CALL

OUTCOMES_AT_MOST = 10_000
"""Most outcomes of one strategy: each becomes a record, and a higher number is not a plausible count of uses."""


def births_of(envelope: Fields) -> Iterator[Birth]:
    for row in envelope.rows("strategies"):
        yield from _strategy(row)
    known: set[str] = set()
    for row in envelope.rows("tool_invocations"):
        call = _call(row)
        known.add(call.id)
        yield call
    for row in envelope.rows("pg_tool_invocations"):
        if row.text("id") not in known:
            yield _call(row)


def moment(column: str, at: int | None) -> dict[str, int]:
    """Return a time as a field; empty if the source has none, and the record then gets the time of its
    import."""
    return {} if at is None else {column: at}


def _strategy(row: Fields) -> Iterator[Birth]:
    id = row.needed("id")
    place = {"channel": row.text("channel")} if row.text("channel") else {}
    born = moment("created_at", row.at("created_at", "last_used"))
    outcomes = list(_outcomes(id, row, {**place, **born}))
    row.skip("user_id", "last_used")
    yield births.birth(
        STRATEGY, id, row, description=row.needed("description"), context_pattern=row.text("context_pattern"),
        tool_sequence=dumped(list(row.texts("tool_sequence"))), agent_id=row.optional("agent_id"),
        **place, **born,
    )  # fmt: skip
    yield from outcomes


def _outcomes(id: str, row: Fields, fields: dict[str, Any]) -> Iterator[Birth]:
    """Yield one record per use: the uses listed singly, as MemDesk writes them, else as many as were counted."""
    counts = {
        1: _counted(row, "succeeded_in", "success_count"),
        0: _counted(row, "failed_in", "failure_count"),
    }
    last = moment("created_at", row.at("last_used"))
    told = list(row.rows("outcomes"))
    for each in told:
        yield births.birth(
            OUTCOME, each.needed("id"), each, strategy_id=id, conversation_id=each.optional("conversation_id"),
            success=int(bool(each.truth("success"))), **{**fields, **moment("created_at", each.at("created_at"))},
        )  # fmt: skip
    for success, talks in counts.items() if not told else ():
        for number, talk in enumerate(talks):
            outcome = stable_id(id, str(success), str(number))
            whole = {"strategy_id": id, "conversation_id": talk, "success": success, **fields, **last}
            yield Birth(kind=OUTCOME, id=f"{OUTCOME.prefix}_{outcome}", fields=whole)


def _counted(row: Fields, listed: str, counted: str) -> list[str | None]:
    """Return the conversations a strategy was used in, then None for each use that was only counted."""
    talks: list[str | None] = list(row.texts(listed))
    count = row.count(counted, 0) or 0
    if max(count, len(talks)) > OUTCOMES_AT_MOST:
        raise Refused(f"{row.where}: `{counted}` is more than {OUTCOMES_AT_MOST:,}.")
    return talks + [None] * (count - len(talks))


def _call(row: Fields) -> Birth:
    success = row.truth("success")
    row.skip("user_id")
    place = {"channel": row.text("channel")} if row.text("channel") else {}
    return births.birth(
        TOOL_CALL, row.needed("id"), row, conversation_id=row.optional("conversation_id"),
        turn_id=row.optional("turn_id"), tool_name=row.needed("tool_name"), task_type=row.text("task_type"),
        tool_input=row.json("tool_input") or "{}", tool_output=row.json("tool_output"),
        success=None if success is None else int(success), latency_ms=row.count("latency_ms"),
        error_message=row.text("error_message"), agent_id=row.optional("agent_id"), **place,
        **moment("created_at", row.at("timestamp", "created_at")),
    )  # fmt: skip
