"""Agents: their tokens, and what the desk's owner granted them."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.agent import (
    GRANTED,
    AgentList,
    AgentRevoked,
    AgentToken,
    AskPortrait,
    GrantChanged,
    NamedAgent,
    NamedGrant,
    NewGrant,
    NewToken,
    Portrait,
)
from memdesk.model.status import Nothing
from memdesk.model.team import OWNER

LIST = Get(
    "agents.list",
    Nothing,
    AgentList,
    "Agents, with their grants, and whether each signs with a token",
    "agents.granting:list_agents",
    role=OWNER,
    example=Nothing(),
)
ADD = Post(
    "agents.add",
    NewToken,
    AgentToken,
    "Make an agent a token, shown once; nobody signs with its name without one from then on",
    "agents.granting:add_token",
    role=OWNER,
    confirmed=True,
    example=NewToken(agent="scout", days=90),
    face=Face(
        "agents add",
        positional=("agent",),
        line="{token}",
    ),
)
REVOKE = Post(
    "agents.revoke",
    NamedAgent,
    AgentRevoked,
    "Revoke an agent's tokens; it is a guest again",
    "agents.granting:revoke_tokens",
    role=OWNER,
    confirmed=True,
    example=NamedAgent(agent="scout"),
    face=Face(
        "agents revoke",
        positional=("agent",),
        line="{agent} is a guest again; {tokens:# token} of it no longer signs anything.",
    ),
)
GRANT = Post(
    "agents.grant",
    NewGrant,
    GrantChanged,
    "Grant an agent a channel, a user, _global, what a person wrote, or the things of another agent",
    "agents.granting:grant",
    role=OWNER,
    confirmed=True,
    face=Face(
        "agents grant",
        positional=("agent", "scope"),
        choices={"scope": tuple(GRANTED)},
        line="Granted: {title} ({id}).",
    ),
)
WITHDRAW = Post(
    "agents.withdraw",
    NamedGrant,
    GrantChanged,
    "Withdraw a grant",
    "agents.granting:withdraw",
    role=OWNER,
    face=Face("agents withdraw", positional=("id",), line="Withdrawn: {title}."),
)
PORTRAIT = Get(
    "agents.portrait",
    AskPortrait,
    Portrait,
    "Who an agent is: its identity, people, rules, projects, contradictions and secrets, each with its source",
    "agents.portrait:portrait",
    role=OWNER,
    example=AskPortrait(),
)
