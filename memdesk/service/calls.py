"""Answers to calls: each declaration with its verb, found once when the service starts."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.engine.agents.bounds import bounds_of, within_bounds
from memdesk.engine.agents.granting import known_member
from memdesk.engine.known_agents import KeptToken
from memdesk.engine.memory.secret_questions import ask_about_new
from memdesk.engine.progress import Progress
from memdesk.engine.secrets.vault import masked
from memdesk.model.kind import new_id
from memdesk.model.status import JobState
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host
from memdesk.service.long_acts import Act

UNMASKED = ("settings",)
"""Resources whose requests are used as they are."""


def answer_calls(app: DeskApp, host: Host) -> None:
    """Register the handler of every call that declares a verb; the call of a tool, whose path names it, has none."""
    for call in ENDPOINTS:
        if call.act:
            answer(app, call, _long_act(call, host))
        elif call.verb:
            answer(app, call, _plain_call(call, host))


def function_at(reference: str) -> Callable[..., Any]:
    """Return the function that a declaration names: `module:function` in the engine, or `service.module:function`."""
    module, _, name = reference.partition(":")
    place = "memdesk" if module.startswith("service.") else "memdesk.engine"
    function: Callable[..., Any] = getattr(import_module(f"{place}.{module}"), name)
    return function


def _plain_call(call: Endpoint[Any, Any], host: Host) -> Callable[..., Any]:
    verb = _Verb(call, host)
    return lambda ask, author, member: verb(ask, author=author, member=member)


def _long_act(call: Endpoint[Any, Any], host: Host) -> Callable[..., JobState]:
    verb = _Verb(call, host)
    check = function_at(call.check) if call.check else None

    def work(ask: Any, act: Act, progress: Progress) -> dict[str, Any]:
        member = None
        if act.member:
            # It waited for others, or the service began again since: the member may have been revoked, or have less.
            member = known_member(host.engine, act.member)
            ask = bounds_of(host.engine, member, reads=call.only_reads).fitted(ask)
        with within_bounds(host.engine, member, reads=call.only_reads):
            result: dict[str, Any] = verb(
                ask,
                author=act.author,
                member=member,
                progress=progress,
                run=act.run,
                again=act.again,
                reached=act.reached,
                note=partial(host.acts.note, act),
            )
        return result

    def start(ask: Any, author: str, member: KeptToken | None) -> JobState:
        if check is not None:
            check(ask)
        run = new_id("run", host.engine.clock()) if "run" in verb.keywords else ""
        return host.acts.start(ask, author=author, member="" if member is None else member.hash, run=run)

    host.acts.learn(call.ask, call.act, work)
    return start


class _Verb:
    """Function of a call, with the engine, or in the service the host, as its first argument.

    keywords: the names among author, member, progress, run, again, reached and note that it takes."""

    def __init__(self, call: Endpoint[Any, Any], host: Host) -> None:
        self._function = function_at(call.verb)
        # A signature for each of them takes a sixth of the service's start.
        takes = inspect.unwrap(self._function).__code__
        self._first = host if call.verb.startswith("service.") else host.engine
        self._engine, self._asks_review = host.engine, not call.only_reads
        self._plain = call.resource in UNMASKED
        self._positional = takes.co_argcount
        self.keywords = frozenset(takes.co_varnames[: takes.co_argcount + takes.co_kwonlyargcount])

    def __call__(self, ask: Any, **offered: Any) -> Any:
        wanted = {name: value for name, value in offered.items() if name in self.keywords}
        cleaned = ask if self._plain else masked(self._engine.vault, ask)
        answer = self._function(*(self._first, cleaned)[: self._positional], **wanted)
        if self._asks_review:
            ask_about_new(self._engine)
        return answer
