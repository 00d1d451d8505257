"""Bounds of a member's token: which users and channels its requests may name, and its answers may show.

They hold for every call alike, by the fields of its request and answer, and beside the limits of an agent: a call that
forgets a filter shows a member nothing of others all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.known_agents import KeptToken
from memdesk.model.agent import GRANT, Rights
from memdesk.model.channel import CHANNEL, GLOBAL, LOCAL_USER, Channel, ChannelInfo
from memdesk.model.curation import Bulk, Promote, Redo, Undo, UndoRun
from memdesk.model.errors import NotAllowed, NotFound
from memdesk.model.interop import ExportPreview
from memdesk.model.kinds import KINDS
from memdesk.model.message import Message, message
from memdesk.model.recall import Provenance
from memdesk.model.review import Decide, DecideAll, Proposal
from memdesk.model.status import Metrics, Status
from memdesk.store import browsing, journal, records, semantic
from memdesk.store.browsing import Scope
from memdesk.store.connection import Connection
from memdesk.store.events import fields_of_gone
from memdesk.store.run_context import Reach, within
from memdesk.store.run_undo import run_undo

Said = TypeVar("Said")
_MADE_ID = re.compile(rf"\b(?:{'|'.join(kind.prefix for kind in KINDS)})_[0-9A-HJKMNP-TV-Z]{{26}}\b")
"""Pattern of a generated id in a text: a record kind's prefix and a ULID."""
_NAMES_IDS = re.compile(r"(?!user_|agent_)(?:.*_)?ids?|record|records|center")
"""Fields whose texts are ids, also such as the caller chose."""
_NAMED_IN = {CHANNEL.name: "name"}
"""Column in which a record of a kind names its channel, where that is not `channel`."""
_NAMES_USER = ("user_id", "user")
_NAMES_CHANNEL = ("channel", "source_channel", "moving_to")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of one token. users: those whose memory it may use. begins: it may also name a user that is new to the
    desk. channels: those it may use, under their present names, an agent's own included; empty for all. reads: the
    call changes nothing."""

    engine: Engine
    token: KeptToken
    users: frozenset[str]
    channels: frozenset[str]
    reads: bool
    begins: bool = False

    def fitted(self, ask: Said) -> Said:
        """Return a request with the member's users and channels where it names none. Raises NotAllowed for others, and
        NotFound for a record outside."""
        fit: Said = self._fitted(ask)
        if not self.reads and _promotes(ask):
            self._channel(GLOBAL)
        with self.engine.store.reading() as db:
            if isinstance(fit, Undo) and fit.change is None:
                fit = replace(fit, change=journal.latest_own(db, self.token.author, undo=False))
            self._check_ids(db, {*_ids(fit), *_decided_about(db, fit)})
            if isinstance(fit, Redo):
                self._check_run(db, journal.latest_own(db, self.token.author, undo=True))
            elif isinstance(fit, UndoRun):
                self._check_run(db, journal.newest_of(db, fit.run) if fit.run else fit.change)
            elif isinstance(change := getattr(fit, "change", None), int):
                self._check_change(db, change)
        return fit

    def shown(self, answer: Said) -> Said:
        """Return an answer without what is outside. Raises NotFound where all of it is, NotAllowed for figures of the
        entire desk."""
        if isinstance(answer, Metrics):
            raise self._refusal(message("the figures of the entire desk"))
        seen: Any = answer
        if isinstance(answer, Status):
            seen = self._status(answer)
        elif isinstance(answer, ExportPreview):
            seen = self._choices(answer)
        with self.engine.store.reading() as db:
            foreign = frozenset(self._foreign(db, set(_ids(seen))))
        left: Said = self._without(seen, foreign)
        return left

    def _choices(self, answer: ExportPreview) -> ExportPreview:
        """Return a preview with what the member may choose; which agents some channels have is not counted."""
        return replace(
            answer,
            users=tuple(each for each in answer.users if each in self.users),
            channels=tuple(each for each in answer.channels if self._is_inside(None, each)),
            agents=() if self.channels else answer.agents,
        )

    def _status(self, answer: Status) -> Status:
        """Return a status with the member's channels and the counts of what it may see."""
        channels = (*self.channels, GLOBAL) if self.channels else ()
        scope = Scope(tuple(sorted(self.users)), tuple(sorted(set(channels))))
        with self.engine.store.reading() as db:
            counted: dict[str, Any] = browsing.counts(db, scope)
            rows = browsing.channel_rows(db, scope)
        shown = _UNSHOWN | counted
        return replace(answer, desk="", socket="", pid=0, channels=rows, users=scope.users, **shown)

    def _fitted(self, ask: Any) -> Any:
        if not is_dataclass(ask) or isinstance(ask, type):
            return ask
        fit: dict[str, Any] = {}
        for item in fields(ask):
            value = getattr(ask, item.name)
            if item.name == "user_id":
                fit[item.name] = self._user(value)
            elif item.name == "channel":
                # Of an act on many it is where they move to.
                fit[item.name] = None if isinstance(ask, Bulk) and not value else self._channel(value)
            elif item.name == "channels" and self.channels:
                fit[item.name] = tuple(map(self._channel, value)) or tuple(sorted({*self.channels, GLOBAL}))
            elif item.name == "every_channel" and value and self.channels:
                # Every channel of the member is its only one, with `_global` as in any recall.
                fit |= {"every_channel": False, "channel": self._only_beside_global()}
            elif item.name == "cwd":
                # A folder on the service's computer is none of the member's.
                fit[item.name] = None
            elif isinstance(value, tuple):
                fit[item.name] = tuple(map(self._fitted, value))
        return replace(ask, **fit)

    def _user(self, user: str | None) -> str:
        # The limits of an agent decide about a user of whom it says nothing.
        if user in self.users or (self.begins and user):
            return user
        if user in (None, "", LOCAL_USER) and len(self.users) == 1:
            return next(iter(self.users))
        raise self._refusal(message("the memory of the user {user}", user=user or "*"))

    def _channel(self, channel: str | None) -> str | None:
        """Return a channel that the member may use. A person writes into `_global` where its token names that; an agent
        by its limits."""
        if not self.channels:
            return channel
        shared = self.reads or not self.token.is_person
        if channel is None:
            return None if shared or GLOBAL in self.channels else self._only_channel()
        tidy = " ".join(channel.split())
        if tidy in self.channels or (tidy == GLOBAL and shared):
            return channel
        raise self._refusal(message("the channel {channel}", channel=tidy))

    def _only_beside_global(self) -> str:
        own = sorted(self.channels - {GLOBAL})
        if len(own) > 1:
            raise NotAllowed(
                message("{member} may not use every channel.", member=self.token.agent),
                next=message("Name one of these channels: {list}.", list=", ".join(own)),
            )
        return own[0] if own else GLOBAL

    def _only_channel(self) -> str:
        if len(self.token.channels) == 1:
            return self.token.channels[0]
        raise NotAllowed(
            message("{member} may not write into _global.", member=self.token.agent),
            next=message("Name one of these channels: {list}.", list=", ".join(self.token.channels)),
        )

    def _refusal(self, what: Message) -> NotAllowed:
        return NotAllowed(
            message("{member} may not use {what}.", member=self.token.agent, what=what),
            next=message("Ask the desk's owner for a token that may: `memdesk team invite`."),
        )

    def _check_ids(self, db: Connection, ids: Iterable[str]) -> None:
        """Raise NotFound for a record outside, as for one that is not there: nobody learns that it is."""
        for id in self._foreign(db, ids):
            raise NotFound(message("There is no memory {id}.", id=id))

    def _check_change(self, db: Connection, change: int) -> None:
        """Raise NotFound for a change that is not only about records inside."""
        touched = {edit.id for edit in journal.edits_of(db, change)}
        if not touched or self._foreign(db, touched):
            raise NotFound(message("There is no change {change}.", change=change))

    def _check_run(self, db: Connection, change: int | None) -> None:
        """Raise NotFound for a change whose run, with all that jobs derived from it, is not only about records
        inside."""
        if change is None or journal.run_of(db, change) is None:
            self._check_change(db, change or 0)
        elif self._foreign(db, run_undo(db, change, at=self.engine.clock()).touched):
            raise NotFound(message("There is no change {change}.", change=change))

    def _foreign(self, db: Connection, ids: Iterable[str]) -> list[str]:
        """Return those of these ids that are, or were until they were removed, records of other users or channels, or
        grants."""
        wanted = list(ids)
        known = records.by_ids(db, wanted)
        places = [
            (id, kind.name, record.user_id, getattr(record, _NAMED_IN.get(kind.name, "channel"), None))
            for id, (kind, record) in known.items()
        ]
        gone = fields_of_gone(db, [id for id in wanted if id not in known])
        places += [
            (id, kind, fields.get("user_id"), fields.get(_NAMED_IN.get(kind, "channel")))
            for id, kind, fields in gone
        ]
        return [
            id
            for id, kind, user, channel in places
            if kind == GRANT.name or not self._is_inside(user, channel)
        ]

    def _is_inside(self, user: str | None, channel: str | None) -> bool:
        """Return True for a place in the member's bounds; None and "" for what is in none."""
        if user and user not in self.users:
            return False
        if not self.channels or not channel or channel in self.channels:
            return True
        return channel == GLOBAL and (self.reads or not self.token.is_person)

    def _without(self, value: Any, foreign: frozenset[str]) -> Any:
        """Return a value without the rows that are outside. Raises NotFound where the value itself is."""
        if isinstance(value, str):
            if value in foreign or any(each in foreign for each in _MADE_ID.findall(value)):
                raise _Outside
            return value
        if isinstance(value, tuple | list):
            return type(value)(self._inside(value, foreign))
        if isinstance(value, Mapping):
            return {
                name: part
                for (name, _), part in zip(value.items(), self._parts(value.values(), foreign), strict=True)
                if name not in foreign
            }
        if not is_dataclass(value) or isinstance(value, type):
            return value
        self._check_place(value)
        if isinstance(value, Provenance) and not foreign.isdisjoint(_ids(value)):
            # A memory that the member may see may come of a conversation that it may not.
            return Provenance()
        return replace(
            value,
            **{
                item.name: self._without(getattr(value, item.name), foreign)
                for item in fields(value)
                if item.init
            },
        )

    def _parts(self, values: Iterable[Any], foreign: frozenset[str]) -> list[Any]:
        return [self._without(each, foreign) for each in values]

    def _inside(self, values: Iterable[Any], foreign: frozenset[str]) -> Iterator[Any]:
        for each in values:
            try:
                yield self._without(each, foreign)
            except _Outside:
                continue

    def _check_place(self, value: Any) -> None:
        """Raise NotFound for a record that says itself that it is of another user or channel."""
        for name in _NAMES_USER:
            if isinstance(user := getattr(value, name, None), str) and not self._is_inside(user, None):
                raise _Outside
        names = ("name",) if isinstance(value, ChannelInfo | Channel) else _NAMES_CHANNEL
        for name in names:
            channel = getattr(value, name, None)
            if isinstance(channel, str) and channel != GLOBAL and not self._is_inside(None, channel):
                raise _Outside


class _Outside(NotFound):
    """Part of an answer that is outside of the member's bounds."""

    def __init__(self) -> None:
        super().__init__(message("There is no such memory."))


def _decided_about(db: Connection, ask: Any) -> Iterator[str]:
    """Yield the ids of the memories that an answer to questions may change."""
    if isinstance(ask, Decide | DecideAll) and ask.decision != "dismiss":
        for _, asked in records.by_ids(db, _ids(ask)).values():
            yield from filter(None, (asked.subject_id, asked.other_id) if isinstance(asked, Proposal) else ())


def _promotes(ask: Any) -> bool:
    """Return True for a request that puts memory into `_global`."""
    verb = getattr(ask, "verb", None) or getattr(ask, "decision", None)
    return isinstance(ask, Promote) or verb == "promote"


_UNSHOWN: dict[str, Any] = {
    "unconsolidated": 0,
    "notices": (),
    "agents": (),
    "jobs": (),
    "last_change": None,
    "standing": (),
    "asking": (),
}
"""Fields of the status that tell of the whole desk."""


def bounds_of(engine: Engine, token: KeptToken, *, reads: bool) -> Bounds:
    """Return the bounds of a token; an agent's are those of its grants where the token names none."""
    rights = Rights() if token.is_person else engine.agents.rights_of(token.agent)
    rights = token.bounded(rights)
    users, channels = rights.users, rights.channels
    if channels:
        with engine.store.reading() as db:
            now = {semantic.current_channel(db, user, each) for user in users for each in channels - {GLOBAL}}
        channels |= now if token.is_person else {*now, token.agent}
    begins = rights.may_begin_users and not token.is_person
    return Bounds(engine=engine, token=token, users=users, channels=channels, reads=reads, begins=begins)


@contextmanager
def within_bounds(engine: Engine, token: KeptToken | None, *, reads: bool) -> Iterator[None]:
    """Let the block reach no further than a token, None for everything, where the desk's database keeps to it: the
    second wall, which holds also for a call that this module overlooks."""
    reach = None
    if token is not None and engine.store.shared:
        bounds = bounds_of(engine, token, reads=reads)
        reach = Reach(tuple(map(str, bounds.users)), tuple(map(str, bounds.channels)))
    with within(reach):
        yield


def _ids(value: Any, name: str = "") -> Iterator[str]:
    """Yield the ids in a request or an answer: texts of fields that name one, and ids that the desk made in others."""
    if isinstance(value, str):
        if _NAMES_IDS.fullmatch(name):
            yield value
        yield from _MADE_ID.findall(value)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _ids(key)
            yield from _ids(part, str(key))
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from _ids(part, name)
    elif is_dataclass(value) and not isinstance(value, type):
        for item in fields(value):
            yield from _ids(getattr(value, item.name), item.name)
