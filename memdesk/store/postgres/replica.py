"""Replica of a desk's database, a streaming standby: recalls read it while it is close enough behind.

A recall asks the database itself for its time and for the changes since the last look, then reads the standby in one
snapshot, of which it knows the newest change and this engine's last heartbeat. So what is compared is what is read:
lag is the database's time less that heartbeat, by one clock and also while nobody writes; and what binds a recall is a
change's number, as numbers are in the order of commits. Writes do nothing for it."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import psycopg
from psycopg.conninfo import make_conninfo

from memdesk.model.errors import MemDeskError, NotAllowed
from memdesk.model.message import message
from memdesk.model.status import ReplicaState
from memdesk.store import binding
from memdesk.store.connection import Connection, Damage, Scopes, Snapshot
from memdesk.store.postgres.connection import PostgresConnection
from memdesk.store.run_context import in_background, present_reach

T = TypeVar("T")
LOOK_S, FROZEN_S = 1.0, 3.0
"""Interval of looks at the replica, and age of the newest one from which it counts as frozen."""
NETWORK = {
    "connect_timeout": 2,
    "tcp_user_timeout": 3000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 2,
}
"""Options of connections to the replica: a computer that is gone says nothing, and is not waited for."""
AT_ONCE = 500
"""Changes that are looked at one by one, and authors remembered; beyond, the newest binds everybody."""
MAY_COME_LATE = ("learn", "store")
"""Acts of an agent that others need not see at once. Everything else, as each act of a person, binds everybody."""

_SERVER = (
    "SELECT pg_is_in_recovery(), (SELECT system_identifier FROM pg_control_system()), "
    "(SELECT oid::bigint FROM pg_database WHERE datname = current_database()), "
)
_NEWS = (
    f"{_SERVER} extract(epoch FROM clock_timestamp()), id, author, op FROM (SELECT 1) AS one "
    "LEFT JOIN (SELECT id, author, op FROM changes WHERE id > ? ORDER BY id DESC LIMIT ?) AS news ON true"
)
_SEEN = (
    f"{_SERVER} coalesce((SELECT extract(epoch FROM max(seen_at)) FROM engines WHERE number = ?1 OR ?1 = 0), 0), "
    "(SELECT coalesce(max(id), 0) FROM changes)"
)

log = logging.getLogger(__name__)


class Unfit(Exception):
    """Exception that sends a recall to the desk's database itself."""


@dataclass(frozen=True, slots=True)
class Server:
    """State of a server. system, database: which one it is. at_s: its time, of a replica that of the last heartbeat it
    has, 0 for none; newest: its newest change."""

    recovering: int
    system: int
    database: int
    at_s: float
    newest: int


class Replica:
    """Replica at an address of the desk's database at another. Thread-safe.

    most_s: the most it may be behind. engine: number of the engine whose heartbeats are looked for; 0 for any, or for
    none where no change is missing. member: role of members. scopes: a cache of its own, as one for both would be read
    anew at each turn from one to the other."""

    def __init__(self, address: str, desk: str, *, most_s: float, engine: int = 0, member: str = "") -> None:
        self.address, self.most_s, self.scopes = address, most_s, Scopes()
        self._desk, self._engine, self._member = desk, engine, member
        self._asking = threading.Lock()
        self._primary: PostgresConnection | None = None
        self._known = self._everyone = 0
        self._of: dict[str, int] = {}
        self._idle = {wide: queue.LifoQueue[PostgresConnection]() for wide in (True, False)}
        self._state = ReplicaState(ok=False, says=message("Recall does without its replica so far."))
        self._looked_s, self._ended = time.monotonic(), threading.Event()
        self._thread = threading.Thread(target=self._look_after, name="store-replica", daemon=True)

    def start(self) -> None:
        """Begin to look after the replica."""
        self._thread.start()

    @property
    def state(self) -> ReplicaState:
        """Return the state of the replica as of the newest look, which a frozen one keeps waiting."""
        age_s = time.monotonic() - self._looked_s
        return (
            self._state
            if age_s < FROZEN_S
            else _silent(message("no answer since {age} s", age=f"{age_s:.0f}"))
        )

    def read(self, author: str, work: Callable[[Connection], T]) -> T:
        """Return what work reads in one snapshot of the replica. Raises Unfit where the replica is not well, lacks a
        change that binds this author, or fails meanwhile, and what work raises."""
        if not self.state.ok:
            raise Unfit
        damaged: list[Damage] = []
        try:
            primary = self._news()
            bound = max(self._everyone, self._of.get(author.casefold(), 0))
            with self._lent() as db:
                seen = _seen(db, self._engine)
                state = self._judged(seen, primary)
                if not state.ok or seen.newest < bound:
                    raise Unfit
                db.damaged, db.snapshot = damaged.append, Snapshot(behind_s=state.behind_s)
                found = work(db)
        except NotAllowed as error:
            # Rights of a member may be there already, and not here; the database says.
            raise Unfit from error
        except binding.sqlite.Error as error:
            self._turn(_silent(error))
            raise Unfit from error
        if damaged:
            raise Unfit
        return found

    def look(self) -> ReplicaState:
        """Return the state of the replica now."""
        try:
            primary = self._news()
            with self._lent() as db:
                return self._judged(_seen(db, self._engine), primary)
        except (binding.sqlite.Error, MemDeskError) as error:
            return _silent(error)

    def close(self) -> None:
        """Close the connections that no recall uses; those in use are closed as they come back."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join(FROZEN_S)
        for idle in self._idle.values():
            while not idle.empty():
                idle.get_nowait().close()
        with self._asking:
            if self._primary is not None:
                self._primary.close()

    def _look_after(self) -> None:
        while not self._ended.is_set():
            self._turn(self.look())
            self._looked_s = time.monotonic()
            self._ended.wait(LOOK_S)

    def _turn(self, state: ReplicaState) -> None:
        if state.ok != self._state.ok:
            log.log(logging.INFO if state.ok else logging.WARNING, "%s", state.says)
        self._state = state

    def _news(self) -> Server:
        """Return the state of the desk's database now; note the changes since the last look, and whom they bind."""
        with self._asking:
            if self._primary is None:
                self._primary = PostgresConnection(self._desk)
            rows = self._primary.rows(_NEWS, (self._known, AT_ONCE + 1))
            changes = [(number, author, op) for *_, number, author, op in rows if number is not None]
            self._known = max((number for number, *_ in changes), default=self._known)
            if max(len(changes), len(self._of)) > AT_ONCE:
                self._everyone = self._known
                self._of.clear()
            for number, author, op in changes:
                if author.startswith("agent:") and op in MAY_COME_LATE:
                    name = author.casefold()
                    self._of[name] = max(number, self._of.get(name, 0))
                else:
                    self._everyone = max(number, self._everyone)
            recovering, system, database, at_s = rows[0][:4]
            return Server(recovering, system, database, at_s, self._known)

    @contextmanager
    def _lent(self) -> Iterator[PostgresConnection]:
        """Provide a connection with one snapshot for the block."""
        member = "" if present_reach() is None else self._member
        idle = self._idle[not member]
        try:
            db = idle.get_nowait()
        except queue.Empty:
            db = PostgresConnection(_with_patience(self.address), scopes=self.scopes, member=member)
        db.left_out.clear()
        db.give_way = in_background.get()
        try:
            db.run("BEGIN")
            yield db
        finally:
            try:
                db.end_reading()
            finally:
                if self._ended.is_set() or db.raw.closed:
                    db.close()
                else:
                    idle.put(db)

    def _judged(self, seen: Server, primary: Server) -> ReplicaState:
        if not seen.recovering:
            return ReplicaState(
                ok=False,
                says=message("Recall does without its replica: that is no standby."),
                next=message("Name a streaming standby as recall_replica; one that was promoted is none."),
            )
        if (seen.system, seen.database) != (primary.system, primary.database):
            return ReplicaState(
                ok=False,
                says=message("Recall does without its replica: that is a standby of another database."),
                next=message(
                    "Name a standby of the desk's own server as recall_replica, with the same database."
                ),
            )
        if not self._engine and seen.newest >= primary.newest:
            says = message("The replica that recall reads has every change.")
            return ReplicaState(ok=True, says=says, behind_s=0.0)
        behind_s = max(0.0, primary.at_s - seen.at_s)
        if behind_s > self.most_s:
            return ReplicaState(
                ok=False,
                says=message(
                    "Recall does without its replica: that is more than {most} s behind.", most=self.most_s
                ),
                next=message(
                    "See pg_stat_replication in the desk's database. It is read again once it has caught up."
                ),
                behind_s=behind_s if seen.at_s else None,
            )
        says = message("Recall reads a replica, at most {lag} s behind.", lag=f"{behind_s:.1f}")
        return ReplicaState(ok=True, says=says, behind_s=behind_s)


def _silent(why: object) -> ReplicaState:
    said = str(why).strip().partition("\n")[0].rstrip(".")
    return ReplicaState(
        ok=False,
        says=message("Recall does without its replica: that does not answer ({why}).", why=said),
        next=message("Start it, or correct recall_replica. It is read again by itself."),
    )


def _seen(db: PostgresConnection, engine: int) -> Server:
    """Return the state of the replica in the present snapshot, as the owner: engines are closed to members."""
    with db.as_owner():
        row = db.row(_SEEN, (engine,))
    assert row is not None
    return Server(*row)


def _with_patience(address: str) -> str:
    try:
        return make_conninfo(address, **NETWORK)
    except psycopg.ProgrammingError:
        # No address: connecting says why.
        return address
