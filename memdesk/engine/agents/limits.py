"""Limits of a call by an agent: it signs as itself, writes where it may, and leaves alone what is another's.

The service applies them to a request before the call's verb runs, so every door has the same ones."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from memdesk.engine.agents.granting import claim_user
from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.memory.draft import protected
from memdesk.files.transcripts import session_in
from memdesk.model.agent import UNNAMED, Rights, agent_key
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.context import COMPACTION
from memdesk.model.document import WORKSPACE
from memdesk.model.errors import MemDeskError, NotAllowed
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.item import PutItems, address_of
from memdesk.model.message import Message, message
from memdesk.model.profile import TRAIT
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.session import SESSION
from memdesk.model.tools import ToolPlace
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.model.working import AddTurn, SessionPlace, WorkingPlace
from memdesk.store import agents, records, semantic
from memdesk.store.connection import Connection

CLAIMED_SPEAKER = "claimed_speaker"
"""Key of a turn's metadata: the person's name, which an agent gave as the speaker."""
_OWN_FILES = ("workspace.recent", "workspace.learnings", "workspace.bootstrap")
"""Reads whose `agent_id` names the files to read; in others it is a filter."""
_RECORDS = ("id", "fact_id", "conversation_id", "invocation_id", "strategy_id")
"""Fields that name a record in a request without a user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Agent that makes a call. name: UNNAMED without one. reads: the call changes nothing."""

    name: str
    rights: Rights
    call: str
    reads: bool

    @property
    def author(self) -> str:
        return f"agent:{self.name}"

    @property
    def home(self) -> str:
        """Channel of what names none."""
        return GLOBAL if self.rights.may_write_global else self.name

    def is_own(self, agent_id: str | None) -> bool:
        """Return True if a record of this agent is the visitor's, no agent's, or of an agent granted to it."""
        return self.rights.is_own(self.name, agent_id)

    def refusal(self, says: Message, scope: str) -> NotAllowed:
        return NotAllowed(
            says,
            next=message(
                "Ask the desk's owner: `memdesk agents grant {agent} {scope}`.", agent=self.name, scope=scope
            ),
        )

    def need_own(self, agent_id: str | None, what: str) -> None:
        """Raise NotAllowed for what belongs to another agent."""
        if not self.is_own(agent_id):
            raise self.refusal(
                message("{what} belongs to the agent {agent_id}.", what=what, agent_id=agent_id),
                f"agent --name {agent_id}",
            )


def visitor(
    engine: Engine, name: str | None, call: str, *, reads: bool, token: KeptToken | None = None
) -> Visitor:
    """Return an agent as the limits know it. token: the one it presented."""
    name = name or UNNAMED
    rights = engine.agents.rights_of(name)
    return Visitor(
        name=name, rights=rights if token is None else token.bounded(rights), call=call, reads=reads
    )


def limited(engine: Engine, who: Visitor, ask: Any) -> Any:
    """Return a request as this agent may make it. Raises NotAllowed, which the audit log then records."""
    try:
        return _Limits(engine, who).fitted(ask)
    except NotAllowed as refused:
        raise audited(engine, refused) from None


def signers(ask: Any, call: str, *, reads: bool) -> set[str]:
    """Return the agents that a request and its items name as their own; in most reads `agent_id` is a filter."""
    if not is_dataclass(ask) or (reads and call not in _OWN_FILES and not call.startswith(_SIGNED)):
        return set()
    own = getattr(ask, "agent_id", None)
    return {own for own in (own,) if own is not None}.union(
        *(signers(each, call, reads=reads) for each in _items(ask))
    )


def audited(engine: Engine, refused: MemDeskError) -> MemDeskError:
    """Record a refusal in the audit log, as one by the writer would be; return it."""

    def refuse(_db: Connection) -> None:
        raise refused

    engine.store.submit(refuse).exception()
    return refused


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of one call."""

    engine: Engine
    who: Visitor

    def fitted(self, ask: Any) -> Any:
        """Return the request with its channels and speakers as the agent may name them. Raises NotAllowed."""
        if not is_dataclass(ask):
            return ask
        with self.engine.store.reading() as db:
            self._check_signature(ask)
            fit = self._fitted(db, ask)
            self._check_records(db, fit)
            if (check := _CHECKS.get(self.who.call)) is not None:
                check(self, db, fit)
            places = self._places(db, fit)
        for user in {each for each in _users_of(fit) if each not in self.who.rights.users}:
            self._check_user(user)
        claims = not self.who.reads and isinstance(ask, SessionPlace | WorkingPlace | ToolPlace)
        for user, place in places:
            self._check_place(user, place, claims=claims)
        return fit

    def _fitted(self, db: Connection, ask: Any) -> Any:
        changed: dict[str, Any] = {}
        for item in fields(ask):
            value = getattr(ask, item.name)
            if isinstance(value, tuple) and value and is_dataclass(value[0]):
                changed[item.name] = tuple(self._fitted(db, each) for each in value)
        if changed:
            ask = replace(ask, **changed)
        for name, fit in _FITTED.items():
            if hasattr(ask, name):
                ask = fit(self, db, ask)
        return self._without_speaker(ask) if isinstance(ask, NewTurn | AddTurn) else ask

    def _check_signature(self, ask: Any) -> None:
        for named in signers(ask, self.who.call, reads=self.who.reads):
            if agent_key(named) != agent_key(self.who.name):
                raise NotAllowed(
                    message("{who} may not sign as {named}.", who=self.who.name, named=named),
                    next=message("Leave agent_id out, or name yourself in it."),
                )

    def _without_speaker(self, turn: Any) -> Any:
        """Return a turn that does not name the person as its speaker: an agent relays what is said, it is not the
        person."""
        if turn.speaker is None or _folded(turn.speaker) != _folded(self.engine.person):
            return turn
        return replace(turn, speaker=None, metadata={**turn.metadata, CLAIMED_SPEAKER: turn.speaker})

    def fit_channel(self, db: Connection, ask: Any) -> Any:
        """Return the request with its channel, or the agent's own in place of `_global`. Raises NotAllowed for one that
        was not granted."""
        if ask.channel is None:
            return replace(ask, channel=self.who.home) if isinstance(ask, NewFact) else ask
        channel, user = " ".join(ask.channel.split()), getattr(ask, "user_id", LOCAL_USER)
        current = channel if channel == GLOBAL else semantic.current_channel(db, user, channel)
        if isinstance(ask, ToolPlace) and channel == GLOBAL and self.who.reads:
            return ask
        if current == GLOBAL and not self.who.rights.may_write_global:
            if isinstance(ask, ToolPlace):
                raise self.who.refusal(
                    message("{who} may not write into {channel}.", who=self.who.name, channel=channel),
                    "global",
                )
            if self._goes_on(db, ask):
                return ask
            return replace(ask, channel=self.who.home)
        allowed = self.who.rights.channels
        if allowed and not {channel, current} & {*allowed, GLOBAL, self.who.name}:
            raise self._no_channel(channel)
        return ask

    def fit_channels(self, _db: Connection, ask: Any) -> Any:
        """Return the request with its channels, or those granted where it names none."""
        allowed = self.who.rights.channels
        if not allowed:
            return ask
        if not ask.channels:
            return replace(ask, channels=(*sorted(allowed), self.who.name, GLOBAL))
        for channel in ask.channels:
            if channel not in (*allowed, self.who.name, GLOBAL):
                raise self._no_channel(channel)
        return ask

    def fit_every_channel(self, _db: Connection, ask: Any) -> Any:
        if ask.every_channel and self.who.rights.channels:
            raise self._no_channel("every channel")
        return ask

    def _no_channel(self, channel: str) -> NotAllowed:
        return self.who.refusal(
            message("{who} may not use the channel {channel}.", who=self.who.name, channel=channel),
            f"channel --name {channel}",
        )

    def _goes_on(self, db: Connection, ask: Any) -> bool:
        """Return True if the request is about a conversation or a turn that exists, and so is kept in its channel.

        Raises NotAllowed for one in `_global` that another began."""
        if isinstance(ask, NewFact):
            return False
        part: Conversation | Turn | None = records.get(
            db, CONVERSATION, getattr(ask, "conversation_id", None) or ""
        )
        part = part or records.get(db, TURN, getattr(ask, "turn_id", None) or "")
        if part is None:
            return False
        if part.channel != GLOBAL or self.who.reads or (part.agent_id and self.who.is_own(part.agent_id)):
            return True
        raise self.who.refusal(message("The conversation of {id} is in _global.", id=part.id), "global")

    def _check_records(self, db: Connection, ask: Any) -> None:
        """Raise NotAllowed for a record of another user or channel, in a request that does not name a user."""
        if hasattr(ask, "user_id") or hasattr(ask, "turns"):
            return
        for name in _RECORDS:
            id = getattr(ask, name, None)
            kind = records.kind_of(db, id) if isinstance(id, str) else None
            record = None if kind is None else records.get(db, kind, str(id))
            if record is None:
                continue
            if record.user_id not in self.who.rights.users:
                raise self._no_user(record.user_id)
            channel, allowed = getattr(record, "channel", GLOBAL), self.who.rights.channels
            if allowed and channel not in (*allowed, self.who.name, GLOBAL):
                raise self._no_channel(channel)

    def _check_user(self, user: str) -> None:
        """Raise NotAllowed for the memory of another user. One that the desk does not know yet becomes the agent's."""
        with self.engine.store.reading() as db:
            known = agents.is_known_user(db, user)
        begins = self.who.rights.may_begin_users
        if known or not (begins and (self.who.reads or claim_user(self.engine, self.who.name, user))):
            raise self._no_user(user)

    def _no_user(self, user: str) -> NotAllowed:
        return self.who.refusal(
            message("{who} may not use the memory of the user {user}.", who=self.who.name, user=user),
            f"user --name {user}",
        )

    def _places(self, db: Connection, ask: Any) -> list[tuple[str, str]]:
        """Check the session and the conversation that a private call is about; return (user, scratchpad) of each
        scratchpad that no record says whose it is.

        Raises NotAllowed for another agent's."""
        if not self.who.call.startswith(_PRIVATE):
            return []
        session, talk = getattr(ask, "session_id", None), getattr(ask, "conversation_id", None)
        session_settled = self._is_settled(db, SESSION, session, message("The session"))
        self._is_settled(db, SESSION, getattr(ask, "fork_of", None), message("The session"))
        talk_settled = self._is_settled(db, CONVERSATION, talk, message("The conversation"))
        found = []
        if session is not None and not session_settled:
            found.append((ask.user_id, f"session:{ask.user_id}:{session}"))
        if talk is not None and not talk_settled:
            found.append((ask.user_id, f"conversation:{ask.user_id}:{talk}"))
        if isinstance(ask, WorkingPlace) and talk is None:
            found.append((ask.user_id, f"channel:{ask.user_id}:{ask.channel}"))
        return found

    def _is_settled(self, db: Connection, kind: Any, id: str | None, what: str) -> bool:
        """Return True if a record has this id. Raises NotAllowed if it is another agent's."""
        found = None if id is None else records.get(db, kind, id)
        if found is None:
            return False
        self.who.need_own(found.agent_id, f"{what} {id}")
        return True

    def _check_place(self, user: str, place: str, *, claims: bool) -> None:
        """Raise NotAllowed for a scratchpad that another agent used first. claims: one that none used becomes this
        agent's."""
        with self.engine.store.reading() as db:
            holder = agents.holder(db, place)
        if holder is None and claims:
            holder = self.engine.store.submit(
                lambda db: agents.hold(db, place, user, self.who.name, at=self.engine.clock())
            ).result()
        if holder is not None and not self.who.is_own(holder):
            raise self.who.refusal(
                message("This scratchpad belongs to the agent {holder}.", holder=holder),
                f"agent --name {holder}",
            )

    # Checks of single calls.

    def check_fact(self, db: Connection, ask: NewFact) -> None:
        """Raise NotAllowed for a fact of another that the claim would replace."""
        if ask.supersedes is not None and (old := records.get(db, FACT, ask.supersedes)) is not None:
            self.need_fact(old.agent_id, ask.supersedes)
        if ask.key is not None and ask.agent_id is None:
            held = semantic.fact_keyed(db, ask.user_id, str(ask.channel), None, " ".join(ask.key.split()))
            if held is not None and protected(db, [held.id]):
                self.need_fact("person", held.id)

    def need_fact(self, agent_id: str | None, id: str) -> None:
        if not self.who.is_own(agent_id):
            raise NotAllowed(
                message(
                    "The fact {id} is {agent_id}'s; {who} may not replace it.",
                    id=id,
                    agent_id=agent_id,
                    who=self.who.name,
                ),
                next=message("Propose a correction: review.propose."),
            )

    def check_items(self, db: Connection, ask: PutItems) -> None:
        """Raise NotAllowed for an item of another agent."""
        channel = semantic.current_channel(db, ask.user_id, ask.channel)
        for item in ask.items:
            address = address_of(item.namespace, item.key)
            for fact in semantic.facts_at(db, ask.user_id, channel, address):
                if fact.retired_at is None:
                    self.who.need_own(fact.agent_id, message("The item {key}", key=item.key[:60]))

    def check_goal(self, db: Connection, ask: Any) -> None:
        """Raise NotAllowed for a goal of another agent, or of a person."""
        goal = records.get(db, GOAL, ask.goal_id)
        if goal is None:
            return
        self.who.need_own(goal.agent_id, message("The goal {id}", id=goal.id))
        if goal.agent_id is None and not self.who.rights.may_change_the_persons and protected(db, [goal.id]):
            raise self.who.refusal(
                message("A person set the goal “{description}”.", description=goal.description[:60]), "person"
            )

    def check_hook(self, db: Connection, ask: Any) -> None:
        """Raise NotAllowed for an event of another agent's session, and for a new session in any folder of an agent
        that may use some channels only."""
        id = session_in(ask.said)
        session = records.get(db, SESSION, id) if id else None
        if session is not None:
            self.who.need_own(session.agent_id, f"Session {id}")
        elif self.who.rights.channels and ask.channel is None:
            raise self._no_channel(message("of every folder"))

    def check_trait(self, db: Connection, ask: Any) -> None:
        """Raise NotAllowed for a profile entry that a person set."""
        name = " ".join(ask.name.split())
        found = records.find(db, TRAIT, user_id=ask.user_id, aspect=ask.aspect, name=name, limit=1)
        if found and not self.who.rights.may_change_the_persons and protected(db, [found[0].id]):
            raise self.who.refusal(message("A person set {name} in the profile.", name=name), "person")

    def check_compaction(self, db: Connection, ask: Any) -> None:
        """Raise NotAllowed for what another agent's context gave way to a summary."""
        found = records.get(db, COMPACTION, ask.compaction_id)
        if found is not None:
            self.who.need_own(found.agent_id, message("The compaction {id}", id=found.id))

    def check_workspace(self, db: Connection, ask: Any) -> Any:
        """Raise NotAllowed for files of another agent."""
        found = None if ask.workspace_id is None else records.get(db, WORKSPACE, ask.workspace_id)
        if found is not None:
            self.who.need_own(found.agent_id, message("The workspace {found}", found=found.name))
        return ask


_SIGNED = ("recall.", "context.", "tools.", "mcp", "procedures.find_strategies")
"""Calls that read in the name of the agent in `agent_id`."""
_PRIVATE = (
    *("working.", "context.", "recall.search", "workspace.keep_session", "mcp.prompt"),
    *("tools.agenticx.scratchpad_", "tools.agentx.scratchpad_note", "tools.agentx.checkpoint"),
)
"""Calls about the session and the conversation that an agent is in."""
_FITTED: Mapping[str, Callable[[_Limits, Connection, Any], Any]] = {
    "channel": _Limits.fit_channel,
    "channels": _Limits.fit_channels,
    "every_channel": _Limits.fit_every_channel,
    "workspace_id": _Limits.check_workspace,
}
_CHECKS: Mapping[str, Callable[[_Limits, Connection, Any], None]] = {
    "memory.learn_fact": _Limits.check_fact,
    "items.put": _Limits.check_items,
    "hooks.event": _Limits.check_hook,
    "profile.set": _Limits.check_trait,
    **dict.fromkeys(
        ("goals.update", "goals.complete", "goals.reopen", "goals.block_by", "goals.unblock"),
        _Limits.check_goal,
    ),
    **dict.fromkeys(("context.compaction", "context.archive", "context.restore"), _Limits.check_compaction),
}


def _users_of(ask: Any) -> set[str]:
    """Return the users that a request names, those of its items too."""
    own = {ask.user_id} if hasattr(ask, "user_id") else set()
    return own.union(*map(_users_of, _items(ask)))


def _items(ask: Any) -> Iterator[Any]:
    """Yield the requests inside a request, such as the turns of a call that stores several."""
    values = (getattr(ask, item.name) for item in fields(ask))
    return (each for value in values if isinstance(value, tuple) for each in value if is_dataclass(each))


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
