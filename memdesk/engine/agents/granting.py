"""Tokens and grants of agents, and the members of a desk with their roles and bounds: listed, made, revoked and
withdrawn. A grant is a change with an undo; a token is not memory."""

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
from memdesk.model.errors import BadAsk, Conflict, NotAllowed, NotFound
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.team import (
    AGENT,
    OWNER,
    ROLE_NAMES,
    ROLES,
    Invite,
    Invited,
    MemberList,
    MemberRevoked,
    MemberRow,
    NamedMember,
)
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


def invite(engine: Engine, ask: Invite, *, author: str) -> Invited:
    """Make a member a token. Raises BadAsk for an unknown role, bounds of an owner, or a bad name or number of days;
    Conflict for the name of a member with another role, or of the desk's owner."""
    if ask.role not in ROLES:
        raise BadAsk(
            message("There is no role {role}.", role=ask.role[:60]),
            next=message("There are {by_name}.", by_name=", ".join(ROLES)),
        )
    if ask.role == OWNER and (ask.users or ask.only_channels):
        raise BadAsk(
            message("An owner has all users and channels."),
            next=message("Invite a curator, or leave the users and channels out."),
        )
    name = (
        checked_agent(ask.name)
        if ask.role == AGENT
        else tidied(ask.name, message("A member's name"), AGENT_CHARACTERS)
    )
    held = {each.role for each in _tokens_of(engine, name)} - {ask.role}
    if held or (ask.role not in (AGENT, OWNER) and agent_key(name) == agent_key(engine.person)):
        raise Conflict(
            message(
                "{name} is {role} of this desk already.",
                name=name,
                role=[ROLE_NAMES[each] for each in held or (OWNER,)],
            ),
            next=message(
                "Revoke that first: `memdesk team revoke {name}`; or choose another name.", name=name
            ),
        )
    now = engine.clock()
    ends_at = ends_after(ask.days, now)
    token = engine.agents.make_token(
        name,
        at=now,
        ends_at=ends_at,
        role=ask.role,
        users=() if ask.role == OWNER else ask.users or (LOCAL_USER,),
        channels=tuple(" ".join(each.split()) for each in ask.only_channels),
    )
    note_event(engine, message("Invited {name} as {role}", name=name, role=ROLE_NAMES[ask.role]), author)
    return Invited(name=name, role=ask.role, token=token, ends_at=optional_datetime(ends_at))


def list_members(engine: Engine) -> MemberList:
    """Return the members by name, one row for each token."""
    tokens = sorted(engine.agents.register.all(), key=lambda each: (agent_key(each.agent), each.made_at))
    return MemberList(
        rows=tuple(
            MemberRow(
                name=each.agent,
                role=each.role,
                users=each.users,
                channels=each.channels,
                made_at=to_datetime(each.made_at),
                ends_at=optional_datetime(each.ends_at),
                seen_at=optional_datetime(engine.agents.seen.get(seen_key(each))),
            )
            for each in tokens
        )
    )


def revoke_member(engine: Engine, ask: NamedMember, *, author: str) -> MemberRevoked:
    """Revoke all tokens of a member; streams that are open with one end at once. Raises NotFound if it has none."""
    held = _tokens_of(engine, ask.name)
    if not held:
        raise NotFound(
            message("{name} has no token.", name=ask.name[:AGENT_CHARACTERS]),
            next=message("`memdesk team list` lists the members."),
        )
    engine.agents.revoke(held)
    note_event(engine, message("Revoked the tokens of {name}", name=held[0].agent), author)
    return MemberRevoked(name=held[0].agent, tokens=len(held))


def known_member(engine: Engine, hash: str) -> KeptToken:
    """Return the token with this hash. Raises NotAllowed for one that was revoked or has ended."""
    kept = engine.agents.register.find(hash)
    if kept is None or kept.has_ended(engine.clock()):
        raise NotAllowed(
            message("The token with which this was begun was revoked, or has ended."),
            next=message("Invite the member again: `memdesk team invite`."),
        )
    return kept


def seen_key(token: KeptToken) -> str:
    """Return the key under which it is noted when a member was last seen: an agent's is its name's."""
    return agent_key(token.agent) if not token.is_person else token.author


def _tokens_of(engine: Engine, name: str) -> list[KeptToken]:
    return [each for each in engine.agents.register.all() if agent_key(each.agent) == agent_key(name)]
