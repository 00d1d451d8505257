"""The store of a desk in a PostgreSQL database. Several engines may have one open, each with its own writer thread."""

from __future__ import annotations

import queue
import re
import threading
import zlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import psycopg
from sqlite_utils import Database, Migrations

from memdesk.model.errors import NewerDesk, StorageFailed
from memdesk.model.message import NO_MESSAGE, message
from memdesk.model.status import ReplicaState
from memdesk.store import binding, bookkeeping, erasing, run_context
from memdesk.store.connection import Connection, Foreseen, Read
from memdesk.store.journal import Journal
from memdesk.store.migrations import migrations
from memdesk.store.postgres import digests, walling
from memdesk.store.postgres.connection import PostgresConnection
from memdesk.store.postgres.dialect import FUNCTIONS, JSON_FUNCTIONS, statements, translated
from memdesk.store.postgres.engines import CHANNEL, ENGINE_LOCK, HEAD_LOCK, LEASES, TABLES, Engines, others
from memdesk.store.postgres.replica import Replica, Unfit
from memdesk.store.postgres.words import POSTINGS, PostgresIndex
from memdesk.store.records import Numbers
from memdesk.store.store import READERS, Store, T

BLOCK = 64
"""Search numbers that an engine takes from the database at once."""

_OF_THE_FILE = re.compile(r"(?:words|titles|vectors)(?:_.*)?|sqlite_.*|_sqlite_.*")
"""Tables that only a file has: indexes of FTS5 and sqlite-vec."""
_TRIGGER = re.compile(r"CREATE TRIGGER (\w+) (.*?)(?: WHEN (.*?))?\s+BEGIN\s+(.*);\s+END", re.DOTALL)

_MIGRATED = "CREATE TABLE migrated (name TEXT PRIMARY KEY)"
"""Names of the migrations that a desk's database has."""


class SharedNumbers(Numbers):
    """Source of search numbers that several engines share: each takes blocks from one sequence."""

    def __init__(self, address: str) -> None:
        self._db = PostgresConnection(address, writer=True)
        self._lock = threading.Lock()
        self._next = self._end = 0
        self._closed = False

    def take(self) -> int:
        with self._lock:
            if self._closed:
                raise StorageFailed(message("The desk is closed."), next=message("Open it again."))
            if self._next == self._end:
                with self._db.transaction():
                    self._next = self._db.value("SELECT nextval('numbers')")
                self._end = self._next + BLOCK
            self._next += 1
            return self._next - 1

    def renew(self) -> None:
        """Leave the rest of a block unused, so that numbers follow those that other engines have given meanwhile."""
        with self._lock:
            self._next = self._end

    def keep(self) -> None:
        """Do nothing: the sequence has the state, and gives no number twice."""

    def forget(self) -> None:
        """Do nothing: no number is stored here."""

    def free_from(self, db: Connection) -> int:
        return int(db.value(f"SELECT last_value + {BLOCK} FROM numbers"))

    def continue_at(self, db: Connection, seq: int) -> None:
        db.value("SELECT setval('numbers', ?)", (seq,))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._db.close()


class PostgresStore(Store):
    """Store of a desk in the database at an address, as libpq has them. An empty database becomes a desk. Any number of
    stores may have one open."""

    shared = True
    numbers_late = 16 * BLOCK
    _db: PostgresConnection
    _replica: Replica | None = None

    def __init__(self, address: str, *, clock: Callable[[], int]) -> None:
        self._address, self._clock = address, clock
        self._watchers = []
        self._told: set[str] | None = set()
        self._telling, self._is_told = threading.Lock(), False
        self._is_first = False
        self._numbers: SharedNumbers
        try:
            self._db = PostgresConnection(address, writer=True)
        except binding.sqlite.Error as error:
            raise _unopened(error) from error
        self.path = Path(str(self._db.raw.info.dbname))
        try:
            with ExitStack() as opened:
                opened.callback(self._db.close)
                _prepare(self._db)
                self.missing_wall = NO_MESSAGE if self._db.member else walling.missing_wall(self._db)
                self._narrow_readers = queue.LifoQueue[Connection]()
                self._engines = Engines(address, backend=self._backend, heard=self._heard)
                opened.callback(self._engines.close)
                self._numbers = SharedNumbers(address)
                opened.callback(self._numbers.close)
                self._index = PostgresIndex(self._db, self._numbers.take)
                self._journal = Journal(self._db, self._index, clock)
                self._watch()
                self.settings_moved = threading.Event()
                self._db.watch(bookkeeping.SETTINGS_TABLE, self.settings_moved.set)
                # An erasure that a kill cut short has deleted rows, and may have left them in the tables' pages.
                if self._db.value("SELECT file_behind FROM upkeep") and not others(self._db):
                    erasing.compact(self._db)
                opened.pop_all()
        except (binding.sqlite.Error, psycopg.Error) as error:
            raise _unopened(error) from error
        self._start()
        self._engines.start()

    def close(self) -> None:
        self.use_replica("", 0)
        self._engines.close()
        super().close()
        while not self._narrow_readers.empty():
            self._narrow_readers.get_nowait().close()
        self._numbers.close()

    @contextmanager
    def reading(self, *, together: bool = True) -> Iterator[Connection]:
        # Outside of a transaction a member's reader reaches nothing.
        with super().reading(together=together or self._present_reach() is not None) as db:
            yield db

    def use_replica(self, address: str, most_s: float) -> None:
        before = self._replica
        if before is not None and before.address == address:
            before.most_s = most_s
            return
        self._replica = None
        if address:
            engine, member = self._engines.number, self._db.member
            self._replica = Replica(address, self._address, most_s=most_s, engine=engine, member=member)
            self._replica.start()
        if before is not None:
            before.close()

    def replica_state(self) -> ReplicaState | None:
        return None if self._replica is None else self._replica.state

    def read_for_recall(self, author: str, work: Callable[[Connection], T]) -> T:
        if (replica := self._replica) is not None:
            with suppress(Unfit):
                return replica.read(author, work)
        return super().read_for_recall(author, work)

    def forget(self) -> None:
        super().forget()
        if self._replica is not None:
            self._replica.scopes.clear()

    def _present_reach(self) -> run_context.Reach | None:
        return run_context.present_reach() if self._db.member else None

    def _enqueue(self, work: Callable[[Connection], T], *, alone: bool) -> Future[T]:
        if alone or (reach := self._present_reach()) is None:
            return super()._enqueue(work, alone=alone)

        def narrowed(db: Connection) -> T:
            with self._db.narrowed(reach):
                return work(db)

        return super()._enqueue(narrowed, alone=False)

    def kept(self, table: str, key: Hashable, read: Callable[[Connection], T]) -> T:
        """Read each time: of a write of another engine this one hears only after it was committed."""
        with self.reading(together=False) as db:
            return read(db)

    def foreseen(self, work: Callable[[Connection], object]) -> Sequence[Read]:
        foreseen = Foreseen(None if self._present_reach() is None else walling.newest)
        work(foreseen)
        return foreseen.reads

    @contextmanager
    def lease(self, *names: str) -> Iterator[bool]:
        # A reader's connection: for a new one the server starts a process.
        try:
            db = self._readers.get_nowait()
        except queue.Empty:
            db = self._plain_reader()
        try:
            numbers = [zlib.crc32(name.encode()) - 2**31 for name in names]
            yield bool(
                db.value(
                    "SELECT bool_and(pg_try_advisory_lock(?::int, name)) FROM unnest(?::int[]) AS name",
                    (LEASES, numbers),
                )
            )
        finally:
            try:
                db.row("SELECT pg_advisory_unlock_all()")
            except binding.sqlite.Error:
                db.close()
            else:
                self._readers_keep(db)

    def _backend(self) -> int:
        return int(self._db.raw.info.backend_pid)

    def _heard(self, tables: set[str] | None) -> None:
        """Let the writer thread note what another engine has committed, and tell whoever listens."""
        with self._telling:
            self._told = None if self._told is None or tables is None else self._told | tables
            if self._is_told:
                return
            self._is_told = True
        # StorageFailed: the store closes.
        with suppress(StorageFailed):
            self.alone(lambda _: self._note_others())

    def _note_others(self) -> None:
        with self._telling:
            told, self._told, self._is_told = self._told, set(), False
        self._db.hear(told)
        self._numbers.renew()
        self._journal.read_position()
        self._durable = self._journal.position()

    def _reader(self) -> Connection:
        return self._plain_reader() if self._present_reach() is None else self._plain_reader(self._db.member)

    def _plain_reader(self, member: str = "") -> Connection:
        return PostgresConnection(self._address, scopes=self._db.scopes, damaged=self._damaged, member=member)

    @property
    def _idle(self) -> queue.LifoQueue[Connection]:
        return self._readers if self._present_reach() is None else self._narrow_readers

    def _readers_keep(self, db: Connection) -> bool:
        assert isinstance(db, PostgresConnection)
        db.end_reading()
        if db.raw.closed:
            return False
        kept, others = self._readers, self._narrow_readers
        if db.member:
            kept, others = others, kept
        kept.put(db)
        with suppress(queue.Empty):
            while kept.qsize() + others.qsize() > READERS:
                others.get_nowait().close()
        return True

    def _sync(self, *, at_once: bool) -> None:
        """Do nothing: each commit waits for the server's disk."""

    def _settle(self, _db: Connection) -> None:
        self._durable = self._journal.position()

    def _begin(self) -> None:
        """Begin a group, as the one engine that writes now: what it reads next is what the others committed."""
        self._db.run("BEGIN")
        self._db.send("SELECT pg_advisory_xact_lock(?)", (HEAD_LOCK,))
        self._engines.waiting = True
        try:
            last, number = self._journal.read_position(
                "(SELECT engine FROM writing)", self._journal.audit.following(self._clock())
            )
        finally:
            self._engines.waiting = False
        self._is_first = last != self._engines.number
        if self._is_first or self._db.renewed:
            self._db.renewed = False
            self._journal.audit.follow_others(number)

    def _end(self, *, wrote: bool) -> None:
        if wrote:
            if self._is_first:
                self._db.send("UPDATE writing SET engine = ?", (self._engines.number,))
            told = " ".join((str(self._engines.number), *sorted(self._db.moved)))
            self._db.send("SELECT pg_notify(?, ?)", (CHANNEL, told))
        self._db.moved.clear()


def _unopened(error: Exception) -> StorageFailed:
    return StorageFailed(
        message("The desk's database could not be opened: {error}.", error=_first_line(error)),
        next=message("Check the address after --desk, and that the database runs."),
    )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")


def _prepare(db: PostgresConnection) -> None:
    """Make the tables of a desk in an empty database, or migrate those of an older one, at once or not at all, and
    count from then on as one of the engines that have it open.

    Raises StorageFailed for another program's, and NewerDesk."""
    with db.transaction():
        db.row("SELECT pg_advisory_xact_lock(?)", (HEAD_LOCK,))
        _make_tables(db)
        if db.value("SELECT pg_try_advisory_xact_lock(?)", (ENGINE_LOCK,)):
            walling.fill_places(db)
            db.member = walling.raise_wall(db)
        else:
            db.member = walling.usable_role(db)
        db.share(ENGINE_LOCK)


def _make_tables(db: Connection) -> None:
    tables = db.tables()
    if not tables:
        for statement in schema():
            db.run(statement)
        db.run(f"CREATE SEQUENCE numbers INCREMENT BY {BLOCK}")
        steps = migrations.pending(Database(memory=True))
        db.run_many("INSERT INTO migrated VALUES (?)", [(step.name,) for step in steps])
        digests.install_all(db)
        return
    if "migrated" not in tables:
        raise StorageFailed(
            message("This database is another program's, not a desk; it was not changed."),
            next=message("Name an empty database."),
        )
    applied = {name for (name,) in db.rows("SELECT name FROM migrated")}
    steps = migrations.pending(Database(memory=True))
    if unknown := sorted(applied - {step.name for step in steps}):
        raise NewerDesk(message("This desk was written by a newer MemDesk ({unknown}).", unknown=unknown[-1]))
    if db.value("SELECT to_regproc('json_read') IS NULL"):
        for statement in statements(JSON_FUNCTIONS):
            db.run(statement)
    if "engines" not in tables:
        for statement in statements(TABLES):
            db.run(statement)
    if "places" not in tables:
        db.run(walling.PLACES)
    if bookkeeping.SETTINGS_TABLE not in tables:
        db.run(bookkeeping.SETTINGS_LAYOUT)
    if pending := [step for step in steps if step.name not in applied]:
        _migrate(db, pending)


def _migrate(db: Connection, steps: Sequence[Migrations._Migration]) -> None:
    """Carry out migrations in the current transaction. Raises StorageFailed for a step that only a file can make, and
    while a service has the database open."""
    if not db.value("SELECT pg_try_advisory_xact_lock(?)", (ENGINE_LOCK,)):
        raise StorageFailed(
            message("This desk's database was made by an older MemDesk, and a service has it open."),
            next=message("Stop that service, then open the desk again."),
        )
    for step in steps:
        try:
            step.fn(cast(Database, _AsSteps(db)))
        # A step that calls what only sqlite_utils has finds no such attribute.
        except (psycopg.Error, AttributeError) as error:
            raise StorageFailed(
                message(
                    "This desk's database was made by an older MemDesk, and {step} cannot be done in it: {error}.",
                    step=step.name,
                    error=_first_line(error),
                ),
                next=message(
                    "It was not changed. Try again; or `memdesk copy` it into a folder with the older MemDesk, and "
                    "back with this one."
                ),
            ) from error
    db.run_many("INSERT INTO migrated VALUES (?)", [(step.name,) for step in steps])
    digests.install_all(db)


class _AsSteps:
    """Database with as much of the face of sqlite_utils as migrations need that run on both databases."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Execute a statement as SQLite has it; return its cursor."""
        self._db.flush()
        cursor = None
        for each in _trigger(sql) if sql.lstrip().startswith("CREATE TRIGGER") else (sql,):
            cursor = self._db.raw.execute(translated(each)[0].encode(), values)
        return cursor


def schema() -> Iterator[str]:
    """Yield the statements that make a new desk's tables, indexes and triggers in an empty database, as the store
    writes SQL."""
    yield from statements(JSON_FUNCTIONS)
    yield from statements(FUNCTIONS)
    fresh = Database(memory=True)
    migrations.apply(fresh)
    for type, table, sql in fresh.execute(
        "SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    ):
        if not _OF_THE_FILE.fullmatch(table):
            yield from _trigger(sql) if type == "trigger" else (sql,)
    # What migrations put into the tables of every desk.
    for table in ("upkeep", "working_size"):
        (row,) = fresh.execute(f"SELECT * FROM {table}")
        yield f"INSERT INTO {table} VALUES ({', '.join('NULL' if each is None else repr(each) for each in row)})"
    fresh.close()
    yield "UPDATE upkeep SET words_behind = 0"
    yield _MIGRATED
    yield bookkeeping.SETTINGS_LAYOUT
    yield from statements(POSTINGS)
    yield from statements(TABLES)
    yield walling.PLACES


def _trigger(sql: str) -> Iterator[str]:
    """Yield the statements for a trigger, whose body is a function in PostgreSQL."""
    found = _TRIGGER.fullmatch(sql)
    assert found is not None, sql
    name, event, condition, body = found.groups()
    yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}; RETURN NULL; END $$"
    yield f"CREATE TRIGGER {name} {event} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {name}()"
