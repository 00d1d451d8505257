"""Prompt log: the prompt contexts that agents were given, by session, conversation and turn."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.prompt import AskSeen, ListSeen, SeenList, SeenRow, SeenWhole
from memdesk.store import prompting
from memdesk.store.prompting import Told, ToldFilter

LIMIT_AT_MOST = 500


def prompts(engine: Engine, ask: ListSeen) -> SeenList:
    """Return the prompt contexts that agents were given, newest first. Raises BadAsk for an invalid limit or
    page."""
    if not 1 <= ask.limit <= LIMIT_AT_MOST:
        raise BadAsk(f"limit lies between 1 and {LIMIT_AT_MOST}.")
    if ask.after and not ask.after.isdecimal():
        raise BadAsk("after is the `next` of a page before.")
    if ask.turn_index is not None and ask.conversation_id is None:
        raise BadAsk("turn_index is a turn of conversation_id.", next="Name the conversation too.")
    wanted = ToldFilter(
        user_id=ask.user_id, session_id=ask.session_id, conversation_id=ask.conversation_id,
        up_to_turn=ask.turn_index, authors=tuple(f"agent:{name}" for name in ask.agents),
        before=int(ask.after) if ask.after else None,
    )  # fmt: skip
    with engine.store.reading() as db:
        found = prompting.listed(db, wanted, ask.limit + 1)
    rows = tuple(_row(told, names) for told, names in found[: ask.limit])
    return SeenList(rows=rows, next=str(rows[-1].id) if len(found) > ask.limit else None)


def prompt(engine: Engine, ask: AskSeen) -> SeenWhole:
    """Return one prompt context exactly as the agent got it. Raises NotFound."""
    with engine.store.reading() as db:
        found = prompting.one(db, ask.id, ask.user_id)
    if found is None:
        raise NotFound(f"There is no prompt {ask.id}.", next="They are kept as long as the audit log.")
    told, pieces = found
    return SeenWhole(row=_row(told, tuple(piece.name for piece in pieces)), pieces=pieces)


def _row(told: Told, names: tuple[str, ...]) -> SeenRow:
    return SeenRow(
        id=told.id or 0, at=to_datetime(told.at), author=told.author, channel=told.channel, agent_id=told.agent_id,
        session_id=told.session_id, conversation_id=told.conversation_id, turn_index=told.turn_index,
        query=told.query, tokens=told.tokens, budget_tokens=told.budget_tokens, format=told.format,
        took_ms=told.took_us / 1e3, pieces=names,
    )  # fmt: skip
