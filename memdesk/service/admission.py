"""Admission of calls: who calls, whether the call is the owner's alone, what an agent may do with it, and how often."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar
from urllib.parse import unquote

from memdesk.api.endpoint import Endpoint
from memdesk.engine.agents import limits
from memdesk.engine.agents.bounds import bounds_of, within_bounds
from memdesk.engine.agents.granting import seen_key
from memdesk.engine.agents.limits import Visitor
from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.memory import review_queue
from memdesk.files import passphrase
from memdesk.files.autostart import window_process
from memdesk.model.agent import agent_key
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import MemDeskError, NotAllowed, TooMany
from memdesk.model.history import FeedEvent
from memdesk.model.instant import MINUTE, SECOND
from memdesk.model.message import message
from memdesk.model.remember import Learned, NewFact
from memdesk.model.review import Propose
from memdesk.model.status import Status
from memdesk.service.callers import Caller, caller
from memdesk.service.host import Confirmations
from memdesk.service.sockets import command_of, is_window

Said = TypeVar("Said")
PASSPHRASE_HEADER = "x-memdesk-passphrase"
UNLOGGED = ("passphrase",)
ADDRESSED_TO_GLOBAL = "The agent addressed it to _global."
AGENTS_KEPT = 1_000
"""Agents whose pace is kept; of more, those that have been quiet for a minute are forgotten."""
UNLIMITED = ("hooks.",)
"""Reports of a runtime: they are sent once, and one that is refused would be lost."""


class Admission:
    """Admission to one desk. token: the owner's. confirmations: acts that wait for a click in the window."""

    def __init__(self, engine: Engine, token: str, confirmations: Confirmations) -> None:
        self._engine, self._token, self._confirmations = engine, token, confirmations
        self._rates = Rates(engine.clock)

    def caller(self, headers: Mapping[str, str], *, remote: bool) -> Caller:
        """Return who calls. Raises NotAllowed, BadAsk."""
        now = self._engine.clock()
        who = caller(headers, self._token, self._engine.agents, now=now, remote=remote)
        if who.token is not None:
            self._engine.agents.seen[seen_key(who.token)] = now
        return who

    def asks_database(self, headers: Mapping[str, str]) -> bool:
        """Return True if `caller` may wait for a database: a token was presented, and services share the register."""
        return self._engine.agents.register.is_shared and "authorization" in headers

    def check_arguments(self, who: Caller, arguments: Any, *, reads: bool) -> None:
        """Raise NotFound for free JSON that names a record outside the bounds of the caller's token."""
        if (token := who.bounded_by) is not None:
            bounds_of(self._engine, token, reads=reads).fitted(arguments)

    def seconds_left(self, who: Caller) -> float | None:
        """Return how long the token of a caller still opens the desk, 0 if it was revoked; None for no end."""
        if who.token is None:
            return None
        kept = self._engine.agents.register.find(who.token.hash)
        if kept is None:
            return 0.0
        left = None if kept.ends_at is None else (kept.ends_at - self._engine.clock()) / SECOND
        return None if left is None else max(0.0, left)

    def shown(self, who: Caller, answer: Said, *, reads: bool = True) -> Said:
        """Return an answer without what is outside the bounds of the caller's token, a status with the caller's role
        and the person whose token it is. Raises NotFound."""
        if isinstance(answer, Status):
            answer = replace(answer, role=who.role)
            if who.token is not None and who.is_person:
                answer = replace(answer, person=who.token.agent)
        token = who.bounded_by
        return answer if token is None else bounds_of(self._engine, token, reads=reads).shown(answer)

    def within(self, who: Caller, *, reads: bool) -> AbstractContextManager[None]:
        """Return a block that reaches no further than the caller's token, where the desk's database keeps to it."""
        return within_bounds(self._engine, who.bounded_by, reads=reads)

    def spelled(self, who: Caller) -> Caller:
        """Return the caller by the name under which the desk knows it: “forge” is Forge."""
        return who if who.agent is None else replace(who, agent=self._engine.agents.spelled(who.agent))

    def seen(self, who: Caller, page: tuple[FeedEvent, ...]) -> tuple[FeedEvent, ...]:
        """Return the events whose records, at least one, are all inside the bounds of the caller's token."""
        inside = {each.id: each.records for each in self.shown(who, page)}
        return tuple(each for each in page if each.records and inside.get(each.id) == each.records)

    def admitted(self, who: Caller, call: str, ask: Any, *, reads: bool) -> tuple[Any, Visitor | None]:
        """Return the request as the caller may make it, and the agent that makes it, None for a person.

        Raises NotAllowed, NotFound, and TooMany for an agent that calls too often."""
        if (token := who.bounded_by) is not None:
            ask = self._bounded(token, ask, reads=reads)
        if who.is_person:
            return ask, None
        agents = self._engine.agents
        if who.token is None and who.agent is not None and agents.tokens_of(who.agent):
            raise self.refused(
                NotAllowed(
                    message(
                        "The agent {agent} signs with its token, and none was presented.", agent=who.agent
                    ),
                    next=message(
                        "Send it as `Authorization: Bearer TOKEN`, or set it up anew: `memdesk install`."
                    ),
                )
            )
        visitor = limits.visitor(self._engine, who.agent, call, reads=reads, token=who.token)
        agents.seen[agent_key(visitor.name)] = self._engine.clock()
        settings = self._engine.settings
        per_minute = settings.agent_reads_per_minute if reads else settings.agent_writes_per_minute
        self._rates.admit(visitor.name, call, reads=reads, per_minute=per_minute)
        return limits.limited(self._engine, visitor, _spelled_in(ask, visitor.name)), visitor

    def _bounded(self, token: KeptToken, ask: Any, *, reads: bool) -> Any:
        try:
            return bounds_of(self._engine, token, reads=reads).fitted(ask)
        except NotAllowed as refused:
            raise self.refused(refused) from None

    def refuse_all_but_window(self, process: int) -> None:
        """Raise NotAllowed for a caller that is not the desk's window."""
        if not is_window(self._engine.desk, process):
            raise self.refused(
                NotAllowed(message("Only the desk's window may do this."), next=message("Click there."))
            )

    async def clicked(
        self,
        endpoint: Endpoint[Any, Any],
        ask: Any,
        who: Caller,
        process: int,
        gone: Callable[[], Awaitable[bool]],
    ) -> None:
        """Wait for a click where no passphrase is set and another process is the desk's open window.

        Raises NotAllowed where it is refused, or nobody clicks in time."""
        desk = self._engine.desk
        if passphrase.is_set(desk.owner_passphrase) or window_process(desk) in (0, process):
            return
        named = f"process {process}" + (f", {command}" if (command := command_of(process)) else "")
        try:
            await self._confirmations.wait(
                f"{endpoint.summary}{_details(ask)}", f"{who.agent} ({named})" if who.agent else named, gone
            )
        except NotAllowed as refused:
            # The audit log is written, and waited for, off the loop.
            raise await asyncio.to_thread(self.refused, refused) from None

    def confirm(self, headers: Mapping[str, str], process: int) -> None:
        """Raise NotAllowed where a passphrase is set and neither it nor the window confirms a dangerous call."""
        desk = self._engine.desk
        if not passphrase.is_set(desk.owner_passphrase) or is_window(desk, process):
            return
        given = headers.get(PASSPHRASE_HEADER)
        if given is None or not passphrase.matches(desk.owner_passphrase, unquote(given)):
            raise self.refused(
                NotAllowed(
                    message("This asks for the desk's passphrase.")
                    if given is None
                    else message("That is not the desk's passphrase."),
                    next=message(
                        "Give it in MEMDESK_PASSPHRASE or X-MemDesk-Passphrase, or do it in the window."
                    ),
                    details={"passphrase": True},
                )
            )

    def refused(self, error: MemDeskError) -> MemDeskError:
        """Record a refusal in the audit log; return it."""
        return limits.audited(self._engine, error)

    def answered(self, visitor: Visitor | None, call: str, ask: Any, answer: Any) -> Any:
        """Return an answer as the agent may have it. `ask` is the request as it was made."""
        if visitor is None or call not in _ANSWERED:
            return answer
        return _ANSWERED[call](self._engine, visitor, ask, answer)


def _spelled_in(ask: Any, agent: str) -> Any:
    """Return a request whose agent is spelled as the desk knows it, if it names the one that asks."""
    own = getattr(ask, "agent_id", None)
    same = own is not None and own != agent and agent_key(own) == agent_key(agent)
    return replace(ask, agent_id=agent) if same else ask


def _details(ask: Any) -> str:
    """Return the fields of a request that differ from their defaults, but for a passphrase: ` (agent: Iris)`."""
    given = {
        each.name.replace("_", " "): getattr(ask, each.name)
        for each in fields(ask)
        if each.name not in UNLOGGED and getattr(ask, each.name) not in (each.default, None, (), "")
    }
    return f" ({', '.join(f'{name}: {value}' for name, value in given.items())})" if given else ""


def _propose(engine: Engine, visitor: Visitor, ask: NewFact, learned: Learned) -> Learned:
    """Propose a claim for `_global` that an agent addressed to it, and say so."""
    wished = ask.channel is not None and " ".join(ask.channel.split()) == GLOBAL
    if not wished or visitor.rights.may_write_global or learned.held_out or learned.repeated:
        return learned
    asked = review_queue.propose(
        engine,
        Propose(type="promotion", fact_id=learned.id, reason=ADDRESSED_TO_GLOBAL, agent_id=visitor.name),
        author=visitor.author,
    )
    return replace(learned, proposed=asked.id)


def _own_rows(_engine: Engine, visitor: Visitor, _ask: Any, page: Any) -> Any:
    """Return a page without the rows of other agents."""
    return replace(page, rows=tuple(row for row in page.rows if visitor.is_own(row.agent_id)))


_ANSWERED: Mapping[str, Callable[[Engine, Visitor, Any, Any], Any]] = {
    "memory.learn_fact": _propose,
    "context.compactions": _own_rows,
    "context.sessions": _own_rows,
}


@dataclass(slots=True)
class Rates:
    """How often each agent may read and write in a minute. Thread-safe. clock: UTC microseconds.

    A limit of N lets N calls pass at once and one more every 60 / N seconds (the generic cell rate algorithm): one
    number for each agent and kind of call, however many there were."""

    clock: Callable[[], int]
    _free_at: dict[tuple[str, bool], int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, agent: str, call: str, *, reads: bool, per_minute: int) -> None:
        """Count a call of an agent. Raises TooMany, with the seconds until the next one is allowed."""
        if not per_minute or call.startswith(UNLIMITED):
            return
        key, now = (agent_key(agent), reads), self.clock()
        step = MINUTE // per_minute
        with self._lock:
            # A clock set back would lock an agent out until then.
            free_at = min(max(self._free_at.get(key, now), now), now + MINUTE)
            if (wait := free_at + step - MINUTE - now) > 0:
                self._free_at[key] = free_at
                raise _too_many(agent, per_minute, wait, reads=reads)
            self._free_at[key] = free_at + step
            if len(self._free_at) > AGENTS_KEPT:
                self._free_at = {each: at for each, at in self._free_at.items() if at > now}


def _too_many(agent: str, per_minute: int, wait: int, *, reads: bool) -> TooMany:
    seconds = -(-wait // SECOND)
    says = (
        message(
            "{agent} has read {count} times in a minute, as often as it may.",
            agent=agent,
            count=f"{per_minute:,}",
        )
        if reads
        else message(
            "{agent} has written {count} times in a minute, as often as it may.",
            agent=agent,
            count=f"{per_minute:,}",
        )
    )
    return TooMany(
        says, next=message("Try again in {count} s.", count=seconds), details={"retry_after_s": seconds}
    )
