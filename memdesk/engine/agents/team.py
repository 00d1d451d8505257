"""Members of a desk: invited with a role and bounds, listed, and revoked."""

from __future__ import annotations

from memdesk.engine.agents.granting import AGENT_CHARACTERS, checked_agent, ends_after, note_event
from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.wording import tidied
from memdesk.model.agent import agent_key
from memdesk.model.channel import LOCAL_USER
from memdesk.model.errors import BadAsk, Conflict, NotAllowed, NotFound
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.message import message
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


def revoke(engine: Engine, ask: NamedMember, *, author: str) -> MemberRevoked:
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
