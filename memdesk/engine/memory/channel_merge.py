"""Rename of a channel, and merge of a channel into another: conditions, and the move of all its records in
one run of changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import NAME_CHARACTERS, channel_named, need_channel, new_channel_edit
from memdesk.engine.memory.ephemeral import follow_channel
from memdesk.engine.memory.merge import merge_in_steps
from memdesk.engine.progress import Progress
from memdesk.engine.wording import tidied
from memdesk.model.change import Applied, Change, Edit
from memdesk.model.channel import CHANNEL, GLOBAL, Channel, MergeChannels, RenameChannel
from memdesk.model.entity import Entity
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind, new_id
from memdesk.model.message import Message, message, term
from memdesk.store import moving, records, semantic
from memdesk.store.connection import Connection

AT_ONCE = 250
"""Records that one change moves: another writer waits for a tenth of a second, not for the entire move."""


class _Left(Conflict):
    """Raised if one of two memories to be merged has left recall meanwhile."""


@dataclass(slots=True, kw_only=True)
class Journey:
    """Move of all records of channel `name` to channel `to`. verb: its word in titles. counts: records moved,
    by table."""

    engine: Engine
    user_id: str
    name: str
    to: str
    verb: str
    author: str
    run: str = ""
    source: Channel = field(init=False)
    last: int | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def go(self, begin: Callable[[Connection, Channel], list[Edit]], progress: Progress) -> dict[str, Any]:
        """Run the move to its end, continuing a stopped run. Returns the counts and the last change."""
        progress(
            0, 0, message("Channel {name} is {verb} {to}", name=self.name, verb=term(self.verb), to=self.to)
        )
        self._set_out(begin)
        arrived = False
        while not arrived:
            self._join_twins(progress)
            self._carry(progress)
            arrived = self._arrive()
        says = message("Channel {name} {verb} {to}.", name=self.name, verb=term(self.verb), to=self.to)
        return {**self.counts, "change": self.last, "run": self.run, "says": says}

    def _set_out(self, begin: Callable[[Connection, Channel], list[Edit]]) -> None:
        """Make the old name lead to the new one; if it does already, continue the run that began the move."""

        def verb(db: Connection) -> tuple[Change | None, tuple[Channel, str]]:
            source = need_channel(db, self.user_id, self.name)
            if self._goes_on(source):
                return None, (
                    source,
                    moving.run_that_moved(db, source.id) or new_id("run", self.engine.clock()),
                )
            self._refuse_arrivals(db, source)
            edits = (*begin(db, source), records.update_edit(CHANNEL, source, moved_to=self.to))
            follow_channel(db, self.user_id, source.name, self.to)
            run = new_id("run", self.engine.clock())
            return self._change(
                message(
                    "Channel {source} is being {verb} {to}",
                    source=source.name,
                    verb=term(self.verb),
                    to=self.to,
                ),
                edits,
                run,
            ), (source, run)

        applied, (self.source, self.run) = self.engine.store.decide(verb)
        self._note(applied)

    def _goes_on(self, source: Channel) -> bool:
        """Return True if this move was begun before. Raises BadAsk or Conflict if it may not begin."""
        if GLOBAL in (source.name, self.to):
            raise BadAsk(
                message("_global is neither renamed nor merged."),
                next=message("Promote what holds everywhere, or archive the channel."),
            )
        if source.name == self.to:
            raise BadAsk(message("Channel {to} is called so already.", to=self.to))
        if source.retired_at is not None:
            raise Conflict(
                message(
                    "Channel {channel} went into {moved_to}.", channel=source.name, moved_to=source.moved_to
                )
                if source.moved_to
                else message("Channel {source} is archived.", source=source.name),
                next=message("Restore it first, or take that back."),
            )
        if source.moved_to not in (None, self.to):
            raise Conflict(
                message(
                    "Channel {other} is on its way into {source}.", other=source.name, source=source.moved_to
                ),
                next=message("Ask for that again to finish it, or take its run back."),
            )
        return source.moved_to == self.to

    def _refuse_arrivals(self, db: Connection, source: Channel) -> None:
        """Raise Conflict while another channel is being moved to this one: its records would arrive too late."""
        found = records.find(
            db, CHANNEL, user_id=self.user_id, moved_to=source.name, retired_at=None, limit=1
        )
        for other in found:
            raise Conflict(
                message("Channel {other} is on its way into {source}.", other=other.name, source=source.name),
                next=message("Ask for that again to finish it, or take its run back."),
            )

    def _join_twins(self, progress: Progress) -> None:
        """Merge the facts and entities that both channels have."""
        with self.engine.store.reading() as db:
            same = moving.twins(db, self.user_id, self.source.name, self.to)
            keyed = moving.keyed_alike(db, self.user_id, self.source.name, self.to)
        for done, (here, there) in enumerate(same):
            progress(done, len(same), message("Joining what both hold"))
            self._join(here, there)
        for here, there in keyed:
            self._replace(here, there)

    def _join(self, here: str, there: str) -> None:
        def judge(db: Connection) -> tuple[Any, Any]:
            both = self._both(db, here, there)
            # The older of two facts is kept; an entity stays where it is going to be looked for.
            older_first = sorted(both, key=lambda each: each.seq)
            lost, kept = (older_first[1], older_first[0]) if isinstance(both[0], Fact) else both
            return lost, kept

        try:
            applied, _, _ = merge_in_steps(
                self.engine,
                judge,
                author=self.author,
                run=self.run,
                details={"channel": self.name},
                alone=False,
            )
        except _Left:
            return
        self.counts["joined"] += 1
        self.last = applied.id

    def _replace(self, here: str, there: str) -> None:
        """Make the newer of two values under one key the current one."""

        def verb(db: Connection) -> tuple[Change | None, None]:
            old, new = sorted(self._both(db, here, there), key=lambda fact: int(fact.seq))
            edit = records.update_edit(FACT, old, temporal="past", superseded_by=new.id)
            return self._change(message("“{key}” has its newer value", key=old.key), (edit,), self.run), None

        try:
            self._note(self.engine.store.decide(verb)[0])
        except _Left:
            return

    def _both(self, db: Connection, here: str, there: str) -> tuple[Any, Any]:
        found = records.by_ids(db, (here, there))
        both = tuple(found[id][1] for id in (here, there) if id in found)
        if len(both) < 2 or any(_is_out(record) for record in both):
            raise _Left(message("One of the two has left meanwhile."))
        return both[0], both[1]

    def _carry(self, progress: Progress) -> None:
        """Move the records that are in the channel now, some at a time."""
        with self.engine.store.reading() as db:
            waiting = [
                (kind, moving.ids_in(db, kind, self.user_id, self.source.name)) for kind in moving.SCOPED
            ]
        total, done = sum(len(ids) for _, ids in waiting), 0
        for kind, ids in waiting:
            for some in (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE)):
                progress(done, total, message("Moving {kind}", kind=_plural(kind)))
                self._carry_some(kind, some)
                done += len(some)

    def _carry_some(self, kind: Kind[Any], ids: Sequence[str]) -> None:
        def verb(db: Connection) -> tuple[Change | None, int]:
            found = [(kind, record) for record in records.many(db, kind, "id", ids)]
            edits = self._moves(db, found)
            title = message(
                "Channel {source} {verb} {to}: {count} {kind}",
                source=self.source.name,
                verb=term(self.verb),
                to=self.to,
                count=len(edits),
                kind=_plural(kind),
            )
            return (self._change(title, edits, self.run) if edits else None), len(edits)

        applied, moved = self.engine.store.decide(verb)
        self.counts[kind.table] += moved
        self._note(applied)

    def _arrive(self) -> bool:
        """Move the remaining records and retire the old channel in one change; return False if too many
        remain for one."""

        def verb(db: Connection) -> tuple[Change | None, bool]:
            left = moving.left_in(db, self.user_id, self.source.name, AT_ONCE + 1)
            edits = self._moves(db, left)
            if len(left) > AT_ONCE or len(edits) < len(left):
                return None, False
            source = records.need(db, CHANNEL, self.source.id)
            gone = records.update_edit(CHANNEL, source, retired_at=self.engine.clock())
            return self._change(
                message("Channel {source} {verb} {to}", source=source.name, verb=term(self.verb), to=self.to),
                (*edits, gone),
                self.run,
            ), True

        applied, arrived = self.engine.store.decide(verb)
        self._note(applied)
        return arrived

    def _moves(self, db: Connection, found: Sequence[tuple[Kind[Any], Any]]) -> tuple[Edit, ...]:
        """Return edits for records that are still in the old channel and have no counterpart in the new one."""
        return tuple(
            records.update_edit(kind, record, channel=self.to)
            for kind, record in found
            if record.channel == self.source.name and not self._meets(db, record)
        )

    def _meets(self, db: Connection, record: Any) -> bool:
        if not isinstance(record, Fact | Entity) or _is_out(record):
            return False
        if isinstance(record, Entity):
            return semantic.entity_named(db, self.user_id, (self.to,), record.name) is not None
        if semantic.fact_claiming(db, self.user_id, self.to, record.claim) is not None:
            return True
        key = record.key
        return (
            key is not None
            and semantic.fact_keyed(db, self.user_id, self.to, record.agent_id, key) is not None
        )

    def _change(self, title: Message, edits: Sequence[Edit], run: str) -> Change:
        return Change(
            op="update",
            layer="workspace",
            title=title,
            author=self.author,
            channel=self.to,
            user_id=self.user_id,
            run=run,
            edits=tuple(edits),
            details={"from": self.name, "to": self.to},
        )

    def _note(self, applied: Applied | None) -> None:
        if applied is not None:
            self.last = applied.id


def _is_out(record: Any) -> bool:
    """Return True if a memory is out of recall."""
    return record.retired_at is not None or getattr(record, "superseded_by", None) is not None


def _plural(kind: Kind[Any]) -> str:
    return kind.table.replace("_", " ")


def rename_channel(engine: Engine, ask: RenameChannel, *, author: str, progress: Progress) -> dict[str, Any]:
    """Rename a channel. Returns counts of moved records and the last change.

    Raises BadAsk for `_global` or a bad name, NotFound, Conflict if another channel has the name."""
    name = tidied(ask.name, message("A channel's name"), NAME_CHARACTERS)

    def begin(db: Connection, source: Channel) -> list[Edit]:
        taken = channel_named(db, ask.user_id, name)
        if taken is None:
            return [new_channel_edit(engine, db, ask.user_id, name, number=source.number)]
        if taken.moved_to is None:
            raise Conflict(
                message("There is a channel {known} already.", known=name),
                next=message("Merge the two instead."),
            )
        return [records.update_edit(CHANNEL, taken, retired_at=None, moved_to=None, number=source.number)]

    journey = Journey(
        engine=engine,
        user_id=ask.user_id,
        name=ask.channel,
        to=name,
        verb=message("renamed to"),
        author=author,
    )
    return journey.go(begin, progress)


def merge_channels(engine: Engine, ask: MergeChannels, *, author: str, progress: Progress) -> dict[str, Any]:
    """Move all records of a channel into another. Returns counts of moved records and the last change.

    Of two facts with the same claim the older is kept and gains the other's sources; entities of the same
    name become one. Raises BadAsk if either is `_global`, NotFound, Conflict if either is archived."""
    into = " ".join(ask.into.split())

    def begin(db: Connection, source: Channel) -> list[Edit]:
        target = need_channel(db, ask.user_id, into)
        if target.retired_at is not None or target.moved_to is not None:
            raise Conflict(
                message("Channel {into} is archived, or went into another.", into=into),
                next=message("Restore it first."),
            )
        return []

    journey = Journey(
        engine=engine,
        user_id=ask.user_id,
        name=ask.channel,
        to=into,
        verb=message("merged into"),
        author=author,
    )
    return journey.go(begin, progress)
