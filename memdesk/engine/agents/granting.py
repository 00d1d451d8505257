"""Tokens and grants: listed, made, revoked and withdrawn. A grant is a change with an undo; a token is not memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.memory.rows import row_of
from memdesk.engine.wording import tidied
from memdesk.model.agent import (
    CHANNEL_SCOPE,
    GLOBAL_SCOPE,
    GRANT,
    GRANTED,
    NAMELESS,
    USER_SCOPE,
    AgentInfo,
    AgentList,
    AgentRevoked,
    AgentToken,
    Grant,
    GrantChanged,
    GrantRow,
    NamedAgent,
    NamedGrant,
    NewGrant,
    NewToken,
    agent_key,
)
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.store import agents, records
from memdesk.store.connection import Connection

AGENT_CHARACTERS = 200
TOKEN_DAYS_AT_MOST = 3650
DAY_US = 86_400 * 1_000_000
UPGRADE = "job:upgrade"
"""Author of the grants for what agents did before there were any."""


def list_agents(engine: Engine) -> AgentList:
    """Return the agents with a token, a grant or any activity, by name."""
    with engine.store.reading() as db:
        active = agents.activity(db)
        given = records.find(db, GRANT, retired_at=None)
    tokens = engine.agents.tokens()
    # The first spelling stands: a token's, then a grant's.
    names: dict[str, str] = {}
    for name in (*(each.agent for each in tokens), *(each.agent for each in given), *active):
        names.setdefault(agent_key(name), name)
    rows = (
        _row(engine, name, active, [each for each in given if agent_key(each.agent) == key])
        for key, name in sorted(names.items())
    )
    return AgentList(rows=tuple(rows))


def _row(engine: Engine, name: str, active: dict[str, tuple[int, int]], given: Iterable[Grant]) -> AgentInfo:
    key, tokens = agent_key(name), engine.agents.tokens_of(name)
    events = [found for each, found in active.items() if agent_key(each) == key]
    seen = max((engine.agents.seen.get(key, 0), *(at for at, _ in events)))
    return AgentInfo(
        agent=name,
        token_since=to_datetime(tokens[-1].made_at) if tokens else None,
        token_ends=_end_of(tokens),
        channel=GLOBAL if engine.agents.rights_of(name).may_write_global else name,
        seen_at=optional_datetime(seen or None),
        changes=sum(count for _, count in events),
        grants=tuple(
            row_of(GrantRow, each, says=GRANTED[each.scope].format(name=each.name)) for each in given
        ),
    )


def _end_of(tokens: Sequence[KeptToken]) -> datetime | None:
    """Return when the last of an agent's tokens ends, None if one never does."""
    ends = [each.ends_at for each in tokens if each.ends_at is not None]
    return to_datetime(max(ends)) if ends and len(ends) == len(tokens) else None


def add_token(engine: Engine, ask: NewToken, *, author: str) -> AgentToken:
    """Make a token for an agent; from its first one on, nobody signs with its name without one. Raises BadAsk for days
    that are less than 0 or more than 3,650."""
    name, now = checked_agent(ask.agent), engine.clock()
    ends_at = ends_after(ask.days, now)
    token = engine.agents.make_token(name, at=now, ends_at=ends_at)
    note_event(engine, message("Token for the agent {name}", name=name), author)
    count = len(engine.agents.tokens_of(name))
    return AgentToken(agent=name, token=token, tokens=count, ends_at=optional_datetime(ends_at))


def ends_after(days: int, now: int) -> int | None:
    """Return when a token of so many days ends, in UTC microseconds; None for 0. Raises BadAsk for less than 0 or more
    than 3,650."""
    if not 0 <= days <= TOKEN_DAYS_AT_MOST:
        raise BadAsk(
            message("A token opens the desk for 1 to {days} days.", days=TOKEN_DAYS_AT_MOST),
            next=message("Give 0 days for a token without an end."),
        )
    return now + days * DAY_US if days else None


def revoke_tokens(engine: Engine, ask: NamedAgent, *, author: str) -> AgentRevoked:
    """Revoke every token of an agent. Raises NotFound if it has none."""
    name = checked_agent(ask.agent)
    revoked = engine.agents.revoke(engine.agents.tokens_of(name))
    if not revoked:
        raise NotFound(
            message("The agent {name} has no token.", name=name), next=message("`memdesk agents` lists them.")
        )
    note_event(engine, message("Revoked the tokens of the agent {name}", name=name), author)
    return AgentRevoked(agent=name, tokens=revoked)


def grant(engine: Engine, ask: NewGrant, *, author: str) -> GrantChanged:
    """Give an agent a grant. Raises BadAsk for an unknown scope, or a name that is missing or too much; Conflict if it
    is given already."""
    agent, name = checked_agent(ask.agent), " ".join(ask.name.split())
    if ask.scope not in GRANTED:
        raise BadAsk(
            message("There is no scope {scope}.", scope=ask.scope[:60]),
            next=message("There are {by_name}.", by_name=", ".join(GRANTED)),
        )
    if (not name) != (ask.scope in NAMELESS):
        raise BadAsk(
            message("The scope {scope} takes no name.", scope=ask.scope)
            if name
            else message("The scope {scope} needs a name.", scope=ask.scope)
        )
    if ask.scope == CHANNEL_SCOPE and name == GLOBAL:
        raise BadAsk(
            message("Every agent reads _global."),
            next=message("The scope `global` lets it write there without asking."),
        )

    def verb(db: Connection) -> tuple[Change, str]:
        given = records.find(db, GRANT, retired_at=None, scope=ask.scope, name=name)
        if any(agent_key(each.agent) == agent_key(agent) for each in given):
            raise Conflict(message("{agent} has this grant already.", agent=agent))
        edit = _creation(engine, agent, ask.scope, name, author)
        return _change(
            message("Granted {agent}: {scope}", agent=agent, scope=_says(ask.scope, name)), author, (edit,)
        ), edit.id

    applied, id = engine.store.decide(verb)
    assert applied is not None
    return GrantChanged(
        id=id, change=applied.id, title=message("{agent}: {scope}", agent=agent, scope=_says(ask.scope, name))
    )


def withdraw(engine: Engine, ask: NamedGrant, *, author: str) -> GrantChanged:
    """Withdraw a grant. Raises NotFound, Conflict if it is withdrawn already."""

    def verb(db: Connection) -> tuple[Change, Grant]:
        held = records.need(db, GRANT, ask.id)
        if held.retired_at is not None:
            raise Conflict(message("This grant is withdrawn already."))
        edit = records.update_edit(GRANT, held, retired_at=engine.clock())
        return _change(
            message("Withdrawn from {agent}: {scope}", agent=held.agent, scope=_says(held.scope, held.name)),
            author,
            (edit,),
        ), held

    applied, held = engine.store.decide(verb)
    assert applied is not None
    return GrantChanged(
        id=held.id,
        change=applied.id,
        title=message("{agent}: {scope}", agent=held.agent, scope=_says(held.scope, held.name)),
    )


def claim_user(engine: Engine, agent: str, user_id: str) -> bool:
    """Give a user to the agent that first writes for it; return False if the desk knows the user already."""

    def verb(db: Connection) -> tuple[Change | None, bool]:
        if agents.is_known_user(db, user_id):
            return None, False
        author = f"agent:{agent}"
        edit = _creation(engine, agent, USER_SCOPE, user_id, author)
        return _change(
            message("{agent} began the memory of the user {user_id}", agent=agent, user_id=user_id),
            author,
            (edit,),
        ), True

    return engine.store.decide(verb)[1]


def settle_habits(engine: Engine, *, granted: bool) -> None:
    """Grant agents, once, what they did on this desk before there were grants. The run can be undone."""
    with engine.store.reading() as db:
        habits = agents.unread_habits(db) if granted else []
    run = new_id("run", engine.clock())
    title = message("Agents keep what they did before there were grants")
    for first in range(0, len(habits), EDITS_AT_MOST):
        edits = [
            _creation(engine, agent, USER_SCOPE if user else GLOBAL_SCOPE, user, UPGRADE)
            for agent, user in habits[first : first + EDITS_AT_MOST]
        ]
        engine.store.apply(replace(_change(title, UPGRADE, tuple(edits)), run=run))
    engine.store.submit(agents.settle_habits).result()


def checked_agent(name: str) -> str:
    """Return an agent's name, tidied. Raises BadAsk for one that is empty, too long, or the name of `_global`."""
    tidy = tidied(name, message("An agent's name"), AGENT_CHARACTERS)
    if agent_key(tidy) == GLOBAL:
        raise BadAsk(message("No agent is called _global: that is the channel of all."))
    return tidy


def _creation(engine: Engine, agent: str, scope: str, name: str, author: str) -> Edit:
    now = engine.clock()
    born = Grant(
        seq=engine.store.new_seq(),
        id=new_id(GRANT.prefix, now),
        # A user's name goes with all else of that user when it is erased.
        user_id=name if scope == USER_SCOPE else LOCAL_USER,
        agent=agent,
        scope=scope,
        name=name,
        says=f"{agent}: {_says(scope, name)}",
        author=author,
        created_at=now,
    )
    return records.creation_edit(GRANT, born)


def _says(scope: str, name: str) -> str:
    return GRANTED[scope].format(name=name)


def _change(title: Message, author: str, edits: tuple[Edit, ...]) -> Change:
    return Change(op="update", layer="workspace", title=title, author=author, edits=edits, user_id=LOCAL_USER)


def note_event(engine: Engine, title: Message, author: str) -> None:
    """Write an event without records into the journal."""
    engine.store.apply(_change(title, author, ()))
